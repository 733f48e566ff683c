//! Tables of what rooks and bishops attack for every set of blockers, built at compile time. How
//! each processor computes an index into them is in [`cpu`](crate::cpu).

use crate::attacks::magics;
use crate::cpu::entry;

/// Blocker subsets of all squares together: 102,400 for rooks and 5,248 for bishops.
const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;
const ENTRIES: usize = ROOK_ENTRIES + BISHOP_ENTRIES;

/// Where the attacks of a slider on one square are.
#[derive(Clone, Copy)]
struct MagicEntry {
    /// The squares whose occupation matters: its lines without their last squares.
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

const ROOK_MAGICS: [MagicEntry; 64] = places(&magics::ROOK, true, 0);
const BISHOP_MAGICS: [MagicEntry; 64] = places(&magics::BISHOP, false, ROOK_ENTRIES as u32);
static ROOKS: [MagicEntry; 64] = ROOK_MAGICS;
static BISHOPS: [MagicEntry; 64] = BISHOP_MAGICS;

/// Attacks by the rank of the blocker set among the subsets of the mask (what PEXT yields).
static BY_RANK: [u64; ENTRIES] = table(false);
/// Attacks by the product of the blocker set with the square's multiplier.
static BY_MAGIC: [u64; ENTRIES] = table(true);

#[inline(always)]
pub(crate) fn rook_by_rank_of_subset(square: usize, rank: impl FnOnce(u64) -> u64) -> u64 {
    let place = &ROOKS[square];
    entry(&BY_RANK, place.offset as usize + rank(place.mask) as usize)
}

#[inline(always)]
pub(crate) fn bishop_by_rank_of_subset(square: usize, rank: impl FnOnce(u64) -> u64) -> u64 {
    let place = &BISHOPS[square];
    entry(&BY_RANK, place.offset as usize + rank(place.mask) as usize)
}

#[inline(always)]
pub(crate) fn rook_by_magic(square: usize, occupied: u64) -> u64 {
    by_magic(&ROOKS[square], occupied)
}

#[inline(always)]
pub(crate) fn bishop_by_magic(square: usize, occupied: u64) -> u64 {
    by_magic(&BISHOPS[square], occupied)
}

#[inline(always)]
fn by_magic(place: &MagicEntry, occupied: u64) -> u64 {
    let product = (occupied & place.mask).wrapping_mul(place.magic);
    entry(
        &BY_MAGIC,
        place.offset as usize + (product >> (place.shift & 63)) as usize,
    )
}

const fn places(magics: &[u64; 64], straight: bool, first: u32) -> [MagicEntry; 64] {
    let mut places = [MagicEntry {
        mask: 0,
        magic: 0,
        offset: 0,
        shift: 0,
    }; 64];
    let mut offset = first;
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, straight);
        let shift = 64 - mask.count_ones();
        places[square] = MagicEntry {
            mask,
            magic: magics[square],
            offset,
            shift,
        };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    places
}

const fn table(magic: bool) -> [u64; ENTRIES] {
    let mut table = [0; ENTRIES];
    let mut square = 0;
    while square < 64 {
        fill(&mut table, square, &ROOK_MAGICS[square], true, magic);
        fill(&mut table, square, &BISHOP_MAGICS[square], false, magic);
        square += 1;
    }
    table
}

const fn fill(
    table: &mut [u64; ENTRIES],
    square: usize,
    at: &MagicEntry,
    straight: bool,
    magic: bool,
) {
    let mut subset: u64 = 0;
    let mut rank = 0;
    loop {
        let attacks = walk_lines(square, subset, straight);
        let index = if magic {
            (subset.wrapping_mul(at.magic) >> at.shift) as usize
        } else {
            rank
        };
        let slot = &mut table[at.offset as usize + index];
        assert!(
            *slot == 0 || *slot == attacks,
            "two blocker sets share a slot"
        );
        *slot = attacks;
        // The next larger subset of the mask.
        subset = subset.wrapping_sub(at.mask) & at.mask;
        rank += 1;
        if subset == 0 {
            return;
        }
    }
}

/// The lines of a slider, without the edge squares that cannot hide anything behind them.
const fn relevant(square: usize, straight: bool) -> u64 {
    let (file, rank) = (square & 7, square >> 3);
    let mut edges = 0;
    if file != 0 {
        edges |= FILE_A;
    }
    if file != 7 {
        edges |= FILE_A << 7;
    }
    if rank != 0 {
        edges |= RANK_1;
    }
    if rank != 7 {
        edges |= RANK_1 << 56;
    }
    walk_lines(square, 0, straight) & !edges
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const RANK_1: u64 = 0xff;

/// What a slider attacks, by arithmetic on its two lines.
pub(super) const fn walk_lines(square: usize, occupied: u64, straight: bool) -> u64 {
    let (file, rank) = (square & 7, square >> 3);
    let (one, other) = if straight {
        (FILE_A << file, RANK_1 << (8 * rank))
    } else {
        const RISING: u64 = 0x8040_2010_0804_0201;
        const FALLING: u64 = 0x0102_0408_1020_4080;
        (
            lift(RISING, rank as i32 - file as i32),
            lift(FALLING, rank as i32 + file as i32 - 7),
        )
    };
    along(square, occupied, one) | along(square, occupied, other)
}

/// A set moved up the board by a number of ranks, or down if it is negative.
const fn lift(set: u64, ranks: i32) -> u64 {
    if ranks >= 0 {
        set << (8 * ranks)
    } else {
        set >> (-8 * ranks)
    }
}

/// What a slider sees up and down one line: subtracting twice its own bit from the blockers flips
/// the bits up to the first of them, and doing the same on the reversed board covers the other way.
const fn along(square: usize, occupied: u64, line: u64) -> u64 {
    let blockers = occupied & line;
    let up = blockers.wrapping_sub((1 << square) << 1);
    let down = blockers
        .reverse_bits()
        .wrapping_sub((1 << (63 - square)) << 1)
        .reverse_bits();
    ((blockers ^ up) ^ (blockers ^ down)) & line & !(1 << square)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps from the square until something is in the way.
    fn by_steps(square: usize, occupied: u64, directions: [(i8, i8); 4]) -> u64 {
        let mut attacked = 0;
        for (files, ranks) in directions {
            let mut at = crate::Square::new(square as u8).unwrap();
            while let Some(next) = at.offset(files, ranks) {
                at = next;
                attacked |= at.bit();
                if occupied & at.bit() != 0 {
                    break;
                }
            }
        }
        attacked
    }

    #[test]
    fn every_square_and_every_set_of_blockers_agrees_with_stepping() {
        for square in 0..64 {
            for (straight, directions) in [
                (true, [(1, 0), (-1, 0), (0, 1), (0, -1)]),
                (false, [(1, 1), (-1, 1), (1, -1), (-1, -1)]),
            ] {
                let place = if straight {
                    &ROOKS[square]
                } else {
                    &BISHOPS[square]
                };
                let (mut subset, mut rank) = (0u64, 0);
                loop {
                    let truth = by_steps(square, subset, directions);
                    let at = place.offset as usize;
                    assert_eq!(BY_RANK[at + rank], truth);
                    assert_eq!(by_magic(place, subset | !place.mask), truth);
                    subset = subset.wrapping_sub(place.mask) & place.mask;
                    rank += 1;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }
}
