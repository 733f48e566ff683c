//! What is said beside a game. Who may say what is the caller's business.

use crate::{GameId, Moment, PersonId};

/// Where something is said.
///
/// ```
/// use touchmove_store::ChatRoom;
///
/// assert_ne!(ChatRoom::Players, ChatRoom::Spectators);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChatRoom {
    /// Between the players.
    Players,
    /// Among those who watch.
    Spectators,
}

/// A line that somebody says.
///
/// ```
/// use touchmove_store::{Moment, NewChatLine, ChatRoom};
///
/// let line = NewChatLine {
///     game: "q7LmZx04".parse()?,
///     room: ChatRoom::Players,
///     at: Moment(1_000),
///     name: "Anna".to_owned(),
///     person: None,
///     text: "good luck".to_owned(),
/// };
/// # let _ = line;
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewChatLine {
    /// Beside which game.
    pub game: GameId,
    /// In which room.
    pub room: ChatRoom,
    /// When.
    pub at: Moment,
    /// What the speaker is called.
    pub name: String,
    /// Who it is, if he has an account.
    pub person: Option<PersonId>,
    /// What is said.
    pub text: String,
}

/// A line as it was said.
///
/// ```
/// use touchmove_store::{ChatLine, Moment};
///
/// let line = ChatLine {
///     number: 1,
///     at: Moment(1_000),
///     name: "Anna".to_owned(),
///     person: None,
///     text: "good luck".to_owned(),
/// };
/// assert_eq!(line.number, 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChatLine {
    /// Its number in its room, from 1.
    pub number: u64,
    /// When.
    pub at: Moment,
    /// What the speaker is called.
    pub name: String,
    /// Who it is, if he has an account.
    pub person: Option<PersonId>,
    /// What was said.
    pub text: String,
}
