//! The full-screen game in a real pseudo-terminal, whose bytes are parsed as a terminal does. The tui crate tests
//! the screen in detail.

use std::io::Write as _;

use touchmove_rules::Square;

use crate::support::pty::{Home, Window};

/// Runs the program without a terminal; returns its exit code and output.
fn answer(home: &Home, arguments: &[&str]) -> (Option<i32>, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_touchmove"))
        .args(arguments)
        .env("XDG_CONFIG_HOME", home.0.join("config"))
        .output()
        .expect("the program");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text)
}

#[test]
fn a_full_game_is_played_by_typing() {
    let home = Home::new("typing");
    let mut window = Window::open(&home, &[], &[]);
    window.see("Play").send("\r").see("White to move");
    window
        .play("f3", "1. f3")
        .play("e7 e5", "e5")
        .play("g2-g4", "2. g4")
        .send("qh4\r");
    window.see("Game Over").see("0-1").see("Checkmate");
    window.send("q").see_closed();
    assert!(window.wrote("\x1b[?1049l"), "the screen is given back");
    assert!(window.child.wait().expect("an exit code").success());
}

#[test]
fn a_full_game_is_played_by_keys_and_mouse_in_a_window_that_changes() {
    let home = Home::new("mouse");
    let mut window = Window::open(&home, &["play", "--time", "5+3"], &[]);
    // The cursor is on e1: to f2, take the pawn, to f3.
    window
        .see("White to move")
        .send("\x1b[C\x1b[A\r\x1b[A\r")
        .see("1. f3");
    window.click(Square::E7).click(Square::E5).see("move 2");
    window
        .resize(120, 40)
        .see("Type a move (Nf3, e2e4)")
        .drag(Square::G2, Square::G4)
        .see("2. g4");
    window
        .resize(40, 20)
        .see("1. f3 e5 2. g4")
        .drag(Square::D8, Square::H4)
        .see("Game Over");
    window
        .resize(30, 10)
        .see("touchmove needs")
        .resize(80, 24)
        .see("Game Over")
        .see("0-1");
}

#[test]
fn a_game_that_was_killed_goes_on_where_it_was() {
    let home = Home::new("killed");
    let mut window = Window::open(&home, &["play", "--time", "5+3", "--white", "Anna"], &[]);
    window
        .see("Anna")
        .play("e4", "1. e4")
        .play("e5", "e5")
        .play("Nf3", "2. Nf3");
    window.send("\x04\r").see("offers a draw");
    window.child.kill().expect("an end");
    drop(window);
    let mut window = Window::open(&home, &[], &[]);
    window
        .see("Resume")
        .see("Anna")
        .send("\r")
        .see("2. Nf3")
        .see("offers a draw");
    window.play("Nc6", "Nc6").see("White to move").see("5+3");
}

#[test]
fn a_damaged_autosave_is_named_and_the_game_goes_on_from_before() {
    let home = Home::new("damaged");
    let mut window = Window::open(&home, &["play"], &[]);
    window.see("White to move").play("e4", "1. e4");
    drop(window);
    let games = home.0.join("data").join("touchmove").join("games");
    let journal = std::fs::read_dir(games)
        .expect("games")
        .next()
        .expect("a game")
        .expect("a game");
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(journal.path())
        .expect("a file");
    file.write_all(b"{\"event\":\"mo").expect("damage");
    drop(file);
    let mut window = Window::open(&home, &[], &[]);
    window
        .see("damaged-1")
        .see("Resume")
        .send("\r")
        .see("1. e4")
        .play("c5", "c5");
}

#[test]
fn no_color_means_no_colour() {
    let home = Home::new("no-color");
    let mut window = Window::open(&home, &["play"], &[("NO_COLOR", "1")]);
    window
        .see("White to move")
        .play("e4", "1. e4")
        .send("Ke6\r")
        .see("king");
    let text = String::from_utf8_lossy(&window.bytes()).into_owned();
    for sequence in text.split("\x1b[").skip(1) {
        let Some((parameters, _)) = sequence.split_once('m') else {
            continue;
        };
        let is_style = parameters
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b';');
        let colors = parameters
            .split(';')
            .filter_map(|number| number.parse::<u16>().ok());
        for color in colors.filter(|_| is_style) {
            let is_color = matches!(color, 30..=38 | 40..=48 | 90..=97 | 100..=107);
            assert!(!is_color, "colour {color}");
        }
    }
}

#[test]
fn a_terminal_that_can_only_write_lines_gets_lines() {
    let home = Home::new("dumb");
    let mut window = Window::open(&home, &[], &[("TERM", "dumb")]);
    window
        .see("White>")
        .send("e4\r")
        .see("White played e4")
        .see("Black>");
    assert!(!window.wrote("\x1b["), "no sequence that it does not know");
}

#[test]
fn a_signal_gives_the_terminal_back() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129), ("-INT", 130)] {
        let home = Home::new("signal");
        let mut window = Window::open(&home, &["play"], &[]);
        window.see("White to move").play("e4", "1. e4");
        window.signal(signal).see_closed();
        assert!(window.wrote("\x1b[?1049l") && window.wrote("The game is kept"));
        assert_eq!(window.child.wait().expect("an exit code").exit_code(), code);
    }
}

