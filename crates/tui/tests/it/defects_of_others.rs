//! Defects of other chess programs for terminals, one test for each: `b4` cannot be typed, games end after fifty
//! plies or go on after the flag, ranks are mislabelled, the program fails without colours or when a king explodes,
//! two people cannot play at one keyboard.

use touchmove_game::{DeadLaw, Ending, Players, Terms, Victory};
use touchmove_rules::{AnyPosition, Color, Role, Setup, Square, Variant};
use touchmove_tui::screen::{ActiveScreen, ColorDepth, Dialog, Layout, Message, StartItem};

use crate::support::screen_player::Seat;

#[test]
fn b4_can_be_typed() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.strike("b4<enter>");
    assert_eq!(seat.moves(), "b4");
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
    assert!(seat.words().contains("0:00.0"), "{}", seat.text());
    seat.wait(60);
    let ending = Ending::Win {
        winner: Color::Black,
        by: Victory::FlagFall,
    };
    assert_eq!(seat.table().game.ending(), Some(ending));
    assert!(seat.words().contains("⚑"), "{}", seat.text());
    seat.strike("<esc>e4<enter>").drag(Square::E2, Square::E4);
    assert_eq!(seat.moves(), "");
}

#[test]
fn a_quiet_game_goes_on_beyond_fifty_plies() {
    let mut seat = Seat::from_fen("7k/1r6/8/8/8/8/1R6/K7 w - - 0 1");
    for step in 1..=30 {
        // Rooks that circle over six and five files never repeat a position.
        for (files, rank) in [("bcdefg", 2), ("bcdef", 7)] {
            let before = seat.table().game.plies().len();
            let file = files.as_bytes()[step % files.len()] as char;
            seat.strike(&format!("R{file}{rank}<enter>"));
            assert_eq!(
                seat.table().game.plies().len(),
                before + 1,
                "{}",
                seat.said()
            );
        }
    }
    assert_eq!(seat.table().game.plies().len(), 60);
    assert_eq!(seat.table().game.ending(), None);
}

/// A game with a white knight on this square, kings out of its way, and nothing else.
fn with_knight(knight: Square, columns: u16, rows: u16) -> Seat {
    let setups = [
        (Square::A1, Square::C8),
        (Square::H1, Square::F8),
        (Square::H1, Square::A8),
    ];
    let start = setups.into_iter().find_map(|(white, black)| {
        let mut setup = Setup::empty();
        for (square, man) in [
            (white, Role::King.of(Color::White)),
            (black, Role::King.of(Color::Black)),
            (knight, Role::Knight.of(Color::White)),
        ] {
            setup.board.set(square, man);
        }
        AnyPosition::from_setup(&setup, Variant::Chess).ok()
    });
    let terms = Terms {
        dead: DeadLaw::Off,
        ..Terms::from(start.expect("room for kings"))
    };
    Seat::with(terms, columns, rows)
}

#[test]
fn ranks_and_files_are_labelled_rightly_at_every_size_and_from_both_sides() {
    for (columns, rows) in [
        (40, 20),
        (80, 24),
        (100, 30),
        (120, 40),
        (150, 47),
        (200, 60),
    ] {
        for near in ["", "<c-f>"] {
            for knight in Square::all() {
                let mut seat = with_knight(knight, columns, rows);
                seat.model.look.ascii = true;
                seat.strike(near);
                let area = Layout::of(seat.model.size)
                    .expect("a layout")
                    .board(Color::White)
                    .area();
                let board: Vec<Vec<char>> = seat
                    .text()
                    .lines()
                    .skip(area.y.into())
                    .take(area.height.into())
                    .map(|line| {
                        line.chars()
                            .skip(area.x.into())
                            .take(area.width.into())
                            .collect()
                    })
                    .collect();
                let row = board
                    .iter()
                    .find(|row| row.contains(&'N'))
                    .expect("a knight");
                let column = row.iter().position(|&sign| sign == 'N').expect("a knight");
                assert_eq!(
                    row[0],
                    knight.rank().char(),
                    "{knight} {columns}x{rows} {near}"
                );
                // The letter is below the knight, or in the corner of the nearest square of its file.
                let files = board.last().expect("a row of letters");
                let letter = files.iter().position(|&sign| sign == knight.file().char());
                let letter = letter.expect("the letter of the file");
                assert!(
                    letter.abs_diff(column) <= 3,
                    "{knight} {columns}x{rows} {near}"
                );
            }
        }
    }
}

#[test]
fn nothing_dies_and_nothing_is_coloured_under_no_color() {
    for variant in Variant::ALL {
        for (columns, rows) in [(40, 20), (80, 24), (120, 40), (200, 60)] {
            let mut seat = Seat::at(variant, columns, rows);
            seat.model.look.depth = ColorDepth::None;
            seat.play("e4 d5 exd5 Nf6").strike("<tab>?");
            assert!(!seat.picture().contains('#'), "{}", seat.picture());
            seat.strike("<esc><c-r>y");
            assert!(seat.words().contains("Game Over"), "{}", seat.text());
        }
    }
}

#[test]
fn a_king_that_explodes_ends_the_game_with_a_sentence() {
    for variant in [Variant::Atomic, Variant::SimpleAtomic] {
        let mut seat = Seat::at(variant, 80, 24);
        seat.play("Nf3 a6 Ng5 a5 Nxf7").wait(5_000);
        let ending = Ending::Win {
            winner: Color::White,
            by: Victory::KingExploded,
        };
        assert_eq!(seat.table().game.ending(), Some(ending));
        assert!(seat.words().contains("blown up"), "{}", seat.text());
        assert!(matches!(seat.table().dialog, Some(Dialog::Over { .. })));
    }
}

