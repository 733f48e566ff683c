//! Batch input: files with an item on each line. A faulty line is reported with its number, and the others are
//! still processed. The subcommands parse the items.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::{Context as _, Error, Result, anyhow, ensure};
use rayon::prelude::*;
use serde_json::json;
use touchmove_text::display_path;
use touchmove_tui::bounded_file::{self, MAX_FILE_BYTES};

use crate::cli::{AnswerStatus, AnswerStatuses, NegativeAnswer};
use crate::output;

/// A line with an item, or what is wrong with it.
pub struct BatchLine<T> {
    /// Its number, counted from 1.
    pub number: usize,
    /// Its item.
    pub held: Result<T>,
}

/// Reads the lines of a file, or of standard input for `-`. Skips a byte order mark and the lines for which `read`
/// returns `None`.
pub fn read<T>(path: &Path, read: impl Fn(&str) -> Option<Result<T>>) -> Result<Vec<BatchLine<T>>> {
    let name = display_path(path);
    let bytes = bounded_file::read_or_input(path, MAX_FILE_BYTES);
    let bytes = bytes.with_context(|| format!("cannot read {name}"))?;
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let numbered = (1..).zip(text.split(|&byte| byte == b'\n'));
    let lines: Vec<BatchLine<T>> = numbered
        .filter_map(|(number, line)| {
            let held = match std::str::from_utf8(line) {
                Ok(line) => read(line.trim())?,
                Err(_) => Err(anyhow!("it is no text in UTF-8")),
            };
            Some(BatchLine { number, held })
        })
        .collect();
    ensure!(
        !lines.is_empty(),
        "{name}: there is no line with a position in it"
    );
    Ok(lines)
}

/// Answers every line on so many threads, and prints the answers in the order of the lines.
pub fn answer<T: Sync, A: Send, W: Write>(
    lines: &[BatchLine<T>],
    threads: NonZeroUsize,
    out: &mut W,
    answer: impl Fn(&BatchLine<T>) -> Result<A> + Sync,
    mut tell: impl FnMut(&mut W, &BatchLine<T>, Result<A>) -> Result<()>,
) -> Result<()> {
    let threads = threads.get();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .context("cannot start the threads")?;
    // Chunks small enough that answers appear soon, and large enough to keep every thread busy.
    for part in lines.chunks(threads * 16) {
        let answers: Vec<Result<A>> = pool.install(|| part.par_iter().map(&answer).collect());
        for (line, answer) in part.iter().zip(answers) {
            tell(out, line, answer)?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Reports an error in a line: on standard error, and with JSON as an object in place of the answer.
pub fn print_error(
    path: &Path,
    number: usize,
    error: &Error,
    json: Option<&mut impl Write>,
    answers: &mut AnswerStatuses,
) -> io::Result<()> {
    answers.add(match error.is::<NegativeAnswer>() {
        true => AnswerStatus::No,
        false => AnswerStatus::Unanswered,
    });
    print_warning(path, number, &format!("{error:#}"));
    match json {
        Some(out) => writeln!(out, "{}", complaint(number, error)),
        None => Ok(()),
    }
}

/// Prints a warning about a line on standard error.
pub fn print_warning(path: &Path, number: usize, words: &str) {
    let name = display_path(path);
    output::complain(&format!("{name}, line {number}: {words}"));
}

/// A copy of an error.
pub fn repeated(error: &Error) -> Error {
    anyhow!("{error:#}")
}

/// An error in a line, as JSON.
pub fn complaint(number: usize, error: &Error) -> serde_json::Value {
    json!({ "line": number, "error": format!("{error:#}") })
}
