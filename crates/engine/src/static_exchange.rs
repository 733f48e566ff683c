//! Static exchange evaluation: what a capture wins after all recaptures, and what an explosion removes. Pins and checks
//! are left to the search.

use touchmove_rules::{Bitboard, Board, Color, Move, Position, Role, Rules, Square, attacks};

/// The values of the roles in exchanges; a king is worth the game.
pub(crate) const EXCHANGE_VALUES: [i32; 6] = [100, 325, 335, 500, 975, 20_000];

#[inline]
pub(crate) fn value(role: Role) -> i32 {
    EXCHANGE_VALUES[role as usize]
}

/// What a move wins before any reply: the captured or exploded pieces, and the gain of a promotion.
#[inline]
pub(crate) fn gain<R: Rules>(position: &Position<R>, mv: Move) -> i32 {
    if R::CAPTURES_EXPLODE && mv.is_capture() {
        return blast(
            position.board(),
            position.turn(),
            position.exploded_squares(mv),
        );
    }
    let captive = match mv.captured_square() {
        Some(square) => position.board().role_at(square).map_or(0, value),
        None => 0,
    };
    let promotion = mv
        .promotes_to()
        .map_or(0, |role| value(role) - EXCHANGE_VALUES[0]);
    captive + promotion
}

/// The value of the enemy's exploded pieces, less that of our own.
#[inline]
fn blast(board: &Board, us: Color, casualties: Bitboard) -> i32 {
    let own = board.by_color(us);
    casualties
        .into_iter()
        .filter_map(|square| {
            let worth = value(board.role_at(square)?);
            Some(if own.contains(square) { -worth } else { worth })
        })
        .sum()
}

/// Whether a move wins at least `threshold` (loses no more, if it is negative) when both sides then capture on its
/// square as long as it pays.
pub(crate) fn exchange_gains_at_least<R: Rules>(
    position: &Position<R>,
    mv: Move,
    threshold: i32,
) -> bool {
    if mv.kind().is_castling() {
        return threshold <= 0;
    }
    if R::CAPTURES_EXPLODE {
        if mv.is_capture() {
            gain(position, mv) >= threshold
        } else {
            gain(position, mv) - answer_by_blast(position, mv) >= threshold
        }
    } else {
        swap_is_worth(
            position.board(),
            position.turn(),
            mv,
            gain(position, mv),
            threshold,
        )
    }
}

/// What the enemy wins by capturing the piece that has just moved quietly, where captures explode.
fn answer_by_blast<R: Rules>(position: &Position<R>, mv: Move) -> i32 {
    let (board, us, to) = (position.board(), position.turn(), mv.to());
    let around = attacks::king(to);
    let kings = board.by_role(Role::King);
    if (around & kings & board.by_color(!us)).any() {
        return 0; // Their own king would go too.
    }
    let occupied = (board.occupied() - mv.from().set()) | to.set();
    let takers = board.attackers(to, !us, occupied) - kings;
    if takers.is_empty() {
        return 0;
    }
    let fallen = (around & occupied) - board.by_role(Role::Pawn) - to.set();
    let moved = value(mv.promotes_to().unwrap_or(mv.role()));
    // A capturing piece that stands within the explosion is lost to any other capture as well.
    let taker = if (takers & fallen).any() {
        0
    } else {
        least(board, takers).map_or(0, |(_, role)| value(role))
    };
    (moved - blast(board, us, fallen) - taker).max(0)
}

/// The least valuable of some pieces.
#[inline]
fn least(board: &Board, men: Bitboard) -> Option<(Square, Role)> {
    for role in Role::ALL {
        if let Some(square) = (men & board.by_role(role)).first() {
            return Some((square, role));
        }
    }
    None
}

/// The exchange on one square: each side captures with its least valuable piece, or stops.
fn swap_is_worth(board: &Board, us: Color, mv: Move, gain: i32, threshold: i32) -> bool {
    let to = mv.to();
    let mut occupied = (board.occupied() - mv.from().set()) | to.set();
    if mv.kind().is_en_passant()
        && let Some(captive) = mv.captured_square()
    {
        occupied -= captive.set();
    }
    let mut stake = value(mv.promotes_to().unwrap_or(mv.role()));
    let mut balance = gain - threshold;
    loop {
        // The enemy may stop or capture: stopping must not suffice, and a capture must be possible.
        if balance < 0 {
            return false;
        }
        if balance >= stake {
            return true;
        }
        let Some((square, role)) = taker(board, to, !us, occupied) else {
            return true;
        };
        balance -= stake;
        stake = value(role);
        occupied -= square.set();
        // We are behind now and must recapture.
        if balance + stake < 0 {
            return false;
        }
        let Some((square, role)) = taker(board, to, us, occupied) else {
            return false;
        };
        balance += stake;
        stake = value(role);
        occupied -= square.set();
    }
}

