//! Positions with castling rights: a king and its rooks are put on their first rank, where the variant allows castling,
//! in another position or walled in by pawns. Whether anybody castles is left to the moves.

use touchmove_rules::{
    Bitboard, Chess, Chess960, Color, Fen, File, Position, Rank, Role, Rules, Setup, Square,
    Variant, attacks,
};

use crate::fuzz::{TestRng, USUAL_EFFORT, arguments_against, examine, mutate, seen_otherwise};
use crate::{Budget, Solver, Winnability};

/// A position with castling rights: kings and rooks added to `setup`, or a walled first rank.
pub(super) fn castle<R: Rules>(setup: &Setup, dice: &mut TestRng) -> Setup {
    if dice.chance(2) {
        return walled_home::<R>(dice);
    }
    if R::VARIANT == Variant::Chess960 && dice.chance(2) {
        return locked_but_for_castling(dice);
    }
    let mut setup = *setup;
    let sides = match dice.roll(3) {
        0 => &Color::ALL[..],
        one => &Color::ALL[one - 1..one],
    };
    for &side in sides {
        allow::<R>(&mut setup, side, dice);
    }
    if dice.chance(2) {
        for rook in setup.castling {
            clear_way(&mut setup, rook);
        }
    }
    setup
}

/// Gives a side castling rights on one side or both, unless the other king is in the way.
fn allow<R: Rules>(setup: &mut Setup, side: Color, dice: &mut TestRng) {
    let is_chess960 = R::VARIANT == Variant::Chess960;
    let first = |file: usize| Square::at(File::ALL[file], Rank::First.of(side));
    let king = if is_chess960 { 1 + dice.roll(6) } else { 4 };
    let rooks = if is_chess960 {
        [dice.roll(king), king + 1 + dice.roll(7 - king)]
    } else {
        [0, 7]
    };
    let rooks = match dice.roll(3) {
        0 => &rooks[..],
        one => &rooks[one - 1..one],
    };
    let is_taken = |file| setup.board.piece_at(first(file)) == Some(Role::King.of(!side));
    if is_taken(king) || rooks.iter().any(|&rook| is_taken(rook)) {
        return;
    }
    if let Some(king) = setup.board.king_of(side) {
        setup.board.remove(king);
    }
    setup.board.set(first(king), Role::King.of(side));
    for &rook in rooks {
        setup.board.set(first(rook), Role::Rook.of(side));
        setup.castling.insert(first(rook));
    }
}

/// Removes the pieces between a rook and the king that may castle with it.
fn clear_way(setup: &mut Setup, rook: Square) {
    let side = setup.board.color_at(rook).expect("a rook stands there");
    let king = setup.board.king_of(side).expect("a king may castle");
    for between in attacks::between(king, rook) - setup.board.by_role(Role::King) {
        setup.board.remove(between);
    }
}

