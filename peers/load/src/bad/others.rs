//! How those fare who only want to play: measured without bad clients and with them in turns, so that a disk
//! that is slow for a while is slow for both. Bad clients have a thread of their own. What is measured while the
//! whole machine stood still is left out of both; on a machine that stands still for most of the time everything
//! counts, in both.

use std::fmt;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::task::LocalSet;
use tokio::time::sleep;

use super::{Attack, AttackContext, Outcome, attempt};
use crate::club::LoadGenerator;
use crate::measure::{Tally, millis};

/// Nobody is slowed by less than this, whatever the ratio.
const MIN_SLOWDOWN: Duration = Duration::from_millis(5);
/// What is measured is kept or left out in pieces of this length.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(250);
/// A thread that sleeps for one millisecond and wakes so much later was not kept waiting by a server that
/// leaves the processors idle for most of the time.
const STALL_THRESHOLD: Duration = Duration::from_millis(4);

/// How often the machine has stood still, as a thread notices that only sleeps.
pub(super) struct StallCounter(Arc<AtomicU64>);

impl StallCounter {
    /// Watches from now on.
    pub(super) fn begin() -> StallCounter {
        let count = Arc::new(AtomicU64::new(0));
        let watched = Arc::downgrade(&count);
        std::thread::spawn(move || watch(&watched));
        StallCounter(count)
    }

    fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn watch(count: &Weak<AtomicU64>) {
    while let Some(count) = count.upgrade() {
        let before = Instant::now();
        std::thread::sleep(Duration::from_millis(1));
        if before.elapsed() > STALL_THRESHOLD {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// What others saw during some time, and what the server took for it.
#[derive(Default)]
struct Span {
    /// While the machine did not stand still, and all the time.
    undisturbed: Tally,
    whole: Tally,
    cpu: Duration,
    took: Duration,
    slices: usize,
    left_out: usize,
}

impl Span {
    /// Measures until something has happened.
    async fn last<T>(
        &mut self,
        hall: &AttackContext,
        club: &LoadGenerator,
        standstills: &StallCounter,
        until: impl Future<Output = T>,
    ) -> anyhow::Result<T> {
        let mut until = pin!(until);
        let (begun, used) = (Instant::now(), hall.server.cpu()?);
        club.tally.take();
        let mut stood_still = standstills.count();
        let happened = loop {
            let happened = tokio::select! {
                happened = &mut until => Some(happened),
                () = sleep(SAMPLE_INTERVAL) => None,
            };
            let now = standstills.count();
            self.add(&club.tally.take(), now == stood_still);
            stood_still = now;
            if let Some(happened) = happened {
                break happened;
            }
        };
        self.took += begun.elapsed();
        self.cpu += hall.server.cpu()?.saturating_sub(used);
        Ok(happened)
    }

    fn add(&mut self, tally: &Tally, is_undisturbed: bool) {
        self.slices += 1;
        self.left_out += usize::from(!is_undisturbed);
        self.whole.broken += tally.broken;
        let others = is_undisturbed.then_some(&mut self.undisturbed);
        for kept in [Some(&mut self.whole), others].into_iter().flatten() {
            kept.answered.extend(&tally.answered);
            kept.told.extend(&tally.told);
        }
    }

    /// Whether enough was measured while the machine did not stand still.
    fn is_enough(&self) -> bool {
        self.slices - self.left_out >= self.slices / 4
    }

    /// Leaves nothing out.
    fn count_everything(&mut self) {
        self.undisturbed = std::mem::take(&mut self.whole);
        self.left_out = 0;
    }

    fn p99(&self) -> Duration {
        self.undisturbed.answered.within(990)
    }

    /// The share of one core that the server had.
    fn share(&self) -> f64 {
        self.cpu.as_secs_f64() / self.took.as_secs_f64().max(1e-6)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} moves, p50 {}, p90 {}, p99 {} to the answer, {} to the opponent, {:.1} % of one core; left out {} of {}",
            self.undisturbed.answered.count(),
            millis(self.undisturbed.answered.within(500)),
            millis(self.undisturbed.answered.within(900)),
            millis(self.p99()),
            millis(self.undisturbed.told.within(990)),
            self.share() * 100.0,
            self.left_out,
            self.slices
        )
    }
}

/// Lets bad clients of one kind in, on a thread of their own.
fn unleash(
    hall: &Arc<AttackContext>,
    attack: Attack,
) -> oneshot::Receiver<anyhow::Result<Outcome>> {
    let (sender, outcome) = oneshot::channel();
    let hall = Arc::clone(hall);
    std::thread::spawn(move || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().map_err(anyhow::Error::from);
        let outcome =
            runtime.and_then(|runtime| LocalSet::new().block_on(&runtime, attempt(&hall, attack)));
        drop(hall);
        // Nobody may be waiting any more.
        let _ = sender.send(outcome);
    });
    outcome
}

/// Lets one kind in, in turns with quiet times. Says how many things were wrong.
pub(super) async fn endure(
    hall: &Arc<AttackContext>,
    club: &LoadGenerator,
    standstills: &StallCounter,
    attack: Attack,
    rounds: u32,
) -> anyhow::Result<usize> {
    let (mut without, mut with) = (Span::default(), Span::default());
    let mut outcome = Outcome::default();
    let mut count = 0;
    for _ in 0..rounds {
        let quiet = sleep(Duration::from_secs(hall.seconds));
        without.last(hall, club, standstills, quiet).await?;
        let loud = unleash(hall, attack);
        let tried = with.last(hall, club, standstills, loud).await?;
        outcome = tried?.unwrap_or_else(|error| Outcome {
            wrong: vec![format!("it could not be tried to the end: {error:#}")],
            ..Outcome::default()
        });
        count += outcome.count;
        if !outcome.wrong.is_empty() {
            break;
        }
    }
    outcome.must(with.whole.broken == 0, "connections of others broke");
    let stood_still = !without.is_enough() || !with.is_enough();
    if stood_still {
        without.count_everything();
        with.count_everything();
    }
    let ratio = with.p99().as_secs_f64() / without.p99().as_secs_f64().max(1e-6);
    let is_slowed = ratio > 2.0 && with.p99() >= MIN_SLOWDOWN;
    outcome.must(!is_slowed, "others were slowed");
    println!("{attack:?}: p99 of the others {ratio:.2} × what it is without");
    if stood_still {
        println!("  (the machine stood still most of the time: everything counts)");
    }
    println!("  without: {without}");
    println!("  with:    {with}");
    if count > 0 {
        let extra = (with.share() - without.share()).max(0.0) * with.took.as_secs_f64();
        println!(
            "  {count} were answered, about {:.0} µs of the server's CPU for each",
            extra / count as f64 * 1e6
        );
    }
    for line in &outcome.lines {
        println!("  {line}");
    }
    for wrong in &outcome.wrong {
        println!("  WRONG: {wrong}");
    }
    Ok(outcome.wrong.len())
}
