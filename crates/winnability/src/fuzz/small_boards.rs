//! Boxes: positions with en passant captures or promotions whose plain closure still finishes, because nearly all
//! pieces are locked in for good. They have no castling.

use std::collections::HashSet;

use touchmove_rules::{Chess, Color, File, Position, Rank, Role, Setup, Square};

use crate::Budget;
use crate::fuzz::{Effort, TestRng, VerdictCounts, examine, mutate};

/// The effort for a box: larger than for other positions, because boxes have few moves but long lines.
const BOX_EFFORT: Effort = Effort {
    budget: Budget::of_positions(5_000),
    limit: 40_000,
};

/// Puts a piece on a square if it is empty; the rank is counted from 0 from its side of the board.
fn set(setup: &mut Setup, file: usize, rank: usize, role: Role, color: Color) {
    let at = Square::at(File::ALL[file], Rank::ALL[rank].of(color));
    if setup.board.role_at(at).is_none() {
        setup.board.set(at, role.of(color));
    }
}

/// Fills a side's last rank with its pieces, and the rank before it with its pawns, which these pieces block.
///
/// In a gap between the pawns stands an enemy pawn that has not moved yet, and next to its path a pawn of this side
/// that may capture it en passant. It gets as far as the bishop behind the gap, which has no move. In a hole between
/// the pieces pawns promote, and pieces behind the hole keep the new piece in.
fn garrison(
    setup: &mut Setup,
    side: Color,
    gap: Option<usize>,
    hole: Option<usize>,
    dice: &mut TestRng,
) {
    for file in 0..8 {
        let away = |from: Option<usize>| from.map_or(8, |from| from.abs_diff(file));
        let role = match (away(gap), away(hole)) {
            (_, 0) => None,
            (0, _) | (_, 1) => Some(Role::Bishop),
            (1, _) => Some(Role::Rook),
            _ => Some([Role::Queen, Role::Queen, Role::Rook, Role::Bishop][dice.roll(4)]),
        };
        if let Some(role) = role {
            set(setup, file, 7, role, side);
        }
        if away(gap) > 0 {
            set(setup, file, 6, Role::Pawn, side);
        }
        if away(hole) <= 2 {
            set(setup, file, 5, Role::Pawn, side);
        }
    }
    if let Some(file) = gap {
        set(setup, file, 1, Role::Pawn, !side);
        let is_left = file == 7 || file > 0 && dice.chance(2);
        let taker = if is_left { file - 1 } else { file + 1 };
        set(setup, taker, 2 + dice.roll(3), Role::Pawn, side);
    }
}

/// Two garrisons, and perhaps a pawn between them. At most one has a hole, and then the other side's king is among its
/// pieces: a king outside would capture pawns or let the new pieces out, and the closure would not finish.
fn two_garrisons(dice: &mut TestRng) -> Setup {
    let mut setup = Setup {
        turn: dice.color(),
        ..Setup::empty()
    };
    let promoting = dice.chance(2).then(|| dice.color());
    for side in Color::ALL {
        let gap = (!dice.chance(4)).then(|| dice.roll(8));
        let hole = (promoting == Some(side)).then(|| dice.roll(8));
        garrison(&mut setup, side, gap, hole, dice);
        if dice.chance(2) || promoting == Some(!side) {
            let at = Square::at(File::ALL[dice.roll(8)], Rank::Eighth.of(side));
            setup.board.set(at, Role::King.of(side));
        }
    }
    if dice.chance(3) {
        let color = dice.color();
        set(
            &mut setup,
            dice.roll(8),
            2 + dice.roll(4),
            Role::Pawn,
            color,
        );
    }
    for color in Color::ALL {
        while setup.board.king_of(color).is_none() {
            set(
                &mut setup,
                dice.roll(8),
                2 + dice.roll(4),
                Role::King,
                color,
            );
        }
    }
    setup
}

/// Examines `wanted` different boxes, one in eight mutated a little.
fn open(wanted: u64, seed: u64) -> VerdictCounts {
    let mut opened = HashSet::new();
    examine::<Chess>(wanted, seed, BOX_EFFORT, |dice| {
        loop {
            let mut setup = two_garrisons(dice);
            if dice.chance(8) {
                mutate(&mut setup, dice);
            }
            let position = Position::<Chess>::from_setup(&setup);
            if position.is_ok_and(|position| opened.insert(position.pack())) {
                return setup;
            }
        }
    })
}

#[test]
fn boxes_agree_with_the_plain_closure() {
    let VerdictCounts {
        rare_with_material, ..
    } = open(160, 0x626f_7865_7321_2121);
    assert!(rare_with_material.in_passing > 0, "{rare_with_material:?}");
    assert!(rare_with_material.promotion > 0, "{rare_with_material:?}");
}

/// Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes a quarter of an hour"]
fn many_boxes_agree_with_the_plain_closure() {
    let VerdictCounts {
        rare_with_material, ..
    } = open(190_000, 0x2026_1117_626f_7865);
    assert!(rare_with_material.in_passing >= 20_000);
    assert!(rare_with_material.promotion >= 20_000);
}
