//! [`TurningPoint`]: a move that changed the game, with the better move, in plain words.

use touchmove_engine::Score;
use touchmove_rules::{AnyPosition, Color, Move};

use crate::variation_text::{line, mate_words, shortened};
use crate::win_chance::Assessment;

/// A move that changed the expected result.
#[derive(Clone, PartialEq, Debug)]
pub struct TurningPoint {
    /// Its ply number, counted from 0.
    pub ply: usize,
    /// Which side made it.
    pub by: Color,
    /// The win chance before and after it, for the side that made it.
    pub chances: [f64; 2],
    /// A better line, as far as it matters; checked by a longer search.
    pub better: Vec<Move>,
    /// The turning point in words.
    pub text: String,
}

/// The result of a longer search of a move; the scores are for the side that made it.
pub(crate) struct TurningPointCheck<'a> {
    pub ply: usize,
    pub before: &'a AnyPosition,
    pub played: Move,
    pub best: &'a [Move],
    pub scores: [Score; 2],
    pub chances: [f64; 2],
}

impl TurningPointCheck<'_> {
    pub fn turning(&self) -> TurningPoint {
        let by = self.before.turn();
        let wins = match self.scores[0] {
            Score::Mate(moves @ 1..) => Some(moves.unsigned_abs()),
            _ => None,
        };
        let better = shortened(self.best, wins).to_vec();
        TurningPoint {
            ply: self.ply,
            by,
            chances: self.chances,
            text: self.words(by, &better),
            better,
        }
    }

    fn words(&self, by: Color, better: &[Move]) -> String {
        let played = line(self.before, &[self.played]);
        let [had, has] = self.chances.map(Assessment::of);
        let percent = self.chances.map(|chance| (100.0 * chance).round());
        let what = match self.scores {
            [Score::Mate(wins @ 1..), _] => {
                let moves = mate_words(wins.unsigned_abs());
                let now = match has {
                    Assessment::Winning => "still is winning",
                    other => other.past(),
                };
                format!("{by} could win in {moves}, and {now} afterwards")
            }
            [_, Score::Mate(loses)] if loses <= 0 => {
                let moves = mate_words(loses.unsigned_abs());
                format!("{by} {}; now {} wins in {moves}", had.past(), !by)
            }
            _ if had == has => format!("{by} {}, and less so afterwards", had.past()),
            _ => format!("{by} {}, and {} afterwards", had.past(), has.past()),
        };
        let better = line(self.before, better);
        format!(
            "{played}: {what} (chances {} % to {} %). Better was {better}.",
            percent[0], percent[1]
        )
    }
}
