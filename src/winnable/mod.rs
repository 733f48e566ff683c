//! `touchmove winnable`: whether each side can still win, with the line or the proof. The winnability crate
//! decides.

mod certificate;
mod query;
mod stats;

use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use touchmove_arbiter::{PositionVerdicts, SideSelection, TimedVerdict, warnings};
use touchmove_rules::{Atomic, Chess, Chess960, Fen, Position, Rules, SimpleAtomic, Variant};
use touchmove_winnability::{Budget, Solver, UndecidedReason, Winnability};

use crate::arg_parsers;
use crate::batch_input;
use crate::batch_input::BatchLine;
use crate::cli::{AnswerStatus, AnswerStatuses};
use crate::output;
use crate::perft::progress;
use crate::position::{SourceArgs, illegal, warn};
use certificate::CertificateArgs;
pub use query::Query;
use stats::VerdictStats;

/// Say whether each side can still win, by any series of legal moves.
///
/// A position that nobody can win is dead and drawn (FIDE 5.2.2), and a flag that falls is a draw if
/// the opponent cannot win (FIDE 6.9). The verdict is exact: `winnable` comes with a line that ends
/// in the win, `unwinnable` with its proof; `undecided` means that the budget did not suffice.
///
/// A file has one position on each line, with a label before it if the verdicts are known: two
/// characters, W or - for White, B or - for Black, and ? where nothing is said; or the words
/// winnable or unwinnable and a side; or only the side that cannot win. A line that cannot be read is
/// named, and the others are done.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove winnable --fen \"8/8/8/3kr3/8/3K1N2/8/8 w - - 0 1\" --line
  touchmove winnable --file positions.txt --json
  touchmove winnable --file labelled.tsv --check --stats
  touchmove winnable --fen \"4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1\" --certificate wall.txt
  touchmove winnable --verify wall.txt

Exit codes: 0 answered, 1 a position is illegal, a label wrong or a certificate refused, 2 undecided or unreadable.")]
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
    side: SideSelection,

    /// How long one verdict may take: 500ms, 1s, 2m.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = arg_parsers::duration)]
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
    /// work on it (at most 2). Never more than the machine has cores.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    threads: NonZeroUsize,
}

impl Args {
    /// Whether this is about one position, not a file.
    const fn is_single(&self) -> bool {
        self.file.is_none() && self.input.is_none()
    }

    /// The file of positions; standard input if none is named.
    fn path(&self) -> &Path {
        let named = self.file.as_deref().or(self.input.as_deref());
        named.unwrap_or(Path::new("-"))
    }

    /// The budget of one verdict, apart from the time.
    const fn budget_in_positions(&self) -> Budget {
        Budget::of_positions(self.memory.saturating_mul(1_000_000))
    }
}

fn sides(text: &str) -> Result<SideSelection, String> {
    match text {
        "both" => Ok(SideSelection::Both),
        "white" => Ok(SideSelection::White),
        "black" => Ok(SideSelection::Black),
        _ => Err("it is white, black or both".into()),
    }
}

/// Answers for one position or many. The answer is no only if a label was contradicted or a position is illegal,
/// and unanswered if something stayed undecided.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    if let Some(path) = &args.certificate.verify {
        return certificate::verify(path, args.json);
    }
    match args.source.variant() {
        Variant::Chess => run_under::<Chess>(args),
        Variant::Chess960 => run_under::<Chess960>(args),
        Variant::Atomic => run_under::<Atomic>(args),
        Variant::SimpleAtomic => run_under::<SimpleAtomic>(args),
    }
}

