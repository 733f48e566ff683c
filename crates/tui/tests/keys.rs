//! Keys and clicks against what comes of them: a position, keys, and the moves and words after them.

mod seat;

use ratatui::layout::Position;
use seat::Seat;
use touchmove_game::{Draw, Draws, Ending, Terms, Victory, journal};
use touchmove_rules::{AnyPosition, Color, Square, Variant};
use touchmove_tui::screen::{Dialog, Scene, Theme};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const CASTLING: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
const BISHOP_AND_PAWN: &str = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
const PROMOTION: &str = "8/1P2k3/8/8/8/8/8/4K3 w - - 0 1";

#[test]
fn keys_lead_to_the_moves_that_a_person_means() {
    for (fen, keys, moves) in [
        (START, "b4<enter>", "b4"),
        (START, "e2e4<enter>", "e4"),
        (START, "e2 e4<enter>", "e4"),
        (START, "NF3<enter>", "Nf3"),
        (START, "nf3<enter>", "Nf3"),
        (START, "h4<enter>", "h4"),
        (START, "e5<esc>e4<enter>", "e4"),
        (START, "e5<back>4<enter>", "e4"),
        (START, "e4<enter>e5<enter>ke2<enter>", "e4 e5 Ke2"),
        (BISHOP_AND_PAWN, "bxc3<enter>", "bxc3"),
        (BISHOP_AND_PAWN, "Bxc3<enter>", "Bxc3"),
        (CASTLING, "0-0<enter>", "O-O"),
        (CASTLING, "o-o<enter>", "O-O"),
        (CASTLING, "e1g1<enter>", "O-O"),
        (PROMOTION, "b7b8q<enter>", "b8=Q"),
        (PROMOTION, "b8=N<enter>", "b8=N"),
        (PROMOTION, "b8<enter>r", "b8=R"),
        (PROMOTION, "b8<enter><right><enter>", "b8=R"),
        (PROMOTION, "b8<enter><esc>", ""),
        // The cursor stands on e1.
        (START, "<up><enter><up><up><enter>", "e4"),
        (START, "k<enter>kk<enter>", "e4"),
        (START, "lkk<enter>", ""),
        (START, "llj<enter>hkk<enter>", "Nf3"),
        (START, "<right><right> <left><up><up> ", "Nf3"),
        // Tab takes the next man that can move.
        (START, "<tab><up><up><right><enter>", "Nh3"),
        (START, "<backtab><left><up><up><enter>", "Na3"),
    ] {
        let mut seat = Seat::from_fen(fen);
        seat.strike(keys);
        assert_eq!(seat.moves(), moves, "{keys} in {fen}");
    }
}

#[test]
fn the_mouse_clicks_and_drags() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.click(Square::E2).click(Square::E4);
    assert_eq!(seat.moves(), "e4");
    seat.drag(Square::E7, Square::E5);
    assert_eq!(seat.moves(), "e4 e5");
    seat.click(Square::G1).click(Square::B1).click(Square::C3);
    assert_eq!(
        seat.moves(),
        "e4 e5 Nc3",
        "another man of one's own is taken instead"
    );
    seat.drag(Square::B8, Square::B8).click(Square::C6);
    assert_eq!(seat.moves(), "e4 e5 Nc3 Nc6", "a click is not a drag");
}

#[test]
fn the_mouse_finds_its_squares_at_every_size_and_from_both_sides() {
    for (columns, rows) in [
        (40, 20),
        (80, 24),
        (100, 30),
        (120, 40),
        (160, 50),
        (220, 60),
    ] {
        let mut seat = Seat::at(Variant::Chess, columns, rows);
        seat.click(Square::E2).click(Square::E4).strike("<c-f>");
        seat.drag(Square::E7, Square::E5);
        assert_eq!(seat.moves(), "e4 e5", "{columns}x{rows}");
    }
}

#[test]
fn the_mouse_chooses_what_a_pawn_becomes() {
    let mut seat = Seat::from_fen(PROMOTION);
    seat.drag(Square::B7, Square::B8);
    let text = seat.text();
    let row = text
        .lines()
        .position(|line| line.contains("knight"))
        .expect("a choice");
    let line = text.lines().nth(row).expect("a row");
    let column = line
        .find("knight")
        .map(|at| line[..at].chars().count())
        .expect("a column");
    seat.click_cell(Position::new(column as u16, row as u16));
    assert_eq!(seat.moves(), "b8=N");
}

