//! Whether a king can be exploded by the next move, where captures explode. Only en passant captures are not
//! considered.

use touchmove_rules::{Color, Move, Position, Role, Rules};

/// Whether `us`, if on move, could explode or capture the enemy's king. Pins do not matter: the explosion ends the
/// game. Captures next to our own king do not count, because both kings would go.
#[inline]
pub(crate) fn can_explode_king<R: Rules>(position: &Position<R>, us: Color) -> bool {
    let mut captives = position.explosion_targets(us).into_iter();
    captives.any(|captive| position.capturers(captive, us).any())
}

/// Whether a capture explodes or captures the enemy's king.
#[inline]
pub(crate) fn takes_king<R: Rules>(position: &Position<R>, mv: Move) -> bool {
    let king = position
        .board()
        .by_color_and_role(Role::King.of(!position.turn()));
    (position.exploded_squares(mv) & king).any()
}

/// Whether the king of the side on move is in danger: in check, or it can be exploded.
#[inline]
pub(crate) fn is_king_explodable<R: Rules>(position: &Position<R>) -> bool {
    position.is_check() || (R::CAPTURES_EXPLODE && can_explode_king(position, !position.turn()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::{Atomic, SimpleAtomic};

    /// Compares with making every capture.
    fn check<R: Rules>() {
        let mut seed = 11_u64;
        let mut ends = 0;
        for _ in 0..300 {
            let mut position = Position::<R>::start();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let us = position.turn();
                let ends_it = moves
                    .iter()
                    .any(|&mv| !mv.kind().is_en_passant() && takes_king(&position, mv));
                assert_eq!(
                    can_explode_king(&position, us),
                    ends_it,
                    "{}",
                    position.fen()
                );
                ends += usize::from(ends_it);
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.play(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
        assert!(ends > 100, "{ends}");
    }

    #[test]
    fn a_king_can_be_blown_up_exactly_when_a_capture_does() {
        check::<Atomic>();
        check::<SimpleAtomic>();
    }
}
