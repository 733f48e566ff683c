//! Logs on standard error, for people or for programs.

use std::io;

use tracing_subscriber::filter::LevelFilter;

use super::{LogForm, LogLevel};

/// Begins to log. Whoever logs already goes on.
pub fn begin(form: LogForm, level: LogLevel) {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let log = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(io::stderr)
        .with_target(false)
        .with_ansi(false);
    let _ = match form {
        LogForm::Text => log.try_init(),
        LogForm::Json => log.json().try_init(),
    };
}
