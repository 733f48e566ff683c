//! The board: its geometry, its marks, and how it is drawn. Knows nothing of moves and turns.

mod ansi16;
mod blocks;
mod board_image;
mod draw;
mod figure;
mod geometry;
mod handmade;
mod marks;
mod pixel_sprite;

pub use blocks::Blocks;
pub use board_image::BoardImage;
pub use draw::BoardView;
pub use geometry::{Geometry, SquareSize};
pub use marks::{Explosion, Mark, Marks};
