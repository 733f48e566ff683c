//! The requirements in the seed documents: every one is named by a test or a line of data; what only the whole
//! program and its documents can show is tested here. The crates' own tests cover the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use touchmove_rules::UciMove;

use crate::support::program::run;
use crate::support::pty::{Home, Window};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn paper(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The numbers of all requirements, such as `000-1`, `002-a` and `A10`.
fn listed() -> BTreeSet<String> {
    paper("tests/data/requirements.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (number, words) = line.split_once('\t').expect("a number, a tab and words");
            assert!(!words.is_empty(), "{number} asks for nothing");
            number.to_owned()
        })
        .collect()
}

/// The numbers that a text names: in brackets, or in the last column of a law file. A range such as `004-22..24`
/// names all in it.
fn named(path: &Path, text: &str) -> Vec<String> {
    let is_law = path.extension().is_some_and(|extension| extension == "law");
    let lists: Vec<&str> = if is_law {
        text.lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| Some(line.rsplit_once('|')?.1))
            .collect()
    } else {
        text.split('[')
            .skip(1)
            .filter_map(|rest| Some(rest.split_once(']')?.0))
            .collect()
    };
    lists
        .iter()
        .flat_map(|list| list.split(','))
        .flat_map(|item| expand(item.trim().trim_matches('"')))
        .collect()
}

/// Expands an item of a list: a number, a range of numbers, or something else.
fn expand(item: &str) -> Vec<String> {
    let (first, last) = item.split_once("..").unwrap_or((item, ""));
    let last = last.trim_start_matches('A');
    let (series, number) = match first.split_once('-') {
        Some((series @ ("000" | "001" | "002" | "003" | "004"), number)) => {
            (format!("{series}-"), number)
        }
        None if first.starts_with('A') && first.len() > 1 => ("A".to_owned(), &first[1..]),
        _ => return Vec::new(),
    };
    match (number.parse::<u32>(), last.parse::<u32>()) {
        (Ok(from), Ok(to)) => (from..=to).map(|n| format!("{series}{n}")).collect(),
        (Ok(_), Err(_)) if last.is_empty() => vec![first.to_owned()],
        (Err(_), _) if number.len() == 1 && series == "002-" => vec![first.to_owned()],
        _ => Vec::new(),
    }
}

/// The tests and their data: everything below a `tests` folder, and the test modules of the sources.
fn evidence(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("snapshots") {
                evidence(&path, files);
            }
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_data = matches!(extension, Some("story" | "law" | "tsv" | "perft"));
        if !(is_data || extension == Some("rs")) || path.ends_with("requirements.tsv") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        let text = match text.find("#[cfg(test)]") {
            _ if is_test => text,
            Some(at) => text[at..].to_owned(),
            None => continue,
        };
        files.push((path, text));
    }
}

#[test]
fn every_requirement_is_named_by_a_test_or_a_line_of_data() {
    let listed = listed();
    assert_eq!(listed.len(), 131 + 10 + 10, "the documents have not grown");
    let mut files = Vec::new();
    evidence(&root().join("crates"), &mut files);
    evidence(&root().join("tests"), &mut files);
    let mut where_named: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (path, text) in &files {
        for number in named(path, text) {
            where_named.entry(number).or_default().push(path.clone());
        }
    }
    let missing: Vec<_> = listed
        .iter()
        .filter(|number| !where_named.contains_key(*number))
        .collect();
    assert!(missing.is_empty(), "nothing names {missing:?}");
    for (number, paths) in where_named {
        assert!(
            listed.contains(&number),
            "{number} in {paths:?} is no requirement"
        );
    }
}

