//! The coach: hints, threats and reviews, computed at once or on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use touchmove_coach::{Hint, Review, Threat, review};
use touchmove_engine::{NoObserver, SearchObserver};
use touchmove_game::Game;
use touchmove_rules::{AnyPosition, Bitboard, Move};

use crate::opponents::opponent_thread::{StopCondition, walk};

/// Search nodes for a hint or a threat.
const HINT_NODES: u64 = 200_000;
/// Search nodes for each move of a review on the game screen.
const REVIEW_NODES_PER_MOVE: u64 = 40_000;

/// What the coach can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoachQuestion {
    /// One good move.
    Hint,
    /// What the opponent threatens.
    Threat,
    /// The turning points of the game.
    Review,
}

/// A question for the coach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoachRequest {
    /// The number of the question.
    pub number: u64,
    /// The kind of question.
    pub what: CoachQuestion,
    /// The start position of the game.
    pub start: AnyPosition,
    /// The moves that lead to the position in question.
    pub moves: Vec<Move>,
}

/// The coach's answer.
#[derive(Clone, PartialEq, Debug)]
pub enum CoachAnswer {
    /// A sentence, with the squares to mark.
    Words(String, Bitboard),
    /// The progress of a review: steps done, and steps in all.
    Progress(usize, usize),
    /// A review, possibly cut short.
    Review(Box<Review>),
}

/// The coach's answer to a question.
#[derive(Clone, PartialEq, Debug)]
pub struct CoachReply {
    /// The number of the question.
    pub number: u64,
    /// The answer.
    pub advice: CoachAnswer,
}

/// The coach on a background thread. A new question cancels the one before.
pub(crate) struct CoachThread {
    questions: Option<Sender<(CoachRequest, Arc<AtomicBool>)>>,
    current: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl CoachThread {
    /// Starts the thread; `tell` receives every answer.
    pub fn begin(tell: impl Fn(CoachReply) + Send + 'static) -> CoachThread {
        let (questions, asked) = mpsc::channel::<(CoachRequest, Arc<AtomicBool>)>();
        let thread = thread::spawn(move || {
            while let Ok((wanted, stop)) = asked.recv() {
                let number = wanted.number;
                answer(&wanted, &stop, &|advice| {
                    tell(CoachReply { number, advice });
                });
            }
        });
        CoachThread {
            questions: Some(questions),
            current: Arc::default(),
            thread: Some(thread),
        }
    }

    /// Submits a question.
    pub fn ask(&mut self, wanted: CoachRequest) {
        self.cancel();
        self.current = Arc::default();
        if let Some(questions) = &self.questions {
            // Cannot fail: the thread lives as long as `self`.
            let _ = questions.send((wanted, Arc::clone(&self.current)));
        }
    }

    /// Cancels the current question; a review is returned as far as it came.
    pub fn cancel(&self) {
        self.current.store(true, Ordering::Relaxed);
    }
}

impl Drop for CoachThread {
    fn drop(&mut self) {
        self.cancel();
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported when it happened.
            let _ = thread.join();
        }
    }
}

fn answer(wanted: &CoachRequest, stop: &AtomicBool, tell: &dyn Fn(CoachAnswer)) {
    let mut watch = StopCondition { stop, until: None };
    let (position, past) = walk(&wanted.start, &wanted.moves);
    tell(match wanted.what {
        CoachQuestion::Hint => hint_in(&position, &past, &mut watch),
        CoachQuestion::Threat => threat_in(&position, &past, &mut watch),
        CoachQuestion::Review => {
            let mut progress = |done, all| tell(CoachAnswer::Progress(done, all));
            let found = review(
                &wanted.start,
                &wanted.moves,
                REVIEW_NODES_PER_MOVE,
                &mut watch,
                &mut progress,
            );
            CoachAnswer::Review(Box::new(found))
        }
    });
}

fn hint_in(position: &AnyPosition, past: &[u64], watch: &mut dyn SearchObserver) -> CoachAnswer {
    match Hint::find(position, past, HINT_NODES, watch) {
        Some(hint) => {
            let mv = hint.best();
            let text = format!("Hint: {}", hint.text);
            CoachAnswer::Words(text, mv.from().set() | mv.to().set())
        }
        None => CoachAnswer::Words("There is no legal move.".to_owned(), Bitboard::EMPTY),
    }
}

fn threat_in(position: &AnyPosition, past: &[u64], watch: &mut dyn SearchObserver) -> CoachAnswer {
    let threat = Threat::to(position, past, HINT_NODES, watch);
    CoachAnswer::Words(format!("Threat: {}", threat.text), threat.squares)
}

/// The current position of a game and the keys of the positions before it.
fn standing(game: &Game) -> (AnyPosition, Vec<u64>) {
    walk(&game.terms().start, &game.moves_played())
}

/// A hint for the player on move.
#[must_use]
pub fn hint(game: &Game) -> Option<Hint> {
    let (position, past) = standing(game);
    Hint::find(&position, &past, HINT_NODES, &mut NoObserver)
}

/// What the opponent of the player on move threatens.
#[must_use]
pub fn threat(game: &Game) -> Threat {
    let (position, past) = standing(game);
    Threat::to(&position, &past, HINT_NODES, &mut NoObserver)
}
