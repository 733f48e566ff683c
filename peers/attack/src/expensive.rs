//! Expensive requests of one hostile address while honest players play from others: how long their moves take
//! before and meanwhile, and what the server takes for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::task::{JoinSet, LocalSet};
use tokio::time::sleep;
use touchmove_load::check::Clock;
use touchmove_load::club::{GameSpeed, LoadGenerator, Plan as Games, Time};
use touchmove_load::measure::{Latencies, millis};
use touchmove_load::net::NodeAddress;

use crate::report::Report;
use crate::target::Target;
use crate::wire::{Outcome, Request};
use crate::{Plan, accounts, long_games};

/// The address of the attacker, as the proxy tells it.
const HOSTILE: &str = "203.0.113.66";
/// Requests of the attacker on their way at once.
const AT_ONCE: usize = 40;
/// Games of the honest players.
const GAMES: usize = 20;
/// A move of each of their games in this time.
const PACE: Duration = Duration::from_millis(250);
/// The least that an answer with a long game has.
const LEAST_GAME_BYTES: usize = 5_000;
/// The position that costs the arbiter most, of those that were tried.
const HARD: &str = "k1b5/1p1b4/1P2b2B/5bB1/5Bb1/1p2B2b/pP1B4/K1B5 w - - 0 1";

/// What is asked for again and again.
#[derive(Clone)]
struct Wave {
    name: &'static str,
    requests: Vec<Request>,
}

/// Measures without and with each wave, in turns.
pub async fn attack(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let arguments = [
        "--registration",
        "open",
        "--trusted-proxy",
        "127.0.0.1",
        "--bots",
        "all",
    ];
    let target = Target::start(plan, "expensive", &arguments).await?;
    let long_games = long_games::play(plan, &target, report).await?;
    let club = LoadGenerator::new(
        Games {
            games: GAMES,
            variant: "mixed".to_owned(),
            clock: Clock {
                base: 300_000,
                increment: 3_000,
            },
            pace: GameSpeed::Every(PACE),
            most_plies: 300,
            seed: plan.seed,
            roams: false,
        },
        vec![target.program.listen],
    );
    club.begin();
    club.seated(Duration::from_secs(60)).await?;
    sleep(Duration::from_secs(1)).await;
    let mut waves = waves(&long_games);
    let together = waves.iter().flat_map(|wave| wave.requests.clone());
    let together = Wave {
        name: "everything",
        requests: together.collect(),
    };
    let (rounds, seconds) = match plan.is_long {
        true => (2, 5),
        false => (2, 3),
    };
    match plan.is_long {
        true => waves.push(together),
        false => waves = vec![together],
    }
    for wave in waves {
        let (mut before, mut during) = (Latencies::default(), Latencies::default());
        let (mut used, mut took) = (Duration::ZERO, Duration::ZERO);
        let (mut answered, mut worked, mut largest) = (0, 0, 0);
        for _ in 0..rounds {
            club.tally.take();
            sleep(Duration::from_secs(seconds)).await;
            before.extend(&club.tally.take().answered);
            let (begun, cpu) = (Instant::now(), target.server()?.cpu()?);
            let flood = Flood::begin(target.proxy(), wave.clone());
            sleep(Duration::from_secs(seconds)).await;
            during.extend(&club.tally.take().answered);
            used += target.server()?.cpu()?.saturating_sub(cpu);
            took += begun.elapsed();
            let counts = flood.end().await;
            answered += counts.sent.load(Ordering::Relaxed);
            worked += counts.worked.load(Ordering::Relaxed);
            largest = largest.max(counts.largest.load(Ordering::Relaxed));
            sleep(Duration::from_millis(500)).await;
        }
        report.count(answered);
        let limit = before.within(990) * 2 + plan.slack;
        report.note(format!(
            "{}: {answered} requests, {worked} of them let in, answers of {} KiB at most; honest moves p50 {} → {}, p99 {} → {} (limit {}), {:.0} % of a core, {} MB",
            wave.name,
            largest >> 10,
            millis(before.within(500)),
            millis(during.within(500)),
            millis(before.within(990)),
            millis(during.within(990)),
            millis(limit),
            used.as_secs_f64() / took.as_secs_f64() * 100.0,
            target.server()?.peak_memory()? >> 20
        ));
        report.must(worked > 0, || {
            format!("{}: none of {answered} requests was let in", wave.name)
        });
        let is_long = [
            "exports of many",
            "exports of one",
            "journals",
            "everything",
        ];
        report.must(
            largest > LEAST_GAME_BYTES || !is_long.contains(&wave.name),
            || format!("{}: the largest answer had {largest} bytes", wave.name),
        );
        report.must(during.count() * 2 > before.count(), || {
            format!(
                "{}: only {} of about {} honest moves were answered",
                wave.name,
                during.count(),
                before.count()
            )
        });
        report.must(during.within(990) <= limit, || {
            format!(
                "{}: p99 of honest moves went from {} to {}",
                wave.name,
                millis(before.within(990)),
                millis(during.within(990))
            )
        });
    }
    club.end().await;
    let findings = club.check(true, Time::Ours).await?;
    report.note(format!(
        "honest games: {} with {} moves, {} commands granted",
        findings.games, findings.moves, findings.granted
    ));
    for violation in findings.violations.iter().take(10) {
        report.fail(violation, b"");
    }
    target.finish(report).await
}