#[test]
fn numbers_are_read_from_brackets_ranges_and_law_files() {
    let story = |text: &str| {
        let text = text.replace('<', "[").replace('>', "]");
        named(Path::new("a.story"), &text)
    };
    assert_eq!(
        story("story x <004-22..24, A1>\n<%clk 0:01> <002-a>"),
        ["004-22", "004-23", "004-24", "A1", "002-a"]
    );
    assert_eq!(story("Square::A1 000-3 without brackets"), [""; 0]);
    assert_eq!(
        named(
            Path::new("a.law"),
            "chess | start | e2e4 | legal | FIDE 3.7.2, 001-14\n# 001-15"
        ),
        ["001-14"]
    );
}

/// [000-1]
#[test]
fn a_banner_greets_at_a_terminal_and_never_in_a_pipe() {
    let first_line = r"_____  _   _  _____  _____  _____";
    let mut window = Window::open(&Home::new("banner"), &["play", "--plain"], &[]);
    window.see("White is to move").send("quit\r").see_closed();
    assert!(window.wrote(first_line));
    let mut window = Window::open(
        &Home::new("no-banner"),
        &["play", "--plain", "--no-banner"],
        &[],
    );
    window.see("White is to move").send("quit\r").see_closed();
    assert!(!window.wrote(first_line));
    assert!(!run(&["play", "--plain"], "quit\n").out.contains(first_line));
}

/// [000-2]
#[test]
fn the_papers_hold_the_rules_the_layout_and_whom_to_ask() {
    let rules = paper("docs/RULES.md");
    for kind in touchmove_rules::MoveKind::ALL {
        assert!(rules.contains(kind.name()), "docs/RULES.md lacks {kind}");
    }
    let layout = paper("ARCHITECTURE.md");
    for crate_folder in fs::read_dir(root().join("crates")).unwrap() {
        let name = crate_folder.unwrap().file_name();
        let name = format!("`crates/{}`", name.to_str().unwrap());
        assert!(layout.contains(&name), "ARCHITECTURE.md lacks {name}");
    }
    let team = paper("TEAM.md");
    assert!(team.contains("## Contributors") && team.contains("## Contact"));
}

/// [000-10]
#[test]
fn the_first_named_player_is_white_unless_lots_are_drawn() {
    let names = ["--white", "Anna", "--black", "Ben"];
    let arguments = [&["play", "--plain"], &names[..]].concat();
    let said = run(&arguments, "quit\n").out;
    assert!(said.contains("Anna (White) against Ben (Black)"), "{said}");
    let said = run(&[&arguments[..], &["--random-colors"]].concat(), "quit\n").out;
    let either = [
        "Anna (White) against Ben (Black)",
        "Ben (White) against Anna (Black)",
    ];
    assert!(either.iter().any(|words| said.contains(words)), "{said}");
}

/// [001-25]
#[test]
fn what_the_list_of_moves_leaves_out_is_there() {
    let verdict = run(&["judge", "--json", "--moves", "f3 e5 g4 Qh4#"], "").out;
    assert!(verdict.contains("\"checkmate\""), "endings: {verdict}");
    let moves = run(&["moves"], "").out;
    assert!(
        moves.contains("Nf3") && moves.contains("g1f3"),
        "notation: {moves}"
    );
    assert!(run(&["show"], "").out.contains("8 |♜|"), "display");
}

/// [002-1] [002-3] [002-10] [002-18]
#[test]
fn two_people_play_simple_atomic_on_the_command_line_and_see_the_board_after_every_move() {
    let arguments = ["play", "--plain", "--variant", "simple-atomic"];
    let run = run(&arguments, "d2 d4\ng7 g5\nc1 g5\nz9 a1\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    let boards = run.out.matches("\n8 |").count();
    assert_eq!(boards, 4, "the start and three moves: {}", run.out);
    // The explosion on g5 has removed the bishop and the pawn; nothing else was adjacent.
    assert!(run.out.contains("5 |#|_|#|_|#|_|#|_|"), "{}", run.out);
    assert!(
        run.out.contains("1 |♖|♘|#|♕|♔|♗|♘|♖|") || run.out.contains("1 |♖|♘|_|♕|"),
        "{}",
        run.out
    );
}

/// [002-h]
#[test]
fn people_may_type_squares_in_upper_case_and_junk_changes_nothing() {
    let arguments = ["play", "--plain", "--variant", "simple-atomic"];
    let said = run(&arguments, "E2E4\nE7 E5\nz9z9\ne9e4\n\u{0}\u{1b}\nquit\n");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("1. e4 e5"), "{}", said.out);
    assert!("e2e4".parse::<UciMove>().is_ok());
    for junk in ["E2E4", "e2e9", "e2", ""] {
        assert!(junk.parse::<UciMove>().is_err(), "{junk:?}");
    }
}

