//! The plain closure: visits every position that legal moves lead to, one by one. It uses no argument, no shortcut and
//! no order; the solver's answers are compared with it.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use touchmove_rules::{Move, Outcome, Packed, Position, Rules};

/// What the reachable positions show: who can win, as far as the limit allows.
pub(super) struct ReferenceClosure {
    pub wins: [bool; 2],
    pub complete: bool,
    /// How many positions were visited.
    pub positions: u64,
    /// The rare kinds of moves on the way.
    pub rare: RareMoveCounts,
}

/// Which rare kinds of moves occur, or in how many positions they do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RareMoveCounts {
    pub castling: u64,
    pub in_passing: u64,
    pub promotion: u64,
}

impl RareMoveCounts {
    fn note(&mut self, mv: Move) {
        self.castling |= u64::from(mv.kind().is_castling());
        self.in_passing |= u64::from(mv.kind().is_en_passant());
        self.promotion |= u64::from(mv.promotes_to().is_some());
    }

    pub fn add(&mut self, other: RareMoveCounts) {
        self.castling += other.castling;
        self.in_passing += other.in_passing;
        self.promotion += other.promotion;
    }
}

/// Hashes a packed position. Equality compares the whole position.
#[derive(Default)]
struct MixingHasher(u64);

impl Hasher for MixingHasher {
    fn write(&mut self, bytes: &[u8]) {
        const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        for chunk in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..chunk.len()].copy_from_slice(chunk);
            let mixed = self.0 ^ u64::from_le_bytes(number);
            self.0 = mixed.wrapping_mul(HASH_FACTOR).rotate_left(29);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// Visits every position. Stops at `limit`, or when both sides are known to win.
pub(super) fn plain_closure<R: Rules>(root: &Position<R>, limit: usize) -> ReferenceClosure {
    let packed = root.pack().expect("both kings are there");
    let mut seen: HashSet<Packed<R>, BuildHasherDefault<MixingHasher>> = HashSet::default();
    seen.insert(packed);
    let mut waiting = vec![packed];
    let mut wins = [false; 2];
    let mut rare = RareMoveCounts::default();
    while let Some(packed) = waiting.pop() {
        let position = packed.unpack();
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() {
            wins[!position.turn() as usize] = true;
        }
        for &mv in &moves {
            rare.note(mv);
            let next = position.after(mv);
            let Some(packed) = next.pack() else {
                let winner = next.outcome().and_then(Outcome::winner);
                wins[winner.expect("a king is gone, and only one") as usize] = true;
                continue;
            };
            if seen.insert(packed) {
                waiting.push(packed);
            }
        }
        if seen.len() > limit || wins == [true; 2] {
            break;
        }
    }
    ReferenceClosure {
        wins,
        complete: waiting.is_empty(),
        positions: seen.len() as u64,
        rare,
    }
}
