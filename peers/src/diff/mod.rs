//! The differential run: random games played by touchmove and shakmaty together, and every position
//! on the way compared. It finds differences; which program is right is for people to say.

pub mod compare;
pub mod game;
pub mod starts;
mod temper;

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use shakmaty::Position as _;
use touchmove_rules::Outcome;

use crate::table::{Align, TextTable, grouped};
use compare::{MatchedMove, Pair};
use game::{Atomic, Chess, Chess960, Choice, Game};
use temper::RandomPlayerStyle;

/// How many positions to compare, and which.
#[derive(clap::Args)]
pub struct Arguments {
    /// Positions to compare, all games together
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    positions: u64,
    /// The seed of the random games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads to share the work; each has a seed of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    threads: u64,
    /// Which game
    #[arg(long, value_enum, default_value_t = Choice::All)]
    variant: Choice,
}

/// The longest random game, in plies.
const MAX_GAME_PLIES: usize = 160;

/// How many differences are shown; the others are only counted.
const MAX_SHOWN_DIFFERENCES: u64 = 20;

/// Compares and reports. The exit code is 1 if there is any difference.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let games: &[(Choice, Play)] = &[
        (Choice::Chess, play::<Chess>),
        (Choice::Chess960, play::<Chess960>),
        (Choice::Atomic, play::<Atomic>),
    ];
    let wanted: Vec<Play> = games
        .iter()
        .filter(|(choice, _)| [Choice::All, *choice].contains(&arguments.variant))
        .map(|&(_, play)| play)
        .collect();
    let each = arguments
        .positions
        .div_ceil(wanted.len() as u64 * arguments.threads);
    let progress = Progress {
        compared: AtomicU64::new(0),
        differences: AtomicU64::new(0),
    };
    let mut tallies = Vec::new();
    for play in wanted {
        let tally = std::thread::scope(|scope| {
            let progress = &progress;
            let threads: Vec<_> = (0..arguments.threads)
                .map(|thread| {
                    let seed = arguments
                        .seed
                        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                        .wrapping_add(thread);
                    scope.spawn(move || play(each, Rng::with_seed(seed), progress))
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("a comparing thread panicked"))
                .reduce(Tally::plus)
                .expect("there is at least one thread")
        });
        tallies.push(tally);
    }
    println!("{}", table(&tallies));
    let positions: u64 = tallies.iter().map(|tally| tally.positions).sum();
    let differences = progress.differences.into_inner();
    println!(
        "{} positions, {differences} differences",
        grouped(positions)
    );
    Ok(if differences == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Plays random games until that many positions are compared.
type Play = fn(u64, Rng, &Progress) -> Tally;

/// What all threads have done so far.
struct Progress {
    compared: AtomicU64,
    differences: AtomicU64,
}

impl Progress {
    fn count_position(&self) {
        let compared = self.compared.fetch_add(1, Ordering::Relaxed) + 1;
        if compared.is_multiple_of(1_000_000) {
            let differences = self.differences.load(Ordering::Relaxed);
            eprintln!(
                "{} positions, {differences} differences so far",
                grouped(compared)
            );
        }
    }

    fn report(&self, game: &str, fen: &str, what: &str) {
        if self.differences.fetch_add(1, Ordering::Relaxed) < MAX_SHOWN_DIFFERENCES {
            println!("{game}: {fen}: {what}");
        }
    }
}

fn play<G: Game>(positions: u64, mut rng: Rng, progress: &Progress) -> Tally {
    let mut tally = Tally {
        game: G::NAME,
        ..Tally::default()
    };
    let mut foreign: Vec<String> = vec!["O-O".to_owned(), "Nf3".to_owned()];
    while tally.positions < positions {
        let start = starts::random::<G>(&mut rng);
        let Some(mut pair) = Pair::<G>::from_fen(&start) else {
            tally.add_refused();
            continue;
        };
        let tempers = [
            RandomPlayerStyle::random(&mut rng),
            RandomPlayerStyle::random(&mut rng),
        ];
        for ply in 0..MAX_GAME_PLIES {
            let moves = match pair.compare(&foreign, &mut rng) {
                Ok(moves) => moves,
                Err(what) => {
                    progress.report(G::NAME, &pair.ours.fen().to_string(), &what);
                    tally.positions += 1;
                    break;
                }
            };
            tally.add(&pair, &moves);
            progress.count_position();
            if moves.is_empty() {
                break;
            }
            let weights: Vec<u32> = moves
                .iter()
                .map(|agreed| tempers[ply % 2].weight(&pair.theirs, agreed.theirs, &agreed.san))
                .collect();
            let chosen = &moves[temper::weighted(&weights, &mut rng)];
            let slot = rng.usize(..foreign.len());
            foreign[slot].clone_from(&moves[rng.usize(..moves.len())].san);
            pair.play(chosen);
        }
    }
    tally
}

/// What is counted about the compared positions.
const FEATURES: [&str; 11] = [
    "legal moves",
    "in check",
    "in double check",
    "en passant",
    "castling",
    "promotion",
    "touching kings",
    "checkmate",
    "stalemate",
    "king exploded",
    "starts refused",
];

/// What the compared positions of one game were like.
#[derive(Default)]
struct Tally {
    game: &'static str,
    positions: u64,
    features: [u64; FEATURES.len()],
}

impl Tally {
    fn add<G: Game>(&mut self, pair: &Pair<G>, moves: &[MatchedMove]) {
        let has =
            |kind: fn(&shakmaty::Move) -> bool| moves.iter().any(|agreed| kind(&agreed.theirs));
        let checkers = pair.theirs.checkers().count();
        let kings = pair.theirs.board().kings().into_iter();
        let outcome = pair.ours.outcome();
        self.positions += 1;
        let features = [
            moves.len() as u64,
            u64::from(checkers > 0),
            u64::from(checkers > 1),
            u64::from(has(|mv| mv.is_en_passant())),
            u64::from(has(|mv| mv.is_castle())),
            u64::from(has(|mv| mv.is_promotion())),
            u64::from(
                kings
                    .clone()
                    .zip(kings.skip(1))
                    .any(|(one, other)| one.distance(other) == 1),
            ),
            u64::from(matches!(outcome, Some(Outcome::Checkmate { .. }))),
            u64::from(matches!(outcome, Some(Outcome::Stalemate))),
            u64::from(matches!(outcome, Some(Outcome::KingExploded { .. }))),
            0,
        ];
        for (sum, feature) in self.features.iter_mut().zip(features) {
            *sum += feature;
        }
    }

    /// A start that only touchmove takes for impossible.
    fn add_refused(&mut self) {
        self.features[FEATURES.len() - 1] += 1;
    }

    fn plus(mut self, other: Tally) -> Tally {
        self.positions += other.positions;
        for (sum, feature) in self.features.iter_mut().zip(other.features) {
            *sum += feature;
        }
        self
    }
}

/// One column per game.
fn table(tallies: &[Tally]) -> TextTable {
    let games = tallies.iter().map(|tally| (tally.game, Align::Right));
    let mut table = TextTable::new([("", Align::Left)].into_iter().chain(games));
    let mut push = |name: &str, count: &dyn Fn(&Tally) -> u64| {
        let mut row = vec![name.to_owned()];
        row.extend(tallies.iter().map(|tally| grouped(count(tally))));
        table.push(row);
    };
    push("positions", &|tally| tally.positions);
    for (index, name) in FEATURES.iter().enumerate() {
        push(name, &|tally| tally.features[index]);
    }
    table
}
