//! The thread on which computers think, so that the event loop never waits for them. It starts and stops UCI
//! engines; `computer_seats` interprets their answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use touchmove_engine::{Level, Opponent, OpponentAction, OpponentView, SearchObserver};
use touchmove_game::Millis;
use touchmove_rules::{AnyPosition, ByColor, Move};
use touchmove_uci_client::{Error, GoLimits, UciEngine, UciTimeouts};

use crate::opponents::{
    ComputerAnswer, ComputerReply, ComputerSpec, ComputerTask, EngineProgram, TaskKind,
};

/// The node limit of full strength where there is no clock.
const MAX_UNTIMED_NODES: u64 = 1_000_000;
/// The time limit of a UCI engine's move where there is no clock.
const UNTIMED_MOVE_LIMITS: Millis = Millis(1_000);
/// The longest time for any move.
const MAX_THINK_TIME: Millis = Millis(10_000);
/// The size of the built-in engine's transposition table, in megabytes.
const TABLE_MEGABYTES: usize = 16;
/// How often in a game an engine that has exited is restarted.
const MAX_RESTARTS: u32 = 2;

/// The timeouts of UCI engines in a game with people.
pub const ENGINE_TIMEOUTS: UciTimeouts = UciTimeouts {
    ready: Duration::from_secs(10),
    thinking: Duration::from_secs(15),
    stopping: Duration::from_secs(2),
};

struct OpponentJob {
    task: ComputerTask,
    stop: Arc<AtomicBool>,
}

/// Computers that think on a background thread. Dropping it stops them and waits for the thread.
pub(crate) struct OpponentThread {
    jobs: Option<Sender<OpponentJob>>,
    current: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl OpponentThread {
    /// Starts the thread; `tell` receives every answer. An answer takes at least `pause`, so that people can
    /// follow.
    pub fn begin(
        pause: Duration,
        patience: UciTimeouts,
        tell: impl Fn(ComputerReply) + Send + 'static,
    ) -> OpponentThread {
        let (jobs, asked) = mpsc::channel();
        let thread = thread::spawn(move || work(&asked, pause, patience, &tell));
        OpponentThread {
            jobs: Some(jobs),
            current: Arc::default(),
            thread: Some(thread),
        }
    }

    /// Submits a question, and cancels the one before.
    pub fn ask(&mut self, task: ComputerTask) {
        self.cancel();
        self.current = Arc::default();
        if let Some(jobs) = &self.jobs {
            let stop = Arc::clone(&self.current);
            // Cannot fail: the thread lives as long as `self`.
            let _ = jobs.send(OpponentJob { task, stop });
        }
    }

    /// Cancels the current question.
    pub fn cancel(&self) {
        self.current.store(true, Ordering::Relaxed);
    }
}

impl Drop for OpponentThread {
    fn drop(&mut self) {
        self.cancel();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported when it happened.
            let _ = thread.join();
        }
    }
}

fn work(
    asked: &Receiver<OpponentJob>,
    pause: Duration,
    patience: UciTimeouts,
    tell: &dyn Fn(ComputerReply),
) {
    let mut minds: ByColor<Option<OpponentPlayer>> = ByColor::default();
    while let Ok(first) = asked.recv() {
        let job = asked.try_iter().last().unwrap_or(first);
        let began = Instant::now();
        let task = &job.task;
        let reply = |said| ComputerReply {
            seq: task.seq,
            matter: task.matter,
            color: task.color,
            said,
        };
        let mind = &mut minds[task.color];
        if mind.as_ref().is_none_or(|mind| !mind.is_for(task)) {
            *mind = None;
            *mind = Some(OpponentPlayer::of(task));
        }
        let note = |text| tell(reply(ComputerAnswer::Note(text)));
        let said = mind
            .as_mut()
            .and_then(|mind| mind.answer(&job, patience, &note));
        while began.elapsed() < pause && !job.stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        if let Some(said) = said
            && !job.stop.load(Ordering::Relaxed)
        {
            tell(reply(said));
        }
    }
}

/// The player of one seat.
struct OpponentPlayer {
    who: ComputerSpec,
    seed: u64,
    /// The built-in player. It also decides about draws for UCI engines, because UCI cannot ask them.
    opponent: Opponent,
    program: Option<EngineProcess>,
}

/// A running UCI engine.
struct EngineProcess {
    program: EngineProgram,
    rival: Option<UciEngine>,
    restarts: u32,
}

