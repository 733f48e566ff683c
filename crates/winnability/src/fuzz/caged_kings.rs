//! Fuzzes outlines: generated positions with caged kings and pawns about to pass or be captured en passant, some with
//! castling rights. What outlines say for any choice of ghosts is compared with closures that use no outlines. The
//! solver is not involved.

use touchmove_rules::{
    Bitboard, Chess, Chess960, Color, Position, Rank, Role, Rules, Setup, Square,
};

use crate::fuzz::{MAX_OUTLINES, TestRng, castling, mutate, seeds};
use crate::proof::closure::{Closure, ClosureResult};
use crate::proof::exclusions::Exclusions;
use crate::proof::material;
use crate::proof::outline::{self, Outlines};

impl TestRng {
    /// True once in `of` times.
    pub fn chance(&mut self, of: usize) -> bool {
        self.roll(of) == 0
    }

    pub fn color(&mut self) -> Color {
        Color::ALL[self.roll(2)]
    }

    /// About every second of these squares.
    pub fn some_of(&mut self, squares: Bitboard) -> Bitboard {
        squares.into_iter().filter(|_| self.chance(2)).collect()
    }

    /// A random square on one of the ranks `lowest` to `highest`, counted from 0.
    fn square_on(&mut self, lowest: usize, highest: usize) -> Square {
        let rank = lowest + self.roll(highest - lowest + 1);
        Square::new((8 * rank + self.roll(8)) as u8).expect("there are 64 squares")
    }

    fn piece(&mut self) -> Role {
        [
            Role::Bishop,
            Role::Bishop,
            Role::Knight,
            Role::Knight,
            Role::Rook,
            Role::Queen,
        ][self.roll(6)]
    }
}

/// A position based on a seed, or generated. `None` if the game is over there or the position is not playable.
pub(crate) fn position<R: Rules>(seeds: &[Setup], dice: &mut TestRng) -> Option<Position<R>> {
    let setup = if dice.chance(3) {
        let mut setup = seeds[dice.roll(seeds.len())];
        mutate(&mut setup, dice);
        setup
    } else if dice.chance(4) {
        let setup = cage(dice);
        castling::castle::<R>(&setup, dice)
    } else {
        cage(dice)
    };
    let position = Position::from_setup(&setup).ok()?;
    position.outcome().is_none().then_some(position)
}

/// Blocked pawns, some pieces, and kings with a few pieces around them.
pub(super) fn cage(dice: &mut TestRng) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = dice.color();
    let [white, black] = Color::ALL.map(|color| Role::Pawn.of(color));
    for _ in 0..dice.roll(5) {
        let at = dice.square_on(1, 5);
        setup.board.set(at, white);
        setup
            .board
            .set(at.offset(0, 1).expect("a rank ahead"), black);
    }
    for _ in 0..dice.roll(3) {
        let taker = dice.square_on(4, 4);
        let Some(passer) = taker.offset(2 * dice.roll(2) as i8 - 1, 2) else {
            continue;
        };
        if dice.chance(2) {
            setup.board.set(taker, white);
            setup.board.set(passer, black);
        } else {
            setup.board.set(taker.flip(), black);
            setup.board.set(passer.flip(), white);
        }
    }
    for _ in 0..dice.roll(4) {
        let at = dice.square_on(1, 6);
        setup.board.set(at, Role::Pawn.of(dice.color()));
    }
    for color in Color::ALL {
        for _ in 0..dice.roll(4) {
            let at = dice.square();
            setup.board.set(at, dice.piece().of(color));
        }
    }
    for color in Color::ALL {
        let king = match dice.roll(3) {
            0 => dice.square_on(0, 0),
            1 => dice.square_on(7, 7),
            _ => dice.square(),
        };
        for _ in 0..dice.roll(6) {
            let beside = king.offset(dice.roll(3) as i8 - 1, dice.roll(3) as i8 - 1);
            let is_free = |at: &Square| setup.board.role_at(*at) != Some(Role::King);
            let Some(beside) = beside.filter(is_free) else {
                continue;
            };
            let is_pawn = dice.chance(2) && !Bitboard::BACK_RANKS.contains(beside);
            let role = if is_pawn { Role::Pawn } else { dice.piece() };
            setup.board.set(beside, role.of(dice.color()));
        }
        setup.board.set(king, Role::King.of(color));
    }
    setup
}