#[test]
fn an_illegal_move_is_explained_and_its_evidence_lit() {
    let mut seat = Seat::from_fen("3rk3/8/8/8/8/8/3B4/3K4 w - - 0 1");
    seat.strike("Bc3<enter>");
    assert_eq!(seat.moves(), "");
    assert!(
        seat.said().contains("pinned") && seat.said().contains("rook on d8"),
        "{}",
        seat.said()
    );
    assert!(seat.table().evidence.contains(Square::D8));
    seat.strike("Be1<enter>");
    assert!(seat.table().evidence.any());
    seat.drag(Square::D2, Square::D4);
    assert!(
        seat.said().starts_with("The bishop on d2"),
        "{}",
        seat.said()
    );
    seat.strike("hello<enter>");
    assert!(seat.said().contains("is not a move"), "{}", seat.said());
}

#[test]
fn what_is_typed_is_answered_while_it_is_typed() {
    for (keys, said) in [
        ("e", "e3  e4"),
        ("e4", "pawn e2 to e4"),
        ("N", "Na3  Nc3  Nf3  Nh3"),
        ("e5", "the pawn on e2"),
        ("tak", "ask to take the last move back"),
        ("xyz", "is not a move"),
    ] {
        let mut seat = Seat::from_fen(START);
        seat.strike(keys);
        assert!(seat.text().contains(said), "{keys}: {}", seat.text());
    }
}

#[test]
fn words_and_keys_ask_for_the_same_things() {
    for keys in ["resign<enter>y", "res<enter>y", "<c-r>y"] {
        let mut seat = Seat::at(Variant::Chess, 80, 24);
        seat.strike(keys);
        let ending = Ending::Win {
            winner: Color::Black,
            by: Victory::Resignation,
        };
        assert_eq!(seat.table().game.ending(), Some(ending), "{keys}");
    }
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.strike("<c-r>n");
    assert_eq!(seat.table().game.ending(), None);
}

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
    assert!(
        seat.text().contains("White offers a draw"),
        "{}",
        seat.text()
    );
    seat.strike("<c-n>");
    assert!(seat.said().contains("declines"), "{}", seat.said());
    seat.strike("takeback<enter>");
    assert!(
        seat.text().contains("Black asks to take back"),
        "{}",
        seat.text()
    );
    seat.strike("y");
    assert_eq!(seat.moves(), "e4");
    seat.play("c5").strike("<c-d>").strike("draw<enter>");
    assert!(seat.said().contains("already offered"), "{}", seat.said());
    seat.strike("<c-y>");
    assert!(
        seat.text().contains("1/2-1/2") && seat.text().contains("agreed"),
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
fn a_fallen_flag_ends_the_game_and_nothing_moves_after_it() {
    let time = Some("0:10".parse().expect("a time control"));
    let mut seat = Seat::with(
        Terms {
            time,
            ..Terms::of(Variant::Chess)
        },
        80,
        24,
    );
    seat.wait(9_950);
    assert!(seat.text().contains("0:00.0"), "{}", seat.text());
    seat.wait(60);
    let ending = Ending::Win {
        winner: Color::Black,
        by: Victory::FlagFall,
    };
    assert_eq!(seat.table().game.ending(), Some(ending));
    assert!(seat.text().contains("⚑"), "{}", seat.text());
    seat.strike("<esc>e4<enter>").drag(Square::E2, Square::E4);
    assert_eq!(seat.moves(), "");
}

#[test]
fn a_quiet_game_goes_on_beyond_fifty_plies() {
    let mut seat = Seat::from_fen("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1");
    for step in 0..30 {
        let file = b"abcd"[step % 4] as char;
        let rank = 1 + (step * 3) % 7;
        seat.play(&format!("R{file}{rank}"));
        let file = b"hgf"[step % 3] as char;
        seat.play(&format!("R{file}{}", 8 - (step * 2) % 6));
    }
    assert!(seat.table().game.ending().is_none(), "{}", seat.text());
}

#[test]
fn the_game_is_gone_through_and_returned_to() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.play("e4 e5 Nf3").strike("<pgup><pgup>");
    assert_eq!(seat.table().plies_shown(), 1);
    assert!(seat.text().contains("ply 1 of 3"), "{}", seat.text());
    seat.strike("Nc6<enter>");
    assert_eq!(seat.moves(), "e4 e5 Nf3", "nothing is played in the past");
    seat.strike("<esc><home>");
    assert_eq!(seat.table().plies_shown(), 0);
    seat.strike("<end>Nc6<enter>");
    assert_eq!(seat.moves(), "e4 e5 Nf3 Nc6");
}

