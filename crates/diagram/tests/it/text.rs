//! What the text board looks like, character by character. Pictures are tested in `svg.rs` and `png.rs`.

use insta::assert_snapshot;
use touchmove_diagram::{Diagram, PieceStyle, TextStyle};
use touchmove_rules::{Bitboard, Board, Color, Piece, Square};

const FIGURINES: TextStyle = TextStyle {
    men: PieceStyle::Figurines,
    legend: false,
};
const LETTERS: TextStyle = TextStyle {
    men: PieceStyle::Letters,
    legend: false,
};

/// A board from text such as `"Ke1 pa7"`: a FEN letter and a square for each piece.
fn board(men: &str) -> Board {
    let mut board = Board::EMPTY;
    for man in men.split(' ') {
        let (letter, square) = man.split_at(1);
        let piece = letter.chars().next().and_then(Piece::from_char);
        board.set(
            square.parse().expect("a square"),
            piece.expect("a FEN letter"),
        );
    }
    board
}

fn squares(names: &[Square]) -> Bitboard {
    names
        .iter()
        .fold(Bitboard::EMPTY, |set, square| set | square.set())
}

/// [000-11] [000-12] [000-13]
#[test]
fn the_start_position_has_rank_8_on_top_and_aligned_file_letters() {
    assert_snapshot!(Diagram::new(&Board::START).text(FIGURINES), @r"
    8 |♜|♞|♝|♛|♚|♝|♞|♜|
    7 |♟|♟|♟|♟|♟|♟|♟|♟|
    6 |_|#|_|#|_|#|_|#|
    5 |#|_|#|_|#|_|#|_|
    4 |_|#|_|#|_|#|_|#|
    3 |#|_|#|_|#|_|#|_|
    2 |♙|♙|♙|♙|♙|♙|♙|♙|
    1 |♖|♘|♗|♕|♔|♗|♘|♖|
       a b c d e f g h
    ");
}

#[test]
fn seen_from_black_h1_is_at_the_top_left() {
    let flipped = Diagram::new(&Board::START).seen_from(Color::Black);
    assert_snapshot!(flipped.text(FIGURINES), @r"
    1 |♖|♘|♗|♔|♕|♗|♘|♖|
    2 |♙|♙|♙|♙|♙|♙|♙|♙|
    3 |_|#|_|#|_|#|_|#|
    4 |#|_|#|_|#|_|#|_|
    5 |_|#|_|#|_|#|_|#|
    6 |#|_|#|_|#|_|#|_|
    7 |♟|♟|♟|♟|♟|♟|♟|♟|
    8 |♜|♞|♝|♚|♛|♝|♞|♜|
       h g f e d c b a
    ");
}

#[test]
fn letters_are_those_of_fen_and_pure_ascii() {
    let text = Diagram::new(&Board::START).text(LETTERS);
    assert!(text.is_ascii());
    assert_snapshot!(text, @r"
    8 |r|n|b|q|k|b|n|r|
    7 |p|p|p|p|p|p|p|p|
    6 |_|#|_|#|_|#|_|#|
    5 |#|_|#|_|#|_|#|_|
    4 |_|#|_|#|_|#|_|#|
    3 |#|_|#|_|#|_|#|_|
    2 |P|P|P|P|P|P|P|P|
    1 |R|N|B|Q|K|B|N|R|
       a b c d e f g h
    ");
}

/// [000-12]
#[test]
fn the_empty_board_shows_every_tile_with_a1_dark() {
    assert_snapshot!(Diagram::new(&Board::EMPTY).text(FIGURINES), @r"
    8 |_|#|_|#|_|#|_|#|
    7 |#|_|#|_|#|_|#|_|
    6 |_|#|_|#|_|#|_|#|
    5 |#|_|#|_|#|_|#|_|
    4 |_|#|_|#|_|#|_|#|
    3 |#|_|#|_|#|_|#|_|
    2 |_|#|_|#|_|#|_|#|
    1 |#|_|#|_|#|_|#|_|
       a b c d e f g h
    ");
}

/// [000-13]
#[test]
fn the_legend_explains_tiles_and_men_beside_the_board() {
    let style = TextStyle {
        legend: true,
        ..FIGURINES
    };
    assert_snapshot!(Diagram::new(&Board::START).text(style), @r"
    8 |♜|♞|♝|♛|♚|♝|♞|♜| #: Represents Black Tile
    7 |♟|♟|♟|♟|♟|♟|♟|♟| _: Represents White Tile
    6 |_|#|_|#|_|#|_|#| Filled in Pieces are considered Black
    5 |#|_|#|_|#|_|#|_| Clear Pieces are considered White
    4 |_|#|_|#|_|#|_|#|
    3 |#|_|#|_|#|_|#|_|
    2 |♙|♙|♙|♙|♙|♙|♙|♙|
    1 |♖|♘|♗|♕|♔|♗|♘|♖|
       a b c d e f g h
    ");
}

#[test]
fn the_legend_explains_letters_and_only_the_brackets_in_use() {
    let diagram = Diagram::new(&board("Ke1 qe7 kg8"))
        .last_move(Square::H4, Square::E7)
        .checks(Square::E1.set())
        .marks(squares(&[Square::E5, Square::E6]));
    let style = TextStyle {
        legend: true,
        ..LETTERS
    };
    assert_snapshot!(diagram.text(style), @r"
    8 |_|#|_|#|_|#|k|#| #: Represents Black Tile
    7 |#|_|#|_(q)_|#|_| _: Represents White Tile
    6 |_|#|_|#[_]#|_|#| Small Letters are considered Black
    5 |#|_|#|_[#]_|#|_| Capital Letters are considered White
    4 |_|#|_|#|_|#|_(#) ( ): Last Move
    3 |#|_|#|_|#|_|#|_| * *: King in Check
    2 |_|#|_|#|_|#|_|#| [ ]: Marked
    1 |#|_|#|_*K*_|#|_|
       a b c d e f g h
    ");
}

#[test]
fn marked_neighbours_share_one_pair_of_brackets() {
    let diagram = Diagram::new(&Board::START).marks(squares(&[
        Square::A8,
        Square::B8,
        Square::D8,
        Square::H8,
        Square::B1,
        Square::C1,
        Square::D1,
    ]));
    let text = diagram.text(FIGURINES);
    assert_eq!(text.lines().next(), Some("8 [♜|♞]♝[♛]♚|♝|♞[♜]"));
    assert_eq!(text.lines().nth(7), Some("1 |♖[♘|♗|♕]♔|♗|♘|♖|"));
}

#[test]
fn where_reasons_meet_the_stronger_has_its_bracket() {
    let diagram = Diagram::new(&board("Ke1 rd1 Ra1"))
        .last_move(Square::C1, Square::D1)
        .checks(Square::E1.set())
        .marks(Square::B1.set());
    assert_eq!(
        diagram.text(FIGURINES).lines().nth(7),
        Some("1 |♖[_]#|♜*♔*_|#|_|")
    );
}

#[test]
fn brackets_never_move_a_column() {
    let plain = Diagram::new(&Board::START);
    let marked = plain
        .clone()
        .marks(Bitboard::LIGHT)
        .last_move(Square::A1, Square::C3);
    for seen_from in Color::ALL {
        let columns = |diagram: &Diagram| -> Vec<(usize, usize, char)> {
            let text = diagram.clone().seen_from(seen_from).text(LETTERS);
            let lines = text.lines().enumerate();
            lines
                .flat_map(|(row, line)| line.chars().enumerate().map(move |(at, c)| (row, at, c)))
                .filter(|(_, _, c)| !"|[]()*".contains(*c))
                .collect()
        };
        assert_eq!(columns(&plain), columns(&marked));
    }
}

#[test]
fn text_presentation_follows_every_figurine_and_nothing_else() {
    let style = TextStyle {
        men: PieceStyle::FigurinesAsText,
        legend: false,
    };
    let start = Diagram::new(&Board::START);
    let text = start.text(style);
    assert_eq!(text.lines().nth(6), Some("2 |♙︎|♙︎|♙︎|♙︎|♙︎|♙︎|♙︎|♙︎|"));
    assert_eq!(text.matches('\u{fe0e}').count(), 32);
    assert_eq!(text.replace('\u{fe0e}', ""), start.text(FIGURINES));
}
