//! [`TranspositionTable`]: the results of positions searched before. Keys are trusted, moves are not: a stored move is
//! looked up among the legal ones.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use touchmove_rules::{Move, Role, prefetch};

use crate::score::{MATE_BOUND, MAX_PLY};

/// How a stored score bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

/// A move in sixteen bits, enough to find it again among the legal moves of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedMove(u16);

impl PackedMove {
    pub const NO_MOVE: PackedMove = PackedMove(0);
    /// The null move.
    pub const NULL_MOVE: PackedMove = PackedMove(u16::MAX);

    #[inline]
    pub fn of(mv: Move) -> PackedMove {
        // In Chess960 a king's step and a castling can share both squares.
        let kind = match mv.promotes_to() {
            Some(Role::Knight) => 1,
            Some(Role::Bishop) => 2,
            Some(Role::Rook) => 3,
            Some(_) => 4,
            None => 5 * u16::from(mv.kind().is_castling()),
        };
        PackedMove(mv.from().index() as u16 | (mv.to().index() as u16) << 6 | kind << 12)
    }
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntryData {
    pub mv: PackedMove,
    pub score: i32,
    pub eval: i32,
    pub depth: i32,
    pub bound: Bound,
}

impl TableEntryData {
    /// Mate scores are stored relative to the position itself, not to the root of one search.
    #[inline]
    pub fn score_at(self, ply: usize) -> i32 {
        match self.score {
            score if score >= MATE_BOUND => score - ply as i32,
            score if score <= -MATE_BOUND => score + ply as i32,
            score => score,
        }
    }

    fn packed(self, generation: u8) -> u64 {
        u64::from(self.mv.0)
            | u64::from(self.score as i16 as u16) << 16
            | u64::from(self.eval as i16 as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(generation << 2 | self.bound as u8) << 56
    }

    fn unpacked(data: u64) -> Option<TableEntryData> {
        let bound = match (data >> 56) & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TableEntryData {
            mv: PackedMove(data as u16),
            score: i32::from((data >> 16) as i16),
            eval: i32::from((data >> 32) as i16),
            depth: i32::from((data >> 48) as u8),
            bound,
        })
    }
}

/// Four entries of sixteen bytes: one cache line.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; 4]);

/// Key and data. The key is stored XORed with the data, so that an entry torn by two writing threads matches no
/// position.
#[derive(Default)]
struct Entry {
    guarded: AtomicU64,
    data: AtomicU64,
}

/// A transposition table. Searches of several threads may share one.
///
/// ```
/// use touchmove_engine::TranspositionTable;
///
/// let table = TranspositionTable::with_megabytes(1);
/// assert_eq!(table.permille_in_use(), 0);
/// ```
pub struct TranspositionTable {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
}

/// Generations are counted in six bits.
const GENERATION_COUNT: u8 = 64;

impl TranspositionTable {
    /// A table of about this size, at least one megabyte.
    #[must_use]
    pub fn with_megabytes(megabytes: usize) -> TranspositionTable {
        let buckets = megabytes.max(1).saturating_mul(1 << 20) / size_of::<Bucket>();
        TranspositionTable {
            buckets: (0..buckets).map(|_| Bucket::default()).collect(),
            generation: AtomicU8::new(0),
        }
    }

    /// Clears all entries.
    pub fn clear(&self) {
        for entry in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            entry.guarded.store(0, Ordering::Relaxed);
            entry.data.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// How many of a thousand entries the last search has written (UCI `hashfull`).
    #[must_use]
    pub fn permille_in_use(&self) -> usize {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.buckets.iter().take(250);
        sample
            .flat_map(|bucket| &bucket.0)
            .map(|entry| entry.data.load(Ordering::Relaxed) >> 56)
            .filter(|&tag| tag & 3 != 0 && (tag >> 2) as u8 == generation)
            .count()
    }

    /// Starts a new generation: earlier entries count as old.
    pub(crate) fn begin_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATION_COUNT;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Prefetches an entry, to hide the latency of a lookup that follows soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TableEntryData> {
        self.bucket(key).0.iter().find_map(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            (entry.guarded.load(Ordering::Relaxed) ^ data == key)
                .then(|| TableEntryData::unpacked(data))
                .flatten()
        })
    }

    /// Stores a position: in its own slot, or in that of the shallowest and oldest neighbour.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, mut memory: TableEntryData) {
        debug_assert!(ply <= MAX_PLY);
        memory.score = match memory.score {
            score if score >= MATE_BOUND => score + ply as i32,
            score if score <= -MATE_BOUND => score - ply as i32,
            score => score,
        };
        let generation = self.generation.load(Ordering::Relaxed);
        let mut place = None;
        let mut least = i32::MAX;
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Ordering::Relaxed);
            if entry.guarded.load(Ordering::Relaxed) ^ data == key
                && let Some(old) = TableEntryData::unpacked(data)
            {
                if memory.mv == PackedMove::NO_MOVE {
                    memory.mv = old.mv;
                }
                let is_current = (data >> 58) as u8 == generation;
                if is_current && memory.bound != Bound::Exact && old.depth > memory.depth + 3 {
                    return;
                }
                place = Some(entry);
                break;
            }
            let age =
                i32::from((generation + GENERATION_COUNT - (data >> 58) as u8) % GENERATION_COUNT);
            let worth = match TableEntryData::unpacked(data) {
                Some(old) => old.depth - 4 * age,
                None => i32::MIN,
            };
            if worth < least {
                least = worth;
                place = Some(entry);
            }
        }
        if let Some(entry) = place {
            let data = memory.packed(generation);
            entry.guarded.store(key ^ data, Ordering::Relaxed);
            entry.data.store(data, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::MATE_SCORE;

    fn memory(score: i32, depth: i32) -> TableEntryData {
        TableEntryData {
            mv: PackedMove::NO_MOVE,
            score,
            eval: -7,
            depth,
            bound: Bound::Exact,
        }
    }

    #[test]
    fn what_is_remembered_comes_back() {
        let table = TranspositionTable::with_megabytes(1);
        table.store(42, 0, memory(-123, 9));
        let found = table.probe(42).unwrap();
        assert_eq!((found.score, found.eval, found.depth), (-123, -7, 9));
        assert!(table.probe(43).is_none());
    }

    #[test]
    fn a_mate_is_as_far_from_the_position_wherever_it_is_met() {
        let table = TranspositionTable::with_megabytes(1);
        table.store(42, 4, memory(MATE_SCORE - 7, 9));
        assert_eq!(table.probe(42).unwrap().score_at(4), MATE_SCORE - 7);
        assert_eq!(table.probe(42).unwrap().score_at(10), MATE_SCORE - 13);
    }

    #[test]
    fn deep_entries_outlive_shallow_ones_until_they_are_old() {
        let table = TranspositionTable::with_megabytes(1);
        table.store(1, 0, memory(0, 20));
        for key in 2..12 {
            table.store(key, 0, memory(0, 3));
        }
        assert!(table.probe(1).is_some());
        for _ in 0..8 {
            table.begin_search();
        }
        for key in 2..12 {
            table.store(key, 0, memory(0, 3));
        }
        assert!(table.probe(1).is_none());
    }
}
