//! Puts images on the board's squares: only on those that have changed, and on none where something else is shown.
//! The caller says what is on a square, and where.

use std::collections::HashMap;
use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use touchmove_diagram::{Theme, Tile};
use touchmove_rules::Square;

use crate::screen::board::{BoardImage, Geometry};
use crate::screen::image::{CellSize, ImageProtocol, iterm, kitty, sixel};

/// The most images that the terminal caches; beyond that, all are deleted.
const MAX_CACHED_IMAGES: usize = 400;

/// What is on the screen so far.
#[derive(Debug)]
pub struct ImagePainter {
    protocol: ImageProtocol,
    cell: CellSize,
    /// The geometry of the board.
    geometry: Option<Geometry>,
    theme: Option<Theme>,
    /// The image on each square.
    shown: [Option<Tile>; 64],
    /// The ids of kitty images that were sent, or the encoded images.
    sent: HashMap<Tile, SentImage>,
}

#[derive(Debug)]
enum SentImage {
    Number(u32),
    Text(String),
}

impl ImagePainter {
    /// A painter for an empty screen.
    #[must_use]
    pub fn new(protocol: ImageProtocol, cell: CellSize) -> ImagePainter {
        ImagePainter {
            protocol,
            cell,
            geometry: None,
            theme: None,
            shown: [None; 64],
            sent: HashMap::new(),
        }
    }

    /// Whether the terminal caches images, which must be deleted at the end.
    #[must_use]
    pub fn keeps_pictures(&self) -> bool {
        self.protocol == ImageProtocol::Kitty
    }

    /// Resets the painter after a resize, which may also change the size of cells: nothing is on the screen.
    pub fn forget(&mut self, cell: Option<CellSize>) -> String {
        let cell = cell.unwrap_or(self.cell);
        *self = ImagePainter::new(self.protocol, cell);
        match self.protocol {
            ImageProtocol::Kitty => kitty::REMOVE_ALL.to_owned(),
            ImageProtocol::Iterm | ImageProtocol::Sixel => String::new(),
        }
    }

    /// The escape sequences that bring the screen to this image of the board. `painted` are the cells drawn before,
    /// blank on the board where nothing covers it.
    pub fn paint(&mut self, wanted: Option<&BoardImage>, painted: &Buffer) -> String {
        let geometry = wanted.map(|picture| picture.geometry);
        let theme = wanted.map(|picture| picture.theme);
        let mut out = String::new();
        if (theme.is_some() && self.theme != theme) || self.sent.len() > MAX_CACHED_IMAGES {
            out += &self.forget(None);
            self.theme = theme;
        }
        if self.geometry != geometry {
            out += &self.clear();
            self.geometry = geometry;
        }
        for square in Square::all() {
            let tile = wanted
                .and_then(|picture| picture.seen(square, painted))
                .copied();
            let before = self.shown[square.index()];
            if before != tile {
                self.change(square, before, tile, &mut out);
                self.shown[square.index()] = tile;
            }
        }
        match out.is_empty() {
            true => out,
            // Restores the cursor position.
            false => format!("\x1b7{out}\x1b8"),
        }
    }

    /// Removes all images.
    fn clear(&mut self) -> String {
        let mut out = String::new();
        for square in Square::all() {
            if let Some(tile) = self.shown[square.index()].take() {
                self.remove(square, &tile, &mut out);
            }
        }
        out
    }

    /// Removes an image. Only kitty images need it: the others disappear when something is written over them.
    fn remove(&self, square: Square, tile: &Tile, out: &mut String) {
        if let Some(SentImage::Number(id)) = self.sent.get(tile) {
            *out += &kitty::remove(*id, place(square));
        }
    }

    fn change(
        &mut self,
        square: Square,
        before: Option<Tile>,
        tile: Option<Tile>,
        out: &mut String,
    ) {
        let (Some(geometry), Some(theme)) = (self.geometry, self.theme) else {
            return;
        };
        if let Some(before) = before {
            self.remove(square, &before, out);
        }
        let Some(tile) = tile else {
            return;
        };
        let cells = geometry.square(square);
        if !self.sent.contains_key(&tile) {
            let number = u32::try_from(self.sent.len()).unwrap_or(0) + 1;
            let Some(sent) = self.send(&tile, &theme, geometry, number, out) else {
                return;
            };
            self.sent.insert(tile, sent);
        }
        let _ = write!(out, "\x1b[{};{}H", cells.y + 1, cells.x + 1);
        match &self.sent[&tile] {
            SentImage::Number(id) => {
                *out += &kitty::put(*id, place(square), cells.width, cells.height);
            }
            SentImage::Text(text) => *out += text,
        }
    }

