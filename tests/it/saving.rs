//! Saving games under failure: full disks, unwritable home directories, kills, in both modes. Nothing is lost, and
//! nothing is reported as saved that is not. Also the library of finished games.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::program::{self, Run, run};
use crate::support::pty::{Home, Window};

/// A file system of its own, small enough to be filled. Needs the right to mount one.
struct Disk(PathBuf);

impl Disk {
    fn new(home: &Home) -> Option<Disk> {
        let path = home.0.join("disk");
        std::fs::create_dir_all(&path).expect("a folder");
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(&path);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        mounted.then_some(Disk(path))
    }

    fn fill(&self) {
        // It is meant to fail when the disk is full.
        let _ = std::fs::write(self.0.join("filler"), vec![0; 1 << 20]);
    }

    fn empty(&self) {
        std::fs::remove_file(self.0.join("filler")).expect("the filler");
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// A place where nobody can create a folder, not even root.
const NOWHERE: &str = "/proc";

#[test]
fn a_full_disk_is_told_on_the_screen_until_there_is_room_again() {
    let home = Home::new("full-screen");
    let Some(disk) = Disk::new(&home) else {
        eprintln!("skipped: no disk can be mounted here");
        return;
    };
    // However long they are, the game that is read is the game that is played.
    let (white, black) = ("Anna ".repeat(300), "Ben ".repeat(400));
    let names = ["play", "--white", &white, "--black", &black];
    let mut window = Window::open(&home, &names, &[("XDG_DATA_HOME", disk.path())]);
    window.see("to move").play("e4", "1. e4");
    disk.fill();
    // What the disk has given to the journal already is still written to: a page, which moves fill.
    let pushes = "a6 a3 b6 b3 c6 c3 d6 d3 e6 f3 f6 g3 g6 h3 h6";
    let rooks = "Ra2 Ra7 Rb2 Rb7 Rc2 Rc7 Rd2 Rd7 Re2 Re7 Rf2 Rf7 Rg2 Rg7";
    let back = "Rf2 Rf7 Re2 Re7 Rd2 Rd7 Rc2 Rc7 Rb2 Rb7 Ra2 Ra7 Ra1 Ra8";
    let more = "a4 a5 c4 c5 d4 d5 g4 g5";
    let moves = [pushes, rooks, back, more].join(" ");
    let mut moves = moves.split(' ');
    while !window.shows("NOT KEPT") {
        let typed = moves.next().expect("a disk that is full");
        window.play(typed, typed);
    }
    window.see("No space left");
    window.send("\x11").see("It is NOT kept").send("n");
    disk.empty();
    let typed = moves.next().expect("another move");
    window.play(typed, typed).see("kept again");
    window.send("\x11").see("resumed.").send("y").see_closed();
    assert!(window.wrote("The game is kept: touchmove"));
}

#[test]
fn leaving_a_game_that_a_full_disk_has_not_kept_shows_it() {
    let home = Home::new("full-leave");
    let Some(disk) = Disk::new(&home) else {
        eprintln!("skipped: no disk can be mounted here");
        return;
    };
    disk.fill();
    let mut window = Window::open(&home, &["play"], &[("XDG_DATA_HOME", disk.path())]);
    window.see("NOT KEPT").play("d4", "1. d4");
    window.send("\x11").see("NOT kept").send("y").see_closed();
    assert!(window.wrote("This game is not kept: "));
    assert!(window.wrote("1. d4 *") && !window.wrote("The game is kept"));
}

#[test]
fn a_home_that_cannot_be_written_to_is_told_with_its_path_in_both_modes() {
    let home = Home::new("nowhere");
    let place = [("XDG_DATA_HOME", NOWHERE)];
    let mut window = Window::open(&home, &["play"], &place);
    window.see("NOT KEPT").see("/proc/touchmove");
    let elsewhere = home.0.join("elsewhere.pgn");
    window.play("e4", "1. e4");
    window
        .send(&format!("save {}\r", elsewhere.display()))
        .see("Saved to");
    let saved = std::fs::read_to_string(&elsewhere).expect("the game");
    assert!(saved.contains("1. e4"), "{saved}");
    let mut window = Window::open(&home, &["play", "--plain"], &place);
    window.see("This game is not kept: ").see("/proc/touchmove");
    window.send("e4\n").see("White played e4").see("not kept");
    window.send("quit\n").see("1. e4 *").see_closed();
    assert!(!window.wrote("The game is kept"));
}

#[test]
fn a_home_that_is_no_full_path_is_none() {
    let home = Home::new("relative");
    let strange = [("XDG_DATA_HOME", "games"), ("HOME", ".")];
    let mut window = Window::open(&home, &["play"], &strange);
    window.see("NOT KEPT").see("XDG_DATA_HOME");
    assert!(!Path::new(".local").exists() && !Path::new("games").exists());
}

#[test]
fn a_plain_game_that_was_killed_is_there_again_and_asked_about() {
    let home = Home::new("plain-killed");
    let plain = ["play", "--plain", "--white", "Anna", "--black", "Ben"];
    let mut window = Window::open(&home, &plain, &[]);
    window
        .see("Anna (White)> ")
        .send("e4\n")
        .see("Ben (Black)> ");
    window.signal("-KILL").see_closed();
    let mut window = Window::open(&home, &["play", "--plain"], &[]);
    window.see("A game is unfinished: Anna - Ben, Chess, move 1");
    window.send("yes\n").see("Ben (Black)> ").send("e5\n");
    window
        .see("Anna (White)> ")
        .send("quit\n")
        .see("The game is kept")
        .see_closed();
    let mut window = Window::open(&home, &["play", "--plain", "--resume"], &[]);
    window
        .see("Anna (White)> ")
        .send("history\n")
        .see("1. e4 e5");
    window.signal("-KILL").see_closed();
    let mut window = Window::open(&home, &["play", "--resume"], &[]);
    window.see("1. e4").see("e5");
    drop(window);
    let mut window = Window::open(&home, &[], &[]);
    window
        .see("Anna – Ben, Chess, move 2")
        .send("\r")
        .see("1. e4");
}

#[test]
fn a_game_without_a_move_is_offered_only_if_it_was_killed() {
    let home = Home::new("untouched");
    let mut window = Window::open(&home, &["play"], &[]);
    window
        .see("White to move")
        .send("\x11")
        .see("nothing is kept");
    window.send("y").see_closed();
    assert!(window.wrote("No move was played: nothing is kept."));
    assert!(!window.wrote("The game is kept"));
    let mut window = Window::open(&home, &["play", "--plain"], &[]);
    window.see("White> ").send("quit\n").see("nothing is kept");
    window.see_closed();
    run_in(&home, &["play", "--plain"], "");
    let none = run_in(&home, &["play", "--plain", "--resume"], "");
    assert!(
        none.err.contains("there is no unfinished game"),
        "{}",
        none.err
    );
    let mut window = Window::open(&home, &["play", "--white", "Anna"], &[]);
    window.see("to move").signal("-KILL").see_closed();
    let mut window = Window::open(&home, &["play", "--plain"], &[]);
    window.see("A game is unfinished: Anna");
}

#[test]
fn every_unfinished_game_can_be_chosen() {
    let home = Home::new("several");
    for (white, typed) in [("First", "e4"), ("Second", "d4")] {
        let mut window = Window::open(&home, &["play", "--white", white], &[]);
        window.see("to move").play(typed, &format!("1. {typed}"));
        window.signal("-KILL").see_closed();
    }
    let mut window = Window::open(&home, &[], &[]);
    window
        .see("1 of 2: Second")
        .send("\x1b[C")
        .see("2 of 2: First");
    window.send("\r").see("1. e4");
    drop(window);
    let mut window = Window::open(&home, &["play", "--plain", "--resume", "2"], &[]);
    window.see("First (White)").send("history\n").see("1. e4");
}

/// Runs the program with its data in a folder of its own.
fn run_in(home: &Home, arguments: &[&str], input: &str) -> Run {
    let data = home.0.join("data").to_str().expect("a path").to_owned();
    program::run_with(arguments, input, &[("XDG_DATA_HOME", &data)])
}

#[test]
fn finished_games_are_in_the_library_and_can_be_found_counted_exported_and_deleted() {
    let home = Home::new("library");
    let names = ["play", "--plain", "--white", "Anna", "--black", "Ben"];
    run_in(&home, &names, "f3\ne5\ng4\nQh4\n");
    run_in(
        &home,
        &["play", "--plain", "--variant", "atomic"],
        "e4\ne5\nresign black\n",
    );
    let list = run_in(&home, &["library"], "").out;
    assert!(
        list.contains("0-1") && list.contains("Anna - Ben  checkmate"),
        "{list}"
    );
    assert!(list.contains("Atomic, resignation"), "{list}");
    let found = run_in(&home, &["library", "--find", "anna 0-1", "--json"], "").out;
    assert_eq!(found.lines().count(), 1, "{found}");
    assert!(found.contains("\"ending\":\"checkmate\""), "{found}");
    let stats = run_in(&home, &["library", "stats"], "").out;
    assert!(stats.contains("Ben") && stats.contains("100%"), "{stats}");
    let file = home.0.join("all.pgn");
    let file = file.to_str().expect("a path");
    assert!(
        run_in(&home, &["library", "export", file], "")
            .out
            .contains("2 games are in")
    );
    assert_eq!(run(&["pgn", "check", file], "").code, 0);
    assert_eq!(
        run_in(&home, &["library", "export", file], "").code,
        2,
        "it is there already"
    );
    assert_eq!(run_in(&home, &["library", "delete", "9"], "").code, 1);
    run_in(&home, &["library", "delete", "1"], "");
    assert_eq!(run_in(&home, &["library"], "").out.lines().count(), 1);
}

#[test]
fn the_library_is_a_screen_of_its_own_and_a_door_of_the_start_screen() {
    let home = Home::new("library-screen");
    let names = ["play", "--plain", "--white", "Anna", "--black", "Ben"];
    run_in(&home, &names, "f3\ne5\ng4\nQh4\n");
    let mut window = Window::open(&home, &["library"], &[]);
    window
        .see("checkmate")
        .send("\x1bOQ")
        .see("White in")
        .send("\x1b");
    window.see("look through").send("\r").see("game 1 of 1");
    window
        .send("\x1b[C")
        .send("c")
        .see("comment")
        .send("A mistake.\r")
        .see("A mistake.");
    window
        .send("s")
        .see("Saved in")
        .send("q")
        .see("look through");
    window.send("\x1b").see_closed();
    assert!(
        run_in(&home, &["library", "show", "1"], "")
            .out
            .contains("{A mistake.}")
    );
}
