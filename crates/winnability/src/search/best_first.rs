//! Best-first search for a helpmate in positions where nothing is locked, which are nearly all positions of real games.
//! If it finds no line, that proves nothing.
//!
//! It scores each move from facts about the position before, without playing it: a move is played only when its turn
//! comes.

use touchmove_rules::{Color, Move, MoveList, Position, Rules};

use crate::proof::material;
use crate::search::heuristic::{DistanceHeuristic, MAX_DISTANCE_SCORE};

/// A position of the search and how it came about.
#[derive(Clone, Copy, Debug)]
struct Node<R: Rules> {
    position: Position<R>,
    parent: u32,
    mv: Option<Move>,
}

/// A queued move, or all moves that the heuristic left out, and the number of the entry queued before it with the same
/// score.
#[derive(Clone, Copy, Debug)]
struct QueuedMove {
    parent: u32,
    mv: Option<Move>,
    before: u32,
}

/// There is no entry before.
const NO_PARENT: u32 = u32::MAX;

/// The queued moves, by score.
#[derive(Debug)]
struct Queue {
    waiting: Vec<QueuedMove>,
    /// For each score, the number of the last queued move.
    last: [u32; MAX_DISTANCE_SCORE + 1],
    nearest: usize,
}

impl Queue {
    fn new() -> Queue {
        Queue {
            waiting: Vec::new(),
            last: [NO_PARENT; MAX_DISTANCE_SCORE + 1],
            nearest: MAX_DISTANCE_SCORE,
        }
    }

    fn clear(&mut self) {
        self.waiting.clear();
        self.last.fill(NO_PARENT);
        self.nearest = MAX_DISTANCE_SCORE;
    }

    #[inline(always)]
    fn push(&mut self, parent: u32, mv: Option<Move>, score: usize) {
        let index = self.waiting.len() as u32;
        let before = std::mem::replace(&mut self.last[score], index);
        self.waiting.push(QueuedMove { parent, mv, before });
        self.nearest = self.nearest.min(score);
    }

    /// Takes the move queued last among those with the lowest score.
    fn pop(&mut self) -> Option<QueuedMove> {
        while self.nearest <= MAX_DISTANCE_SCORE {
            let last = &mut self.last[self.nearest];
            if let Some(waiting) = self.waiting.get(*last as usize) {
                *last = waiting.before;
                return Some(*waiting);
            }
            self.nearest += 1;
        }
        None
    }
}

/// The memory of a search, reused between searches.
#[derive(Debug)]
pub(crate) struct BestFirstSearch<R: Rules> {
    nodes: Vec<Node<R>>,
    queue: Queue,
    /// Keys of positions seen, in open addressing. Two positions with one key are taken for the same, which is harmless
    /// because nothing is proved here.
    seen: Vec<u64>,
    /// Which of these slots are in use.
    taken: Vec<u32>,
    moves: MoveList,
    /// The cost of the heuristic, in sixteenths.
    scored: u64,
}

/// The seed that adds no jitter to the scores.
pub(crate) const NO_JITTER: u64 = 0;

/// Few lines are longer than this.
const TYPICAL_LINE_PLIES: usize = 32;

/// The size of the table of positions seen, more than twice the positions of any search.
const SEEN_TABLE_SLOTS: usize = 1 << 10;

impl<R: Rules> Default for BestFirstSearch<R> {
    fn default() -> BestFirstSearch<R> {
        BestFirstSearch {
            nodes: Vec::new(),
            queue: Queue::new(),
            seen: vec![0; SEEN_TABLE_SLOTS],
            taken: Vec::new(),
            moves: MoveList::new(),
            scored: 0,
        }
    }
}

