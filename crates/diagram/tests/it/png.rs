//! What the pixels of a PNG diagram show. The bytes themselves are not compared: they may change with the compressor.

use png::{BitDepth, ColorType, Decoder};
use std::io::Cursor;
use touchmove_diagram::{Coordinates, Diagram, PngError, Rgba, Theme};
use touchmove_rules::{Board, Color, Square};

/// A decoded picture.
struct Picture {
    side: u32,
    pixels: Vec<u8>,
}

impl Picture {
    fn of(diagram: &Diagram, side: u32) -> Picture {
        let bytes = diagram.png(side).expect("a picture");
        let mut reader = Decoder::new(Cursor::new(bytes))
            .read_info()
            .expect("a PNG header");
        let mut pixels = vec![
            0;
            reader
                .output_buffer_size()
                .expect("a picture that fits in memory")
        ];
        let frame = reader.next_frame(&mut pixels).expect("a PNG frame");
        assert_eq!((frame.width, frame.height), (side, side));
        assert_eq!(
            (frame.color_type, frame.bit_depth),
            (ColorType::Rgba, BitDepth::Eight)
        );
        Picture { side, pixels }
    }

    fn at(&self, x: u32, y: u32) -> Rgba {
        let start = 4 * (y * self.side + x) as usize;
        let [red, green, blue, alpha] = self.pixels[start..start + 4] else {
            unreachable!("four bytes to a pixel")
        };
        Rgba {
            red,
            green,
            blue,
            alpha,
        }
    }

    /// The pixel at hundredths of a square from its top left corner, seen from White, no frame.
    fn on(&self, square: Square, right: u32, down: u32) -> Rgba {
        let (column, row) = (
            u32::from(square.file().index()),
            u32::from(7 - square.rank().index()),
        );
        self.at(
            (column * 100 + right) * self.side / 800,
            (row * 100 + down) * self.side / 800,
        )
    }
}

/// A spot of a square that no piece and no label covers.
const BARE: (u32, u32) = (95, 5);
/// A spot that the body of every piece covers.
const BODY: (u32, u32) = (45, 84);

fn bare(picture: &Picture, square: Square) -> Rgba {
    picture.on(square, BARE.0, BARE.1)
}

#[test]
fn a_picture_has_the_size_asked_for() {
    for side in [64, 100, 360, 801] {
        Picture::of(&Diagram::new(&Board::START), side);
        Picture::of(
            &Diagram::new(&Board::START).coordinates(Coordinates::Outside),
            side,
        );
    }
}

#[test]
fn a_side_out_of_range_is_refused_in_a_sentence() {
    for side in [0, 63, 4097, u32::MAX] {
        let error = Diagram::new(&Board::START)
            .png(side)
            .expect_err("no such picture");
        assert_eq!(error, PngError::Side { asked: side });
        let sentence = format!("a picture must be 64 to 4096 pixels wide, not {side}");
        assert_eq!(error.to_string(), sentence);
    }
}

#[test]
fn a1_is_dark_and_every_square_has_its_colour() {
    let picture = Picture::of(&Diagram::new(&Board::START), 360);
    assert_eq!(bare(&picture, Square::A1), Theme::WALNUT.dark);
    for square in Square::all() {
        let color = if square.is_light() {
            Theme::WALNUT.light
        } else {
            Theme::WALNUT.dark
        };
        assert_eq!(bare(&picture, square), color, "{square}");
    }
}

#[test]
fn every_man_stands_on_its_square_in_its_colour() {
    for side in [360, 800] {
        let picture = Picture::of(&Diagram::new(&Board::START), side);
        for square in Square::all() {
            let Theme {
                white,
                black,
                light,
                dark,
                ..
            } = Theme::WALNUT;
            let expected = match Board::START.color_at(square) {
                Some(Color::White) => white.body,
                Some(Color::Black) => black.body,
                None if square.is_light() => light,
                None => dark,
            };
            assert_eq!(picture.on(square, BODY.0, BODY.1), expected, "{square}");
        }
    }
}

