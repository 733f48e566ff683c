//! Fuzzes mutated blocked positions, some with castling rights as in chess or Chess960. Every result, and what each
//! argument says on its own, is compared with a plain closure without shortcuts. Winning lines are replayed once more.
//! The submodules generate other positions.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

pub(crate) mod caged_kings;
mod castling;
mod explosions;
mod latency;
mod reference_closure;
mod small_boards;

use std::fs;

use crate::fuzz::reference_closure::{RareMoveCounts, plain_closure};
use crate::proof::material;
use crate::proof::outline::{self, Outlines};
use crate::proof::structure;
use crate::{Budget, Solver, UndecidedReason, Winnability};
use touchmove_rules::{
    Atomic, Bitboard, Chess, Chess960, Color, Fen, Outcome, Piece, Position, Role, Rules, Setup,
    SimpleAtomic, Square,
};

/// What is spent on a position: the solver's budget, and the maximum number of positions for the plain closure.
#[derive(Clone, Copy)]
struct Effort {
    budget: Budget,
    limit: usize,
}

const USUAL_EFFORT: Effort = Effort {
    budget: Budget::of_positions(400),
    limit: 2_000,
};

/// A larger effort for one position in [`LARGE_EFFORT_EVERY`], so that all arguments are used. The closure also gets
/// this many positions where castling is possible or captures explode.
const LARGE_EFFORT: Effort = Effort {
    budget: Budget::of_positions(10_000),
    limit: 30_000,
};
const LARGE_EFFORT_EVERY: u64 = 32;

/// The maximum number of outlines an argument may follow.
const MAX_OUTLINES: u64 = 150;

/// A small random number generator, the same on every machine.
pub(crate) struct TestRng(pub u64);

impl TestRng {
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    }

    pub fn square(&mut self) -> Square {
        Square::new(self.roll(64) as u8).expect("there are 64 squares")
    }
}

pub(crate) fn seeds() -> Vec<Setup> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    ["made_here_positions.tsv", "made_here_traps.tsv"]
        .iter()
        .flat_map(|name| {
            let text = fs::read_to_string(format!("{folder}/{name}")).expect("the data is there");
            let fens: Vec<Setup> = text
                .lines()
                .filter(|line| !line.starts_with('#'))
                .filter_map(|line| line.split('\t').find(|field| field.contains('/')))
                .map(|fen| Fen::read_short(fen).expect("the data holds FENs").0)
                .collect();
            fens
        })
        .collect()
}

/// Mutates a position a little: pieces move, disappear, appear, or change role or colour.
fn mutate(setup: &mut Setup, dice: &mut TestRng) {
    for _ in 0..=dice.roll(4) {
        let men: Vec<(Square, Piece)> = setup.board.iter().collect();
        let (square, piece) = men[dice.roll(men.len())];
        let target = dice.square();
        let neighbour = square
            .offset(dice.roll(3) as i8 - 1, dice.roll(3) as i8 - 1)
            .unwrap_or(square);
        let is_king = |at: Square| setup.board.role_at(at) == Some(Role::King);
        match dice.roll(8) {
            0 | 1 if !is_king(neighbour) => {
                setup.board.remove(square);
                setup.board.set(neighbour, piece);
            }
            2 if !is_king(target) => {
                setup.board.remove(square);
                setup.board.set(target, piece);
            }
            3 | 4 if piece.role != Role::King => setup.board.remove(square),
            5 if !is_king(target) => {
                let role = [
                    Role::Pawn,
                    Role::Pawn,
                    Role::Bishop,
                    Role::Knight,
                    Role::Rook,
                ][dice.roll(5)];
                setup.board.set(target, role.of(Color::ALL[dice.roll(2)]));
            }
            6 if piece.role != Role::King => {
                let role = Role::ALL[dice.roll(5)];
                setup.board.set(square, role.of(piece.color));
            }
            _ => setup.turn = !setup.turn,
        }
    }
    setup.castling = Bitboard::EMPTY;
    setup.en_passant = (dice.roll(4) == 0).then(|| dice.square());
}

