//! Weights for the engine's evaluation, fitted to the results of games: positions from games of the
//! engine with itself, and the weights that foretell their results best. What a weight means is said
//! in the engine.

use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::Subcommand;
use touchmove_engine::{
    Engine, Evaluator, Limits, NoObserver, Score, Tapered, TranspositionTable, Weights,
};
use touchmove_rules::{
    AnyPosition, Atomic, Chess, Color, Position, Rules, SimpleAtomic, Variant, draw_rules,
    material, with_position,
};

#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Let the engine play itself and write quiet positions with the results of their games
    Games {
        #[arg(long, default_value = "chess")]
        variant: Variant,
        #[arg(long, default_value_t = 1000)]
        games: u32,
        /// Nodes for each move
        #[arg(long, default_value_t = 5000)]
        nodes: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Lines of "result fen", where the result is White's: 1, 0.5 or 0
        #[arg(long)]
        out: PathBuf,
    },
    /// Fit the weights of a variant to such positions and print them as source
    Fit {
        #[arg(long, default_value = "chess")]
        variant: Variant,
        #[arg(long)]
        data: PathBuf,
        #[arg(long, default_value_t = 400)]
        rounds: u32,
        /// How strongly weights are held where they are
        #[arg(long, default_value_t = 1e-7)]
        hold: f64,
    },
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::Games {
            variant,
            games,
            nodes,
            seed,
            out,
        } => {
            let mut out = BufWriter::new(File::create(out)?);
            fastrand::seed(*seed);
            for _ in 0..*games {
                let (positions, result) = play(*variant, *nodes);
                for position in positions {
                    writeln!(out, "{result} {}", position.fen())?;
                }
            }
            out.flush()?;
        }
        Command::Fit {
            variant,
            data,
            rounds,
            hold,
        } => match variant {
            Variant::Chess | Variant::Chess960 => fit::<Chess>(data, *rounds, *hold)?,
            Variant::Atomic => fit::<Atomic>(data, *rounds, *hold)?,
            Variant::SimpleAtomic => fit::<SimpleAtomic>(data, *rounds, *hold)?,
        },
    }
    Ok(ExitCode::SUCCESS)
}

/// How far ahead somebody is who will win, in hundredths of a pawn; such positions teach nothing any more.
const DECIDED_CENTIPAWNS: i32 = 700;
/// For how many plies he must have been.
const DECIDED_PLIES: i32 = 5;

/// A game from a random opening: its quiet positions, and White's result.
fn play(variant: Variant, nodes: u64) -> (Vec<AnyPosition>, f64) {
    let (mut engine, table) = (Engine::new(), TranspositionTable::with_megabytes(4));
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    'game: loop {
        let mut position = AnyPosition::start(variant);
        let mut past = Vec::new();
        let mut quiet = Vec::new();
        for _ in 0..fastrand::u32(6..=9) {
            let moves = position.legal_moves();
            if position.outcome().is_some() {
                continue 'game;
            }
            past.push(position.key());
            position.play(moves[fastrand::usize(..moves.len())]);
        }
        table.clear();
        engine.forget();
        // For how many plies White has been far ahead, or far behind if it is negative.
        let mut clear = 0_i32;
        for ply in 0..400 {
            if let Some(outcome) = position.outcome() {
                return (quiet, white_result(outcome.winner()));
            }
            let key = position.key();
            let seen = 1 + past.iter().filter(|&&other| other == key).count();
            let is_dead = with_position!(&position, position => material::is_dead(position));
            if is_dead
                || draw_rules::claims(seen, position.halfmoves())
                    .next()
                    .is_some()
            {
                return (quiet, 0.5);
            }
            let found = engine.search_any(&position, &past, &limits, &table, &mut NoObserver);
            let (Some(best), Some(line)) = (found.best(), found.lines.first()) else {
                continue 'game;
            };
            // An opening that is lost already teaches nothing.
            if ply == 0 && !matches!(line.score, Score::Centipawns(-250..=250)) {
                continue 'game;
            }
            let ahead = match line.score {
                Score::Centipawns(value) if value.abs() <= DECIDED_CENTIPAWNS => 0,
                Score::Centipawns(value) => value.signum(),
                Score::Mate(moves) => moves.signum(),
            };
            let ahead = match position.turn() {
                Color::White => ahead,
                Color::Black => -ahead,
            };
            clear = if ahead == 0 || ahead != clear.signum() {
                ahead
            } else {
                clear + ahead
            };
            if clear.abs() >= DECIDED_PLIES {
                return (quiet, if clear > 0 { 1.0 } else { 0.0 });
            }
            let is_calm = ahead == 0
                && !best.is_capture()
                && best.promotes_to().is_none()
                && !position.is_check();
            if is_calm {
                quiet.push(position);
            }
            past.push(key);
            position.play(best);
        }
        return (quiet, 0.5);
    }
}

