//! The renderer: draws cells, then images on them. At the start it queries the terminal's capabilities, with a
//! short timeout. The view says what to draw.

use std::io::{self, Stdout, Write, stdin, stdout};
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ratatui::crossterm::event::KeyEvent;
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, window_size,
};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Size;
use ratatui::{Terminal, prelude::CrosstermBackend};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::time::Timespec;

use crate::screen::appearance::PieceRendering;
use crate::screen::board::Blocks;
use crate::screen::game_screen::Tone;
use crate::screen::image;
use crate::screen::image::{CellSize, ImagePainter, ImageProtocol, TerminalCapabilities};
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::{picture, view};

/// The timeout of the terminal's reply, on this machine and over a remote connection.
const TERMINAL_REPLY_TIMEOUT: [Duration; 2] =
    [Duration::from_millis(250), Duration::from_millis(1500)];

/// Whether the terminal has cached images, which must be deleted at the end.
static TERMINAL_HAS_IMAGES: AtomicBool = AtomicBool::new(false);

/// Deletes the images that the terminal has cached.
pub(super) fn forget_pictures() {
    if TERMINAL_HAS_IMAGES.swap(false, Ordering::Relaxed) {
        // There is nobody to report a failure to.
        let _ = write!(stdout(), "{}", image::REMOVE_ALL);
        let _ = stdout().flush();
    }
}

/// A cleared terminal. Ratatui's own clear would query the cursor position and wait for the reply.
fn cleared() -> io::Result<Terminal<CrosstermBackend<Stdout>>> {
    execute!(stdout(), Clear(ClearType::All))?;
    Terminal::new(CrosstermBackend::new(stdout()))
}

/// The terminal.
pub(super) struct Renderer {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    painter: Option<ImagePainter>,
    size: Size,
    /// Whether the terminal was queried and its reply has not been read.
    is_asked: bool,
}

