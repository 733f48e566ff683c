//! What has happened in a game. Events are the truth that is kept; how they are written down is
//! the [journal](crate::journal)'s business.

use touchmove_rules::{Color, Move};

use crate::{Claim, Ending, Timestamp};

/// Something that happened, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// The moment it happened; a flag falls at its deadline, whenever somebody looks.
    pub at: Timestamp,
    /// What happened.
    pub deed: Deed,
}

/// What can happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// The player on move played this.
    Moved(Move),
    /// A draw was offered.
    DrawOffered {
        /// By this player.
        by: Color,
    },
    /// An offered draw was declined, in words or by playing on.
    DrawDeclined {
        /// By this player.
        by: Color,
    },
    /// A draw was claimed, rightly.
    DrawClaimed {
        /// By this player.
        by: Color,
        /// For this reason.
        claim: Claim,
        /// With this announced move, which is not played.
        announced: Option<Move>,
    },
    /// A player asked to take back.
    TakebackOffered {
        /// This player.
        by: Color,
    },
    /// A takeback was declined, in words or by playing on.
    TakebackDeclined {
        /// By this player.
        by: Color,
    },
    /// A player who had asked to take back played on instead.
    TakebackWithdrawn {
        /// This player.
        by: Color,
    },
    /// The last plies were taken back, and the clocks with them.
    TakenBack {
        /// How many.
        plies: usize,
    },
    /// The game ended.
    Ended(Ending),
}
