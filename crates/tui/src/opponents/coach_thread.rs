//! The coach: hints, threats and reviews, at once or on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use touchmove_coach::{Hint, Review, Threat, review};
use touchmove_engine::{NoObserver, SearchObserver};
use touchmove_game::Game;
use touchmove_rules::{AnyPosition, Bitboard, Move};

use crate::opponents::opponent_thread::{StopCondition, walk};

/// Positions that are looked at for a hint or a threat.
const HINT_NODES: u64 = 200_000;
/// Positions that are looked at for each move of a game that is reviewed at the table.
const REVIEW_NODES_PER_MOVE: u64 = 40_000;

/// What the coach can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoachQuestion {
    /// One good move.
    Hint,
    /// What the opponent threatens.
    Threat,
    /// Where the game turned.
    Review,
}

/// A question for the coach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoachRequest {
    /// The number of the question.
    pub number: u64,
    /// What is asked.
    pub what: CoachQuestion,
    /// Where the game began.
    pub start: AnyPosition,
    /// The moves that lead to the position that it is about.
    pub moves: Vec<Move>,
}

/// What the coach says.
#[derive(Clone, PartialEq, Debug)]
pub enum CoachAnswer {
    /// A sentence, with the squares that it is about.
    Words(String, Bitboard),
    /// How far a review has come: so many steps of so many.
    Progress(usize, usize),
    /// A review, as far as it came.
    Review(Box<Review>),
}

/// What the coach says about the question of this number.
#[derive(Clone, PartialEq, Debug)]
pub struct CoachReply {
    /// Which question it is about.
    pub number: u64,
    /// What is said.
    pub advice: CoachAnswer,
}

/// A coach in the background. What was asked before is given up when something else is asked.
pub(crate) struct CoachThread {
    questions: Option<Sender<(CoachRequest, Arc<AtomicBool>)>>,
    current: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl CoachThread {
    /// Begins; `tell` hears everything that is said.
    pub fn begin(tell: impl Fn(CoachReply) + Send + 'static) -> CoachThread {
        let (questions, asked) = mpsc::channel::<(CoachRequest, Arc<AtomicBool>)>();
        let thread = thread::spawn(move || {
            while let Ok((wanted, stop)) = asked.recv() {
                let number = wanted.number;
                answer(&wanted, &stop, &|advice| {
                    tell(CoachReply { number, advice })
                });
            }
        });
        CoachThread {
            questions: Some(questions),
            current: Arc::default(),
            thread: Some(thread),
        }
    }

    /// Asks this.
    pub fn ask(&mut self, wanted: CoachRequest) {
        self.cancel();
        self.current = Arc::default();
        if let Some(questions) = &self.questions {
            // The thread lives as long as this does.
            let _ = questions.send((wanted, Arc::clone(&self.current)));
        }
    }

    /// Breaks off what is being looked into; a review is told as far as it came.
    pub fn cancel(&self) {
        self.current.store(true, Ordering::Relaxed);
    }
}

impl Drop for CoachThread {
    fn drop(&mut self) {
        self.cancel();
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            // A thread that has panicked has said so itself.
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

/// The position of a game and the keys of those before it.
fn standing(game: &Game) -> (AnyPosition, Vec<u64>) {
    walk(&game.terms().start, &game.moves_played())
}

/// A hint for whoever is on move.
#[must_use]
pub fn hint(game: &Game) -> Option<Hint> {
    let (position, past) = standing(game);
    Hint::find(&position, &past, HINT_NODES, &mut NoObserver)
}

/// What threatens whoever is on move.
#[must_use]
pub fn threat(game: &Game) -> Threat {
    let (position, past) = standing(game);
    Threat::to(&position, &past, HINT_NODES, &mut NoObserver)
}
