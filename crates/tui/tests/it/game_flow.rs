//! The course of a game on the screen: the start, offers, claims, explosions, the record, and what comes after the
//! end.

use touchmove_game::position_status::DeadProof;
use touchmove_game::{DeadLaw, Draw, Draws, Ending, Terms, journal};
use touchmove_rules::{AnyPosition, Square, Variant};
use touchmove_tui::screen::{ActiveScreen, Dialog, Message, StartItem};

use crate::support::screen_player::Seat;

const PROMOTION: &str = "8/1P2k3/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn draws_and_takebacks_are_offered_and_answered() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.strike("<c-d>");
    assert!(
        seat.said().contains("only after each side has made a move"),
        "{}",
        seat.said()
    );
    seat.play("e4 e5").strike("<c-d>");
    let text = seat.text();
    assert!(
        text.contains("Does Black offer a draw?"),
        "who moved: {text}"
    );
    seat.strike("oy");
    assert!(
        seat.words().contains("White offers a draw"),
        "{}",
        seat.text()
    );
    seat.strike("<c-n>");
    assert!(seat.said().contains("declines"), "{}", seat.said());
    seat.strike("takeback<enter>");
    assert!(
        seat.words().contains("Black asks to take back"),
        "{}",
        seat.text()
    );
    seat.strike("y");
    assert_eq!(seat.moves(), "e4");
    seat.play("c5")
        .strike("<c-d><enter>")
        .strike("draw black<enter>");
    assert!(seat.said().contains("already offered"), "{}", seat.said());
    seat.strike("<c-y>");
    assert!(
        seat.words().contains("1/2-1/2") && seat.words().contains("agreed"),
        "{}",
        seat.text()
    );
}

#[test]
fn a_claim_is_offered_when_it_can_be_made() {
    let terms = Terms {
        draws: Draws::Claim,
        ..Terms::of(Variant::Chess)
    };
    let mut seat = Seat::with(terms.clone(), 80, 24);
    seat.strike("<c-l>");
    assert!(
        seat.said().contains("The claim is wrong"),
        "{}",
        seat.said()
    );
    seat.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    let text = seat.text();
    assert!(text.contains("Press c to claim it"), "{text}");
    assert!(text.contains("c claim"), "{text}");
    seat.strike("c");
    assert_eq!(seat.table().dialog, Some(Dialog::Claim));
    seat.strike("n");
    assert_eq!(seat.table().game.ending(), None, "it was not confirmed");
    for keys in ["c<enter>", "cy", "claim<enter>", "<c-l>"] {
        let mut seat = Seat::with(terms.clone(), 80, 24);
        seat.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8").strike(keys);
        let draw = Ending::Draw(Draw::ThreefoldRepetition);
        assert_eq!(seat.table().game.ending(), Some(draw), "{keys}");
    }
    let mut seat = Seat::with(terms, 80, 24);
    seat.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1")
        .strike("claim Ng8<enter>");
    assert!(seat.table().game.ending().is_some(), "{}", seat.said());
}

#[test]
fn a_move_that_begins_with_c_is_no_claim() {
    let fen = "4k3/1P1p4/2P5/8/8/3p4/2P5/2R1K3 w - - 0 1";
    let again = "Ke1f1 Ke8f8 Kf1e1 Kf8e8 Ke1f1 Ke8f8 Kf1e1 Kf8e8";
    for (keys, san) in [
        ("c4<enter>", "c4"),
        ("cxd3<enter>", "cxd3"),
        ("c2 c3<enter>", "c3"),
        ("c1b1<enter>", "Rb1"),
        ("cxd7<enter>", "cxd7+"),
        ("c7<back>7<enter>", "c7"),
    ] {
        let start = AnyPosition::from_fen(fen, Variant::Chess).expect("a position");
        let terms = Terms {
            draws: Draws::Claim,
            ..Terms::from(start)
        };
        let mut seat = Seat::with(terms, 80, 24);
        seat.play(again);
        assert!(!seat.table().game.claims().is_empty(), "{}", seat.moves());
        seat.strike(keys);
        assert!(seat.moves().ends_with(san), "{keys}: {}", seat.moves());
    }
}

