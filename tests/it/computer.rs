//! Games against computers, and the coach, in a real terminal and by pipes. Playing strength is measured elsewhere.

use crate::support::program::run;
use crate::support::pty::{Home, Window};

/// The misbehaving engine, as a player.
#[cfg(unix)]
fn fake(how: &str) -> String {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/uci-client/tests/fake.sh"
    );
    format!("uci:sh {script} {how}")
}

/// Whether a process with this in its command line is running.
#[cfg(target_os = "linux")]
fn runs(mark: &str) -> bool {
    let processes = std::fs::read_dir("/proc").expect("processes");
    processes.flatten().any(|process| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line)
            .replace('\0', " ")
            .contains(mark)
    })
}

#[test]
fn a_level_answers_gives_hints_and_lets_both_plies_be_taken_back() {
    let home = Home::new("level");
    let arguments = ["play", "--black", "engine:casual", "--seed", "7"];
    let mut window = Window::open(&home, &arguments, &[]);
    window.see("Computer (Casual)").see("White to move");
    window
        .play("e4", "1. e4")
        .see("move 2")
        .see("White to move");
    // The keys for a hint and for threats.
    window.send("\x1bOQ").see("Hint: ").see("(judged");
    window.send("\x1bOR").see("Threat: ");
    window.send("\x14").see("The last 2 moves are taken back");
    window.see("move 1").play("d4", "1. d4").see("move 2");
    window
        .send("\x12")
        .see("Does White resign")
        .send("y")
        .see("Game Over");
    window.send("v").see("accuracy").see("any");
    window.send("\x1b").send("\x11").see_closed();
}

#[test]
fn whoever_has_black_sits_below_and_the_computer_begins() {
    let home = Home::new("black");
    let mut window = Window::open(&home, &["play", "--white", "engine:beginner"], &[]);
    window.see("Computer (Beginner)").see("Black to move");
}

#[test]
fn the_start_screen_seats_the_computer() {
    let home = Home::new("seats");
    let mut window = Window::open(&home, &[], &[]);
    // Down to Black; three to the right is Casual.
    window.see("Play").send("\x1b[B\x1b[B\x1b[B\x1b[B");
    window.see("left and right for the computer");
    window
        .send("\x1b[C\x1b[C\x1b[C")
        .see("with Computer (Casual)");
    window
        .send("\r")
        .see("White to move")
        .see("Computer (Casual)");
    window.play("e4", "1. e4").see("move 2");
}

#[test]
fn a_game_against_the_computer_that_was_killed_goes_on_with_it() {
    let home = Home::new("killed-computer");
    let mut window = Window::open(&home, &["play", "--black", "engine:casual"], &[]);
    window
        .see("White to move")
        .play("e4", "1. e4")
        .see("move 2");
    window.child.kill().expect("an end");
    drop(window);
    let mut window = Window::open(&home, &[], &[]);
    window
        .see("Resume")
        .send("\r")
        .see("move 2")
        .see("White to move");
    window.play("a3", "2. a3").see("move 3");
}

#[test]
fn nobody_is_helped_in_a_game_between_two_people_unless_both_agree() {
    let home = Home::new("help");
    let mut window = Window::open(&home, &["play"], &[]);
    window
        .see("White to move")
        .send("hint\r")
        .see("unless both agree");
    drop(window);
    let mut window = Window::open(&home, &["play", "--hints"], &[]);
    window.see("White to move").send("hint\r").see("Hint: ");
    drop(window);
    let refused = run(&["play", "--plain"], "hint\nthreat\n");
    assert_eq!(refused.out.matches("unless both agree").count(), 2);
}

#[test]
fn by_pipe_the_computer_answers_before_the_next_line_is_read() {
    let arguments = [
        "play",
        "--plain",
        "--black",
        "engine:first-steps",
        "--seed",
        "1",
    ];
    let said = run(&arguments, "e4\nd4\nthreat\ntakeback\nhistory\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    for text in [
        "White played e4: the pawn from e2 to e4.",
        "Black played ",
        "White played d4: the pawn from d2 to d4.",
        "Threat: ",
        "The last 2 moves are taken back",
    ] {
        assert!(said.out.contains(text), "{text}: {}", said.out);
    }
    let again = run(&arguments, "e4\nd4\nthreat\ntakeback\nhistory\nquit\n");
    assert_eq!(said.out, again.out, "the same seed plays the same");
}

#[test]
fn for_programs_the_computers_move_is_an_answer_of_its_own() {
    let arguments = ["play", "--json", "--white", "engine:club"];
    let lines = "{\"command\":\"hint\"}\n{\"command\":\"threat\"}\na7a6\n{\"command\":\"draw\"}\n";
    let said = run(&arguments, lines);
    let lines: Vec<serde_json::Value> = said
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["events"][0]["event"], "moved", "{}", said.out);
    assert_eq!(lines[0]["state"]["turn"], "black");
    assert!(lines[1]["hint"]["move"].is_string() && lines[1]["hint"]["proved"] == false);
    assert!(lines[2]["threat"]["text"].is_string());
    assert_eq!(lines[3]["events"][0]["by"], "black");
    assert_eq!(lines[4]["events"][0]["by"], "white");
    assert_eq!(lines[5]["events"][0]["event"], "draw_offered");
    assert_eq!(lines[6]["events"][0]["event"], "draw_declined");
}

