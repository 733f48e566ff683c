//! The 960 starting positions and their numbers: all of them, and those that others have published. Their
//! moves are tested by perft.

use std::collections::HashSet;

use touchmove_rules::{
    AnyPosition, Bitboard, Chess960, Color, Fen, Position, Role, Setup, Square, Variant,
};

/// Published numbers: from FIDE's and Scharnagl's tables, and from games in Mainz.
const PUBLISHED: [(u16, &str); 9] = [
    (0, "BBQNNRKR"),
    (1, "BQNBNRKR"),
    (2, "BQNNRBKR"),
    (3, "BQNNRKRB"),
    (353, "BNRBKRQN"),
    (518, "RNBQKBNR"),
    (534, "RNBKQBNR"),
    (579, "BQRNKRNB"),
    (959, "RKRNNQBB"),
];

/// The first rank of a setup, from the a-file, in the letters of FEN.
fn first_rank(setup: &Setup) -> String {
    let fen = Fen(*setup).to_string();
    let board = fen.split(' ').next().unwrap();
    board.rsplit('/').next().unwrap().to_owned()
}

#[test]
fn published_numbers_are_ours() {
    for (number, rank) in PUBLISHED {
        let setup = Setup::chess960(number).unwrap();
        assert_eq!(first_rank(&setup), rank, "{number}");
        assert_eq!(setup.chess960_number(), Some(number));
    }
    assert_eq!(Setup::chess960(518), Some(Setup::start()));
    assert_eq!(Setup::chess960(960), None);
    assert_eq!(Setup::chess960(u16::MAX), None);
}

#[test]
fn all_960_starts_are_different_and_as_the_laws_want_them() {
    let mut seen = HashSet::new();
    for number in 0..960 {
        let setup = Setup::chess960(number).unwrap();
        assert!(seen.insert(setup), "{number} is there twice");
        assert_eq!(setup.chess960_number(), Some(number));
        for color in Color::ALL {
            let men = |role: Role| setup.board.by_color_and_role(role.of(color));
            let squares: Vec<Square> = men(Role::Rook).into_iter().collect();
            let king = setup.board.king_of(color).unwrap();
            assert!(
                squares.len() == 2 && squares[0] < king && king < squares[1],
                "{number}: the king stands between its rooks"
            );
            let bishops = men(Role::Bishop);
            assert_eq!((bishops & Bitboard::LIGHT).len(), 1, "{number}");
            assert_eq!((bishops & Bitboard::DARK).len(), 1, "{number}");
            assert_eq!(men(Role::Queen).len() + men(Role::Knight).len(), 3);
            assert_eq!(men(Role::Pawn).len(), 8);
            assert_eq!(
                setup.castling & setup.board.by_color(color),
                men(Role::Rook)
            );
        }
        let position = Position::<Chess960>::from_setup_strictly(&setup).unwrap();
        assert_eq!(position.chess960_number(), Some(number));
        let any = AnyPosition::from(position);
        assert_eq!(any.chess960_number(), Some(number));
        let mirrored = |square: Square| setup.board.role_at(square);
        for (white, black) in Square::all().zip(Square::all().map(flipped)) {
            assert_eq!(mirrored(white), mirrored(black), "{number}: {white}");
        }
    }
    assert_eq!(seen.len(), 960);
}

fn flipped(square: Square) -> Square {
    let name = square.to_string();
    let (file, rank) = name.split_at(1);
    let rank = 9 - rank.parse::<u8>().unwrap();
    format!("{file}{rank}").parse().unwrap()
}

#[test]
fn what_is_no_start_has_no_number() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3",
        "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rbnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR w KQkq - 0 1",
        "qqqqkqqq/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        let Fen(setup) = fen.parse().unwrap();
        assert_eq!(setup.chess960_number(), None, "{fen}");
    }
    let classic = AnyPosition::start(Variant::Chess);
    assert_eq!(classic.chess960_number(), Some(518));
}