#[test]
fn a_blast_is_previewed_shown_and_told() {
    let mut seat = Seat::at(Variant::Atomic, 80, 24);
    seat.play("Nf3 a6 Ng5 a5");
    seat.strike("Nxf7");
    let marks = seat.table().marks(touchmove_game::Timestamp(seat.now));
    for square in [Square::G5, Square::F7, Square::E8, Square::G8, Square::F8] {
        assert!(marks.blast.contains(square), "{square}");
    }
    assert!(!marks.blast.contains(Square::E7), "pawns survive");
    assert!(seat.words().contains("blows up"), "{}", seat.text());
    seat.strike("<esc>").click(Square::G5).point(Square::F7);
    assert!(
        seat.table()
            .marks(touchmove_game::Timestamp(seat.now))
            .blast
            .any(),
        "by the mouse too"
    );
    seat.click(Square::F7);
    assert!(seat.table().blast.is_some());
    assert!(seat.words().contains("White wins"), "{}", seat.text());
    while let Some(wake) = seat.model.next_wakeup() {
        let paints = seat.paints;
        seat.wait(wake.0 - seat.now);
        assert!(
            seat.paints > paints,
            "every step is painted, and the end of it too"
        );
    }
    assert!(seat.now < 1_000, "it is soon over");
    assert!(seat.table().blast.is_none());
    seat.strike("<esc>");
    assert!(seat.words().contains("✶"), "{}", seat.text());
}

#[test]
fn an_explosion_can_be_skipped_or_left_out() {
    let mut seat = Seat::at(Variant::Atomic, 80, 24);
    seat.play("e4 d5 exd5");
    assert!(seat.table().blast.is_some());
    seat.strike("<right>");
    assert!(seat.table().blast.is_none());
    let mut seat = Seat::at(Variant::Atomic, 80, 24);
    seat.model.look.animation = false;
    seat.play("e4 d5 exd5");
    assert!(seat.table().blast.is_none());
    assert!(seat.said().contains("blew up"), "{}", seat.said());
}

#[test]
fn one_enter_leads_from_the_start_screen_to_a_standard_game() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<enter>");
    assert_eq!(*seat.table().game.terms(), Terms::of(Variant::Chess));
    assert_eq!(
        journal::replay(&seat.journal).expect("a journal"),
        seat.table().game
    );
}

#[test]
fn the_form_is_filled_in_by_keys() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><right><right><down><right><right><down>Anna<down>Ben<enter>");
    let game = &seat.table().game;
    assert_eq!(game.terms().variant(), Variant::Atomic);
    assert_eq!(
        game.terms().time,
        Some("3+2".parse().expect("a time control"))
    );
    assert_eq!(
        (game.players().white.as_str(), game.players().black.as_str()),
        ("Anna", "Ben")
    );
}

#[test]
fn a_wrong_form_stays_and_says_why() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><down>5+x<enter>");
    assert!(matches!(seat.model.scene, ActiveScreen::Start(_)));
    assert!(
        seat.words().contains("is not a time control"),
        "{}",
        seat.text()
    );
}

#[test]
fn a_pasted_fen_is_the_position_to_start_from() {
    let mut seat = Seat::at_start(80, 24);
    seat.send(Message::Paste(format!("{PROMOTION}\n")));
    seat.strike("<enter>");
    assert_eq!(seat.table().position().fen().to_string(), PROMOTION);
}

