//! What the documents that touchmove is based on say about the starting position and the names of moves.
//! Whole games are tested by stories, and verdicts on moves by law files.

use touchmove_rules::{AnyPosition, Bitboard, Color, MoveKind, Role, Square, Variant};

/// Where each kind of piece stands at the start, White's first, with the number of the requirement.
const ARRAY: [(&str, Role, &str, &str); 6] = [
    ("[000-4]", Role::Rook, "a1 h1", "a8 h8"),
    ("[000-5]", Role::Knight, "b1 g1", "b8 g8"),
    ("[000-6]", Role::Bishop, "c1 f1", "c8 f8"),
    ("[000-7]", Role::Queen, "d1", "d8"),
    ("[000-8]", Role::King, "e1", "e8"),
    (
        "[000-9]",
        Role::Pawn,
        "a2 b2 c2 d2 e2 f2 g2 h2",
        "a7 b7 c7 d7 e7 f7 g7 h7",
    ),
];

fn squares(names: &str) -> Bitboard {
    names
        .split(' ')
        .map(|name| name.parse::<Square>().expect("a square"))
        .collect()
}

/// [002-2]: the same starting position in the variants.
#[test]
fn the_men_stand_where_the_first_document_puts_them() {
    for variant in Variant::ALL {
        let position = AnyPosition::start(variant);
        let board = position.board();
        for (number, role, white, black) in ARRAY {
            let found = Color::ALL.map(|color| board.by_color_and_role(role.of(color)));
            assert_eq!(
                found,
                [squares(white), squares(black)],
                "{number} {variant}"
            );
        }
        // [000-10], [002-3]
        assert_eq!(position.turn(), Color::White, "{variant}");
    }
}

/// [000-7]
#[test]
fn each_queen_stands_on_her_own_colour() {
    assert!(Square::D1.is_light() && !Square::D8.is_light());
}

/// [001-1]
#[test]
fn the_fourteen_kinds_of_moves_have_the_names_of_the_list() {
    let names: Vec<String> = MoveKind::ALL.map(|kind| kind.to_string()).into();
    assert_eq!(
        names,
        [
            "Pawn Regular",
            "Pawn Two Steps",
            "Pawn Capture",
            "Pawn Regular Promotion",
            "Pawn Capture Promotion",
            "Pawn Left En Passant",
            "Pawn Right En Passant",
            "Rook Regular",
            "Knight Regular",
            "Bishop Regular",
            "Queen Regular",
            "King Regular",
            "King Left Castling",
            "King Right Castling",
        ]
    );
}
