//! [`Engine`]: iterative deepening, and the state kept from one search to the next. The search below the root is in
//! `node`.

use touchmove_rules::{AnyPosition, Move, MoveList, Position, Role, Rules, Variant, with_position};

use crate::evaluation::Evaluator;
use crate::explosion;
use crate::history::{History, PieceTo};
use crate::limits::{Limits, PrincipalVariation, Progress, SearchObserver};
use crate::score::{INFINITE_SCORE, MATE_BOUND, MAX_PLY, Score};
use crate::transposition_table::{PackedMove, TranspositionTable};
use crate::weights::Weights;

/// The engine: searches positions of any variant, and keeps its move history between searches.
///
/// ```
/// use touchmove_engine::{Engine, Limits, TranspositionTable, NoObserver};
/// use touchmove_rules::{AnyPosition, Variant};
///
/// let position = AnyPosition::start(Variant::Atomic);
/// let limits = Limits { nodes: Some(500), ..Limits::default() };
/// let table = TranspositionTable::with_megabytes(1);
/// let found = Engine::new().search_any(&position, &[], &limits, &table, &mut NoObserver);
/// assert!(position.is_legal(found.best().unwrap()));
/// ```
pub struct Engine {
    pub(crate) history: History,
    pub(crate) evaluator: Evaluator,
    variant: Variant,
    /// The moves of all open nodes, one node after the other.
    pub(crate) pile: Vec<CandidateMove>,
    pub(crate) listed: MoveList,
    pub(crate) frames: Vec<Frame>,
    /// The best line from each ply on.
    pub(crate) lines: Vec<Vec<Move>>,
    /// The keys of the positions that led here: first those of the game, then those of the search.
    pub(crate) keys: Vec<u64>,
    pub(crate) reductions: Box<[[i8; 64]; 64]>,
}

/// A move waiting to be tried.
#[derive(Clone, Copy)]
pub(crate) struct CandidateMove {
    pub mv: Move,
    pub score: i32,
}

/// What is known at one ply of the current line.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frame {
    pub killers: [Option<Move>; 2],
    pub eval: i32,
    /// The piece and target square of the move made here; `None` for a null move.
    pub arrival: Option<PieceTo>,
    /// A move excluded here (singular extension), to see how much depends on it.
    pub skipped: PackedMove,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The lines, the best first; none if there is no legal move.
    pub lines: Vec<PrincipalVariation>,
    /// The last finished iteration, in plies.
    pub depth: u32,
    /// How many positions were searched.
    pub nodes: u64,
}

impl SearchResult {
    /// The best move, if there is a legal one.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// The expected reply to it.
    #[must_use]
    pub fn answer(&self) -> Option<Move> {
        self.lines.first()?.moves.get(1).copied()
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine with an empty history.
    #[must_use]
    pub fn new() -> Engine {
        let mut reductions = Box::new([[0; 64]; 64]);
        for (depth, row) in reductions.iter_mut().enumerate().skip(1) {
            for (count, reduction) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (count as f64).ln();
                *reduction = (0.75 + product / 2.25) as i8;
            }
        }
        Engine {
            history: History::new(),
            evaluator: Evaluator::new(Weights::of::<touchmove_rules::Chess>()),
            variant: Variant::Chess,
            pile: Vec::with_capacity(64 * MAX_PLY),
            listed: MoveList::new(),
            frames: vec![Frame::default(); MAX_PLY + 2],
            lines: (0..MAX_PLY + 2)
                .map(|_| Vec::with_capacity(MAX_PLY))
                .collect(),
            keys: Vec::with_capacity(1024),
            reductions,
        }
    }

    /// Clears the move history.
    pub fn forget(&mut self) {
        self.history.clear();
        self.frames.fill(Frame::default());
    }

    /// Searches a position whose variant is known at run time; see [`search`](Engine::search).
    pub fn search_any(
        &mut self,
        position: &AnyPosition,
        past: &[u64],
        limits: &Limits,
        table: &TranspositionTable,
        watch: &mut dyn SearchObserver,
    ) -> SearchResult {
        with_position!(position, position => self.search(position, past, limits, table, watch))
    }

    /// Searches for the best moves. `past` holds the [keys](Position::key) of the game's earlier
    /// positions, the oldest first, so that repetitions are seen.
    pub fn search<R: Rules>(
        &mut self,
        position: &Position<R>,
        past: &[u64],
        limits: &Limits,
        table: &TranspositionTable,
        watch: &mut dyn SearchObserver,
    ) -> SearchResult {
        if self.variant != R::VARIANT {
            self.variant = R::VARIANT;
            self.evaluator = Evaluator::new(Weights::of::<R>());
            self.forget();
        }
        self.frames.fill(Frame::default());
        self.keys.clear();
        self.keys.extend_from_slice(past);
        table.begin_search();
        Search {
            first_key: past.len(),
            engine: self,
            table,
            limits,
            watch,
            nodes: 0,
            depth: 0,
            longest: 0,
            is_stopped: false,
            root: Vec::new(),
            root_first: PackedMove::NO_MOVE,
            root_value: 0,
        }
        .run(position)
    }
}

