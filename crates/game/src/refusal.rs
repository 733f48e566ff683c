//! Why a command is not granted, in one sentence that every frontend shows. A refusal is an
//! answer, not a failure: it changes nothing and costs nothing.

use touchmove_rules::{Color, Illegal};

use crate::{Ending, Millis};

/// Why a command is not granted.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Over is over.
    #[error("the game is over: {0}")]
    GameOver(Ending),
    /// The command came after the flag had fallen.
    #[error("too late: {player}'s flag fell {} seconds ago", seconds(*.late))]
    FlagFallen {
        /// The player whose time ran out.
        player: Color,
        /// How long ago.
        late: Millis,
    },
    /// Only the player on move may move.
    #[error("it is not {who}'s turn: {} is to move", !*.who)]
    NotYourTurn {
        /// The player who tried.
        who: Color,
    },
    /// The laws do not allow the move.
    #[error("{0}")]
    Illegal(Illegal),
    /// Each side must have moved before a draw may be offered.
    #[error("a draw may be offered only after each side has made a move")]
    DrawOfferTooEarly,
    /// The player's own offer still stands.
    #[error("{who} has already offered a draw; it is for {} to answer", !*.who)]
    DrawAlreadyOffered {
        /// The player who offered.
        who: Color,
    },
    /// There is no draw offer to answer.
    #[error("{} has not offered a draw", !*.who)]
    NoDrawOffer {
        /// The player who wanted to answer.
        who: Color,
    },
    /// Draws need not be claimed under these terms.
    #[error("there is nothing to claim: under these terms the draw comes by itself")]
    ClaimNeedless,
    /// Only the player on move may claim.
    #[error("only the player on move may claim a draw, and that is {}", !*.who)]
    ClaimOffTurn {
        /// The player who tried.
        who: Color,
    },
    /// The claim is wrong.
    #[error("{}", unfounded(*.repetitions, *.quiet_plies, .announced.as_deref()))]
    ClaimUnfounded {
        /// How often the claimed position has come.
        repetitions: usize,
        /// Plies without a capture or a pawn's move.
        quiet_plies: u32,
        /// The announced move in SAN, if the claim was about the position after it.
        announced: Option<String>,
    },
    /// The terms have no takebacks.
    #[error("these terms have no takebacks")]
    TakebacksOff,
    /// The player has not moved yet.
    #[error("{who} has made no move that could be taken back")]
    NothingToTakeBack {
        /// The player who asked.
        who: Color,
    },
    /// Somebody has already asked to take back.
    #[error("{by} has already asked to take back; it is for {} to answer", !*.by)]
    TakebackAlreadyOffered {
        /// The player who asked first.
        by: Color,
    },
    /// There is no takeback to answer.
    #[error("{} has not asked to take back", !*.who)]
    NoTakebackOffer {
        /// The player who wanted to answer.
        who: Color,
    },
    /// Both sides have moved: the game can only be resigned or drawn.
    #[error("both sides have moved: the game can be resigned or drawn, but not aborted")]
    TooLateToAbort,
}

impl Refusal {
    /// The name that programs know the refusal by; for an illegal move, that of the broken law.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::GameOver(_) => "game_over",
            Refusal::FlagFallen { .. } => "flag_fallen",
            Refusal::NotYourTurn { .. } => "not_your_turn",
            Refusal::Illegal(illegal) => illegal.code(),
            Refusal::DrawOfferTooEarly => "draw_offer_too_early",
            Refusal::DrawAlreadyOffered { .. } => "draw_already_offered",
            Refusal::NoDrawOffer { .. } => "no_draw_offer",
            Refusal::ClaimNeedless => "claim_needless",
            Refusal::ClaimOffTurn { .. } => "claim_off_turn",
            Refusal::ClaimUnfounded { .. } => "claim_unfounded",
            Refusal::TakebacksOff => "takebacks_off",
            Refusal::NothingToTakeBack { .. } => "nothing_to_take_back",
            Refusal::TakebackAlreadyOffered { .. } => "takeback_already_offered",
            Refusal::NoTakebackOffer { .. } => "no_takeback_offer",
            Refusal::TooLateToAbort => "too_late_to_abort",
        }
    }
}

fn seconds(time: Millis) -> String {
    format!("{}.{:03}", time.0 / 1000, time.0 % 1000)
}

fn unfounded(repetitions: usize, quiet_plies: u32, announced: Option<&str>) -> String {
    let (where_, verb) = match announced {
        None => ("the position on the board".to_owned(), "has come"),
        Some(san) => (format!("the position after {san}"), "would have come"),
    };
    let times = if repetitions == 1 {
        "once".to_owned()
    } else {
        format!("{repetitions} times")
    };
    format!(
        "the claim is wrong: {where_} {verb} {times}, not three, and {} of the 50 moves by each \
         side without a capture or a pawn's move have been made",
        quiet_plies / 2
    )
}
