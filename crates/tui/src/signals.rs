//! The signals that ask the program to leave, heard on a thread of their own. How it leaves is for
//! others to say.

use std::io;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// A signal that has asked the program to leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal(i32);

impl Signal {
    /// What shells take for the exit code of a program that this signal has ended.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }
}

/// Tells of the first signal to leave.
///
/// # Errors
/// If signals cannot be heard here.
pub fn listen(tell: impl FnOnce(Signal) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            tell(Signal(signal));
        }
    });
    Ok(())
}
