//! The board as images: what a terminal supports and how it is queried, the protocols for sending images, and which
//! squares have to be sent. The board says what is on a square.

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

/// The image protocols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageProtocol {
    /// The kitty graphics protocol: the terminal caches images and shows them by id.
    Kitty,
    /// The inline images of iTerm2.
    Iterm,
    /// Sixels, the six-pixel bands of the VT340.
    Sixel,
}

/// The size of one cell of the screen, in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct CellSize {
    pub width: u16,
    pub height: u16,
}

impl CellSize {
    /// A size, if both values are plausible.
    #[must_use]
    pub fn new(width: u16, height: u16) -> Option<CellSize> {
        let usual = 3..=128;
        (usual.contains(&width) && usual.contains(&height)).then_some(CellSize { width, height })
    }
}