/// A running search.
pub(crate) struct Search<'a> {
    pub engine: &'a mut Engine,
    pub table: &'a TranspositionTable,
    pub limits: &'a Limits,
    pub watch: &'a mut dyn SearchObserver,
    pub nodes: u64,
    /// The depth of the current iteration.
    pub depth: i32,
    pub longest: usize,
    pub is_stopped: bool,
    /// The root moves to search now.
    pub root: Vec<Move>,
    /// The best move of the last iteration. It is searched first, so that an interrupted iteration changes the move
    /// only for a better one.
    pub root_first: PackedMove,
    /// The best value among them so far.
    pub root_value: i32,
    /// The index where the search's own keys begin.
    pub first_key: usize,
}

/// The iteration from which aspiration windows are used.
const ASPIRATION_MIN_DEPTH: i32 = 5;

impl Search<'_> {
    fn run<R: Rules>(mut self, position: &Position<R>) -> SearchResult {
        let mut candidates = position.legal_moves().to_vec();
        if position.board().by_role(Role::King).len() < 2 {
            candidates.clear();
        }
        let only = &self.limits.only;
        candidates.retain(|mv| only.is_empty() || only.contains(mv));
        let mut found = SearchResult {
            lines: Vec::new(),
            depth: 0,
            nodes: 0,
        };
        let Some(&first) = candidates.first() else {
            return found;
        };
        let count = self.limits.lines.clamp(1, candidates.len());
        let deepest = self.limits.depth.unwrap_or(u32::MAX);
        let mut best: Vec<(i32, Vec<Move>)> = Vec::new();
        for depth in 1..=deepest.clamp(1, MAX_PLY as u32 - 1) {
            self.depth = depth as i32;
            self.longest = 0;
            let mut lines = Vec::new();
            self.root.clone_from(&candidates);
            for index in 0..count {
                let expected = best.get(index).map(|&(value, _)| value);
                let first = best.get(index).and_then(|(_, moves)| moves.first());
                self.root_first = first.map_or(PackedMove::NO_MOVE, |&mv| PackedMove::of(mv));
                if let Some((value, moves)) = self.line(position, expected) {
                    self.root.retain(|mv| moves.first() != Some(mv));
                    lines.push((value, moves));
                }
                if self.is_stopped {
                    break;
                }
            }
            lines.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
            // An interrupted iteration counts as far as it came.
            for line in best {
                if !lines.iter().any(|(_, moves)| moves[0] == line.1[0]) {
                    lines.push(line);
                }
            }
            lines.truncate(count);
            best = lines;
            found.lines = best.iter().map(to_line).collect();
            if self.is_stopped {
                break;
            }
            found.depth = depth;
            let progress = Progress {
                depth,
                longest: self.longest as u32,
                nodes: self.nodes,
                permille_in_use: self.table.permille_in_use(),
                lines: &found.lines,
            };
            if self.watch.on_iteration(&progress).is_break() || self.has_mate(&found.lines) {
                break;
            }
        }
        if found.lines.is_empty() {
            found.lines.push(to_line(&(0, vec![first])));
        }
        found.nodes = self.nodes;
        found
    }

    /// Whether the requested mate is found.
    fn has_mate(&self, lines: &[PrincipalVariation]) -> bool {
        let score = lines.first().map(|line| line.score);
        match (self.limits.mate, score) {
            (Some(wanted), Some(Score::Mate(moves))) => moves > 0 && moves.unsigned_abs() <= wanted,
            _ => false,
        }
    }

    /// The best line among the root moves, first with an aspiration window around the expected value. If the search is
    /// stopped, the best found until then.
    fn line<R: Rules>(
        &mut self,
        position: &Position<R>,
        expected: Option<i32>,
    ) -> Option<(i32, Vec<Move>)> {
        let mut width = if R::CAPTURES_EXPLODE { 40 } else { 20 };
        let (mut alpha, mut beta) = match expected {
            Some(value) if self.depth >= ASPIRATION_MIN_DEPTH && value.abs() < MATE_BOUND => {
                (value - width, value + width)
            }
            _ => (-INFINITE_SCORE, INFINITE_SCORE),
        };
        let is_in_danger = explosion::is_king_explodable(position);
        let mut best = None;
        loop {
            self.engine.pile.clear();
            self.engine.keys.truncate(self.first_key);
            self.engine.lines[0].clear();
            let value = self.node(position, alpha, beta, self.depth, 0, is_in_danger, false);
            let moves = &self.engine.lines[0];
            if !moves.is_empty() {
                best = Some((self.root_value, moves.clone()));
            }
            if self.is_stopped || (alpha < value && value < beta) {
                return best;
            }
            width *= 2;
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE_SCORE);
            } else {
                beta = (value + width).min(INFINITE_SCORE);
            }
            if width > 600 {
                (alpha, beta) = (-INFINITE_SCORE, INFINITE_SCORE);
            }
        }
    }

    /// Counts a node, and now and then asks whether to stop.
    #[inline]
    pub fn count_node(&mut self) {
        if self.is_stopped {
            // A move that is searched again was already interrupted.
            return;
        }
        self.nodes += 1;
        if self.depth > 1 && self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            self.is_stopped = true;
        }
        if self.nodes.is_multiple_of(1024) && self.watch.should_stop() {
            self.is_stopped = true;
        }
    }
}

fn to_line((value, moves): &(i32, Vec<Move>)) -> PrincipalVariation {
    PrincipalVariation {
        score: Score::of(*value),
        moves: moves.clone(),
    }
}
