//! Throughput of appends: each is durable before it is answered, by 1, 32, 128 and 512 concurrent callers, each
//! with a game of its own. It prints figures and asserts nothing, because disks differ.
//!
//! ```text
//! cargo bench -p touchmove-store --bench append [-- FOLDER | postgres://…]
//! ```

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use touchmove_store::{
    AppendDecision, DueChange, GameChanges, GameId, GameSummary, Moment, NewGame, SeatHolders,
    Sqlite, Store, StoredDecision, WriteId,
};

/// How long each number of callers is measured.
const LENGTH: Duration = Duration::from_secs(3);
/// A move as an event of a journal.
const MOVE: &str = r#"{"v":1,"seq":104,"at":1790000000000,"by":"white","id":"m52","event":"moved","move":"g1f3","san":"Nf3","lag":200,"clock":179000}"#;

fn id(n: u64) -> GameId {
    format!("{n:08}").parse().unwrap()
}

/// The CPU time of all threads of this process.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        time.tv_nsec.unsigned_abs() as u32,
    )
}

/// Plays one game until the time is over; returns the latency of each append.
async fn play(store: Arc<dyn Store>, table: u64, until: Instant) -> Vec<Duration> {
    let mut times = Vec::new();
    for first in 1.. {
        let asked = Instant::now();
        if asked > until {
            break;
        }
        let append = AppendDecision {
            game: id(table),
            decision: StoredDecision {
                first,
                last: first,
                mark: WriteId(u128::from(first)),
                text: MOVE.to_owned(),
            },
            seat: None,
            changes: GameChanges {
                plies: Some(u32::try_from(first).unwrap()),
                last_activity: Some(Moment(first.cast_signed())),
                ..GameChanges::default()
            },
            due: DueChange::By(Moment(60_000)),
        };
        assert!(store.append_decision(append).await.unwrap().is_stored());
        times.push(asked.elapsed());
    }
    times
}

/// Measures this many callers, with games numbered from `from`; returns a row of the table.
async fn measure(store: Arc<dyn Store>, from: u64, callers: u64) -> String {
    for table in from..from + callers {
        let game = NewGame {
            id: id(table),
            mark: WriteId(0),
            created: Moment(table.cast_signed()),
            opening: MOVE.repeat(5),
            summary: GameSummary::of("chess", "lobby"),
            seats: SeatHolders::default(),
            due: None,
        };
        assert!(store.create_game(game).await.unwrap().is_stored());
    }
    let (began, spent) = (Instant::now(), processor_time());
    let tables: Vec<_> = (from..from + callers)
        .map(|table| tokio::spawn(play(Arc::clone(&store), table, began + LENGTH)))
        .collect();
    let mut times = Vec::new();
    for table in tables {
        times.extend(table.await.unwrap());
    }
    let (length, spent) = (began.elapsed(), processor_time() - spent);
    times.sort_unstable();
    let millis = |part: usize| times[times.len() * part / 100].as_secs_f64() * 1e3;
    format!(
        "{callers:>7} {:>11.0} {:>8.2} {:>8.2} {:>25.1}",
        times.len() as f64 / length.as_secs_f64(),
        millis(50),
        millis(99),
        spent.as_secs_f64() * 1e6 / times.len() as f64,
    )
}

fn main() {
    let place = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    println!("callers   appends/s   p50 ms   p99 ms   processor µs per append");
    #[cfg(feature = "postgres")]
    if let Some(address) = place.as_ref().filter(|place| place.contains("://")) {
        let store: Arc<dyn Store> = Arc::new(touchmove_store::Postgres::open(address).unwrap());
        // Game numbers that no earlier run has used, because the games stay in the store.
        let mut from = u64::from(std::process::id()) % 50_000 * 2_000;
        for callers in [1, 64, 256, 512] {
            let row = measure(Arc::clone(&store), from, callers);
            println!("{}", runtime.block_on(row));
            from += callers;
        }
        return;
    }
    let folder = place.map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("touchmove-bench-{}", std::process::id()));
    for callers in [1, 32, 128, 512] {
        let path = folder.join(format!("{callers}.db"));
        let log = folder.join(format!("{callers}.db-wal"));
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(path).unwrap());
        let row = runtime.block_on(measure(Arc::clone(&store), 0, callers));
        let log = log.metadata().unwrap().len() as f64 / (1 << 20) as f64;
        println!("{row}, {log:.1} MiB of log");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
