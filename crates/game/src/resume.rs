//! Resumes a game from a PGN: terms, moves and clocks, as far as the PGN has them. The `pgn` crate parses;
//! every move is validated again.

use touchmove_pgn::{Document, GameResult, StartError, clock, commands};

use crate::serde_impls;
use crate::{
    Command, Game, Millis, MoveBonus, ParseTermError, ParseTimeControlError, Players, Terms,
    TimeControl, TimeControls, Timestamp,
};

/// Why a PGN game cannot be resumed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ResumeError {
    /// The variant is unknown or the FEN is not a position.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A tag for a term has an invalid value.
    #[error("the tag {tag}: {error}")]
    Term {
        /// The tag.
        tag: &'static str,
        /// What is wrong with its value.
        error: ParseTermError,
    },
    /// The time control cannot be read.
    #[error("the tag TimeControl: {0}")]
    Time(#[from] ParseTimeControlError),
    /// A move cannot be read or is illegal.
    #[error("ply {ply}: {reason}")]
    Move {
        /// The ply, from 1.
        ply: usize,
        /// Why.
        reason: String,
    },
    /// The players have already ended the game.
    #[error("the game has ended: its result is {0}")]
    Over(GameResult),
}

/// Builds a game from a PGN, ready to go on after its last move. Missing terms are taken from `usual`.
///
/// ```
/// use touchmove_game::{Terms, Timestamp, resume};
/// use touchmove_pgn::Document;
/// use touchmove_rules::{Color, Variant};
///
/// let pgn = b"[TimeControl \"300+3\"]\n\n1. e4 {[%clk 0:04:50]} e5 {[%clk 0:05:01]} *";
/// let document = &Document::read_all(pgn)[0];
/// let game = resume(document, &Terms::of(Variant::Chess)).unwrap();
/// assert_eq!(game.plies().len(), 2);
/// assert_eq!(game.time_left(Color::White, game.latest()).unwrap().0, 290_000);
/// assert_eq!(game.time_left(Color::Black, game.latest()).unwrap().0, 301_000);
/// ```
///
/// # Errors
/// If the game is over, or the PGN is contradictory or has illegal moves.
pub fn resume(document: &Document, usual: &Terms) -> Result<Game, ResumeError> {
    if document.result != GameResult::Unknown {
        return Err(ResumeError::Over(document.result));
    }
    let mut game = Game::begin(
        terms(document, usual)?,
        players(document),
        Timestamp::default(),
    );
    for (index, id) in document.main_line().enumerate() {
        let node = document.node(id);
        let refuse = |reason: String| ResumeError::Move {
            ply: index + 1,
            reason,
        };
        let mv = game
            .read_move(node.san())
            .map_err(|error| refuse(error.to_string()))?;
        let shown = node
            .comments()
            .iter()
            .find_map(|comment| clock_shown(comment));
        let at = shown.map_or(game.latest(), |left| moment_of(&game, left));
        let command = Command::from(game.position().uci(mv));
        if let Some(refusal) = game.submit(at, game.turn(), command).refusal {
            return Err(refuse(refusal.to_string()));
        }
    }
    Ok(game)
}

/// The laws in a PGN's tags; missing ones are taken from `usual`.
///
/// ```
/// use touchmove_game::{Draws, Terms, laws_of};
/// use touchmove_pgn::Document;
/// use touchmove_rules::Variant;
///
/// let document = &Document::read_all(b"[Draws \"claim\"]\n\n1. e4 *")[0];
/// let terms = laws_of(document, Terms::of(Variant::Chess)).unwrap();
/// assert_eq!(terms.draws, Draws::Claim);
/// ```
///
/// # Errors
/// If the tag of a law has an invalid value.
pub fn laws_of(document: &Document, usual: Terms) -> Result<Terms, ResumeError> {
    fn term<T: std::str::FromStr<Err = ParseTermError>>(
        document: &Document,
        tag: &'static str,
        usual: T,
    ) -> Result<T, ResumeError> {
        let value = document.tags.get(tag).map(str::parse);
        let term = value
            .transpose()
            .map_err(|error| ResumeError::Term { tag, error })?;
        Ok(term.unwrap_or(usual))
    }
    Ok(Terms {
        draws: term(document, "Draws", usual.draws)?,
        flag: term(document, "Flag", usual.flag)?,
        dead: term(document, "Dead", usual.dead)?,
        ..usual
    })
}

fn terms(document: &Document, usual: &Terms) -> Result<Terms, ResumeError> {
    let tags = ["TimeControl", "WhiteTimeControl", "BlackTimeControl"];
    let time = match tags.map(|tag| document.tags.get(tag)) {
        [None, Some(white), Some(black)] => {
            let [white, black] = [white, black].map(TimeControl::from_pgn);
            white?
                .zip(black?)
                .map(|(white, black)| TimeControls::odds(white, black))
        }
        [Some(value), ..] => TimeControl::from_pgn(value)?.map(TimeControls::from),
        [None, ..] => usual.time.clone(),
    };
    let usual = Terms {
        start: document.start()?,
        time,
        ..usual.clone()
    };
    laws_of(document, usual)
}

fn players(document: &Document) -> Players {
    let name = |tag| {
        let known = document.tags.get(tag).filter(|name| *name != "?");
        serde_impls::name_of(known.unwrap_or_default().to_owned())
    };
    Players {
        white: name("White"),
        black: name("Black"),
    }
}

/// The time on the mover's clock after the move, from a comment.
fn clock_shown(comment: &str) -> Option<Millis> {
    let shown = commands(comment.as_bytes()).find(|command| command.name == b"clk")?;
    u64::try_from(clock(shown.value)?.as_millis())
        .ok()
        .map(Millis)
}

/// When the player on move must have moved, so that the clock shows this time afterwards.
fn moment_of(game: &Game, shown: Millis) -> Timestamp {
    let latest = game.latest();
    let (Some(times), Some(mut clocks)) = (&game.terms().time, game.clocks()) else {
        return latest;
    };
    let mover = clocks.turn();
    let free = match clocks.pace(times) {
        MoveBonus::Plain | MoveBonus::Increment(_) | MoveBonus::Afresh => Millis::ZERO,
        MoveBonus::Delay(free) | MoveBonus::Bronstein(free) => free,
    };
    clocks.press(times, latest, Millis::ZERO, true);
    let at_once = clocks.left(times, mover, latest);
    let at = match at_once.saturating_sub(shown) {
        Millis::ZERO => latest,
        lost => latest + lost + free,
    };
    // A clock that shows 0:00:00 had less than a second left, but not zero: there was a move.
    match game.deadline() {
        Some(deadline) if at >= deadline => Timestamp(deadline.0.saturating_sub(1)).max(latest),
        _ => at,
    }
}
