//! Keys and clicks with their effects: a position, keys, and the moves and messages after them.

use ratatui::layout::Position;
use touchmove_game::{Ending, Victory};
use touchmove_rules::{Color, Square, Variant};
use touchmove_tui::screen::ScreenTheme;

use crate::support::screen_player::Seat;

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
        // The cursor is on e1.
        (START, "<up><enter><up><up><enter>", "e4"),
        (START, "k<enter>kk<enter>", "e4"),
        (START, "lkk<enter>", ""),
        (START, "llj<enter>hkk<enter>", "Nf3"),
        (START, "<right><right> <left><up><up> ", "Nf3"),
        // Tab selects the next piece that can move.
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
fn a_slip_of_the_fingers_is_guessed_at_and_a_pinned_man_is_not() {
    for (fen, keys, guess) in [
        (START, "Ng3", "Did you mean Nf3 or Nh3?"),
        (START, "e2e5", "Did you mean e4?"),
        ("3rk3/8/8/8/8/8/3B4/3K4 w - - 0 1", "Bc3", ""),
    ] {
        let mut seat = Seat::from_fen(fen);
        seat.strike(keys);
        let typed = seat.words();
        seat.strike("<enter>");
        for text in [typed, seat.said()] {
            let flat = text.replace('\n', " ");
            assert!(flat.contains(guess), "{keys}: {text}");
            assert_eq!(flat.contains("Did you mean"), !guess.is_empty(), "{text}");
        }
    }
}

#[test]
fn what_is_typed_is_answered_while_it_is_typed() {
    for (keys, said) in [
        ("e", "e3  e4"),
        ("e4", "awn e2 to e4"),
        ("N", "Na3  Nc3  Nf3  Nh3"),
        ("e5", "pawn on e2"),
        ("tak", "ask to take the last move back"),
        ("xyz", "is not a move"),
    ] {
        let mut seat = Seat::from_fen(START);
        seat.strike(keys);
        assert!(seat.words().contains(said), "{keys}: {}", seat.text());
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
fn the_game_is_gone_through_and_returned_to() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.play("e4 e5 Nf3").strike("<pgup><pgup>");
    assert_eq!(seat.table().plies_shown(), 1);
    assert!(seat.words().contains("ply 1 of 3"), "{}", seat.text());
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
    assert_eq!(seat.model.look.theme, ScreenTheme::ALL[1]);
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
        seat.model.next_wakeup(),
        None,
        "without clocks nothing ever changes by itself"
    );
}

#[test]
fn no_key_and_no_click_is_too_much() {
    // A hundred thousand keys and clicks from a fixed pseudo-random generator.
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
                        seat.strike(&format!("<esc>{}<enter>", mv.to_uci()));
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

#[test]
fn castling_onto_the_square_of_a_kings_step_is_castling() {
    let fen = "4k3/8/8/8/8/8/8/R2K3R w HA - 0 1";
    let mut seat = Seat::from_fen_of(Variant::Chess960, fen);
    seat.strike("O-O-O<enter>");
    assert_eq!(seat.moves(), "O-O-O");
    let mut seat = Seat::from_fen_of(Variant::Chess960, fen);
    seat.strike("Kc1<enter>");
    assert_eq!(seat.moves(), "Kc1");
}

#[test]
fn a_move_is_never_capitalised() {
    let mut seat = Seat::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    let words = seat.strike("a8").words();
    assert!(words.contains("a8=B a8=N a8=Q+ a8=R+"), "{words}");
    assert!(!words.contains("A8"), "{words}");
    let mut seat = Seat::from_fen("4k3/8/p7/8/P7/8/8/4K3 w - - 0 1");
    let words = seat.strike("a").words();
    assert!(words.contains("a5: pawn a4 to a5."), "{words}");
}
