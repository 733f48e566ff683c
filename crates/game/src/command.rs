//! Commands of players, and how they are submitted to the game. [`Game::decide`](crate::Game::decide) grants
//! or refuses them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use touchmove_rules::{Color, UciMove};

use crate::{Millis, Timestamp, serde_impls};

/// A command of a player.
///
/// ```
/// use touchmove_game::Command;
/// let command: Command = serde_json::from_str(r#"{"command":"move","move":"e2e4"}"#).unwrap();
/// assert!(matches!(command, Command::Move { .. }));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(
    remote = "Self",
    tag = "command",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum Command {
    /// Take the player's open seat.
    Sit {
        /// The name to sit down under.
        name: String,
    },
    /// Play a move.
    Move {
        /// The move.
        #[serde(rename = "move", with = "serde_impls::uci")]
        attempt: UciMove,
    },
    /// Offer a draw, or accept the opponent's offer.
    OfferDraw,
    /// Accept the opponent's draw offer.
    AcceptDraw,
    /// Decline the opponent's draw offer.
    DeclineDraw,
    /// Claim a draw by repetition or the fifty-move rule: as the position stands, or because the
    /// announced move would bring the claimed position about (FIDE 9.2, 9.3).
    ClaimDraw {
        /// The announced move.
        #[serde(default, with = "serde_impls::maybe_uci")]
        announced: Option<UciMove>,
    },
    /// Resign, on move or not (FIDE 5.1.2).
    Resign,
    /// Ask for a takeback of the player's own last move, and of the reply to it if there is one.
    OfferTakeback,
    /// Accept the opponent's takeback.
    AcceptTakeback,
    /// Decline the opponent's takeback.
    DeclineTakeback,
    /// Abort the game before both sides have moved.
    Abort,
    /// Give the opponent time.
    GiveTime {
        /// How much.
        time: Millis,
    },
    /// Claim a win because the opponent did not come to the first move (FIDE 6.7).
    ClaimNoShow,
    /// Claim a win, or a draw, because the opponent has left.
    ClaimAbsence {
        /// Claim only a draw.
        draw: bool,
    },
}

impl Command {
    /// Whether the command has fields.
    pub(crate) const fn has_fields(&self) -> bool {
        matches!(
            self,
            Command::Sit { .. }
                | Command::Move { .. }
                | Command::ClaimDraw { .. }
                | Command::GiveTime { .. }
                | Command::ClaimAbsence { .. }
        )
    }
}

impl From<UciMove> for Command {
    fn from(attempt: UciMove) -> Command {
        Command::Move { attempt }
    }
}

/// The id that the sender gives a command, so that a repeat is recognised: 1 to 64 letters, digits, `-`, `_`,
/// `.` or `:`.
///
/// ```
/// use touchmove_game::CommandId;
/// assert!("7f3a-12".parse::<CommandId>().is_ok());
/// assert!("a b".parse::<CommandId>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CommandId(String);

/// A text that is not a valid command id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a command's id is 1 to 64 letters, digits, '-', '_', '.' or ':'")]
pub struct ParseCommandIdError;

impl TryFrom<String> for CommandId {
    type Error = ParseCommandIdError;

    fn try_from(text: String) -> Result<CommandId, ParseCommandIdError> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        match (1..=64).contains(&text.len()) && text.bytes().all(fits) {
            true => Ok(CommandId(text)),
            false => Err(ParseCommandIdError),
        }
    }
}

impl From<CommandId> for String {
    fn from(id: CommandId) -> String {
        id.0
    }
}

impl FromStr for CommandId {
    type Err = ParseCommandIdError;

    fn from_str(text: &str) -> Result<CommandId, ParseCommandIdError> {
        CommandId::try_from(text.to_owned())
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A command as its sender writes it: with its id and the last event that the sender has seen. The player and
/// the time are not in it; the server adds them.
///
/// ```
/// use touchmove_game::{Command, CommandEnvelope};
///
/// let line = r#"{"v":1,"id":"m7","seen":12,"command":"resign"}"#;
/// let sent: CommandEnvelope = serde_json::from_str(line).unwrap();
/// assert_eq!((&sent.command, sent.seen), (&Command::Resign, Some(12)));
/// assert_eq!(serde_json::to_string(&sent).unwrap(), line);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CommandEnvelope {
    /// The command.
    pub command: Command,
    /// The sender's id for it.
    pub id: Option<CommandId>,
    /// The number of the last event that the sender has seen.
    pub seen: Option<u64>,
}

impl CommandEnvelope {
    /// The submission of this command by a player at a moment.
    #[must_use]
    pub fn into_submission(self, by: Color, at: Timestamp) -> Submission {
        Submission {
            id: self.id,
            seen: self.seen,
            ..Submission::new(at, by, self.command)
        }
    }
}

/// A submitted command: with its player, its time and what the server measured. Only the command, its id and
/// `seen` come from the player; the server sets everything else.
///
/// ```
/// use touchmove_game::{Command, Submission, Timestamp};
/// use touchmove_rules::Color;
///
/// let request = Submission::new(Timestamp(5_000), Color::White, Command::Resign);
/// assert_eq!(request.by, Color::White);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Submission {
    /// When it arrived.
    pub at: Timestamp,
    /// The player who sent it.
    pub by: Color,
    /// The command.
    pub command: Command,
    /// The sender's id for it; the same id again is a repeat of the same command.
    pub id: Option<CommandId>,
    /// The last event that the sender had seen. A command about a board or an offer that has changed since is
    /// refused as too late.
    pub seen: Option<u64>,
    /// The lag of the move, as the server measured it.
    pub lag: Millis,
    /// Since when the opponent has been disconnected, as the server saw it.
    pub opponent_away: Option<Timestamp>,
}

impl Submission {
    /// A submission with an empty id and no further data.
    #[must_use]
    pub const fn new(at: Timestamp, by: Color, command: Command) -> Submission {
        Submission {
            at,
            by,
            command,
            id: None,
            seen: None,
            lag: Millis::ZERO,
            opponent_away: None,
        }
    }
}

/// What the arbiter does unasked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArbiterAction {
    /// Hold the clocks: nobody's time is spent until they are released.
    Hold {
        /// Why, in words.
        reason: String,
    },
    /// Release the clocks.
    Release,
    /// Give a player time.
    GiveTime {
        /// The player.
        to: Color,
        /// How much.
        time: Millis,
    },
    /// Declare the game lost by a player who broke the terms.
    Forfeit {
        /// The player.
        player: Color,
        /// Why, in words.
        reason: String,
    },
    /// Abort the game without a result.
    Abort {
        /// Why, in words.
        reason: String,
    },
}
