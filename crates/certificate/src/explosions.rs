//! Checks proofs by structure where captures explode: the sets of squares that pieces can ever reach in
//! Atomic and simple Atomic must be closed under the rules of `docs/CERTIFICATES.md`, and leave no room for
//! an explosion beside the losing king, nor for a mate. It is one pass over the pieces.

use touchmove_rules::{Bitboard, Color, Position, Role, Rules, Square, attacks};

use crate::matching::can_be_filled;
use crate::parser::{CertificateError, LineReader};
use crate::structure::{
    PieceReach, attacked_squares, king_squares, one_step, promoted_steps, read_pieces, starts,
};

/// The squares of an explosion.
fn blast(at: Square) -> Bitboard {
    attacks::king(at) | at.set()
}

/// Where the pieces of a side can stand and what they can attack, without the king.
fn army(men: &[PieceReach], side: Color) -> (Bitboard, Bitboard) {
    men.iter()
        .filter(|man| man.color == side && man.role != Role::King)
        .fold((Bitboard::EMPTY, Bitboard::EMPTY), |(stands, sees), man| {
            (stands | man.everywhere(), sees | man.steps())
        })
}

/// Checks a proof by structure where captures explode.
pub(crate) fn check<R: Rules>(
    lines: &mut LineReader<'_>,
    position: &Position<R>,
    side: Color,
) -> Result<(), CertificateError> {
    let men = read_pieces(lines, position)?;
    let locked = starts(&men, |man| !man.loose);
    let kings = Color::ALL.map(|color| king_squares(&men, color));
    if kings.iter().any(|refuge| refuge.is_empty()) {
        return lines.refuse("a king is gone");
    }
    let armies = Color::ALL.map(|color| army(&men, color));
    let mut centres = Bitboard::EMPTY;
    for man in &men {
        let at = man.start.first();
        let refuse = |what: &str| match at {
            Some(at) => lines.refuse(format!("the man on {at} {what}")),
            None => lines.refuse(what),
        };
        let other = !man.color as usize;
        let steps = match man.role {
            Role::Pawn => {
                let stay =
                    |x: &PieceReach| x.color != man.color && x.role == Role::Pawn && !x.taken;
                man.reach.forward(man.color) - starts(&men, stay)
            }
            Role::King if R::HAS_CHECK => {
                let guards = men
                    .iter()
                    .filter(|x| x.color != man.color && x.role != Role::King && !x.loose);
                let guarded = guards.fold(Bitboard::EMPTY, |all, x| {
                    all | one_step(x.role, x.color, x.start)
                });
                let beside_king = one_step(Role::King, Color::White, kings[other]);
                one_step(Role::King, man.color, man.reach) - (guarded - beside_king)
            }
            role => one_step(role, man.color, man.reach),
        } - locked;
        if !steps.is_subset(man.reach) {
            return refuse("can go farther");
        }
        if steps.any() && !man.loose {
            return refuse("can move and is not loose");
        }
        if man.role == Role::Pawn && R::HAS_PROMOTION {
            let last = man.reach & Bitboard::BACK_RANKS;
            if !(last | (promoted_steps(man.promoted) - locked)).is_subset(man.promoted) {
                return refuse("can go farther as a promoted man");
            }
        }
        if man.role != Role::King {
            let (stands, sees) = armies[other];
            let survivable = |at: &Square| {
                let blast = blast(*at);
                kings.iter().all(|refuge| !refuge.is_subset(blast))
            };
            let takes: Bitboard = (man.steps() & stands)
                .into_iter()
                .filter(survivable)
                .collect();
            let is_taken = (man.everywhere() & sees)
                .into_iter()
                .any(|at| survivable(&at));
            if (takes.any() || is_taken) && !(man.taken && man.loose) {
                return refuse("may take or be taken and is not said to vanish");
            }
            centres |= takes;
        }
    }
    let blasted = one_step(Role::King, Color::White, centres);
    for man in &men {
        let exposed = match man.role {
            Role::King => Bitboard::EMPTY,
            Role::Pawn => man.promoted,
            _ => man.reach,
        };
        if (exposed & blasted).any() && !man.loose {
            return lines.refuse("a man may be blown up and is not loose");
        }
    }
    no_blast::<R>(lines, &men, side)?;
    if R::HAS_CHECK {
        no_mate(lines, position, &men, side)?;
    }
    Ok(())
}

fn no_blast<R: Rules>(
    lines: &LineReader<'_>,
    men: &[PieceReach],
    side: Color,
) -> Result<(), CertificateError> {
    let (hunted, spared) = (king_squares(men, !side), king_squares(men, side));
    let ((own, own_sees), (other, other_sees)) = (army(men, side), army(men, !side));
    for at in Square::all() {
        let beside = (attacks::king(at) & hunted).any();
        let takes = own_sees.contains(at) && other.contains(at);
        let blunders = !R::HAS_CHECK && other_sees.contains(at) && own.contains(at);
        let takes_king = !R::HAS_CHECK && own_sees.contains(at) && hunted.contains(at);
        let reaches = (takes || blunders) && beside || takes_king;
        if reaches && !spared.is_subset(blast(at)) {
            return lines.refuse(format!("a blast on {at} is not excluded"));
        }
    }
    Ok(())
}

fn no_mate<R: Rules>(
    lines: &LineReader<'_>,
    position: &Position<R>,
    men: &[PieceReach],
    side: Color,
) -> Result<(), CertificateError> {
    let armies = men.iter().filter(|man| man.role != Role::King);
    let fillers: Vec<Bitboard> = armies.map(PieceReach::everywhere).collect();
    let new_checks = needs_new_check(position, side).then(|| new_checks(men, side));
    for at in king_squares(men, !side) {
        let around = attacks::king(at);
        let (all, through) = attacked_squares(men, side, at);
        if !new_checks.unwrap_or(all).contains(at) {
            continue;
        }
        for king in king_squares(men, side) - around - at.set() {
            let open = around - ((all | through) - attacks::king(king));
            if can_be_filled(open, &fillers) {
                return lines.refuse(format!("a mate on {at} is not excluded"));
            }
        }
    }
    Ok(())
}

/// Whether the winner cannot castle and the losing king is not in check at the start.
fn needs_new_check<R: Rules>(position: &Position<R>, side: Color) -> bool {
    let board = position.board();
    let (Some(own), Some(other)) = (board.king_of(side), board.king_of(!side)) else {
        return false;
    };
    let touch = attacks::king(own).contains(other);
    let attacked = board.attackers(other, side, board.occupied()).any();
    (touch || !attacked) && (position.castling_rights() & board.by_color(side)).is_empty()
}

/// Where a piece of the winner may give a check that was not there before, and no piece attacks for good.
fn new_checks(men: &[PieceReach], side: Color) -> Bitboard {
    let (mut new, mut old) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for man in men
        .iter()
        .filter(|man| man.color == side && man.role != Role::King)
    {
        if !man.loose {
            old |= one_step(man.role, man.color, man.start);
        }
        new |= match man.role {
            Role::Pawn => {
                let moved = one_step(Role::Pawn, man.color, man.reach - man.start);
                moved | promoted_steps(man.promoted)
            }
            Role::Knight if man.reach == man.start => Bitboard::EMPTY,
            _ => man.steps(),
        };
    }
    new - old
}
