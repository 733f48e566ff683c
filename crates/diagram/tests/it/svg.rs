//! What an SVG diagram guarantees to programs that read or embed it. Its look is tested in pixels, in `png.rs`.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};
use touchmove_diagram::{Coordinates, Diagram, Theme};
use touchmove_rules::{Bitboard, Board, Color, Role, Square};

/// A diagram with every kind of highlight.
fn busy() -> Diagram {
    Diagram::new(&Board::START)
        .last_move(Square::E2, Square::E4)
        .checks(Square::E8.set())
        .marks(Square::D5.set() | Square::F5.set())
        .arrow(Square::G1, Square::F3)
        .arrow(Square::B8, Square::B8)
}

fn elements<'d>(document: &'d Document<'_>, name: &str) -> Vec<Node<'d, 'd>> {
    document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
        .collect()
}

#[test]
fn every_diagram_is_well_formed() {
    for theme in [Theme::WALNUT, Theme::MEADOW, Theme::SLATE, Theme::PAPER] {
        for coordinates in [
            Coordinates::Inside,
            Coordinates::Outside,
            Coordinates::Hidden,
        ] {
            for color in Color::ALL {
                for diagram in [busy(), Diagram::new(&Board::EMPTY)] {
                    let svg = diagram
                        .theme(theme)
                        .coordinates(coordinates)
                        .seen_from(color)
                        .svg();
                    let document = Document::parse(&svg).expect("well-formed XML");
                    assert!(
                        document
                            .root_element()
                            .has_tag_name(("http://www.w3.org/2000/svg", "svg"))
                    );
                }
            }
        }
    }
}

#[test]
fn the_document_refers_to_nothing_outside_itself() {
    let svg = busy().svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let ids: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.attribute("id"))
        .collect();
    assert_eq!(
        ids.len(),
        ids.iter().collect::<BTreeSet<_>>().len(),
        "an id is given twice"
    );
    let used: BTreeSet<&str> = elements(&document, "use")
        .iter()
        .filter_map(|node| node.attribute("href")?.strip_prefix('#'))
        .chain(
            svg.split("url(#")
                .skip(1)
                .filter_map(|rest| rest.split(')').next()),
        )
        .collect();
    assert_eq!(
        used,
        ids.into_iter().collect(),
        "names used and names defined differ"
    );
    assert_eq!(
        svg.matches("http").count(),
        1,
        "only the namespace is an address"
    );
}

#[test]
fn only_the_kinds_of_men_on_the_board_are_drawn() {
    let mut board = Board::EMPTY;
    for square in [Square::A2, Square::B2, Square::C2] {
        board.set(square, Role::Pawn.of(Color::White));
    }
    board.set(Square::H8, Role::King.of(Color::Black));
    let svg = Diagram::new(&board).svg();
    let document = Document::parse(&svg).expect("well-formed XML");
    let ids: Vec<&str> = elements(&document, "g")
        .iter()
        .filter_map(|g| g.attribute("id"))
        .collect();
    assert_eq!(ids, ["white-pawn", "black-king"]);
    assert_eq!(elements(&document, "use").len(), 4);
}

#[test]
fn each_man_stands_on_its_square_from_either_side() {
    for (seen_from, place) in [(Color::White, ("400", "700")), (Color::Black, ("300", "0"))] {
        let svg = Diagram::new(&Board::START).seen_from(seen_from).svg();
        let document = Document::parse(&svg).expect("well-formed XML");
        let king = elements(&document, "use")
            .into_iter()
            .find(|node| node.attribute("href") == Some("#white-king"))
            .expect("a white king");
        assert_eq!(
            (king.attribute("x"), king.attribute("y")),
            (Some(place.0), Some(place.1))
        );
    }
}

#[test]
fn the_frame_is_there_only_for_outside_coordinates() {
    let view = |coordinates| {
        let svg = Diagram::new(&Board::START).coordinates(coordinates).svg();
        let document = Document::parse(&svg).expect("well-formed XML");
        document
            .root_element()
            .attribute("viewBox")
            .map(str::to_owned)
    };
    assert_eq!(view(Coordinates::Inside).as_deref(), Some("0 0 800 800"));
    assert_eq!(view(Coordinates::Hidden).as_deref(), Some("0 0 800 800"));
    assert_eq!(
        view(Coordinates::Outside).as_deref(),
        Some("-40 -40 880 880")
    );
}

#[test]
fn a_plain_diagram_points_out_nothing() {
    let plain = Diagram::new(&Board::START).svg();
    assert!(!plain.contains("opacity") && !plain.contains("Gradient"));
    let checked = Diagram::new(&Board::START)
        .checks(Bitboard::EMPTY | Square::E1.set())
        .svg();
    assert!(checked.contains("Gradient"));
}
