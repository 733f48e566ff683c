//! Writes a closure into a certificate: how many positions it has, a checksum over them, and the excluded ones, each
//! with its proof.

use std::fmt::Write as _;

use touchmove_rules::{Color, Rules};

use crate::certificate::name;
use crate::proof::closure::Closure;
use crate::proof::{outline, structure};

impl<R: Rules> Closure<R> {
    /// Writes a finished closure. Returns whether the proofs of all excluded positions were found again.
    pub fn write(&self, side: Color, text: &mut String) -> bool {
        let sum = self.positions.iter().fold(0_u64, |sum, packed| {
            sum.wrapping_add(fnv1a(&name(&packed.unpack()).to_string()))
        });
        let _ = writeln!(text, "visited {} {sum:016x}", self.positions.len());
        let most = self.exclusions.allowance();
        let are_whole = self.excluded.iter().all(|&number| {
            let position = self.positions[number as usize].unpack();
            let _ = writeln!(text, "excluded {}", name(&position));
            structure::write(&position, side, text) || outline::write(&position, side, most, text)
        });
        text.push_str("end\n");
        are_whole
    }
}

/// The FNV-1a hash in 64 bits.
fn fnv1a(text: &str) -> u64 {
    const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;
    text.bytes().fold(FNV_BASIS, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
    })
}
