//! `touchmove winnable`: whether each side can still win, with the line or the proof. How it is
//! found is decided in the winnability crate.

mod certificate;
mod query;
mod stats;

use std::fs;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use rayon::prelude::*;
use touchmove_desk::{Chances, Costed, Sides, warnings};
use touchmove_rules::{Atomic, Chess, Chess960, Fen, Position, Rules, SimpleAtomic, Variant};
use touchmove_winnability::{Budget, Reason, Solver, Verdict};

use crate::cli::Answer;
use crate::perft::progress;
use crate::position::{SourceArgs, illegal, warn};
use certificate::CertificateArgs;
use query::Query;
use stats::Stats;

/// Say whether each side can still win, by any series of legal moves.
///
/// A position that nobody can win is dead and drawn (FIDE 5.2.2), and a flag that falls is a draw if
/// the opponent cannot win (FIDE 6.9). The verdict is exact: `winnable` comes with a line that ends
/// in the win, `unwinnable` with its proof; `undecided` means that the budget did not suffice.
///
/// A file has one position on each line, with a label before it if the verdicts are known: two
/// characters, W or - for White, B or - for Black, and ? where nothing is said; or the words
/// winnable or unwinnable and a side; or only the side that cannot win.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove winnable --fen \"8/8/8/3kr3/8/3K1N2/8/8 w - - 0 1\" --line
  touchmove winnable --file positions.txt --json
  touchmove winnable --file labelled.tsv --check --stats
  touchmove winnable --fen \"4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1\" --certificate wall.txt
  touchmove winnable --verify wall.txt")]
pub struct Args {
    #[command(flatten)]
    source: SourceArgs,

    #[command(flatten)]
    certificate: CertificateArgs,

    /// A file of positions.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "fen", "start"])]
    file: Option<PathBuf>,

    /// A file of positions, or - for standard input.
    #[arg(value_name = "INPUT", conflicts_with_all = ["fen", "start"])]
    input: Option<PathBuf>,

    /// Whose chances: white, black or both.
    #[arg(long, value_name = "SIDE", default_value = "both", value_parser = sides)]
    side: Sides,

    /// How long one verdict may take: 500ms, 1s, 2m.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    budget: Duration,

    /// How many million positions one verdict may keep in memory, at up to 128 MB for each.
    #[arg(long, value_name = "MILLIONS", default_value_t = 16)]
    memory: u64,

    /// Print the winning lines.
    #[arg(long)]
    line: bool,

    /// Print JSON, one object for each position.
    #[arg(long, conflicts_with = "check")]
    json: bool,

    /// Compare with the labels: print what disagrees and a count; exit code 1 if anything does.
    #[arg(long)]
    check: bool,

    /// Print times and kinds of proof at the end, on standard error.
    #[arg(long)]
    stats: bool,

    /// How many positions of a file to look at at once; for a single position, how many threads
    /// work on it (at most 2).
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
}

impl Args {
    /// Whether one position is asked about, and not a file of them.
    const fn is_single(&self) -> bool {
        self.file.is_none() && self.input.is_none()
    }

    /// The budget of one verdict, but for the time.
    const fn budget_in_positions(&self) -> Budget {
        Budget::of_positions(self.memory.saturating_mul(1_000_000))
    }
}

