//! Games of files with their variations: stepped through, added to and saved; and the features that only the
//! library has.

use std::path::PathBuf;

use touchmove_pgn::Document;
use touchmove_rules::Square;
use touchmove_tui::screen::Message;

use crate::support::screen_player::Seat;

const GAME: &str = "[White \"Anna\"]\n[Black \"Ben\"]\n\n1. e4 {[%clk 0:05:00] Best by test.} e5 \
    (1... c5 {Sicilian.} 2. Nf3 (2. c3 d5)) 2. Nf3 $14 Nc6 *\n";

fn studied() -> Seat {
    let mut seat = Seat::at_start(80, 24);
    let path = PathBuf::from("game.pgn");
    seat.send(Message::Opened(path, GAME.as_bytes().to_vec()));
    seat
}

#[test]
fn variations_and_their_comments_are_shown_and_walked() {
    let mut seat = studied();
    seat.strike("<right>");
    let text = seat.words();
    assert!(text.contains("Best by test. Variations: c5 (v)."), "{text}");
    seat.strike("v");
    assert_eq!(seat.moves(), "e4 c5 Nf3");
    let text = seat.words();
    assert!(
        text.contains("Sicilian. Variations: c3 (v).") && text.contains("variation"),
        "{text}"
    );
    seat.strike("v");
    assert_eq!(seat.moves(), "e4 c5 c3 d5", "a variation of the variation");
    seat.strike("m");
    assert_eq!(seat.moves(), "e4 e5 Nf3 Nc6");
    assert_eq!(seat.table().plies_shown(), 1, "where the lines part");
}

/// The game as saved.
fn saved(seat: &mut Seat) -> Document {
    seat.strike("s");
    let (before, after) = seat.changed.pop().expect("a change");
    assert_eq!(String::from_utf8(before).unwrap().trim(), GAME.trim());
    Document::read_all(&after.expect("a text")).remove(0)
}

#[test]
fn comments_signs_and_variations_are_saved_and_nothing_else_is_lost() {
    let mut seat = studied();
    seat.strike("<right>g").strike("c<c-u>");
    for _ in 0.."Best by test.".len() {
        seat.strike("<back>");
    }
    seat.strike("Why not?<enter>");
    seat.strike("<right>a")
        .strike("Bc4<enter>")
        .strike("a")
        .strike("bishop c5<enter>");
    assert_eq!(seat.moves(), "e4 e5 Bc4 Bc5");
    let document = saved(&mut seat);
    let expected = "1. e4 $1 {[%clk 0:05:00]} {Why not?} e5 (1... c5 {Sicilian.} 2. Nf3 (2. c3 d5)) \
                    2. Nf3 $14 (2. Bc4 Bc5) Nc6 *";
    let expected =
        Document::read_all(format!("[White \"Anna\"]\n[Black \"Ben\"]\n\n{expected}").as_bytes());
    let movetext = |document: &Document| {
        document
            .to_string()
            .lines()
            .skip_while(|line| !line.is_empty())
            .collect::<String>()
    };
    assert_eq!(movetext(&document), movetext(&expected[0]));
    seat.send(Message::Changed(PathBuf::from("game.pgn")));
    assert!(seat.said().contains("Saved in game.pgn"), "{}", seat.said());
    seat.strike("q");
    assert!(seat.model.table().is_none(), "nothing is left to warn of");
}

#[test]
fn a_variation_is_entered_on_the_board() {
    let mut seat = studied();
    seat.drag(Square::D2, Square::D4);
    assert_eq!(seat.moves(), "d4");
    seat.strike("m<right>").click(Square::G8).click(Square::F6);
    assert_eq!(seat.moves(), "e4 Nf6");
    seat.strike("u");
    assert_eq!(seat.moves(), "e4 e5 Nf3 Nc6", "undone");
    assert!(saved(&mut seat).to_string().contains("(1. d4)"));
}

#[test]
fn what_is_not_saved_is_spoken_of_before_it_is_left() {
    let mut seat = studied();
    seat.strike("<right>gq");
    assert!(seat.said().contains("not saved"), "{}", seat.said());
    seat.strike("q");
    assert!(seat.model.table().is_none());
}

fn library() -> Seat {
    let mut seat = Seat::at_start(80, 24);
    let game = |white: &str, result: &str, ending: &str| {
        let tags = format!("[White \"{white}\"]\n[Black \"Ben\"]\n[Date \"2026.11.17\"]\n");
        let text =
            format!("{tags}[Result \"{result}\"]\n[Ending \"{ending}\"]\n\n1. e4 {result}\n");
        (
            PathBuf::from(format!("/games/{white}.pgn")),
            text.into_bytes(),
        )
    };
    seat.send(Message::Library(vec![
        game("Anna", "1-0", "checkmate"),
        game("Zoë", "0-1", "resignation"),
    ]));
    seat
}

#[test]
fn the_library_is_searched_by_ending_and_result_and_counted() {
    let mut seat = library();
    assert!(seat.words().contains("checkmate"), "{}", seat.text());
    seat.strike("resig");
    assert!(seat.words().contains("1 of 2 games"), "{}", seat.text());
    seat.strike("<esc><f2>");
    let text = seat.words();
    assert!(text.contains("Ben") && text.contains("50%"), "{text}");
    seat.strike("<esc>");
    assert!(seat.words().contains("2 games"), "{}", seat.text());
}

#[test]
fn a_game_is_deleted_when_that_is_asked_for_twice_and_the_shown_ones_are_exported() {
    let mut seat = library();
    seat.strike("<down><del>");
    assert!(seat.changed.is_empty());
    seat.strike("<del>");
    let (game, text) = &seat.changed[0];
    assert!(String::from_utf8_lossy(game).contains("Zoë") && text.is_none());
    seat.strike("anna").strike("<c-s>");
    for _ in 0.."touchmove-games.pgn".len() {
        seat.strike("<back>");
    }
    seat.strike("out.pgn<enter>");
    let (path, pgn) = &seat.saved[0];
    assert_eq!(path, "out.pgn");
    assert!(pgn.contains("Anna") && !pgn.contains("Zoë"), "{pgn}");
}
