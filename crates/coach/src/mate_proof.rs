//! Verifies a forced win that a search has found: every reply is tried, and the engine must win again against each. The
//! engine only proposes moves, so its pruning cannot make a wrong proof.

use touchmove_engine::{Engine, Limits, Score, SearchObserver, TranspositionTable};
use touchmove_rules::{AnyPosition, Color, Move};

/// The number of positions for one question to the engine.
const NODES_PER_QUESTION: u64 = 4000;

/// A proof in progress.
pub(crate) struct MateProof<'a> {
    /// The keys of the game's positions so far: a position that occurred twice would be a draw.
    pub past: &'a [u64],
    /// How many positions may still be searched.
    pub left: u64,
    pub engine: &'a mut Engine,
    pub table: &'a TranspositionTable,
    pub watch: &'a mut dyn SearchObserver,
}

impl MateProof<'_> {
    /// Whether the side on move wins by this move within `moves` moves, whatever the reply. `false` means no proof.
    pub fn wins_by(&mut self, position: &AnyPosition, mv: Move, moves: u32) -> bool {
        // No draw may be claimed or declared before the end.
        let is_timely = position.halfmoves() + 2 * moves < 100;
        is_timely && moves > 0 && self.prove_loss(&position.after(mv), position.turn(), moves - 1)
    }

    /// Whether the side on move loses to `winner` in at most `moves` more moves.
    fn prove_loss(&mut self, position: &AnyPosition, winner: Color, moves: u32) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome.winner() == Some(winner);
        }
        let replies = position.legal_moves();
        let cost = replies.len() as u64;
        if moves == 0 || self.left < cost || self.is_drawn(position) || self.watch.should_stop() {
            return false;
        }
        self.left -= cost;
        replies.iter().all(|&reply| {
            let next = position.after(reply);
            match next.outcome() {
                Some(outcome) => outcome.winner() == Some(winner),
                None => !self.is_drawn(&next) && self.wins(&next, moves),
            }
        })
    }

    fn wins(&mut self, position: &AnyPosition, moves: u32) -> bool {
        if let Some(end) = ends_it(position) {
            return self.wins_by(position, end, moves);
        }
        if moves == 1 || self.left < NODES_PER_QUESTION {
            return false;
        }
        let limits = Limits {
            nodes: Some(NODES_PER_QUESTION),
            mate: Some(moves),
            ..Limits::default()
        };
        let found = self
            .engine
            .search_any(position, &[], &limits, self.table, self.watch);
        self.left = self.left.saturating_sub(found.nodes);
        match (found.best(), found.lines.first().map(|line| line.score)) {
            (Some(best), Some(Score::Mate(1..))) => self.wins_by(position, best, moves),
            _ => false,
        }
    }

    fn is_drawn(&self, position: &AnyPosition) -> bool {
        let key = position.key();
        self.past.iter().filter(|&&past| past == key).count() >= 2
    }
}

/// A move that wins at once.
fn ends_it(position: &AnyPosition) -> Option<Move> {
    let us = position.turn();
    let moves = position.legal_moves();
    let wins = |mv: &&Move| {
        let after = position.after(**mv);
        let is_over = after.is_check() || after.board().king_of(!us).is_none();
        is_over && after.outcome().is_some_and(|end| end.winner() == Some(us))
    };
    moves.iter().find(wins).copied()
}