#[test]
fn pasted_moves_are_played_one_after_the_other() {
    let paste = |text: &str| {
        let mut seat = Seat::at(Variant::Chess, 80, 24);
        seat.send(Message::Paste(text.to_owned()));
        seat
    };
    assert_eq!(paste("1. e4 e5 2. Nf3 Nc6").moves(), "e4 e5 Nf3 Nc6");
    assert_eq!(paste("e2e4\ne7e5\n").moves(), "e4 e5");
    let seat = paste("e4 e5 Ke3 Nc6");
    assert_eq!(seat.moves(), "e4 e5");
    assert!(seat.said().contains("king"), "{}", seat.said());
    let mut one = paste("e2 e4");
    assert_eq!(one.moves(), "", "a move alone waits for Enter");
    one.strike("<enter>");
    assert_eq!(one.moves(), "e4");
    assert!(paste(PROMOTION).said().contains("That is a position"));
}

#[test]
fn what_is_pasted_at_the_start_screen_finds_its_field() {
    for (keys, text, item) in [
        ("<down><down><down>", PROMOTION, StartItem::Position),
        ("", "'/games/my games.pgn'\n", StartItem::Open),
        ("<down><down><down>", "Anna", StartItem::White),
    ] {
        let mut seat = Seat::at_start(80, 24);
        seat.strike(keys).send(Message::Paste(text.to_owned()));
        let ActiveScreen::Start(start) = &seat.model.scene else {
            panic!("the start screen");
        };
        assert_eq!(start.item, item, "{text}");
        let shown = text.trim().trim_matches('\'');
        assert_eq!(start.text(item), Some(shown));
    }
}

#[test]
fn every_event_is_recorded_and_tells_the_same_game() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><down><right><right><right><enter>");
    for (wait, keys) in [
        (1_000, "e4<enter>"),
        (2_000, "e5<enter>"),
        (500, "<c-d>"),
        (500, "Nf3<enter>"),
        (700, "<c-n>"),
        (900, "<c-t>"),
        (100, "y"),
        (1_500, "Nc3<enter>"),
    ] {
        seat.now += wait;
        seat.strike(keys);
    }
    assert_eq!(seat.moves(), "e4 e5 Nc3");
    let told =
        journal::replay(&seat.journal).unwrap_or_else(|torn| panic!("{torn}\n{}", seat.journal));
    assert_eq!(told, seat.table().game);
    seat.strike("N");
    seat.now += 400_000;
    seat.strike("c6<enter>nrq");
    assert!(seat.table().game.ending().is_some(), "the flag has fallen");
    assert!(
        !seat.is_over,
        "the rest of the move is not taken for an answer"
    );
    assert_eq!(
        journal::replay(&seat.journal).expect("a journal"),
        seat.table().game
    );
}

#[test]
fn a_rematch_swaps_colours() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><down><down>Anna<down>Ben<enter><c-r>y");
    assert!(matches!(seat.table().dialog, Some(Dialog::Over { .. })));
    seat.strike("r");
    assert_eq!(seat.table().game.players().white, "Ben");
    assert_eq!(seat.moves(), "");
}

#[test]
fn a_new_game_is_offered_on_the_terms_of_the_last_one() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><right><right><down><right><right><down>Anna<enter><c-r>y");
    let terms = seat.table().game.terms().clone();
    seat.strike("n<enter>");
    assert_eq!(*seat.table().game.terms(), terms);
    assert_eq!(seat.table().game.players().white, "Anna");
}

#[test]
fn leaving_a_running_game_is_asked_about_and_a_finished_one_is_just_left() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.strike("<c-q>");
    assert_eq!(seat.table().dialog, Some(Dialog::Quit));
    seat.strike("n<c-c>y");
    assert!(seat.is_over);
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.play("f3 e5 g4 Qh4").strike("q");
    assert!(seat.is_over);
}

#[test]
fn position_and_game_are_copied_and_saved() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.play("e4").strike("<c-e><c-p><c-s>");
    assert!(
        seat.copied[0].starts_with("rnbqkbnr/pppppppp/8/8/4P3/"),
        "{}",
        seat.copied[0]
    );
    assert!(seat.copied[1].contains("1. e4"), "{}", seat.copied[1]);
    assert_eq!(seat.saved[0].1, seat.copied[1]);
}

