//! Offers to play: open ones for whoever comes first, and challenges to somebody. Who may take which is
//! the caller's business; that one is taken only once is decided here.

use crate::{GameId, Holder, Moment, NewGame, OfferId, PersonId};

/// An offer to play.
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
    /// Who offers.
    pub by: Holder,
    /// What he is called.
    pub name: String,
    /// Whom he challenges; `None` for whoever comes first.
    pub to: Option<PersonId>,
    /// What would be played.
    pub terms: String,
    /// Since when.
    pub created: Moment,
    /// Until when it can be taken.
    pub expires: Option<Moment>,
    /// What became of it.
    pub status: OfferStatus,
}

impl Offer {
    /// Whether it can be taken at this moment.
    #[must_use]
    pub fn is_open_at(&self, now: Moment) -> bool {
        self.status == OfferStatus::Open && self.expires.is_none_or(|expires| now < expires)
    }
}

/// What became of an offer.
///
/// ```
/// use touchmove_store::OfferStatus;
///
/// let declined = OfferStatus::Declined { reason: "later".to_owned() };
/// assert_ne!(declined, OfferStatus::Open);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OfferStatus {
    /// Nothing yet.
    Open,
    /// It was taken, and this is the game.
    Taken {
        /// The game.
        game: GameId,
    },
    /// It was declined.
    Declined {
        /// Why.
        reason: String,
    },
    /// Who offered has changed his mind.
    Cancelled,
}

/// The answer to a new offer.
///
/// ```
/// use touchmove_store::MakeOfferResult;
///
/// assert_ne!(MakeOfferResult::Written, MakeOfferResult::IdTaken);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MakeOfferResult {
    /// It is kept.
    Written,
    /// It was kept before, by the same write.
    Already,
    /// Another offer has this id: take another one.
    IdTaken,
}

/// An offer that somebody takes: the offer is taken and its game begins, or nothing happens.
///
/// ```
/// use touchmove_store::{Mark, Moment, NewGame, Seats, GameSummary, TakeOffer};
///
/// let take = TakeOffer {
///     offer: "AbCdEfGh".parse()?,
///     now: Moment(2_000),
///     game: NewGame {
///         id: "AbCdEfGh".parse()?,
///         mark: Mark(1),
///         created: Moment(2_000),
///         opening: "started".to_owned(),
///         summary: GameSummary::of("chess", "lobby"),
///         seats: Seats::default(),
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
    /// When: one that has expired cannot be taken.
    pub now: Moment,
    /// The game that comes of it.
    pub game: NewGame,
}

/// The answer to taking an offer.
///
/// ```
/// use touchmove_store::TakeOfferResult;
///
/// assert_ne!(TakeOfferResult::Written, TakeOfferResult::NoOffer);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TakeOfferResult {
    /// The offer is taken and the game is kept.
    Written,
    /// So it was before, by the same write.
    Already,
    /// It can no longer be taken; this is what became of it. It is still called open if it has expired.
    Gone(Offer),
    /// Another game has the id of the new one: take another one.
    IdTaken,
    /// There is no such offer.
    NoOffer,
}

/// An offer that comes to nothing.
///
/// ```
/// use touchmove_store::CloseOffer;
///
/// assert_ne!(CloseOffer::Cancel, CloseOffer::Decline { reason: String::new() });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CloseOffer {
    /// Who was challenged says no.
    Decline {
        /// Why.
        reason: String,
    },
    /// Who offered has changed his mind.
    Cancel,
}

/// The answer to declining or cancelling an offer.
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
    /// It was closed before in the same way.
    Already,
    /// Something else became of it before.
    Gone(Offer),
    /// There is no such offer.
    NoOffer,
}
