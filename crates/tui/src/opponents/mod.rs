//! Computer opponents and the coach: who they are, what they are asked, and the threads on which they think. All
//! modes of the terminal share this; the game crate decides about moves and endings.

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

/// Options of computers and hints.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComputerOptions {
    /// The UCI engines in the configuration.
    pub engines: Vec<EngineProgram>,
    /// Whether two people who play each other may ask for hints.
    pub hints: bool,
    /// Whether computers play on in hopeless positions instead of resigning.
    pub plays_on: bool,
    /// The random seed of the computers; without it each game gets another.
    pub seed: Option<u64>,
}

impl ComputerOptions {
    /// The configured seed, or a random one.
    #[must_use]
    pub fn seed_or_random(&self) -> u64 {
        let lot = || RandomState::new().build_hasher().finish();
        self.seed.unwrap_or_else(lot)
    }
}

/// The refusal of a hint in a game between people who have not agreed to hints.
pub(crate) const NO_HELP_TEXT: &str =
    "Nobody is helped in a game between two people, unless both agree: play --hints.";
/// The refusal of a hint in a network game.
pub(crate) const NO_HELP_ONLINE_TEXT: &str = "Nobody is helped in games on the network.";
