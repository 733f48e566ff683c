//! The contrast of the pieces as drawn: whether they stand out from their squares in every theme, and the gallery
//! in `docs/pictures`, which is drawn by
//! `TOUCHMOVE_FONT=/path/to/a/mono.ttf cargo test -p touchmove-tui --test it -- --ignored piece_contrast::`.

use ratatui::buffer::Buffer;
use ratatui::style::Color;
use touchmove_game::Terms;
use touchmove_rules::{Square, Variant};
use touchmove_tui::screen::board::Blocks;
use touchmove_tui::screen::{ColorDepth, Layout, Rgb, ScreenTheme};

use crate::support::screen_player::Seat;
use crate::support::screenshot::Painting;

/// A game with pieces of both colours on light and dark squares, some of them marked.
fn position(columns: u16, rows: u16) -> Seat {
    let terms = Terms {
        time: Some("5+3".parse().expect("a time control")),
        ..Terms::of(Variant::Chess)
    };
    let mut seat = Seat::with(terms, columns, rows);
    seat.now = 2_000;
    seat.play("e4 e5 Nf3 Nc6 Bc4 Bc5 Nc3 Nf6 d3");
    seat
}

fn rgb(color: Color) -> Rgb {
    match color {
        Color::Rgb(red, green, blue) => Rgb(red, green, blue),
        Color::Indexed(index @ 16..232) => {
            const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
            let step = |unit: u8| STEPS[usize::from((index - 16) / unit % 6)];
            Rgb(step(36), step(6), step(1))
        }
        Color::Indexed(index @ 232..) => {
            let level = 8 + 10 * (index - 232);
            Rgb(level, level, level)
        }
        // The usual values of the sixteen colours.
        Color::Black => Rgb(0, 0, 0),
        Color::Green => Rgb(0, 170, 0),
        Color::Yellow => Rgb(170, 85, 0),
        Color::Magenta => Rgb(170, 0, 170),
        Color::LightBlue => Rgb(85, 85, 255),
        Color::LightRed => Rgb(255, 85, 85),
        Color::DarkGray => Rgb(85, 85, 85),
        Color::Gray => Rgb(170, 170, 170),
        Color::White => Rgb(255, 255, 255),
        color => panic!("{color} is not a colour of men"),
    }
}

/// The least contrast between a square and its piece where they meet in a cell, over all squares with pieces.
fn least_contrast(seat: &Seat) -> f64 {
    let buffer: Buffer = seat.buffer();
    let geometry = Layout::of(seat.model.size)
        .expect("a layout")
        .board(seat.table().near);
    let mut least = f64::MAX;
    for square in Square::all() {
        let Some(_) = seat.table().position().board().piece_at(square) else {
            continue;
        };
        let cells = geometry.square(square);
        // No piece covers the lower left cell of a square.
        let ground = buffer[(cells.x, cells.bottom() - 1)].bg;
        for cell in cells.positions().map(|cell| &buffer[cell]) {
            // Signs of marks and file letters are not part of the piece.
            let blocks = seat.model.look.finest_blocks();
            let is_block =
                (1..=u8::MAX).any(|pattern| cell.symbol().starts_with(blocks.glyph(pattern)));
            let (ink, paper) = (cell.fg, cell.bg);
            if cell.symbol() != " " && is_block && (ink == ground || paper == ground) {
                least = least.min(rgb(ink).contrast(rgb(paper)));
            }
        }
    }
    least
}

#[test]
fn men_stand_out_three_to_one_from_every_square_in_every_theme_as_they_are_painted() {
    for theme in ScreenTheme::ALL {
        for depth in [
            ColorDepth::True,
            ColorDepth::TwoHundredFiftySix,
            ColorDepth::Sixteen,
        ] {
            for blocks in Blocks::ALL {
                for (columns, rows) in [(80, 24), (100, 30), (120, 40), (150, 48), (200, 60)] {
                    let mut seat = position(columns, rows);
                    // A selected piece marks squares in more ways.
                    seat.strike("<tab><tab><tab>");
                    seat.model.look.theme = theme;
                    seat.model.look.depth = depth;
                    seat.model.look.blocks = Some(blocks);
                    let least = least_contrast(&seat);
                    assert!(
                        (3.0..22.0).contains(&least),
                        "{} {depth:?} {blocks:?} {columns}x{rows}: {least}",
                        theme.name
                    );
                }
            }
        }
    }
}

#[test]
fn empty_squares_have_exactly_the_colour_of_the_theme() {
    for theme in ScreenTheme::ALL {
        let mut seat = position(80, 24);
        seat.model.look.theme = theme;
        let buffer = seat.buffer();
        let geometry = Layout::of(seat.model.size)
            .expect("a layout")
            .board(seat.table().near);
        for (square, expected) in [
            (Square::A4, theme.light_square),
            (Square::B4, theme.dark_square),
        ] {
            for cell in geometry.square(square).positions() {
                assert_eq!(rgb(buffer[cell].bg), expected, "{}", theme.name);
                assert_eq!(buffer[cell].symbol(), " ");
            }
        }
    }
}

#[test]
#[ignore = "writes the gallery in docs/pictures; needs a font"]
fn the_gallery() {
    let painting = Painting::new();
    for (columns, rows, cell) in [(80, 24, 9), (100, 30, 8), (120, 40, 7), (200, 60, 5)] {
        for (name, blocks) in [
            ("half", Some(Blocks::Half)),
            ("quadrants", Some(Blocks::Quadrants)),
            ("sextants", Some(Blocks::Sextants)),
            ("octants", Some(Blocks::Octants)),
            ("image", None),
        ] {
            let mut seat = position(columns, rows);
            seat.strike("Bxf2");
            seat.model.look.blocks = blocks;
            seat.model.look.images = blocks.is_none();
            painting.save(&seat, cell, &format!("terminal-{columns}x{rows}-{name}"));
        }
    }
    for theme in ScreenTheme::ALL {
        let mut seat = position(80, 24);
        seat.model.look.theme = theme;
        seat.model.look.blocks = Some(Blocks::Sextants);
        painting.save(&seat, 6, &format!("terminal-theme-{}", theme.name));
    }
    for (name, depth) in [
        ("256", ColorDepth::TwoHundredFiftySix),
        ("16", ColorDepth::Sixteen),
    ] {
        let mut seat = position(80, 24);
        seat.model.look.depth = depth;
        painting.save(&seat, 6, &format!("terminal-depth-{name}"));
    }
    painting.save(&Seat::at_start(80, 24), 8, "terminal-start");
    let mut over = Seat::at(Variant::Chess, 80, 24);
    over.play("f3 e5 g4 Qh4");
    painting.save(&over, 8, "terminal-over");
    let mut atomic = Seat::at(Variant::Atomic, 80, 24);
    atomic
        .play("e4 d5 exd5 Nf6")
        .strike("<c-f><c-f>Nc3<enter>Nc6<enter>Qe2<enter>e6<enter>");
    atomic.strike("Qxe6");
    painting.save(&atomic, 8, "terminal-atomic");
}
