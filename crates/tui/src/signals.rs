//! Signals that ask the program to quit, stop or continue, received on threads of their own. The caller decides
//! what follows.

use std::io;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// A signal that has asked the program to quit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal(i32);

impl Signal {
    /// The exit code of shells for a program ended by this signal.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }
}

/// Calls `tell` at the first signal to quit.
///
/// # Errors
/// If the signal handlers cannot be installed.
pub fn listen(tell: impl FnOnce(Signal) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            tell(Signal(signal));
        }
    });
    Ok(())
}

/// A job-control signal of the shell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JobSignal {
    /// Stop.
    Stop,
    /// Continue.
    Wake,
}

/// Calls `tell` when the program is to stop, and when it is continued. The receiver stops the program by [`stop`].
pub(crate) fn listen_to_shell(mut tell: impl FnMut(JobSignal) + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGTSTP, SIGCONT])?;
    thread::spawn(move || {
        for signal in signals.forever() {
            tell(if signal == SIGTSTP {
                JobSignal::Stop
            } else {
                JobSignal::Wake
            });
        }
    });
    Ok(())
}

/// Calls `tell` when the program is continued; it is stopped by the system's default action.
pub(crate) fn listen_to_waking(mut tell: impl FnMut() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGCONT])?;
    thread::spawn(move || signals.forever().for_each(|_| tell()));
    Ok(())
}

/// Stops the program until it is continued.
pub(crate) fn stop() -> io::Result<()> {
    emulate_default_handler(SIGTSTP)
}
