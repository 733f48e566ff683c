//! The probe: a quick look for a helpmate in positions where nothing is locked, which are nearly
//! all that occur in games. It finds lines or nothing; that it finds none means nothing.
//!
//! It is a best-first search that scores each move from what it knows of the position before,
//! without playing it: a move is played only when its turn comes.

use touchmove_rules::{Color, Move, MoveList, Position, Rules};

use crate::proof::material;
use crate::search::guide::{FARTHEST, Guide};

/// A position of the probe and how it came about.
#[derive(Clone, Copy, Debug)]
struct Node<R: Rules> {
    position: Position<R>,
    parent: u32,
    mv: Option<Move>,
}

/// A move that waits to be played.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    parent: u32,
    mv: Move,
}

/// The memory of a probe, to be used again and again.
#[derive(Debug)]
pub(crate) struct Probe<R: Rules> {
    nodes: Vec<Node<R>>,
    waiting: Vec<Vec<Waiting>>,
    nearest: usize,
    /// Keys of positions seen, in open addressing. Two positions with one key would be taken for the
    /// same, which matters little where nothing is proved.
    seen: Vec<u64>,
    moves: MoveList,
}

/// The seed that leaves the scores of a guide alone.
pub(crate) const NO_JITTER: u64 = 0;

/// The size of the memory of positions seen, more than twice [`LARGEST`].
const SEEN: usize = 1 << 10;

impl<R: Rules> Default for Probe<R> {
    fn default() -> Probe<R> {
        Probe {
            nodes: Vec::new(),
            waiting: vec![Vec::new(); FARTHEST + 1],
            nearest: 0,
            seen: Vec::new(),
            moves: MoveList::new(),
        }
    }
}

impl<R: Rules> Probe<R> {
    /// Looks for a win of `winner` at so many positions, in the order that the guide proposes; but
    /// with any seed other than [`NO_JITTER`] moves are taken for worse than the guide says, some more,
    /// some less: where one order has missed every win another may find it.
    pub fn search(
        &mut self,
        root: &Position<R>,
        winner: Color,
        guide: &impl Guide<R>,
        seed: u64,
        positions: usize,
    ) -> Option<Vec<Move>> {
        self.nodes.clear();
        for waiting in &mut self.waiting[self.nearest..] {
            waiting.clear();
        }
        self.seen.clear();
        self.seen.resize(SEEN, 0);
        self.nodes.push(Node {
            position: *root,
            parent: 0,
            mv: None,
        });
        self.nearest = FARTHEST;
        self.expand(0, winner, guide, seed);
        while self.nodes.len() < positions {
            let Waiting { parent, mv } = self.pop()?;
            let position = self.nodes[parent as usize].position.after(mv);
            if mv.is_capture() && material::is_lacking(&position, winner)
                || self.is_known(&position)
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

    /// How many positions were looked at.
    pub fn visited(&self) -> u64 {
        self.nodes.len() as u64
    }

    fn is_known(&mut self, position: &Position<R>) -> bool {
        let key = position.polyglot_key() | 1;
        let mut slot = (key >> 40) as usize % SEEN;
        while self.seen[slot] != 0 {
            if self.seen[slot] == key {
                return true;
            }
            slot = (slot + 1) % SEEN;
        }
        self.seen[slot] = key;
        false
    }

    fn pop(&mut self) -> Option<Waiting> {
        while self.nearest <= FARTHEST {
            if let Some(waiting) = self.waiting[self.nearest].pop() {
                return Some(waiting);
            }
            self.nearest += 1;
        }
        None
    }

    /// Scores the moves of a position; whether it is won.
    fn expand(&mut self, number: u32, winner: Color, guide: &impl Guide<R>, seed: u64) -> bool {
        let Probe {
            nodes,
            waiting,
            nearest,
            moves,
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
        guide.score(position, moves, (own, other), |mv, mut score| {
            if seed != NO_JITTER && score > 0 {
                score = (score + jitter(seed, mv)).min(FARTHEST);
            }
            waiting[score].push(Waiting { parent: number, mv });
            *nearest = (*nearest).min(score);
        });
        false
    }

    fn line_to(&self, mut number: u32) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some(mv) = self.nodes[number as usize].mv {
            line.push(mv);
            number = self.nodes[number as usize].parent;
        }
        line.reverse();
        line
    }
}

/// What is added to the score of a move: 0 to 15, for each seed and move always the same.
fn jitter(seed: u64, mv: Move) -> usize {
    let number = 64 * (64 * seed + mv.from().index() as u64) + mv.to().index() as u64;
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60) as usize
}