fn says(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Whether the program runs inside tmux or screen.
fn is_inside(term: &str) -> bool {
    says("TMUX").is_some() || ["tmux", "screen"].iter().any(|word| term.starts_with(word))
}

/// Whether the terminal is worth querying, and is not one that would print the queries.
fn is_worth_asking(model: &Model, term: &str) -> bool {
    let look = &model.look;
    let is_simple = ["linux", "dumb", "vt", "cons", "ansi", "sun"]
        .iter()
        .any(|word| term.starts_with(word));
    let wants_blocks = !matches!(
        look.pieces,
        PieceRendering::Figurines | PieceRendering::Letters
    );
    look.is_colored() && !look.ascii && !is_simple && (wants_blocks || look.auto_theme)
}

impl Renderer {
    /// Reads the environment and queries the terminal for the rest.
    pub(super) fn new(model: &mut Model) -> io::Result<Renderer> {
        let term = says("TERM").unwrap_or_default();
        model.look.known_blocks = known_blocks(None);
        let is_asked = is_worth_asking(model, &term);
        if is_asked {
            write!(stdout(), "{}", image::query(is_inside(&term)))?;
        }
        // Clears whatever the queries have left on the screen.
        Ok(Renderer {
            terminal: cleared()?,
            painter: None,
            size: model.size,
            is_asked,
        })
    }

    /// Draws what has changed.
    pub(super) fn draw(&mut self, model: &Model) -> io::Result<()> {
        let Some(painter) = &mut self.painter else {
            self.terminal.draw(|frame| view(model, frame))?;
            return Ok(());
        };
        let mut out = stdout();
        queue!(out, BeginSynchronizedUpdate)?;
        if self.size != model.size {
            self.size = model.size;
            write!(out, "{}", painter.forget(cell_size()))?;
        }
        let painted = self.terminal.draw(|frame| view(model, frame))?;
        let pictures = painter.paint(picture(model).as_ref(), painted.buffer);
        write!(out, "{pictures}")?;
        execute!(out, EndSynchronizedUpdate)
    }

    /// Forgets what was drawn, after another program has used the terminal.
    pub(super) fn invalidate(&mut self) -> io::Result<()> {
        if let Some(painter) = &mut self.painter {
            write!(stdout(), "{}", painter.forget(cell_size()))?;
            TERMINAL_HAS_IMAGES.store(painter.keeps_pictures(), Ordering::Relaxed);
        }
        self.terminal = cleared()?;
        Ok(())
    }

    /// Reads the terminal's reply, applies it, and returns the keys that were pressed meanwhile.
    pub(super) fn on_terminal_reply(&mut self, model: &mut Model) -> io::Result<Vec<KeyEvent>> {
        if !std::mem::take(&mut self.is_asked) {
            return Ok(Vec::new());
        }
        let (answers, keys) = listen()?;
        self.adapt(model, &answers);
        Ok(image::keys(&keys))
    }

    fn adapt(&mut self, model: &mut Model, answers: &TerminalCapabilities) {
        let look = &mut model.look;
        look.known_blocks = known_blocks(answers.name.as_deref());
        look.on_light = is_light(answers);
        if look.auto_theme {
            look.choose_theme(None);
        }
        if !matches!(look.pieces, PieceRendering::Auto | PieceRendering::Image) {
            return;
        }
        let program = says("LC_TERMINAL").or_else(|| says("TERM_PROGRAM"));
        let protocol = answers.protocol(program.as_deref());
        // Only sixels need the real size of a cell; the other protocols scale images.
        let cell = answers.cell.or_else(cell_size).or_else(|| match protocol {
            Some(ImageProtocol::Sixel) | None => None,
            Some(ImageProtocol::Kitty | ImageProtocol::Iterm) => CellSize::new(10, 20),
        });
        if let (Some(protocol), Some(cell)) = (protocol, cell) {
            look.images = true;
            TERMINAL_HAS_IMAGES.store(protocol == ImageProtocol::Kitty, Ordering::Relaxed);
            self.painter = Some(ImagePainter::new(protocol, cell));
        } else if look.pieces == PieceRendering::Image
            && let ActiveScreen::Table(table) = &mut model.scene
        {
            let sentence = "This terminal shows no pictures; the men are made of blocks.";
            table.set_notice(Tone::Plain, sentence.to_owned());
        }
    }
}

fn known_blocks(called: Option<&str>) -> Blocks {
    let [term, program, vte] = ["TERM", "TERM_PROGRAM", "VTE_VERSION"].map(says);
    Blocks::known(called, term.as_deref(), program.as_deref(), vte.as_deref())
}

/// Whether the background is light, by the terminal's reply or else the environment.
fn is_light(answers: &TerminalCapabilities) -> bool {
    match (answers.background, says("COLORFGBG")) {
        (Some(_), _) => answers.is_light(),
        (None, Some(colors)) => matches!(colors.rsplit(';').next(), Some("7" | "15")),
        (None, None) => false,
    }
}

/// The size of a cell by the operating system.
fn cell_size() -> Option<CellSize> {
    let window = window_size().ok()?;
    let across = window.width.checked_div(window.columns)?;
    CellSize::new(across, window.height.checked_div(window.rows)?)
}

/// Reads until the terminal's last reply or the timeout; returns the replies and all other bytes.
fn listen() -> io::Result<(TerminalCapabilities, Vec<u8>)> {
    let is_far = says("SSH_CONNECTION").is_some() || says("SSH_TTY").is_some();
    let until = Instant::now() + TERMINAL_REPLY_TIMEOUT[usize::from(is_far)];
    let (mut heard, mut chunk) = (Vec::new(), [0; 1024]);
    let keyboard = stdin();
    loop {
        let mut answers = TerminalCapabilities::default();
        let keys = answers.read(&heard);
        let left = until.saturating_duration_since(Instant::now());
        if answers.is_complete || left.is_zero() {
            return Ok((answers, keys));
        }
        let wait = Timespec::try_from(left).ok();
        let mut waiting = [PollFd::new(&keyboard, PollFlags::IN)];
        match poll(&mut waiting, wait.as_ref()) {
            Ok(0) => {}
            Ok(_) => match rustix::io::read(keyboard.as_fd(), &mut chunk) {
                Ok(0) => return Ok((answers, keys)),
                Ok(count) => heard.extend_from_slice(&chunk[..count]),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            },
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
