//! Which captures would blow up a king, whoever is on move: the threats to a king where captures explode.

use crate::variant::Rules;
use crate::{Bitboard, Color, Position, Role, Square, attacks};

impl<R: Rules> Position<R> {
    /// The pieces of the other side whose capture by `us` would blow up or capture that side's king
    /// and spare our own; empty where captures do not explode. Whether `us` can capture them is not
    /// checked, and en passant is left out. Where there is check, an attack on the king itself is
    /// check and not included here.
    ///
    /// ```
    /// use touchmove_rules::{Atomic, Color, Position, Square};
    ///
    /// let position = Position::<Atomic>::from_fen("4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1").unwrap();
    /// assert_eq!(position.explosion_targets(Color::White), Square::D7.set());
    /// assert_eq!(position.capturers(Square::D7, Color::White), Square::D1.set());
    /// ```
    #[inline]
    #[must_use]
    pub fn explosion_targets(&self, us: Color) -> Bitboard {
        let board = self.board();
        let (true, Some(ours), Some(theirs)) =
            (R::CAPTURES_EXPLODE, board.king_of(us), board.king_of(!us))
        else {
            return Bitboard::EMPTY;
        };
        let mut captives = attacks::king(theirs) & board.by_color(!us);
        if !R::HAS_CHECK {
            captives |= theirs.set();
        }
        // A capture next to our own king is no threat: both kings would explode.
        captives - attacks::king(ours)
    }

    /// The pieces of `us` that attack a square and could capture what stands there; where captures
    /// explode, kings capture nothing. Pins are ignored: blowing up the king wins at once.
    #[inline]
    #[must_use]
    pub fn capturers(&self, target: Square, us: Color) -> Bitboard {
        let board = self.board();
        let attackers = board.attackers(target, us, board.occupied());
        match R::CAPTURES_EXPLODE {
            true => attackers - board.by_role(Role::King),
            false => attackers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Atomic, Chess, SimpleAtomic};

    /// Compares with making every capture, in random games.
    fn agrees<R: Rules>() {
        let mut seed = 7_u64;
        let mut found = 0;
        for _ in 0..150 {
            let mut position = Position::<R>::start();
            for _ in 0..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let us = position.turn();
                let king = position.board().by_color_and_role(Role::King.of(!us));
                let fatal = moves.iter().filter(|mv| {
                    let dead = position.exploded_squares(**mv);
                    !mv.kind().is_en_passant() && (dead & king).any()
                });
                let made = fatal.fold(Bitboard::EMPTY, |all, mv| all | mv.to().set());
                let told = position.explosion_targets(us).into_iter();
                let told = told.filter(|&captive| position.capturers(captive, us).any());
                let told = told.fold(Bitboard::EMPTY, |all, captive| all | captive.set());
                assert_eq!(told, made, "{}", position.fen());
                found += usize::from(made.any());
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.play(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
        assert!(found > 50, "{found}");
    }

    #[test]
    fn captives_are_fatal_exactly_when_the_blast_takes_the_king() {
        agrees::<Atomic>();
        agrees::<SimpleAtomic>();
    }

    #[test]
    fn where_nothing_explodes_nothing_is_fatal() {
        let position = Position::<Chess>::start();
        assert!(position.explosion_targets(Color::White).is_empty());
    }
}
