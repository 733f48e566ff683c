//! Converts a game to a PGN document. Parsing and formatting PGN is done by the `pgn` crate.

use touchmove_pgn::{Document, GameResult};
use touchmove_rules::{AnyPosition, Color, Variant};

use crate::{Draw, Ending, Game, NoResult, Victory};

/// The PGN of a game, with clocks after each move and the arbiter's sentence at the end.
///
/// ```
/// use touchmove_game::{Game, Players, Terms, Timestamp, pgn_record};
/// use touchmove_rules::Variant;
///
/// let players = Players { white: "Anna".to_owned(), black: "Ben".to_owned() };
/// let game = Game::begin(Terms::of(Variant::Atomic), players, Timestamp(0));
/// let pgn = pgn_record::document(&game).to_string();
/// assert!(pgn.contains("[White \"Anna\"]") && pgn.contains("[Variant \"Atomic\"]"));
/// ```
#[must_use]
pub fn document(game: &Game) -> Document {
    document_under(game, &[])
}

/// Like [`document`], with additional tags that the game does not know, such as the site and date. They
/// override the game's own tags.
///
/// ```
/// use touchmove_game::{Game, Players, Terms, Timestamp, pgn_record};
/// use touchmove_rules::Variant;
///
/// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let heading = [("Site", "https://chess.example/AbCdEfGh".to_owned())];
/// let pgn = pgn_record::document_under(&game, &heading).to_string();
/// assert!(pgn.contains("[Site \"https://chess.example/AbCdEfGh\"]"));
/// ```
#[must_use]
pub fn document_under(game: &Game, heading: &[(&'static str, String)]) -> Document {
    let last_words = game.conclusion().map(|conclusion| conclusion.text.as_str());
    let mut document = Document::default();
    for (name, value) in tags(game).iter().chain(heading) {
        // Every name here is a valid tag name; an invalid one would be left out.
        let _ = document.tags.set(name, value);
    }
    document.result = game.ending().map(GameResult::from).unwrap_or_default();
    let mut last = None;
    for (number, ply) in game.plies().iter().enumerate() {
        // PGN always gets the SAN of the rules, whatever SAN a journal may have recorded.
        let before = game.position_after(number).unwrap_or(game.position());
        let Ok(id) = document.play(last, &before.san(ply.mv).to_string()) else {
            break;
        };
        if let (Some(clocks), Some(times)) = (ply.clocks, &game.terms().time) {
            let left = clocks.left(times, !clocks.turn(), ply.at);
            document.add_comment(id, &format!("[%clk {}]", left.pgn()));
        }
        last = Some(id);
    }
    match (last_words, last) {
        (Some(words), Some(id)) => document.add_comment(id, words),
        (Some(words), None) => document.add_intro(words),
        (None, _) => {}
    }
    document
}

fn tags(game: &Game) -> Vec<(&'static str, String)> {
    let terms = game.terms();
    let players = game.players();
    let mut tags = Vec::new();
    for (name, player) in [("White", &players.white), ("Black", &players.black)] {
        if !player.is_empty() {
            tags.push((name, player.clone()));
        }
    }
    tags.push((
        "Result",
        game.ending().map_or("*", Ending::result).to_owned(),
    ));
    if terms.variant() != Variant::Chess {
        tags.push(("Variant", terms.variant().title().to_owned()));
    }
    if terms.start.fen() != AnyPosition::start(terms.variant()).fen() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", terms.start.fen().to_string()));
    }
    if terms.variant() == Variant::Chess960
        && let Some(number) = terms.start.chess960_number()
    {
        tags.push(("Chess960Start", number.to_string()));
    }
    match terms.time.as_ref().map(|times| (times, times.same())) {
        None => {}
        Some((_, Some(control))) => tags.push(("TimeControl", control.pgn())),
        Some((times, None)) => {
            tags.push(("WhiteTimeControl", times[Color::White].pgn()));
            tags.push(("BlackTimeControl", times[Color::Black].pgn()));
        }
    }
    tags.push(("Termination", termination(game.ending()).to_owned()));
    tags.push(("Draws", terms.draws.to_string()));
    tags.push(("Flag", terms.flag.to_string()));
    tags.push(("Dead", terms.dead.to_string()));
    tags
}

/// The value of the PGN `Termination` tag.
const fn termination(ending: Option<Ending>) -> &'static str {
    match ending {
        None => "unterminated",
        Some(
            Ending::Win {
                by: Victory::FlagFall,
                ..
            }
            | Ending::Draw(Draw::FlagFall { .. }),
        ) => "time forfeit",
        Some(
            Ending::Win {
                by: Victory::NoShow | Victory::Abandonment,
                ..
            }
            | Ending::Draw(Draw::Abandonment { .. })
            | Ending::NoResult(NoResult::Aborted),
        ) => "abandoned",
        Some(
            Ending::Win {
                by: Victory::Forfeit,
                ..
            }
            | Ending::NoResult(NoResult::IllegalPosition),
        ) => "rules infraction",
        Some(Ending::Win { .. } | Ending::Draw(_)) => "normal",
    }
}
