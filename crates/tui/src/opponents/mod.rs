//! Computers at the table and a coach beside it: who they are, what they are asked, and the threads on which
//! they think. All modes of the terminal share this; what a move is, and when a game is over, is the game's
//! business.

mod coach_thread;
mod computer_seats;
mod opponent_thread;
mod player_spec;
mod review_text;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

pub(crate) use coach_thread::CoachThread;
pub use coach_thread::{CoachAnswer, CoachQuestion, CoachReply, CoachRequest, hint, threat};
pub use computer_seats::{
    ComputerAnswer, ComputerReply, ComputerSeats, ComputerTask, NextStep, ReplyEffect, TaskKind,
};
pub(crate) use opponent_thread::OpponentThread;
pub use opponent_thread::{ENGINE_TIMEOUTS, start};
pub use player_spec::{ComputerSpec, EngineProgram};
pub use review_text::{graph, review_text};

/// What the players have agreed on about computers and help.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComputerOptions {
    /// The programs that are known here.
    pub engines: Vec<EngineProgram>,
    /// Whether people who play each other may ask for hints.
    pub hints: bool,
    /// Whether computers play hopeless games to their end.
    pub plays_on: bool,
    /// What computers draw their lots by; a new number for each game, if it is not said.
    pub seed: Option<u64>,
}

impl ComputerOptions {
    /// What computers draw their lots by: the seed that was said, or a number that nobody knows.
    #[must_use]
    pub fn seed_or_random(&self) -> u64 {
        let lot = || RandomState::new().build_hasher().finish();
        self.seed.unwrap_or_else(lot)
    }
}

/// Said to whoever asks for help in a game between people who have not agreed to it.
pub(crate) const NO_HELP_TEXT: &str =
    "Nobody is helped in a game between two people, unless both agree: play --hints.";
/// The same on the network.
pub(crate) const NO_HELP_ONLINE_TEXT: &str = "Nobody is helped in games on the network.";
