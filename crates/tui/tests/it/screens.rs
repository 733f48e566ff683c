//! Screens cell by cell: the letters, and below them the style of every cell.

use insta::assert_snapshot;
use touchmove_game::position_status::DeadProof;
use touchmove_game::{Draws, Game, Players, Terms, Timestamp};
use touchmove_rules::{AnyPosition, Square, Variant};
use touchmove_tui::screen::{ColorDepth, Message, PieceRendering, ResumableGame, ScreenTheme};
use touchmove_winnability::Proof;

use crate::support::screen_player::Seat;

/// A game under way, with clocks, in a window of this size.
fn under_way(columns: u16, rows: u16) -> Seat {
    let time = Some("5+3".parse().expect("a time control"));
    let mut seat = Seat::with(
        Terms {
            time,
            ..Terms::of(Variant::Chess)
        },
        columns,
        rows,
    );
    seat.now = 2_000;
    seat.play("e4 d5 exd5 Qxd5 Nc3").strike("<tab>");
    seat
}

#[test]
fn a_game_at_the_usual_sizes() {
    for (columns, rows) in [(120, 40), (100, 30), (80, 24), (40, 20)] {
        let picture = under_way(columns, rows).picture();
        assert_snapshot!(format!("game_{columns}x{rows}"), picture);
    }
}

#[test]
fn a_window_that_is_too_small_says_what_it_needs() {
    assert_snapshot!("too_small", under_way(39, 19).text());
    assert_snapshot!("tiny", under_way(10, 3).text());
}

#[test]
fn without_colours_signs_tell_everything() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 20)] {
        let mut seat = under_way(columns, rows);
        seat.model.look.depth = ColorDepth::None;
        seat.strike("<esc>")
            .play("Qe5 Be2 Nc6 Nf3 Qa5 Bb5")
            .strike("<tab><tab><tab><tab>");
        let picture = seat.picture();
        assert!(!picture.contains('#'), "a colour: {picture}");
        assert_snapshot!(format!("no_color_{columns}x{rows}"), picture);
    }
}

