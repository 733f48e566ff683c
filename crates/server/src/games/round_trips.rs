//! The lowest round trip of each player at a table, which lag compensation is based on: a client that answers pings
//! late on purpose would have to delay every one of them, over every connection it opens, and a network that is slow
//! now and then gains nothing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use touchmove_game::Millis;
use touchmove_rules::Color;

/// Stands for a round trip that was not measured yet.
const UNKNOWN: u64 = u64::MAX;

/// The lowest measured round trips, in milliseconds.
pub(super) struct LowestTrips {
    white: AtomicU64,
    black: AtomicU64,
}

impl LowestTrips {
    pub(super) const fn unknown() -> LowestTrips {
        LowestTrips {
            white: AtomicU64::new(UNKNOWN),
            black: AtomicU64::new(UNKNOWN),
        }
    }

    const fn of(&self, player: Color) -> &AtomicU64 {
        match player {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// Records a round trip of a player.
    pub(super) fn note(&self, player: Color, trip: Duration) {
        let millis = u64::try_from(trip.as_millis()).unwrap_or(UNKNOWN);
        self.of(player).fetch_min(millis, Ordering::Relaxed);
    }

    /// The lowest round trip of a player; zero before one was measured.
    pub(super) fn lowest(&self, player: Color) -> Millis {
        match self.of(player).load(Ordering::Relaxed) {
            UNKNOWN => Millis::ZERO,
            millis => Millis(millis),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_round_trip_counts_and_one_that_took_longer_changes_nothing() {
        let trips = LowestTrips::unknown();
        assert_eq!(trips.lowest(Color::White), Millis::ZERO);
        for millis in [220, 200, 4_000, 900] {
            trips.note(Color::White, Duration::from_millis(millis));
        }
        assert_eq!(trips.lowest(Color::White), Millis(200));
        assert_eq!(trips.lowest(Color::Black), Millis::ZERO);
    }
}