#[test]
fn a_clock_is_looked_at_when_its_face_changes() {
    let time = Some("0:12".parse().expect("a time control"));
    let mut seat = Seat::with(
        Terms {
            time,
            ..Terms::of(Variant::Chess)
        },
        80,
        24,
    );
    let mut looks = 0;
    while seat.table().game.ending().is_none() {
        let wake = seat.model.next_wakeup().expect("a clock runs");
        assert!(wake.0 > seat.now);
        seat.wait(wake.0 - seat.now);
        looks += 1;
    }
    assert_eq!(seat.now, 12_001);
    assert!(
        (100..=105).contains(&looks),
        "once a second, then ten times: {looks}"
    );
}

#[test]
fn a_position_that_is_proved_dead_in_the_background_ends_the_game() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<enter>").play("e4");
    let looked_at = seat.doubted.expect("a longer look at every new position");
    assert_eq!(looked_at.position, *seat.table().game.position());
    seat.play("e5").prove_dead(looked_at, DeadProof::Material);
    assert_eq!(seat.table().game.ending(), None, "the game has gone on");
    seat.strike("takeback<enter>y")
        .prove_dead(looked_at, DeadProof::Material);
    let ending = Ending::Draw(Draw::DeadPosition);
    assert_eq!(seat.table().game.ending(), Some(ending));
    let text = seat.words();
    assert!(
        text.contains("Dead position") && text.contains("1/2-1/2"),
        "{text}"
    );
    assert!(seat.journal.contains("dead_position"), "{}", seat.journal);
    seat.strike("s");
    assert!(
        seat.saved[0].1.contains("{Dead position"),
        "{}",
        seat.saved[0].1
    );
}

#[test]
fn no_longer_look_is_taken_where_dead_positions_are_played_on() {
    let terms = Terms {
        dead: DeadLaw::Off,
        ..Terms::of(Variant::Chess)
    };
    let mut seat = Seat::with(terms, 80, 24);
    seat.play("e4 e5");
    assert_eq!(seat.doubted, None);
}

/// The random start is visible and can be redrawn as often as the players like.
#[test]
fn a_start_of_chess960_can_be_redrawn_before_the_game() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><right>");
    assert!(seat.words().contains("Chess960"), "{}", seat.text());
    seat.strike(&"<up>".repeat(9));
    assert!(seat.words().contains("number "), "{}", seat.text());
    let drawn = |seat: &Seat| match &seat.model.scene {
        ActiveScreen::Start(start) => start.form.position.clone(),
        _ => panic!("the start screen is there"),
    };
    seat.strike("<right>");
    let first = drawn(&seat);
    seat.strike("<right>");
    let second = drawn(&seat);
    assert_ne!(first, second, "another lot");
    seat.strike("<enter>");
    let start = seat.table().game.terms().start;
    assert_eq!(start.chess960_number(), second.parse().ok());
}

/// [002-4 to 002-7]
#[test]
fn the_help_page_of_simple_atomic_speaks_of_its_own_moves() {
    for (variant, has_all) in [(Variant::Chess, true), (Variant::SimpleAtomic, false)] {
        let mut seat = Seat::at(variant, 120, 60);
        seat.strike("?");
        let page = seat.text();
        for word in ["0-0", "e8=Q", "in check"] {
            assert_eq!(page.contains(word), has_all, "{variant}: {word} in {page}");
        }
    }
}

/// [004-7]
#[test]
fn a_start_that_no_game_can_reach_is_played_with_a_warning() {
    let seat = Seat::from_fen("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1");
    assert!(
        seat.said()
            .contains("No game can lead to this position: White has 9 pawns"),
        "{}",
        seat.said()
    );
}
