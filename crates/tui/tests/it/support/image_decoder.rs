//! A terminal that shows images: decodes the escape sequences of kitty, iTerm2 or sixel into the pixels of a board.
//! Independent of the encoders.

use std::collections::HashMap;

use touchmove_diagram::{Coordinates, Diagram, Theme};
use touchmove_rules::{Board, Square};

/// A cell of ten by twenty pixels; squares of six by three cells have sixty pixels on each side.
pub const CELL: (usize, usize) = (10, 20);
/// The side of the board in pixels.
pub const SIDE: usize = 480;

/// The screen in pixels, from the board's upper left corner, with all images composed.
pub struct Screen {
    pub pixels: Vec<Option<[u8; 3]>>,
    /// Kitty images by their ids.
    pub kept: HashMap<u32, Vec<[u8; 3]>>,
    /// How many images were placed.
    pub puts: usize,
    cursor: (usize, usize),
    /// The cell at the board's upper left corner.
    origin: (usize, usize),
}

impl Screen {
    pub fn new(origin: (usize, usize)) -> Screen {
        Screen {
            pixels: vec![None; SIDE * SIDE],
            kept: HashMap::new(),
            puts: 0,
            cursor: (0, 0),
            origin,
        }
    }

    fn put(&mut self, tile: &[[u8; 3]], width: usize) {
        self.puts += 1;
        let (row, column) = self.cursor;
        let left = (column - self.origin.0) * CELL.0;
        let top = (row - self.origin.1) * CELL.1;
        for (at, &pixel) in tile.iter().enumerate() {
            let (x, y) = (left + at % width, top + at / width);
            self.pixels[y * SIDE + x] = Some(pixel);
        }
    }

    /// Decodes output, sequence by sequence.
    pub fn read(&mut self, text: &str) {
        let mut letters = String::new();
        for sequence in text.split('\x1b').skip(1) {
            if let Some(body) = sequence.strip_prefix("_G") {
                let (keys, data) = body.split_once(';').unwrap_or((body, ""));
                let key = |name: &str| {
                    let keys = keys.split(',').filter_map(|key| key.split_once('='));
                    keys.into_iter()
                        .find(|(key, _)| *key == name)
                        .map(|(_, value)| value)
                };
                let number = |name: &str| key(name).and_then(|value| value.parse::<u32>().ok());
                match key("a") {
                    Some("q" | "d") => {}
                    Some("p") => {
                        let tile = self.kept[&number("i").expect("a number")].clone();
                        assert_eq!((number("c"), number("r")), (Some(6), Some(3)));
                        self.put(&tile, 60);
                    }
                    _ => {
                        letters += data;
                        if let Some(id) = number("i") {
                            self.kept.insert(id, Vec::new());
                        }
                        if number("m") == Some(0) {
                            let tile = decode_png(&base64(&std::mem::take(&mut letters)));
                            let id = self.kept.iter().find(|(_, tile)| tile.is_empty());
                            let id = *id.expect("a picture that is being sent").0;
                            self.kept.insert(id, tile);
                        }
                    }
                }
            } else if let Some(body) = sequence.strip_prefix("]1337;File=") {
                let (_, data) = body.split_once(':').expect("data");
                let data = data.split('\x07').next().expect("an end");
                self.put(&decode_png(&base64(data)), 60);
            } else if let Some(body) = sequence.strip_prefix("P0;1q") {
                let tile = decode_sixel(body);
                self.put(&tile, 60);
            } else if let Some(body) = sequence.strip_prefix('[')
                && let Some((place, _)) = body.split_once('H')
                && let Some((row, column)) = place.split_once(';')
                && let (Ok(row), Ok(column)) = (row.parse::<usize>(), column.parse::<usize>())
            {
                self.cursor = (row - 1, column - 1);
            }
        }
    }
}

fn base64(letters: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for letter in letters.bytes().filter(|letter| *letter != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

pub fn decode_png(bytes: &[u8]) -> Vec<[u8; 3]> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .expect("a PNG");
    let mut buffer = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut buffer).expect("pixels");
    let step = info.color_type.samples();
    let pixels = buffer[..info.buffer_size()].chunks_exact(step);
    pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
}

fn decode_sixel(body: &str) -> Vec<[u8; 3]> {
    let mut rest = body.strip_prefix("\"1;1;60;60").expect("a size");
    let mut palette = HashMap::new();
    let mut pixels = vec![[0; 3]; 60 * 60];
    let (mut x, mut band, mut color) = (0, 0, 0);
    while let Some(first) = rest.chars().next() {
        rest = &rest[1..];
        let digits = |rest: &mut &str| {
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let (digits, after) = rest.split_at(end);
            *rest = after;
            digits.parse::<usize>().expect("a number")
        };
        let mut repeat = 1;
        let mut sixel = first;
        match first {
            '#' => {
                color = digits(&mut rest);
                if let Some(after) = rest.strip_prefix(";2;") {
                    rest = after;
                    let mut channel = || {
                        let value = digits(&mut rest);
                        rest = rest.strip_prefix(';').unwrap_or(rest);
                        (value * 255 / 100) as u8
                    };
                    let rgb = [channel(), channel(), channel()];
                    palette.insert(color, rgb);
                }
                continue;
            }
            '$' => {
                x = 0;
                continue;
            }
            '-' => {
                (x, band) = (0, band + 1);
                continue;
            }
            '!' => {
                repeat = digits(&mut rest);
                sixel = rest.chars().next().expect("a sixel");
                rest = &rest[1..];
            }
            _ => {}
        }
        let bits = sixel as u8 - b'?';
        for _ in 0..repeat {
            for down in (0..6).filter(|down| bits >> down & 1 == 1) {
                pixels[(6 * band + down) * 60 + x] = palette[&color];
            }
            x += 1;
        }
    }
    pixels
}

/// The largest difference between the screen and the diagram of a board, in one channel of one pixel.
pub fn distance(screen: &Screen, board: &Board, last: (Square, Square), theme: Theme) -> u8 {
    let diagram = Diagram::new(board)
        .last_move(last.0, last.1)
        .coordinates(Coordinates::Hidden)
        .theme(theme);
    let expected = decode_png(&diagram.png(SIDE as u32).expect("a picture"));
    let away = screen
        .pixels
        .iter()
        .zip(&expected)
        .map(|(shown, expected)| {
            let shown = shown.expect("every pixel of the board is shown");
            (0..3)
                .map(|at| shown[at].abs_diff(expected[at]))
                .max()
                .unwrap_or(0)
        });
    away.max().unwrap_or(u8::MAX)
}
