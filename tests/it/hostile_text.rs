//! Hostile files, arguments, configuration and engines, for every subcommand: no escape sequence in them may reach
//! the terminal.

use crate::support::hostile_input::{
    assert_harmless, assert_no_foreign_sequence, file, folder, games, nasty_json, nasty_line,
};
use crate::support::program::{run, run_with};
use crate::support::pty::{Home, Window};

/// Runs the program and checks both of its outputs.
fn check(arguments: &[&str], input: &str) {
    check_with(arguments, input, &[]);
}

fn check_with(arguments: &[&str], input: &str, variables: &[(&str, &str)]) {
    let ran = run_with(arguments, input, variables);
    let what = format!("{arguments:?}");
    assert_harmless(ran.out.as_bytes(), &what);
    assert_harmless(ran.err.as_bytes(), &what);
}

#[test]
fn games_of_a_stranger_are_shown_without_his_sequences() {
    let folder = folder("hostile-games");
    let path = file(&folder, "games.pgn", games());
    for game in ["1", "2", "3", "4", "5"] {
        for ply in ["0", "1", "3"] {
            check(&["pgn", "show", &path, "--game", game, "--ply", ply], "");
        }
        check(&["pgn", "show", &path, "--plain", "--game", game], "");
        check(&["review", &path, "--game", game, "--nodes", "50"], "");
        check(
            &["review", &path, "--game", game, "--nodes", "50", "--json"],
            "",
        );
        check(
            &["play", "--plain", "--load", &path],
            "board\nmoves\nquit\n",
        );
    }
    check(&["pgn", "check", &path], "");
    check(&["pgn", "check", &path, &path], "");
    check(&["pgn", "check", &path, "--json"], "");
    check(&["pgn", "stats", &path], "");
    check(&["pgn", "stats", &path, "--json"], "");
}

#[test]
fn games_that_are_data_stay_exact_in_a_pipe_and_are_harmless_on_a_terminal() {
    let home = Home::new("hostile-data");
    let games = "[White \"A\u{202e}b\x1b]0;OWNED\x07\"]\n[Result \"*\"]\n\n1. e4 {\x1b[?6666h} *\n";
    let path = file(&home.0, "games.pgn", games);
    let piped = run(&["pgn", "fmt", &path], "");
    assert!(
        piped.out.contains("A\u{202e}b\x1b]0;OWNED\x07"),
        "{}",
        piped.out
    );
    assert!(piped.out.contains("\x1b[?6666h"), "{}", piped.out);
    assert_harmless(piped.err.as_bytes(), "fmt");
    let mut window = Window::open(&home, &["pgn", "fmt", &path], &[]);
    window.see("e4").see_closed();
    assert_no_foreign_sequence(&window.bytes(), "fmt");
}

#[test]
fn a_library_with_games_of_strangers_is_listed_without_their_sequences() {
    let home = folder("hostile-library");
    let data = home.join("data");
    let library = data.join("touchmove");
    std::fs::create_dir_all(&library).expect("a folder");
    file(&library, "games.pgn", games());
    let variables = [("XDG_DATA_HOME", data.to_str().expect("UTF-8"))];
    for arguments in [
        &["library"][..],
        &["library", "--json"],
        &["library", "stats"],
        &["library", "stats", "--json"],
        &["library", "show", "1", "--json"],
        &["library", "--find", NASTY_WORD],
        &["library", "delete", "1"],
    ] {
        check_with(arguments, "", &variables);
    }
}

const NASTY_WORD: &str = "Eve\x1b]0;OWNED\x07\u{202e}\nINJECTED";

