//! The board as images, decoded as a terminal decodes them and compared with the diagram; and how little is sent
//! for a small change. The program's tests query a terminal, in a pseudo-terminal.

use touchmove_rules::{Color, Square, Variant};
use touchmove_tui::screen::image::{CellSize, ImagePainter, ImageProtocol};
use touchmove_tui::screen::{Layout, ScreenTheme, picture};

use crate::support::image_decoder::{CELL, Screen, distance};
use crate::support::screen_player::Seat;

const PROTOCOLS: [(ImageProtocol, u8); 3] = [
    (ImageProtocol::Kitty, 3),
    (ImageProtocol::Iterm, 3),
    // Colours in percent, and 255 of them.
    (ImageProtocol::Sixel, 12),
];

fn pictured() -> Seat {
    let mut seat = Seat::at(Variant::Chess, 100, 30);
    seat.model.look.images = true;
    seat
}

fn painter(protocol: ImageProtocol) -> ImagePainter {
    let cell = CellSize::new(CELL.0 as u16, CELL.1 as u16).expect("a size");
    ImagePainter::new(protocol, cell)
}

/// The output when the seat is drawn.
fn painted(painter: &mut ImagePainter, seat: &Seat) -> String {
    painter.paint(picture(&seat.model).as_ref(), &seat.buffer())
}

fn screen() -> Screen {
    let layout = Layout::of((100, 30).into()).expect("a layout");
    let a8 = layout.board(Color::White).square(Square::A8);
    Screen::new((usize::from(a8.x), usize::from(a8.y)))
}

#[test]
fn every_protocol_shows_the_diagram_pixel_by_pixel_in_every_theme() {
    for (protocol, tolerance) in PROTOCOLS {
        for theme in ScreenTheme::ALL {
            let (mut painter, mut screen, mut seat) = (painter(protocol), screen(), pictured());
            seat.model.look.theme = theme;
            screen.read(&painted(&mut painter, &seat));
            for (mv, from, to) in [
                ("e4", Square::E2, Square::E4),
                ("e5", Square::E7, Square::E5),
                ("Nf3", Square::G1, Square::F3),
            ] {
                seat.play(mv);
                screen.read(&painted(&mut painter, &seat));
                let board = seat.table().position().board();
                let worst = distance(&screen, board, (from, to), theme.diagram());
                assert!(
                    worst <= tolerance,
                    "{protocol:?}, {}, {mv}: {worst} away from the diagram",
                    theme.name
                );
            }
        }
    }
}

#[test]
fn a_move_sends_the_squares_that_it_changes_and_no_others() {
    for (protocol, _) in PROTOCOLS {
        let (mut painter, mut screen, mut seat) = (painter(protocol), screen(), pictured());
        screen.read(&painted(&mut painter, &seat));
        assert_eq!(screen.puts, 64);
        seat.play("e4");
        screen.read(&painted(&mut painter, &seat));
        assert_eq!(screen.puts, 64 + 2, "{protocol:?}");
        seat.play("e5");
        screen.read(&painted(&mut painter, &seat));
        assert_eq!(screen.puts, 64 + 2 + 4, "the last move's marks go, too");
        assert_eq!(painted(&mut painter, &seat), "", "nothing has changed");
    }
}

#[test]
fn marks_are_drawn_into_the_pictures() {
    let fen = "4k3/8/8/8/8/5p2/4r3/4K3 w - - 0 1";
    let mut seat = Seat::from_fen(fen);
    seat.model.look.images = true;
    let plain = picture(&seat.model).expect("pictures");
    let is_signed = |square: Square| plain.tile(square).sign.is_some();
    assert!(is_signed(Square::E1), "the king in check");
    assert!(is_signed(Square::E2), "who gives it");
    seat.strike("<tab>");
    let in_hand = picture(&seat.model).expect("pictures");
    let changed = Square::all().filter(|&square| plain.tile(square) != in_hand.tile(square));
    assert!(changed.count() >= 3, "the man in hand and where it may go");
    let mut atomic = Seat::at(Variant::Atomic, 100, 30);
    atomic.model.look.images = true;
    atomic.play("Nf3 a6 Ng5 a5").strike("Nxh7");
    let blast = picture(&atomic.model).expect("pictures");
    assert!(blast.tile(Square::H8).sign.is_some(), "who would die");
    atomic.strike("<enter>").wait(130);
    let fire = picture(&atomic.model).expect("pictures");
    assert_ne!(fire.tile(Square::H7), blast.tile(Square::H7));
}
