//! The PNG painter: renders a scene to pixels. The scene decides positions and colours.

use std::ops::RangeInclusive;

use thiserror::Error;
use tiny_skia::{Pixmap, Transform};

use crate::piece_outlines;
use crate::raster::paint_shape;
use crate::scene::{Item, Point, Scene};

/// The error of PNG output.
///
/// ```
/// use touchmove_diagram::{Diagram, PngError};
/// use touchmove_rules::Board;
///
/// assert_eq!(Diagram::new(&Board::START).png(8), Err(PngError::Side { asked: 8 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The side is not in [`PngError::PNG_SIDE_RANGE`].
    #[error(
        "a picture must be {} to {} pixels wide, not {asked}",
        PngError::PNG_SIDE_RANGE.start(),
        PngError::PNG_SIDE_RANGE.end()
    )]
    Side {
        /// The requested side.
        asked: u32,
    },
    /// The image could not be compressed.
    #[error("the picture could not be written as PNG: {0}")]
    Encoding(String),
}

impl PngError {
    /// The allowed sides of a picture, in pixels.
    pub const PNG_SIDE_RANGE: RangeInclusive<u32> = 64..=4096;
}

pub(crate) fn paint(scene: &Scene, side: u32) -> Result<Vec<u8>, PngError> {
    let mut canvas = Some(side)
        .filter(|side| PngError::PNG_SIDE_RANGE.contains(side))
        .and_then(|side| Pixmap::new(side, side))
        .ok_or(PngError::Side { asked: side })?;
    let scale = side as f32 / scene.side();
    let board = Transform::from_scale(scale, scale).pre_translate(scene.frame, scene.frame);
    for item in &scene.items {
        match item {
            Item::Shape(shape, at) => paint_shape(&mut canvas, shape, moved(board, *at)),
            Item::Man(piece, at) => {
                for shape in piece_outlines::piece_shapes(*piece, &scene.theme) {
                    paint_shape(&mut canvas, &shape, moved(board, *at));
                }
            }
        }
    }
    canvas
        .encode_png()
        .map_err(|error| PngError::Encoding(error.to_string()))
}

fn moved(board: Transform, at: Point) -> Transform {
    board.pre_translate(at.x, at.y)
}
