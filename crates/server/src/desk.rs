//! The arbiter's desk, open to everybody: as many questions at once as there are processors, a short line of
//! those who wait, and no look that takes longer than a second.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use touchmove_desk::{Cap, Report, Request, answer};

use crate::http::Problem;

/// How many may wait for each processor.
const LINE: usize = 8;
/// The most positions that are looked at for one verdict.
const POSITIONS: u64 = 500_000;
/// The longest that one question may take.
const TIME: Duration = Duration::from_secs(1);

/// Where the arbiter answers.
pub struct Desk {
    /// Places for those who are answered or wait.
    places: Arc<Semaphore>,
    /// Processors.
    turns: Arc<Semaphore>,
}

impl Default for Desk {
    fn default() -> Desk {
        Desk::of(thread::available_parallelism().map_or(1, usize::from))
    }
}

impl Desk {
    /// A desk with so many processors.
    #[must_use]
    pub fn of(processors: usize) -> Desk {
        Desk {
            places: Arc::new(Semaphore::new(processors * (1 + LINE))),
            turns: Arc::new(Semaphore::new(processors)),
        }
    }

    /// Answers a question, when it is its turn.
    ///
    /// # Errors
    /// If there is something to mend about the question, or too many wait already.
    pub async fn answer(&self, request: Request) -> Result<Report, Problem> {
        let busy = || Problem::busy("the arbiter has too many questions: ask again in a moment");
        let place = Arc::clone(&self.places);
        let place = place.try_acquire_owned().map_err(|_| busy())?;
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|_| busy())?;
        let answered = tokio::task::spawn_blocking(move || {
            let begin = Instant::now();
            let clock = || begin.elapsed();
            let answered = answer(
                &request,
                &Cap {
                    positions: POSITIONS,
                    time: TIME,
                    clock: &clock,
                },
            );
            // Whoever has hung up keeps his place until the work is done.
            drop((turn, place));
            answered
        });
        match answered.await {
            Ok(answered) => Ok(answered?),
            Err(error) => {
                tracing::error!(%error, "the arbiter did not answer");
                Err(busy())
            }
        }
    }
}
