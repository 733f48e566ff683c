//! Commands for either side at any time: who resigns, offers and answers is named, by keys or in words; and the
//! input line is parsed, completed, kept and cleared as the players expect.

use touchmove_game::{Draw, Ending, Victory};
use touchmove_rules::{Color, Variant};
use touchmove_tui::screen::Dialog;

use crate::support::screen_player::Seat;

fn at_board() -> Seat {
    Seat::at(Variant::Chess, 80, 24)
}

fn resigned(winner: Color) -> Option<Ending> {
    let by = Victory::Resignation;
    Some(Ending::Win { winner, by })
}

#[test]
fn either_side_resigns_by_keys_and_in_words_and_is_asked_again() {
    for (keys, winner) in [
        ("<c-r>y", Color::Black),
        ("<c-r>oy", Color::White),
        ("resign black<enter>y", Color::White),
        ("resign white<enter>y", Color::Black),
        ("resign<enter>y", Color::Black),
    ] {
        let mut seat = at_board();
        seat.play("e4 e5").strike(keys);
        assert_eq!(seat.table().game.ending(), resigned(winner), "{keys}");
    }
    let mut seat = at_board();
    seat.strike("resign black<enter>");
    let asked = Some(Dialog::Resign { by: Color::Black });
    assert_eq!(seat.table().dialog, asked);
    seat.strike("n");
    assert_eq!(seat.table().game.ending(), None);
}

#[test]
fn the_player_who_has_just_moved_offers_a_draw() {
    for keys in [
        "<c-d>y",
        "<c-d><enter>",
        "draw black<enter>",
        "draw<enter>y",
    ] {
        let mut seat = at_board();
        seat.play("e4 e5").strike(keys);
        assert_eq!(seat.table().game.draw_offer(), Some(Color::Black), "{keys}");
    }
    let mut seat = at_board();
    seat.play("e4 e5").strike("draw white<enter><c-d>");
    let agreed = Some(Ending::Draw(Draw::Agreement));
    assert_eq!(seat.table().game.ending(), agreed, "the other side agrees");
}

#[test]
fn a_draw_and_a_takeback_at_once_can_both_be_answered() {
    let offered = || {
        let mut seat = at_board();
        seat.play("e4 e5")
            .strike("draw black<enter>takeback black<enter>");
        let game = &seat.table().game;
        assert!(game.draw_offer().is_some() && game.takeback_offer().is_some());
        seat
    };
    for (keys, plies, is_over) in [
        ("yd", 2, true),
        ("yt", 1, false),
        ("<c-y>t", 1, false),
        ("accept draw<enter>", 2, true),
        ("accept takeback<enter>", 1, false),
    ] {
        let mut seat = offered();
        seat.strike(keys);
        let game = &seat.table().game;
        assert_eq!(
            (game.plies().len(), game.ending().is_some()),
            (plies, is_over),
            "{keys}"
        );
    }
    for keys in ["<c-n>t", "decline takeback<enter>"] {
        let mut seat = offered();
        seat.strike(keys);
        let game = &seat.table().game;
        assert_eq!(game.takeback_offer(), None, "{keys}");
        assert_eq!(game.draw_offer(), Some(Color::Black), "{keys}");
    }
    let text = offered().words();
    assert!(text.contains("offers a draw, and Black asks"), "{text}");
}

#[test]
fn words_ask_for_what_they_say() {
    let mut seat = at_board();
    seat.play("e4 e5").strike("undo<enter>");
    assert!(seat.table().game.takeback_offer().is_some());
    seat.strike("exit<enter>");
    assert_eq!(seat.table().dialog, Some(Dialog::Quit));
    seat.strike("n").strike("new<enter>");
    assert_eq!(seat.table().dialog, Some(Dialog::Leave { rematch: false }));
    seat.strike("n").strike("rematch<enter>");
    assert_eq!(seat.table().dialog, Some(Dialog::Leave { rematch: true }));
    seat.strike("n").strike("resign green<enter>");
    assert!(
        seat.said().contains("resign white, or resign black"),
        "{}",
        seat.said()
    );
}

#[test]
fn moves_are_typed_in_words_too() {
    for (typed, played) in [
        ("e2 to e4", "e4"),
        ("e2,e4", "e4"),
        ("knight f3", "Nf3"),
        ("pawn to d4", "d4"),
    ] {
        let mut seat = at_board();
        seat.strike(&format!("{typed}<enter>"));
        assert_eq!(seat.moves(), played, "{typed}: {}", seat.said());
    }
    let mut seat = at_board();
    seat.play("e4 d5").strike("ed<enter>");
    assert_eq!(seat.moves(), "e4 d5 exd5");
    let mut seat = Seat::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    seat.strike("castle<enter>");
    assert!(seat.said().contains("O-O or O-O-O"), "{}", seat.said());
    seat.strike("castle queenside<enter>");
    assert_eq!(seat.moves(), "O-O-O");
    let mut seat = at_board();
    seat.strike("e e4<enter>");
    assert_eq!(seat.moves(), "", "two files are not a move");
}

#[test]
fn a_rejected_entry_stays_to_be_edited_and_makes_way_for_another() {
    let mut seat = at_board();
    seat.strike("e5<enter>");
    assert_eq!(seat.table().line.text(), "e5");
    assert!(seat.words().contains("› e5"), "{}", seat.text());
    seat.strike("<back>4<enter>");
    assert_eq!(seat.moves(), "e4", "edited");
    seat.strike("e4<enter>").strike("e5<enter>");
    assert_eq!(seat.moves(), "e4 e5", "typed anew");
    seat.strike("Ke3<enter><esc>");
    assert!(seat.table().line.is_empty() && seat.table().notice.is_none());
    seat.strike("Ke3<enter><up><enter>");
    assert!(seat.table().line.is_empty(), "the cursor is used instead");
}

#[test]
fn esc_clears_a_prefix_that_does_not_show() {
    let mut seat = at_board();
    seat.strike("h<esc>4<enter>");
    assert_eq!(seat.moves(), "", "it is not h4");
    seat.strike("<esc>h4<enter>");
    assert_eq!(seat.moves(), "h4");
}

#[test]
fn enter_plays_the_only_completion_that_is_shown() {
    let mut seat = at_board();
    seat.strike("Nf");
    assert!(
        seat.words()
            .contains("Nf3: knight g1 to f3. Enter plays it."),
        "{}",
        seat.text()
    );
    seat.strike("<enter>");
    assert_eq!(seat.moves(), "Nf3");
    seat.strike("N<enter>");
    assert_eq!(seat.moves(), "Nf3", "several moves begin so");
    assert_eq!(seat.table().line.text(), "N", "and the text waits");
}

#[test]
fn control_z_suspends_unless_it_is_the_key_of_something_else() {
    let mut seat = at_board();
    seat.strike("<c-z>");
    assert!(seat.is_suspended);
}