#[test]
fn arguments_are_repeated_without_their_sequences() {
    for arguments in [
        &["judge", "--moves", NASTY_WORD][..],
        &["judge", "--moves", NASTY_WORD, "--json"],
        &["judge", "--fen", NASTY_WORD],
        &["show", "--fen", NASTY_WORD],
        &[
            "show",
            "--fen",
            "8/8/8/8/8/8/8/8 \u{202e}\x1b]0;OWNED\x07 - - 0 1",
        ],
        &["moves", "--fen", NASTY_WORD],
        &["explain", NASTY_WORD],
        &["explain", NASTY_WORD, "--json"],
        &["winnable", "--fen", NASTY_WORD],
        &["rules", "--search", NASTY_WORD],
        &["rules", NASTY_WORD],
        &["perft", NASTY_WORD],
        &["pgn", "check", NASTY_WORD],
        &["pgn", "show", NASTY_WORD],
        &["review", NASTY_WORD],
        &["join", NASTY_WORD],
        &["join", "http://127.0.0.1:1/\x1b]0;OWNED\x07"],
        &["host", "--at", NASTY_WORD],
        &["host", "--resume", NASTY_WORD, "--data", "/dev/null"],
        &["serve", "--listen", NASTY_WORD],
        &["serve", "--config", NASTY_WORD],
        &["serve", "--public-url", NASTY_WORD],
        &["serve", "--data", "/dev/null/\x1b]0;OWNED\x07"],
        &["play", "--white", NASTY_WORD, "--plain"],
        &["play", "--time", NASTY_WORD],
        &["play", "--load", NASTY_WORD],
        &["play", "--white", "uci:\x1b]0;OWNED\x07", "--plain"],
        &["arena", NASTY_WORD, "engine"],
        &["people", "add", NASTY_WORD, "--data", "/dev/null"],
        &["backup", NASTY_WORD, "--data", "/dev/null"],
        &["man", NASTY_WORD],
        &[NASTY_WORD],
        &["--\x1b]0;OWNED\x07"],
    ] {
        check(arguments, "");
    }
    check_with(&["perft", "1"], "", &[("TOUCHMOVE_CPU", NASTY_WORD)]);
    check_with(&["serve"], "", &[("TOUCHMOVE_LISTEN", NASTY_WORD)]);
}

#[test]
fn files_of_lines_are_answered_without_their_sequences() {
    let folder = folder("hostile-lines");
    let mut lines = format!(
        "{}\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 ; {}\n",
        nasty_line(),
        nasty_line()
    )
    .into_bytes();
    lines.extend(b"\x9b?6666h\n4k3/8/8/8/8/8/8/4K3 w \x1b]0;OWNED\x07 - 0 1\n");
    let path = file(&folder, "\u{202e}lines.fen", lines);
    for arguments in [
        &["winnable", "--file", &path][..],
        &["winnable", "--file", &path, "--json"],
        &["judge", "--file", &path],
        &["judge", "--file", &path, "--json"],
        &["perft", "--file", &path],
        &["winnable", "--verify", &path],
    ] {
        check(arguments, "");
    }
}

#[test]
fn lines_that_are_typed_are_answered_without_their_sequences() {
    let line = nasty_line();
    let lines = format!(
        "{line}\nexplain {line}\nwhere {line}\nsave /nowhere/{line}\nload {line}\nf3\ne5\ng4\nQh4\n"
    );
    check(&["play", "--plain", "--no-keep"], &lines);
    check(
        &["play", "--json", "--no-keep"],
        &format!("{line}\n{{\"move\":\"{}\"}}\n", nasty_json()),
    );
    let uci =
        format!("{line}\nsetoption name {line} value 1\nposition fen {line}\ngo {line}\nquit\n");
    check(&["uci"], &uci);
}

/// A file name that would write a line of its own, set the title and reverse text.
const NASTY_NAME: &str = "a\nINJECTED\r\u{85}INJECTED \x1b]0;OWNED\x07\u{202e}\u{200b}";

