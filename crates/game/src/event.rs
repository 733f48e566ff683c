//! Events: what has happened in a game. They are the stored truth, each with its number, its time and its
//! actor. For files of events see [`journal`](crate::journal).

use serde::{Deserialize, Serialize};
use touchmove_rules::{Color, UciMove};

use crate::{CommandId, Conclusion, DrawClaim, Millis, Timestamp, serde_impls};

/// An event of a game.
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
    /// When it happened. A flag falls at its deadline, whenever that is noticed.
    pub at: Timestamp,
    /// Who caused it.
    pub by: Actor,
    /// The id of the command it followed from, if that had one.
    pub id: Option<CommandId>,
    /// What happened.
    pub deed: EventKind,
}

/// Who causes an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// White.
    White,
    /// Black.
    Black,
    /// The arbiter: the laws, the clocks, the server.
    Arbiter,
}

impl Actor {
    /// The player; `None` for the arbiter.
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

/// The kinds of events.
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
        /// The player's name.
        #[serde(deserialize_with = "serde_impls::name")]
        name: String,
    },
    /// The player on move played a move.
    Moved {
        /// The move.
        #[serde(rename = "move", with = "serde_impls::uci")]
        attempt: UciMove,
        /// The move in standard algebraic notation.
        #[serde(deserialize_with = "serde_impls::line")]
        san: String,
        /// Lag compensation for the move.
        #[serde(default, skip_serializing_if = "serde_impls::is_zero")]
        lag: Millis,
        /// The player's clock after the move.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<Millis>,
    },
    /// A draw was offered.
    DrawOffered,
    /// A draw offer was declined, by a command or by playing on.
    DrawDeclined,
    /// A draw was claimed, and the claim was right.
    DrawClaimed {
        /// The reason.
        #[serde(with = "serde_impls::claim")]
        claim: DrawClaim,
        /// The announced move, which is not played.
        #[serde(
            default,
            with = "serde_impls::maybe_uci",
            skip_serializing_if = "Option::is_none"
        )]
        announced: Option<UciMove>,
    },
    /// A player asked for a takeback.
    TakebackOffered,
    /// A takeback was declined, by a command or by playing on.
    TakebackDeclined,
    /// The player who had asked for a takeback played on instead.
    TakebackWithdrawn,
    /// A takeback was accepted: the last plies and their clocks are undone.
    TakenBack {
        /// How many plies.
        plies: usize,
    },
    /// A player was given time.
    TimeGiven {
        /// The player.
        to: Color,
        /// How much.
        time: Millis,
    },
    /// The arbiter held the clocks, which stops the game.
    ClocksHeld {
        /// Why, in words.
        #[serde(deserialize_with = "serde_impls::line")]
        reason: String,
    },
    /// The arbiter released the clocks.
    ClocksReleased,
    /// A player's flag fell. The game is stopped; what that means may need a search.
    FlagFell {
        /// The player.
        player: Color,
    },
    /// A player claimed that the opponent had left, and the claim was right.
    AbsenceClaimed {
        /// Since when the opponent was away.
        since: Timestamp,
    },
    /// The game ended.
    Ended(Conclusion),
}

impl EventKind {
    /// Whether the event has fields.
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

    /// The event's name in the journal.
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
