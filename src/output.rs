//! Standard output and standard error of the subcommands: removes escape sequences. Foreign text that belongs into
//! one line is sanitised where a sentence is built; this is the last barrier.

use std::io::{self, IsTerminal as _, StderrLock, StdoutLock, Write};
use std::panic::PanicHookInfo;

use touchmove_text::{SafeWriter, TextForm, sanitize_block, sanitize_line};

use crate::terminal_ui;

/// Standard output for lines of text.
pub fn lines() -> SafeWriter<StdoutLock<'static>> {
    answer(false)
}

/// Standard output for JSON; unsafe characters are escaped.
pub fn json() -> SafeWriter<StdoutLock<'static>> {
    answer(true)
}

/// Standard output for an answer, as JSON or as lines.
pub fn answer(is_json: bool) -> SafeWriter<StdoutLock<'static>> {
    let form = match is_json {
        true => TextForm::Json,
        false => TextForm::Lines,
    };
    let out = io::stdout();
    let is_ascii = out.is_terminal() && terminal_ui::other_encoding().is_some();
    SafeWriter::new(out.lock(), form).only_ascii(is_ascii)
}

/// Standard output for the contents of a file: exact for files and pipes, sanitised on a terminal.
pub fn data() -> Box<dyn Write> {
    match io::stdout().is_terminal() {
        true => Box::new(lines()),
        false => Box::new(io::stdout().lock()),
    }
}

/// Standard error.
pub fn errors() -> SafeWriter<StderrLock<'static>> {
    let err = io::stderr();
    let is_ascii = err.is_terminal() && terminal_ui::other_encoding().is_some();
    SafeWriter::new(err.lock(), TextForm::Lines).only_ascii(is_ascii)
}

/// Prints a line on standard error; a failure to do so is ignored.
pub fn complain(words: &str) {
    let _ = writeln!(errors(), "touchmove: {}", sanitize_line(words));
}

/// Reports a panic, sanitised: its message may quote input.
pub fn report_panic(panic: &PanicHookInfo<'_>) {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed").to_owned();
    let message = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map(ToString::to_string);
    let _ = writeln!(
        errors(),
        "thread '{name}' panicked at {}:\n{}",
        place.unwrap_or_default(),
        sanitize_block(message)
    );
    let trace = std::backtrace::Backtrace::capture();
    if trace.status() == std::backtrace::BacktraceStatus::Captured {
        let _ = writeln!(errors(), "{trace}");
    }
}
