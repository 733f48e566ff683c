//! The signals that ask the program to leave, to stop or to wake up, heard on threads of their own. What
//! follows is for others to say.

use std::io;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

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
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT])?;
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            tell(Signal(signal));
        }
    });
    Ok(())
}

/// What a shell does with a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JobSignal {
    /// It is to stop.
    Stop,
    /// It goes on.
    Wake,
}

/// Tells when the program is to stop, and when it was woken. Who listens stops by [`stop`].
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

/// Tells when the program was woken; it stops as programs do.
pub(crate) fn listen_to_waking(mut tell: impl FnMut() + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGCONT])?;
    thread::spawn(move || signals.forever().for_each(|_| tell()));
    Ok(())
}

/// Stops the program until it is woken.
pub(crate) fn stop() -> io::Result<()> {
    emulate_default_handler(SIGTSTP)
}
