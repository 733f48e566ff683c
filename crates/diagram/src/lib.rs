//! Draws a chess position as a text board, an SVG document or a PNG image. It knows no moves or laws and opens no file:
//! it returns strings and bytes.
//!
//! ```
//! use touchmove_diagram::{Diagram, TextStyle};
//! use touchmove_rules::{Board, Color, Square};
//!
//! let diagram = Diagram::new(&Board::START)
//!     .seen_from(Color::Black)
//!     .last_move(Square::E2, Square::E4)
//!     .marks(Square::D5.set());
//! let svg: String = diagram.svg();
//! let png: Vec<u8> = diagram.png(360)?;
//! let text: String = diagram.text(TextStyle::default());
//! # assert!(svg.starts_with("<svg") && png.starts_with(b"\x89PNG") && text.starts_with('1'));
//! # Ok::<(), touchmove_diagram::PngError>(())
//! ```

mod diagram;
mod labels;
mod piece_outlines;
mod png;
mod raster;
mod scene;
mod stencil;
mod svg;
mod text;
mod theme;
mod tile;

pub use diagram::{Arrow, Coordinates, Diagram};
pub use png::PngError;
pub use stencil::{Coverage, Stencil};
pub use svg::piece_sprites;
pub use text::{PieceStyle, TextStyle};
pub use theme::{PieceColors, Rgba, Theme};
pub use tile::{Pixels, SquareMark, Tile};
