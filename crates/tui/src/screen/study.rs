//! A game of a file as it is looked through: its moves as far as they are legal, and what the file says
//! beside them.

use touchmove_game::{Game, Millis, Opening, Players, Terms, Timestamp};
use touchmove_pgn::{Document, GameResult, MoveNode, StartError, clock, commands, decode};
use touchmove_rules::Color;

use super::collection::{Contents, Listed};

/// What a file says beside the moves about a game that is looked through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Study {
    /// The list that it was opened from.
    pub contents: Contents,
    notes: Notes,
}

impl Study {
    /// The study of the game that is chosen in a list.
    pub(super) fn new(contents: Contents, notes: Notes) -> Study {
        Study { contents, notes }
    }

    /// What is written about the position after this many plies.
    #[must_use]
    pub fn note(&self, plies: usize) -> Option<&Note> {
        self.notes.get(plies)
    }

    /// What a player's clock showed after this many plies of a game that `first` began.
    #[must_use]
    pub fn clock(&self, first: Color, player: Color, plies: usize) -> Option<Millis> {
        let mover = |ply: usize| if ply % 2 == 1 { first } else { !first };
        let own = (1..=plies).rev().filter(|&ply| mover(ply) == player);
        own.filter_map(|ply| self.notes.get(ply)?.clock).next()
    }

    /// The result, as the file gives it.
    #[must_use]
    pub fn result(&self) -> &'static str {
        self.contents
            .chosen()
            .map_or(GameResult::Unknown.as_str(), |(_, listed)| listed.result)
    }

    /// The game as it stands in the file.
    #[must_use]
    pub fn pgn(&self) -> String {
        let chosen = self.contents.chosen();
        let text = chosen.and_then(|(number, _)| self.contents.collection().pgn(number));
        decode(text.unwrap_or_default()).trim().to_owned() + "\n"
    }

    /// Who played, where, when and with what result, in a line.
    #[must_use]
    pub fn title(&self) -> String {
        let Some((_, listed)) = self.contents.chosen() else {
            return String::new();
        };
        let names = format!("{} - {}", listed.white, listed.black);
        let known = [names, listed.event.clone(), listed.date.clone()]
            .into_iter()
            .filter(|part| !part.is_empty());
        format!(
            "{}: {}",
            known.collect::<Vec<_>>().join(", "),
            listed.result
        )
    }
}

/// What is written about the positions of a game: before the first move, and after each ply.
pub(super) type Notes = Vec<Note>;

/// What is written about a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Note {
    /// Signs that praise or blame the move before it: `!?`.
    pub signs: String,
    pub comment: String,
    /// What the mover's clock showed.
    pub clock: Option<Millis>,
}

impl Note {
    fn on(move_made: &MoveNode) -> Note {
        let signs = move_made.nags().iter().filter_map(|nag| nag.glyph());
        Note {
            signs: signs.collect(),
            ..Note::of(move_made.comments())
        }
    }

    fn of(comments: &[String]) -> Note {
        let words: Vec<String> = comments.iter().map(|text| without_commands(text)).collect();
        let shown = comments
            .iter()
            .flat_map(|text| commands(text.as_bytes()))
            .filter(|command| command.name == b"clk")
            .find_map(|command| clock(command.value));
        Note {
            signs: String::new(),
            comment: words.join(" ").trim().to_owned(),
            clock: shown.map(|time| Millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))),
        }
    }
}

/// A comment without its `[%...]`, for people.
fn without_commands(comment: &str) -> String {
    let mut words = String::new();
    let mut rest = comment;
    while let Some((before, behind)) = rest.split_once("[%") {
        words += before;
        rest = behind.split_once(']').map_or("", |(_, behind)| behind);
    }
    words += rest;
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Plays the moves as far as they are legal, beyond any draw that would have ended a game here.
pub(super) fn replay(document: &Document, listed: &Listed) -> Result<(Game, Notes), StartError> {
    let start = document.start()?;
    let players = Players {
        white: listed.white.clone(),
        black: listed.black.clone(),
    };
    let opening = Opening::of(Terms::from(start), players, Timestamp::default());
    let mut game = Game::open(opening);
    let mut notes = vec![Note::of(document.intro())];
    for id in document.main_line() {
        let written = document.node(id);
        let mv = match game.position().read_san(written.san()) {
            Ok(mv) => mv,
            Err(error) => {
                if let Some(last) = notes.last_mut() {
                    let words = format!("The file goes on with {}: {error}.", written.san());
                    last.comment = format!("{} {words}", last.comment).trim().to_owned();
                }
                break;
            }
        };
        game.play_on(mv);
        notes.push(Note::on(written));
    }
    Ok((game, notes))
}
