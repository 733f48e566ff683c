//! What has happened in a game. Events are the truth that is kept, each with its number, its moment and
//! whoever brought it about; how a file of them is read is the [journal](crate::journal)'s business.

use serde::{Deserialize, Serialize};
use touchmove_rules::{Color, UciMove};

use crate::{CommandId, Conclusion, DrawClaim, Millis, Timestamp, serde_impls};

/// Something that happened.
///
/// ```
/// use touchmove_game::{Actor, Event};
///
/// let line = r#"{"v":1,"seq":3,"at":1500,"by":"white","event":"draw_offered"}"#;
/// let event: Event = serde_json::from_str(line).unwrap();
/// assert_eq!((event.seq, event.by), (3, Actor::White));
/// assert_eq!(serde_json::to_string(&event).unwrap(), line);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Its number in the game; the opening is number 0.
    pub seq: u64,
    /// The moment it happened; a flag falls at its deadline, whenever somebody looks.
    pub at: Timestamp,
    /// Who brought it about.
    pub by: Actor,
    /// The command that it followed from, if that had a name.
    pub id: Option<CommandId>,
    /// What happened.
    pub deed: EventKind,
}

/// Who brings something about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// White.
    White,
    /// Black.
    Black,
    /// The arbiter: the laws, the clock, the house.
    Arbiter,
}

impl Actor {
    /// The player, unless it was the arbiter.
    #[must_use]
    pub const fn player(self) -> Option<Color> {
        match self {
            Actor::White => Some(Color::White),
            Actor::Black => Some(Color::Black),
            Actor::Arbiter => None,
        }
    }
}

impl From<Color> for Actor {
    fn from(player: Color) -> Actor {
        match player {
            Color::White => Actor::White,
            Color::Black => Actor::Black,
        }
    }
}

/// What can happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(
    remote = "Self",
    tag = "event",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum EventKind {
    /// A player sat down.
    Seated {
        /// Under this name.
        #[serde(deserialize_with = "serde_impls::name")]
        name: String,
    },
    /// The player on move played this.
    Moved {
        /// The move.
        #[serde(rename = "move", with = "serde_impls::uci")]
        attempt: UciMove,
        /// The move in standard algebraic notation.
        #[serde(deserialize_with = "serde_impls::line")]
        san: String,
        /// What the arbiter gave back for its way.
        #[serde(default, skip_serializing_if = "serde_impls::is_zero")]
        lag: Millis,
        /// What the player's clock shows after it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<Millis>,
    },
    /// A draw was offered.
    DrawOffered,
    /// An offered draw was declined, in words or by playing on.
    DrawDeclined,
    /// A draw was claimed, rightly.
    DrawClaimed {
        /// For this reason.
        #[serde(with = "serde_impls::claim")]
        claim: DrawClaim,
        /// With this announced move, which is not played.
        #[serde(
            default,
            with = "serde_impls::maybe_uci",
            skip_serializing_if = "Option::is_none"
        )]
        announced: Option<UciMove>,
    },
    /// A player asked to take back.
    TakebackOffered,
    /// A takeback was declined, in words or by playing on.
    TakebackDeclined,
    /// A player who had asked to take back played on instead.
    TakebackWithdrawn,
    /// The last plies were taken back, and the clocks with them; the opponent allowed it.
    TakenBack {
        /// How many.
        plies: usize,
    },
    /// A player was given time.
    TimeGiven {
        /// The player.
        to: Color,
        /// So much.
        time: Millis,
    },
    /// The clocks were stopped, and with them the game.
    ClocksHeld {
        /// Why, in words.
        #[serde(deserialize_with = "serde_impls::line")]
        reason: String,
    },
    /// The clocks run on.
    ClocksReleased,
    /// A player's time ran out. The game is stopped; what that means may take a longer look.
    FlagFell {
        /// The player.
        player: Color,
    },
    /// The opponent was claimed to have left, rightly.
    AbsenceClaimed {
        /// Since when.
        since: Timestamp,
    },
    /// The game ended.
    Ended(Conclusion),
}

impl EventKind {
    /// Whether the deed says more than its name.
    pub(crate) const fn has_fields(&self) -> bool {
        !matches!(
            self,
            EventKind::DrawOffered
                | EventKind::DrawDeclined
                | EventKind::TakebackOffered
                | EventKind::TakebackDeclined
                | EventKind::TakebackWithdrawn
                | EventKind::ClocksReleased
        )
    }

    /// The name of the event, as it is written down.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            EventKind::Seated { .. } => "seated",
            EventKind::Moved { .. } => "moved",
            EventKind::DrawOffered => "draw_offered",
            EventKind::DrawDeclined => "draw_declined",
            EventKind::DrawClaimed { .. } => "draw_claimed",
            EventKind::TakebackOffered => "takeback_offered",
            EventKind::TakebackDeclined => "takeback_declined",
            EventKind::TakebackWithdrawn => "takeback_withdrawn",
            EventKind::TakenBack { .. } => "taken_back",
            EventKind::TimeGiven { .. } => "time_given",
            EventKind::ClocksHeld { .. } => "clocks_held",
            EventKind::ClocksReleased => "clocks_released",
            EventKind::FlagFell { .. } => "flag_fell",
            EventKind::AbsenceClaimed { .. } => "absence_claimed",
            EventKind::Ended(_) => "ended",
        }
    }
}
