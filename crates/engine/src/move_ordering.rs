//! Move ordering: the move of the transposition table, winning captures, killers and other quiet moves, losing
//! captures. Each stage is sorted only when it is reached.

use touchmove_rules::{Move, Position, Role, Rules};

use crate::engine::{CandidateMove, Search};
use crate::history::PieceTo;
use crate::static_exchange;
use crate::transposition_table::PackedMove;

/// The score of a killer; history scores are far below.
pub(crate) const KILLER_SCORE: i32 = 900_000;
/// The score of the move from the transposition table.
const TABLE_MOVE_SCORE: i32 = 1_000_000;
/// The score of a capture that loses material.
const LOSING_CAPTURE_SCORE: i32 = -1_000_000;

/// The stage of a node's move picking.
enum PickStage {
    Remembered,
    Captures,
    Quiets,
    Bad,
}

/// Yields the moves of one node, which are stored in the engine's common list.
pub(crate) struct MovePicker {
    stage: PickStage,
    remembered: Option<Move>,
    first: usize,
    next: usize,
    /// Where the captures end and the quiet moves begin.
    quiets: usize,
    last: usize,
    /// How many losing captures are put aside, from `first` on.
    bad: usize,
    ply: usize,
    before: [Option<PieceTo>; 2],
    /// Whether quiet moves are skipped.
    pub skips_quiets: bool,
    /// Whether losing captures are skipped.
    pub skips_bad: bool,
}

impl MovePicker {
    /// Takes the generated moves; quiet moves (neither captures nor promotions) only if `with_quiets`.
    #[inline]
    pub fn new<R: Rules>(
        search: &mut Search<'_>,
        position: &Position<R>,
        remembered: PackedMove,
        ply: usize,
        with_quiets: bool,
    ) -> MovePicker {
        let before = search.previous_moves(ply);
        let engine = &mut *search.engine;
        let first = engine.pile.len();
        let mut found = None;
        for &mv in engine.listed.as_slice() {
            if is_forcing(mv) {
                if PackedMove::of(mv) == remembered {
                    found = Some(mv);
                } else if with_quiets || mv.promotes_to().is_none_or(|role| role == Role::Queen) {
                    let score = capture_score(position, mv);
                    engine.pile.push(CandidateMove { mv, score });
                }
            }
        }
        let quiets = engine.pile.len();
        if with_quiets {
            for &mv in engine.listed.as_slice() {
                if !is_forcing(mv) {
                    if PackedMove::of(mv) == remembered {
                        found = Some(mv);
                    } else {
                        engine.pile.push(CandidateMove { mv, score: 0 });
                    }
                }
            }
        }
        MovePicker {
            stage: PickStage::Remembered,
            remembered: found,
            first,
            next: first,
            quiets,
            last: engine.pile.len(),
            bad: first,
            ply,
            before,
            skips_quiets: !with_quiets,
            skips_bad: !with_quiets,
        }
    }

    /// How many moves there are.
    pub fn count(&self) -> usize {
        self.last - self.first + usize::from(self.remembered.is_some())
    }

    /// Where this node's moves begin in the list.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The next move to try, with its score.
    #[inline]
    pub fn pick<R: Rules>(
        &mut self,
        search: &mut Search<'_>,
        position: &Position<R>,
    ) -> Option<CandidateMove> {
        loop {
            match self.stage {
                PickStage::Remembered => {
                    self.stage = PickStage::Captures;
                    if let Some(mv) = self.remembered {
                        return Some(CandidateMove {
                            mv,
                            score: TABLE_MOVE_SCORE,
                        });
                    }
                }
                PickStage::Captures => {
                    let pile = &mut search.engine.pile;
                    while self.next < self.quiets {
                        let choice = take_best(&mut pile[self.next..self.quiets]);
                        self.next += 1;
                        let is_good = choice.score >= 0
                            && (R::CAPTURES_EXPLODE
                                || static_exchange::exchange_gains_at_least(
                                    position, choice.mv, 0,
                                ));
                        if is_good {
                            return Some(choice);
                        }
                        let score = choice.score.min(0) + LOSING_CAPTURE_SCORE;
                        pile[self.bad] = CandidateMove { score, ..choice };
                        self.bad += 1;
                    }
                    self.stage = PickStage::Quiets;
                    self.next = self.quiets;
                    if !self.skips_quiets {
                        self.score_quiets(search, position);
                    }
                }
                PickStage::Quiets => {
                    if !self.skips_quiets && self.next < self.last {
                        let choice = take_best(&mut search.engine.pile[self.next..self.last]);
                        self.next += 1;
                        return Some(choice);
                    }
                    self.stage = PickStage::Bad;
                    self.next = self.first;
                }
                PickStage::Bad => {
                    if self.skips_bad || self.next >= self.bad {
                        return None;
                    }
                    self.next += 1;
                    return Some(search.engine.pile[self.next - 1]);
                }
            }
        }
    }

    fn score_quiets<R: Rules>(&self, search: &mut Search<'_>, position: &Position<R>) {
        let engine = &mut *search.engine;
        let killers = engine.frames[self.ply].killers;
        for choice in &mut engine.pile[self.quiets..self.last] {
            choice.score = if killers[0] == Some(choice.mv) {
                KILLER_SCORE + 1
            } else if killers[1] == Some(choice.mv) {
                KILLER_SCORE
            } else {
                engine
                    .history
                    .worth(position.turn(), self.before, choice.mv)
            };
        }
    }
}

/// Whether a move changes the material.
#[inline]
pub(crate) fn is_forcing(mv: Move) -> bool {
    mv.is_capture() || mv.kind().is_promotion()
}

/// Moves the best remaining move to the front.
#[inline]
fn take_best(choices: &mut [CandidateMove]) -> CandidateMove {
    let mut best = 0;
    let mut score = choices[0].score;
    for (index, choice) in choices.iter().enumerate().skip(1) {
        if choice.score > score {
            (best, score) = (index, choice.score);
        }
    }
    choices.swap(0, best);
    choices[0]
}

/// The score of captures and promotions: immediate gain, then the least valuable capturing piece first. Where captures
/// explode no piece can recapture, so this is already the whole exchange.
#[inline]
fn capture_score<R: Rules>(position: &Position<R>, mv: Move) -> i32 {
    let gain = static_exchange::gain(position, mv);
    if R::CAPTURES_EXPLODE {
        return gain;
    }
    let is_lesser = mv.promotes_to().is_some_and(|role| role != Role::Queen);
    if is_lesser {
        -1
    } else {
        16 * gain - mv.role() as i32 + 5
    }
}
