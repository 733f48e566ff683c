//! The end of a line: captures are played out until the position is quiet enough to be evaluated. Quiet
//! moves are only tried where the king is in danger.

use touchmove_rules::{Position, Rank, Role, Rules, SquareSet};

use crate::engine::{Choice, Search};
use crate::explosion;
use crate::move_ordering::Picker;
use crate::score::{INFINITE, MATE, MATE_BOUND};
use crate::static_exchange;
use crate::transposition_table::{Bound, Memory, Remembered};

/// How long a king that can be blown up is rescued here: threats can go on for ever.
const RESCUES: usize = 2;

impl Search<'_> {
    /// The value of a position when only captures are looked at, as far as it lies between `alpha` and
    /// `beta`. `rounds` counts the plies since the node above.
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
        if let Some(value) = self.settled(position, key, ply, is_in_danger) {
            return value;
        }
        let memory = self.table.look_up(key);
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
        if R::BLAST
            && explosion::can_end_it(position, position.turn())
            && !self.misses_blast(key, ply)
        {
            return MATE - ply as i32 - 1;
        }
        let rescues = is_in_danger && (rounds <= RESCUES || position.is_check());
        let old_alpha = alpha;
        let mut eval = -INFINITE;
        let mut best = -MATE + ply as i32;
        if !rescues {
            eval = match memory {
                Some(memory) if memory.eval != -INFINITE => memory.eval,
                _ => self.evaluate(position, key),
            };
            best = eval;
            if best >= beta {
                if memory.is_none() {
                    self.keep(key, ply, Remembered::NONE, best, eval, Bound::Lower);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        let remembered = memory.map_or(Remembered::NONE, |memory| memory.mv);
        let seventh = SquareSet::from(Rank::Seventh.of(position.turn()));
        let pawns = position.board().pieces(Role::Pawn.of(position.turn()));
        if rescues || (R::PROMOTION && (seventh & pawns).any()) {
            position.list_moves(&mut self.engine.listed);
        } else {
            position.list_captures(&mut self.engine.listed);
        }
        let mut picker = Picker::new(self, position, remembered, ply, rescues);
        if rescues && picker.count() == 0 && !position.is_check() {
            return 0;
        }
        let mut best_move = Remembered::NONE;
        let mut tried = 0;
        self.engine.keys.push(key);
        while let Some(Choice { mv, .. }) = picker.pick(self, position) {
            if (!rescues || tried > 0) && self.overlooks(position, mv, ply) {
                continue;
            }
            tried += 1;
            if best > -MATE_BOUND {
                // One way out of the danger is known; a few more are looked at.
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
            self.table.touch(child.key());
            let endangers = explosion::is_in_danger(&child);
            self.engine.frames[ply].arrival = Some(crate::history::arrival(mv));
            let value = -self.quiesce(&child, -beta, -alpha, ply + 1, rounds + 1, endangers);
            if self.is_stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Remembered::of(mv);
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

    fn keep(&mut self, key: u64, ply: usize, mv: Remembered, score: i32, eval: i32, bound: Bound) {
        let memory = Memory {
            mv,
            score,
            eval,
            depth: 0,
            bound,
        };
        self.table.remember(key, ply, memory);
    }
}