#[test]
fn seen_from_black_the_picture_is_turned_half_around() {
    let hidden = Diagram::new(&Board::START).coordinates(Coordinates::Hidden);
    let white = Picture::of(&hidden, 400);
    let black = Picture::of(&hidden.seen_from(Color::Black), 400);
    let brightness =
        |pixel: Rgba| u64::from(pixel.red) + u64::from(pixel.green) + u64::from(pixel.blue);
    for (column, row) in (0..8).flat_map(|column| (0..8).map(move |row| (column, row))) {
        let tile = (0..50).flat_map(|y| (0..50).map(move |x| (x, y)));
        let difference: u64 = tile
            .map(|(x, y)| {
                let here = white.at(column * 50 + x, row * 50 + y);
                let there = black.at((7 - column) * 50 + x, (7 - row) * 50 + y);
                brightness(here).abs_diff(brightness(there))
            })
            .sum();
        assert!(
            difference < 50 * 50,
            "column {column}, row {row}: {difference}"
        );
    }
}

#[test]
fn the_squares_of_the_last_move_and_the_marks_are_tinted_and_no_others() {
    let plain = Picture::of(&Diagram::new(&Board::START), 360);
    let diagram = Diagram::new(&Board::START)
        .last_move(Square::E2, Square::E4)
        .marks(Square::D5.set() | Square::E8.set());
    let picture = Picture::of(&diagram, 360);
    let tinted = [Square::E2, Square::E4, Square::D5, Square::E8];
    for square in Square::all() {
        let changed = bare(&plain, square) != bare(&picture, square);
        assert_eq!(changed, tinted.contains(&square), "{square}");
    }
    assert_ne!(
        bare(&picture, Square::E2),
        bare(&picture, Square::E8),
        "both were light"
    );
}

#[test]
fn a_check_glows_red_around_the_king_and_nowhere_else() {
    let plain = Picture::of(&Diagram::new(&Board::START), 800);
    let picture = Picture::of(&Diagram::new(&Board::START).checks(Square::E1.set()), 800);
    let beside_the_king = picture.on(Square::E1, 16, 50);
    assert!(
        beside_the_king.red > 200 && beside_the_king.green < 110,
        "{beside_the_king:?}"
    );
    for square in Square::all().filter(|square| *square != Square::E1) {
        for (right, down) in [(2, 2), (98, 2), (2, 98), (98, 98), (50, 50)] {
            assert_eq!(
                plain.on(square, right, down),
                picture.on(square, right, down),
                "{square}"
            );
        }
    }
}

#[test]
fn an_arrow_covers_its_way_and_an_arrow_to_nowhere_nothing() {
    let plain = Diagram::new(&Board::EMPTY).coordinates(Coordinates::Hidden);
    let before = Picture::of(&plain, 400);
    let after = Picture::of(&plain.clone().arrow(Square::A1, Square::A8), 400);
    for square in Square::all().filter(|square| ![Square::A1, Square::A8].contains(square)) {
        let covered = before.on(square, 50, 50) != after.on(square, 50, 50);
        assert_eq!(covered, square.file() == Square::A1.file(), "{square}");
    }
    let nowhere = Picture::of(&plain.arrow(Square::D4, Square::D4), 400);
    assert_eq!(before.pixels, nowhere.pixels);
}

#[test]
fn coordinates_are_inside_outside_or_hidden() {
    let diagram = |coordinates| Diagram::new(&Board::EMPTY).coordinates(coordinates);
    let hidden = Picture::of(&diagram(Coordinates::Hidden), 800);
    let inside = Picture::of(&diagram(Coordinates::Inside), 800);
    let outside = Picture::of(&diagram(Coordinates::Outside), 880);
    let labelled = |square: Square| {
        let tile = (0..100).flat_map(|right| (0..100).map(move |down| (right, down)));
        tile.into_iter()
            .any(|(right, down)| hidden.on(square, right, down) != inside.on(square, right, down))
    };
    for square in Square::all() {
        let edge = square.file() == Square::A1.file() || square.rank() == Square::A1.rank();
        assert_eq!(labelled(square), edge, "{square}");
    }
    assert_eq!(outside.at(2, 2), Theme::WALNUT.frame);
    assert_eq!(outside.at(42, 42), Theme::WALNUT.light);
}

#[test]
fn every_pixel_is_solid() {
    let diagram = Diagram::new(&Board::START)
        .marks(Square::E4.set())
        .checks(Square::E1.set());
    for side in [100, 333, 360] {
        let picture = Picture::of(&diagram, side);
        let clear = picture
            .pixels
            .chunks_exact(4)
            .filter(|pixel| pixel[3] != u8::MAX)
            .count();
        assert_eq!(clear, 0, "clear pixels at {side}");
    }
}
