//! Offers to play: seeks, which anybody may take, and challenges to one person. The caller decides who may take
//! which; the store makes sure that an offer is taken only once.

use crate::{GameId, Holder, Moment, NewGame, OfferId, PersonId};

/// An offer to play: a seek or a challenge.
///
/// ```
/// use touchmove_store::{Digest, Holder, Moment, Offer, OfferStatus};
///
/// let seek = Offer {
///     id: "AbCdEfGh".parse()?,
///     by: Holder::Guest(Digest([1; 32])),
///     name: "Anna".to_owned(),
///     to: None,
///     terms: r#"{"variant":"chess","time":"5+3"}"#.to_owned(),
///     created: Moment(1_000),
///     expires: Some(Moment(61_000)),
///     status: OfferStatus::Open,
/// };
/// assert!(seek.is_open_at(Moment(2_000)) && !seek.is_open_at(Moment(61_000)));
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Its id.
    pub id: OfferId,
    /// Who made it.
    pub by: Holder,
    /// The name of who made it.
    pub name: String,
    /// The person challenged; `None` for a seek.
    pub to: Option<PersonId>,
    /// The terms of the game, in the caller's format.
    pub terms: String,
    /// When it was made.
    pub created: Moment,
    /// When it expires, if it does.
    pub expires: Option<Moment>,
    /// Its status.
    pub status: OfferStatus,
}

impl Offer {
    /// Whether it is open and not expired at this moment.
    #[must_use]
    pub fn is_open_at(&self, now: Moment) -> bool {
        self.status == OfferStatus::Open && self.expires.is_none_or(|expires| now < expires)
    }
}

/// The status of an offer.
///
/// ```
/// use touchmove_store::OfferStatus;
///
/// let declined = OfferStatus::Declined { reason: "later".to_owned() };
/// assert_ne!(declined, OfferStatus::Open);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OfferStatus {
    /// It can be taken, unless it has expired.
    Open,
    /// It was taken.
    Taken {
        /// The game that was created for it.
        game: GameId,
    },
    /// It was declined.
    Declined {
        /// The reason given.
        reason: String,
    },
    /// It was cancelled by who made it.
    Cancelled,
}

/// The result of creating an offer.
///
/// ```
/// use touchmove_store::MakeOfferResult;
///
/// assert_ne!(MakeOfferResult::Written, MakeOfferResult::IdTaken);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MakeOfferResult {
    /// The offer is stored.
    Written,
    /// The same write stored it before.
    Already,
    /// Another offer has this id: retry with another one.
    IdTaken,
}

/// Takes an offer and creates its game; either both are done, or nothing.
///
/// ```
/// use touchmove_store::{WriteId, Moment, NewGame, SeatHolders, GameSummary, TakeOffer};
///
/// let take = TakeOffer {
///     offer: "AbCdEfGh".parse()?,
///     now: Moment(2_000),
///     game: NewGame {
///         id: "AbCdEfGh".parse()?,
///         mark: WriteId(1),
///         created: Moment(2_000),
///         opening: "started".to_owned(),
///         summary: GameSummary::of("chess", "lobby"),
///         seats: SeatHolders::default(),
///         due: None,
///     },
/// };
/// # let _ = take;
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakeOffer {
    /// The offer.
    pub offer: OfferId,
    /// The current time: an expired offer cannot be taken.
    pub now: Moment,
    /// The new game.
    pub game: NewGame,
}

/// The result of taking an offer.
///
/// ```
/// use touchmove_store::TakeOfferResult;
///
/// assert_ne!(TakeOfferResult::Written, TakeOfferResult::NoOffer);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TakeOfferResult {
    /// The offer is taken and its game is created.
    Written,
    /// The same write took it before.
    Already,
    /// It can no longer be taken; this is the offer with its status, which is still open if it has expired.
    Gone(Offer),
    /// Another game has the id of the new one: retry with another one.
    IdTaken,
    /// There is no such offer.
    NoOffer,
}

/// How an offer is closed without a game.
///
/// ```
/// use touchmove_store::CloseOffer;
///
/// assert_ne!(CloseOffer::Cancel, CloseOffer::Decline { reason: String::new() });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CloseOffer {
    /// The person challenged declines.
    Decline {
        /// The reason given.
        reason: String,
    },
    /// The offer is withdrawn by who made it.
    Cancel,
}

/// The result of declining or cancelling an offer.
///
/// ```
/// use touchmove_store::CloseOfferResult;
///
/// assert_ne!(CloseOfferResult::Written, CloseOfferResult::NoOffer);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CloseOfferResult {
    /// It is closed.
    Written,
    /// It was closed in the same way before.
    Already,
    /// It was taken or closed in another way before; this is the offer with its status.
    Gone(Offer),
    /// There is no such offer.
    NoOffer,
}
