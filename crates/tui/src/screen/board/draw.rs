//! Draws the board: squares, labels, marks and pieces, at any size and in any appearance. Its caller decides what
//! to mark.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::Widget;
use touchmove_rules::{Board, Color as Side, File, Piece, Rank, Square};

use crate::screen::appearance::{Appearance, PieceRendering};
use crate::screen::board::ansi16;
use crate::screen::board::board_image;
use crate::screen::board::figure::{CellColor, figure};
use crate::screen::board::geometry::Geometry;
use crate::screen::board::marks::{Mark, Marks};
use crate::screen::board::pixel_sprite;
use crate::screen::board::pixel_sprite::Sprite;
use crate::screen::palette::{ColorDepth, Rgb};
use crate::screen::theme::ScreenTheme;

/// Variation selector 15: asks for the text form of a figurine; without it, U+265F may be shown as an emoji.
const TEXT_PRESENTATION: char = '\u{fe0e}';

/// A board to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct BoardView<'a> {
    /// The pieces.
    pub board: &'a Board,
    /// The marks.
    pub marks: &'a Marks,
    /// The geometry of the board.
    pub geometry: Geometry,
    /// The appearance.
    pub look: Appearance,
}

impl Widget for BoardView<'_> {
    fn render(self, _area: Rect, buffer: &mut Buffer) {
        if !buffer.area.contains(self.geometry.origin)
            || self.geometry.area().intersection(buffer.area) != self.geometry.area()
        {
            return;
        }
        for square in Square::all() {
            self.draw_ground(square, buffer);
            match self.fire(square) {
                // The image on the square shows everything else.
                _ if self.look.is_pictured() => {}
                Some(fire) => self.draw_fire(square, fire, buffer),
                None => {
                    self.draw_man(square, buffer);
                    self.draw_signs(square, buffer);
                }
            }
        }
        self.draw_labels(buffer);
    }
}

