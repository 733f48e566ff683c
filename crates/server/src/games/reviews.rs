//! Reviews of finished games: scores of every position, and turning points. A review is a long search: one runs at a
//! time, in a queue in which addresses take turns, bounded in positions and in time. It runs as long as a client
//! keeps asking for it, and is cached when it is done.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};
use touchmove_coach::{MoveError, Review, review};
use touchmove_engine::{Score, SearchObserver};
use touchmove_game::Game;
use touchmove_rules::{AnyPosition, ByColor, Color, Move};
use touchmove_store::GameId;

use crate::Server;
use crate::api::ApiError;
use crate::lock_ext::LockExt as _;
use crate::security::Limits;
use crate::spawn::spawn_boxed;
use crate::work_queue::{WorkLimits, WorkOwner, WorkQueue};

/// The positions searched in a whole game, and the most and fewest for each of its moves.
const NODES_PER_GAME: u64 = 2_000_000;
const MAX_NODES_PER_MOVE: u64 = 20_000;
const MIN_NODES_PER_MOVE: u64 = 1_500;
/// The longest that a review takes; what was found until then is returned.
const MAX_REVIEW_TIME: Duration = Duration::from_secs(60);
/// A review that nobody has asked about for this long is abandoned.
const ABANDON_AFTER: Duration = Duration::from_secs(10);
/// How many reviews are cached.
const MAX_CACHED_REVIEWS: usize = 200;

/// The reviews of a server.
pub(crate) struct Reviews {
    works: Mutex<ReviewJobs>,
    queue: WorkQueue,
}

#[derive(Default)]
struct ReviewJobs {
    known: HashMap<GameId, Arc<ReviewJob>>,
    /// Finished reviews, the oldest first.
    done: VecDeque<GameId>,
}

impl Reviews {
    pub(crate) fn new(limits: &Limits) -> Reviews {
        let limits = WorkLimits {
            threads: 1,
            waiting: limits.waiting_reviews as usize,
            per_owner: limits.waiting_reviews_per_address as usize,
            is_low_priority: true,
        };
        Reviews {
            works: Mutex::default(),
            queue: WorkQueue::new("reviews", "too many games are being reviewed", limits),
        }
    }
}

/// A review, running or finished.
struct ReviewJob {
    steps: AtomicUsize,
    all: AtomicUsize,
    asked: Mutex<Instant>,
    told: OnceLock<Arc<ReviewJson>>,
}

/// The progress of a review, and its result when it is done.
#[derive(Serialize)]
pub(crate) struct ReviewStatusJson {
    status: &'static str,
    /// Completed steps, and their total.
    done: usize,
    of: usize,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared")]
    review: Option<Arc<ReviewJson>>,
}

/// Serialises shared data like owned data.
fn shared<S: Serializer>(told: &Option<Arc<ReviewJson>>, to: S) -> Result<S::Ok, S::Error> {
    told.as_deref().serialize(to)
}

/// A review as JSON.
#[derive(Serialize)]
struct ReviewJson {
    /// Whether the whole game was analysed.
    complete: bool,
    /// The score of each position, from the start on.
    positions: Vec<PositionScoreJson>,
    /// The accuracy of each side, in percent.
    accuracy: ByColorJson<Option<f64>>,
    /// The number of inaccuracies, mistakes and blunders of each side.
    slips: ByColorJson<[usize; 3]>,
    turnings: Vec<TurningPointJson>,
}

#[derive(Serialize)]
struct ByColorJson<T> {
    white: T,
    black: T,
}

/// The score of a position for White.
#[derive(Serialize)]
struct PositionScoreJson {
    /// The expected score in percent: a win counts one, a draw half.
    chance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// The class of the move that led here: `inaccuracy`, `mistake` or `blunder`.
    #[serde(skip_serializing_if = "Option::is_none")]
    slip: Option<&'static str>,
}

/// A turning point of the game.
#[derive(Serialize)]
struct TurningPointJson {
    /// The number of the ply, counted from 1.
    ply: usize,
    by: Color,
    text: String,
    /// The better line, in UCI and in SAN.
    better: Vec<String>,
    better_san: Vec<String>,
}

/// Stops a review when its time is over, nobody waits for it any more, or the server shuts down.
struct ReviewDeadline<'a> {
    work: &'a ReviewJob,
    until: Instant,
    closing: tokio::sync::watch::Receiver<bool>,
}

impl ReviewDeadline<'_> {
    fn is_wanted(&self) -> bool {
        self.work.asked.locked().elapsed() < ABANDON_AFTER && !*self.closing.borrow()
    }
}

impl SearchObserver for ReviewDeadline<'_> {
    fn should_stop(&mut self) -> bool {
        Instant::now() >= self.until || !self.is_wanted()
    }
}

impl ReviewJob {
    fn answered(&self) -> ReviewStatusJson {
        let review = self.told.get().map(Arc::clone);
        ReviewStatusJson {
            status: match review.is_some() {
                true => "done",
                false => "running",
            },
            done: self.steps.load(Ordering::Relaxed),
            of: self.all.load(Ordering::Relaxed),
            review,
        }
    }

