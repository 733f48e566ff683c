//! [`KingDistances`]: how far the kings are from a place where the structure of the position leaves room for a mate. It
//! orders a search and proves nothing.

use touchmove_rules::{Color, Square, attacks};

use crate::proof::structure::ReachSurvey;

/// For each pair of squares of the losing and the winning king, how many king steps lead to a pair with which there
/// might be a mate.
#[derive(Debug)]
pub(crate) struct KingDistances {
    steps: Vec<u8>,
}

/// The distance of pairs that are farther away or have no path.
const FAR_DISTANCE: u8 = 40;

impl KingDistances {
    /// Computes the distances for a position.
    pub fn new(survey: &ReachSurvey, winner: Color) -> KingDistances {
        let (flee, chase) = (survey.king_squares(!winner), survey.king_squares(winner));
        let mut steps = vec![FAR_DISTANCE; 64 * 64];
        let mut reached: Vec<(Square, Square)> = Vec::new();
        for k in survey.mate_squares(winner) {
            for w in survey.mating_squares(k, winner) {
                steps[64 * k.index() + w.index()] = 0;
                reached.push((k, w));
            }
        }
        let mut next = 0;
        while let Some(&(k, w)) = reached.get(next) {
            next += 1;
            let farther = steps[64 * k.index() + w.index()] + 1;
            let apart = |a: Square, b: Square| a.distance(b) > 1;
            let flights = (attacks::king(k) & flee).into_iter().map(|k| (k, w));
            let chases = (attacks::king(w) & chase).into_iter().map(|w| (k, w));
            for (k, w) in flights.chain(chases) {
                let entry = &mut steps[64 * k.index() + w.index()];
                if *entry > farther && apart(k, w) {
                    *entry = farther;
                    reached.push((k, w));
                }
            }
        }
        KingDistances { steps }
    }

    /// How many steps these kings are from a pair of squares with a possible mate.
    pub fn steps(&self, losing: Square, winning: Square) -> usize {
        usize::from(self.steps[64 * losing.index() + winning.index()])
    }
}
