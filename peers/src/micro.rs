//! Small operations by the nanosecond: what one listing, move, FEN or SAN costs in touchmove and in
//! its peers, over the same positions. Move trees are counted elsewhere, in `perft`.

use std::hint::black_box;
use std::process::ExitCode;

use cpu_time::ThreadTime;
use fastrand::Rng;
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, EnPassantMode, Position as _};
use touchmove_rules::{Chess, Position};

use crate::diff::game;
use crate::diff::starts;
use crate::native;
use crate::table::{Align, TextTable};

/// How long to measure.
#[derive(clap::Args)]
pub struct Arguments {
    /// Positions to do everything in
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,
    /// Times everything is done; the median is shown
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Build everything for this machine (target-cpu=native, PEXT in the peers) and measure that
    #[arg(long)]
    native: bool,
}

impl Default for Arguments {
    fn default() -> Arguments {
        Arguments {
            positions: 2_000,
            rounds: 15,
            native: false,
        }
    }
}

/// The programs, in the order of the columns.
const PROGRAMS: [&str; 3] = ["touchmove", "shakmaty", "cozy-chess"];

/// The seed of the positions.
const POSITION_SEED: u64 = 8;

/// One position, read by every program, with its texts and legal moves.
struct Sample {
    fen: String,
    sans: Vec<String>,
    ours: Position<Chess>,
    our_moves: Vec<touchmove_rules::Move>,
    shakmaty: shakmaty::Chess,
    shakmaty_moves: Vec<shakmaty::Move>,
    cozy: cozy_chess::Board,
    cozy_moves: Vec<cozy_chess::Move>,
}

/// Does something once or more often in a sample, and says how often.
type Work = fn(&Sample) -> usize;

/// What is measured: a name, and the work of each program that can do it.
type Operation = (&'static str, [Option<Work>; PROGRAMS.len()]);

const OPERATIONS: [Operation; 8] = [
    (
        "list the legal moves",
        [
            Some(|sample| once(sample.ours.legal_moves())),
            Some(|sample| once(sample.shakmaty.legal_moves())),
            Some(|sample| {
                let mut moves = Vec::with_capacity(64);
                sample.cozy.generate_moves(|some| {
                    moves.extend(some);
                    false
                });
                once(moves)
            }),
        ],
    ),
    (
        "count the legal moves",
        [
            Some(|sample| once(sample.ours.legal_move_count())),
            Some(|sample| once(sample.shakmaty.legal_moves().len())),
            Some(|sample| {
                let mut count = 0;
                sample.cozy.generate_moves(|some| {
                    count += some.len();
                    false
                });
                once(count)
            }),
        ],
    ),
    (
        "ask whether a move is legal",
        [
            Some(|sample| each(&sample.our_moves, |&mv| sample.ours.is_legal(mv))),
            Some(|sample| each(&sample.shakmaty_moves, |&mv| sample.shakmaty.is_legal(mv))),
            Some(|sample| each(&sample.cozy_moves, |&mv| sample.cozy.is_legal(mv))),
        ],
    ),
    (
        "make a move on a copy",
        [
            Some(|sample| each(&sample.our_moves, |&mv| sample.ours.after(mv))),
            Some(|sample| {
                each(&sample.shakmaty_moves, |&mv| {
                    let mut next = sample.shakmaty.clone();
                    next.play_unchecked(mv);
                    next
                })
            }),
            Some(|sample| {
                each(&sample.cozy_moves, |&mv| {
                    let mut next = sample.cozy.clone();
                    next.play_unchecked(mv);
                    next
                })
            }),
        ],
    ),
    (
        "read a FEN",
        [
            Some(|sample| once(Position::<Chess>::from_fen(&sample.fen))),
            Some(|sample| {
                let fen = Fen::from_ascii(sample.fen.as_bytes());
                once(fen.map(|fen| {
                    fen.into_position::<shakmaty::Chess>(CastlingMode::Standard)
                        .ok()
                }))
            }),
            Some(|sample| once(cozy_chess::Board::from_fen(&sample.fen, false))),
        ],
    ),
    (
        "write a FEN",
        [
            Some(|sample| once(sample.ours.fen().to_string())),
            Some(|sample| {
                once(Fen::from_position(&sample.shakmaty, EnPassantMode::Legal).to_string())
            }),
            Some(|sample| once(sample.cozy.to_string())),
        ],
    ),
    (
        "read a SAN",
        [
            Some(|sample| each(&sample.sans, |san| sample.ours.read_san(san))),
            Some(|sample| {
                each(&sample.sans, |san| {
                    San::from_ascii(san.trim_end_matches(['+', '#']).as_bytes())
                        .map(|san| san.to_move(&sample.shakmaty))
                })
            }),
            None,
        ],
    ),
    (
        "write a SAN",
        [
            Some(|sample| each(&sample.our_moves, |&mv| sample.ours.san(mv).to_string())),
            Some(|sample| {
                each(&sample.shakmaty_moves, |&mv| {
                    SanPlus::from_move(sample.shakmaty.clone(), mv).to_string()
                })
            }),
            None,
        ],
    ),
];

/// Work done once, its result not to be optimised away.
fn once<T>(result: T) -> usize {
    black_box(&result);
    1
}

/// Work done for each of these, its results not to be optimised away.
fn each<I, T>(items: &[I], work: impl Fn(&I) -> T) -> usize {
    for item in items {
        black_box(&work(item));
    }
    items.len()
}

/// Measures and prints.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.native && !native::IS_NATIVE {
        return native::run_again();
    }
    let samples = samples(arguments.positions);
    let mut times: [[Vec<f64>; PROGRAMS.len()]; OPERATIONS.len()] = Default::default();
    for _ in 0..arguments.rounds {
        for ((_, works), times) in OPERATIONS.iter().zip(&mut times) {
            for (work, times) in works.iter().zip(times) {
                times.extend(work.map(|work| measure(work, &samples)));
            }
        }
    }
    println!(
        "Chess: nanoseconds of CPU time ({} build, {} positions, median of {} interleaved rounds, \
         touchmove on {})",
        if native::IS_NATIVE {
            "native"
        } else {
            "default"
        },
        samples.len(),
        arguments.rounds,
        touchmove_rules::Processor::current().name(),
    );
    println!();
    let columns = PROGRAMS.map(|name| (name, Align::Right));
    let mut table = TextTable::new([("operation", Align::Left)].into_iter().chain(columns));
    for ((name, _), times) in OPERATIONS.iter().zip(times) {
        let mut row = vec![(*name).to_owned()];
        row.extend(times.map(|mut times| {
            times.sort_unstable_by(f64::total_cmp);
            times
                .get(times.len() / 2)
                .map_or(String::new(), |time| format!("{time:.1}"))
        }));
        table.push(row);
    }
    println!("{table}");
    Ok(ExitCode::SUCCESS)
}

