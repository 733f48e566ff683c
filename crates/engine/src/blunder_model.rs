//! [`BlunderModel`]: what a weaker player overlooks. It misses some replies of the opponent and misjudges positions a
//! little, always the same ones for the same seed.

use touchmove_rules::{Move, Position, Role, Rules};

use crate::explosion;
use crate::static_exchange;

/// How much a player overlooks. A capture on the square just moved to is never overlooked, nor is a capture of the
/// queen anywhere: an opponent that gives these away is no fun to play.
///
/// ```
/// use touchmove_engine::{BlunderModel, Engine, Limits, TranspositionTable, NoObserver};
/// use touchmove_rules::{Chess, Position};
///
/// let blind = BlunderModel { seed: 7, overlooks: 40, blur: 60, misses_mate: true };
/// let limits = Limits { nodes: Some(200), blindness: Some(blind), ..Limits::default() };
/// let start = Position::<Chess>::start();
/// let moves = [(), ()].map(|()| {
///     let table = TranspositionTable::with_megabytes(1);
///     Engine::new().search(&start, &[], &limits, &table, &mut NoObserver).best()
/// });
/// assert_eq!(moves[0], moves[1], "the same seed sees the same");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlunderModel {
    /// Selects the positions and moves that are overlooked.
    pub seed: u64,
    /// The percentage of quiet replies that are overlooked; half of it for captures.
    pub overlooks: u32,
    /// The maximum error of an evaluation, in hundredths of a pawn.
    pub blur: i32,
    /// Whether a reply that ends the game at once can be overlooked.
    pub misses_mate: bool,
}

impl BlunderModel {
    /// A pseudorandom number, the same for the same question.
    fn lot(&self, question: u64) -> u64 {
        let mixed = (self.seed ^ question).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ (mixed >> 32)
    }

    /// The error in the evaluation of a position.
    pub(crate) fn error(&self, key: u64) -> i32 {
        // The sum of two random numbers is small more often than large.
        let lot = self.lot(key);
        let width = self.blur as i64 + 1;
        let roll = |part: u64| (part & 0xffff) as i64 * width / 0x1_0000;
        (roll(lot) - roll(lot >> 16)) as i32
    }

    /// Whether a game-ending explosion is overlooked in this position.
    pub(crate) fn misses_blast(&self, key: u64) -> bool {
        self.misses_mate && self.lot(!key) % 200 < u64::from(self.overlooks)
    }

    /// Whether a reply to the move that went to `arrival` is overlooked.
    pub(crate) fn overlooks<R: Rules>(
        &self,
        position: &Position<R>,
        mv: Move,
        arrival: Option<usize>,
    ) -> bool {
        let key = position.key();
        let squares = (mv.from().index() * 64 + mv.to().index()) as u64;
        let chances = if mv.is_capture() { 200 } else { 100 };
        let ends_by_blast =
            R::CAPTURES_EXPLODE && mv.is_capture() && explosion::takes_king(position, mv);
        if ends_by_blast {
            return self.misses_blast(key);
        }
        if self.lot(key.rotate_left(17) ^ squares) % chances >= u64::from(self.overlooks) {
            return false;
        }
        let takes_what_moved =
            mv.is_capture() && arrival.is_some_and(|it| it % 64 == mv.to().index());
        if takes_what_moved || takes_queen(position, mv) {
            return false;
        }
        self.misses_mate || !position.after(mv).is_checkmate()
    }
}

/// Whether the move captures or explodes the opponent's queen.
fn takes_queen<R: Rules>(position: &Position<R>, mv: Move) -> bool {
    let queens = position
        .board()
        .by_color_and_role(Role::Queen.of(!position.turn()));
    if R::CAPTURES_EXPLODE && mv.is_capture() {
        return (position.exploded_squares(mv) & queens).any()
            && static_exchange::gain(position, mv) > 0;
    }
    mv.captured_square()
        .is_some_and(|square| queens.contains(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::Chess;

    const BLIND: BlunderModel = BlunderModel {
        seed: 3,
        overlooks: 50,
        blur: 80,
        misses_mate: true,
    };

    #[test]
    fn judgements_are_wrong_both_ways_and_never_too_far() {
        let errors: Vec<i32> = (0..2000).map(|key| BLIND.error(key)).collect();
        let sum: i32 = errors.iter().sum();
        assert!(errors.iter().all(|error| error.abs() <= 80));
        assert!(sum.abs() < 2000 * 4, "{sum}");
        assert!(errors.iter().any(|&error| error > 50) && errors.iter().any(|&error| error < -50));
        let sharp = BlunderModel { blur: 0, ..BLIND };
        assert!((0..500).all(|key| sharp.error(key) == 0));
    }

    #[test]
    fn half_of_the_quiet_answers_are_overlooked_and_never_the_loss_of_the_queen() {
        let start = Position::<Chess>::start();
        let quiet = start.read_san("e4").unwrap();
        let count = (0..1000)
            .filter(|&seed| BlunderModel { seed, ..BLIND }.overlooks(&start, quiet, None))
            .count();
        assert!((420..580).contains(&count), "{count}");
        let fen = "4k3/8/8/3q4/4P1r1/8/8/4K1R1 w - - 0 1";
        let position = Position::<Chess>::from_fen(fen).unwrap();
        let seen = |san: &str, arrival| {
            let mv = position.read_san(san).unwrap();
            (0..300)
                .filter(|&seed| !BlunderModel { seed, ..BLIND }.overlooks(&position, mv, arrival))
                .count()
        };
        assert_eq!(seen("exd5", None), 300);
        assert!(seen("Rxg4", None) < 290);
        assert_eq!(
            seen("Rxg4", Some(3 * 64 + 30)),
            300,
            "what has just moved there is seen"
        );
    }
}
