//! Terminals that show images: one with the kitty protocol, one with sixels, one with iTerm2's images. The
//! program's output is decoded and compared with the diagram.

use touchmove_diagram::Theme;
use touchmove_rules::{AnyPosition, Color, Square, Variant};
use touchmove_tui::screen::Layout;

use crate::support::image_decoder::{Screen, distance};
use crate::support::pty::{Home, Window};

const KITTY: &str = "\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c";
const SIXEL: &str = "\x1b[6;20;10t\x1b[?62;4;22c";
const ITERM: &str = "\x1bP>|iTerm2 3.5.0\x1b\\\x1b[6;20;10t\x1b[?62;4c";

/// Plays in a terminal that replies like this, and compares its screen with the diagram.
fn compare(name: &str, answers: &'static str, tolerance: u8) {
    let home = Home::new(name);
    let mut window = Window::answering(answers, &home, &["play"], &[("COLORTERM", "truecolor")]);
    window
        .see("White to move")
        .resize(100, 30)
        .see("Type a move (Nf3");
    window.play("e4", "1. e4").play("e5", "e5");
    let before = window.bytes().len();
    window.play("Nf3", "2. Nf3").see("Black to move");
    // The image is complete at the end of the update that contains the last letters.
    window.wait_until("end of the update", |output| {
        output.bytes.ends_with(b"\x1b[?2026l")
    });
    let bytes = window.bytes();
    // From the last full redraw.
    let text = String::from_utf8_lossy(&bytes);
    let from = text.rfind("\x1b[2J").unwrap_or(0);
    let layout = Layout::of((100, 30).into()).expect("a layout");
    let a8 = layout.board(Color::White).square(Square::A8);
    let origin = (usize::from(a8.x), usize::from(a8.y));
    let mut screen = Screen::new(origin);
    screen.read(&text[from..]);
    let mut position = AnyPosition::start(Variant::Chess);
    for san in ["e4", "e5", "Nf3"] {
        let mv = position.read_san(san).expect("a move");
        position = position.after(mv);
    }
    let last = (Square::G1, Square::F3);
    let worst = distance(&screen, position.board(), last, Theme::WALNUT);
    assert!(worst <= tolerance, "{name}: {worst} away from the diagram");
    let mut after = Screen::new(origin);
    after.kept = screen.kept;
    after.read(&String::from_utf8_lossy(&bytes[before..]));
    assert!(after.puts < 14, "{name}: {} squares for a move", after.puts);
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
fn answers_that_come_late_are_not_taken_for_typing() {
    let home = Home::new("late-answers");
    let mut window = Window::answering("", &home, &["play"], &[]);
    window.see("White to move").send("e2");
    window.see("e2");
    window.send("\u{1b}_Gi=31;OK\u{1b}\\\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\");
    window.send("\u{1b}]11;rgb:0000/0000/0000\u{7}\u{1b}P>|XTerm(370)\u{1b}\\");
    window.send("\u{1b}[6;18;9t\u{1b}[?62;4;22c");
    window.send("e4\r").see("1. e4");
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
    let mut window = Window::open(&home, &["play", "--plain"], &[("LC_ALL", "C")]);
    window.see("LC_ALL=C is not UTF-8").see("White> ");
    assert!(window.bytes().is_ascii());
}

#[test]
fn a_light_background_gets_the_theme_for_it() {
    let home = Home::new("light");
    let white = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c";
    let mut window = Window::answering(white, &home, &[], &[("COLORTERM", "truecolor")]);
    window.see("paper (by itself)");
}
