//! The terminal while it belongs to the game: taken, given back, lent to the shell while the program sleeps.

use std::io::{self, stdout};

use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

use crate::screen::renderer;
use crate::screen::renderer::Renderer;
use crate::signals;

/// The terminal while it belongs to the game; it is given back when this is dropped, and when the
/// program panics.
pub(super) struct TerminalGuard;

impl TerminalGuard {
    pub(super) fn take() -> io::Result<TerminalGuard> {
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            report(panic);
        }));
        take_terminal()?;
        Ok(TerminalGuard)
    }
}

fn take_terminal() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(
        stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste
    )
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back as it was. What fails here cannot be told to anybody.
fn give_back() {
    renderer::forget_pictures();
    let _ = execute!(
        stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// Gives the terminal back to the shell until the program is woken.
pub(super) fn suspend(stage: &mut Renderer) -> io::Result<()> {
    give_back();
    signals::stop()?;
    retake(stage)
}

/// Takes the terminal again, whatever the shell has done with it, and forgets what was painted.
pub(super) fn retake(stage: &mut Renderer) -> io::Result<()> {
    // The terminal may have been put out of its raw mode without our doing.
    disable_raw_mode()?;
    take_terminal()?;
    stage.invalidate()
}
