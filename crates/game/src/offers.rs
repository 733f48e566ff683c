//! Limits on offers of a draw or a takeback and on gifts of time. Each is an event that a player can cause
//! again and again without the game going on, so their number is limited: no pair of players can make a
//! journal grow for ever. Moves are never refused by these limits.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use touchmove_rules::Color;

use crate::decide::{MAX_TIME_GIFT, answerable};
use crate::{EventKind, Game, Millis, Refusal};

/// Maximum number of offers and gifts that one player may make in one game. An offer leads to four events at
/// most (itself, the answer, and two plies that are played again), so the journal of a game has at most 4,000
/// events beside its moves, whatever the players and the arbiter do.
pub const MAX_OFFERS_PER_GAME: u32 = 500;

/// What a player may repeat at the same ply, up to a limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferLimit {
    /// Offering a draw.
    Draw,
    /// Asking for a takeback.
    Takeback,
    /// Giving the opponent time.
    Gift,
}

impl OfferLimit {
    /// Maximum number for one player after the same number of plies. Plies that were taken back and played
    /// again count as the same plies.
    ///
    /// ```
    /// use touchmove_game::OfferLimit;
    /// assert_eq!(OfferLimit::Takeback.max_per_ply(), 5);
    /// ```
    #[must_use]
    pub const fn max_per_ply(self) -> u32 {
        match self {
            OfferLimit::Draw => 3,
            OfferLimit::Takeback => 5,
            OfferLimit::Gift => 20,
        }
    }
}

/// How often each player has made an offer or a gift, by the number of plies played.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct OfferCounts {
    of: BTreeMap<(Color, usize, OfferLimit), u32>,
}

impl OfferCounts {
    /// Counts one more.
    pub(crate) fn count(&mut self, by: Color, ply: usize, what: OfferLimit) {
        let times = self.of.entry((by, ply, what)).or_default();
        *times = times.saturating_add(1);
    }

    /// Refuses one more if the limit is reached.
    fn check(&self, who: Color, ply: usize, what: OfferLimit) -> Result<(), Refusal> {
        let here = self.of.get(&(who, ply, what)).copied().unwrap_or(0);
        if here >= what.max_per_ply() {
            return Err(Refusal::TooOften { who, what });
        }
        let all = self.of.range((who, 0, OfferLimit::Draw)..);
        let own = all.take_while(|((by, ..), _)| *by == who);
        match own.map(|(_, times)| *times).sum::<u32>() {
            0..MAX_OFFERS_PER_GAME => Ok(()),
            MAX_OFFERS_PER_GAME.. => Err(Refusal::TooManyOffers { who }),
        }
    }

    /// All counts in order.
    pub(crate) fn listed(&self) -> Vec<(Color, usize, OfferLimit, u32)> {
        let of = self.of.iter();
        of.map(|(&(by, ply, what), &times)| (by, ply, what, times))
            .collect()
    }
}

impl FromIterator<(Color, usize, OfferLimit, u32)> for OfferCounts {
    fn from_iter<T: IntoIterator<Item = (Color, usize, OfferLimit, u32)>>(counts: T) -> Self {
        let of = counts.into_iter();
        OfferCounts {
            of: of
                .map(|(by, ply, what, times)| ((by, ply, what), times))
                .collect(),
        }
    }
}

impl Game {
    /// Refuses one more offer or gift in the current position if a limit is reached.
    fn check_offer_limit(&self, who: Color, what: OfferLimit) -> Result<(), Refusal> {
        self.offers.check(who, self.plies().len(), what)
    }

    /// Decides a draw offer (FIDE 9.1.1, with the usual tournament rule that each side moves first). An offer
    /// that meets the opponent's offer is agreement.
    pub(crate) fn decide_draw_offer(&self, who: Color) -> Result<EventKind, Refusal> {
        match self.draw_offer() {
            Some(by) if by == who => Err(Refusal::DrawAlreadyOffered { who }),
            Some(_) => Ok(self.agreed()),
            None if self.plies().len() < 2 => Err(Refusal::DrawOfferTooEarly),
            None => {
                self.in_play()?;
                self.check_offer_limit(who, OfferLimit::Draw)?;
                Ok(EventKind::DrawOffered)
            }
        }
    }

    pub(crate) fn decide_takeback_offer(&self, who: Color) -> Result<EventKind, Refusal> {
        if !self.terms().takebacks {
            return Err(Refusal::TakebacksOff);
        }
        if let Some(by) = self.takeback_offer() {
            return Err(Refusal::TakebackAlreadyOffered { by });
        }
        self.in_play()?;
        if self.takeback_plies(who).is_none() {
            return Err(Refusal::NothingToTakeBack { who });
        }
        self.check_offer_limit(who, OfferLimit::Takeback)?;
        Ok(EventKind::TakebackOffered)
    }

    pub(crate) fn decide_takeback(&self, who: Color) -> Result<EventKind, Refusal> {
        let by = answerable(who, self.takeback_offer).ok_or(Refusal::NoTakebackOffer { who })?;
        self.in_play()?;
        match self.takeback_plies(by) {
            Some(plies) => Ok(EventKind::TakenBack { plies }),
            None => Err(Refusal::NothingToTakeBack { who: by }),
        }
    }

    pub(crate) fn decide_gift(&self, who: Color, time: Millis) -> Result<EventKind, Refusal> {
        if !self.terms().gifts {
            return Err(Refusal::GiftsOff);
        }
        if self.clocks().is_none() {
            return Err(Refusal::NoClocks);
        }
        if time < Millis::seconds(1) || time > MAX_TIME_GIFT {
            return Err(Refusal::BadGift);
        }
        self.check_offer_limit(who, OfferLimit::Gift)?;
        Ok(EventKind::TimeGiven { to: !who, time })
    }
}
