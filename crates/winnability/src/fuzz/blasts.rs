//! Small endings of Atomic and simple Atomic, placed at random: each must be decided, lines must win,
//! and what is said to be unwinnable must not be won by any short series of moves.

use std::collections::{HashSet, VecDeque};

use touchmove_rules::{Atomic, Color, Outcome, Position, Role, Rules, Setup, SimpleAtomic};

use super::Dice;
use crate::{Budget, Solver, Verdict};

/// Two kings and up to five other men.
fn ending(dice: &mut Dice) -> Setup {
    const ROLES: [Role; 8] = [
        Role::Pawn,
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Bishop,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    let mut setup = Setup {
        turn: dice.color(),
        ..Setup::empty()
    };
    for _ in 0..=dice.roll(5) {
        let man = ROLES[dice.roll(ROLES.len())].of(dice.color());
        setup.board.set(dice.square(), man);
    }
    for color in Color::ALL {
        setup.board.set(dice.square(), Role::King.of(color));
    }
    setup
}

fn is_won<R: Rules>(position: &Position<R>, side: Color) -> bool {
    position.outcome().and_then(Outcome::winner) == Some(side)
}

/// Whether one of the nearest positions, so many of them, is a win.
fn is_soon_won<R: Rules>(root: &Position<R>, side: Color, limit: usize) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([*root]);
    while let Some(position) = waiting.pop_front() {
        if is_won(&position, side) {
            return true;
        }
        if seen.len() > limit {
            return false;
        }
        for &mv in &position.legal_moves() {
            let next = position.after(mv);
            if next.packed().is_none_or(|packed| seen.insert(packed)) {
                waiting.push_back(next);
            }
        }
    }
    false
}

fn check_endings<R: Rules>(count: usize) {
    let mut dice = Dice(0x0a70_311c);
    let mut solver = Solver::<R>::new();
    let mut asked = 0;
    while asked < count {
        let Ok(position) = Position::<R>::from_setup(&ending(&mut dice)) else {
            continue;
        };
        asked += 1;
        let fen = position.fen();
        for side in Color::ALL {
            match solver.winnable(&position, side, Budget::default()) {
                Verdict::Winnable(line) => {
                    let mut at = position;
                    for mv in line {
                        assert!(at.is_legal(mv), "{fen}: {mv:?}");
                        at.play(mv);
                    }
                    assert!(is_won(&at, side), "{fen}: {side}");
                }
                Verdict::Unwinnable(proof) => {
                    let refuted = is_soon_won(&position, side, 1_000);
                    assert!(!refuted, "{fen}: {side} can win, but {proof}");
                }
                Verdict::Undecided { .. } => panic!("{fen}: whether {side} can win is undecided"),
            }
        }
    }
}

#[test]
fn small_endings_of_atomic_are_decided() {
    check_endings::<Atomic>(400);
}

#[test]
fn small_endings_of_simple_atomic_are_decided() {
    check_endings::<SimpleAtomic>(400);
}
