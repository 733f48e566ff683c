//! [`SplitMix64`]: pseudorandom numbers that are the same for the same seed on every machine.

/// A random number generator.
///
/// ```
/// use touchmove_engine_match::SplitMix64;
///
/// let draw = || { let mut lots = SplitMix64::new(7); [lots.below(100), lots.below(100)] };
/// assert_eq!(draw(), draw());
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next number, by Steele, Lea and Flood's SplitMix64.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A random number below `limit`, or zero if `limit` is zero.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.draw()) * limit as u128) >> 64) as usize
    }
}