#[test]
fn two_computers_play_a_game_to_its_end() {
    let arguments = [
        "play",
        "--plain",
        "--white",
        "engine:first-steps",
        "--black",
        "engine:club",
        "--variant",
        "atomic",
        "--seed",
        "3",
    ];
    let said = run(&arguments, "");
    assert!(said.out.contains("Game Over"), "{}", said.out);
}

#[test]
fn what_cannot_play_is_said_before_the_game_begins() {
    let unknown = run(&["play", "--plain", "--black", "engine:god"], "");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("first-steps"), "{}", unknown.err);
    let missing = run(&["play", "--plain", "--black", "uci:no-such-engine"], "");
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("is it installed"), "{}", missing.err);
    let idle = run(&["play", "--plain", "--engine-option", "Hash=1"], "");
    assert_eq!(idle.code, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_misbehaves_forfeits_and_nothing_of_it_is_left() {
    let home = Home::new("misbehaves");
    let data = home.0.join("data");
    let play = |how: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_touchmove"))
            .args(["play", "--plain", "--white", &fake(how)])
            .env("XDG_DATA_HOME", &data)
            .stdin(std::process::Stdio::null())
            .output()
            .expect("the program");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for how in ["illegal", "no-move", "dies", "crashes"] {
        let said = play(how);
        assert!(said.contains("Game Over"), "{how}: {said}");
        assert!(said.contains("0-1"), "{how}: {said}");
        assert!(!runs(&format!("fake.sh {how}")), "{how} is still there");
    }
    let said = play("behaves");
    assert!(said.contains("1. e4"), "{said}");
    assert!(!runs("fake.sh behaves"));
}

const GAME: &str = "[Event \"Club\"]\n[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n\n\
    1. e4 {best by test} e5 2. Nf3 Nc6 3. Bc4 Qg5? {oh [%clk 0:01:02]} (3... Bc5 4. c3) 4. Nxg5 Nf6 5. Nxf7 1-0\n";

fn written(name: &str, text: &str) -> String {
    let home = Home::new(name);
    let path = home.0.join("game.pgn");
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

#[test]
fn a_review_names_the_turning_point_and_keeps_everything() {
    let path = written("review", GAME);
    let annotated = path.replace("game.pgn", "annotated.pgn");
    let said = run(
        &["review", &path, "--nodes", "3000", "--output", &annotated],
        "",
    );
    assert_eq!(said.code, 0, "{}", said.err);
    for text in [
        "Anna  accuracy",
        "Ben   accuracy",
        "White ",
        "3... Qg5: Black",
        "Better was 3... ",
    ] {
        assert!(said.out.contains(text), "{text}: {}", said.out);
    }
    let kept = std::fs::read_to_string(&annotated).expect("the games");
    let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    for text in [
        "best by test",
        "[%clk 0:01:02]",
        "oh",
        "4. c3",
        "[%eval ",
        "Qg5 $2",
    ] {
        assert!(kept.contains(text), "{text}: {kept}");
    }
    let checked = run(&["pgn", "check", &annotated], "");
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
}

#[test]
fn a_review_that_is_broken_off_tells_what_was_found() {
    let path = written("review-broken-off", GAME);
    let home = Home::new("review-broken-off-window");
    let arguments = ["review", &path, "--nodes", "2000000000"];
    let mut window = Window::open(&home, &arguments, &[]);
    window.see("Ctrl-C breaks off").send("\u{3}");
    window.see("The review was broken off after");
    window.see_closed();
}

#[test]
fn a_review_for_programs_has_every_ply() {
    let path = written("review-json", GAME);
    let said = run(&["review", &path, "--nodes", "2000", "--json"], "");
    let answer: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(answer["plies"].as_array().map(Vec::len), Some(9));
    assert_eq!(answer["complete"], true);
    assert!(answer["accuracy"]["white"].as_f64() > answer["accuracy"]["black"].as_f64());
    assert_eq!(answer["turning_points"][0]["san"], "Qg5");
    assert_eq!(answer["plies"][5]["slip"], "blunder");
}

#[test]
fn a_review_asks_which_game_and_says_what_is_wrong() {
    let path = written("review-two", &format!("{GAME}\n{GAME}"));
    let which = run(&["review", &path], "");
    assert_eq!((which.code, which.err.contains("--game N")), (1, true));
    let none = run(&["review", &path, "--game", "3"], "");
    assert!(none.err.contains("2 games"), "{}", none.err);
    let second = run(
        &["review", &path, "--game", "2", "--nodes", "500", "--json"],
        "",
    );
    assert!(second.out.contains("\"game\":2"), "{}", second.out);
    let missing = run(&["review", "no-such-file.pgn"], "");
    assert_eq!(missing.code, 2);
}
