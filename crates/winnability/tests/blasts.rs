//! Small endings of Atomic and simple Atomic, placed at random: each must be decided, lines must win,
//! and what is said to be unwinnable must not be won by any short series of moves.

use std::collections::{HashSet, VecDeque};

use touchmove_rules::{Atomic, Color, Outcome, Position, Role, Rules, Setup, SimpleAtomic, Square};
use touchmove_winnability::{Budget, Solver, Verdict};

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

    /// Two kings and up to five other men.
    fn ending(&mut self) -> Setup {
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
            turn: Color::ALL[self.roll(2)],
            ..Setup::empty()
        };
        for _ in 0..=self.roll(5) {
            let role = ROLES[self.roll(ROLES.len())];
            let color = Color::ALL[self.roll(2)];
            setup.board.set(self.square(), role.of(color));
        }
        for color in Color::ALL {
            setup.board.set(self.square(), Role::King.of(color));
        }
        setup
    }
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
        let Ok(position) = Position::<R>::from_playable_setup(&dice.ending()) else {
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