/// The position transformed: each piece moved by `square`, colours exchanged or not.
fn seen_otherwise(setup: &Setup, square: impl Fn(Square) -> Square, exchanged: bool) -> Setup {
    let color = |color: Color| if exchanged { !color } else { color };
    let mut other = Setup {
        turn: color(setup.turn),
        en_passant: setup.en_passant.map(&square),
        castling: castling::moved(setup.castling, &square),
        ..Setup::empty()
    };
    for (at, piece) in setup.board.iter() {
        other
            .board
            .set(square(at), piece.role.of(color(piece.color)));
    }
    other
}

/// The square mirrored left to right: files exchanged.
fn mirrored(square: Square) -> Square {
    Square::new(square.index() as u8 ^ 7).expect("there are 64 squares")
}

/// The names of the arguments that, each by itself, say that `side` cannot win.
fn arguments_against<R: Rules>(position: &Position<R>, side: Color) -> Vec<&'static str> {
    let mut against = Vec::new();
    if position.outcome().is_some() {
        return against;
    }
    if material::lacks_material(position, side) {
        against.push("material");
    }
    if structure::prove(position, side).is_some() {
        against.push("structure");
    }
    let proves = |&ghosts: &Bitboard| {
        let sketch = Outlines::prove(position, side, ghosts, MAX_OUTLINES, &|| false);
        sketch.proof.is_some()
    };
    if outline::choices(position, side).iter().any(proves) {
        against.push("outlines");
    }
    against
}

/// Examines `wanted` mutated positions; one in `rights_in` gets castling rights.
fn fuzz<R: Rules>(wanted: u64, seed: u64, rights_in: usize) {
    let seeds = seeds();
    let seen = examine::<R>(wanted, seed, USUAL_EFFORT, |dice| {
        let mut setup = seeds[dice.roll(seeds.len())];
        mutate(&mut setup, dice);
        match dice.chance(rights_in) {
            true => castling::castle::<R>(&setup, dice),
            false => setup,
        }
    });
    assert!(
        seen.rare.castling > 0,
        "no verdict was confirmed where somebody can castle"
    );
}

/// Counts over some results.
struct VerdictCounts {
    /// How many unwinnable results the plain closure confirmed.
    confirmed: u64,
    /// How many of these allow a rare kind of move.
    rare: RareMoveCounts,
    /// How many of those leave the side that cannot win enough material to win.
    rare_with_material: RareMoveCounts,
}

