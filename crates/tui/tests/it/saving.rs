//! Saving: the messages about a game that is not saved, the archiving of finished games, alerts, and the unfinished
//! games that are offered.

use std::path::PathBuf;

use touchmove_game::{Game, Players, Terms, Timestamp};
use touchmove_rules::Variant;
use touchmove_tui::screen::{ActiveScreen, Alerts, Message, ResumableGame, StartItem};

use crate::support::screen_player::Seat;

const WHY: &str = "This game is not kept: /full/games: No space left on device (os error 28).";

#[test]
fn a_game_that_is_not_kept_says_so_until_it_is() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.send(Message::Unkept(WHY.to_owned()));
    assert!(seat.said().contains("/full/games") && seat.said().contains("save"));
    seat.play("e4 e5");
    for keys in ["", "<esc>", "Nf3<enter>"] {
        let text = seat.strike(keys).words();
        assert!(
            text.contains("NOT KEPT") && text.contains("/full/games"),
            "{text}"
        );
    }
    let text = seat.strike("<c-q>").words();
    assert!(
        text.contains("It is NOT") && !text.contains("resumed"),
        "{text}"
    );
    seat.strike("s/elsewhere/a b.pgn<enter>");
    let (path, pgn) = &seat.saved[0];
    assert_eq!(path, "/elsewhere/a b.pgn");
    assert!(pgn.contains("1. e4 e5 2. Nf3"), "{pgn}");
    seat.send(Message::Kept);
    let text = seat.words();
    assert!(
        text.contains("touchmove") && text.contains("kept again"),
        "{text}"
    );
}

#[test]
fn a_game_in_which_nothing_has_happened_is_not_called_kept() {
    for keys in ["<c-q>", "<c-b>", "<c-a>"] {
        let mut seat = Seat::at(Variant::Chess, 80, 24);
        let text = seat.strike(keys).words();
        assert!(
            text.contains("No move was played: nothing is kept."),
            "{text}"
        );
        assert!(!text.contains("resumed"), "{text}");
        let text = seat.strike("n").play("e4").strike(keys).words();
        assert!(text.contains("kept and can be resumed."), "{text}");
    }
}

#[test]
fn a_game_that_is_left_unkept_is_put_by_to_be_shown() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.send(Message::Unkept(WHY.to_owned()));
    seat.play("e4").strike("<c-b>y");
    assert!(
        seat.model.parting[0].contains("1. e4"),
        "{:?}",
        seat.model.parting
    );
}

#[test]
fn a_game_that_is_over_goes_into_the_library_and_its_path_is_told() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.play("f3 e5 g4 Qh4");
    assert_eq!(seat.shelved.len(), 1);
    assert!(seat.shelved[0].ending().is_some());
    seat.send(Message::Shelved(PathBuf::from("/games/a.pgn")));
    assert!(
        seat.words().contains("In the library: /games/a.pgn"),
        "{}",
        seat.text()
    );
}

#[test]
fn players_are_called_when_time_is_short_and_when_the_game_is_over() {
    let time = Some("0:12".parse().expect("a time control"));
    let terms = Terms {
        time,
        ..Terms::of(Variant::Chess)
    };
    let mut seat = Seat::with(terms, 80, 24);
    seat.model.call = Alerts::default();
    seat.wait(1_000);
    assert_eq!(seat.rings, 0);
    seat.wait(2_000);
    assert_eq!(seat.rings, 1, "ten seconds are left");
    assert!(seat.model.flash.is_some());
    seat.wait(500);
    assert_eq!((seat.rings, seat.model.flash), (1, None));
    seat.wait(9_000);
    assert_eq!(seat.rings, 2, "the flag has fallen");
    seat.model.call = Alerts::NO_ALERTS;
    seat.strike("<esc>");
    assert_eq!(seat.rings, 2);
}

#[test]
fn a_call_ends_though_the_players_have_left_the_table() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.model.call = Alerts::default();
    seat.play("f3 e5 g4 Qh4");
    assert!(seat.model.flash.is_some());
    seat.strike("n");
    assert!(seat.model.table().is_none(), "{}", seat.text());
    seat.wait(500);
    assert_eq!(seat.model.flash, None);
    assert_eq!(
        seat.model.next_wakeup(),
        None,
        "nothing goes on at the start screen"
    );
}

fn waiting(count: usize) -> Vec<ResumableGame> {
    let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    let waits = |number| ResumableGame {
        game: game.clone(),
        path: PathBuf::from(format!("/games/{number}.jsonl")),
        date: "2026.11.17".to_owned(),
    };
    (0..count).map(waits).collect()
}

#[test]
fn every_unfinished_game_is_offered_and_can_be_thrown_away() {
    let mut seat = Seat::at_start(80, 24);
    seat.send(Message::Found(waiting(3)));
    assert!(
        seat.words().contains("1 of 3: White – Black"),
        "{}",
        seat.text()
    );
    seat.strike("<right><right><enter>");
    assert_eq!(seat.touched, [PathBuf::from("/games/2.jsonl")]);
    seat.strike("<left><del>");
    assert_eq!(seat.touched.len(), 1, "it is asked first");
    seat.strike("<del>");
    assert_eq!(seat.touched[1], PathBuf::from("/games/1.jsonl"));
    seat.send(Message::Found(Vec::new()));
    let ActiveScreen::Start(start) = &seat.model.scene else {
        panic!("the start screen");
    };
    assert_eq!(start.item, StartItem::Play);
}

#[test]
fn a_game_that_waited_is_gone_on_with_and_its_warning_told() {
    let mut seat = Seat::at_start(80, 24);
    let game = waiting(1).remove(0).game;
    let warning = Some("A damaged autosave is kept.".to_owned());
    seat.send(Message::Resumed(Box::new(game), warning));
    assert!(
        seat.words().contains("A damaged autosave"),
        "{}",
        seat.text()
    );
}

#[test]
fn a_path_that_was_refused_stays_to_be_edited() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.play("e4").strike("save /there/a.pgn<enter>");
    seat.send(Message::Unsaved {
        path: "/there/a.pgn".to_owned(),
        why: "/there/a.pgn is there already: give another name.".to_owned(),
    });
    let words = seat.words();
    assert!(words.contains("› save /there/a.pgn"), "{words}");
    assert!(words.contains("give another name"), "{words}");
    seat.strike("<back><back><back><back>2.pgn<enter>");
    assert_eq!(seat.saved[1].0, "/there/a2.pgn");
    seat.send(Message::Saved(PathBuf::from("/there/a2.pgn")));
    assert!(seat.table().line.is_empty());
    seat.strike("save /there/b<enter>");
    seat.send(Message::Unsaved {
        path: "/there/b".to_owned(),
        why: "/there/b is there already: give another name.".to_owned(),
    });
    seat.strike("c<enter>");
    assert_eq!(seat.saved[3].0, "/there/bc", "a letter goes on with it");
}
