//! A diagram as a list of shapes in painting order, with 100 units to a square. Both painters, SVG and PNG, read the
//! same scene.

use std::borrow::Cow;
use std::fmt::Write as _;

use touchmove_rules::{Bitboard, Color, File, Piece, Rank, Square};

use crate::diagram::{Arrow, Coordinates, Diagram};
use crate::labels;
use crate::theme::{Rgba, Theme};

/// The side of a square.
pub(crate) const SQUARE_SIDE: f32 = 100.0;
/// The side of the board.
const BOARD_SIDE: f32 = 8.0 * SQUARE_SIDE;
/// The width of the frame that carries outside coordinates.
const FRAME_WIDTH: f32 = 40.0;
/// The distance of a label inside a square from the square's edges.
pub(crate) const LABEL_INSET: f32 = 5.5;

/// The radius of a glow around the middle of its square.
pub(crate) const GLOW_RADIUS: f32 = 0.62 * SQUARE_SIDE;
/// A point in units from the board's top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Point {
    pub(crate) const ORIGIN: Point = Point { x: 0.0, y: 0.0 };

    fn toward(self, x: f32, y: f32) -> Point {
        Point {
            x: self.x + x,
            y: self.y + y,
        }
    }
}

/// How an outline is painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ink {
    /// Inside the outline.
    Fill(Rgba),
    /// Along the outline, with round ends and joins.
    Line { color: Rgba, width: f32 },
    /// Inside the outline, strong in the middle of a square and fading outwards.
    Glow(Rgba),
}

/// A path in the SVG notation of absolute `M`, `L`, `C` and `Z` commands, and its ink.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) outline: Cow<'static, str>,
    pub(crate) ink: Ink,
}

impl Shape {
    pub(crate) fn new(outline: impl Into<Cow<'static, str>>, ink: Ink) -> Shape {
        Shape {
            outline: outline.into(),
            ink,
        }
    }
}

/// One thing to paint, translated from the origin to its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Shape(Shape, Point),
    Man(Piece, Point),
}

/// Everything to paint, from the bottom to the top.
pub(crate) struct Scene {
    /// The width of the frame around the board, 0 for none.
    pub(crate) frame: f32,
    pub(crate) items: Vec<Item>,
    pub(crate) theme: Theme,
}

impl Scene {
    /// The side of the whole picture.
    pub(crate) fn side(&self) -> f32 {
        BOARD_SIDE + 2.0 * self.frame
    }

    pub(crate) fn of(diagram: &Diagram) -> Scene {
        let mut scene = Scene {
            frame: 0.0,
            items: Vec::new(),
            theme: diagram.theme,
        };
        if diagram.coordinates == Coordinates::Outside {
            scene.frame = FRAME_WIDTH;
            scene.fill(
                rectangle(
                    Point {
                        x: -FRAME_WIDTH,
                        y: -FRAME_WIDTH,
                    },
                    scene.side(),
                ),
                scene.theme.frame,
            );
        }
        scene.tiles(diagram);
        match diagram.coordinates {
            Coordinates::Inside => scene.inside_labels(diagram.seen_from),
            Coordinates::Outside => scene.outside_labels(diagram.seen_from),
            Coordinates::Hidden => {}
        }
        for (square, piece) in diagram.board.iter() {
            scene
                .items
                .push(Item::Man(piece, corner(square, diagram.seen_from)));
        }
        for &arrow in &diagram.arrows {
            if let Some(outline) = arrow_outline(arrow, diagram.seen_from) {
                scene.fill(outline, scene.theme.arrow);
            }
        }
        scene
    }

    fn fill(&mut self, outline: String, color: Rgba) {
        self.items.push(Item::Shape(
            Shape::new(outline, Ink::Fill(color)),
            Point::ORIGIN,
        ));
    }

    /// The light board, its dark squares, and the highlights, weakest first.
    fn tiles(&mut self, diagram: &Diagram) {
        let Theme {
            light,
            dark,
            last_move,
            mark,
            check,
            ..
        } = self.theme;
        self.fill(rectangle(Point::ORIGIN, BOARD_SIDE), light);
        let moved = diagram.last_move & !diagram.marks;
        for (squares, color) in [
            (Bitboard::DARK, dark),
            (moved, last_move),
            (diagram.marks, mark),
        ] {
            let outline: String = squares
                .into_iter()
                .map(|square| rectangle(corner(square, diagram.seen_from), SQUARE_SIDE))
                .collect();
            if !outline.is_empty() {
                self.fill(outline, color);
            }
        }
        for king in diagram.checks {
            let glow = Shape::new(rectangle(Point::ORIGIN, SQUARE_SIDE), Ink::Glow(check));
            self.items
                .push(Item::Shape(glow, corner(king, diagram.seen_from)));
        }
    }

    fn label(&mut self, strokes: &'static str, at: Point, color: Rgba) {
        let ink = Ink::Line {
            color,
            width: labels::LABEL_STROKE_WIDTH,
        };
        self.items.push(Item::Shape(Shape::new(strokes, ink), at));
    }

