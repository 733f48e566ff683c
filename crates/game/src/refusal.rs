//! Why a command is not granted, in one sentence that every frontend shows. A refusal is an
//! answer, not a failure: it changes nothing and costs nothing.

use touchmove_rules::{Bitboard, Color, Illegal};

use crate::{Ending, MAX_OFFERS_PER_GAME, Millis, OfferLimit};

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
    /// The player has offered or given the same as often at this ply as the limit allows.
    #[error("{}", too_often(*.who, *.what))]
    TooOften {
        /// The player.
        who: Color,
        /// What he has repeated.
        what: OfferLimit,
    },
    /// The player has made as many offers and gifts as one game keeps.
    #[error(
        "{who} has made {MAX_OFFERS_PER_GAME} offers and gifts, the most in one game: play on, or agree on \
         the rest in a new game"
    )]
    TooManyOffers {
        /// The player.
        who: Color,
    },
    /// The command is about a board or an offer that is not there any more.
    #[error(
        "too late: what this is about changed with event {seq}, and it was sent after event {seen}"
    )]
    TooLate {
        /// The last event that its sender had seen.
        seen: u64,
        /// The event that changed it.
        seq: u64,
    },
    /// The command speaks of an event that has not happened.
    #[error("event {seen} has not happened yet: the latest is event {seq}")]
    NotYetSeen {
        /// The event.
        seen: u64,
        /// The latest one.
        seq: u64,
    },
    /// Nobody sits there yet.
    #[error("{open}'s seat is still open: the game waits for a second player")]
    SeatOpen {
        /// The open seat.
        open: Color,
    },
    /// Somebody sits there.
    #[error("{who}'s seat is taken")]
    SeatTaken {
        /// The seat.
        who: Color,
    },
    /// Nobody can sit down under this name.
    #[error("a name has at most 80 characters, and none that cannot be seen")]
    BadName,
    /// The arbiter has stopped the game.
    #[error("the arbiter holds the clocks: {reason}")]
    ClocksHeld {
        /// Why.
        reason: String,
    },
    /// There is nothing to release.
    #[error("the clocks are not held")]
    ClocksNotHeld,
    /// There is no clock to put time on.
    #[error("this game is played without clocks")]
    NoClocks,
    /// The terms have no gifts of time.
    #[error("these terms do not let a player give time")]
    GiftsOff,
    /// That much cannot be given.
    #[error("a player may give from one second to ten minutes at once")]
    BadGift,
    /// The terms let a player wait for ever.
    #[error("these terms have no claim for an opponent who does not come")]
    NoShowOff,
    /// The opponent has come.
    #[error("{who} has not failed to come: the claim is for an opponent who owes the first move")]
    NoNoShow {
        /// The opponent.
        who: Color,
    },
    /// The opponent has time yet.
    #[error("{who} has {} more seconds to come", seconds(*.left))]
    NoShowNotYet {
        /// The opponent.
        who: Color,
        /// How long.
        left: Millis,
    },
    /// The terms let a player be away for ever.
    #[error("these terms have no claim for an opponent who has left")]
    AbsenceOff,
    /// The opponent is there.
    #[error("{who} is here")]
    OpponentPresent {
        /// The opponent.
        who: Color,
    },
    /// The opponent has time yet to come back.
    #[error("{who} has {} more seconds to come back", seconds(*.left))]
    AbsenceNotYet {
        /// The opponent.
        who: Color,
        /// How long.
        left: Millis,
    },
    /// Both sides have moved: the game can only be resigned or drawn.
    #[error("both sides have moved: the game can be resigned or drawn, but not aborted")]
    TooLateToAbort,
}

impl Refusal {
    /// The squares that it is about, for pointing at them.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        match self {
            Refusal::Illegal(illegal) => illegal.squares(),
            _ => Bitboard::EMPTY,
        }
    }

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
