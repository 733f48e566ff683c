//! A piece as a stencil: how much of each cell of a coarse grid its body covers, and how much the lines cut into it.
//! The caller chooses colours and characters; the outlines are those of all other pictures.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Pixmap, Stroke, Transform};
use touchmove_rules::Role;

use crate::piece_outlines;
use crate::raster::trace;
use crate::scene::SQUARE_SIDE;

/// How many fine pixels a grid cell has on each side.
const SUPERSAMPLING: usize = 8;

/// The coverage of one grid cell, in shares of 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The piece, its lines included.
    pub man: u8,
    /// The lines and spots cut into it.
    pub line: u8,
}

/// A piece on a grid that fills a square.
///
/// ```
/// use touchmove_diagram::Stencil;
/// use touchmove_rules::Role;
///
/// let pawn = Stencil::of(Role::Pawn, 12, 9);
/// assert_eq!(pawn.at(0, 0).man, 0, "nothing in the corner");
/// assert_eq!(pawn.at(6, 6).man, 255, "the pawn in the middle");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stencil {
    columns: u16,
    coats: Vec<Coverage>,
}

impl Stencil {
    /// Renders a piece on a grid of this size, at least one column and one row.
    #[must_use]
    pub fn of(role: Role, columns: u16, rows: u16) -> Stencil {
        let (columns, rows) = (columns.max(1), rows.max(1));
        let fine = Supersampled::of(
            role,
            usize::from(columns) * SUPERSAMPLING,
            usize::from(rows) * SUPERSAMPLING,
        );
        let mut coats = Vec::with_capacity(usize::from(columns) * usize::from(rows));
        for row in 0..usize::from(rows) {
            for column in 0..usize::from(columns) {
                coats.push(Coverage {
                    man: fine.share(&fine.man, column, row),
                    line: fine.share(&fine.line, column, row),
                });
            }
        }
        Stencil { columns, coats }
    }

    /// The coverage of the cell in this column and row; zero outside the grid.
    #[must_use]
    pub fn at(&self, column: u16, row: u16) -> Coverage {
        let at = usize::from(row) * usize::from(self.columns) + usize::from(column);
        match column < self.columns {
            true => self.coats.get(at).copied().unwrap_or_default(),
            false => Coverage::default(),
        }
    }
}

/// The piece in fine pixels.
struct Supersampled {
    width: usize,
    man: Vec<bool>,
    line: Vec<bool>,
}

impl Supersampled {
    fn of(role: Role, width: usize, height: usize) -> Supersampled {
        let layers = piece_outlines::piece_layers(role);
        // A line is as wide as a cell of the grid, so that it survives there.
        let cell = SQUARE_SIDE * SUPERSAMPLING as f32 / width.max(height) as f32;
        let [mut solid, mut lines] = [(); 2].map(|()| Canvas::new(width, height));
        for layer in layers {
            match *layer {
                piece_outlines::PieceLayer::Part { outline, .. } => {
                    solid.fill(outline);
                    solid.stroke(outline, piece_outlines::OUTLINE_WIDTH);
                    lines.stroke(outline, cell.min(2.0 * piece_outlines::OUTLINE_WIDTH));
                }
                piece_outlines::PieceLayer::Line(outline) => {
                    lines.stroke(outline, cell.max(piece_outlines::OUTLINE_WIDTH));
                }
                piece_outlines::PieceLayer::Dot(outline) => {
                    lines.fill(outline);
                    lines.stroke(outline, cell - piece_outlines::OUTLINE_WIDTH);
                }
            }
        }
        let man = solid.pixels();
        // Lines along the edge are not cut into the piece: they are where it ends.
        let inside = eroded(&man, width, SUPERSAMPLING + SUPERSAMPLING / 2);
        let drawn = lines.pixels();
        let line = inside
            .into_iter()
            .zip(drawn)
            .map(|(inside, drawn)| inside && drawn)
            .collect();
        Supersampled { width, man, line }
    }

    fn share(&self, pixels: &[bool], column: usize, row: usize) -> u8 {
        let rows = row * SUPERSAMPLING..(row + 1) * SUPERSAMPLING;
        let covered: usize = rows
            .map(|y| {
                let from = y * self.width + column * SUPERSAMPLING;
                let cells = &pixels[from..from + SUPERSAMPLING];
                cells.iter().filter(|&&covered| covered).count()
            })
            .sum();
        u8::try_from(covered * 255 / (SUPERSAMPLING * SUPERSAMPLING)).unwrap_or(u8::MAX)
    }
}

/// The pixels that have nothing uncovered within this reach, across or down (erosion).
fn eroded(pixels: &[bool], width: usize, reach: usize) -> Vec<bool> {
    let along = |pixels: &[bool], step: usize, length: usize| -> Vec<bool> {
        let kept = |at: usize| {
            let place = at / step % length;
            place >= reach
                && place + reach < length
                && (1..=reach).all(|by| pixels[at - by * step] && pixels[at + by * step])
        };
        (0..pixels.len()).map(|at| pixels[at] && kept(at)).collect()
    };
    let across = along(pixels, 1, width);
    along(&across, width, pixels.len() / width)
}

/// A pixmap to draw on, with a square stretched over it.
struct Canvas(Option<Pixmap>, Transform);

impl Canvas {
    fn new(width: usize, height: usize) -> Canvas {
        let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let scale = |length: usize| length as f32 / SQUARE_SIDE;
        Canvas(
            Pixmap::new(size(width), size(height)),
            Transform::from_scale(scale(width), scale(height)),
        )
    }

    fn paint() -> Paint<'static> {
        let mut paint = Paint::default();
        paint.set_color(Color::BLACK);
        paint.anti_alias = false;
        paint
    }

    fn fill(&mut self, outline: &str) {
        if let (Some(plate), Some(path)) = (&mut self.0, trace(outline)) {
            plate.fill_path(&path, &Canvas::paint(), FillRule::Winding, self.1, None);
        }
    }

    fn stroke(&mut self, outline: &str, width: f32) {
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        if let (Some(plate), Some(path), true) = (&mut self.0, trace(outline), width > 0.0) {
            plate.stroke_path(&path, &Canvas::paint(), &stroke, self.1, None);
        }
    }

    fn pixels(&self) -> Vec<bool> {
        let pixels = self.0.as_ref().map(Pixmap::pixels).unwrap_or_default();
        pixels.iter().map(|pixel| pixel.alpha() > 127).collect()
    }
}