#[test]
fn two_people_play_at_one_keyboard() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><down><down>Anna<down>Ben<enter>");
    assert_eq!(
        seat.table().game.players(),
        Players {
            white: "Anna".to_owned(),
            black: "Ben".to_owned()
        }
    );
    seat.play("e4 e5 Nf3 Nc6");
    assert_eq!(
        seat.moves(),
        "e4 e5 Nf3 Nc6",
        "both sides move from the same keys"
    );
}

#[test]
fn nothing_stands_beside_a_page_of_help_or_of_a_review() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    seat.play("f3 e5 g4 Qh4");
    let mut start = Seat::at_start(80, 24);
    let mut pages = vec![start.strike("?").text(), seat.strike("?").text()];
    pages.push(seat.strike("<esc><f4>").text());
    for page in pages {
        let framed = page.lines().filter(|row| row.contains(['│', '╭', '╰']));
        let rows: Vec<&str> = framed.collect();
        assert!(rows.len() > 2, "{page}");
        for row in rows {
            let bare = row.trim();
            let is_alone = bare.starts_with(['│', '╭', '╰']) && bare.ends_with(['│', '╮', '╯']);
            assert!(is_alone, "{page}");
        }
    }
}

#[test]
fn the_dead_of_a_blast_are_never_written_over() {
    let mut seat = Seat::at(Variant::Atomic, 80, 24);
    seat.play("e4 d5 exd5 Nf6").wait(5_000);
    let text = seat.text();
    let dead = text.lines().find(|row| row.contains("pawn e4 and pawn d5"));
    assert!(dead.is_some_and(|row| !row.contains("Nf6")), "{text}");
    assert!(text.contains("2.."), "{text}");
    assert!(text.contains("Nf6"), "{text}");
}

#[test]
fn the_end_of_a_game_hides_neither_board_nor_moves_and_is_said_once() {
    for (columns, rows) in [(40, 20), (80, 24), (100, 30), (120, 40), (200, 60)] {
        let mut seat = Seat::at(Variant::Chess, columns, rows);
        seat.play("f3 e5 g4 Qh4");
        let open = seat.buffer();
        let words = seat.text();
        assert!(matches!(seat.table().dialog, Some(Dialog::Over { .. })));
        assert_eq!(words.matches("Checkmate").count(), 1, "{words}");
        for button in ["rematch", "save", "look through", "new game", "quit"] {
            assert!(words.contains(button), "{button}: {words}");
        }
        if let ActiveScreen::Table(table) = &mut seat.model.scene {
            table.dialog = None;
        }
        let closed = seat.buffer();
        let layout = Layout::of(seat.model.size).expect("a layout");
        for area in [layout.board(Color::White).area(), layout.moves, layout.near] {
            for cell in area.positions() {
                // Messages may use the rows that the move list leaves empty.
                let is_room = layout.moves.contains(cell) && closed[cell].symbol() == " ";
                assert!(
                    is_room || open[cell] == closed[cell],
                    "{columns}x{rows} {cell}"
                );
            }
        }
    }
}

#[test]
fn the_end_of_a_game_is_said_in_full_in_small_windows() {
    let path = "/home/anna/.local/share/touchmove/2026-11-17-White-Black.pgn";
    for (columns, rows) in [(40, 20), (60, 20), (60, 24), (80, 24)] {
        let mut seat = Seat::at(Variant::Chess, columns, rows);
        seat.play("f3 e5 g4 Qh4");
        let text = seat.text();
        assert!(!text.contains('…'), "{text}");
        let words = seat.words();
        assert!(words.contains("White has no legal move"), "{words}");
        seat.send(Message::Shelved(path.into()));
        let text = seat.text();
        let bare: String = seat.words().split_whitespace().collect();
        let has_path = bare.contains(path) && !text.contains('…');
        assert!(has_path || columns == 40, "{text}");
        assert!(bare.contains("Inthelibrary:/home/anna"), "{text}");
        assert!(text.contains("Qh4#"), "{text}");
    }
}

#[test]
fn a_clock_is_typed_over_the_one_that_was_chosen() {
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><down><right><right>");
    let start = |seat: &Seat| match &seat.model.scene {
        ActiveScreen::Start(start) => start.clone(),
        _ => panic!("the start screen"),
    };
    assert_eq!(start(&seat).item, StartItem::Time);
    assert_ne!(start(&seat).form.time, "");
    seat.strike("7+");
    assert_eq!(start(&seat).form.time, "7+");
    assert!(
        start(&seat).fault().is_some(),
        "what is wrong is said at once"
    );
    seat.strike("5");
    assert!(
        seat.words().contains("7 min + 5 s a move"),
        "{}",
        seat.text()
    );
}

#[test]
fn faults_of_the_settings_are_told_in_whole_sentences() {
    let faults = [
        "Settings, line 1: theme cannot be \"wooden\": it is auto, wood, slate, paper, clear or \
         tournament (/home/anna/.config/touchmove/config.toml).",
        "Line 2: pieces cannot be \"wooden\": it is auto, image, blocks, braille, figurines or letters.",
        "Line 3: there is no setting called \"bel\"; did you mean bell?",
        "Line 4: bell cannot be 1: it is true or false.",
    ];
    for (columns, rows, said) in [
        (80, 24, "And 2 more: touchmove config."),
        (40, 20, "touchmove config shows 4 faults."),
        (120, 40, faults[3]),
    ] {
        let mut seat = Seat::at_start(columns, rows);
        if let ActiveScreen::Start(start) = &mut seat.model.scene {
            start.faults = faults.map(str::to_owned).to_vec();
        }
        let words = seat.words();
        assert!(words.contains(said), "{words}");
        assert!(!words.contains('…'), "{words}");
    }
}
