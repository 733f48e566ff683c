//! Quiescence search: captures are played out until the position is quiet enough to be evaluated. Quiet moves are tried
//! only where the king is in danger.

use touchmove_rules::{Bitboard, Position, Rank, Role, Rules};

use crate::engine::{CandidateMove, Search};
use crate::explosion;
use crate::move_ordering::MovePicker;
use crate::score::{INFINITE_SCORE, MATE_BOUND, MATE_SCORE};
use crate::static_exchange;
use crate::transposition_table::{Bound, PackedMove, TableEntryData};

/// For how many plies a king that can be exploded is rescued: threats can go on for ever.
const MAX_RESCUE_PLIES: usize = 2;

impl Search<'_> {
    /// The value of a position when only captures are searched, as far as it lies between `alpha` and `beta`. `rounds`
    /// counts the plies since the node above.
    pub(crate) fn quiesce<R: Rules>(
        &mut self,
        position: &Position<R>,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        rounds: usize,
        is_in_danger: bool,
    ) -> i32 {
        self.count_node();
        if self.is_stopped {
            return 0;
        }
        self.longest = self.longest.max(ply);
        let is_wide = beta - alpha > 1;
        if is_wide {
            self.engine.lines[ply].clear();
        }
        let key = position.key();
        if let Some(value) = self.terminal_score(position, key, ply, is_in_danger) {
            return value;
        }
        let memory = self.table.probe(key);
        if let Some(memory) = memory
            && !is_wide
        {
            let value = memory.score_at(ply);
            let is_enough = match memory.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if is_enough {
                return value;
            }
        }
        if R::CAPTURES_EXPLODE
            && explosion::can_explode_king(position, position.turn())
            && !self.misses_blast(key, ply)
        {
            return MATE_SCORE - ply as i32 - 1;
        }
        let rescues = is_in_danger && (rounds <= MAX_RESCUE_PLIES || position.is_check());
        let old_alpha = alpha;
        let mut eval = -INFINITE_SCORE;
        let mut best = -MATE_SCORE + ply as i32;
        if !rescues {
            eval = match memory {
                Some(memory) if memory.eval != -INFINITE_SCORE => memory.eval,
                _ => self.evaluate(position, key),
            };
            best = eval;
            if best >= beta {
                if memory.is_none() {
                    self.keep(key, ply, PackedMove::NO_MOVE, best, eval, Bound::Lower);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        let remembered = memory.map_or(PackedMove::NO_MOVE, |memory| memory.mv);
        let seventh = Bitboard::from(Rank::Seventh.of(position.turn()));
        let pawns = position
            .board()
            .by_color_and_role(Role::Pawn.of(position.turn()));
        if rescues || (R::HAS_PROMOTION && (seventh & pawns).any()) {
            position.list_moves(&mut self.engine.listed);
        } else {
            position.list_captures(&mut self.engine.listed);
        }
        let mut picker = MovePicker::new(self, position, remembered, ply, rescues);
        if rescues && picker.count() == 0 && !position.is_check() {
            return 0;
        }
        let mut best_move = PackedMove::NO_MOVE;
        let mut tried = 0;
        self.engine.keys.push(key);
        while let Some(CandidateMove { mv, .. }) = picker.pick(self, position) {
            if (!rescues || tried > 0) && self.overlooks(position, mv, ply) {
                continue;
            }
            tried += 1;
            if best > -MATE_BOUND {
                // One way out of the danger is known; only a few more are tried.
                if rescues && tried > 6 {
                    break;
                }
                let hope = eval + 180 + static_exchange::gain(position, mv);
                if !rescues && hope <= alpha {
                    best = best.max(hope);
                    continue;
                }
            }
            let child = position.after(mv);
            self.table.prefetch(child.key());
            let endangers = explosion::is_king_explodable(&child);
            self.engine.frames[ply].arrival = Some(crate::history::arrival(mv));
            let value = -self.quiesce(&child, -beta, -alpha, ply + 1, rounds + 1, endangers);
            if self.is_stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = PackedMove::of(mv);
                    if is_wide {
                        self.extend_line(mv, ply);
                    }
                    alpha = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.engine.keys.pop();
        self.engine.pile.truncate(picker.first());
        if self.is_stopped {
            return 0;
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > old_alpha && is_wide => Bound::Exact,
            _ => Bound::Upper,
        };
        self.keep(key, ply, best_move, best, eval, bound);
        best
    }

    fn keep(&mut self, key: u64, ply: usize, mv: PackedMove, score: i32, eval: i32, bound: Bound) {
        let memory = TableEntryData {
            mv,
            score,
            eval,
            depth: 0,
            bound,
        };
        self.table.store(key, ply, memory);
    }
}