fn sides(text: &str) -> Result<Sides, String> {
    match text {
        "both" => Ok(Sides::Both),
        "white" => Ok(Sides::White),
        "black" => Ok(Sides::Black),
        _ => Err("it is white, black or both".into()),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
    units
        .iter()
        .find_map(|(unit, seconds)| {
            let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
            Duration::try_from_secs_f64(number * seconds).ok()
        })
        .ok_or_else(|| "it is a number with ms, s or m behind it, as in 500ms or 1s".into())
}

/// Answers for one position or many. The answer is no only if a label was contradicted.
pub fn run(args: &Args) -> Result<Answer> {
    if let Some(path) = &args.certificate.verify {
        return certificate::verify(path);
    }
    match args.source.variant() {
        Variant::Chess => run_under::<Chess>(args),
        Variant::Chess960 => run_under::<Chess960>(args),
        Variant::Atomic => run_under::<Atomic>(args),
        Variant::SimpleAtomic => run_under::<SimpleAtomic>(args),
    }
}

fn run_under<R: Rules>(args: &Args) -> Result<Answer> {
    let queries = queries(args)?;
    let bar = progress(
        queries.len() as u64,
        "{bar:30} {pos}/{len} positions, {eta} left",
    );
    let is_single = args.is_single();
    let mut stats = Stats::default();
    let mut certificates = args.certificate.open::<R>()?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let count = args.threads.max(1);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(count).build()?;
    // Each thread keeps its solver, which works best in memory that it knows.
    let solvers: Vec<Mutex<Solver<R>>> = (0..count).map(|_| Mutex::default()).collect();
    // Parts small enough that answers are seen soon, and large enough to keep every thread busy.
    for part in queries.chunks(count * 16) {
        let answer = |query: &Query| {
            let mine = &solvers[rayon::current_thread_index().unwrap_or(0)];
            let mut solver = mine.lock().unwrap_or_else(PoisonError::into_inner);
            answer(&mut solver, query, args)
        };
        let answered: Vec<Result<Chances<R>>> =
            threads.install(|| part.par_iter().map(answer).collect());
        for (query, answered) in part.iter().zip(answered) {
            let answered = answered?;
            stats.add(query, &answered.verdicts);
            if let Some(certificates) = &mut certificates {
                certificates.add(&answered, args.budget_in_positions())?;
            }
            let wrong = answered
                .verdicts
                .iter()
                .any(|costed| contradicts(costed, query));
            if args.check {
                if wrong || answered.is_undecided() {
                    let what = if wrong { "wrong" } else { "undecided" };
                    writeln!(out, "{what}: {} {}", answered.label(), query.fen)?;
                }
            } else if args.json {
                writeln!(out, "{}", serde_json::to_string(&answered.report())?)?;
            } else if is_single {
                explain(&answered, &mut out, args)?;
            } else {
                list(&answered, &mut out, args)?;
            }
            bar.inc(1);
        }
        out.flush()?;
    }
    bar.finish_and_clear();
    if let Some(certificates) = certificates {
        certificates.finish()?;
    }
    if args.check {
        writeln!(out, "{}", stats.summary())?;
    }
    out.flush()?;
    if args.stats {
        write!(io::stderr(), "{stats}")?;
    }
    Ok(if args.check && stats.wrong > 0 {
        Answer::No
    } else {
        Answer::Yes
    })
}

fn queries(args: &Args) -> Result<Vec<Query>> {
    let input = args.file.as_deref().or(args.input.as_deref());
    let reader: Box<dyn BufRead> = match (args.source.setup()?, input) {
        (Some(setup), _) => return Ok(vec![Query::unlabelled(&Fen(setup).to_string())]),
        (None, Some(path)) if path == Path::new("-") => Box::new(io::stdin().lock()),
        (None, Some(path)) => {
            let file = fs::File::open(path).with_context(|| path.display().to_string())?;
            Box::new(BufReader::new(file))
        }
        (None, None) => bail!("which position? Give --fen, --file, or - for standard input"),
    };
    let mut queries = Vec::new();
    for (index, line) in reader.lines().enumerate() {
        let line = line.context("the positions cannot be read")?;
        if let Some(query) = Query::read(&line) {
            queries.push(query.with_context(|| format!("line {}", index + 1))?);
        }
    }
    Ok(queries)
}

fn answer<R: Rules>(solver: &mut Solver<R>, query: &Query, args: &Args) -> Result<Chances<R>> {
    let setup = Fen::read_short(&query.fen)?.0;
    let position = Position::<R>::from_setup(&setup).map_err(|faults| match args.is_single() {
        true => anyhow::Error::from(illegal(faults)),
        false => anyhow::Error::from(illegal(faults)).context(query.fen.clone()),
    })?;
    let warnings = warnings(&setup, R::VARIANT);
    // Files for measuring are full of unreachable positions; who reads JSON hears of them there.
    if args.is_single() {
        warn(&warnings);
    }
    let threads = if args.is_single() { args.threads } else { 1 };
    let budget = args.budget_in_positions().on_threads(threads);
    let begin = Instant::now();
    let clock = || begin.elapsed();
    let sides = args.side.colors().iter();
    let asked = sides.filter(|&&side| !args.check || query.expected(side).is_some());
    let verdicts =
        asked.map(|&side| Costed::of(solver, &position, side, budget, (args.budget, &clock)));
    Ok(Chances {
        verdicts: verdicts.collect(),
        position,
        warnings,
    })
}

/// Whether a verdict is not what the label says.
fn contradicts(costed: &Costed, query: &Query) -> bool {
    match (&costed.verdict, query.expected(costed.side)) {
        (Verdict::Winnable(_), Some(can)) => !can,
        (Verdict::Unwinnable(_), Some(can)) => can,
        _ => false,
    }
}

/// One line for a file of many.
fn list<R: Rules>(chances: &Chances<R>, out: &mut impl io::Write, args: &Args) -> io::Result<()> {
    writeln!(out, "{} {}", chances.label(), chances.position.fen())?;
    if args.line {
        for costed in &chances.verdicts {
            if let Verdict::Winnable(line) = &costed.verdict {
                writeln!(out, "   {}: {}", costed.side, chances.san(line))?;
            }
        }
    }
    Ok(())
}

/// Whole sentences for a single position.
fn explain<R: Rules>(
    chances: &Chances<R>,
    out: &mut impl io::Write,
    args: &Args,
) -> io::Result<()> {
    for Costed {
        side,
        verdict,
        nodes,
        time,
    } in &chances.verdicts
    {
        match verdict {
            Verdict::Winnable(line) if line.is_empty() => writeln!(out, "{side} has won")?,
            Verdict::Winnable(line) => {
                let plies = if line.len() == 1 { "ply" } else { "plies" };
                writeln!(out, "{side} can win, for example in {} {plies}", line.len())?;
                if args.line {
                    writeln!(out, "  {}", chances.san(line))?;
                }
            }
            Verdict::Unwinnable(proof) => writeln!(out, "{side} cannot win: {proof}")?,
            Verdict::Undecided {
                reason: reason @ Reason::Unpackable,
                ..
            } => writeln!(out, "{side}: undecided, {reason}")?,
            Verdict::Undecided { .. } if *time < args.budget => {
                writeln!(
                    out,
                    "{side}: undecided, there is memory for {} million positions (--memory)",
                    args.memory
                )?;
            }
            Verdict::Undecided { .. } => {
                writeln!(
                    out,
                    "{side}: undecided, the budget of {:?} is spent",
                    args.budget
                )?;
            }
        }
        writeln!(out, "  ({nodes} positions, {} µs)", time.as_micros())?;
    }
    if chances.dead() == Some(true) {
        writeln!(out, "The position is dead")?;
    }
    Ok(())
}