/// Examines the proposed positions with this effort or a larger one.
fn examine<R: Rules>(
    wanted: u64,
    seed: u64,
    effort: Effort,
    mut propose: impl FnMut(&mut TestRng) -> Setup,
) -> VerdictCounts {
    let mut dice = TestRng(seed);
    let mut solver = Solver::<R>::new();
    let [
        mut looked,
        mut winnable,
        mut confirmed,
        mut beyond,
        mut undecided,
        mut arguments,
        mut with_rights,
        mut confirmed_with_rights,
    ] = [0_u64; 8];
    let [mut rare, mut rare_with_material, mut rare_argued] = [RareMoveCounts::default(); 3];
    while looked < wanted {
        let setup = propose(&mut dice);
        let position = Position::<R>::from_setup(&setup).ok();
        let Some(position) = position.filter(|position| position.pack().is_some()) else {
            continue;
        };
        looked += 1;
        let has_rights = position.castling_rights().any();
        with_rights += u64::from(has_rights);
        if looked % 100_000 == 0 {
            println!("{looked} positions so far, {confirmed} unwinnable verdicts confirmed");
        }
        let is_large = looked % LARGE_EFFORT_EVERY == 0;
        let budget = if is_large { LARGE_EFFORT } else { effort }.budget;
        let limit = if is_large || has_rights || R::CAPTURES_EXPLODE {
            effort.limit.max(LARGE_EFFORT.limit)
        } else {
            effort.limit
        };
        let verdicts = Color::ALL.map(|side| solver.winnable(&position, side, budget));
        let fen = position.fen();
        for (side, verdict) in Color::ALL.into_iter().zip(&verdicts) {
            if let Winnability::Winnable(line) = verdict {
                let mut at = position;
                for &mv in line {
                    assert!(at.is_legal(mv), "{fen}: {mv:?} for {side}");
                    at.play(mv);
                }
                let winner = at.outcome().and_then(Outcome::winner);
                assert_eq!(winner, Some(side), "{fen} for {side}");
                winnable += 1;
            }
        }
        if looked % 16 == 0 {
            let flipped = seen_otherwise(&setup, Square::flip, true);
            let mirrored = seen_otherwise(&setup, mirrored, false);
            for (setup, is_flipped) in [(flipped, true), (mirrored, false)] {
                if has_rights && !is_flipped {
                    continue; // The king castles to the same files on both sides.
                }
                let twin =
                    Position::<R>::from_setup(&setup).expect("neither colours nor wings matter");
                for (side, verdict) in Color::ALL.into_iter().zip(&verdicts) {
                    let its_side = if is_flipped { !side } else { side };
                    let other = solver.winnable(&twin, its_side, effort.budget);
                    let contradict = verdict.is_winnable() && other.is_unwinnable()
                        || verdict.is_unwinnable() && other.is_winnable();
                    assert!(!contradict, "{fen} and {} for {side}", twin.fen());
                }
            }
        }
        undecided += verdicts
            .iter()
            .filter(|verdict| match verdict {
                Winnability::Undecided { reason, .. } => {
                    assert_eq!(*reason, UndecidedReason::OutOfBudget, "{fen}");
                    true
                }
                _ => false,
            })
            .count() as u64;
        let against = Color::ALL.map(|side| arguments_against(&position, side));
        for (verdict, against) in verdicts.iter().zip(&against) {
            assert!(
                !verdict.is_winnable() || against.is_empty(),
                "{fen}: {verdict:?}, {against:?}"
            );
        }
        let nothing_said = against.iter().all(Vec::is_empty);
        if nothing_said && !verdicts.iter().any(Winnability::is_unwinnable) {
            continue;
        }
        let truth = plain_closure(&position, limit);
        for (side, against) in Color::ALL.into_iter().zip(&against) {
            arguments += against.len() as u64;
            let refuted = truth.wins[side as usize] && !against.is_empty();
            assert!(!refuted, "{fen}: {side} can win in spite of {against:?}");
        }
        for ((side, verdict), against) in Color::ALL.into_iter().zip(&verdicts).zip(&against) {
            if let Winnability::Unwinnable(proof) = verdict {
                assert!(
                    !truth.wins[side as usize],
                    "{fen}: {side} can win: {verdict:?}"
                );
                if truth.complete {
                    confirmed += 1;
                    confirmed_with_rights += u64::from(has_rights);
                    rare.add(truth.rare);
                    if !against.contains(&"material") {
                        rare_with_material.add(truth.rare);
                        if proof.visited() < truth.positions {
                            rare_argued.add(truth.rare);
                        }
                    }
                } else {
                    beyond += 1;
                }
            } else if verdict.is_winnable() && truth.complete {
                assert!(
                    truth.wins[side as usize],
                    "{fen}: {side} cannot win: {verdict:?}"
                );
            }
        }
    }
    println!(
        "{looked} positions of {}, seed {seed:#x}: {winnable} lines replayed, {confirmed} unwinnable \
         verdicts confirmed by closure, {beyond} not refuted within it, {undecided} undecided; \
         {arguments} arguments on their own, none refuted; {with_rights} positions with rights to \
         castle, {confirmed_with_rights} of those unwinnable verdicts in them; of all of these, so many \
         where a rare move can come up: {rare:?}, and so many of those where material alone does not decide: \
         {rare_with_material:?}, and of those in turn where the proof visits fewer positions than there are: \
         {rare_argued:?}",
        R::VARIANT
    );
    VerdictCounts {
        confirmed,
        rare,
        rare_with_material,
    }
}

