//! Screenshots as PNG files: cells as a terminal shows them, block characters as geometry, letters in the font that
//! `TOUCHMOVE_FONT` names, images where the terminal would show them.

use std::path::PathBuf;

use fontdue::{Font, FontSettings};
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use touchmove_rules::Square;
use touchmove_tui::screen::board::Blocks;
use touchmove_tui::screen::picture;

use super::screen_player::Seat;

type Rgb = [u8; 3];

/// Draws screens.
pub struct Painting {
    font: Font,
}

/// A growing image.
struct Canvas {
    width: usize,
    pixels: Vec<Rgb>,
}

impl Canvas {
    fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, color: Rgb) {
        for row in y..y + height {
            self.pixels[row * self.width + x..][..width].fill(color);
        }
    }
}

impl Painting {
    pub fn new() -> Painting {
        let path = std::env::var("TOUCHMOVE_FONT").expect("TOUCHMOVE_FONT names a font");
        let bytes = std::fs::read(path).expect("a font");
        let font = Font::from_bytes(bytes, FontSettings::default()).expect("a font");
        Painting { font }
    }

    /// Writes the screen to `docs/pictures`, with cells this many pixels wide and twice as high.
    pub fn save(&self, seat: &Seat, cell: usize, name: &str) {
        let buffer = seat.buffer();
        let (columns, rows) = (buffer.area.width, buffer.area.height);
        let (wide, high) = (cell, 2 * cell);
        let is_light = seat.model.look.theme.name == "paper";
        let [ink, paper] = match is_light {
            true => [[20, 20, 20], [255, 255, 255]],
            false => [[215, 215, 215], [22, 22, 24]],
        };
        let width = usize::from(columns) * wide;
        let mut canvas = Canvas {
            width,
            pixels: vec![paper; width * usize::from(rows) * high],
        };
        for y in 0..rows {
            for x in 0..columns {
                let place = (usize::from(x) * wide, usize::from(y) * high);
                self.draw(&buffer[(x, y)], place, cell, [ink, paper], &mut canvas);
            }
        }
        if let Some(picture) = picture(&seat.model) {
            for square in Square::all() {
                let Some(tile) = picture.seen(square, &buffer) else {
                    continue;
                };
                let cells = picture.geometry.square(square);
                let (across, down) = (
                    usize::from(cells.width) * wide,
                    usize::from(cells.height) * high,
                );
                let pixels = tile
                    .paint(&picture.theme, across as u32, down as u32)
                    .expect("pixels");
                let rgb = pixels.rgb();
                let (left, top) = (usize::from(cells.x) * wide, usize::from(cells.y) * high);
                for (at, pixel) in rgb.chunks_exact(3).enumerate() {
                    let (x, y) = (left + at % across, top + at / across);
                    canvas.pixels[y * width + x] = [pixel[0], pixel[1], pixel[2]];
                }
            }
        }
        self.write(&canvas, name);
    }

    fn draw(
        &self,
        cell: &Cell,
        (left, top): (usize, usize),
        size: usize,
        [ink, paper]: [Rgb; 2],
        canvas: &mut Canvas,
    ) {
        let [mut ink, mut paper] =
            [(cell.fg, ink), (cell.bg, paper)].map(|(c, usual)| rgb(c, usual));
        if cell.modifier.contains(Modifier::REVERSED) {
            (ink, paper) = (paper, ink);
        }
        let (wide, high) = (size, 2 * size);
        canvas.fill(left, top, wide, high, paper);
        let Some(letter) = cell.symbol().chars().next().filter(|letter| *letter != ' ') else {
            return;
        };
        for blocks in Blocks::ALL.into_iter().rev() {
            let (across, down) = blocks.pixels_per_cell();
            let (across, down) = (usize::from(across), usize::from(down));
            let last = u8::MAX >> (8 - across * down);
            let Some(pattern) = (0..=last).find(|&pattern| blocks.glyph(pattern) == letter) else {
                continue;
            };
            for bit in (0..across * down).filter(|bit| pattern >> bit & 1 == 1) {
                let (x, y) = (bit % across, bit / across);
                let [x0, x1] = [x, x + 1].map(|x| x * wide / across);
                let [y0, y1] = [y, y + 1].map(|y| y * high / down);
                canvas.fill(left + x0, top + y0, x1 - x0, y1 - y0, ink);
            }
            return;
        }
        let shade = ['░', '▒', '▓'].iter().position(|shade| *shade == letter);
        if let Some(shade) = shade {
            let mixed = [0, 1, 2].map(|at| {
                let [ink, paper] = [ink, paper].map(|color| usize::from(color[at]));
                ((ink * (shade + 1) + paper * (3 - shade)) / 4) as u8
            });
            canvas.fill(left, top, wide, high, mixed);
            return;
        }
        let (metrics, coverage) = self.font.rasterize(letter, 1.62 * size as f32);
        let base = (top + high) as i32 - (high as f32 * 0.24) as i32;
        for (at, &share) in coverage.iter().enumerate() {
            let x = left as i32 + metrics.xmin + (at % metrics.width) as i32;
            let y = base - metrics.ymin - metrics.height as i32 + (at / metrics.width) as i32;
            let inside = x >= 0 && (x as usize) < canvas.width && y >= 0;
            let at = y as usize * canvas.width + x as usize;
            if let Some(pixel) = canvas.pixels.get_mut(at).filter(|_| inside) {
                let share = u16::from(share);
                *pixel = [0, 1, 2].map(|at| {
                    let [ink, below] = [ink[at], pixel[at]].map(u16::from);
                    ((ink * share + below * (255 - share)) / 255) as u8
                });
            }
        }
    }

    fn write(&self, canvas: &Canvas, name: &str) {
        let folder = std::env::var_os("TOUCHMOVE_GALLERY").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures"),
            PathBuf::from,
        );
        let file = std::fs::File::create(folder.join(format!("{name}.png"))).expect("a file");
        let height = canvas.pixels.len() / canvas.width;
        let mut encoder = png::Encoder::new(file, canvas.width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header().expect("a header");
        writer
            .write_image_data(canvas.pixels.as_flattened())
            .expect("pixels");
    }
}

fn rgb(color: Color, usual: Rgb) -> Rgb {
    match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(index @ 16..232) => {
            const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
            [36, 6, 1].map(|unit| STEPS[usize::from((index - 16) / unit % 6)])
        }
        Color::Indexed(index @ 232..) => [8 + 10 * (index - 232); 3],
        Color::Black => [0, 0, 0],
        Color::Red => [170, 0, 0],
        Color::Green => [0, 170, 0],
        Color::Yellow => [170, 85, 0],
        Color::Blue => [0, 0, 170],
        Color::Magenta => [170, 0, 170],
        Color::Cyan => [0, 170, 170],
        Color::Gray => [170, 170, 170],
        Color::DarkGray => [85, 85, 85],
        Color::LightRed => [255, 85, 85],
        Color::LightGreen => [85, 255, 85],
        Color::LightYellow => [255, 255, 85],
        Color::LightBlue => [85, 85, 255],
        Color::LightMagenta => [255, 85, 255],
        Color::LightCyan => [85, 255, 255],
        Color::White => [255, 255, 255],
        _ => usual,
    }
}
