//! Files of games as byte streams: plain, compressed or standard input, with a progress bar. The pgn crate parses
//! the bytes.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::path::Path;

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use touchmove_pgn::{Document, MAX_GAME_BYTES, MAX_GAME_PARTS};
use touchmove_text::display_path;

use crate::arg_parsers;
use crate::cli::NegativeAnswer;

/// The read size.
const CHUNK_BYTES: usize = 256 * 1024;

/// An open file of games.
pub struct Source {
    /// The decompressed bytes.
    pub bytes: Box<dyn Read + Send>,
    /// The progress of reading, on standard error if that is a terminal.
    pub progress: ProgressBar,
}

/// Opens a file, or standard input for `-`. Detects Zstandard, gzip and bzip2 by their magic bytes.
pub fn open(path: &Path) -> Result<Source> {
    let (raw, progress): (Box<dyn Read + Send>, ProgressBar) = if path == Path::new("-") {
        (Box::new(io::stdin()), ProgressBar::no_length())
    } else {
        let file =
            File::open(path).with_context(|| format!("cannot open {}", display_path(path)))?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            anyhow::bail!("cannot read {}: it is a folder", display_path(path));
        }
        (Box::new(file), ProgressBar::new(metadata.len()))
    };
    let style = "{bar:32} {bytes}/{total_bytes}  {bytes_per_sec}  ETA {eta}  {msg}";
    progress.set_style(ProgressStyle::with_template(style)?);
    let mut raw = BufReader::with_capacity(CHUNK_BYTES, progress.wrap_read(raw));
    let head = raw
        .fill_buf()
        .with_context(|| format!("cannot read {}", display_path(path)))?;
    let bytes: Box<dyn Read + Send> = match head {
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Box::new(zstd::Decoder::with_buffer(raw)?),
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(raw)),
        [b'B', b'Z', b'h', ..] => Box::new(bzip2::bufread::MultiBzDecoder::new(raw)),
        _ => Box::new(raw),
    };
    Ok(Source { bytes, progress })
}

/// Refuses a game that is too long to be kept in memory.
pub fn check_length(game: &Document, number: u64, path: &Path) -> Result<(), NegativeAnswer> {
    match game.is_whole() {
        true => Ok(()),
        false => Err(NegativeAnswer(format!(
            "game {number} of {} is too long: more than {MAX_GAME_PARTS} tags, moves, comments, variations and signs, \
             or more than {} MiB",
            display_path(path),
            MAX_GAME_BYTES >> 20
        ))),
    }
}

/// The number of threads asked for, at most one for each core; the default is one for each core.
pub fn threads(wanted: Option<NonZeroUsize>) -> NonZeroUsize {
    wanted.map_or_else(arg_parsers::cores, arg_parsers::threads)
}
