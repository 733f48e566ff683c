//! `touchmove pgn fmt`: rewrites games in export format, and reports what it could not keep.

use std::io::{self, Write};
use std::path::PathBuf;
use std::{fs, process};

use anyhow::{Context as _, Result, anyhow, ensure};
use touchmove_pgn::{AuditReport, Batch, Batches, DocumentBuilder, FindingCode, audit, read_part};
use touchmove_text::display_path;

use touchmove_tui::disk::StagedFile;
use touchmove_tui::on_signal;

use crate::cli::AnswerStatus;
use crate::output;
use crate::pgn::source;

/// Rewrite games in export format: the seven tags first, moves in SAN, lines below 80 columns. What
/// was not understood is named on standard error: nothing is lost without a word.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove pgn fmt messy.pgn --output clean.pgn
  touchmove pgn fmt games.pgn --output games.pgn       in its own place, when all is written
  touchmove pgn fmt - < messy.pgn > clean.pgn")]
pub struct Args {
    /// A file of games, plain or compressed; - is standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Rewrites the file.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let Some(path) = &args.output else {
        rewrite(args, &mut output::data())?;
        return Ok(AnswerStatus::Yes);
    };
    let cannot = || format!("cannot write {}", display_path(path));
    let mut draft = StagedFile::begin(path).with_context(cannot)?;
    let unfinished = draft.unfinished().map(ToOwned::to_owned);
    on_signal(move |signal| {
        if let Some(file) = unfinished {
            // If it is gone, it is in its place already.
            let _ = fs::remove_file(file);
        }
        process::exit(signal.exit_code().into());
    })?;
    rewrite(args, &mut draft)?;
    draft.finish().with_context(cannot)?;
    Ok(AnswerStatus::Yes)
}

fn rewrite(args: &Args, out: &mut impl Write) -> Result<()> {
    let source = source::open(&args.file)?;
    let mut out = io::BufWriter::new(out);
    let mut err = io::BufWriter::new(output::errors());
    let mut report = AuditReport::default().only(FindingCode::LOSSY_CODES.to_vec());
    let mut batches = Batches::new(source.bytes);
    let mut batch = Batch::default();
    let mut is_first = true;
    let mut written = Ok(());
    let (mut count, mut too_long) = (0, Ok(()));
    while batches
        .next(&mut batch)
        .with_context(|| format!("cannot read {}", display_path(&args.file)))?
    {
        if batches.was_utf16() && batch.offset == 0 {
            report.note_utf16();
        }
        audit(&batch, &mut report);
        let excess = batches.excess();
        if let Some(excess) = excess {
            report.note_excess(excess);
        }
        let named = source.progress.suspend(|| {
            for finding in report.findings.drain(..) {
                writeln!(err, "touchmove: {finding}")?;
            }
            err.flush()
        });
        match named {
            // Nobody reads standard error.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            named => named.context("cannot name what was not kept")?,
        }
        ensure!(excess.is_none(), "{}", unwritten(args));
        read_part(
            &batch.text,
            batch.offset,
            &mut DocumentBuilder::new(|mut game| {
                count += 1;
                if too_long.is_err() || written.is_err() {
                    return;
                }
                too_long = source::check_length(&game, count, &args.file);
                if too_long.is_err() {
                    return;
                }
                game.normalise();
                let separator = if std::mem::take(&mut is_first) {
                    ""
                } else {
                    "\n"
                };
                written = write!(out, "{separator}{game}");
            }),
        );
        if written.is_err() || too_long.is_err() {
            break;
        }
    }
    written?;
    too_long.map_err(|refused| anyhow!("{}: {refused}", unwritten(args)))?;
    out.flush()?;
    source.progress.finish_and_clear();
    Ok(())
}

/// The error for a game that is too long to be kept whole: rewriting it would lose the rest.
fn unwritten(args: &Args) -> String {
    let name = display_path(&args.file);
    match args.output {
        Some(_) => format!("{name} cannot be rewritten, and nothing is"),
        None => format!("{name} is rewritten up to the game that is too long"),
    }
}