impl<R: Rules> BestFirstSearch<R> {
    /// Searches for a win of `winner`, limited in positions and in work, in the order of the heuristic. With any seed
    /// other than [`NO_JITTER`], moves get a random penalty: where one order misses every win another may find it.
    pub fn search(
        &mut self,
        root: &Position<R>,
        winner: Color,
        guide: &impl DistanceHeuristic<R>,
        seed: u64,
        (positions, work): (u64, u64),
    ) -> Option<Vec<Move>> {
        self.scored = 0;
        self.nodes.clear();
        self.queue.clear();
        for place in self.taken.drain(..) {
            self.seen[place as usize] = 0;
        }
        self.nodes.push(Node {
            position: *root,
            parent: 0,
            mv: None,
        });
        self.expand(0, winner, guide, seed);
        while (self.nodes.len() as u64) < positions && self.work() < work {
            let QueuedMove { parent, mv, .. } = self.queue.pop()?;
            let Some(mv) = mv else {
                self.expand_again(parent, winner, guide);
                continue;
            };
            let position = self.nodes[parent as usize].position.after(mv);
            if mv.is_capture() && material::lacks_material(&position, winner)
                || self.insert_seen(&position)
            {
                continue;
            }
            let number = self.nodes.len() as u32;
            self.nodes.push(Node {
                position,
                parent,
                mv: Some(mv),
            });
            if self.expand(number, winner, guide, seed) {
                return Some(self.line_to(number));
            }
        }
        None
    }

    /// The cost of the last search: its positions, plus the cost of the heuristic in positions.
    pub fn work(&self) -> u64 {
        self.nodes.len() as u64 + self.scored / 16
    }

    fn insert_seen(&mut self, position: &Position<R>) -> bool {
        let key = position.polyglot_key() | 1;
        let mut slot = (key >> 40) as usize % SEEN_TABLE_SLOTS;
        while self.seen[slot] != 0 {
            if self.seen[slot] == key {
                return true;
            }
            slot = (slot + 1) % SEEN_TABLE_SLOTS;
        }
        self.seen[slot] = key;
        self.taken.push(slot as u32);
        false
    }

    /// Scores the moves of a position. Returns whether it is won.
    fn expand(
        &mut self,
        number: u32,
        winner: Color,
        guide: &impl DistanceHeuristic<R>,
        seed: u64,
    ) -> bool {
        let BestFirstSearch {
            nodes,
            queue,
            moves,
            scored,
            ..
        } = self;
        let position = &nodes[number as usize].position;
        let board = position.board();
        let (Some(own), Some(other)) = (board.king_of(winner), board.king_of(!winner)) else {
            return board.king_of(!winner).is_none() && board.king_of(winner).is_some();
        };
        position.list_moves(moves);
        if moves.is_empty() {
            return position.turn() != winner && position.is_check();
        }
        *scored += guide.cost(board) * moves.len() as u64;
        let kings = (own, other);
        if seed != NO_JITTER {
            guide.score(position, moves, kings, |mv, mut score| {
                if score > 0 {
                    score = (score + jitter(seed, mv)).min(MAX_DISTANCE_SCORE);
                }
                queue.push(number, Some(mv), score);
            });
            return false;
        }
        let take = |mv, score| queue.push(number, Some(mv), score);
        if let Some(score) = guide.score_some(position, moves, kings, take) {
            queue.push(number, None, score);
        }
        false
    }

    /// Scores the moves of a position that the heuristic left out; costs as much as a position.
    #[cold]
    fn expand_again(&mut self, number: u32, winner: Color, guide: &impl DistanceHeuristic<R>) {
        let position = &self.nodes[number as usize].position;
        let board = position.board();
        let (Some(own), Some(other)) = (board.king_of(winner), board.king_of(!winner)) else {
            return;
        };
        self.scored += 16;
        position.list_moves(&mut self.moves);
        let queue = &mut self.queue;
        guide.score_others(position, &self.moves, (own, other), |mv, score| {
            queue.push(number, Some(mv), score);
        });
    }

    fn line_to(&self, mut number: u32) -> Vec<Move> {
        let mut line = Vec::with_capacity(TYPICAL_LINE_PLIES);
        while let Some(mv) = self.nodes[number as usize].mv {
            line.push(mv);
            number = self.nodes[number as usize].parent;
        }
        line.reverse();
        line
    }
}

/// The jitter added to the score of a move: 0 to 15, always the same for one seed and move.
fn jitter(seed: u64, mv: Move) -> usize {
    let number = 64 * (64 * seed + mv.from().index() as u64) + mv.to().index() as u64;
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize
}