/// A random choice of ghosts, mostly ones no caller would make: pieces of both sides, and pawns where they may be
/// chosen.
pub(crate) fn choice<R: Rules>(position: &Position<R>, dice: &mut TestRng) -> Bitboard {
    let board = position.board();
    let pawns = board.by_role(Role::Pawn);
    let pieces = board.occupied() - pawns - board.by_role(Role::King);
    let mut ghosts = match dice.roll(4) {
        0 => pieces,
        1 => pieces & board.by_color(dice.color()),
        _ => dice.some_of(pieces),
    };
    for color in Color::ALL {
        let second = Bitboard::from(Rank::Second.of(!color));
        let can_pass = (pawns & board.by_color(!color) & second).any();
        if !can_pass && position.passed_square().is_none() && dice.chance(3) {
            ghosts |= dice.some_of(pawns & board.by_color(color));
        }
    }
    ghosts
}

/// Asks outlines about `wanted` positions, and compares the answers with closures of at most `most` positions.
fn compare<R: Rules>(wanted: u64, seed: u64, most: u64) {
    let seeds = seeds();
    let mut dice = TestRng(seed);
    let mut closure = Closure::default();
    let [
        mut looked,
        mut asked,
        mut proofs,
        mut castled,
        mut confirmed,
        mut beyond,
    ] = [0_u64; 6];
    while looked < wanted {
        let Some(position) = position::<R>(&seeds, &mut dice) else {
            continue;
        };
        looked += 1;
        if looked % 50_000 == 0 {
            println!("{looked} positions so far, {confirmed} proofs confirmed");
        }
        for side in Color::ALL {
            if material::lacks_material(&position, side) {
                continue;
            }
            let mut choices = outline::choices(&position, side);
            choices.extend([0; 4].map(|_| choice(&position, &mut dice)));
            asked += choices.len() as u64;
            choices.retain(|&ghosts| {
                let sketch = Outlines::prove(&position, side, ghosts, MAX_OUTLINES, &|| false);
                sketch.proof.is_some()
            });
            if choices.is_empty() {
                continue;
            }
            proofs += choices.len() as u64;
            castled += u64::from(position.castling_rights().any());
            closure.begin(&position, Exclusions::new(0));
            let most = (most, u64::MAX);
            match closure.search(&position, side, None, most, &|| false, |_, _| (None, 0)) {
                ClosureResult::Win(line) => panic!(
                    "{}: {side} can win by {line:?} in spite of {choices:?}",
                    position.fen()
                ),
                ClosureResult::Nothing { .. } => confirmed += 1,
                ClosureResult::OutOfBudget => beyond += 1,
                ClosureResult::Unpackable => panic!("{}", position.fen()),
            }
        }
    }
    println!(
        "{looked} positions of {}, seed {seed:#x}: {asked} choices of ghosts, {proofs} proofs, {castled} of \
         sides that cannot win where somebody may castle; that a side cannot win was confirmed {confirmed} \
         times by closure, and {beyond} times not refuted within it",
        R::VARIANT
    );
}

#[test]
fn outlines_with_any_ghosts_agree_with_closures() {
    compare::<Chess>(500, 0x0063_6167_6573_2121, 2_000);
    compare::<Chess960>(200, 0x0063_6167_6573_3936, 2_000);
}

/// Some minutes in a release build. Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn outlines_of_many_positions_with_any_ghosts_agree_with_closures() {
    compare::<Chess>(300_000, 0x0077_616c_6c73_2121, 20_000);
    compare::<Chess960>(100_000, 0x0077_616c_6c73_3936, 20_000);
}
