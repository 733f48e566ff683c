//! A game of chess as one pure state machine. Commands go in, events come out, and the state is the fold of
//! the events. Nothing here reads a clock, a file or a terminal.
//!
//! - [`Game::decide`] turns a [`Command`] into [`Event`]s or a [`Refusal`].
//! - [`Game::evolve`] applies an event to the game. It trusts what was recorded.
//! - [`Game::tick`], [`Game::deadline`] and [`Game::order`] handle the clock and the arbiter's actions.
//! - [`Game::pending_analysis`] and [`Game::conclude`] handle questions that need a search: is the position
//!   dead, and what does a fallen flag mean?
//! - [`Game::submit`] does all of it in the right order, for frontends.
//!
//! It also holds what all frontends share: the serialised forms ([`journal`], [`Snapshot`]), the requests and
//! answers of programs ([`protocol`]), and the sentences ([`explain`], [`move_text`]).

mod analysis;
mod arbiter_actions;
mod bounded;
mod clock;
mod command;
mod command_log;
mod conclusion;
mod danger;
mod decide;
mod event;
mod evolve;
pub mod explain;
mod game;
mod intent;
pub mod journal;
pub mod move_text;
mod offers;
mod opening;
pub mod pgn_record;
pub mod position_status;
pub mod protocol;
mod refusal;
mod replay_error;
mod resume;
mod seat;
mod serde_impls;
mod snapshot;
mod terms;
mod time_controls;
mod verdict;

pub use analysis::{AnalysisAnswer, AnalysisKind, AnalysisQuestion, AnalysisResult};
pub use clock::Clocks;
pub use command::{
    ArbiterAction, Command, CommandEnvelope, CommandId, ParseCommandIdError, Submission,
};
pub use conclusion::{Conclusion, Grounds, kind_of};
pub use danger::Danger;
pub use decide::{Decision, MAX_NAME_CHARS, MAX_TIME_GIFT, SubmitResult};
pub use event::{Actor, Event, EventKind};
pub use game::{Game, GrantedDrawClaim, Ply};
pub use intent::{AmbiguousOfferError, Intent, OfferKind};
pub use offers::{MAX_OFFERS_PER_GAME, OfferLimit};
pub use opening::Opening;
pub use refusal::Refusal;
pub use replay_error::{ImpossibleEvent, ReplayError};
pub use resume::{ResumeError, laws_of, resume};
pub use seat::{Seat, Seats};
pub use serde_impls::FORMAT_VERSION;
pub use snapshot::Snapshot;
pub use terms::{
    ClockStart, DeadLaw, Draws, FlagLaw, LagCompensation, ParseTermError, Players, Terms,
};
pub use time_controls::TimeControls;
pub use touchmove_pgn::{Millis, MoveBonus, ParseTimeControlError, Stage, TimeControl, Timestamp};
pub use touchmove_rules::{Draw, DrawClaim, Ending, NoResult, Victory};
pub use touchmove_text::is_invisible;
pub use touchmove_winnability::{Budget, InterruptibleBudget};
pub use verdict::{OverSince, Verdict};