#[test]
fn mutated_positions_agree_with_the_plain_closure() {
    fuzz::<Chess>(1_000, 0x7061_7765_6e64_6564, 4);
}

#[test]
fn mutated_positions_with_rights_of_chess960_agree_with_the_plain_closure() {
    fuzz::<Chess960>(400, 0x6361_7374_6c65_3936, 1);
}

/// How many of `wanted` random positions of a variant stay undecided within the default budget.
fn count_undecided<R: Rules>(wanted: u64, seed: u64) {
    let seeds = seeds();
    let mut dice = TestRng(seed);
    let mut solver = Solver::<R>::new();
    let [mut looked, mut undecided] = [0_u64; 2];
    while looked < wanted {
        let setup = match (R::CAPTURES_EXPLODE, dice.roll(4)) {
            (true, _) => explosions::propose::<R>(&seeds, &mut dice),
            (false, 0) => caged_kings::cage(&mut dice),
            (false, kind) => {
                let mut setup = seeds[dice.roll(seeds.len())];
                mutate(&mut setup, &mut dice);
                match kind {
                    1 => castling::castle::<R>(&setup, &mut dice),
                    _ => setup,
                }
            }
        };
        let Ok(position) = Position::<R>::from_setup(&setup) else {
            continue;
        };
        looked += 1;
        for side in Color::ALL {
            let verdict = solver.winnable(&position, side, Budget::default());
            if matches!(verdict, Winnability::Undecided { .. }) {
                undecided += 1;
                println!("undecided: {} for {side}", position.fen());
            }
        }
    }
    println!(
        "{looked} positions of {}, seed {seed:#x}: {undecided} verdicts undecided",
        R::VARIANT
    );
}

/// Reads the number of positions from `FRESH` (default: `usual`) and the seed from `SEED`.
fn fresh<R: Rules>(usual: u64) {
    let wanted = std::env::var("FRESH").map_or(200_000, |n| n.parse().expect("a number"));
    let seed = std::env::var("SEED").map_or(0, |n| n.parse::<u64>().expect("a number"));
    count_undecided::<R>(wanted, usual ^ seed << 4);
}

/// Run it with `--ignored --nocapture`, like those of the other variants. `FRESH` sets the number of positions,
/// `SEED` another seed.
#[test]
#[ignore = "takes half an hour"]
fn fresh_positions_of_chess_are_decided() {
    fresh::<Chess>(0x2026_1119_0000_0001);
}

#[test]
#[ignore = "takes half an hour"]
fn fresh_positions_of_chess960_are_decided() {
    fresh::<Chess960>(0x2026_1119_0000_0002);
}

#[test]
#[ignore = "takes half an hour"]
fn fresh_positions_of_atomic_are_decided() {
    fresh::<Atomic>(0x2026_1119_0000_0003);
}

#[test]
#[ignore = "takes half an hour"]
fn fresh_positions_of_simple_atomic_are_decided() {
    fresh::<SimpleAtomic>(0x2026_1119_0000_0004);
}

/// A million positions: half an hour in a release build. Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes half an hour"]
fn a_million_mutated_positions_agree_with_the_plain_closure() {
    fuzz::<Chess>(1_000_000, 0x2026_1115_dead_beef, 16);
}

/// Nearly every position has castling rights. Takes some minutes in a release build.
#[test]
#[ignore = "takes minutes"]
fn many_mutated_positions_of_chess960_agree_with_the_plain_closure() {
    fuzz::<Chess960>(100_000, 0x2026_1116_dead_beef, 1);
}
