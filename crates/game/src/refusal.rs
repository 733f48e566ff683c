//! [`Refusal`]: why a command is not granted, with one sentence that every frontend shows. A refusal is an
//! answer, not a failure: it changes nothing and costs nothing.

use touchmove_rules::{Bitboard, Color, Illegal};

use crate::{Ending, MAX_OFFERS_PER_GAME, Millis, OfferLimit};

/// Why a command is not granted.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
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
    /// The move is illegal.
    #[error("{0}")]
    Illegal(Illegal),
    /// Each side must have moved before a draw may be offered.
    #[error("a draw may be offered only after each side has made a move")]
    DrawOfferTooEarly,
    /// The player's own offer is still open.
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
    /// The terms have no draw claims: draws are automatic.
    #[error("there is nothing to claim: under these terms the draw comes by itself")]
    ClaimNeedless,
    /// Only the player on move may claim.
    #[error("only the player on move may claim a draw, and that is {}", !*.who)]
    ClaimOffTurn {
        /// The player who tried.
        who: Color,
    },
    /// The claim is not right.
    #[error("{}", unfounded(*.repetitions, *.quiet_plies, .announced.as_deref()))]
    ClaimUnfounded {
        /// How often the claimed position has occurred.
        repetitions: usize,
        /// Plies without a capture or a pawn move.
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
    /// A takeback is already being asked for.
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
    /// The player has reached the limit of such offers or gifts at this ply.
    #[error("{}", too_often(*.who, *.what))]
    TooOften {
        /// The player.
        who: Color,
        /// What was repeated.
        what: OfferLimit,
    },
    /// The player has reached the limit of offers and gifts in one game.
    #[error(
        "{who} has made {MAX_OFFERS_PER_GAME} offers and gifts, the most in one game: play on, or agree on \
         the rest in a new game"
    )]
    TooManyOffers {
        /// The player.
        who: Color,
    },
    /// The board or the offer that the command is about has changed.
    #[error(
        "too late: what this is about changed with event {seq}, and it was sent after event {seen}"
    )]
    TooLate {
        /// The last event that its sender had seen.
        seen: u64,
        /// The event that changed it.
        seq: u64,
    },
    /// The command has seen an event that has not happened.
    #[error("event {seen} has not happened yet: the latest is event {seq}")]
    NotYetSeen {
        /// The event it says it has seen.
        seen: u64,
        /// The latest event.
        seq: u64,
    },
    /// A seat is still open.
    #[error("{open}'s seat is still open: the game waits for a second player")]
    SeatOpen {
        /// The open seat.
        open: Color,
    },
    /// The seat is taken.
    #[error("{who}'s seat is taken")]
    SeatTaken {
        /// The seat.
        who: Color,
    },
    /// The name is not allowed.
    #[error("a name has at most 80 characters, and none that cannot be seen")]
    BadName,
    /// The arbiter holds the clocks, so the game is stopped.
    #[error("the arbiter holds the clocks: {reason}")]
    ClocksHeld {
        /// Why.
        reason: String,
    },
    /// The clocks are not held.
    #[error("the clocks are not held")]
    ClocksNotHeld,
    /// The game has no clocks.
    #[error("this game is played without clocks")]
    NoClocks,
    /// The terms do not allow gifts of time.
    #[error("these terms do not let a player give time")]
    GiftsOff,
    /// The amount of time is not allowed.
    #[error("a player may give from one second to ten minutes at once")]
    BadGift,
    /// The terms have no no-show claim.
    #[error("these terms have no claim for an opponent who does not come")]
    NoShowOff,
    /// The opponent has come.
    #[error("{who} has not failed to come: the claim is for an opponent who owes the first move")]
    NoNoShow {
        /// The opponent.
        who: Color,
    },
    /// The opponent still has time to come.
    #[error("{who} has {} more seconds to come", seconds(*.left))]
    NoShowNotYet {
        /// The opponent.
        who: Color,
        /// How much.
        left: Millis,
    },
    /// The terms have no absence claim.
    #[error("these terms have no claim for an opponent who has left")]
    AbsenceOff,
    /// The opponent is connected.
    #[error("{who} is here")]
    OpponentPresent {
        /// The opponent.
        who: Color,
    },
    /// The opponent still has time to come back.
    #[error("{who} has {} more seconds to come back", seconds(*.left))]
    AbsenceNotYet {
        /// The opponent.
        who: Color,
        /// How much.
        left: Millis,
    },
    /// Both sides have moved: the game can only be resigned or drawn.
    #[error("both sides have moved: the game can be resigned or drawn, but not aborted")]
    TooLateToAbort,
}

impl Refusal {
    /// The squares that it is about, to highlight them.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        match self {
            Refusal::Illegal(illegal) => illegal.squares(),
            _ => Bitboard::EMPTY,
        }
    }

    /// The stable code for programs; for an illegal move, the code of the broken law.
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
            Refusal::TooOften { .. } => "too_often",
            Refusal::TooManyOffers { .. } => "too_many_offers",
            Refusal::TooLate { .. } => "too_late",
            Refusal::NotYetSeen { .. } => "not_yet_seen",
            Refusal::SeatOpen { .. } => "seat_open",
            Refusal::SeatTaken { .. } => "seat_taken",
            Refusal::BadName => "bad_name",
            Refusal::ClocksHeld { .. } => "clocks_held",
            Refusal::ClocksNotHeld => "clocks_not_held",
            Refusal::NoClocks => "no_clocks",
            Refusal::GiftsOff => "gifts_off",
            Refusal::BadGift => "bad_gift",
            Refusal::NoShowOff => "no_show_off",
            Refusal::NoNoShow { .. } => "no_no_show",
            Refusal::NoShowNotYet { .. } => "no_show_not_yet",
            Refusal::AbsenceOff => "absence_off",
            Refusal::OpponentPresent { .. } => "opponent_present",
            Refusal::AbsenceNotYet { .. } => "absence_not_yet",
        }
    }
}

fn seconds(time: Millis) -> String {
    format!("{}.{:03}", time.0 / 1000, time.0 % 1000)
}

fn too_often(who: Color, what: OfferLimit) -> String {
    let times = what.max_per_ply();
    match what {
        OfferLimit::Draw => format!(
            "{who} has offered a draw {times} times at this move, the most there is: it may be offered again \
             after the next move"
        ),
        OfferLimit::Takeback => format!(
            "{who} has asked to take back {times} times at this move, the most there is: play on; the next \
             move may be taken back again"
        ),
        OfferLimit::Gift => format!(
            "{who} has given time {times} times at this move, the most there is: more may be given after the \
             next move"
        ),
    }
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
