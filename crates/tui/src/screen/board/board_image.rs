//! The board as images of its squares, for terminals that show images: which image belongs on which square. Knows
//! nothing of how images reach the terminal.

use ratatui::buffer::Buffer;
use ratatui::style::Color;
use touchmove_diagram::{Rgba, SquareMark, Theme, Tile};
use touchmove_rules::Square;

use crate::screen::board::draw::BoardView;
use crate::screen::board::geometry::Geometry;
use crate::screen::board::marks::Mark;
use crate::screen::palette::Rgb;

/// The images of all squares, and where the board is.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardImage {
    /// The geometry of the board.
    pub geometry: Geometry,
    /// The colours of the pieces.
    pub theme: Theme,
    tiles: Vec<Tile>,
}

impl BoardImage {
    /// The image of a square.
    #[must_use]
    pub fn tile(&self, square: Square) -> &Tile {
        &self.tiles[square.index()]
    }

    /// The image of a square; `None` if something was painted over it.
    #[must_use]
    pub fn seen(&self, square: Square, painted: &Buffer) -> Option<&Tile> {
        let tile = self.tile(square);
        let ground = color(tile.ground);
        let cells = self.geometry.square(square);
        let is_bare = cells.positions().all(|cell| {
            painted
                .cell(cell)
                .is_some_and(|cell| cell.symbol() == " " && cell.bg == ground)
        });
        is_bare.then_some(tile)
    }
}

/// A colour of an image as a terminal colour.
pub(super) fn color(rgba: Rgba) -> Color {
    Color::Rgb(rgba.red, rgba.green, rgba.blue)
}

fn rgba(Rgb(red, green, blue): Rgb) -> Rgba {
    Rgba {
        red,
        green,
        blue,
        alpha: 255,
    }
}

/// Blends `above` over `below` by its opacity.
fn over(below: Rgba, above: Rgba) -> Rgba {
    let mix = |below: u8, above_channel: u8| {
        let alpha = u32::from(above.alpha);
        let sum = u32::from(below) * (255 - alpha) + u32::from(above_channel) * alpha;
        u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
    };
    Rgba {
        red: mix(below.red, above.red),
        green: mix(below.green, above.green),
        blue: mix(below.blue, above.blue),
        alpha: 255,
    }
}

impl BoardView<'_> {
    /// The board as images.
    #[must_use]
    pub fn picture(&self) -> BoardImage {
        BoardImage {
            geometry: self.geometry,
            theme: self.look.theme.diagram(),
            tiles: Square::all().map(|square| self.tile(square)).collect(),
        }
    }

    /// The image of a square: the diagram's colours, and a sign for its mark.
    pub(super) fn tile(&self, square: Square) -> Tile {
        let colors = self.look.theme;
        let theme = colors.diagram();
        let (plain, other) = match square.is_light() {
            true => (theme.light, theme.dark),
            false => (theme.dark, theme.light),
        };
        let tinted = |tint: Rgb, percent: u8| over(plain, rgba(tint).with_alpha(percent));
        let (ground, sign) = match self.marks.at(square) {
            None => (plain, None),
            Some(Mark::LastMove) => (over(plain, theme.last_move), None),
            Some(Mark::Selected) => (tinted(colors.selected, 170), None),
            Some(Mark::Check) => (plain, Some((SquareMark::Glow, theme.check))),
            Some(Mark::Checker) => (plain, Some((SquareMark::Frame, theme.check))),
            Some(Mark::Capture) => (plain, Some((SquareMark::Ring, rgba(colors.target)))),
            Some(Mark::Evidence) => (
                tinted(colors.evidence, 130),
                Some((SquareMark::Frame, rgba(colors.evidence))),
            ),
            Some(Mark::Blast) => (
                tinted(colors.blast, 150),
                Some((SquareMark::Corners, rgba(colors.check))),
            ),
        };
        let dot = self.marks.targets.contains(square);
        let dot = dot.then(|| (SquareMark::Dot, rgba(colors.target)));
        let fire = self.marks.explosion.and_then(|explosion| {
            explosion.frame_on(square)?;
            Some((SquareMark::Fire(explosion.step), rgba(colors.blast)))
        });
        let is_nearest = square.rank() == self.geometry.nearest_rank();
        Tile {
            ground,
            sign: fire.or(dot).or(sign),
            label: (self.geometry.labels_inside && is_nearest).then(|| (square.file(), other)),
            man: match fire {
                Some(_) => None,
                None => self.board.piece_at(square),
            },
        }
    }
}
