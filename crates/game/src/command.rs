//! What a player can ask for, and how it comes to the game. Whether it is granted is for
//! [`Game::decide`](crate::Game::decide) to say.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use touchmove_rules::{Color, UciMove};

use crate::{Millis, Timestamp, serde_impls};

/// A wish of one of the players.
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
    /// Sit down in the player's open seat.
    Sit {
        /// Under this name.
        name: String,
    },
    /// Play this move.
    Move {
        /// The move.
        #[serde(rename = "move", with = "serde_impls::uci")]
        attempt: UciMove,
    },
    /// Offer a draw, or agree to the one that the opponent has offered.
    OfferDraw,
    /// Agree to the opponent's offer.
    AcceptDraw,
    /// Decline the opponent's offer.
    DeclineDraw,
    /// Claim a draw by repetition or the fifty-move rule: as the position stands, or because the
    /// announced move would bring the claimed position about (FIDE 9.2, 9.3).
    ClaimDraw {
        /// The move that the player means to play.
        #[serde(default, with = "serde_impls::maybe_uci")]
        announced: Option<UciMove>,
    },
    /// Give up, on turn or off it (FIDE 5.1.2).
    Resign,
    /// Ask to take back one's own last move, and the reply to it if there is one.
    OfferTakeback,
    /// Let the opponent take back.
    AcceptTakeback,
    /// Let the opponent's move stand.
    DeclineTakeback,
    /// Break off before both sides have moved.
    Abort,
    /// Give the opponent time.
    GiveTime {
        /// So much.
        time: Millis,
    },
    /// Claim the game because the opponent has not come (FIDE 6.7).
    ClaimNoShow,
    /// Claim the game, or be content with a draw, because the opponent has left.
    ClaimAbsence {
        /// Whether a draw is enough.
        draw: bool,
    },
}

impl Command {
    /// Whether the command says more than its name.
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

/// The name that whoever sends a command gives it, so that it is known when it comes again: 1 to
/// 64 letters, digits, `-`, `_`, `.` or `:`.
///
/// ```
/// use touchmove_game::CommandId;
/// assert!("7f3a-12".parse::<CommandId>().is_ok());
/// assert!("a b".parse::<CommandId>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CommandId(String);

/// A text that cannot name a command.
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

/// A command as its sender writes it down: with its name, and the last event the sender has seen. Whose
/// it is, and when it came, is not the sender's to say.
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
    /// What is asked for.
    pub command: Command,
    /// What its sender calls it.
    pub id: Option<CommandId>,
    /// The last event that its sender has seen.
    pub seen: Option<u64>,
}

impl CommandEnvelope {
    /// The request that it is, as it came from this player at this moment.
    #[must_use]
    pub fn into_submission(self, by: Color, at: Timestamp) -> Submission {
        Submission {
            id: self.id,
            seen: self.seen,
            ..Submission::new(at, by, self.command)
        }
    }
}

/// A command as it comes before the game: whose it is, when it came, and what the house knows about
/// it. The player chooses the command, its id and what he has seen; all else is the house's word.
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
    /// The moment it came.
    pub at: Timestamp,
    /// The player whose wish it is.
    pub by: Color,
    /// What is asked for.
    pub command: Command,
    /// What its sender calls it; the same id again is the same command again.
    pub id: Option<CommandId>,
    /// The last event that its sender had seen. A command about a board or an offer that is not
    /// there any more comes too late.
    pub seen: Option<u64>,
    /// How long it was on its way, as the house measured it.
    pub lag: Millis,
    /// Since when the opponent has been away, as the house saw it.
    pub opponent_away: Option<Timestamp>,
}

impl Submission {
    /// A command without anything else to say about it.
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

/// What the arbiter does of his own accord.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArbiterAction {
    /// Stop the clocks: nobody's time is spent until they are released.
    Hold {
        /// Why, in words.
        reason: String,
    },
    /// Let the clocks run on.
    Release,
    /// Give a player time.
    GiveTime {
        /// The player.
        to: Color,
        /// So much.
        time: Millis,
    },
    /// Declare the game lost by a player who broke the terms.
    Forfeit {
        /// The player.
        player: Color,
        /// Why, in words.
        reason: String,
    },
    /// Break the game off without a result.
    Abort {
        /// Why, in words.
        reason: String,
    },
}