fn run_under<R: Rules>(args: &Args) -> Result<AnswerStatus> {
    let queries = queries(args)?;
    let bar = progress(
        queries.len() as u64,
        "{bar:30} {pos}/{len} positions, {eta} left",
    );
    let is_single = args.is_single();
    let mut stats = VerdictStats::default();
    let mut answers = AnswerStatuses::default();
    let mut certificates = args.certificate.open::<R>()?;
    let mut out = io::BufWriter::new(output::answer(args.json));
    let threads = arg_parsers::threads(args.threads);
    // Each thread keeps its solver, because a solver is faster in memory that it has used before.
    let solvers: Vec<Mutex<Solver<R>>> = (0..threads.get()).map(|_| Mutex::default()).collect();
    let answer = |line: &BatchLine<Query>| -> Result<PositionVerdicts<R>> {
        let mine = &solvers[rayon::current_thread_index().unwrap_or(0)];
        let mut solver = mine.lock().unwrap_or_else(PoisonError::into_inner);
        let query = line.held.as_ref().map_err(batch_input::repeated)?;
        answer(&mut solver, query, args)
    };
    batch_input::answer(
        &queries,
        threads,
        &mut out,
        answer,
        |out, line, answered| {
            bar.inc(1);
            let (query, answered) = match (&line.held, answered) {
                (Ok(query), Ok(answered)) => (query, answered),
                (_, Err(error)) if is_single => return Err(error),
                (_, Err(error)) => {
                    let json = args.json.then_some(&mut *out);
                    batch_input::print_error(args.path(), line.number, &error, json, &mut answers)?;
                    return Ok(());
                }
                (Err(_), Ok(_)) => return Ok(()),
            };
            stats.add(query, &answered.verdicts);
            if answered.is_undecided() {
                answers.add(AnswerStatus::Unanswered);
            }
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
                explain(&answered, out, args)?;
            } else {
                list(&answered, out, args)?;
            }
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    if let Some(certificates) = certificates {
        certificates.finish()?;
    }
    if args.check {
        writeln!(out, "{}", stats.summary())?;
    }
    out.flush()?;
    if args.stats {
        write!(output::errors(), "{stats}")?;
    }
    if args.check && stats.wrong > 0 {
        answers.add(AnswerStatus::No);
    }
    Ok(answers.all())
}

fn queries(args: &Args) -> Result<Vec<BatchLine<Query>>> {
    match args.source.setup()? {
        Some(setup) => Ok(vec![BatchLine {
            number: 1,
            held: Ok(Query::unlabelled(&Fen(setup).to_string())),
        }]),
        None if args.is_single() => {
            bail!("which position? Give --fen, --file, or - for standard input")
        }
        None => batch_input::read(args.path(), Query::read),
    }
}

fn answer<R: Rules>(
    solver: &mut Solver<R>,
    query: &Query,
    args: &Args,
) -> Result<PositionVerdicts<R>> {
    let setup = Fen::read_short(&query.fen)?.0;
    let position = Position::<R>::from_setup(&setup).map_err(illegal)?;
    let warnings = warnings(&setup, R::VARIANT);
    // Benchmark files are full of unreachable positions; in JSON the warnings are part of the answer.
    if args.is_single() {
        warn(&warnings);
    }
    let threads = match args.is_single() {
        true => arg_parsers::threads(args.threads).get(),
        false => 1,
    };
    let budget = args.budget_in_positions().on_threads(threads);
    let begin = Instant::now();
    let clock = || begin.elapsed();
    let sides = args.side.colors().iter();
    let asked = sides.filter(|&&side| !args.check || query.expected(side).is_some());
    let verdicts =
        asked.map(|&side| TimedVerdict::of(solver, &position, side, budget, (args.budget, &clock)));
    Ok(PositionVerdicts {
        verdicts: verdicts.collect(),
        position,
        warnings,
    })
}

/// Whether a verdict contradicts the label.
fn contradicts(costed: &TimedVerdict, query: &Query) -> bool {
    match (&costed.verdict, query.expected(costed.side)) {
        (Winnability::Winnable(_), Some(can)) => !can,
        (Winnability::Unwinnable(_), Some(can)) => can,
        _ => false,
    }
}

/// Prints one line for each position of a file.
fn list<R: Rules>(
    chances: &PositionVerdicts<R>,
    out: &mut impl io::Write,
    args: &Args,
) -> io::Result<()> {
    writeln!(out, "{} {}", chances.label(), chances.position.fen())?;
    if args.line {
        for costed in &chances.verdicts {
            if let Winnability::Winnable(line) = &costed.verdict {
                writeln!(out, "   {}: {}", costed.side, chances.san(line))?;
            }
        }
    }
    Ok(())
}

/// Prints whole sentences for a single position.
fn explain<R: Rules>(
    chances: &PositionVerdicts<R>,
    out: &mut impl io::Write,
    args: &Args,
) -> io::Result<()> {
    for TimedVerdict {
        side,
        verdict,
        nodes,
        time,
    } in &chances.verdicts
    {
        match verdict {
            Winnability::Winnable(line) if line.is_empty() => writeln!(out, "{side} has won")?,
            Winnability::Winnable(line) => {
                let plies = if line.len() == 1 { "ply" } else { "plies" };
                writeln!(out, "{side} can win, for example in {} {plies}", line.len())?;
                if args.line {
                    writeln!(out, "  {}", chances.san(line))?;
                }
            }
            Winnability::Unwinnable(proof) => writeln!(out, "{side} cannot win: {proof}")?,
            Winnability::Undecided {
                reason: reason @ UndecidedReason::Unpackable,
                ..
            } => writeln!(out, "{side}: undecided, {reason}")?,
            Winnability::Undecided { .. } if *time < args.budget => {
                writeln!(
                    out,
                    "{side}: undecided, there is memory for {} million positions (--memory)",
                    args.memory
                )?;
            }
            Winnability::Undecided { .. } => {
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
