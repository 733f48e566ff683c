//! One node of the search: which moves are tried, in which order, how deep, and when to stop. The quiescence search is
//! in `quiescence`.

use touchmove_rules::{Color, Move, Position, Role, Rules, material};

use crate::engine::{CandidateMove, Frame, Search};
use crate::explosion;
use crate::history::{self, PieceTo};
use crate::move_ordering::{KILLER_SCORE, MovePicker, is_forcing};
use crate::score::{INFINITE_SCORE, MATE_BOUND, MATE_SCORE, MAX_PLY};
use crate::static_exchange;
use crate::transposition_table::{Bound, PackedMove, TableEntryData};

impl Search<'_> {
    /// The value of a position for the side on move, at least `depth` plies deep, as far as it lies between `alpha` and
    /// `beta`. `is_cut` says that a cut-off is expected.
    #[expect(clippy::too_many_arguments, reason = "this is what a node is given")]
    pub(crate) fn node<R: Rules>(
        &mut self,
        position: &Position<R>,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        is_in_danger: bool,
        is_cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce(position, alpha, beta, ply, 0, is_in_danger);
        }
        self.count_node();
        if self.is_stopped {
            return 0;
        }
        let is_root = ply == 0;
        let is_wide = beta - alpha > 1;
        if is_wide {
            self.longest = self.longest.max(ply);
            self.engine.lines[ply].clear();
        }
        let key = position.key();
        if !is_root {
            if let Some(value) = self.terminal_score(position, key, ply, is_in_danger) {
                return value;
            }
            // Mate distance pruning: a nearer mate than any this node can give has been found already.
            alpha = alpha.max(-MATE_SCORE + ply as i32);
            beta = beta.min(MATE_SCORE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        let skipped = self.engine.frames[ply].skipped;
        let is_trial = skipped != PackedMove::NO_MOVE;
        let memory = if is_trial {
            None
        } else {
            self.table.probe(key)
        };
        if let Some(memory) = memory
            && !is_wide
            && memory.depth >= depth
            && position.halfmoves() < 90
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
            && !is_root
            && explosion::can_explode_king(position, position.turn())
            && !self.misses_blast(key, ply)
        {
            return MATE_SCORE - ply as i32 - 1;
        }
        let us = position.turn();
        let remembered = match memory {
            _ if is_root && self.root_first != PackedMove::NO_MOVE => self.root_first,
            Some(memory) => memory.mv,
            None => PackedMove::NO_MOVE,
        };
        let eval = match memory {
            _ if is_in_danger => -INFINITE_SCORE,
            Some(memory) if memory.eval != -INFINITE_SCORE => memory.eval,
            _ => self.evaluate(position, key),
        };
        self.engine.frames[ply].eval = eval;
        // The score of a deeper search is a better estimate.
        let guess = match memory {
            Some(memory) if eval != -INFINITE_SCORE => match memory.bound {
                Bound::Lower if memory.score > eval => memory.score,
                Bound::Upper if memory.score < eval => memory.score,
                Bound::Exact => memory.score,
                _ => eval,
            },
            _ => eval,
        };
        let is_improving = !is_in_danger
            && ply >= 2
            && eval > self.engine.frames[ply - 2].eval
            && self.engine.frames[ply - 2].eval != -INFINITE_SCORE;

        // In a mate search nothing is pruned.
        let is_thorough = self.limits.mate.is_some();
        if !is_wide && !is_in_danger && !is_trial && !is_thorough && beta.abs() < MATE_BOUND {
            let pruned = self.prune(position, beta, depth, ply, guess, is_improving, is_cut);
            if let Some(value) = pruned {
                return value;
            }
            if self.is_stopped {
                return 0;
            }
        }
        if remembered == PackedMove::NO_MOVE && depth >= 4 && !is_trial && !is_thorough {
            depth -= 1;
        }

        position.list_moves(&mut self.engine.listed);
        let mut picker = MovePicker::new(self, position, remembered, ply, true);
        let before = self.previous_moves(ply);
        let count = picker.count();
        if count == 0 {
            return if position.is_check() {
                -MATE_SCORE + ply as i32
            } else {
                0
            };
        }

        self.engine.keys.push(key);
        let old_alpha = alpha;
        let mut best = -INFINITE_SCORE;
        let mut best_move = None;
        let mut tried = 0;
        let mut quiets = [None; 48];
        let mut quiet_count = 0;
        while let Some(CandidateMove { mv, score }) = picker.pick(self, position) {
            if is_trial && PackedMove::of(mv) == skipped {
                continue;
            }
            if is_root && !self.root.contains(&mv) {
                continue;
            }
            if tried > 0 && !is_in_danger && self.overlooks(position, mv, ply) {
                continue;
            }
            tried += 1;
            let is_quiet = !is_forcing(mv);
            let may_prune = !is_root
                && !is_thorough
                && best > -MATE_BOUND
                && alpha < MATE_BOUND
                && !is_in_danger;
            let hopes = LateMovePruning {
                depth,
                tried,
                is_improving,
                eval,
                alpha,
            };
            if !R::CAPTURES_EXPLODE && may_prune && is_quiet && hopes.end_here::<R>(score) {
                picker.skips_quiets = true;
                continue;
            }
            let child = position.after(mv);
            let endangers = explosion::is_king_explodable(&child);
            if may_prune && !endangers {
                let is_vain = if is_quiet {
                    (R::CAPTURES_EXPLODE && hopes.end_here::<R>(score))
                        || hopes.are_vain_for_quiet(position, mv, score)
                } else {
                    hopes.are_vain_for_capture(position, mv)
                };
                if is_vain {
                    continue;
                }
            }
            self.table.prefetch(child.key());

            let mut extension = 0;
            if ply < 2 * self.depth as usize {
                if count == 1 || (endangers && (!R::CAPTURES_EXPLODE || child.is_check())) {
                    extension = 1;
                } else if !is_root
                    && depth >= 7
                    && !is_trial
                    && PackedMove::of(mv) == remembered
                    && let Some(memory) = memory
                    && memory.bound != Bound::Upper
                    && memory.depth >= depth - 3
                    && memory.score.abs() < MATE_BOUND
                {
                    extension =
                        self.singular(position, memory, depth, ply, beta, is_in_danger, is_cut);
                    if self.is_stopped {
                        break;
                    }
                }
            }
            self.engine.frames[ply].arrival = Some(history::arrival(mv));
            let full = depth - 1 + extension;
            let mut value = -INFINITE_SCORE;
            let is_first = tried == 1;
            let mut is_promising = is_wide && is_first;
            if !is_first
                && !is_thorough
                && depth >= 3
                && tried > 1 + usize::from(is_wide)
                && (is_quiet || score < 0)
            {
                let mut reduction =
                    i32::from(self.engine.reductions[(depth as usize).min(63)][tried.min(63)]);
                reduction += i32::from(!is_wide) + i32::from(is_cut) - i32::from(is_improving);
                if is_quiet {
                    reduction -= score.clamp(-32_000, 32_000) / 9_000;
                    reduction -= 2 * i32::from(score >= KILLER_SCORE);
                } else {
                    reduction -= 1;
                }
                reduction -= i32::from(is_in_danger) + i32::from(endangers);
                if R::CAPTURES_EXPLODE {
                    reduction -= 1;
                }
                let reduced = (full - reduction).clamp(1, full.max(1));
                value = -self.node(
                    &child,
                    -alpha - 1,
                    -alpha,
                    reduced,
                    ply + 1,
                    endangers,
                    true,
                );
                if value > alpha && reduced < full {
                    value = -self.node(
                        &child,
                        -alpha - 1,
                        -alpha,
                        full,
                        ply + 1,
                        endangers,
                        !is_cut,
                    );
                }
                is_promising = is_wide && value > alpha;
            } else if !is_first || !is_wide {
                value = -self.node(
                    &child,
                    -alpha - 1,
                    -alpha,
                    full,
                    ply + 1,
                    endangers,
                    !is_cut,
                );
                is_promising = is_wide && value > alpha;
            }
            if is_promising {
                value = -self.node(&child, -beta, -alpha, full, ply + 1, endangers, false);
            }
            if self.is_stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if is_wide {
                        self.extend_line(mv, ply);
                    }
                    if is_root {
                        self.root_value = value;
                        self.root_first = PackedMove::of(mv);
                    }
                    alpha = value;
                    if value >= beta {
                        if is_quiet {
                            let vain = &quiets[..quiet_count];
                            self.learn(us, before, mv, vain, depth, ply);
                        }
                        break;
                    }
                }
            }
            if is_quiet && quiet_count < quiets.len() {
                quiets[quiet_count] = Some(mv);
                quiet_count += 1;
            }
        }
        self.engine.keys.pop();
        self.engine.pile.truncate(picker.first());
        if self.is_stopped {
            return 0;
        }
        if tried == 0 {
            return alpha; // Only the skipped move is legal.
        }
        let are_all_tried = !is_root || self.root.len() == count;
        if are_all_tried && !is_trial {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > old_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let memory = TableEntryData {
                mv: best_move.map_or(PackedMove::NO_MOVE, PackedMove::of),
                score: best,
                eval,
                depth,
                bound,
            };
            self.table.store(key, ply, memory);
        }
        best
    }

    /// The value of a position whose game is over, or counts as over: a king is gone, or it is drawn by repetition,
    /// fifty moves or lack of material. Also where the maximum ply is reached.
    #[inline]
    pub(crate) fn terminal_score<R: Rules>(
        &mut self,
        position: &Position<R>,
        key: u64,
        ply: usize,
        is_in_danger: bool,
    ) -> Option<i32> {
        let board = position.board();
        if R::CAPTURES_EXPLODE {
            let kings = board.by_role(Role::King);
            if (kings & board.by_color(position.turn())).is_empty() {
                return Some(-MATE_SCORE + ply as i32);
            }
            if !kings.more_than_one() {
                return Some(MATE_SCORE - ply as i32);
            }
        }
        let halfmoves = position.halfmoves() as usize;
        if halfmoves >= 4 && self.is_repeated(key, halfmoves) {
            return Some(0);
        }
        if halfmoves >= 100 && (!is_in_danger || position.legal_move_count() > 0) {
            return Some(0);
        }
        if board.occupied().len() <= 4 && material::is_dead(position) {
            return Some(0);
        }
        if ply >= MAX_PLY {
            return Some(self.evaluate(position, key));
        }
        None
    }

    /// The static evaluation, as this player judges it.
    #[inline]
    pub(crate) fn evaluate<R: Rules>(&mut self, position: &Position<R>, key: u64) -> i32 {
        let value = self.engine.evaluator.evaluate(position);
        match &self.limits.blindness {
            Some(blindness) => value + blindness.error(key),
            None => value,
        }
    }

    /// Whether this player overlooks that the opponent can reply with this move.
    #[inline]
    pub(crate) fn overlooks<R: Rules>(&self, position: &Position<R>, mv: Move, ply: usize) -> bool {
        match &self.limits.blindness {
            Some(blindness) if blindness.overlooks > 0 && ply % 2 == 1 => {
                blindness.overlooks(position, mv, self.previous_moves(ply)[0])
            }
            _ => false,
        }
    }

    /// Whether this player overlooks that the opponent can end the game by an explosion.
    #[inline]
    pub(crate) fn misses_blast(&self, key: u64, ply: usize) -> bool {
        let blindness = &self.limits.blindness;
        ply % 2 == 1 && blindness.is_some_and(|blindness| blindness.misses_blast(key))
    }

    /// Whether the position has occurred once in this search, or twice in the game.
    #[inline]
    fn is_repeated(&self, key: u64, halfmoves: usize) -> bool {
        let keys = &self.engine.keys;
        let mut in_game = 0;
        let oldest = keys.len().saturating_sub(halfmoves);
        let mut index = keys.len();
        while index >= oldest + 2 {
            index -= 2;
            if keys[index] == key {
                in_game += 1;
                if index > self.first_key || in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the node can be pruned as a whole: the score is far above beta, or still is after a null move.
    #[expect(clippy::too_many_arguments, reason = "this is what a node is given")]
    fn prune<R: Rules>(
        &mut self,
        position: &Position<R>,
        beta: i32,
        depth: i32,
        ply: usize,
        guess: i32,
        is_improving: bool,
        is_cut: bool,
    ) -> Option<i32> {
        // Where kings explode, a lead means less.
        let (deepest, margin) = if R::CAPTURES_EXPLODE {
            (4, 170)
        } else {
            (8, 80)
        };
        let lead = margin * (depth - i32::from(is_improving));
        if depth <= deepest && guess - lead >= beta && guess < MATE_BOUND {
            return Some(guess);
        }
        if !R::CAPTURES_EXPLODE && depth <= 3 && guess + 220 * depth < beta {
            let value = self.quiesce(position, beta - 1, beta, ply, 0, false);
            if value < beta {
                return Some(value);
            }
        }
        let board = position.board();
        let pieces =
            board.by_color(position.turn()) - board.by_role(Role::Pawn) - board.by_role(Role::King);
        let has_passed = ply > 0 && self.engine.frames[ply - 1].arrival.is_none();
        if depth < 3 || guess < beta || pieces.is_empty() || has_passed {
            return None;
        }
        let passed = position.null_move()?;
        let endangers = explosion::is_king_explodable(&passed);
        let reduction = 3 + depth / 4 + ((guess - beta) / 200).min(3);
        let reduced = depth
            - if R::CAPTURES_EXPLODE {
                reduction - 1
            } else {
                reduction
            };
        self.engine.frames[ply].arrival = None;
        // A repetition does not extend across a null move.
        self.engine.keys.push(0);
        let value = -self.node(
            &passed,
            -beta,
            1 - beta,
            reduced,
            ply + 1,
            endangers,
            !is_cut,
        );
        self.engine.keys.pop();
        if self.is_stopped || value < beta {
            return None;
        }
        // With few pieces left, or where nothing ever promotes, zugzwang is possible.
        let is_doubtful = !pieces.more_than_one() || !R::HAS_PROMOTION || depth >= 12;
        if is_doubtful && depth >= 5 {
            self.engine.frames[ply].skipped = PackedMove::NULL_MOVE;
            let confirmed = self.node(position, beta - 1, beta, reduced.max(1), ply, false, false);
            self.engine.frames[ply].skipped = PackedMove::NO_MOVE;
            if self.is_stopped || confirmed < beta {
                return None;
            }
        }
        Some(if value >= MATE_BOUND { beta } else { value })
    }

    /// Singular extension: how much deeper to search the move of the transposition table. One ply if all others are
    /// clearly worse, less if another one is good enough too.
    #[expect(clippy::too_many_arguments, reason = "this is what a node is given")]
    fn singular<R: Rules>(
        &mut self,
        position: &Position<R>,
        memory: TableEntryData,
        depth: i32,
        ply: usize,
        beta: i32,
        is_in_danger: bool,
        is_cut: bool,
    ) -> i32 {
        let target = memory.score - 2 * depth;
        // The test is a search of this same node: its key is not yet part of the line.
        let key = self.engine.keys.pop();
        self.engine.frames[ply].skipped = memory.mv;
        let value = self.node(
            position,
            target - 1,
            target,
            (depth - 1) / 2,
            ply,
            is_in_danger,
            is_cut,
        );
        self.engine.frames[ply].skipped = PackedMove::NO_MOVE;
        self.engine.keys.extend(key);
        if value < target {
            1
        } else if memory.score >= beta {
            -1
        } else {
            0
        }
    }

    /// The last two moves before this ply.
    #[inline]
    pub(crate) fn previous_moves(&self, ply: usize) -> [Option<PieceTo>; 2] {
        let at = |back: usize| {
            let frame: Option<&Frame> = self.engine.frames.get(ply.wrapping_sub(back));
            frame.and_then(|frame| frame.arrival)
        };
        [at(1), at(2)]
    }

    /// Prepends a move to the line of the ply below.
    #[inline]
    pub(crate) fn extend_line(&mut self, mv: Move, ply: usize) {
        let (upper, lower) = self.engine.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// Records a quiet move that has cut off, and those that were tried in vain before.
    fn learn(
        &mut self,
        us: Color,
        before: [Option<PieceTo>; 2],
        mv: Move,
        vain: &[Option<Move>],
        depth: i32,
        ply: usize,
    ) {
        let killers = &mut self.engine.frames[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (12 * depth * depth + 32 * depth).min(1600);
        let history = &mut self.engine.history;
        history.learn(us, before, mv, bonus);
        for &other in vain.iter().flatten() {
            history.learn(us, before, other, -bonus);
        }
    }
}

/// The conditions for pruning late moves in a node.
struct LateMovePruning {
    depth: i32,
    tried: usize,
    is_improving: bool,
    /// The static evaluation.
    eval: i32,
    alpha: i32,
}

impl LateMovePruning {
    /// Where captures explode, quiet moves are pruned later.
    const fn patience<R: Rules>() -> i32 {
        if R::CAPTURES_EXPLODE { 2 } else { 1 }
    }

    /// Whether this quiet move and those after it can be skipped.
    #[inline]
    fn end_here<R: Rules>(&self, worth: i32) -> bool {
        let (depth, patience) = (self.depth, Self::patience::<R>());
        let most = patience * (3 + depth * depth) / (2 - i32::from(self.is_improving));
        if depth <= 8 && self.tried as i32 > most {
            return true;
        }
        let margin = (90 + 90 * depth) * patience;
        depth <= 7 && worth < KILLER_SCORE && self.eval + margin <= self.alpha
    }

    /// Whether a quiet move has a bad history, or loses the piece that moves.
    #[inline]
    fn are_vain_for_quiet<R: Rules>(&self, position: &Position<R>, mv: Move, worth: i32) -> bool {
        let (depth, patience) = (self.depth, Self::patience::<R>());
        let loss = if R::CAPTURES_EXPLODE { -120 } else { -45 };
        (depth <= 3 && worth < -4000 * depth * patience)
            || (depth <= 7 && !static_exchange::exchange_gains_at_least(position, mv, loss * depth))
    }

    /// Whether a capture loses too much.
    #[inline]
    fn are_vain_for_capture<R: Rules>(&self, position: &Position<R>, mv: Move) -> bool {
        let loss = if R::CAPTURES_EXPLODE { -250 } else { -95 };
        self.depth <= 5
            && !static_exchange::exchange_gains_at_least(position, mv, loss * self.depth)
    }
}
