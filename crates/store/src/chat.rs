//! Chat beside a game. The caller decides who may say what.

use crate::{GameId, Moment, PersonId};

/// A chat room of a game.
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
    /// Among the spectators.
    Spectators,
}

/// A new line of chat.
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
    /// The game.
    pub game: GameId,
    /// The room.
    pub room: ChatRoom,
    /// When.
    pub at: Moment,
    /// The name of the speaker.
    pub name: String,
    /// The speaker's account, if there is one.
    pub person: Option<PersonId>,
    /// The text.
    pub text: String,
}

/// A stored line of chat.
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
    /// The name of the speaker.
    pub name: String,
    /// The speaker's account, if there is one.
    pub person: Option<PersonId>,
    /// The text.
    pub text: String,
}
