//! The journal of a game: one JSON object per line, the opening first, then each event. Reading one is a
//! fold: what is recorded is trusted, and only what cannot have happened is refused. The [audit] judges a
//! journal by today's laws. Where the lines are stored is up to the caller. `docs/JOURNAL.md` describes the
//! format.
//!
//! ```
//! use touchmove_game::{Command, Game, Players, Terms, Timestamp, journal};
//! use touchmove_rules::{Color, Variant};
//!
//! let players = Players { white: "Anna".to_owned(), black: "Ben".to_owned() };
//! let mut game = Game::begin(Terms::of(Variant::Chess), players, Timestamp(0));
//! let mut text = journal::line(game.opening());
//! let e4 = Command::from(game.position().uci(game.read_move("e4").unwrap()));
//! for event in game.submit(Timestamp(2_500), Color::White, e4).events {
//!     text += &journal::line(&event);
//! }
//! assert_eq!(journal::replay(&text).unwrap(), game);
//! ```

mod audit;
mod version_0;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    Actor, Event, EventKind, Game, ImpossibleEvent, Millis, Opening, bounded, opening, serde_impls,
};

pub use audit::{Audit, AuditFinding, audit};

/// One line of a journal with its line end: an [`Opening`] or an [`Event`].
#[must_use]
pub fn line(entry: &impl Serialize) -> String {
    let mut line = serde_json::to_string(entry).unwrap_or_default();
    line.push('\n');
    line
}

/// The journal of a game with this opening and these events.
#[must_use]
pub fn write(opening: &Opening, events: &[Event]) -> String {
    let events = events.iter().map(line);
    std::iter::once(line(opening)).chain(events).collect()
}

/// The journal of a game as if it had just been played, move by move, without takebacks, offers or the times
/// when players sat down. For games that come from a PGN.
#[must_use]
pub fn rewrite(game: &Game) -> String {
    let opening = Opening {
        seats: game.seats().clone(),
        ..game.opening().clone()
    };
    let mut told = Game::open(opening);
    let mut events = Vec::new();
    for ply in game.plies() {
        let by = Actor::from(told.turn());
        let moved = EventKind::Moved {
            attempt: told.position().uci(ply.mv),
            san: ply.san.clone(),
            lag: Millis::ZERO,
            clock: game
                .terms()
                .time
                .as_ref()
                .zip(ply.clocks)
                .map(|(times, clocks)| clocks.left(times, !clocks.turn(), ply.at)),
        };
        events.push(told.event(1, ply.at, by, moved));
        told.evolve_all(&events[events.len() - 1..]);
    }
    if let Some(conclusion) = game.conclusion() {
        let ended = EventKind::Ended(conclusion.clone());
        events.push(told.event(1, game.latest(), Actor::Arbiter, ended));
    }
    write(told.opening(), &events)
}

/// A parsed journal: the opening, the events, and the game that they add up to.
#[derive(Clone, PartialEq, Debug)]
pub struct Journal {
    /// The opening.
    pub opening: Opening,
    /// The events.
    pub events: Vec<Event>,
    /// The game that they add up to.
    pub game: Game,
}

/// Why a journal cannot be replayed, with the part that could be.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("line {line} of the journal {fault}")]
pub struct JournalError {
    /// The first invalid line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: JournalErrorKind,
    /// The game up to there, if there is a valid opening.
    pub game: Option<Box<Game>>,
}

/// What can be wrong with a line.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum JournalErrorKind {
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error("should tell how the game began")]
    NoOpening,
    #[error("begins the game a second time")]
    SecondOpening,
    #[error("tells of something that cannot have been: {0}")]
    Impossible(ImpossibleEvent),
}

/// Replays a journal and returns its game. Blank lines are skipped.
///
/// # Errors
/// The first line that cannot be parsed or says something that cannot have happened.
pub fn replay(text: &str) -> Result<Game, JournalError> {
    read(text).map(|journal| journal.game)
}

/// Parses a journal with all its events.
///
/// # Errors
/// The first line that cannot be parsed or says something that cannot have happened.
pub fn read(text: &str) -> Result<Journal, JournalError> {
    let mut told: Option<Journal> = None;
    let mut is_old = true;
    let lines = text.lines().enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        if let Err(fault) = apply_line(&mut told, &mut is_old, line) {
            return Err(JournalError {
                line: index + 1,
                fault,
                game: told.map(|journal| Box::new(journal.game)),
            });
        }
    }
    told.ok_or(JournalError {
        line: 1,
        fault: JournalErrorKind::NoOpening,
        game: None,
    })
}

/// Parses a line that is one object.
fn read_object(line: &str) -> serde_json::Result<Map<String, Value>> {
    let mut reader = serde_json::Deserializer::from_str(line);
    let object = bounded::object(&mut reader)?;
    reader.end()?;
    Ok(object)
}

/// Applies one line. An old journal may continue in today's format, but not the other way round.
fn apply_line(
    told: &mut Option<Journal>,
    is_old: &mut bool,
    line: &str,
) -> Result<(), JournalErrorKind> {
    let object =
        read_object(line).map_err(|error| JournalErrorKind::Unreadable(error.to_string()))?;
    let starts = object.get("event").and_then(Value::as_str) == Some("started");
    *is_old &= !object.contains_key("v");
    match told {
        None if !starts => Err(JournalErrorKind::NoOpening),
        Some(_) if starts => Err(JournalErrorKind::SecondOpening),
        None => {
            let opening = match *is_old {
                true => version_0::opening(object),
                false => opening::read(object),
            };
            let opening = opening.map_err(JournalErrorKind::Unreadable)?;
            *told = Some(Journal {
                game: Game::open(opening.clone()),
                opening,
                events: Vec::new(),
            });
            Ok(())
        }
        Some(journal) => {
            let events = match *is_old {
                true => version_0::events(&journal.game, object),
                false => serde_impls::event(object).map(|event| vec![event]),
            };
            for event in events.map_err(JournalErrorKind::Unreadable)? {
                journal
                    .game
                    .evolve(&event)
                    .map_err(JournalErrorKind::Impossible)?;
                journal.events.push(event);
            }
            Ok(())
        }
    }
}
