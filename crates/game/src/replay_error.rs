//! Why an event cannot be part of a game: the one error of the fold. What the laws would not have
//! granted, but may have been recorded all the same, is for the [audit](crate::journal::audit).

use touchmove_rules::UciMove;

/// An event that cannot have happened in the game as it stood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {seq} ({event}) cannot have happened: {misfit}")]
pub struct ImpossibleEvent {
    /// The event's number.
    pub seq: u64,
    /// Its name.
    pub event: &'static str,
    /// What stands against it.
    pub misfit: ReplayError,
}

/// What stands against an event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// Numbers go up one by one.
    #[error("event {expected} comes next")]
    OutOfTurn {
        /// The number that comes next.
        expected: u64,
    },
    /// Over is over.
    #[error("the game had ended")]
    Over,
    /// Time does not go back.
    #[error("it goes back in time")]
    Backwards,
    /// The clocks were held, a flag had fallen, or a draw had been claimed.
    #[error("the game was stopped")]
    Stopped,
    /// It was not for this player, or not for the arbiter, to do it.
    #[error("it was not for them to do it")]
    WrongPlayer,
    /// The move is not legal.
    #[error("{0} is not a legal move")]
    Illegal(UciMove),
    /// Nobody sits there.
    #[error("a seat was still open")]
    SeatOpen,
    /// Somebody sits there.
    #[error("the seat was taken")]
    SeatTaken,
    /// There was no offer of the other player.
    #[error("nothing of the kind was offered")]
    NoOffer,
    /// An offer stood already.
    #[error("it was offered already")]
    OfferedTwice,
    /// More plies, or none, were taken back than were played.
    #[error("there were not so many plies to take back")]
    TooManyPlies,
    /// There is no clock that could tell.
    #[error("no such clock ran")]
    NoClocks,
    /// The clocks were not held.
    #[error("the clocks were not held")]
    NotHeld,
}