#[test]
fn every_mark_has_a_sign_of_its_own_without_colours() {
    let signs = |keys: &str, fen: &str| {
        let mut seat = Seat::from_fen(fen);
        seat.model.look.depth = ColorDepth::None;
        seat.model.look.ascii = true;
        seat.strike(keys);
        seat.text()
    };
    let check = signs("", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert!(
        check.contains("!.K..!") && check.contains("> r  <"),
        "{check}"
    );
    let pinned = signs("Bc3<enter>", "3rk3/8/8/8/8/8/3B4/3K4 w - - 0 1");
    assert!(pinned.contains("?.r..?"), "{pinned}");
    let targets = signs("<tab>", "4k3/8/8/8/8/8/1p6/R3K3 w - - 0 1");
    assert!(
        targets.contains("[.R..]") && targets.contains("+"),
        "{targets}"
    );
    let capture = signs("<tab><tab>", "4k3/8/8/8/8/8/3p4/R3K3 w - - 0 1");
    assert!(capture.contains("x.p..x"), "{capture}");
}

#[test]
fn ascii_writes_nothing_but_ascii() {
    let mut seat = under_way(80, 24);
    seat.model.look.ascii = true;
    assert_snapshot!("ascii", seat.picture());
    let mut pages = vec![seat.text()];
    seat.strike("<c-r>");
    pages.push(seat.text());
    seat.strike("y");
    pages.push(seat.text());
    seat.strike("<esc>?");
    pages.push(seat.text());
    let mut start = Seat::at_start(80, 24);
    start.model.look.ascii = true;
    pages.push(start.text());
    let mut atomic = Seat::at(Variant::Atomic, 80, 24);
    atomic.model.look.ascii = true;
    atomic.play("e4 d5 exd5");
    pages.push(atomic.text());
    for page in pages {
        assert!(page.is_ascii(), "{page}");
    }
}

/// Games of a file with non-ASCII characters in names, comments and moves.
const FOREIGN: &str = "[Event \"Zürich · Café\"]\n[White \"Zoë Ångström\"]\n[Black \"王\"]\n[Result \"1-0\"]\n\n\
    {“Schön” – ½ → ♞ …} 1. e4 e5 {ist gut} (1... c5) 1-0\n\n[White \"Łukasz\"]\n\n1. d4 1-0\n";

#[test]
fn no_scene_has_anything_but_ascii_in_the_ascii_look() {
    let players = Players {
        white: "Zoë".to_owned(),
        black: "Łukasz Wiśniewski-Żółkiewski".to_owned(),
    };
    let game = || {
        Game::begin(
            Terms::of(Variant::Chess),
            players.clone(),
            Timestamp::default(),
        )
    };
    for (columns, rows) in [(40, 20), (60, 20), (80, 24), (100, 30), (120, 40)] {
        let assert_ascii = |scene: &str, seat: &mut Seat| {
            seat.model.look.ascii = true;
            let text = seat.text();
            assert!(text.is_ascii(), "{scene} at {columns}x{rows}: {text}");
        };
        let waits = || ResumableGame {
            game: game(),
            path: "/games/1.jsonl".into(),
            date: "2026.11.17".to_owned(),
        };
        let mut start = Seat::at_start(columns, rows);
        start.send(Message::Found(vec![waits(), waits()]));
        assert_ascii("resume", &mut start);
        for _ in 0..20 {
            assert_ascii("start", start.strike("<down>"));
        }
        assert_ascii("help", start.strike("<esc><esc>?"));
        start.strike("<esc>");
        start.send(Message::Failed("Über → “nichts” …".to_owned()));
        assert_ascii("notice", &mut start);
        start.send(Message::Opened("spiele·1.pgn".into(), FOREIGN.into()));
        for keys in [
            "", "zoë", "<enter>", "<right>", "<right>", "v", "?", "<esc>q",
        ] {
            assert_ascii("file", start.strike(keys));
        }
        let mut library = Seat::at_start(columns, rows);
        let files = vec![("/a.pgn".into(), FOREIGN.into())];
        library.send(Message::Library(files));
        for keys in ["", "<f2>", "<esc>", "<c-s>"] {
            assert_ascii("library", library.strike(keys));
        }
        let mut table = Seat::at_game(game(), columns, rows);
        for keys in [
            "",
            "e",
            "<esc>e4<enter>",
            "d5<enter>",
            "<tab>",
            "<c-d>",
            "n<c-r>",
            "n<c-q>",
            "n<c-t>",
            "<c-n>?",
            "<esc>Ke5<enter>",
            "<esc><pgup>",
            "<end>save é",
            "<esc><c-r>y",
            "<f4>",
        ] {
            assert_ascii(keys, table.strike(keys));
        }
        let mut atomic = Seat::at(Variant::Atomic, columns, rows);
        atomic.play("Nf3 a6 Ng5 a5").strike("Nxh7");
        assert_ascii("blast", &mut atomic);
        assert_ascii("explosion", atomic.strike("<enter>").wait(130));
        let mut pawn = Seat::from_fen("8/1P2k3/8/8/8/8/8/4K3 w - - 0 1");
        pawn.model.size = (columns, rows).into();
        assert_ascii("promotion", pawn.drag(Square::B7, Square::B8));
    }
}

#[test]
fn men_can_be_figurines_or_letters() {
    for pieces in [PieceRendering::Figurines, PieceRendering::Letters] {
        let mut seat = under_way(80, 24);
        seat.model.look.pieces = pieces;
        assert_snapshot!(pieces.word(), seat.text());
    }
}

#[test]
fn every_theme_and_depth() {
    for theme in ScreenTheme::ALL {
        let mut seat = under_way(40, 20);
        seat.model.look.theme = theme;
        assert_snapshot!(format!("theme_{}", theme.name), seat.picture());
    }
    for (name, depth) in [
        ("256", ColorDepth::TwoHundredFiftySix),
        ("16", ColorDepth::Sixteen),
    ] {
        let mut seat = under_way(40, 20);
        seat.model.look.depth = depth;
        assert_snapshot!(format!("depth_{name}"), seat.picture());
    }
}

#[test]
fn every_variant() {
    let mut atomic = Seat::at(Variant::Atomic, 80, 24);
    atomic.play("Nf3 a6 Ng5 a5").strike("Nxe");
    assert_snapshot!("atomic_typing", atomic.text());
    atomic.strike("<esc>Nxh7");
    assert_snapshot!("atomic_preview", atomic.picture());
    atomic.strike("<enter>").wait(130);
    assert_snapshot!("atomic_explosion", atomic.picture());
    atomic.wait(2_000);
    assert_snapshot!("atomic_after", atomic.text());
    let mut king = Seat::from_fen_of(Variant::Atomic, "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1");
    king.strike("Kxe2");
    assert_snapshot!("atomic_illegal", king.text());
    let mut simple = Seat::at(Variant::SimpleAtomic, 80, 24);
    simple.play("d4 g5 Bxg5");
    assert_snapshot!("simple_atomic", simple.text());
    let start = "bnrkqbrn/pppppppp/8/8/8/8/PPPPPPPP/BNRKQBRN w KQkq - 0 1";
    let start = AnyPosition::from_fen(start, Variant::Chess960).expect("a start");
    let mut chess960 = Seat::with(Terms::from(start), 80, 24);
    chess960.play("e4 e5");
    assert_snapshot!("chess960", chess960.text());
}

#[test]
fn the_board_from_blacks_side() {
    let mut seat = under_way(80, 24);
    seat.strike("<c-f>");
    assert_snapshot!("flipped", seat.text());
}

#[test]
fn every_ending() {
    let over = |name: &str, seat: &mut Seat| {
        assert!(
            seat.table().game.ending().is_some(),
            "{name}: {}",
            seat.text()
        );
        assert_snapshot!(format!("end_{name}"), seat.text());
    };
    over(
        "checkmate",
        Seat::at(Variant::Chess, 80, 24).play("f3 e5 g4 Qh4"),
    );
    over(
        "checkmate_40x20",
        Seat::at(Variant::Chess, 40, 20).play("f3 e5 g4 Qh4"),
    );
    over(
        "stalemate",
        Seat::from_fen("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1").play("Qg6"),
    );
    over(
        "dead_position",
        Seat::from_fen("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1").play("Kxe2"),
    );
    over(
        "resignation",
        Seat::at(Variant::Chess, 80, 24).strike("<c-r>y"),
    );
    let mut agreed = Seat::at(Variant::Chess, 80, 24);
    over("agreement", agreed.play("e4 e5").strike("<c-d>yy"));
    let again = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    over("threefold", Seat::at(Variant::Chess, 80, 24).play(again));
    let mut fifty = Seat::from_fen("4k3/8/8/8/8/8/3R4/4K3 w - - 99 80");
    over("fifty_moves", fifty.play("Rc2"));
    let claim = Terms {
        draws: Draws::Claim,
        ..Terms::of(Variant::Chess)
    };
    let mut claimed = Seat::with(claim.clone(), 80, 24);
    over("claimed", claimed.play(again).strike("<c-l>"));
    let mut fivefold = Seat::with(claim, 80, 24);
    over("fivefold", fivefold.play(again).play(again));
    let quiet = "4k3/8/8/8/8/8/3R4/4K3 w - - 149 120";
    let quiet = AnyPosition::from_fen(quiet, Variant::Chess).expect("a position");
    let seventy_five = Terms {
        draws: Draws::Claim,
        ..Terms::from(quiet)
    };
    over(
        "seventy_five_moves",
        Seat::with(seventy_five, 80, 24).play("Rc2"),
    );
    over("abort", Seat::at(Variant::Chess, 80, 24).strike("<c-x>"));
    for (name, columns, rows) in [("dead_proved", 80, 24), ("dead_proved_40x20", 40, 20)] {
        let mut dead = Seat::at(Variant::Chess, columns, rows);
        let question = dead.table().game.pending_analysis().expect("is it dead?");
        let proof = DeadProof::Winnability(Proof::Structure {
            locked: 13,
            refuge: 25,
        });
        dead.prove_dead(question, proof);
        over(name, &mut dead);
    }
    let timed = |fen: &str| {
        let start = AnyPosition::from_fen(fen, Variant::Chess).expect("a position");
        let time = Some("1".parse().expect("a time control"));
        Seat::with(
            Terms {
                time,
                ..Terms::from(start)
            },
            80,
            24,
        )
    };
    let kings_and_rook = "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1";
    over("flag_fall", timed(kings_and_rook).wait(60_000));
    let rook_on_move = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1";
    over("flag_fall_draw", timed(rook_on_move).wait(60_000));
    let mut exploded = Seat::at(Variant::Atomic, 80, 24);
    over(
        "king_exploded",
        exploded.play("Nf3 a6 Ng5 a5 Nxf7").wait(5_000),
    );
}

#[test]
fn every_overlay() {
    let mut seat = Seat::from_fen("8/1P2k3/8/8/8/8/8/4K3 w - - 0 1");
    seat.drag(Square::B7, Square::B8);
    assert_snapshot!("promotion", seat.picture());
    let mut seat = under_way(80, 24);
    seat.strike("<c-r>");
    assert_snapshot!("resign", seat.text());
    seat.strike("n<c-q>");
    assert_snapshot!("quit", seat.text());
    seat.strike("n<c-b>");
    assert_snapshot!("leave", seat.text());
    seat.strike("n<c-a>");
    assert_snapshot!("leave_for_rematch", seat.text());
    seat.strike("n?");
    assert_snapshot!("help_80x24", seat.text());
    let mut narrow = under_way(40, 20);
    narrow.strike("?");
    assert_snapshot!("help_40x20", narrow.text());
    narrow.strike(&"<down>".repeat(99));
    assert_snapshot!("help_40x20_end", narrow.text());
    narrow.strike("<up>");
    assert_ne!(narrow.text(), {
        narrow.strike("<down>");
        narrow.text()
    });
    let claim = Terms {
        draws: Draws::Claim,
        ..Terms::of(Variant::Chess)
    };
    let mut claim = Seat::with(claim, 80, 24);
    claim.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_snapshot!("claim_offered", claim.text());
    claim.strike("c");
    assert_snapshot!("claim", claim.text());
    let mut wide = under_way(120, 40);
    wide.strike("?");
    assert_snapshot!("help_120x40", wide.text());
    let mut seat = under_way(80, 24);
    seat.play("<esc>Qe5").strike("<c-d>y");
    assert_snapshot!("draw_offered", seat.text());
    seat.strike("<c-n><c-t>");
    assert_snapshot!("takeback_asked", seat.text());
    seat.strike("<c-n><pgup><pgup>");
    assert_snapshot!("looking_back", seat.text());
}

#[test]
fn the_start_screen() {
    for (columns, rows) in [(120, 40), (80, 24), (40, 20)] {
        assert_snapshot!(
            format!("start_{columns}x{rows}"),
            Seat::at_start(columns, rows).text()
        );
    }
    let mut seat = Seat::at_start(80, 24);
    seat.strike("<down><down><right><right><right>");
    assert_snapshot!("start_clock", seat.picture());
}

#[test]
fn a_long_game_scrolls_with_the_ply_that_is_shown() {
    let mut seat = Seat::at(Variant::Chess, 80, 24);
    let pairs = [
        "a3 a6", "b3 b6", "c3 c6", "d3 d6", "e3 e6", "f3 f6", "g3 g6", "h3 h6", "a4 a5",
    ];
    for pair in pairs
        .into_iter()
        .chain(["b4 b5", "c4 c5", "d4 d5", "e4 e5", "f4 f5"])
    {
        seat.play(pair);
    }
    let text = seat.text();
    assert!(
        text.contains("14. f4") && !text.contains(" 1. a3"),
        "{text}"
    );
    seat.strike("<home><pgdn>");
    let text = seat.text();
    assert!(
        text.contains(" 1. a3") && !text.contains("14. f4"),
        "{text}"
    );
}
