//! One square as pixels, as it looks in a diagram: for callers that paint a board square by square and only where it
//! has changed. It does not know where the square stands.

use tiny_skia::{Pixmap, Transform};
use touchmove_rules::{File, Piece};

use crate::labels;
use crate::piece_outlines;
use crate::png::PngError;
use crate::raster::paint_shape;
use crate::scene::{Ink, LABEL_INSET, SQUARE_SIDE, Shape};
use crate::theme::{Rgba, Theme};

/// A mark on a square, in addition to its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SquareMark {
    /// A glow under a king in check.
    Glow,
    /// A dot: a piece may move here.
    Dot,
    /// A ring: the piece here may be captured.
    Ring,
    /// A frame along the edges, for attention.
    Frame,
    /// Cut corners: this square will explode.
    Corners,
    /// A fire: this square explodes. The frame of the animation, from 0.
    Fire(u8),
}

/// A square and what is on it.
///
/// ```
/// use touchmove_diagram::{Theme, Tile};
/// use touchmove_rules::Piece;
///
/// let tile = Tile { man: Piece::from_char('N'), ..Tile::of(Theme::WALNUT.dark) };
/// let pixels = tile.paint(&Theme::WALNUT, 48, 50).unwrap();
/// assert_eq!(pixels.rgb().len(), 48 * 50 * 3);
/// assert_eq!(pixels.rgb()[..3], [0xb5, 0x8a, 0x63]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// The colour of the square.
    pub ground: Rgba,
    /// The mark and its colour.
    pub sign: Option<(SquareMark, Rgba)>,
    /// The file letter in the corner, and its colour.
    pub label: Option<(File, Rgba)>,
    /// The piece.
    pub man: Option<Piece>,
}

impl Tile {
    /// An empty square of this colour.
    #[must_use]
    pub const fn of(ground: Rgba) -> Tile {
        Tile {
            ground,
            sign: None,
            label: None,
            man: None,
        }
    }

    /// Paints the square with this many pixels. The colours of pieces are the theme's; a piece keeps its proportions
    /// where the image is not square.
    ///
    /// # Errors
    ///
    /// When there are no pixels, or more than a picture may have.
    pub fn paint(&self, theme: &Theme, width: u32, height: u32) -> Result<Pixels, PngError> {
        let longer = width.max(height);
        let mut canvas = Some(longer)
            .filter(|longer| longer <= PngError::PNG_SIDE_RANGE.end())
            .and_then(|_| Pixmap::new(width, height))
            .ok_or(PngError::Side { asked: longer })?;
        let whole = Transform::from_scale(width as f32 / SQUARE_SIDE, height as f32 / SQUARE_SIDE);
        let side = width.min(height) as f32;
        let middle = Transform::from_translate(
            ((width as f32 - side) / 2.0).floor(),
            ((height as f32 - side) / 2.0).floor(),
        )
        .pre_scale(side / SQUARE_SIDE, side / SQUARE_SIDE);
        let square = "M0 0L100 0L100 100L0 100Z";
        paint_shape(
            &mut canvas,
            &Shape::new(square, Ink::Fill(self.ground)),
            whole,
        );
        if let Some((sign, color)) = self.sign {
            let place = match sign {
                SquareMark::Glow | SquareMark::Frame | SquareMark::Corners => whole,
                SquareMark::Dot | SquareMark::Ring | SquareMark::Fire(_) => middle,
            };
            paint_shape(&mut canvas, &shape(sign, color), place);
        }
        if let Some((file, color)) = self.label {
            let width = labels::LABEL_STROKE_WIDTH;
            let letter = Shape::new(labels::file(file), Ink::Line { color, width });
            let across = SQUARE_SIDE - LABEL_INSET - labels::LABEL_WIDTH;
            let down = SQUARE_SIDE - LABEL_INSET - labels::LABEL_HEIGHT - 1.0;
            paint_shape(&mut canvas, &letter, whole.pre_translate(across, down));
        }
        for shape in self
            .man
            .iter()
            .flat_map(|&man| piece_outlines::piece_shapes(man, theme))
        {
            paint_shape(&mut canvas, &shape, middle);
        }
        Ok(Pixels(canvas))
    }
}

/// The shape of a mark in its square.
fn shape(sign: SquareMark, color: Rgba) -> Shape {
    const DOT_PATH: &str = "M50 35C58.3 35 65 41.7 65 50C65 58.3 58.3 65 50 65C41.7 65 35 58.3 35 50\
                       C35 41.7 41.7 35 50 35Z";
    const RING_PATH: &str = "M50 4C75.4 4 96 24.6 96 50C96 75.4 75.4 96 50 96C24.6 96 4 75.4 4 50\
                        C4 24.6 24.6 4 50 4Z";
    const FRAME_PATH: &str = "M3.5 3.5L96.5 3.5L96.5 96.5L3.5 96.5Z";
    const CORNERS_PATH: &str = "M0 0L24 0L0 24ZM100 0L100 24L76 0ZM100 100L76 100L100 76Z\
                           M0 100L0 76L24 100Z";
    const FLASH_PATH: &str = "M50 0L60 30L90 12L72 42L100 50L72 58L90 88L60 70L50 100L40 70L10 88L28 58\
                         L0 50L28 42L10 12L40 30Z";
    let line = |width| Ink::Line { color, width };
    match sign {
        SquareMark::Glow => Shape::new("M0 0L100 0L100 100L0 100Z", Ink::Glow(color)),
        SquareMark::Dot => Shape::new(DOT_PATH, Ink::Fill(color)),
        SquareMark::Ring => Shape::new(RING_PATH, line(7.0)),
        SquareMark::Frame => Shape::new(FRAME_PATH, line(7.0)),
        SquareMark::Corners => Shape::new(CORNERS_PATH, Ink::Fill(color)),
        SquareMark::Fire(step) => {
            let strength = 255 / (1 + u16::from(step.min(7)));
            let alpha = u8::try_from(strength).unwrap_or(u8::MAX);
            Shape::new(FLASH_PATH, Ink::Fill(color.with_alpha(alpha)))
        }
    }
}

/// An RGB image.
#[derive(Clone, Debug, PartialEq)]
pub struct Pixels(Pixmap);

impl Pixels {
    /// The width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.0.width()
    }

    /// The height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.0.height()
    }

    /// Red, green and blue of every pixel, row by row.
    #[must_use]
    pub fn rgb(&self) -> Vec<u8> {
        let pixels = self.0.pixels().iter();
        pixels
            .flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
            .collect()
    }

    /// Encodes the image as PNG.
    ///
    /// # Errors
    ///
    /// When it cannot be compressed.
    pub fn png(&self) -> Result<Vec<u8>, PngError> {
        self.0
            .encode_png()
            .map_err(|error| PngError::Encoding(error.to_string()))
    }
}
