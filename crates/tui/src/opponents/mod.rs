//! Computers at the table and a coach beside it: who they are, what they are asked, and the threads on which
//! they think. All modes of the terminal share this; what a move is, and when a game is over, is the game's
//! business.

mod coach_thread;
mod computer_seats;
mod opponent_thread;
mod player_spec;
mod review_text;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

pub(crate) use coach_thread::Coach;
pub use coach_thread::{Advice, Advised, Inquiry, Wanted, hint, threat};
pub use computer_seats::{Consequence, Due, Matter, Reply, Rivals, Said, Task};
pub(crate) use opponent_thread::Sparring;
pub use opponent_thread::{PATIENCE, start};
pub use player_spec::{Contestant, Program};
pub use review_text::{graph, story};

/// What the players have agreed on about computers and help.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Customs {
    /// The programs that are known here.
    pub engines: Vec<Program>,
    /// Whether people who play each other may ask for hints.
    pub hints: bool,
    /// Whether computers play hopeless games to their end.
    pub plays_on: bool,
    /// What computers draw their lots by; a new number for each game, if it is not said.
    pub seed: Option<u64>,
}

impl Customs {
    /// What computers draw their lots by: the seed that was said, or a number that nobody knows.
    #[must_use]
    pub fn seed_or_lot(&self) -> u64 {
        let lot = || RandomState::new().build_hasher().finish();
        self.seed.unwrap_or_else(lot)
    }
}

/// Said to whoever asks for help in a game between people who have not agreed to it.
pub(crate) const BETWEEN_PEOPLE: &str =
    "Nobody is helped in a game between two people, unless both agree: play --hints.";
/// The same on the network.
pub(crate) const ON_THE_NETWORK: &str = "Nobody is helped in games on the network.";
