//! A game of chess as one pure state machine. Commands go in, events come out, and the game is
//! the fold of its events; nothing here reads a clock, a file or a terminal.
//!
//! - [`Game::decide`] says what follows from a [`Command`]: [`Event`]s or a [`Refusal`].
//! - [`Game::evolve`] makes an event part of the game.
//! - [`Game::tick`] and [`Game::deadline`] are the only talk of time.
//! - [`Game::submit`] does all of it in the right order, for frontends.

pub mod arbiter;
mod clock;
mod command;
mod decide;
mod event;
pub mod explain;
mod game;
pub mod journal;
mod refusal;
mod resume;
pub mod scoresheet;
mod terms;
mod verdict;

pub use clock::Clocks;
pub use command::Command;
pub use decide::Answer;
pub use event::{Deed, Event};
pub use game::{Claimed, Game, Ply};
pub use refusal::Refusal;
pub use resume::{ResumeError, resume};
pub use terms::{DeadLaw, Draws, FlagLaw, ParseTermError, Players, Terms};
pub use touchmove_pgn::{Millis, Pace, ParseTimeControlError, Stage, TimeControl, Timestamp};
pub use touchmove_rules::{Claim, Draw, Ending, Victory, Void};
pub use touchmove_winnability::Budget;
pub use verdict::{OverSince, Verdict};