fn white_result(winner: Option<Color>) -> f64 {
    match winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    }
}

/// A position as the fit sees it: how its evaluation changes with each weight that matters there.
struct Sample {
    result: f32,
    /// White's evaluation with the weights of the beginning.
    start: f32,
    slopes: Vec<(u16, f32)>,
}

/// The step by which each weight is moved to see what hangs on it.
const WEIGHT_STEP: i32 = 240;

fn fit<R: Rules>(data: &Path, rounds: u32, hold: f64) -> Result<()> {
    let mut positions = Vec::new();
    let mut samples = Vec::new();
    for line in BufReader::new(File::open(data)?).lines() {
        let line = line?;
        let (result, fen) = line.split_once(' ').context("a line is: result fen")?;
        let position = Position::<R>::from_fen(fen)?;
        samples.push(Sample {
            result: result.parse()?,
            start: white_value(&mut Evaluator::new(Weights::of::<R>()), &position),
            slopes: Vec::new(),
        });
        positions.push(position);
    }
    ensure!(!positions.is_empty(), "there are no positions");
    let start = weights_as_numbers(Weights::of::<R>());
    for index in 0..start.len() {
        let mut moved = start.clone();
        moved[index] += f64::from(WEIGHT_STEP);
        let mut evaluator = Evaluator::new(&weights_from_numbers::<R>(&moved));
        for (position, sample) in positions.iter().zip(&mut samples) {
            let change = white_value(&mut evaluator, position) - sample.start;
            if change != 0.0 {
                let index = u16::try_from(index)?;
                sample.slopes.push((index, change / WEIGHT_STEP as f32));
            }
        }
    }
    // The games of the last tenth are only foretold.
    let (learnt, foretold) = samples.split_at(samples.len() - samples.len() / 10);
    let scale = best_scale(learnt, &start);
    println!("{} positions, scale {scale:.5}", samples.len());
    let errors =
        |numbers: &[f64]| [learnt, foretold].map(|samples| error(samples, &start, numbers, scale));
    let mut best = (errors(&start)[1], start.clone());
    descend(learnt, &start, scale, rounds, hold, |round, numbers| {
        let [learnt, foretold] = errors(numbers);
        println!("round {round}: error {learnt:.6}, of games not learnt from {foretold:.6}");
        if foretold < best.0 {
            best = (foretold, numbers.to_vec());
        }
    });
    println!("{}", source(&weights_from_numbers::<R>(&best.1)));
    Ok(())
}

/// The weights as they stand in the engine's source.
fn source(weights: &Weights) -> String {
    let mut groups: Vec<(&str, Vec<Tapered>)> = Vec::new();
    weights
        .clone()
        .for_each(|name, weight| match groups.last_mut() {
            Some((last, group)) if *last == name => group.push(*weight),
            _ => groups.push((name, vec![*weight])),
        });
    let mut text = String::from("Weights {\n");
    for (name, group) in &groups {
        let rows = |group: &[Tapered], indent: &str| -> String {
            let row = |row: &[Tapered]| {
                let cells: Vec<String> = row.iter().map(|weight| format!("{weight:?}")).collect();
                format!("{indent}{},\n", cells.join(", "))
            };
            group.chunks(8).map(row).collect()
        };
        match group.len() {
            1 => text += &format!("    {name}: {:?},\n", group[0]),
            384 => {
                text += &format!("    {name}: [\n");
                for table in group.chunks(64) {
                    text += &format!("        [\n{}        ],\n", rows(table, "            "));
                }
                text += "    ],\n";
            }
            _ => text += &format!("    {name}: [\n{}    ],\n", rows(group, "        ")),
        }
    }
    text + "}"
}

