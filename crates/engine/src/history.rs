//! History heuristic: earlier cut-offs order the moves. It affects how fast a move is found, never what is legal.

use touchmove_rules::{Color, Move};

/// The limit of the scores.
const MAX_HISTORY_SCORE: i32 = 16_384;

/// The index of a piece and its target square.
pub(crate) type PieceTo = usize;
const PIECE_TO_COUNT: usize = 6 * 64;

/// The index of what a move does.
#[inline]
pub(crate) fn arrival(mv: Move) -> PieceTo {
    mv.role() as usize * 64 + mv.to().index()
}

/// How well quiet moves have done, by themselves and after the moves before them.
pub(crate) struct History {
    quiet: Box<[[i16; 64 * 64]; 2]>,
    /// After the opponent's last move, and after the side's own.
    follow_up: [Box<[i16]>; 2],
}

impl History {
    pub fn new() -> History {
        let table = || vec![0; PIECE_TO_COUNT * PIECE_TO_COUNT].into_boxed_slice();
        History {
            quiet: Box::new([[0; 64 * 64]; 2]),
            follow_up: [table(), table()],
        }
    }

    pub fn clear(&mut self) {
        self.quiet.iter_mut().for_each(|side| side.fill(0));
        self.follow_up.iter_mut().for_each(|table| table.fill(0));
    }

    /// The history score of a quiet move.
    #[inline]
    pub fn worth(&self, us: Color, before: [Option<PieceTo>; 2], mv: Move) -> i32 {
        let mut worth = i32::from(self.quiet[us as usize][squares(mv)]);
        for (table, last) in self.follow_up.iter().zip(before) {
            if let Some(last) = last {
                worth += i32::from(table[last * PIECE_TO_COUNT + arrival(mv)]);
            }
        }
        worth
    }

    /// Records a quiet move that has cut off (`bonus` positive) or was tried in vain before the one that did.
    pub fn learn(&mut self, us: Color, before: [Option<PieceTo>; 2], mv: Move, bonus: i32) {
        nudge(&mut self.quiet[us as usize][squares(mv)], bonus);
        for (table, last) in self.follow_up.iter_mut().zip(before) {
            if let Some(last) = last {
                nudge(&mut table[last * PIECE_TO_COUNT + arrival(mv)], bonus);
            }
        }
    }
}

#[inline]
fn squares(mv: Move) -> usize {
    mv.from().index() * 64 + mv.to().index()
}

/// Moves a score towards the limit, more slowly the nearer it is.
#[inline]
fn nudge(worth: &mut i16, bonus: i32) {
    let old = i32::from(*worth);
    *worth = (old + bonus - old * bonus.abs() / MAX_HISTORY_SCORE) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worth_never_leaves_its_limits() {
        let mut worth = 0;
        for _ in 0..1000 {
            nudge(&mut worth, 1600);
        }
        assert!((MAX_HISTORY_SCORE - 200..=MAX_HISTORY_SCORE).contains(&i32::from(worth)));
        for _ in 0..1000 {
            nudge(&mut worth, -1600);
        }
        assert!((-MAX_HISTORY_SCORE..=200 - MAX_HISTORY_SCORE).contains(&i32::from(worth)));
    }
}