impl OpponentPlayer {
    fn of(task: &ComputerTask) -> OpponentPlayer {
        let (level, program) = match &task.who {
            ComputerSpec::Level(level) => (*level, None),
            ComputerSpec::EngineProgram(program) => {
                let running = EngineProcess {
                    program: program.clone(),
                    rival: None,
                    restarts: 0,
                };
                (Level::Full, Some(running))
            }
        };
        let seed = task.seed.rotate_left(task.color as u32);
        let opponent = Opponent::new(level, seed, TABLE_MEGABYTES).resigning(!task.plays_on);
        OpponentPlayer {
            who: task.who.clone(),
            seed: task.seed,
            opponent,
            program,
        }
    }

    fn is_for(&self, task: &ComputerTask) -> bool {
        self.who == task.who && self.seed == task.seed
    }

    fn answer(
        &mut self,
        job: &OpponentJob,
        patience: UciTimeouts,
        note: &dyn Fn(String),
    ) -> Option<ComputerAnswer> {
        let task = &job.task;
        let sight = PositionView::of(task);
        let budget = task.left.map(budget);
        let mut watch = StopCondition {
            stop: &job.stop,
            until: budget.map(|millis| Instant::now() + Duration::from_millis(millis.0)),
        };
        let situation = sight.situation();
        match (task.matter, &mut self.program) {
            (TaskKind::Move, Some(program)) => program.answer(job, budget, patience, note),
            (TaskKind::Move, None) => {
                let deed = self
                    .opponent
                    .choose(&situation, MAX_UNTIMED_NODES, &mut watch)?;
                Some(match deed {
                    OpponentAction::Move(mv) => ComputerAnswer::Move(task.written(mv)),
                    OpponentAction::Resign => ComputerAnswer::Resign,
                })
            }
            (TaskKind::Offer | TaskKind::Claim, _) => {
                let takes = self.opponent.takes_draw(&situation, task.color, &mut watch);
                Some(ComputerAnswer::Draw(takes))
            }
        }
    }
}

impl EngineProcess {
    /// The engine's answer. An engine that has exited or does not answer is restarted, at most twice in a game; one
    /// that makes an illegal move cannot play on.
    fn answer(
        &mut self,
        job: &OpponentJob,
        budget: Option<Millis>,
        patience: UciTimeouts,
        note: &dyn Fn(String),
    ) -> Option<ComputerAnswer> {
        let task = &job.task;
        let go = GoLimits::millis(budget.unwrap_or(UNTIMED_MOVE_LIMITS).0);
        loop {
            let thought = self
                .rival(task, patience)
                .and_then(|rival| rival.search_until(&task.start, &task.moves, &go, &job.stop));
            let trouble = match thought {
                Ok(thought) => return Some(ComputerAnswer::Move(task.written(thought.best))),
                Err(trouble) => trouble,
            };
            if trouble.is_fatal() {
                self.rival = None;
            }
            if job.stop.load(Ordering::Relaxed) {
                return None;
            }
            if !trouble.is_fatal() || self.restarts == MAX_RESTARTS {
                return Some(ComputerAnswer::Trouble(trouble.to_string()));
            }
            self.restarts += 1;
            note(format!("{trouble}; it is started again."));
        }
    }

    fn rival(
        &mut self,
        task: &ComputerTask,
        patience: UciTimeouts,
    ) -> Result<&mut UciEngine, Error> {
        let rival = match self.rival.take() {
            Some(rival) => rival,
            None => start(&self.program, &task.start, patience)?,
        };
        Ok(self.rival.insert(rival))
    }
}

/// Starts an engine for a game from this position.
///
/// # Errors
/// If it does not start, rejects its options, or does not play the variant.
pub fn start(
    program: &EngineProgram,
    start: &AnyPosition,
    patience: UciTimeouts,
) -> Result<UciEngine, Error> {
    let read = program.parts().map_err(|what| Error::Unable {
        engine: program.name.clone(),
        what: format!("cannot be started: {what}"),
    })?;
    let mut rival = UciEngine::start(&read.command, patience)?;
    for (name, value) in &read.options {
        rival.set(name, value)?;
    }
    rival.new_game(start.variant())?;
    Ok(rival)
}

/// The time for one move, from the remaining time.
fn budget(left: Millis) -> Millis {
    Millis((left.0 / 30).clamp(20, MAX_THINK_TIME.0).min(left.0 / 2))
}

/// A position with its history.
struct PositionView {
    position: AnyPosition,
    past: Vec<u64>,
    last: Option<Move>,
}

impl PositionView {
    fn of(task: &ComputerTask) -> PositionView {
        let (position, past) = walk(&task.start, &task.moves);
        PositionView {
            position,
            past,
            last: task.moves.last().copied(),
        }
    }