impl BoardView<'_> {
    fn draw_labels(&self, buffer: &mut Buffer) {
        let style = self.look.muted();
        for rank in Rank::ALL {
            let cell = self.geometry.rank_label(rank);
            buffer[cell].set_char(rank.char()).set_style(style);
        }
        for file in File::ALL {
            let cell = self.geometry.file_label(file);
            let square = Square::at(file, self.geometry.nearest_rank());
            let style = match (self.geometry.labels_inside, self.look.is_colored()) {
                (false, _) => style,
                (true, _) if self.look.is_pictured() => continue,
                (true, false) => Style::new().remove_modifier(Modifier::DIM),
                (true, true) => Style::new()
                    .fg(self.look.depth.color(match square.is_light() {
                        true => self.look.theme.black_man,
                        false => self.look.theme.white_man,
                    }))
                    .bg(self.ground(square)),
            };
            buffer[cell].set_char(file.char()).set_style(style);
        }
    }

    /// The square's colour, tinted by its mark.
    fn ground(&self, square: Square) -> Color {
        let theme = &self.look.theme;
        let mark = self.marks.at(square);
        if self.look.depth == ColorDepth::Sixteen {
            return ansi16::square_color(mark, square.is_light());
        }
        let plain = match square.is_light() {
            true => theme.light_square,
            false => theme.dark_square,
        };
        self.look.depth.background(match mark {
            Some(mark) => {
                let (tint, share) = mark.tint(theme);
                plain.mixed(tint, share)
            }
            None => plain,
        })
    }

    /// The colour of the signs on a piece's target squares.
    fn target(&self) -> Color {
        match self.look.depth {
            ColorDepth::Sixteen => ansi16::TARGET_COLOR,
            depth => depth.color(self.look.theme.target),
        }
    }

    fn draw_ground(&self, square: Square, buffer: &mut Buffer) {
        let (symbol, style) = match (self.look.is_colored(), square.is_light()) {
            // The cell's colour shows where the image does not reach.
            _ if self.look.is_pictured() => (
                " ",
                Style::new().bg(board_image::color(self.tile(square).ground)),
            ),
            (true, _) => (" ", Style::new().bg(self.ground(square))),
            (false, true) => (" ", Style::new()),
            (false, false) => (self.look.glyph("░", "."), self.look.muted()),
        };
        for cell in self.geometry.square(square).positions() {
            buffer[cell].set_symbol(symbol).set_style(style);
        }
    }

    /// The mark's signs at both edges of a square, and the dot of a target square. Where colour shows the mark too,
    /// the signs leave most of the piece visible.
    fn draw_signs(&self, square: Square, buffer: &mut Buffer) {
        let cells = self.geometry.square(square);
        if let Some(mark) = self.marks.at(square)
            && (mark.always_signed() || !self.look.is_colored())
        {
            let style = self.sign_style(mark);
            let [left, right] = mark.signs(self.look.ascii);
            let bottom = if self.look.is_colored() {
                cells.top() + 1
            } else {
                cells.bottom()
            };
            for y in cells.top()..bottom {
                buffer[(cells.left(), y)].set_symbol(left).set_style(style);
                buffer[(cells.right() - 1, y)]
                    .set_symbol(right)
                    .set_style(style);
            }
        }
        if self.marks.targets.contains(square) {
            let style = match self.look.is_colored() {
                true => Style::new().fg(self.target()),
                false => Style::new().remove_modifier(Modifier::DIM),
            };
            self.draw_dot(square, style, buffer);
        }
    }

    /// A dot in the centre of the square.
    fn draw_dot(&self, square: Square, style: Style, buffer: &mut Buffer) {
        let cells = self.geometry.square(square);
        let middle = self.geometry.middle(square);
        let bold = style.add_modifier(Modifier::BOLD);
        match (cells.height, self.look.ascii) {
            (_, true) => put(buffer, middle, "+", bold),
            (1, false) => put(buffer, middle, "•", bold),
            (rows, false) => {
                let rows: &[&str] = if rows % 2 == 0 {
                    &["▄", "▀"]
                } else {
                    &["█"]
                };
                for (down, symbol) in (0..).zip(rows) {
                    for right in 0..2 {
                        let cell = Position::new(middle.x + right, middle.y + down);
                        put(buffer, cell, symbol, style);
                    }
                }
            }
        }
    }

    fn sign_style(&self, mark: Mark) -> Style {
        let theme = &self.look.theme;
        let bold = Style::new()
            .add_modifier(Modifier::BOLD)
            .remove_modifier(Modifier::DIM);
        match (mark, self.look.is_colored()) {
            (_, false) => bold,
            (Mark::Capture, true) => bold.fg(self.target()),
            (_, true) => bold.fg(self.look.depth.color(theme.white_man)),
        }
    }

    fn fire(&self, square: Square) -> Option<&'static str> {
        self.marks.explosion?.frame_on(square)
    }

    fn draw_fire(&self, square: Square, fire: &str, buffer: &mut Buffer) {
        let style = match self.look.is_colored() {
            true => Style::new().fg(self.look.depth.color(self.look.theme.blast)),
            false => Style::new().add_modifier(Modifier::BOLD),
        };
        let symbol = self.look.glyph(fire, "*");
        for cell in self.geometry.square(square).positions() {
            buffer[cell].set_symbol(symbol).set_style(style);
        }
    }

    fn draw_man(&self, square: Square, buffer: &mut Buffer) {
        let Some(piece) = self.board.piece_at(square) else {
            return;
        };
        let rows = self.geometry.size.rows;
        match (self.look.pieces, self.look.is_colored()) {
            _ if self.look.ascii => self.draw_glyph(square, piece, buffer),
            (PieceRendering::Auto | PieceRendering::Image | PieceRendering::Blocks, true)
                if rows >= 3 =>
            {
                self.draw_blocks(square, piece, buffer);
            }
            (PieceRendering::Auto | PieceRendering::Image | PieceRendering::Blocks, false)
                if rows >= 4 =>
            {
                self.draw_outlines(square, piece, buffer);
            }
            // Outlines of fewer dots could not be told apart.
            (PieceRendering::Braille, true) if rows >= 2 => {
                self.draw_braille(square, piece, buffer);
            }
            _ => self.draw_glyph(square, piece, buffer),
        }
    }

    /// The piece's colour, and the colour of the lines in it.
    fn inks(&self, piece: Piece) -> (Rgb, Rgb) {
        let ScreenTheme {
            white_man,
            black_man,
            ..
        } = self.look.theme;
        match piece.color {
            Side::White => (white_man, black_man.mixed(white_man, 20)),
            Side::Black => (black_man, white_man.mixed(black_man, 25)),
        }
    }

    fn draw_blocks(&self, square: Square, piece: Piece, buffer: &mut Buffer) {
        let depth = self.look.depth;
        let (man, line) = self.inks(piece);
        let ground = self.ground(square);
        let color = |part: CellColor| match part {
            CellColor::Ground => ground,
            CellColor::Man => depth.color(man),
            CellColor::Line => depth.color(line),
        };
        let figure = figure(piece.role, self.geometry.size, self.look.finest_blocks());
        let cells = self.geometry.square(square);
        for (cell, patch) in cells.positions().zip(figure.iter()) {
            let style = Style::new().fg(color(patch.ink)).bg(color(patch.paper));
            buffer[cell].set_char(patch.glyph).set_style(style);
        }
    }

    fn man_style(&self, piece: Piece) -> Style {
        let theme = &self.look.theme;
        let rgb = match piece.color {
            Side::White => theme.white_man,
            Side::Black => theme.black_man,
        };
        match (self.look.is_colored(), piece.color) {
            (true, _) => Style::new().fg(self.look.depth.color(rgb)),
            (false, Side::White) => Style::new()
                .add_modifier(Modifier::BOLD)
                .remove_modifier(Modifier::DIM),
            (false, Side::Black) => Style::new().remove_modifier(Modifier::DIM),
        }
    }

    fn draw_glyph(&self, square: Square, piece: Piece, buffer: &mut Buffer) {
        let is_letter = self.look.ascii || self.look.pieces == PieceRendering::Letters;
        let symbol = match (is_letter, self.look.is_colored()) {
            (true, _) => piece.char().to_string(),
            // The colour shows whose piece it is, and the filled figurine is easiest to see.
            (false, true) => format!(
                "{}{TEXT_PRESENTATION}",
                piece.role.of(Side::Black).figurine()
            ),
            (false, false) => format!("{}{TEXT_PRESENTATION}", piece.figurine()),
        };
        let mut style = self.man_style(piece);
        if is_letter {
            style = style.add_modifier(Modifier::BOLD);
        }
        buffer[self.geometry.middle(square)]
            .set_symbol(&symbol)
            .set_style(style);
    }

    /// Whether a pixel of the piece is set: all of it, or only its outline where White's pieces have no colour of
    /// their own.
    fn shows(&self, piece: Piece, sprite: Sprite, x: i32, y: i32) -> bool {
        match (self.look.is_colored(), piece.color) {
            (false, Side::White) => sprite.edges(x, y),
            _ => sprite.covers(x, y),
        }
    }

    /// The piece where there are no colours: White's as an outline.
    fn draw_outlines(&self, square: Square, piece: Piece, buffer: &mut Buffer) {
        let cells = self.geometry.square(square);
        let Some(sprite) = Sprite::of(piece.role, 2 * cells.height) else {
            return;
        };
        let style = self.man_style(piece);
        let side = i32::from(sprite.side());
        let left = (i32::from(cells.width) - side) / 2;
        let top = (2 * i32::from(cells.height) - side) / 2;
        for cell in cells.positions() {
            let x = i32::from(cell.x - cells.x) - left;
            let y = 2 * i32::from(cell.y - cells.y) - top;
            let upper = self.shows(piece, sprite, x, y);
            let lower = self.shows(piece, sprite, x, y + 1);
            if upper || lower {
                put(buffer, cell, pixel_sprite::half_block(upper, lower), style);
            }
        }
    }

    fn draw_braille(&self, square: Square, piece: Piece, buffer: &mut Buffer) {
        let cells = self.geometry.square(square);
        let Some(sprite) = Sprite::of(piece.role, 4 * cells.height) else {
            return;
        };
        let style = self.man_style(piece);
        for cell in cells.positions() {
            let x = 2 * i32::from(cell.x - cells.x);
            let y = 4 * i32::from(cell.y - cells.y);
            let dots = pixel_sprite::braille(|right, down| sprite.covers(x + right, y + down));
            if dots != '\u{2800}' {
                put(buffer, cell, dots.encode_utf8(&mut [0; 4]), style);
            }
        }
    }
}

fn put(buffer: &mut Buffer, cell: Position, symbol: &str, style: Style) {
    buffer[cell].set_symbol(symbol).set_style(style);
}
