//! A game taken up again from its record: terms, moves and clocks as far as the PGN tells them. How
//! PGN is read is the PGN crate's business, and every move goes through the judge again.

use touchmove_pgn::{Document, GameResult, StartError, clock, commands};

use crate::serde_impls;
use crate::{
    Command, Game, Millis, MoveBonus, ParseTermError, ParseTimeControlError, Players, Terms,
    TimeControl, TimeControls, Timestamp,
};

/// Why a record cannot be played on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ResumeError {
    /// The variant is unknown or the FEN is no position.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The tag of a term has a value that it cannot have.
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
    /// A move is not one, or not legal.
    #[error("ply {ply}: {reason}")]
    Move {
        /// Which one, from 1.
        ply: usize,
        /// Why not.
        reason: String,
    },
    /// The players have already ended the game.
    #[error("the game has ended: its result is {0}")]
    Over(GameResult),
}

/// The game of a record, to go on from its last move. What the record does not tell is taken from
/// the usual terms.
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
/// If the record is over, or tells something that cannot have been.
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

/// The laws that a record names in its tags; what it does not tell is taken from the usual terms.
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
/// If the tag of a law has a value that it cannot have.
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

/// What a comment says the mover's clock showed after the move.
fn clock_shown(comment: &str) -> Option<Millis> {
    let shown = commands(comment.as_bytes()).find(|command| command.name == b"clk")?;
    u64::try_from(clock(shown.value)?.as_millis())
        .ok()
        .map(Millis)
}

/// The moment at which the player on move must have moved for the clock to show this afterwards.
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
    // A clock that shows 0:00:00 had less than a second left, but not nothing: there was a move.
    match game.deadline() {
        Some(deadline) if at >= deadline => Timestamp(deadline.0.saturating_sub(1)).max(latest),
        _ => at,
    }
}