    fn situation(&self) -> OpponentView<'_> {
        OpponentView {
            position: &self.position,
            past: &self.past,
            last: self.last,
        }
    }
}

/// The position after the moves, and the keys of the positions before it.
pub(crate) fn walk(start: &AnyPosition, moves: &[Move]) -> (AnyPosition, Vec<u64>) {
    let mut position = *start;
    let mut past = Vec::with_capacity(moves.len());
    for &mv in moves {
        past.push(position.key());
        position.play(mv);
    }
    (position, past)
}

/// Stops a search when it is cancelled or its time is up.
pub(crate) struct StopCondition<'a> {
    pub stop: &'a AtomicBool,
    pub until: Option<Instant>,
}

impl SearchObserver for StopCondition<'_> {
    fn should_stop(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use touchmove_rules::{Color, Variant};

    const SHORT: UciTimeouts = UciTimeouts {
        ready: Duration::from_secs(20),
        thinking: Duration::from_millis(300),
        stopping: Duration::from_millis(300),
    };

    fn fake(how: &str) -> ComputerSpec {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../uci-client/tests/fake.sh");
        let text = format!("sh {script} {how}");
        ComputerSpec::EngineProgram(EngineProgram::read(how, &text).unwrap())
    }

    fn task(who: ComputerSpec, matter: TaskKind) -> ComputerTask {
        ComputerTask {
            seq: 0,
            matter,
            color: Color::White,
            who,
            start: AnyPosition::start(Variant::Chess),
            moves: Vec::new(),
            left: None,
            seed: 5,
            plays_on: false,
        }
    }

    /// Runs a question; returns all notes and the answer.
    fn asked(task: ComputerTask) -> Vec<ComputerAnswer> {
        let (sender, replies) = mpsc::channel();
        let mut sparring =
            OpponentThread::begin(Duration::ZERO, SHORT, move |reply: ComputerReply| {
                let _ = sender.send(reply.said);
            });
        sparring.ask(task);
        let mut heard = Vec::new();
        while let Ok(said) = replies.recv_timeout(Duration::from_secs(60)) {
            let is_note = matches!(said, ComputerAnswer::Note(_));
            heard.push(said);
            if !is_note {
                break;
            }
        }
        heard
    }

    #[test]
    fn a_level_moves_and_answers_offers() {
        let casual = ComputerSpec::Level(Level::Casual);
        let moves = asked(task(casual.clone(), TaskKind::Move));
        assert!(matches!(moves[..], [ComputerAnswer::Move(_)]), "{moves:?}");
        assert_eq!(
            asked(task(casual, TaskKind::Offer)),
            [ComputerAnswer::Draw(false)]
        );
    }

    #[test]
    fn a_program_that_behaves_plays() {
        let moves = asked(task(fake("behaves"), TaskKind::Move));
        assert!(matches!(moves[..], [ComputerAnswer::Move(_)]), "{moves:?}");
    }

    #[test]
    fn a_program_that_leaves_or_hangs_is_started_again_and_then_forfeits() {
        for how in ["dies", "hangs"] {
            let heard = asked(task(fake(how), TaskKind::Move));
            assert_eq!(heard.len(), 3, "{how}: {heard:?}");
            assert!(
                matches!(heard[1], ComputerAnswer::Note(_)),
                "{how}: {heard:?}"
            );
            assert!(
                matches!(heard[2], ComputerAnswer::Trouble(_)),
                "{how}: {heard:?}"
            );
        }
    }

    #[test]
    fn a_program_that_plays_no_legal_move_forfeits_at_once() {
        let heard = asked(task(fake("illegal"), TaskKind::Move));
        let [ComputerAnswer::Trouble(why)] = &heard[..] else {
            panic!("{heard:?}");
        };
        assert!(why.contains("plays"), "{why}");
    }

    #[test]
    fn nobody_waits_for_a_program_that_is_not_wanted_any_more() {
        let (sender, replies) = mpsc::channel();
        let slow = UciTimeouts {
            thinking: Duration::from_secs(600),
            ..SHORT
        };
        let mut sparring =
            OpponentThread::begin(Duration::ZERO, slow, move |reply: ComputerReply| {
                let _ = sender.send(reply.said);
            });
        sparring.ask(task(fake("hangs"), TaskKind::Move));
        thread::sleep(Duration::from_millis(300));
        let began = Instant::now();
        drop(sparring);
        assert!(began.elapsed() < Duration::from_secs(60));
        assert!(replies.recv().is_err(), "nothing was said");
    }
}