#[test]
fn control_c_in_the_line_mode_keeps_the_game_or_prints_it() {
    let home = Home::new("line-mode");
    let mut window = Window::open(&home, &["play", "--plain", "--no-banner"], &[]);
    window.see("White>").send("e4\r").see("Black>").send("\x03");
    window.see("The game is kept").see_closed();
    assert_eq!(window.child.wait().expect("an exit code").exit_code(), 130);
    let unkept = ["play", "--plain", "--no-banner", "--no-keep"];
    let mut window = Window::open(&home, &unkept, &[]);
    window.see("White>").send("e4\r").see("Black>").send("\x03");
    window
        .see("The game is unfinished.")
        .see("1. e4 *")
        .see_closed();
    assert_eq!(window.child.wait().expect("an exit code").exit_code(), 130);
}

#[test]
fn moves_are_typed_as_people_type_them() {
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let taking = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
    let promoting = "8/1P2k3/8/8/8/8/8/4K3 w - - 0 1";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fen, typed, san) in [
        (start, "b4", "1. b4"),
        (start, "e2 e4", "1. e4"),
        (start, "NF3", "1. Nf3"),
        (taking, "bxc3", "1. bxc3"),
        (taking, "Bxc3", "1. Bxc3"),
        (promoting, "b7b8q", "1. b8=Q"),
        (castling, "0-0", "1. O-O"),
    ] {
        let home = Home::new("typed");
        let mut window = Window::open(&home, &["play", "--fen", fen], &[]);
        window.see("White to move").play(typed, san);
    }
}

#[test]
fn a_position_too_hard_to_see_at_the_table_is_proved_dead_while_the_players_think() {
    let home = Home::new("dead");
    let wall = "8/1p2k3/bPp5/BpP5/1P4K1/8/1P6/8 w - - 0 1";
    let mut window = Window::open(&home, &["play", "--fen", wall], &[]);
    window.see("Game Over").see("Dead position").see("1/2-1/2");
    let mut window = Window::open(&home, &["play", "--plain", "--fen", wall], &[]);
    window
        .see("Game Over")
        .see("Dead position")
        .see("rematch, new or quit");
}

#[test]
fn a_file_of_games_is_opened_from_the_start_screen() {
    let home = Home::new("open");
    let path = home.0.join("two.pgn");
    let games = "[White \"Anna\"]\n\n1. e4 e5 1-0\n\n[White \"Ben\"]\n\n1. d4 d5 2. c4 *\n";
    std::fs::write(&path, games).expect("a file");
    let mut window = Window::open(&home, &[], &[]);
    window.see("Open PGN").send("\x1b[A\x1b[A\x1b[A");
    window
        .send(&path.display().to_string())
        .send("\r")
        .see("2 games");
    window
        .send("\x1b[B\r")
        .see("game 2 of 2")
        .send("\x1b[B")
        .see("ply 3 of 3");
    window.send("p").see("game 1 of 2").send("q").see("2 games");
}

#[test]
fn without_a_home_a_game_is_played_and_not_autosaved() {
    let home = Home::new("homeless");
    let nowhere = [("XDG_CONFIG_HOME", ""), ("XDG_DATA_HOME", "")];
    let mut window = Window::open(&home, &["play"], &nowhere);
    window.see("This game is not kept").play("e4", "1. e4");
}

#[test]
fn settings_completions_and_the_manual_come_from_the_command_line() {
    let home = Home::new("shell");
    let (code, text) = answer(&home, &["config"]);
    assert_eq!(code, Some(0));
    assert!(
        text.contains("config.toml (not there") && text.contains("theme = "),
        "{text}"
    );
    let folder = home.0.join("config").join("touchmove");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(
        folder.join("config.toml"),
        "theme = \"slate\"\ncolour = 1\n",
    )
    .expect("settings");
    let (code, text) = answer(&home, &["config"]);
    assert_eq!(code, Some(1), "a fault is an answer of no");
    assert!(text.contains("line 2: colour is not a setting"), "{text}");
    assert!(text.contains("theme = \"slate\""), "{text}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, text) = answer(&home, &["completions", shell]);
        assert_eq!(code, Some(0), "{shell}");
        assert!(
            text.contains("touchmove") && text.contains("winnable"),
            "{shell}"
        );
    }
    let (code, text) = answer(&home, &["man"]);
    assert_eq!(code, Some(0));
    assert!(
        text.contains(".TH touchmove 1") && text.contains("play"),
        "{text}"
    );
    let (code, text) = answer(&home, &["man", "play"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("\\-\\-time"), "{text}");
    assert_eq!(answer(&home, &["man", "nonsense"]).0, Some(2));
}

#[test]
fn the_position_goes_to_the_clipboard_of_the_terminal() {
    let home = Home::new("clipboard");
    let mut window = Window::open(&home, &["play"], &[]);
    window.see("White to move").send("\x05").see("clipboard");
    // "rnbqkbnr/pppppppp" in base64.
    assert!(window.wrote("\x1b]52;c;cm5icWtibnIvcHBwcHBwcHAv"));
}

#[test]
fn settings_are_read_and_their_faults_named() {
    let home = Home::new("settings");
    let folder = home.0.join("config").join("touchmove");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(
        folder.join("config.toml"),
        "[players]\nwhite = \"Zoë\"\nred = \"x\"\n",
    )
    .expect("settings");
    let mut window = Window::open(&home, &[], &[]);
    window.see("Zoë").send("\r").see("White to move").see("Zoë");
    let mut window = Window::open(&home, &[], &[]);
    window.see("line 3: players.red is not a setting");
}
