//! [`review`]: the scores of a game's moves, how accurately each side played, and where the game turned.

use touchmove_engine::{
    Engine, Limits, PrincipalVariation, Score, SearchObserver, TranspositionTable,
};
use touchmove_rules::{AnyPosition, ByColor, Color, Move};

use crate::turning_points::{TurningPoint, TurningPointCheck};
use crate::win_chance::chance;

/// The size of the transposition table, in megabytes.
const REVIEW_TABLE_MEGABYTES: usize = 32;
/// The maximum number of turning points reported.
const MAX_TURNING_POINTS: usize = 3;
/// The maximum number of moves searched again for them.
const MAX_TURNING_CANDIDATES: usize = 6;
/// How many times more nodes a turning point gets than other moves.
const TURNING_NODE_FACTOR: u64 = 5;

/// The score of a position, for White.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PositionScore {
    /// The score of the search.
    pub score: Score,
    /// White's win chance, with a draw counted as half.
    pub chance: f64,
}

/// How bad an error is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum MoveError {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl MoveError {
    /// The kind of error for a loss of win chance, if it is one.
    #[must_use]
    pub fn of(loss: f64) -> Option<MoveError> {
        match loss {
            _ if loss >= 0.3 => Some(MoveError::Blunder),
            _ if loss >= 0.2 => Some(MoveError::Mistake),
            _ if loss >= 0.1 => Some(MoveError::Inaccuracy),
            _ => None,
        }
    }

    /// The error in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveError::Inaccuracy => "inaccuracy",
            MoveError::Mistake => "mistake",
            MoveError::Blunder => "blunder",
        }
    }

    /// Its numeric annotation glyph (NAG) in PGN: `?!`, `?`, `??`.
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            MoveError::Inaccuracy => 6,
            MoveError::Mistake => 2,
            MoveError::Blunder => 4,
        }
    }
}

/// A reviewed move.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedPly {
    /// Which side made it.
    pub by: Color,
    /// The move.
    pub mv: Move,
    /// The best move of the search, and a likely continuation.
    pub best: Vec<Move>,
    /// The win chance that it gave away, from 0 to 1.
    pub loss: f64,
}

/// A reviewed game, possibly incomplete.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Review {
    /// The scores of the positions from the start on: one more than there are plies, if it is complete.
    pub judged: Vec<PositionScore>,
    /// The moves.
    pub plies: Vec<ReviewedPly>,
    /// The accuracy of each side, in percent; `None` for a side that has not moved.
    pub accuracy: ByColor<Option<f64>>,
    /// Where the game turned, in the order of the game; three at most.
    pub turnings: Vec<TurningPoint>,
    /// Whether the whole game was reviewed.
    pub is_complete: bool,
}

impl Review {
    /// How many errors of each kind a side made: inaccuracies, mistakes, blunders.
    #[must_use]
    pub fn slips(&self, side: Color) -> [usize; 3] {
        let own = self.plies.iter().filter(|ply| ply.by == side);
        let mut count = [0; 3];
        for slip in own.filter_map(|ply| MoveError::of(ply.loss)) {
            count[slip as usize] += 1;
        }
        count
    }
}

/// Reviews a game from its start, searching a fixed number of positions for each move. `progress` is called with the
/// steps done and the total. When the observer stops it, the part done so far is returned.
///
/// ```
/// use touchmove_coach::review;
/// use touchmove_engine::NoObserver;
/// use touchmove_rules::{AnyPosition, Variant};
///
/// let start = AnyPosition::start(Variant::Chess);
/// let mut position = start;
/// let moves: Vec<_> = ["f3", "e5", "g4", "Qh4#"].into_iter().map(|san| {
///     let mv = position.read_san(san).unwrap();
///     position.play(mv);
///     mv
/// }).collect();
/// let found = review(&start, &moves, 2000, &mut NoObserver, &mut |_, _| {});
/// assert!(found.is_complete);
/// assert_eq!(found.turnings.last().unwrap().ply, 2);
/// assert!(found.turnings.last().unwrap().text.starts_with("2. g4: White "));
/// ```
#[must_use]
pub fn review(
    start: &AnyPosition,
    moves: &[Move],
    nodes: u64,
    watch: &mut dyn SearchObserver,
    progress: &mut dyn FnMut(usize, usize),
) -> Review {
    let mut positions = vec![*start];
    for &mv in moves {
        let next = positions[positions.len() - 1].after(mv);
        positions.push(next);
    }
    let mut looking = ReviewSearch {
        keys: positions.iter().map(AnyPosition::key).collect(),
        positions,
        engine: Engine::new(),
        table: TranspositionTable::with_megabytes(REVIEW_TABLE_MEGABYTES),
        watch,
    };
    let mut review = Review::default();
    let steps = moves.len() + 1;
    let mut last: Option<PrincipalVariation> = None;
    for step in 0..steps {
        progress(step, steps + MAX_TURNING_CANDIDATES);
        let Some(line) = looking.at(step, nodes) else {
            break;
        };
        review.judged.push(looking.judge(step, line.score));
        if let Some(before) = last.replace(line) {
            let by = looking.positions[step - 1].turn();
            let [had, has] = [step - 1, step].map(|at| for_side(review.judged[at].chance, by));
            let (mv, best) = (moves[step - 1], before.moves);
            let loss = if best.first() == Some(&mv) {
                0.0
            } else {
                (had - has).max(0.0)
            };
            review.plies.push(ReviewedPly { by, mv, best, loss });
        }
    }
    let is_all = review.judged.len() == steps;
    review.accuracy = ByColor::with(|side| accuracy(&review.plies, side));
    let checked = looking.turnings(&review.plies, nodes, &mut |done| {
        progress(steps + done, steps + MAX_TURNING_CANDIDATES);
    });
    review.is_complete = is_all && checked.is_some();
    review.turnings = checked.unwrap_or_default();
    if review.is_complete {
        progress(
            steps + MAX_TURNING_CANDIDATES,
            steps + MAX_TURNING_CANDIDATES,
        );
    }
    review
}