    /// Encodes the image of a square, and sends it if the terminal caches images.
    fn send(
        &self,
        tile: &Tile,
        theme: &Theme,
        geometry: Geometry,
        number: u32,
        out: &mut String,
    ) -> Option<SentImage> {
        let (columns, rows) = (geometry.size.columns, geometry.size.rows);
        let width = u32::from(columns * self.cell.width);
        let height = u32::from(rows * self.cell.height);
        let pixels = tile.paint(theme, width, height).ok()?;
        Some(match self.protocol {
            ImageProtocol::Kitty => {
                *out += &kitty::send(number, &pixels.png().ok()?);
                SentImage::Number(number)
            }
            ImageProtocol::Iterm => {
                SentImage::Text(iterm::show(&pixels.png().ok()?, columns, rows))
            }
            ImageProtocol::Sixel => {
                // An incomplete last band could reach below the window and scroll it.
                let whole = pixels.height() - pixels.height() % 6;
                let (width, height) = (pixels.width() as usize, whole as usize);
                let rgb = pixels.rgb();
                SentImage::Text(sixel::show(&rgb[..3 * width * height], width, height))
            }
        })
    }
}

/// The placement id of a square.
fn place(square: Square) -> u32 {
    u32::try_from(square.index()).unwrap_or(0) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::appearance::Appearance;
    use crate::screen::board::{BoardView, Marks, SquareSize};
    use ratatui::layout::{Position, Rect};
    use ratatui::widgets::{Clear, Widget as _};
    use touchmove_rules::{Board, Color};

    fn look() -> Appearance {
        Appearance {
            images: true,
            ..Appearance::default()
        }
    }

    fn view<'a>(board: &'a Board, marks: &'a Marks) -> BoardView<'a> {
        let geometry = Geometry {
            origin: Position::new(0, 0),
            size: SquareSize::ALL[4],
            near: Color::White,
            labels_inside: false,
        };
        BoardView {
            board,
            marks,
            geometry,
            look: look(),
        }
    }

    /// The output when this board follows on what is shown.
    fn written(painter: &mut ImagePainter, board: &Board, over: Option<Rect>) -> String {
        let marks = Marks::default();
        let view = view(board, &marks);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 40));
        let picture = view.picture();
        view.render(buffer.area, &mut buffer);
        if let Some(area) = over {
            Clear.render(area, &mut buffer);
        }
        painter.paint(Some(&picture), &buffer)
    }

    #[test]
    fn only_squares_that_have_changed_are_sent() {
        let cell = CellSize::new(10, 20).expect("a size");
        for protocol in [
            ImageProtocol::Kitty,
            ImageProtocol::Iterm,
            ImageProtocol::Sixel,
        ] {
            let mut painter = ImagePainter::new(protocol, cell);
            let mut board = Board::START;
            let first = written(&mut painter, &board, None);
            assert_eq!(
                first.matches(";3H").count(),
                8,
                "a row of squares at the left"
            );
            assert_eq!(written(&mut painter, &board, None), "");
            let pawn = board.piece_at(Square::E2).expect("a pawn");
            board.remove(Square::E2);
            board.set(Square::E4, pawn);
            let next = written(&mut painter, &board, None);
            assert_eq!(
                next.matches("\x1b[").count(),
                2,
                "two squares: {protocol:?}"
            );
            assert!(next.len() < 20_000, "{} bytes", next.len());
        }
    }

    #[test]
    fn pictures_make_room_for_what_lies_over_them_and_come_back() {
        let cell = CellSize::new(10, 20).expect("a size");
        let mut painter = ImagePainter::new(ImageProtocol::Kitty, cell);
        written(&mut painter, &Board::START, None);
        // A box over a1 and b1.
        let over = Rect::new(2, 28, 12, 4);
        let covered = written(&mut painter, &Board::START, Some(over));
        assert_eq!(covered.matches("a=d,d=i").count(), 2, "{covered:?}");
        let back = written(&mut painter, &Board::START, None);
        assert_eq!(back.matches("a=p").count(), 2);
        assert_eq!(back.matches("a=t").count(), 0, "the terminal has kept them");
    }
}