/// A first rank behind a wall of pieces without moves: on every second file, pawns on the second, third and fourth
/// ranks, blocked by an enemy pawn; on the files between, a pawn behind a bishop. On the first rank stand a king, its
/// rooks and perhaps other pieces; outside, the other king, perhaps with a piece. Here and there the wall has a hole.
/// The closures of such positions are small enough to finish.
fn walled_home<R: Rules>(dice: &mut TestRng) -> Setup {
    const COLUMNS: [&[(Rank, Role)]; 2] = [
        &[
            (Rank::Second, Role::Pawn),
            (Rank::Third, Role::Pawn),
            (Rank::Fourth, Role::Pawn),
        ],
        &[(Rank::Second, Role::Pawn), (Rank::Third, Role::Bishop)],
    ];
    let side = dice.color();
    let mut setup = Setup {
        turn: dice.color(),
        ..Setup::empty()
    };
    let odd = dice.roll(2);
    for (number, file) in File::ALL.into_iter().enumerate() {
        let column = (number + odd) % 2;
        for &(rank, role) in COLUMNS[column] {
            let at = Square::at(file, rank.of(side));
            if !dice.chance(64) {
                setup.board.set(at, role.of(side));
            }
        }
        if column == 0 && !dice.chance(64) {
            let stopper = Square::at(file, Rank::Fifth.of(side));
            setup.board.set(stopper, Role::Pawn.of(!side));
        }
        let first = Square::at(file, Rank::First.of(side));
        let role = [Role::Bishop, Role::Knight, Role::Queen][dice.roll(3)];
        if dice.chance(3) {
            setup.board.set(first, role.of(side));
        }
    }
    let outside = |dice: &mut TestRng| {
        let rank = Rank::ALL[5 + dice.roll(3)].of(side);
        Square::at(File::ALL[dice.roll(8)], rank)
    };
    if dice.chance(4) {
        let role = [Role::Bishop, Role::Knight, Role::Rook][dice.roll(3)];
        let at = outside(dice);
        setup.board.set(at, role.of(!side));
    }
    let at = outside(dice);
    setup.board.set(at, Role::King.of(!side));
    allow::<R>(&mut setup, side, dice);
    for rook in setup.castling {
        if !dice.chance(4) {
            clear_way(&mut setup, rook);
        }
    }
    setup
}

/// White's only moves are castling ones, in which king and rook change places or the rook goes to the other side of the
/// king. Only after that can anybody win.
const LOCKED_BUT_FOR_CASTLING: [&str; 2] = [
    "7k/8/8/8/8/p1p1p1p1/P1P1PpP1/1BRK1B2 b C - 0 1",
    "7k/8/8/8/8/3p1p1p/3PpP1P/4B1KR b H - 0 1",
];

/// One of those, changed a little, as either colour.
fn locked_but_for_castling(dice: &mut TestRng) -> Setup {
    let fen = LOCKED_BUT_FOR_CASTLING[dice.roll(2)];
    let Fen(position) = fen.parse().expect("a FEN");
    let mut setup = position;
    mutate(&mut setup, dice);
    setup.en_passant = None;
    let is_there = |rook: &Square| {
        let rank = Bitboard::from(rook.rank());
        let king = setup.board.king_of(Color::White);
        setup.board.piece_at(*rook) == Some(Role::Rook.of(Color::White))
            && king.is_some_and(|king| rank.contains(king))
    };
    setup.castling = position.castling.into_iter().filter(is_there).collect();
    if dice.chance(2) {
        setup = seen_otherwise(&setup, Square::flip, true);
    }
    setup
}

/// Maps castling rights to other squares.
pub(super) fn moved(rights: Bitboard, square: impl Fn(Square) -> Square) -> Bitboard {
    rights.into_iter().map(square).collect()
}

#[test]
fn men_that_only_castling_lets_out_are_not_locked() {
    for fen in LOCKED_BUT_FOR_CASTLING {
        let position = Position::<Chess960>::from_fen(fen).expect("a position");
        for side in Color::ALL {
            assert!(arguments_against(&position, side).is_empty(), "{fen}");
            let verdict = Solver::new().winnable(&position, side, Budget::default());
            let Winnability::Winnable(line) = verdict else {
                panic!("{fen}: {side}: {verdict:?}");
            };
            assert!(
                line.iter().any(|mv| mv.castling_side().is_some()),
                "{fen}: {side}"
            );
        }
        let Fen(mut setup) = fen.parse().expect("a FEN");
        setup.castling = Bitboard::EMPTY;
        let without = Position::<Chess960>::from_setup(&setup).expect("a position");
        for side in Color::ALL {
            let verdict = Solver::new().winnable(&without, side, Budget::default());
            assert!(verdict.is_unwinnable(), "{fen}: {side}: {verdict:?}");
        }
    }
}

/// Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_walled_homes_agree_with_the_plain_closure() {
    let seen = examine::<Chess>(60_000, 0x2026_1117_7761_6c6c, USUAL_EFFORT, |dice| {
        walled_home::<Chess>(dice)
    });
    assert!(seen.rare_with_material.castling >= 20_000);
}
