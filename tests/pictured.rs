//! Terminals that show real pictures: one that speaks kitty's protocol, one that takes sixels, one with the
//! images of iTerm2. What the program sends is decoded, and held to what the diagram paints.

mod window;

use std::collections::HashMap;

use touchmove_diagram::{Coordinates, Diagram};
use touchmove_rules::{AnyPosition, Board, Square, Variant};
use window::{Home, Window};

/// A cell of ten by twenty pixels, and squares of six by three cells: sixty pixels on each side.
const CELL: (usize, usize) = (10, 20);
const SIDE: usize = 480;

const KITTY: &str = "\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c";
const SIXEL: &str = "\x1b[6;20;10t\x1b[?62;4;22c";
const ITERM: &str = "\x1bP>|iTerm2 3.5.0\x1b\\\x1b[6;20;10t\x1b[?62;4c";

/// What the pictures add up to: the screen in pixels, from the board's upper left corner.
struct Screen {
    pixels: Vec<Option<[u8; 3]>>,
    /// Kitty's pictures by their numbers.
    kept: HashMap<u32, Vec<[u8; 3]>>,
    /// How many pictures were put somewhere.
    puts: usize,
    cursor: (usize, usize),
    origin: (usize, usize),
}

impl Screen {
    fn new(origin: (usize, usize)) -> Screen {
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

    /// Reads what was written, from sequence to sequence.
    fn read(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
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

fn decode_png(bytes: &[u8]) -> Vec<[u8; 3]> {
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

/// The position after moves, as the diagram has it.
fn diagram(moves: &[&str], last: (Square, Square)) -> Vec<[u8; 3]> {
    let mut position = AnyPosition::start(Variant::Chess);
    for san in moves {
        let mv = position.read_san(san).expect("a move");
        position = position.after(mv);
    }
    let board: Board = *position.board();
    let diagram = Diagram::new(&board)
        .last_move(last.0, last.1)
        .coordinates(Coordinates::Hidden);
    decode_png(&diagram.png(SIDE as u32).expect("a picture"))
}

/// Plays in a terminal that answers like this, and compares what it shows with the diagram.
fn compare(name: &str, answers: &'static str, tolerance: u8) {
    let home = Home::new(name);
    let mut window = Window::answering(answers, &home, &["play"], &[("COLORTERM", "truecolor")]);
    window
        .see("White to move")
        .resize(100, 30)
        .see("Type a move (Nf3");
    window.play("e4", "1. e4").play("e5", "e5");
    let before = window.bytes().len();
    window
        .play("Nf3", "2. Nf3")
        .see("Black to move")
        .see("Type a move (Nf3");
    std::thread::sleep(std::time::Duration::from_millis(200));
    let bytes = window.bytes();
    let mut screen = Screen::new((2, 1));
    // From the last resize on, when everything was sent anew.
    let resized = "\x1b[2J";
    let text = String::from_utf8_lossy(&bytes);
    let from = text.rfind(resized).unwrap_or(0);
    let window_origin = touchmove_tui::screen::Layout::of((100, 30).into()).expect("a layout");
    let a8 = window_origin
        .board(touchmove_rules::Color::White)
        .square(Square::A8);
    screen.origin = (usize::from(a8.x), usize::from(a8.y));
    screen.read(&text.as_bytes()[from..]);
    let expected = diagram(&["e4", "e5", "Nf3"], (Square::G1, Square::F3));
    let worst = screen
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
    let worst = worst.max().unwrap_or(u8::MAX);
    assert!(worst <= tolerance, "{name}: {worst} away from the diagram");
    let mut last = Screen::new(screen.origin);
    last.kept = screen.kept;
    last.read(&bytes[before..]);
    assert!(
        last.puts < 14,
        "{name}: a move repaints {} squares",
        last.puts
    );
    window
        .send("\x11")
        .see("Leave the game")
        .send("y")
        .see_closed();
    assert!(window.wrote("\x1b[?1049l"), "the screen is given back");
}

#[test]
fn kitty_shows_the_diagram() {
    compare("kitty", KITTY, 3);
}

#[test]
fn sixels_show_the_diagram() {
    compare("sixel", SIXEL, 12);
}

#[test]
fn iterm_shows_the_diagram() {
    compare("iterm", ITERM, 3);
}

#[test]
fn a_terminal_that_answers_nothing_is_not_waited_for_and_loses_no_key() {
    let home = Home::new("silent");
    let mut window = Window::answering("", &home, &["play"], &[]);
    window.send("e4\r").see("1. e4").see("Black to move");
}

#[test]
fn answers_leave_nothing_in_the_line_or_on_the_screen() {
    let home = Home::new("answers");
    let mut window = Window::answering(KITTY, &home, &["play"], &[("COLORTERM", "truecolor")]);
    window.see("Type a move").play("d4", "1. d4");
    let screen = window
        .output
        .0
        .lock()
        .expect("the output")
        .terminal
        .screen()
        .contents();
    assert!(
        !screen.contains("i=31") && !screen.contains("OK"),
        "{screen}"
    );
    assert!(!screen.contains("62;"), "{screen}");
}

#[test]
fn a_locale_that_is_not_utf8_gets_letters_and_a_hint() {
    let home = Home::new("locale");
    let mut window = Window::open(&home, &["play"], &[("LANG", "C")]);
    window
        .see("Only ASCII is written")
        .see("LANG=C is not UTF-8");
    assert!(window.bytes().is_ascii());
}

#[test]
fn a_light_background_gets_the_theme_for_it() {
    let home = Home::new("light");
    let white = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c";
    let mut window = Window::answering(white, &home, &[], &[("COLORTERM", "truecolor")]);
    window.see("paper (by itself)");
}
