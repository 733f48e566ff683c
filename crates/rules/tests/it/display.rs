//! Small parts of the API: lists of moves, lines between squares, `Debug` of a board, how EPD writes
//! operands. Legality is tested elsewhere.

use touchmove_rules::{Bitboard, Board, Chess, Epd, MoveList, Position, Square, attacks};

#[test]
fn a_list_holds_the_moves_that_were_put_on_it() {
    let all = Position::<Chess>::start().legal_moves();
    let mut list = MoveList::default();
    for (count, &mv) in (1..).zip(all.iter()) {
        list.push(mv);
        assert_eq!(list.len(), count);
    }
    assert_eq!(list.as_slice(), all.as_slice());
    let mut left = list.into_iter();
    for count in (0..20).rev() {
        left.next();
        assert_eq!(left.size_hint(), (count, Some(count)));
    }
}

#[test]
fn a_set_without_a_square_has_all_the_others() {
    for square in Square::all() {
        let mut set = Bitboard::ALL;
        set.remove(square);
        assert!(!set.contains(square) && set.len() == 63);
        assert_eq!(set, !square.set());
        set.insert(square);
        assert_eq!(set, Bitboard::ALL);
    }
    assert_eq!(!Bitboard::LIGHT, Bitboard::DARK);
}

#[test]
fn three_squares_are_aligned_if_the_one_in_the_middle_is_on_a_line_of_the_others() {
    let steps = |a: Square, b: Square| {
        let across = b.file() as i32 - a.file() as i32;
        let along = b.rank() as i32 - a.rank() as i32;
        let is_line = across == 0 || along == 0 || across.abs() == along.abs();
        (is_line && a != b).then(|| {
            (
                (across.signum(), along.signum()),
                across.abs().max(along.abs()),
            )
        })
    };
    let is_between = |a: Square, b: Square, c: Square| match (steps(a, b), steps(a, c)) {
        (Some((one, near)), Some((other, far))) => one == other && near < far,
        _ => false,
    };
    for a in Square::all() {
        for b in Square::all() {
            for c in Square::all() {
                let expected = is_between(a, b, c) || is_between(b, c, a) || is_between(c, a, b);
                let expected =
                    expected || is_between(a, c, b) || is_between(b, a, c) || is_between(c, b, a);
                assert_eq!(attacks::aligned(a, b, c), expected, "{a} {b} {c}");
            }
        }
    }
}

#[test]
fn a_board_is_shown_as_fen_places_its_men() {
    let shown = format!("{:?}", Board::START);
    assert_eq!(shown, "Board(rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR)");
}

#[test]
fn texts_of_an_epd_are_quoted_and_other_operands_are_not() {
    for operations in [
        "id \"one\";",
        "c0 \"one\";",
        "c12 \"one two\";",
        "cc 5;",
        "bm e4 Nf3;",
        "what \"one two\" three;",
        "what \"one;two\";",
        "what \"\";",
        "hmvc 3; fmvn 7;",
    ] {
        let text = format!("4k3/8/8/8/8/8/8/4K3 w - - {operations}");
        let epd: Epd = text.parse().expect("an EPD");
        assert_eq!(epd.to_string(), text);
    }
}
