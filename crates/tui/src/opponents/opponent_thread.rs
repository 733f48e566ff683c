//! The thread on which computers think, so that nobody waits for them who does not want to. It starts and
//! ends programs; what their answers mean is said elsewhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use touchmove_engine::{Deed, Level, Opponent, Situation, Watch};
use touchmove_game::Millis;
use touchmove_rules::{AnyPosition, ByColor, Move};
use touchmove_uci_client::{Go, Patience, Rival, Trouble};

use crate::opponents::{Contestant, Matter, Program, Reply, Said, Task};

/// The positions that full strength looks at where no clock runs.
const MOST: u64 = 1_000_000;
/// What a program may spend on a move where no clock runs.
const UNTIMED: Millis = Millis(1_000);
/// The most that anybody thinks about one move.
const LONGEST: Millis = Millis(10_000);
/// What the built-in engine remembers, in megabytes.
const MEMORY: usize = 16;
/// How often in a game a program that has left is started again.
const RESTARTS: u32 = 2;

/// How long programs are waited for at a table where somebody waits.
pub const PATIENCE: Patience = Patience {
    ready: Duration::from_secs(10),
    thinking: Duration::from_secs(15),
    stopping: Duration::from_secs(2),
};

struct Job {
    task: Task,
    stop: Arc<AtomicBool>,
}

/// Computers that think in the background. When this is dropped, they are gone and waited for.
pub(crate) struct Sparring {
    jobs: Option<Sender<Job>>,
    current: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Sparring {
    /// Begins; `tell` hears every answer, which takes `pause` at least, so that people see what happens.
    pub fn begin(
        pause: Duration,
        patience: Patience,
        tell: impl Fn(Reply) + Send + 'static,
    ) -> Sparring {
        let (jobs, asked) = mpsc::channel();
        let thread = thread::spawn(move || work(&asked, pause, patience, &tell));
        Sparring {
            jobs: Some(jobs),
            current: Arc::default(),
            thread: Some(thread),
        }
    }

    /// Asks this; whatever was asked before is of no interest any more.
    pub fn ask(&mut self, task: Task) {
        self.hush();
        self.current = Arc::default();
        if let Some(jobs) = &self.jobs {
            let stop = Arc::clone(&self.current);
            // The thread lives as long as this does.
            let _ = jobs.send(Job { task, stop });
        }
    }

    /// Nothing that was asked is of interest any more.
    pub fn hush(&self) {
        self.current.store(true, Ordering::Relaxed);
    }
}

impl Drop for Sparring {
    fn drop(&mut self) {
        self.hush();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A thread that has panicked has said so itself.
            let _ = thread.join();
        }
    }
}

