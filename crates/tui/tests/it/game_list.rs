//! Files of games on the screen: the list, finding a game in it, and looking through one.

use std::path::PathBuf;

use insta::assert_snapshot;
use ratatui::layout::Position;
use touchmove_rules::Square;
use touchmove_tui::screen::{ActiveScreen, Message};

use crate::support::screen_player::Seat;

const GAMES: &str = r#"
[Event "London"]
[Date "1851.06.21"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Result "1-0"]

{The Immortal Game.} 1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 $6 {Bryan's
counter-gambit.} 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 1-0

[Event "Club evening"]
[Date "2026.11.15"]
[White "Anna"]
[Black "Ben"]
[Result "0-1"]

1. f3 {[%clk 0:04:58]} e5 {[%clk 0:05:01]} 2. g4 $4 {[%clk 0:04:31]} Qh4# {[%clk 0:04:59]} 0-1

[Variant "Atomic"]
[White "Zoë"]
[Black "A name that is much longer than any column of the list could ever be"]

1. Nf3 a6 2. Ng5 a5 3. Nxf7 1-0

[White "Nobody"]
[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]

*
"#;

/// A seat whose game list was opened from the start screen.
fn opened(text: &str, columns: u16, rows: u16) -> Seat {
    let mut seat = Seat::at_start(columns, rows);
    let path = PathBuf::from("games.pgn");
    seat.send(Message::Opened(path, text.as_bytes().to_vec()));
    seat
}

#[test]
fn a_file_of_several_games_is_listed() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 20)] {
        let seat = opened(GAMES, columns, rows);
        assert_snapshot!(format!("list_{columns}x{rows}"), seat.text());
    }
}

#[test]
fn a_game_is_looked_through_by_arrows_with_its_notes_and_clocks() {
    let mut seat = opened(GAMES, 80, 24);
    seat.strike("<enter>");
    assert_snapshot!("study_start", seat.text());
    seat.strike("<right><right><right><right><right><right><right><right>");
    assert_snapshot!("study_note", seat.text());
    seat.strike("<left>");
    assert_eq!(seat.table().plies_shown(), 7);
    seat.strike("<down>");
    assert_eq!(seat.table().plies_shown(), 13);
    seat.strike("<up>n<down>");
    assert_eq!(seat.moves(), "f3 e5 g4 Qh4#");
    assert_snapshot!("study_clocks", seat.text());
}

#[test]
fn the_next_and_the_previous_game_are_one_key_away() {
    let mut seat = opened(GAMES, 80, 24);
    seat.strike("<enter>n");
    assert!(seat.words().contains("game 2 of 4"), "{}", seat.text());
    seat.strike("pp");
    assert_eq!(seat.said(), "This is the first game.");
    seat.strike("nnn");
    assert!(
        seat.said().contains("Game 4 cannot be set up"),
        "{}",
        seat.said()
    );
    assert!(seat.words().contains("game 3 of 4"), "{}", seat.text());
    seat.strike("q");
    assert!(matches!(seat.model.scene, ActiveScreen::Contents(_)));
    seat.strike("<esc>");
    assert!(matches!(seat.model.scene, ActiveScreen::Start(_)));
}

#[test]
fn a_game_is_found_by_typing_a_name() {
    let mut seat = opened(GAMES, 80, 24);
    seat.strike("zo");
    assert!(seat.words().contains("1 of 4 games"), "{}", seat.text());
    seat.strike("<enter>");
    assert_eq!(seat.moves(), "Nf3 a6 Ng5 a5 Nxf7#");
    seat.strike("<esc><esc>");
    assert!(seat.words().contains(" 4 games"), "{}", seat.text());
    seat.strike("nobody<enter>");
    assert!(
        seat.words().contains("Game 4 cannot be set up"),
        "{}",
        seat.text()
    );
}

#[test]
fn the_mouse_chooses_and_opens() {
    let mut seat = opened(GAMES, 80, 24);
    let row = seat.text().lines().position(|line| line.contains("Anna"));
    let cell = Position::new(10, row.expect("a row") as u16);
    seat.click_cell(cell).click_cell(cell);
    assert!(seat.words().contains("game 2 of 4"), "{}", seat.text());
    seat.click(Square::E2);
    assert_eq!(
        seat.table().hand,
        Some(Square::E2),
        "a variation can be entered"
    );
}

#[test]
fn a_file_of_one_game_is_opened_at_once_and_left_for_the_start_screen() {
    let mut seat = opened("1. e4 e5 2. Ke3 *", 80, 24);
    seat.strike("<down>");
    assert!(
        seat.words().contains("The file goes on with Ke3"),
        "{}",
        seat.text()
    );
    seat.strike("e4<enter>");
    assert_eq!(seat.moves(), "e4 e5", "nothing is played in a file");
    seat.strike("<c-p>");
    assert_eq!(seat.copied, ["1. e4 e5 2. Ke3 *\n"]);
    seat.strike("q");
    assert!(matches!(seat.model.scene, ActiveScreen::Start(_)));
}

#[test]
fn a_compressed_file_is_told_so() {
    let mut seat = Seat::at_start(80, 24);
    let gzip = b"\x1f\x8b\x08\x00\x00".to_vec();
    seat.send(Message::Opened(PathBuf::from("games.pgn.gz"), gzip));
    assert!(
        seat.words().contains("games.pgn.gz is compressed"),
        "{}",
        seat.text()
    );
}

#[test]
fn a_file_without_games_is_told_so() {
    let seat = opened("\n\n", 80, 24);
    assert!(
        seat.words().contains("games.pgn: there is no game in it."),
        "{}",
        seat.text()
    );
}

#[test]
fn the_library_lists_each_finished_game_once_and_no_unfinished_one() {
    let game = |result: &str, termination: &str, moves: &str| {
        format!(
            "[White \"Anna\"]\n[Black \"Ben\"]\n[Result \"{result}\"]\n\
             [Termination \"{termination}\"]\n\n{moves} {result}\n"
        )
    };
    let files = [
        ("3.pgn", game("0-1", "normal", "1. e4 e5 2. Nf3")),
        ("2.pgn", game("*", "unterminated", "1. e4 e5")),
        ("1.pgn", game("*", "unterminated", "1. e4")),
        ("copy.pgn", game("0-1", "normal", "1. e4 e5 2. Nf3")),
        ("aborted.pgn", game("*", "abandoned", "1. d4")),
    ];
    let files = files.map(|(name, text)| (PathBuf::from(name), text.into_bytes()));
    let mut seat = Seat::at_start(80, 24);
    seat.send(Message::Library(files.to_vec()));
    let text = seat.text();
    assert!(text.contains("2 games"), "{text}");
    assert_eq!(text.matches("0-1").count(), 1, "{text}");
    assert!(text.contains("abandoned"), "{text}");
    let statistics = seat.strike("<f2>").text();
    assert!(!statistics.contains("unterminated"), "{statistics}");
    seat.strike("<esc><del><del>");
    assert_eq!(seat.changed.len(), 2, "its copy goes with it");
}