/// A flood of requests from a thread of its own.
struct Flood {
    is_over: Arc<AtomicBool>,
    count: Arc<Counts>,
    thread: std::thread::JoinHandle<()>,
}

/// What became of the requests of a flood.
#[derive(Default)]
struct Counts {
    sent: AtomicUsize,
    /// How many did the work that costs so much.
    worked: AtomicUsize,
    /// The bytes of the largest answer.
    largest: AtomicUsize,
}

impl Flood {
    fn begin(way: NodeAddress, wave: Wave) -> Flood {
        let (is_over, count) = (Arc::new(AtomicBool::new(false)), Arc::<Counts>::default());
        let (is_over_too, count_too) = (Arc::clone(&is_over), Arc::clone(&count));
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            if let Ok(runtime) = { runtime }.enable_all().build() {
                let flood = flood(way, wave, is_over_too, count_too);
                LocalSet::new().block_on(&runtime, flood);
            }
        });
        Flood {
            is_over,
            count,
            thread,
        }
    }

    async fn end(self) -> Arc<Counts> {
        self.is_over.store(true, Ordering::Relaxed);
        while !self.thread.is_finished() {
            sleep(Duration::from_millis(20)).await;
        }
        self.count
    }
}

async fn flood(way: NodeAddress, wave: Wave, is_over: Arc<AtomicBool>, count: Arc<Counts>) {
    let wave = Arc::new(wave);
    let mut senders = JoinSet::new();
    for number in 0..AT_ONCE {
        let (wave, is_over, count) = (Arc::clone(&wave), Arc::clone(&is_over), Arc::clone(&count));
        senders.spawn_local(async move {
            let mut index = number * 13;
            while !is_over.load(Ordering::Relaxed) {
                let request = &wave.requests[index % wave.requests.len()];
                let outcome = request.clone().from(HOSTILE).send(&way).await;
                count.sent.fetch_add(1, Ordering::Relaxed);
                index += 1;
                // A password that is wrong was looked at.
                if matches!(outcome.status(), Some(200..=202 | 401)) {
                    count.worked.fetch_add(1, Ordering::Relaxed);
                }
                if let Outcome::Answer(answer) = &outcome {
                    let length = answer.body.len();
                    count.largest.fetch_max(length, Ordering::Relaxed);
                }
                if outcome.status() != Some(200) {
                    // Who is refused need not burn the attacker's own processor.
                    sleep(Duration::from_millis(2)).await;
                }
            }
        });
    }
    // What is still on its way when the time is over is left.
    while !is_over.load(Ordering::Relaxed) {
        sleep(Duration::from_millis(20)).await;
    }
    senders.abort_all();
    while senders.join_next().await.is_some() {}
}