    /// Rank numbers at the top left of the left edge, file letters at the bottom right of the
    /// bottom edge, each in the colour of the other squares.
    fn inside_labels(&mut self, seen_from: Color) {
        let (left, bottom) = edges(seen_from);
        let contrast = |theme: &Theme, square: Square| {
            if square.is_light() {
                theme.dark
            } else {
                theme.light
            }
        };
        for rank in Rank::ALL {
            let square = Square::at(left, rank);
            let at = corner(square, seen_from).toward(LABEL_INSET, LABEL_INSET);
            self.label(labels::rank(rank), at, contrast(&self.theme, square));
        }
        for file in File::ALL {
            let square = Square::at(file, bottom);
            let across = SQUARE_SIDE - LABEL_INSET - labels::LABEL_WIDTH;
            let down = SQUARE_SIDE - LABEL_INSET - labels::LABEL_HEIGHT - 1.0;
            let at = corner(square, seen_from).toward(across, down);
            self.label(labels::file(file), at, contrast(&self.theme, square));
        }
    }

    fn outside_labels(&mut self, seen_from: Color) {
        let (left, bottom) = edges(seen_from);
        let ink = self.theme.frame_label;
        let middle = |length: f32, label: f32| (length - label) / 2.0;
        for rank in Rank::ALL {
            let at = corner(Square::at(left, rank), seen_from).toward(
                middle(FRAME_WIDTH, labels::LABEL_WIDTH) - FRAME_WIDTH,
                middle(SQUARE_SIDE, labels::LABEL_HEIGHT),
            );
            self.label(labels::rank(rank), at, ink);
        }
        for file in File::ALL {
            let at = corner(Square::at(file, bottom), seen_from).toward(
                middle(SQUARE_SIDE, labels::LABEL_WIDTH),
                SQUARE_SIDE + middle(FRAME_WIDTH, labels::LABEL_HEIGHT) - 1.0,
            );
            self.label(labels::file(file), at, ink);
        }
    }
}

/// The file at the left edge and the rank at the bottom edge.
const fn edges(seen_from: Color) -> (File, Rank) {
    match seen_from {
        Color::White => (File::A, Rank::First),
        Color::Black => (File::H, Rank::Eighth),
    }
}

/// The colour stops of a glow, from its middle (0) to its end (1).
pub(crate) fn glow_stops(color: Rgba) -> [(f32, Rgba); 3] {
    [(0.0, 1.0), (0.45, 0.85), (1.0, 0.0)].map(|(offset, strength)| {
        let alpha = f32::from(color.alpha) * strength;
        (offset, color.with_alpha(alpha as u8))
    })
}

/// The top left corner of a square.
fn corner(square: Square, seen_from: Color) -> Point {
    let (file, rank) = (square.file().index(), square.rank().index());
    let (column, row) = match seen_from {
        Color::White => (file, 7 - rank),
        Color::Black => (7 - file, rank),
    };
    Point {
        x: f32::from(column) * SQUARE_SIDE,
        y: f32::from(row) * SQUARE_SIDE,
    }
}

/// The outline of a square area.
fn rectangle(Point { x: left, y: top }: Point, side: f32) -> String {
    let (right, bottom) = (left + side, top + side);
    format!("M{left} {top}L{right} {top}L{right} {bottom}L{left} {bottom}Z")
}

/// The outline of an arrow; `None` if it starts and ends on the same square.
fn arrow_outline(Arrow { from, to }: Arrow, seen_from: Color) -> Option<String> {
    const ARROW_START: f32 = 22.0;
    const ARROW_HALF_SHAFT: f32 = 8.5;
    const ARROW_HEAD_LENGTH: f32 = 38.0;
    const ARROW_HALF_HEAD: f32 = 25.0;
    if from == to {
        return None;
    }
    let (tail, tip) = (corner(from, seen_from), corner(to, seen_from));
    let (dx, dy) = (tip.x - tail.x, tip.y - tail.y);
    let length = dx.hypot(dy);
    let (ux, uy) = (dx / length, dy / length);
    let half = SQUARE_SIDE / 2.0;
    let neck = length - ARROW_HEAD_LENGTH;
    let mut outline = String::new();
    for (step, (along, aside)) in [
        (ARROW_START, ARROW_HALF_SHAFT),
        (neck, ARROW_HALF_SHAFT),
        (neck, ARROW_HALF_HEAD),
        (length, 0.0),
        (neck, -ARROW_HALF_HEAD),
        (neck, -ARROW_HALF_SHAFT),
        (ARROW_START, -ARROW_HALF_SHAFT),
    ]
    .into_iter()
    .enumerate()
    {
        let command = if step == 0 { 'M' } else { 'L' };
        let at = tail.toward(
            half + ux * along - uy * aside,
            half + uy * along + ux * aside,
        );
        let _ = write!(outline, "{command}{:.1} {:.1}", at.x, at.y);
    }
    outline.push('Z');
    Some(outline)
}
