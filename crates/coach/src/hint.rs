//! [`Hint`]: one move with a line, and whether it is proved or estimated.

use touchmove_engine::{Engine, Limits, Score, SearchObserver, TranspositionTable};
use touchmove_rules::{AnyPosition, Move};

use crate::mate_proof::MateProof;
use crate::variation_text::{line, mate_words, shortened};
use crate::win_chance::{Assessment, chance};

/// The size of the transposition table for a hint, in megabytes.
const HINT_TABLE_MEGABYTES: usize = 16;

/// A good move, as far as the coach can see.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The move, and a likely continuation.
    pub line: Vec<Move>,
    /// The score for the side on move.
    pub score: Score,
    /// Whether it is a forced win: every reply was tried.
    pub is_proved: bool,
    /// The hint as a sentence.
    pub text: String,
}

impl Hint {
    /// The move.
    #[must_use]
    pub fn best(&self) -> Move {
        self.line[0]
    }

    /// Searches for a move; `None` if no move is legal. `past` holds the keys of the game's earlier positions.
    ///
    /// ```
    /// use touchmove_coach::Hint;
    /// use touchmove_engine::NoObserver;
    /// use touchmove_rules::{AnyPosition, Variant};
    ///
    /// let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    /// let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
    /// let hint = Hint::find(&position, &[], 5000, &mut NoObserver).unwrap();
    /// assert_eq!(hint.text, "Ra8# wins at once (proved).");
    /// ```
    #[must_use]
    pub fn find(
        position: &AnyPosition,
        past: &[u64],
        nodes: u64,
        watch: &mut dyn SearchObserver,
    ) -> Option<Hint> {
        let mut engine = Engine::new();
        let table = TranspositionTable::with_megabytes(HINT_TABLE_MEGABYTES);
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let found = engine.search_any(position, past, &limits, &table, watch);
        let best = found.lines.into_iter().next()?;
        let mv = *best.moves.first()?;
        let is_proved = match best.score {
            Score::Mate(moves @ 1..) => MateProof {
                past,
                left: nodes.saturating_mul(4),
                engine: &mut engine,
                table: &table,
                watch,
            }
            .wins_by(position, mv, moves.unsigned_abs()),
            _ => false,
        };
        let text = words(position, best.score, &best.moves, is_proved);
        Some(Hint {
            line: best.moves,
            score: best.score,
            is_proved,
            text,
        })
    }
}

fn words(position: &AnyPosition, score: Score, moves: &[Move], is_proved: bool) -> String {
    let san = position.san(moves[0]);
    let how = if is_proved { "proved" } else { "judged" };
    match score {
        Score::Mate(1) => format!("{san} wins at once ({how})."),
        Score::Mate(wins @ 1..) => {
            let wins = wins.unsigned_abs();
            let shown = line(position, shortened(moves, Some(wins)));
            format!("{san} wins in {} ({how}): {shown}.", mate_words(wins))
        }
        Score::Mate(_) => {
            let shown = line(position, shortened(moves, None));
            format!("Everything seems to lose; {san} holds out longest ({how}): {shown}.")
        }
        Score::Centipawns(_) => {
            let us = position.turn();
            let chance = chance(position.variant(), score);
            let standing = Assessment::of(chance).of_player(us);
            let shown = line(position, shortened(moves, None));
            format!("{san} ({how}: {standing}): {shown}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_engine::NoObserver;
    use touchmove_rules::Variant;

    fn hint(fen: &str, variant: Variant, nodes: u64) -> Hint {
        let position = AnyPosition::from_fen(fen, variant).unwrap();
        Hint::find(&position, &[], nodes, &mut NoObserver).unwrap()
    }

    #[test]
    fn a_mate_that_was_found_is_proved_against_every_reply() {
        // Two rooks against a bare king: mate in two.
        let found = hint("7k/8/5K2/8/8/8/R7/1R6 w - - 0 1", Variant::Chess, 20_000);
        assert!(found.is_proved && matches!(found.score, Score::Mate(2)));
        assert!(
            found.text.contains("wins in 2 moves (proved): 1. "),
            "{}",
            found.text
        );
        assert!(found.text.ends_with("#."), "{}", found.text);
    }

    #[test]
    fn a_blast_that_takes_the_king_is_proved_too() {
        let fen = "4k3/3p4/8/8/8/8/8/3RK3 w - - 0 1";
        for variant in [Variant::Atomic, Variant::SimpleAtomic] {
            let found = hint(fen, variant, 2000);
            assert_eq!(found.text, "Rxd7# wins at once (proved).");
        }
    }

    #[test]
    fn what_was_only_judged_says_so() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let found = hint(start, Variant::Chess, 3000);
        assert!(!found.is_proved);
        assert!(found.text.contains("(judged: "), "{}", found.text);
        let lost = hint("k7/8/1K6/8/8/8/8/6Q1 b - - 0 1", Variant::Chess, 5000);
        assert!(
            lost.text.starts_with("Everything seems to lose; Kb8"),
            "{}",
            lost.text
        );
    }

    #[test]
    fn a_mate_that_would_come_too_late_is_not_proved() {
        let found = hint("7k/8/5K2/8/8/8/R7/1R6 w - - 98 90", Variant::Chess, 20_000);
        assert!(!found.is_proved, "{}", found.text);
    }
}