fn waves(games: &[String]) -> Vec<Wave> {
    let get = |path: &str| Request::new("GET", path);
    let each = |path: &str| -> Vec<Request> {
        let filled = games.iter().map(|game| get(&path.replace("{}", game)));
        filled.collect()
    };
    let pictures = (0..64).map(|rank: u32| {
        let fen = format!(
            "8/{}/8/8/k6K/8/8/8%20w%20-%20-%20{}%201",
            "PPPPPPPP",
            rank % 50
        );
        get(&format!("/diagram.png?side_px=1600&fen={fen}"))
    });
    let ids = |game: &String| {
        let ids = vec![game.as_str(); 300].join(",");
        Request::new("POST", "/api/games/export/_ids?moves=true&evals=true").body("text/plain", ids)
    };
    let arbiter = |path: &str| {
        Request::new("POST", path).json(&format!(r#"{{"position":{{"fen":"{HARD}"}}}}"#))
    };
    let computer = Request::new("POST", "/v1/tables")
        .bearer(&accounts::guest(900))
        .json(r#"{"computer":"master","side":"black","terms":{"time":"5+3"}}"#);
    let sign_in = |number: usize| {
        let body = format!(r#"{{"name":"nobody{number}","password":"wrong {number}"}}"#);
        Request::new("POST", "/v1/session").json(&body)
    };
    let wave = |name, requests| Wave { name, requests };
    vec![
        wave(
            "pictures",
            pictures
                .chain((0..8).map(|_| get("/diagram.svg?side_px=1600")))
                .collect(),
        ),
        wave("exports of many", games.iter().map(ids).collect()),
        wave(
            "exports of one",
            [each("/game/export/{}"), each("/v1/tables/{}/pgn")].concat(),
        ),
        wave("journals", each("/v1/tables/{}/journal")),
        wave(
            "lists",
            vec![
                get("/v1/tables?phase=running&limit=100"),
                get("/v1/tables?phase=finished&limit=100"),
                get("/api/tv/channels"),
                get("/v1/seeks"),
                get("/v1/players/casual/games"),
                get("/api/games/user/casual?max=100"),
            ],
        ),
        wave(
            "states and pages",
            [
                each("/v1/tables/{}"),
                each("/{}"),
                vec![get("/"), get("/rules")],
            ]
            .concat(),
        ),
        wave(
            "the arbiter",
            vec![arbiter("/arbiter/winnable"), arbiter("/arbiter/judge")],
        ),
        wave("reviews and computers", {
            let review = |game: &String| Request::new("POST", &format!("/v1/tables/{game}/review"));
            let mut requests: Vec<Request> = games.iter().map(review).collect();
            requests.push(computer);
            requests
        }),
        wave("many names", {
            let list = |kind: &str, count: usize| {
                let names: Vec<String> =
                    (0..count).map(|number| format!("{kind}{number}")).collect();
                names.join(",")
            };
            let names = list("nobody", 300);
            vec![
                Request::new("POST", "/api/users").body("text/plain", names.clone()),
                get(&format!("/api/users/status?ids={names}")),
                Request::new("POST", "/api/token/test").body("text/plain", list("tm_", 1_000)),
                get("/api/bot/online"),
            ]
        }),
        wave("seeks", {
            let seek = |number: usize| {
                Request::new("POST", "/v1/seeks")
                    .bearer(&accounts::guest(4_000 + number))
                    .json(r#"{"terms":{"time":"5+3"},"side":"white"}"#)
            };
            (0..500).map(seek).collect()
        }),
        wave("sign-ins", (0..50).map(sign_in).collect()),
        wave("names", {
            let name = |number: usize| {
                Request::new("POST", "/v1/me")
                    .bearer(&accounts::guest(2_000 + number))
                    .json(r#"{"name":"Eve"}"#)
            };
            (0..500).map(name).collect()
        }),
    ]
}
