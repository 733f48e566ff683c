//! Random numbers, from a given seed or a random one. Only the edge of the program uses them; games are
//! deterministic.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// A SplitMix64 random number generator.
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator with this seed, or a random one.
    pub fn new(seed: Option<u64>) -> SplitMix64 {
        SplitMix64(seed.unwrap_or_else(|| RandomState::new().build_hasher().finish()))
    }

    /// A number below a limit, uniformly distributed.
    pub fn below(&mut self, limit: u16) -> u16 {
        // The high half of a product is below its other factor, so this cannot fail.
        let number = (u128::from(self.next()) * u128::from(limit)) >> 64;
        u16::try_from(number).unwrap_or_default()
    }

    /// A random boolean.
    pub fn next_bool(&mut self) -> bool {
        self.below(2) == 1
    }

    /// The next number of SplitMix64 (Steele, Lea and Flood).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_of_chess960_is_drawn_and_none_too_often() {
        let mut luck = SplitMix64::new(Some(1));
        let mut counts = [0; 960];
        for _ in 0..96_000 {
            counts[usize::from(luck.below(960))] += 1;
        }
        assert!(counts.iter().all(|count| (50..=160).contains(count)));
    }

    #[test]
    fn a_seed_draws_the_same_lots_again() {
        let lots = |seed| {
            let mut luck = SplitMix64::new(Some(seed));
            [luck.below(960), luck.below(960), luck.below(960)]
        };
        assert_eq!(lots(7), lots(7));
        assert_ne!(lots(7), lots(8));
    }
}
