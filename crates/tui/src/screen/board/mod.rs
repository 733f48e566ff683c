//! The board: where its squares are, what is marked on it, and how it is drawn. Moves and turns are
//! not its business.

mod blocks;
mod draw;
mod figure;
mod geometry;
mod handmade;
mod mark;
mod picture;
mod sixteen;
mod sprite;

pub use blocks::Blocks;
pub use draw::BoardView;
pub use geometry::{Geometry, SquareSize};
pub use mark::{Explosion, Mark, Marks};
pub use picture::Picture;