/// White's win chance converted to a side's.
fn for_side(chance: f64, side: Color) -> f64 {
    if side.is_white() {
        chance
    } else {
        1.0 - chance
    }
}

/// Accuracy is 100 e^(-5 l), where l is the average win chance given away by a move.
fn accuracy(plies: &[ReviewedPly], side: Color) -> Option<f64> {
    let own: Vec<f64> = plies
        .iter()
        .filter(|ply| ply.by == side)
        .map(|ply| ply.loss)
        .collect();
    if own.is_empty() {
        return None;
    }
    let mean = own.iter().sum::<f64>() / own.len() as f64;
    Some(100.0 * (-5.0 * mean).exp())
}

/// A review in progress.
struct ReviewSearch<'a> {
    positions: Vec<AnyPosition>,
    keys: Vec<u64>,
    engine: Engine,
    table: TranspositionTable,
    watch: &'a mut dyn SearchObserver,
}

impl ReviewSearch<'_> {
    /// The best line in the position after `plies` plies, for the side on move; `None` if the search is stopped.
    fn at(&mut self, plies: usize, nodes: u64) -> Option<PrincipalVariation> {
        let position = self.positions[plies];
        if let Some(score) = self.ended(plies) {
            return Some(PrincipalVariation {
                score,
                moves: Vec::new(),
            });
        }
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let past = &self.keys[..plies];
        let found = self
            .engine
            .search_any(&position, past, &limits, &self.table, self.watch);
        if self.watch.should_stop() {
            return None;
        }
        found.lines.into_iter().next()
    }

    /// The score of a finished game: by the last move, or by threefold repetition.
    fn ended(&self, plies: usize) -> Option<Score> {
        let key = self.keys[plies];
        let times = self.keys[..plies]
            .iter()
            .filter(|&&past| past == key)
            .count();
        match self.positions[plies].outcome() {
            Some(outcome) => Some(match outcome.winner() {
                Some(_) => Score::Mate(0),
                None => Score::Centipawns(0),
            }),
            None => (times >= 2 && plies + 1 == self.keys.len()).then_some(Score::Centipawns(0)),
        }
    }

    /// Converts a score of the side on move to White's.
    fn judge(&self, plies: usize, score: Score) -> PositionScore {
        let position = &self.positions[plies];
        let own = chance(position.variant(), score);
        let is_white = position.turn().is_white();
        let score = match (score, is_white) {
            (score, true) => score,
            (Score::Centipawns(value), false) => Score::Centipawns(-value),
            (Score::Mate(moves), false) => Score::Mate(-moves),
        };
        PositionScore {
            score,
            chance: for_side(own, position.turn()),
        }
    }

    /// The moves that lost the most win chance, searched again and longer; `None` if the search is stopped.
    fn turnings(
        &mut self,
        plies: &[ReviewedPly],
        nodes: u64,
        progress: &mut dyn FnMut(usize),
    ) -> Option<Vec<TurningPoint>> {
        let mut candidates: Vec<usize> = (0..plies.len())
            .filter(|&ply| MoveError::of(plies[ply].loss).is_some())
            .collect();
        candidates.sort_by(|&a, &b| plies[b].loss.total_cmp(&plies[a].loss));
        let mut turnings = Vec::new();
        for (done, &ply) in candidates.iter().take(MAX_TURNING_CANDIDATES).enumerate() {
            if turnings.len() == MAX_TURNING_POINTS {
                break;
            }
            progress(done);
            turnings.extend(self.check(
                ply,
                plies[ply].mv,
                nodes.saturating_mul(TURNING_NODE_FACTOR),
            )?);
        }
        turnings.sort_by_key(|turning: &TurningPoint| turning.ply);
        Some(turnings)
    }

    /// Searches a move longer. `None` if it is stopped; `Some(None)` if the move is no turning point.
    fn check(&mut self, ply: usize, mv: Move, nodes: u64) -> Option<Option<TurningPoint>> {
        let before = self.at(ply, nodes)?;
        let after = self.at(ply + 1, nodes)?;
        let position = &self.positions[ply];
        let answer = match after.score {
            Score::Centipawns(value) => Score::Centipawns(-value),
            Score::Mate(moves) => Score::Mate(-moves),
        };
        let scores = [before.score, answer];
        let own = chance(position.variant(), before.score);
        let then = 1.0 - chance(position.variant(), after.score);
        let is_other = before.moves.first() != Some(&mv);
        let is_turning = is_other && MoveError::of(own - then).is_some();
        let checked = TurningPointCheck {
            ply,
            before: position,
            played: mv,
            best: &before.moves,
            scores,
            chances: [own, then],
        };
        Some(is_turning.then(|| checked.turning()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use touchmove_engine::NoObserver;
    use touchmove_rules::Variant;

    fn game(variant: Variant, sans: &str) -> (AnyPosition, Vec<Move>) {
        let start = AnyPosition::start(variant);
        let mut position = start;
        let read = |san: &str| {
            let mv = position.read_san(san).unwrap();
            position.play(mv);
            mv
        };
        (start, sans.split_whitespace().map(read).collect())
    }

    #[test]
    fn the_queen_given_away_is_the_turning_point() {
        let sans = "e4 e5 Nf3 Nc6 Bc4 Qg5 Nxg5 Nf6 d3 d6";
        let (start, moves) = game(Variant::Chess, sans);
        let found = review(&start, &moves, 4000, &mut NoObserver, &mut |_, _| {});
        assert!(found.is_complete);
        assert_eq!((found.judged.len(), found.plies.len()), (11, 10));
        let [turning] = &found.turnings[..] else {
            panic!("{:?}", found.turnings);
        };
        assert_eq!((turning.ply, turning.by), (5, Color::Black));
        assert!(
            turning
                .text
                .starts_with("3... Qg5: Black stood even, and was losing"),
            "{}",
            turning.text
        );
        assert!(
            turning.text.contains("Better was 3... "),
            "{}",
            turning.text
        );
        let [white, black] = [Color::White, Color::Black].map(|side| found.accuracy[side].unwrap());
        assert!(white > 80.0 && black < white - 10.0, "{white} {black}");
        assert_eq!(found.slips(Color::Black)[2], 1);
    }

    #[test]
    fn a_missed_blast_of_the_king_is_said() {
        let (start, moves) = game(Variant::Atomic, "Nf3 d6 Ng5 Nf6 Nh3 e6");
        let found = review(&start, &moves, 4000, &mut NoObserver, &mut |_, _| {});
        let missed = found
            .turnings
            .iter()
            .find(|turning| turning.ply == 4)
            .unwrap();
        assert!(
            missed
                .text
                .starts_with("3. Nh3: White could win in the next move"),
            "{}",
            missed.text
        );
        assert!(
            missed.text.ends_with("Better was 3. Nxf7#."),
            "{}",
            missed.text
        );
    }

    /// An observer that stops after being asked this many times.
    struct After(usize);

    impl SearchObserver for After {
        fn should_stop(&mut self) -> bool {
            self.0 = self.0.saturating_sub(1);
            self.0 == 0
        }
    }

    #[test]
    fn a_review_that_is_stopped_tells_what_it_has_done() {
        let (start, moves) = game(Variant::Chess, "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6");
        let steps = AtomicUsize::new(0);
        let found = review(&start, &moves, 2000, &mut After(10), &mut |done, _| {
            steps.store(done, Ordering::Relaxed);
        });
        assert!(!found.is_complete && found.judged.len() < 9);
        assert!(!found.judged.is_empty());
        assert_eq!(found.plies.len() + 1, found.judged.len());
        assert!(steps.into_inner() < 9);
    }

    #[test]
    fn a_game_without_moves_has_nothing_to_say() {
        let start = AnyPosition::start(Variant::SimpleAtomic);
        let found = review(&start, &[], 500, &mut NoObserver, &mut |_, _| {});
        assert!(found.is_complete && found.turnings.is_empty());
        assert_eq!(found.accuracy, ByColor::default());
    }
}
