//! Mutated blocked positions: every verdict against a plain closure that knows no shortcut. Lines
//! need no such check, they were replayed; here they are replayed once more all the same.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

use std::collections::HashSet;
use std::fs;

use touchmove_rules::{Chess, Color, Fen, Packed, Piece, Position, Role, Setup, Square, SquareSet};
use touchmove_winnability::{Budget, Solver, Verdict};

/// What the solver may spend on a question; positions that need more are for other tests.
const BUDGET: Budget = Budget::of_positions(400);

/// How many positions the plain closure looks at.
const LIMIT: usize = 2_000;

/// A small generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    }

    fn square(&mut self) -> Square {
        Square::new(self.roll(64) as u8).expect("there are 64 squares")
    }
}

/// What every reachable position says: who can win, as far as the limit lets us see.
struct Plain {
    wins: [bool; 2],
    complete: bool,
}

fn plain_closure(root: &Position<Chess>, limit: usize) -> Plain {
    let packed = root.packed().expect("both kings are there");
    let mut seen: HashSet<Packed<Chess>> = HashSet::from([packed]);
    let mut waiting = vec![packed];
    let mut wins = [false; 2];
    while let Some(packed) = waiting.pop() {
        let position = packed.unpack();
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() {
            wins[!position.turn() as usize] = true;
        }
        for &mv in &moves {
            let next = position.after(mv).packed().expect("kings are never taken");
            if seen.insert(next) {
                waiting.push(next);
            }
        }
        if seen.len() > limit || wins == [true; 2] {
            return Plain {
                wins,
                complete: false,
            };
        }
    }
    Plain {
        wins,
        complete: true,
    }
}

fn seeds() -> Vec<Setup> {
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

/// Changes a position a little: men walk, vanish, appear, change their role or side.
fn mutate(setup: &mut Setup, dice: &mut Dice) {
    for _ in 0..=dice.roll(4) {
        let men: Vec<(Square, Piece)> = setup.board.men().collect();
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
    setup.castling = SquareSet::EMPTY;
    setup.en_passant = (dice.roll(4) == 0).then(|| dice.square());
}

/// The position with the colours exchanged: the same question for the other side.
fn with_colors_exchanged(setup: &Setup) -> Setup {
    let mut flipped = Setup {
        turn: !setup.turn,
        en_passant: setup.en_passant.map(Square::flip),
        ..Setup::empty()
    };
    for (square, piece) in setup.board.men() {
        flipped
            .board
            .set(square.flip(), piece.role.of(!piece.color));
    }
    flipped
}

/// Looks at so many mutated positions.
fn fuzz(wanted: u64, seed: u64) {
    let seeds = seeds();
    let mut dice = Dice(seed);
    let mut solver = Solver::<Chess>::new();
    let [
        mut looked,
        mut winnable,
        mut confirmed,
        mut beyond,
        mut undecided,
    ] = [0_u64; 5];
    while looked < wanted {
        let mut setup = seeds[dice.roll(seeds.len())];
        mutate(&mut setup, &mut dice);
        let Ok(position) = Position::<Chess>::from_playable_setup(&setup) else {
            continue;
        };
        looked += 1;
        if looked % 100_000 == 0 {
            println!("{looked} positions so far, {confirmed} unwinnable verdicts confirmed");
        }
        let verdicts = Color::ALL.map(|side| solver.winnable(&position, side, BUDGET));
        let fen = position.fen();
        for (side, verdict) in Color::ALL.into_iter().zip(&verdicts) {
            if let Verdict::Winnable(line) = verdict {
                let mut at = position;
                for &mv in line {
                    assert!(at.is_legal(mv), "{fen}: {mv:?} for {side}");
                    at.play(mv);
                }
                assert!(at.is_checkmate() && at.turn() != side, "{fen} for {side}");
                winnable += 1;
            }
        }
        if looked % 16 == 0 {
            let flipped = Position::<Chess>::from_playable_setup(&with_colors_exchanged(&setup))
                .expect("the colours do not matter");
            for (side, verdict) in Color::ALL.into_iter().zip(&verdicts) {
                let other = solver.winnable(&flipped, !side, BUDGET);
                let contradict = verdict.is_winnable() && other.is_unwinnable()
                    || verdict.is_unwinnable() && other.is_winnable();
                assert!(!contradict, "{fen} and its mirror, for {side}");
            }
        }
        undecided += verdicts
            .iter()
            .filter(|verdict| matches!(verdict, Verdict::Undecided { .. }))
            .count() as u64;
        if !verdicts.iter().any(Verdict::is_unwinnable) {
            continue;
        }
        let truth = plain_closure(&position, LIMIT);
        for (side, verdict) in Color::ALL.into_iter().zip(&verdicts) {
            if verdict.is_unwinnable() {
                assert!(
                    !truth.wins[side as usize],
                    "{fen}: {side} can win: {verdict:?}"
                );
                *(if truth.complete {
                    &mut confirmed
                } else {
                    &mut beyond
                }) += 1;
            } else if verdict.is_winnable() && truth.complete {
                assert!(
                    truth.wins[side as usize],
                    "{fen}: {side} cannot win: {verdict:?}"
                );
            }
        }
    }
    println!(
        "{looked} positions, seed {seed:#x}: {winnable} lines replayed, {confirmed} unwinnable \
         verdicts confirmed by closure, {beyond} not refuted within it, {undecided} undecided"
    );
}

#[test]
fn mutated_positions_agree_with_the_plain_closure() {
    fuzz(1_000, 0x7061_7765_6e64_6564);
}

/// A million positions: some minutes in a release build. Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_million_mutated_positions_agree_with_the_plain_closure() {
    fuzz(1_000_000, 0x2026_1115_dead_beef);
}