fn work(asked: &Receiver<Job>, pause: Duration, patience: Patience, tell: &dyn Fn(Reply)) {
    let mut minds: ByColor<Option<Mind>> = ByColor::default();
    while let Ok(first) = asked.recv() {
        let job = asked.try_iter().last().unwrap_or(first);
        let began = Instant::now();
        let task = &job.task;
        let reply = |said| Reply {
            seq: task.seq,
            matter: task.matter,
            color: task.color,
            said,
        };
        let mind = &mut minds[task.color];
        if mind.as_ref().is_none_or(|mind| !mind.is_for(task)) {
            *mind = None;
            *mind = Some(Mind::of(task));
        }
        let note = |text| tell(reply(Said::Note(text)));
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

/// Somebody who thinks for one seat.
struct Mind {
    who: Contestant,
    seed: u64,
    /// The built-in player: it also judges draws for programs, which are not asked about them.
    opponent: Opponent,
    program: Option<Running>,
}

/// A program, as far as it runs.
struct Running {
    program: Program,
    rival: Option<Rival>,
    restarts: u32,
}

impl Mind {
    fn of(task: &Task) -> Mind {
        let (level, program) = match &task.who {
            Contestant::Level(level) => (*level, None),
            Contestant::Program(program) => {
                let running = Running {
                    program: program.clone(),
                    rival: None,
                    restarts: 0,
                };
                (Level::Full, Some(running))
            }
        };
        let seed = task.seed.rotate_left(task.color as u32);
        let opponent = Opponent::new(level, seed, MEMORY).resigning(!task.plays_on);
        Mind {
            who: task.who.clone(),
            seed: task.seed,
            opponent,
            program,
        }
    }

    fn is_for(&self, task: &Task) -> bool {
        self.who == task.who && self.seed == task.seed
    }

    fn answer(&mut self, job: &Job, patience: Patience, note: &dyn Fn(String)) -> Option<Said> {
        let task = &job.task;
        let sight = Sight::of(task);
        let budget = task.left.map(budget);
        let mut watch = Deadline {
            stop: &job.stop,
            until: budget.map(|millis| Instant::now() + Duration::from_millis(millis.0)),
        };
        let situation = sight.situation();
        match (task.matter, &mut self.program) {
            (Matter::Move, Some(program)) => program.answer(job, budget, patience, note),
            (Matter::Move, None) => {
                let deed = self.opponent.choose(&situation, MOST, &mut watch)?;
                Some(match deed {
                    Deed::Move(mv) => Said::Move(task.written(mv)),
                    Deed::Resign => Said::Resign,
                })
            }
            (Matter::Offer | Matter::Claim, _) => {
                let takes = self.opponent.takes_draw(&situation, task.color, &mut watch);
                Some(Said::Draw(takes))
            }
        }
    }
}

impl Running {
    /// The program's move. One that has left or says nothing is started again, twice in a game; one that
    /// makes no legal move cannot play on.
    fn answer(
        &mut self,
        job: &Job,
        budget: Option<Millis>,
        patience: Patience,
        note: &dyn Fn(String),
    ) -> Option<Said> {
        let task = &job.task;
        let go = Go::millis(budget.unwrap_or(UNTIMED).0);
        loop {
            let thought = self
                .rival(task, patience)
                .and_then(|rival| rival.think_until(&task.start, &task.moves, &go, &job.stop));
            let trouble = match thought {
                Ok(thought) => return Some(Said::Move(task.written(thought.best))),
                Err(trouble) => trouble,
            };
            if trouble.is_gone() {
                self.rival = None;
            }
            if job.stop.load(Ordering::Relaxed) {
                return None;
            }
            if !trouble.is_gone() || self.restarts == RESTARTS {
                return Some(Said::Trouble(trouble.to_string()));
            }
            self.restarts += 1;
            note(format!("{trouble}; it is started again."));
        }
    }

    fn rival(&mut self, task: &Task, patience: Patience) -> Result<&mut Rival, Trouble> {
        let rival = match self.rival.take() {
            Some(rival) => rival,
            None => start(&self.program, &task.start, patience)?,
        };
        Ok(self.rival.insert(rival))
    }
}

/// Starts a program for a game that begins with this position.
///
/// # Errors
/// If it does not start, does not take its options, or does not play the variant.
pub fn start(program: &Program, start: &AnyPosition, patience: Patience) -> Result<Rival, Trouble> {
    let read = program.parts().map_err(|what| Trouble::Unable {
        engine: program.name.clone(),
        what: format!("cannot be started: {what}"),
    })?;
    let mut rival = Rival::start(&read.command, patience)?;
    for (name, value) in &read.options {
        rival.set(name, value)?;
    }
    rival.new_game(start.variant())?;
    Ok(rival)
}

/// What may be spent on a move of so much time that is left.
fn budget(left: Millis) -> Millis {
    Millis((left.0 / 30).clamp(20, LONGEST.0).min(left.0 / 2))
}

/// A position with what led to it.
struct Sight {
    position: AnyPosition,
    past: Vec<u64>,
    last: Option<Move>,
}

impl Sight {
    fn of(task: &Task) -> Sight {
        let (position, past) = walk(&task.start, &task.moves);
        Sight {
            position,
            past,
            last: task.moves.last().copied(),
        }
    }

    fn situation(&self) -> Situation<'_> {
        Situation {
            position: &self.position,
            past: &self.past,
            last: self.last,
        }
    }
}

/// The position that moves lead to, and the keys of those before it.
pub(crate) fn walk(start: &AnyPosition, moves: &[Move]) -> (AnyPosition, Vec<u64>) {
    let mut position = *start;
    let mut past = Vec::with_capacity(moves.len());
    for &mv in moves {
        past.push(position.key());
        position.play(mv);
    }
    (position, past)
}

/// Stops when it is told to, or when it is time.
pub(crate) struct Deadline<'a> {
    pub stop: &'a AtomicBool,
    pub until: Option<Instant>,
}

