//! The hash table of `touchmove perft --hash`: positions reached by several move orders are counted once. The rules
//! crate counts moves.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result};
use touchmove_rules::{AnyPosition, Position, Rules, perft, with_position};

/// Entries per slot, one cache line; the largest counts stay.
const ENTRIES_PER_SLOT: usize = 4;
const SLOT_BYTES: usize = size_of::<TableSlot>();

/// Counts move sequences, with a hash table if wanted.
pub struct PerftCounter {
    places: Vec<TableSlot>,
}

#[repr(align(64))]
#[derive(Default)]
struct TableSlot([TableEntry; ENTRIES_PER_SLOT]);

/// A count and its key. Threads write without locks, so the key is stored XORed with the count: halves of two
/// different entries do not match.
#[derive(Default)]
struct TableEntry {
    mixed: AtomicU64,
    nodes: AtomicU64,
}

impl PerftCounter {
    /// A counter with a hash table of so many megabytes, or without one for 0.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(megabytes: usize) -> Result<PerftCounter> {
        let count = megabytes.saturating_mul(1 << 20) / SLOT_BYTES;
        let mut places = Vec::new();
        places
            .try_reserve_exact(count)
            .with_context(|| format!("there is no room for a table of {megabytes} MB"))?;
        places.resize_with(count, TableSlot::default);
        Ok(PerftCounter { places })
    }

    /// The number of sequences of `depth` legal moves.
    pub fn count(&self, position: &AnyPosition, depth: u32) -> u64 {
        with_position!(position, position => self.count_in(position, depth))
    }

    fn count_in<R: Rules>(&self, position: &Position<R>, depth: u32) -> u64 {
        if depth < 2 || self.places.is_empty() {
            return perft(position, depth);
        }
        let key = key(position, depth);
        if let Some(nodes) = self.recall(key) {
            return nodes;
        }
        let nodes = if depth == 2 {
            perft(position, depth)
        } else {
            let moves = position.legal_moves();
            moves
                .iter()
                .map(|&mv| self.count_in(&position.after(mv), depth - 1))
                .sum()
        };
        self.remember(key, nodes);
        nodes
    }

    fn recall(&self, key: u64) -> Option<u64> {
        self.place(key).0.iter().find_map(|entry| {
            let nodes = entry.nodes.load(Ordering::Relaxed);
            (entry.mixed.load(Ordering::Relaxed) ^ nodes == key).then_some(nodes)
        })
    }

    /// Stores a count in place of the smallest one of its slot.
    fn remember(&self, key: u64, nodes: u64) {
        let smallest = self
            .place(key)
            .0
            .iter()
            .min_by_key(|entry| entry.nodes.load(Ordering::Relaxed));
        if let Some(entry) = smallest {
            entry.nodes.store(nodes, Ordering::Relaxed);
            entry.mixed.store(key ^ nodes, Ordering::Relaxed);
        }
    }

    /// The slot of a key, by its upper bits: the number of slots need not be a power of two.
    fn place(&self, key: u64) -> &TableSlot {
        let index = (u128::from(key) * self.places.len() as u128) >> 64;
        &self.places[index as usize]
    }
}

/// The hash of what a count depends on: position, depth and variant. The position's own key does not cover the last
/// two.
fn key<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    let rest = u64::from(depth) << 8 | R::VARIANT as u64 | 1 << 63;
    let mixed = (position.key() ^ rest.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::{Fen, Variant};

    #[test]
    fn counts_with_a_table_are_counts_without_one_in_every_variant() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ];
        // One table for all, so small that entries are replaced all the time.
        let (none, small) = (PerftCounter::new(0).unwrap(), PerftCounter::new(1).unwrap());
        for fen in fens {
            for variant in Variant::ALL {
                let setup = Fen::read_short(fen).unwrap().0;
                let position = AnyPosition::from_setup(&setup, variant).unwrap();
                for depth in 0..=4 {
                    assert_eq!(
                        small.count(&position, depth),
                        none.count(&position, depth),
                        "{variant}, depth {depth}: {fen}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_count_is_found_again_only_for_its_own_depth_and_variant() {
        let table = PerftCounter::new(1).unwrap();
        let chess = Position::<touchmove_rules::Chess>::start();
        let atomic = Position::<touchmove_rules::Atomic>::start();
        table.remember(key(&chess, 3), 8902);
        assert_eq!(table.recall(key(&chess, 3)), Some(8902));
        assert_eq!(table.recall(key(&chess, 4)), None);
        assert_eq!(table.recall(key(&atomic, 3)), None);
    }
}