/// The least valuable piece of a side that can capture on a square; the king only where it cannot be recaptured.
#[inline]
fn taker(board: &Board, to: Square, side: Color, occupied: Bitboard) -> Option<(Square, Role)> {
    let (square, role) = least(board, board.attackers(to, side, occupied) & occupied)?;
    let is_guarded = || {
        let rest = occupied - square.set();
        (board.attackers(to, !side, rest) & rest).any()
    };
    (role != Role::King || !is_guarded()).then_some((square, role))
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::{Atomic, Chess, SimpleAtomic};

    /// Brute force: what the side that may capture on the square wins, with the least valuable piece first and each
    /// side free to stop.
    fn by_trying(board: &Board, square: Square, side: Color) -> i32 {
        let Some(captive) = board.role_at(square) else {
            return 0;
        };
        let Some((from, role)) = board
            .attackers(square, side, board.occupied())
            .into_iter()
            .filter_map(|from| Some((from, board.role_at(from)?)))
            .min_by_key(|&(from, role)| (role, from))
        else {
            return 0;
        };
        let mut after = *board;
        after.remove(from);
        after.set(square, role.of(side));
        if role == Role::King && after.attackers(square, !side, after.occupied()).any() {
            return 0;
        }
        (value(captive) - by_trying(&after, square, !side)).max(0)
    }

    fn random_positions<R: Rules>(count: usize) -> Vec<Position<R>> {
        let mut seed = 7_u64;
        let mut positions = Vec::new();
        while positions.len() < count {
            let mut position = Position::<R>::start();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.play(moves[(seed >> 33) as usize % moves.len()]);
                positions.push(position);
            }
        }
        positions
    }

    #[test]
    fn exchanges_are_worth_what_trying_them_gives() {
        let mut captures = 0;
        for position in random_positions::<Chess>(3000) {
            for mv in position.legal_moves() {
                let is_plain = mv.promotes_to().is_none() && !mv.kind().is_castling();
                if !is_plain || mv.kind().is_en_passant() {
                    continue;
                }
                captures += usize::from(mv.is_capture());
                let board = position.after(mv);
                let won = gain(&position, mv) - by_trying(board.board(), mv.to(), board.turn());
                for threshold in [won - 1, won, won + 1, -200, 0, 100] {
                    assert_eq!(
                        exchange_gains_at_least(&position, mv, threshold),
                        won >= threshold,
                        "{mv:?} in {} is worth {won}, not {threshold}",
                        position.fen()
                    );
                }
            }
        }
        assert!(captures > 2000);
    }

    /// The material balance of a side, kings included.
    fn count_men<R: Rules>(position: &Position<R>, side: Color) -> i32 {
        let men = position.board().iter();
        men.map(|(_, piece)| {
            let worth = value(piece.role);
            if piece.color == side { worth } else { -worth }
        })
        .sum()
    }

    #[test]
    fn a_blast_is_worth_what_is_gone_after_it() {
        fn check<R: Rules>() {
            for position in random_positions::<R>(2000) {
                let us = position.turn();
                let before = count_men(&position, us);
                for mv in position.captures() {
                    let won = count_men(&position.after(mv), us) - before;
                    // A pawn that promotes by capture explodes before it promotes.
                    assert_eq!(gain(&position, mv), won, "{mv:?} in {}", position.fen());
                }
            }
        }
        check::<Atomic>();
        check::<SimpleAtomic>();
    }

    #[test]
    fn a_quiet_move_loses_what_the_best_blast_on_its_square_takes() {
        let mut answered = 0;
        for position in random_positions::<Atomic>(2000) {
            let us = position.turn();
            for mv in position.legal_moves() {
                if mv.is_capture() || mv.kind().is_castling() || mv.promotes_to().is_some() {
                    continue;
                }
                let after = position.after(mv);
                if after.is_check() {
                    continue;
                }
                let before = count_men(&after, us);
                let lost = after
                    .captures()
                    .into_iter()
                    .filter(|answer| answer.to() == mv.to())
                    .map(|answer| before - count_men(&after.after(answer), us))
                    .max()
                    .unwrap_or(0)
                    .max(0);
                answered += usize::from(lost > 0);
                // Pins are not seen, so the threat may be overestimated, never underestimated.
                assert!(
                    answer_by_blast(&position, mv) >= lost.min(1000),
                    "{}",
                    position.fen()
                );
            }
        }
        assert!(answered > 200);
    }
}