/// [002-19]
#[test]
fn the_program_runs_alone_in_an_empty_folder() {
    let home = Home::new("alone");
    let program = home.0.join("touchmove");
    fs::copy(env!("CARGO_BIN_EXE_touchmove"), &program).expect("a copy");
    let output = std::process::Command::new(&program)
        .args(["play", "--plain", "--moves", "f3 e5 g4 Qh4"])
        .current_dir(&home.0)
        .env_clear()
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the program");
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("Checkmate"), "{said}");
    fs::remove_file(&program).expect("the copy");
    assert!(paper("README.md").contains("cargo install --path ."));
}

/// [002-20]
#[test]
fn the_papers_have_a_licence_a_history_acknowledgements_and_links() {
    assert!(paper("LICENSE-MIT").contains("Permission is hereby granted"));
    let version = env!("CARGO_PKG_VERSION");
    assert!(paper("CHANGELOG.md").contains(&format!("## {version}")));
    let team = paper("TEAM.md");
    for author in ["Bryce Worley", "Tim Alcon", "Luyao Zhang", "Brian Baker"] {
        assert!(team.contains(author), "TEAM.md lacks {author}");
    }
    let readme = paper("README.md");
    for link in [
        "https://en.wikipedia.org/wiki/Atomic_chess",
        "https://lichess.org/variant/atomic",
        "https://www.chess.com/terms/atomic-chess",
    ] {
        assert!(readme.contains(link), "README.md lacks {link}");
    }
}

/// [004-1] [004-6] [004-7]
#[test]
fn an_impossible_start_is_game_over_before_anybody_moves() {
    for (fen, says) in [
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "White has 2 kings"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "touch"),
    ] {
        let run = run(&["play", "--plain", "--fen", fen], "e4\n");
        assert_eq!(run.code, 1, "{fen}");
        assert!(
            run.out.starts_with("Game Over: illegal position ("),
            "{}",
            run.out
        );
        assert!(
            run.out.contains(says) && run.out.ends_with("Result: *\n"),
            "{}",
            run.out
        );
    }
    let mated = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
    let run = run(&["play", "--plain", "--fen", mated], "h6\n");
    assert!(
        run.out.contains("Game Over") && run.out.contains("Checkmate"),
        "{}",
        run.out
    );
}

/// [004-5]
#[test]
fn game_over_is_red_at_a_terminal_and_plain_without_colour() {
    let arguments = ["play", "--plain", "--moves", "f3 e5 g4 Qh4"];
    let red = "\x1b[31mGame Over\x1b[0m";
    let mut window = Window::open(&Home::new("red"), &arguments, &[]);
    window.see("Game Over").send("quit\r").see_closed();
    assert!(window.wrote(red));
    let mut window = Window::open(&Home::new("not-red"), &arguments, &[("NO_COLOR", "1")]);
    window.see("Game Over").send("quit\r").see_closed();
    assert!(!window.wrote(red));
    let piped = run(&arguments, "").out;
    assert!(
        piped.contains("Game Over") && !piped.contains('\x1b'),
        "{piped}"
    );
}

/// [A10]
#[test]
fn the_atomic_without_check_of_other_places_is_not_played_under_our_names() {
    for name in ["nocheckatomic", "wild27"] {
        let run = run(&["moves", "--variant", name], "");
        assert_eq!(run.code, 2, "{name}");
        assert!(run.err.contains("is not a variant"), "{}", run.err);
    }
}
