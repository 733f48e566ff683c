//! The comforts of the terminal: plain mode at a keyboard, suspending and resuming the program, bells, and faulty
//! settings.

use crate::support::program;
use crate::support::pty::{Home, Window};

fn plain(name: &str, arguments: &[&str]) -> Window {
    let home = Home::new(name);
    let arguments = [&["play", "--plain", "--no-banner"], arguments].concat();
    Window::open(&home, &arguments, &[("NO_COLOR", "1")])
}

#[test]
fn the_plain_mode_says_how_to_begin_and_speaks_in_sentences() {
    let mut window = plain("begin", &["--white", "Anna"]);
    window.see("Anna (White) to move. Type a move like e2e4, or help.");
    window.send("e4\n");
    window.see("White played e4: the pawn from e2 to e4. Black to move.");
    window
        .see("Black> ")
        .send("castle\n")
        .see("Black> ")
        .send("knight f6\n");
    window.see("Black played Nf6: the knight from g8 to f6. White to move.");
}

#[test]
fn hints_are_of_moves_that_there_are() {
    let fen = "4k3/8/8/8/8/8/7P/4K3 w - - 0 1";
    let mut window = plain("hints", &["--variant", "simple-atomic", "--fen", fen]);
    window.see("Type a move like ");
    assert!(!window.wrote("like e2e4"));
    window.send("help\n").see("quit");
    assert!(!window.wrote("O-O") && !window.wrote("e8=Q") && !window.wrote("give SECONDS"));
}

#[test]
fn boards_are_shown_always_when_asked_or_never() {
    let board = "4 |";
    let mut window = plain("asked", &["--board", "asked"]);
    window.see("Type a move").send("e4\n").see("Black> ");
    assert!(!window.wrote(board));
    window.send("board\n").see(board);
    let mut window = plain("never", &["--board", "never"]);
    window.see("Type a move").send("board\n").see("never shown");
    let mut window = plain("always", &[]);
    window.see(board);
}

#[test]
fn a_setting_for_screen_readers_leaves_banner_and_boards_out() {
    let home = Home::new("reader");
    let folder = home.0.join("config/touchmove");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), "screen_reader = true\n").expect("settings");
    let mut window = Window::open(&home, &["play", "--plain"], &[]);
    window.see("Type a move").send("e4\n").see("Black> ");
    assert!(!window.wrote("4 |") && !window.wrote("____"));
}

#[test]
fn the_final_board_is_in_sight_and_the_record_on_request() {
    let mut window = plain("final", &[]);
    window.see("White> ");
    for (typed, prompt) in [("f3", "Black> "), ("e5", "White> "), ("g4", "Black> ")] {
        window.send(&format!("{typed}\n")).see(prompt);
    }
    window.send("Qh4\n").see("In the library: ");
    window.see("Game Over").see("8 |").see("Result: 0-1");
    window.send("pgn\n").see("[Date \"20").see("2. g4 Qh4# {");
    window
        .send("rematch\n")
        .see("Type a move like e2e4")
        .see("White> ");
}

#[test]
fn a_promotion_is_answered_by_a_letter_and_a_resignation_is_asked_again() {
    let fen = "8/1P2k3/8/8/8/8/8/4K3 w - - 0 1";
    let mut window = plain("promotion", &["--fen", fen]);
    window.see("White> ").send("b8\n").see("q, r, b or n");
    window.send("q\n").see("becoming a queen");
    window
        .send("resign\n")
        .see("Does Black resign?")
        .send("no\n")
        .see("plays on");
    window
        .send("resign white\n")
        .see("Does White resign?")
        .send("yes\n")
        .see("0-1");
}

#[test]
fn the_screen_is_given_back_when_it_sleeps_and_taken_again_when_it_wakes() {
    const LEFT: &str = "\x1b[?1049l";
    let count = |window: &Window, text: &str| {
        String::from_utf8_lossy(&window.bytes())
            .matches(text)
            .count()
    };
    let home = Home::new("sleep");
    let mut window = Window::open(&home, &["play"], &[]);
    window.see("to move").play("e4", "1. e4");
    for (asleep, times) in [("key", 1), ("-TSTP", 2)] {
        match asleep {
            "key" => window.send("\x1a"),
            signal => window.signal(signal),
        };
        window.wait_until("screen given back", |output| {
            String::from_utf8_lossy(&output.bytes).matches(LEFT).count() >= times
        });
        window.wait_until_stopped();
        window.signal("-CONT").see("1. e4");
    }
    window.play("e5", "e5");
    assert_eq!(count(&window, LEFT), 2);
    window.signal("-QUIT").see_closed();
    assert_eq!(
        count(&window, LEFT),
        3,
        "a signal to leave gives it back too"
    );
}

#[test]
fn the_end_of_a_game_rings_unless_the_settings_say_no() {
    for (name, settings, rings) in [("rings", "", true), ("silent", "bell = false\n", false)] {
        let home = Home::new(name);
        let folder = home.0.join("config/touchmove");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("config.toml"), settings).expect("settings");
        let mut window = Window::open(&home, &["play", "--moves", "f3 e5 g4"], &[]);
        window.see("to move").send("Qh4\r").see("Game Over");
        window.send("q").see_closed();
        assert_eq!(window.bytes().contains(&7), rings, "{name}");
    }
}

#[test]
fn faults_of_the_settings_are_told_on_the_start_screen() {
    let home = Home::new("faults");
    let folder = home.0.join("config/touchmove");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), "theme = \"pink\"\n").expect("settings");
    let mut window = Window::open(&home, &[], &[]);
    window.see("pink");
}

#[test]
fn faults_of_the_settings_are_told_in_the_plain_mode() {
    let home = Home::new("plain-faults");
    let folder = home.0.join("config/touchmove");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), "theme = \n").expect("settings");
    let mut window = Window::open(&home, &["play", "--plain"], &[]);
    window.see("Settings, line 1").see("White> ");
    let config = home.0.join("config");
    let config = config.to_str().expect("a path");
    let arguments = ["play", "--plain", "--no-keep"];
    let said = program::run_with(&arguments, "", &[("XDG_CONFIG_HOME", config)]);
    assert!(
        said.err.starts_with("touchmove: Settings, line 1"),
        "{}",
        said.err
    );
    assert!(!said.out.contains("Settings"), "{}", said.out);
}

#[test]
fn game_over_is_red_for_judge_too() {
    let home = Home::new("judge");
    let mut window = Window::open(&home, &["judge", "--moves", "f3 e5 g4 Qh4"], &[]);
    window.see("Game Over").see_closed();
    assert!(window.wrote("\x1b[31mGame Over\x1b[0m"));
}
