//! Terminal setup and cleanup: raw mode and the alternate screen, also around a suspension by the shell.

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

/// The terminal in use by the game; restored when this is dropped, and when the program panics.
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

/// Restores the terminal. There is nobody to report a failure to.
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

/// Restores the terminal and suspends the program until it is continued.
pub(super) fn suspend(stage: &mut Renderer) -> io::Result<()> {
    give_back();
    signals::stop()?;
    retake(stage)
}

/// Sets the terminal up again after a suspension, and forgets what was drawn.
pub(super) fn retake(stage: &mut Renderer) -> io::Result<()> {
    // The shell may have left raw mode behind our back.
    disable_raw_mode()?;
    take_terminal()?;
    stage.invalidate()
}