impl Watch for Deadline<'_> {
    fn stops(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use touchmove_rules::{Color, Variant};

    const SHORT: Patience = Patience {
        ready: Duration::from_secs(20),
        thinking: Duration::from_millis(300),
        stopping: Duration::from_millis(300),
    };

    fn fake(how: &str) -> Contestant {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../rival/tests/fake.sh");
        let text = format!("sh {script} {how}");
        Contestant::Program(Program::read(how, &text).unwrap())
    }

    fn task(who: Contestant, matter: Matter) -> Task {
        Task {
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

    /// Everything that is said until the answer.
    fn asked(task: Task) -> Vec<Said> {
        let (sender, replies) = mpsc::channel();
        let mut sparring = Sparring::begin(Duration::ZERO, SHORT, move |reply: Reply| {
            let _ = sender.send(reply.said);
        });
        sparring.ask(task);
        let mut heard = Vec::new();
        while let Ok(said) = replies.recv_timeout(Duration::from_secs(60)) {
            let is_note = matches!(said, Said::Note(_));
            heard.push(said);
            if !is_note {
                break;
            }
        }
        heard
    }

    #[test]
    fn a_level_moves_and_answers_offers() {
        let casual = Contestant::Level(Level::Casual);
        let moves = asked(task(casual.clone(), Matter::Move));
        assert!(matches!(moves[..], [Said::Move(_)]), "{moves:?}");
        assert_eq!(asked(task(casual, Matter::Offer)), [Said::Draw(false)]);
    }

    #[test]
    fn a_program_that_behaves_plays() {
        let moves = asked(task(fake("behaves"), Matter::Move));
        assert!(matches!(moves[..], [Said::Move(_)]), "{moves:?}");
    }

    #[test]
    fn a_program_that_leaves_or_hangs_is_started_again_and_then_forfeits() {
        for how in ["dies", "hangs"] {
            let heard = asked(task(fake(how), Matter::Move));
            assert_eq!(heard.len(), 3, "{how}: {heard:?}");
            assert!(matches!(heard[1], Said::Note(_)), "{how}: {heard:?}");
            assert!(matches!(heard[2], Said::Trouble(_)), "{how}: {heard:?}");
        }
    }

    #[test]
    fn a_program_that_plays_no_legal_move_forfeits_at_once() {
        let heard = asked(task(fake("illegal"), Matter::Move));
        let [Said::Trouble(why)] = &heard[..] else {
            panic!("{heard:?}");
        };
        assert!(why.contains("plays"), "{why}");
    }

    #[test]
    fn nobody_waits_for_a_program_that_is_not_wanted_any_more() {
        let (sender, replies) = mpsc::channel();
        let slow = Patience {
            thinking: Duration::from_secs(600),
            ..SHORT
        };
        let mut sparring = Sparring::begin(Duration::ZERO, slow, move |reply: Reply| {
            let _ = sender.send(reply.said);
        });
        sparring.ask(task(fake("hangs"), Matter::Move));
        thread::sleep(Duration::from_millis(300));
        let began = Instant::now();
        drop(sparring);
        assert!(began.elapsed() < Duration::from_secs(60));
        assert!(replies.recv().is_err(), "nothing was said");
    }
}
