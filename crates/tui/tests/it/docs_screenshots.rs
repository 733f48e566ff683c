//! The screen pictures in the README and in docs/TERMINAL.md must be what the screen shows. After a change,
//! `TOUCHMOVE_BLESS=1 cargo test -p touchmove-tui --test it docs_screenshots::` updates them.

use std::path::PathBuf;

use touchmove_game::{Game, Players, Terms, Timestamp};
use touchmove_rules::{AnyPosition, Variant};
use touchmove_tui::screen::{ColorDepth, Message};

use crate::support::screen_player::Seat;

/// The files with pictures, from the root of the repository.
const FILES: [&str; 2] = ["README.md", "docs/TERMINAL.md"];

/// Every picture by its name.
fn pictures() -> Vec<(&'static str, Seat)> {
    let mut pictures = vec![
        ("start", Seat::at_start(80, 24)),
        ("game", game()),
        ("small", small()),
        ("blast", blast()),
        ("illegal", illegal()),
        ("list", list()),
    ];
    for (_, seat) in &mut pictures {
        // Markdown text has no colours, so it shows the screen under NO_COLOR.
        seat.model.look.depth = ColorDepth::None;
    }
    pictures
}

/// A game of two players with clocks, in which every move takes a while.
fn between(terms: Terms, columns: u16, rows: u16, moves: &str) -> Seat {
    let players = Players {
        white: "Anna".to_owned(),
        black: "Ben".to_owned(),
    };
    let mut seat = Seat::at_game(Game::begin(terms, players, Timestamp(0)), columns, rows);
    for (ply, mv) in (0..).zip(moves.split(' ')) {
        seat.now += 4_000 + 2_300 * (ply % 4);
        seat.play(mv);
    }
    seat
}

fn timed(time: &str) -> Terms {
    Terms {
        time: Some(time.parse().expect("a time control")),
        ..Terms::of(Variant::Chess)
    }
}

/// The fishing pole of the Spanish Opening; White considers taking the bishop.
fn game() -> Seat {
    let moves = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Bg4 h3 h5 d3 Qf6";
    let mut seat = between(timed("5+3"), 96, 38, moves);
    seat.strike("hxg4");
    seat
}

fn small() -> Seat {
    between(timed("5+3"), 40, 20, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6")
}

/// The knight would capture the queen, and the king beside her would explode.
fn blast() -> Seat {
    let mut seat = between(Terms::of(Variant::Atomic), 80, 24, "Nf3 f6 Nd4 Nh6");
    seat.strike("Ne6<enter>").play("Nf7").strike("Nxd8");
    seat
}

/// The bishop is pinned to its king on the file.
fn illegal() -> Seat {
    let fen = "4r1k1/pp3ppp/8/8/8/4B3/PP3PPP/R3K2R w KQ - 0 1";
    let start = AnyPosition::from_fen(fen, Variant::Chess).expect("a position");
    let mut seat = between(Terms::from(start), 80, 24, "a3 a6");
    seat.strike("Bd4<enter>");
    seat
}

fn list() -> Seat {
    let games = r#"
[Event "London"]
[Date "1851.06.21"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]

1. e4 1-0

[Event "Paris"]
[Date "1858.??.??"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]

1. e4 1-0

[Event "New York"]
[Date "1956.10.17"]
[White "Byrne, Donald"]
[Black "Fischer, Robert James"]

1. Nf3 0-1
"#;
    let mut seat = Seat::at_start(80, 20);
    seat.send(Message::Opened("immortal.pgn".into(), games.into()));
    seat.strike("<down>");
    seat
}

/// A file with every picture in it updated: the text between a marker and the end of the fence that follows it.
fn repainted(text: &str, pictures: &[(&str, Seat)]) -> (String, Vec<String>) {
    const MARKER: &str = "<!-- picture: ";
    const FENCE: &str = "```";
    let mut painted = String::new();
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(MARKER) {
        let (name, after) = after.split_once(" -->\n").expect("a marker with an end");
        let old = after.strip_prefix("```text\n");
        let old = old.unwrap_or_else(|| panic!("a fence follows the marker of {name}"));
        let (_, behind) = old.split_once(FENCE).expect("the end of the fence");
        let seat = pictures.iter().find(|(known, _)| *known == name);
        let (_, seat) = seat.unwrap_or_else(|| panic!("there is no picture {name}"));
        let picture = seat.text();
        painted += &format!("{before}{MARKER}{name} -->\n```text\n{picture}{FENCE}");
        names.push(name.to_owned());
        rest = behind;
    }
    (painted + rest, names)
}

#[test]
fn the_pictures_in_the_documents_are_what_the_screen_shows() {
    let pictures = pictures();
    let is_blessing = std::env::var_os("TOUCHMOVE_BLESS").is_some();
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut shown = Vec::new();
    for file in FILES {
        let path = root.join(file);
        let text = std::fs::read_to_string(&path).expect("a document");
        let (painted, names) = repainted(&text, &pictures);
        shown.extend(names);
        if is_blessing {
            std::fs::write(&path, &painted).expect("a document");
        } else {
            assert_eq!(text, painted, "{file}: TOUCHMOVE_BLESS=1 paints it anew");
        }
    }
    for (name, _) in &pictures {
        assert!(
            shown.iter().any(|used| used == name),
            "{name} is nowhere shown"
        );
    }
}