    /// Reviews a game; `None` if it was abandoned.
    fn run(
        &self,
        start: &AnyPosition,
        moves: &[Move],
        closing: tokio::sync::watch::Receiver<bool>,
    ) -> Option<ReviewJson> {
        let plies = moves.len().max(1) as u64;
        let nodes = (NODES_PER_GAME / plies).clamp(MIN_NODES_PER_MOVE, MAX_NODES_PER_MOVE);
        let mut patience = ReviewDeadline {
            work: self,
            until: Instant::now() + MAX_REVIEW_TIME,
            closing,
        };
        let found = review(start, moves, nodes, &mut patience, &mut |done, all| {
            self.all.store(all, Ordering::Relaxed);
            self.steps.store(done, Ordering::Relaxed);
        });
        (found.is_complete || patience.is_wanted()).then(|| ReviewJson::of(&found, start, moves))
    }
}

impl ReviewJson {
    fn of(found: &Review, start: &AnyPosition, moves: &[Move]) -> ReviewJson {
        let rounded = |value: f64| (value * 10.0).round() / 10.0;
        let worth = |(index, judged): (usize, &touchmove_coach::PositionScore)| {
            let ply = index.checked_sub(1).and_then(|ply| found.plies.get(ply));
            let (cp, mate) = match judged.score {
                Score::Centipawns(value) => (Some(value), None),
                Score::Mate(moves) => (None, Some(moves)),
            };
            PositionScoreJson {
                chance: rounded(100.0 * judged.chance),
                cp,
                mate,
                slip: ply
                    .and_then(|ply| MoveError::of(ply.loss))
                    .map(MoveError::name),
            }
        };
        let mut positions = vec![*start];
        for &mv in moves {
            let next = positions[positions.len() - 1].after(mv);
            positions.push(next);
        }
        let turned = |turning: &touchmove_coach::TurningPoint| {
            let mut position = positions[turning.ply];
            let (mut better, mut better_san) = (Vec::new(), Vec::new());
            for &mv in &turning.better {
                better.push(position.uci(mv).to_string());
                better_san.push(position.san(mv).to_string());
                position.play(mv);
            }
            TurningPointJson {
                ply: turning.ply + 1,
                by: turning.by,
                text: turning.text.clone(),
                better,
                better_san,
            }
        };
        let accuracy: ByColor<Option<f64>> = found.accuracy;
        ReviewJson {
            complete: found.is_complete,
            positions: found.judged.iter().enumerate().map(worth).collect(),
            accuracy: ByColorJson {
                white: accuracy.white.map(rounded),
                black: accuracy.black.map(rounded),
            },
            slips: ByColorJson {
                white: found.slips(Color::White),
                black: found.slips(Color::Black),
            },
            turnings: found.turnings.iter().map(turned).collect(),
        }
    }
}

impl Reviews {
    /// The status of a known review. This counts as a sign that a client still waits.
    fn find(&self, id: GameId) -> Option<ReviewStatusJson> {
        let works = self.works.locked();
        let work = works.known.get(&id)?;
        *work.asked.locked() = Instant::now();
        Some(work.answered())
    }

    /// Registers a new review; `None` if there is one already, which the caller then finds.
    fn begin(&self, id: GameId) -> Option<Arc<ReviewJob>> {
        let mut works = self.works.locked();
        if works.known.contains_key(&id) {
            return None;
        }
        let work = Arc::new(ReviewJob {
            steps: AtomicUsize::new(0),
            all: AtomicUsize::new(0),
            asked: Mutex::new(Instant::now()),
            told: OnceLock::new(),
        });
        works.known.insert(id, Arc::clone(&work));
        Some(work)
    }

    fn finish(&self, id: GameId, work: &ReviewJob, told: Option<ReviewJson>) {
        let mut works = self.works.locked();
        let Some(told) = told else {
            works.known.remove(&id);
            return;
        };
        // It is set only once.
        let _ = work.told.set(Arc::new(told));
        works.done.push_back(id);
        if works.done.len() > MAX_CACHED_REVIEWS
            && let Some(oldest) = works.done.pop_front()
        {
            works.known.remove(&oldest);
        }
    }
}

impl Server {
    /// The progress of a review that was requested before.
    pub(crate) fn known_review(&self, id: GameId) -> Option<ReviewStatusJson> {
        self.reviews.find(id)
    }

    /// Starts the review of a game, and returns its progress.
    ///
    /// # Errors
    /// If the game is not over, has no moves, or the queue is full.
    pub(crate) fn review(
        self: &Arc<Server>,
        owner: WorkOwner,
        id: GameId,
        game: &Game,
    ) -> Result<ReviewStatusJson, ApiError> {
        if game.ending().is_none() {
            return Err(ApiError::conflict(
                "not_over",
                "the game is not over: a game is reviewed when nobody can profit from it any more",
            ));
        }
        if game.plies().is_empty() {
            return Err(ApiError::conflict(
                "no_moves",
                "nobody has moved in this game: there is nothing to review",
            ));
        }
        if let Some(work) = self.reviews.begin(id) {
            let start = game.terms().start;
            let moves: Vec<Move> = game.plies().iter().map(|ply| ply.mv).collect();
            let (same, closing) = (Arc::clone(&work), self.shutdown_signal());
            let looked = self
                .reviews
                .queue
                .submit(owner, move |_| same.run(&start, &moves, closing));
            match looked {
                Ok(looked) => {
                    let server = Arc::clone(self);
                    spawn_boxed(async move {
                        let told = looked.await.ok().flatten();
                        server.reviews.finish(id, &work, told);
                    });
                }
                Err(error) => {
                    self.reviews.finish(id, &work, None);
                    return Err(error.into());
                }
            }
        }
        let begun = self.reviews.find(id);
        begun.ok_or_else(|| ApiError::busy("the review could not begin: ask again in a moment"))
    }
}
