//! Logs on standard error, as text or JSON.

use std::io::{self, Write};

use touchmove_text::{SafeWriter, TextForm, sanitize_line_to};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::serve::values::{LogForm, LogLevel};

/// Starts logging, unless it has been started before.
pub fn init(form: LogForm, level: LogLevel) {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    // The NATS client logs each attempt to connect and each message that it drops: the server itself logs once when
    // NATS is lost and found.
    let filter = Targets::new()
        .with_default(level)
        .with_target("async_nats", level.min(LevelFilter::WARN));
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .with_ansi(false);
    let _ = match form {
        LogForm::Text => {
            let log = log.with_writer(|| LogLine);
            log.finish().with(filter).try_init()
        }
        LogForm::Json => {
            let writer = || SafeWriter::new(io::stderr(), TextForm::Json);
            let log = log.json().with_writer(writer);
            log.finish().with(filter).try_init()
        }
    };
}

/// Writes a log entry as one sanitised line: its fields contain names, paths and addresses chosen by strangers, and
/// a second line would pass for another entry.
struct LogLine;

/// The longest entry of the log, in characters.
const MAX_ENTRY_CHARS: usize = 8_000;

impl Write for LogLine {
    fn write(&mut self, entry: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(entry);
        let line = sanitize_line_to(text.trim_end_matches('\n'), MAX_ENTRY_CHARS);
        writeln!(io::stderr(), "{line}")?;
        Ok(entry.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