fn white_value<R: Rules>(evaluator: &mut Evaluator, position: &Position<R>) -> f32 {
    let value = evaluator.evaluate(position) as f32;
    match position.turn() {
        Color::White => value,
        Color::Black => -value,
    }
}

/// Middlegame and endgame of every weight, one after the other.
fn weights_as_numbers(weights: &Weights) -> Vec<f64> {
    let mut numbers = Vec::new();
    weights.clone().for_each(|_, weight| {
        numbers.extend([weight.middlegame(), weight.endgame()].map(f64::from));
    });
    numbers
}

fn weights_from_numbers<R: Rules>(numbers: &[f64]) -> Weights {
    let mut weights = Weights::of::<R>().clone();
    let mut pairs = numbers.chunks_exact(2);
    weights.for_each(|_, weight| {
        if let Some([middlegame, endgame]) = pairs.next() {
            *weight = Tapered::new(middlegame.round() as i32, endgame.round() as i32);
        }
    });
    weights
}

fn expected(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-scale * value).exp())
}

fn value(sample: &Sample, start: &[f64], numbers: &[f64]) -> f64 {
    let change: f64 = sample
        .slopes
        .iter()
        .map(|&(index, slope)| {
            let index = usize::from(index);
            f64::from(slope) * (numbers[index] - start[index])
        })
        .sum();
    f64::from(sample.start) + change
}

/// The mean square of how far results were from what was expected.
fn error(samples: &[Sample], start: &[f64], numbers: &[f64], scale: f64) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|sample| {
            (f64::from(sample.result) - expected(value(sample, start, numbers), scale)).powi(2)
        })
        .sum();
    sum / samples.len() as f64
}

/// The steepness of the expectation that fits the evaluation of the beginning best.
fn best_scale(samples: &[Sample], start: &[f64]) -> f64 {
    let mut best = (f64::INFINITY, 0.0);
    for step in 1..=60 {
        let scale = f64::from(step) * 2e-4;
        let error = error(samples, start, start, scale);
        if error < best.0 {
            best = (error, scale);
        }
    }
    best.1
}

/// Every how many rounds it is looked how good the weights are.
const REPORT_INTERVAL: u32 = 25;

/// Gradient descent with the moments of Kingma and Ba's Adam.
fn descend(
    samples: &[Sample],
    start: &[f64],
    scale: f64,
    rounds: u32,
    hold: f64,
    mut look: impl FnMut(u32, &[f64]),
) {
    let mut numbers = start.to_vec();
    look(0, &numbers);
    let mut moments = vec![(0.0_f64, 0.0_f64); numbers.len()];
    for round in 1..=rounds {
        let mut gradient: Vec<f64> = numbers
            .iter()
            .zip(start)
            .map(|(number, start)| 2.0 * hold * (number - start))
            .collect();
        for sample in samples {
            let hoped = expected(value(sample, start, &numbers), scale);
            let pull = -2.0 * (f64::from(sample.result) - hoped) * hoped * (1.0 - hoped) * scale
                / samples.len() as f64;
            for &(index, slope) in &sample.slopes {
                gradient[usize::from(index)] += pull * f64::from(slope);
            }
        }
        for ((number, slope), (mean, square)) in numbers.iter_mut().zip(gradient).zip(&mut moments)
        {
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.999 * *square + 0.001 * slope * slope;
            let mean = *mean / (1.0 - 0.9_f64.powi(round as i32));
            let square = *square / (1.0 - 0.999_f64.powi(round as i32));
            *number -= mean / (square.sqrt() + 1e-12);
        }
        if round % REPORT_INTERVAL == 0 {
            look(round, &numbers);
        }
    }
}
