//! Why an event cannot be applied to a game: the only error of the fold. Events that the laws would not have
//! granted but that may have been recorded are found by the [audit](crate::journal::audit).

use touchmove_rules::UciMove;

/// An event that cannot have happened in the game as it stood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {seq} ({event}) cannot have happened: {misfit}")]
pub struct ImpossibleEvent {
    /// The event's number.
    pub seq: u64,
    /// Its name.
    pub event: &'static str,
    /// Why it cannot have happened.
    pub misfit: ReplayError,
}

/// Why an event cannot be applied.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// Its number is not the next one.
    #[error("event {expected} comes next")]
    OutOfTurn {
        /// The number that comes next.
        expected: u64,
    },
    /// The game is over.
    #[error("the game had ended")]
    Over,
    /// Its time is before the latest event.
    #[error("it goes back in time")]
    Backwards,
    /// The clocks are held, a flag has fallen, or a draw has been claimed.
    #[error("the game was stopped")]
    Stopped,
    /// This actor cannot cause it.
    #[error("it was not for them to do it")]
    WrongPlayer,
    /// The move is not legal.
    #[error("{0} is not a legal move")]
    Illegal(UciMove),
    /// The seat is open.
    #[error("a seat was still open")]
    SeatOpen,
    /// The seat is taken.
    #[error("the seat was taken")]
    SeatTaken,
    /// There is no offer of the other player.
    #[error("nothing of the kind was offered")]
    NoOffer,
    /// An offer is already open.
    #[error("it was offered already")]
    OfferedTwice,
    /// The number of plies to take back is zero or more than were played.
    #[error("there were not so many plies to take back")]
    TooManyPlies,
    /// The game has no clocks.
    #[error("no such clock ran")]
    NoClocks,
    /// The clocks are not held.
    #[error("the clocks were not held")]
    NotHeld,
}