/// The nanoseconds that one piece of work takes, on average over the samples.
fn measure(work: Work, samples: &[Sample]) -> f64 {
    let start = ThreadTime::now();
    let done: usize = samples.iter().map(work).sum();
    start.elapsed().as_nanos() as f64 / done as f64
}

/// Positions of random games.
fn samples(count: u64) -> Vec<Sample> {
    let mut rng = Rng::with_seed(POSITION_SEED);
    let mut samples = Vec::new();
    while (samples.len() as u64) < count {
        let fen = starts::random::<game::Chess>(&mut rng);
        let mut position: shakmaty::Chess = fen
            .parse::<Fen>()
            .expect("starts are FENs")
            .into_position(CastlingMode::Standard)
            .expect("starts are possible");
        for _ in 0..rng.u32(1..80) {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(rng.usize(..moves.len().max(1))) else {
                break;
            };
            position.play_unchecked(mv);
        }
        samples.extend(sample(position));
    }
    samples
}

/// The sample of a position, unless a program refuses it.
fn sample(position: shakmaty::Chess) -> Option<Sample> {
    let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    let ours = Position::from_fen(&fen).ok()?;
    let cozy = cozy_chess::Board::from_fen(&fen, false).ok()?;
    let mut cozy_moves = Vec::new();
    cozy.generate_moves(|some| {
        cozy_moves.extend(some);
        false
    });
    let our_moves: Vec<_> = ours.legal_moves().into_iter().collect();
    Some(Sample {
        sans: our_moves
            .iter()
            .map(|&mv| ours.san(mv).to_string())
            .collect(),
        fen,
        ours,
        our_moves,
        shakmaty_moves: position.legal_moves().into_iter().collect(),
        shakmaty: position,
        cozy,
        cozy_moves,
    })
}
