//! The board: where its squares are, what is marked on it, and how it is drawn. Moves and turns are
//! not its business.

mod draw;
mod geometry;
mod mark;
mod sixteen;
mod sprite;

pub use draw::BoardView;
pub use geometry::{Geometry, SquareSize};
pub use mark::{Explosion, Mark, Marks};
