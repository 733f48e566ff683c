//! The board as real pictures: what a terminal can show and how it is asked, the forms in which pictures
//! are sent, and which squares have to be sent. What is on a square is told by the board.

mod capabilities;
mod iterm;
mod key_decoder;
mod kitty;
mod painter;
mod sixel;

pub use capabilities::{TerminalCapabilities, query};
pub(super) use key_decoder::keys;
pub(super) use kitty::REMOVE_ALL;
pub use painter::ImagePainter;

/// The ways in which terminals take pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageProtocol {
    /// The graphics protocol of kitty: pictures are kept by the terminal and put where they are wanted.
    Kitty,
    /// The inline images of iTerm2.
    Iterm,
    /// The six-pixel bands of the VT340.
    Sixel,
}

/// How large one cell of the screen is, in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct CellSize {
    pub width: u16,
    pub height: u16,
}

impl CellSize {
    /// A size, if it can be one.
    #[must_use]
    pub fn new(width: u16, height: u16) -> Option<CellSize> {
        let usual = 3..=128;
        (usual.contains(&width) && usual.contains(&height)).then_some(CellSize { width, height })
    }
}