#[test]
fn names_of_files_are_told_without_their_lines_and_sequences() {
    let home = folder("hostile-names");
    let named = |ending: &str| format!("{NASTY_NAME}{ending}");
    let pgn = file(
        &home,
        &named(".pgn"),
        "[White \"x\"]\n\n1. e4 e9 *\n\n1. d4 *\n",
    );
    let nonsense = file(&home, &named(".txt"), "nonsense\n");
    let toml = file(&home, &named(".toml"), "nonsense = 1\n");
    let fen = file(&home, &named(".fen"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n");
    let path = |ending: &str| home.join(named(ending)).to_str().expect("UTF-8").to_owned();
    let (absent, nowhere) = (path(".absent"), format!("{}/x", path(".absent")));
    let data = home.join("data");
    std::fs::create_dir_all(data.join("touchmove")).expect("a folder");
    file(
        &data.join("touchmove"),
        &named(".pgn"),
        "[White \"x\"]\n[Result \"*\"]\n\n1. e4 *\n",
    );
    let variables = [("XDG_DATA_HOME", data.to_str().expect("UTF-8"))];
    let check = |arguments: &[&str], input: &str| check_with(arguments, input, &variables);
    // Inputs: of the wrong kind, and missing.
    for read in [&pgn, &nonsense, &fen, &absent] {
        for arguments in [
            &["pgn", "check", read][..],
            &["pgn", "check", read, read],
            &["pgn", "check", read, "--json"],
            &["pgn", "show", read, "--game", "4"],
            &["pgn", "show", read, "--game", "1", "--ply", "9"],
            &["pgn", "fmt", read],
            &["pgn", "stats", read],
            &["review", read, "--game", "4"],
            &["review", read, "--game", "1", "--nodes", "50"],
            &["winnable", "--file", read],
            &["winnable", "--verify", read],
            &["judge", "--file", read],
            &["judge", "--journal", read],
            &["perft", "--file", read],
            &["play", "--plain", "--load", read],
            &["serve", "--config", read, "--data", "/dev/null"],
        ] {
            check(arguments, "quit\n");
        }
    }
    check(&["serve", "--config", &toml, "--data", "/dev/null"], "");
    // Outputs: writable, existing, and not writable.
    for written in [&path(".new"), &absent, &nonsense, &nowhere] {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for arguments in [
            &["library", "export", written][..],
            &["show", "--svg", written],
            &["show", "--png", written],
            &["pgn", "fmt", &pgn, "--output", written],
            &["pgn", "stats", &pgn, "--svg", written],
            &[
                "review", &pgn, "--game", "2", "--nodes", "50", "--output", written,
            ],
            &["winnable", "--fen", fen, "--certificate", written],
            &[
                "arena", "random", "random", "--games", "1", "--pgn", written,
            ],
            &["backup", written],
            &["backup", written, "--data", written],
            &["people", "list", "--data", written],
            &["host", "--resume", "Ab3dE6gH", "--plain", "--data", written],
        ] {
            check(arguments, "");
        }
        let lines = format!("save {written}\ne4\nresign\nsave {written}\nquit\n");
        check(&["play", "--plain", "--no-keep"], &lines);
    }
    check(&["library"], "");
    check(&["library", "delete", "1"], "");
    check(&["serve", "--data", &nowhere, "--config", &absent], "");
    // Folders with such names.
    let inside = home.join(NASTY_NAME);
    std::fs::create_dir_all(inside.join("touchmove")).expect("a folder");
    let inside = inside.to_str().expect("UTF-8");
    for (name, arguments) in [
        ("XDG_DATA_HOME", &["play", "--plain", "--resume"][..]),
        ("XDG_DATA_HOME", &["library"]),
        ("XDG_DATA_HOME", &["people", "list"]),
        ("XDG_CONFIG_HOME", &["config"]),
        ("XDG_CONFIG_HOME", &["play", "--plain", "--no-keep"]),
    ] {
        file(
            &std::path::Path::new(inside).join("touchmove"),
            "config.toml",
            "x = 1\n",
        );
        check_with(arguments, "e4\nquit\n", &[(name, inside)]);
    }
}

#[test]
fn a_journal_of_a_stranger_is_read_without_his_sequences() {
    let home = folder("hostile-journal");
    let players = touchmove_game::Players {
        white: "WNAME".to_owned(),
        black: "BNAME".to_owned(),
    };
    let terms = touchmove_game::Terms::of(touchmove_rules::Variant::Chess);
    let opening = touchmove_game::Opening::of(terms, players, touchmove_game::Timestamp(0));
    let moved = format!(
        "{{\"v\":1,\"seq\":1,\"at\":1,\"by\":\"white\",\"event\":\"moved\",\"move\":\"e2e4\",\"san\":\"{}\"}}\n",
        nasty_json()
    );
    let held = format!(
        "{{\"v\":1,\"seq\":2,\"at\":2,\"by\":\"arbiter\",\"event\":\"clocks_held\",\"reason\":\"{}\"}}\n",
        nasty_json()
    );
    let first = touchmove_game::journal::write(&opening, &[]);
    let named = first
        .replace("WNAME", &nasty_json())
        .replace("BNAME", &nasty_json());
    for (number, journal) in [
        named.clone(),
        format!("{named}{moved}"),
        format!("{named}{held}"),
        format!("{named}{}\n", nasty_line()),
        format!("{{\"v\":1,\"event\":\"{}\"}}\n", nasty_json()),
        first.replace("\"chess\"", &format!("\"{}\"", nasty_json())),
    ]
    .iter()
    .enumerate()
    {
        let path = file(&home, &format!("{number}.journal"), journal);
        check(&["judge", "--journal", &path], "");
        check(&["judge", "--journal", &path, "--json"], "");
        let data = home.join(format!("data-{number}"));
        let journals = data.join("touchmove").join("games");
        std::fs::create_dir_all(&journals).expect("a folder");
        file(&journals, "2026-01-01-000000.jsonl", journal);
        let variables = [("XDG_DATA_HOME", data.to_str().expect("UTF-8"))];
        check_with(
            &["play", "--plain", "--resume"],
            "board\nmoves\nresign\nquit\n",
            &variables,
        );
    }
}

#[test]
fn settings_with_sequences_are_complained_about_without_them() {
    let home = folder("hostile-settings");
    let line = nasty_line();
    for settings in [
        format!("theme = \"{}\"\n", nasty_json()),
        format!("\"{}\" = 1\n", nasty_json()),
        format!("[engines]\nx = \"{}\"\n", nasty_json()),
        format!("[keys]\n\"{}\" = \"{}\"\n", nasty_json(), nasty_json()),
        format!("# {line}\ntheme = {line}\n"),
        format!("{line}\n"),
    ] {
        std::fs::create_dir_all(home.join("touchmove")).expect("a folder");
        file(&home.join("touchmove"), "config.toml", &settings);
        let variables = [("XDG_CONFIG_HOME", home.to_str().expect("UTF-8"))];
        check_with(&["config"], "", &variables);
        check_with(&["play", "--plain", "--no-keep"], "quit\n", &variables);
        let path = file(&home, "server.toml", &settings);
        check(&["serve", "--config", &path, "--data", "/dev/null"], "");
    }
}

#[test]
fn an_engine_that_speaks_in_sequences_is_heard_without_them() {
    let folder = folder("hostile-engine");
    let line = nasty_line().replace('\'', "");
    let loud = format!(
        "#!/bin/sh\nprintf '%s\\n' 'id name {line}' 'option name {line} type string default {line}' >&1\n\
         printf '%s\\n' '{line}' >&2\n\
         while read word rest; do case $word in\n\
         uci) printf '%s\\n' 'id name {line}' 'id author {line}' 'option name {line} type check default true' uciok;;\n\
         isready) echo readyok;;\n\
         go) printf '%s\\n' 'info string {line}' 'info depth 1 pv {line}' 'bestmove {line}';;\n\
         quit) exit;; esac; done\n"
    );
    let silent = format!("#!/bin/sh\nprintf '%s\\n' '{line}' >&2\nexit 3\n");
    for (name, script) in [("loud", loud), ("silent", silent)] {
        let path = file(&folder, name, script);
        let status = std::process::Command::new("chmod")
            .args(["755", &path])
            .status();
        assert!(status.expect("chmod").success());
        let engine = format!("uci:{path}");
        check(
            &["play", "--plain", "--no-keep", "--white", &engine],
            "quit\n",
        );
        check(&["play", "--json", "--no-keep", "--white", &engine], "");
        check(
            &[
                "play",
                "--plain",
                "--white",
                &engine,
                "--engine-option",
                &format!("{line}x=1"),
            ],
            "quit\n",
        );
        check(&["arena", &path, "engine:first-steps", "--games", "1"], "");
    }
}

#[test]
fn the_full_screen_shows_games_of_a_stranger_without_his_sequences() {
    let home = Home::new("hostile-screen");
    let path = file(&home.0, "games.pgn", games());
    let mut window = Window::open(&home, &["pgn", "show", &path], &[]);
    window.see("Eve").send("\r").see("e4");
    window.send("\x1b[C\x1b[C\x1b[C\x1b[C").see("Nf3").send("q");
    assert_no_foreign_sequence(&window.bytes(), "pgn show");
    let library = home.0.join("data").join("touchmove");
    std::fs::create_dir_all(&library).expect("a folder");
    file(&library, "games.pgn", games());
    let mut window = Window::open(&home, &["library"], &[]);
    window.see("Eve").send("\x1b").send("q");
    assert_no_foreign_sequence(&window.bytes(), "library");
}