#[test]
fn a_move_in_the_list_can_be_clicked() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.play("e4 e5 Nf3");
    let text = seat.text();
    let row = text
        .lines()
        .position(|line| line.contains("e5"))
        .expect("a move");
    let line = text.lines().nth(row).expect("a row");
    let column = line
        .find("e5")
        .map(|at| line[..at].chars().count())
        .expect("a column");
    seat.click_cell(Position::new(column as u16, row as u16));
    assert_eq!(seat.table().plies_shown(), 2);
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
    assert!(seat.text().contains("blows up"), "{}", seat.text());
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
    assert!(seat.text().contains("White wins"), "{}", seat.text());
    seat.wait(1_000);
    assert!(seat.table().blast.is_none(), "it is soon over");
    seat.strike("<esc>");
    assert!(seat.text().contains("✶"), "{}", seat.text());
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
    assert!(matches!(seat.model.scene, Scene::Start(_)));
    assert!(
        seat.text().contains("is not a time control"),
        "{}",
        seat.text()
    );
}

#[test]
fn a_pasted_fen_is_the_position_to_start_from() {
    let mut seat = Seat::at_start(80, 24);
    seat.send(touchmove_tui::screen::Message::Paste(format!(
        "{PROMOTION}\n"
    )));
    seat.strike("<enter>");
    assert_eq!(seat.table().position().fen().to_string(), PROMOTION);
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
fn the_board_turns_by_hand_and_with_every_move() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.strike("<c-f>");
    assert_eq!(seat.table().near, Color::Black);
    seat.strike("<c-f><c-g>").play("e4");
    assert_eq!(seat.table().near, Color::Black);
    seat.play("e5");
    assert_eq!(seat.table().near, Color::White);
}

#[test]
fn the_theme_changes() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    let before = seat.style_at(Square::E4);
    seat.strike("<c-o>");
    assert_eq!(seat.model.look.theme, Theme::ALL[1]);
    assert_ne!(seat.style_at(Square::E4), before);
}

#[test]
fn the_cursor_sits_on_the_focused_square() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.strike("<up><right>");
    assert_eq!(seat.cursor(), seat.cell_of(Square::F2));
    seat.strike("<c-f>");
    assert_eq!(seat.cursor(), seat.cell_of(Square::F2));
}

#[test]
fn nothing_is_painted_when_nothing_changes() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.wait(1_000).wait(1_000);
    seat.point(Square::E4).point(Square::E5);
    assert_eq!(seat.paints, 0);
    assert_eq!(
        seat.model.wake(),
        None,
        "without clocks nothing ever changes by itself"
    );
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
        let wake = seat.model.wake().expect("a clock runs");
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
fn no_key_and_no_click_is_too_much() {
    // A hundred thousand keys and clicks that a fixed generator draws.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut draw = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    const KEYS: [&str; 40] = [
        "<enter>",
        "<esc>",
        "<tab>",
        "<backtab>",
        "<left>",
        "<right>",
        "<up>",
        "<down>",
        "<pgup>",
        "<pgdn>",
        "<home>",
        "<end>",
        "<c-d>",
        "<c-t>",
        "<c-y>",
        "<c-n>",
        "<c-f>",
        "<c-o>",
        "<c-a>",
        "<c-b>",
        "<c-l>",
        "?",
        "y",
        "n",
        "q",
        "e4",
        "Nf3",
        "h",
        "j",
        "k",
        "l",
        "O-O",
        "x",
        "8",
        "=",
        " ",
        "<back>",
        "ä",
        "<c-e>",
        "<c-g>",
    ];
    for variant in Variant::ALL {
        let mut seat = Seat::at(variant, 80, 24);
        for step in 0..25_000_u64 {
            match draw(4) {
                0 => {
                    let cell = Position::new(draw(90) as u16, draw(30) as u16);
                    seat.click_cell(cell);
                }
                1 => {
                    let moves = seat
                        .model
                        .table()
                        .map(|table| table.game.position().legal_moves());
                    if let Some(mv) = moves.and_then(|list| list.get(draw(30) as usize).copied()) {
                        seat.strike(&format!("<esc>{}<enter>", mv.attempt()));
                    }
                }
                _ => {
                    seat.strike(KEYS[draw(KEYS.len() as u64) as usize]);
                }
            }
            if step % 500 == 0 {
                let (columns, rows) = (draw(150) as u16, draw(60) as u16);
                seat.send(touchmove_tui::screen::Message::Resize(columns, rows));
                seat.text();
                seat.send(touchmove_tui::screen::Message::Resize(80, 24));
                seat.text();
            }
        }
    }
}
