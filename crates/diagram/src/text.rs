//! The text board: eight ranks of squares and pieces between bars, file letters below. Terminal colours and cursor
//! movement are not handled here.

use touchmove_rules::{Color, File, Rank, Square};

use crate::diagram::Diagram;

/// How the text board writes the pieces.
///
/// ```
/// use touchmove_diagram::{Diagram, PieceStyle, TextStyle};
/// use touchmove_rules::Board;
///
/// let style = TextStyle { men: PieceStyle::Letters, legend: false };
/// assert!(Diagram::new(&Board::START).text(style).starts_with("8 |r|n|b|q|k|b|n|r|\n"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PieceStyle {
    /// Figurines, `♘` for White and `♞` for Black.
    #[default]
    Figurines,
    /// Figurines followed by U+FE0E, which asks a terminal not to draw `♟` as an emoji.
    FigurinesAsText,
    /// The letters of FEN, `N` for White and `n` for Black: pure ASCII.
    Letters,
}

/// The style of a text board.
///
/// ```
/// use touchmove_diagram::{Diagram, TextStyle};
/// use touchmove_rules::Board;
///
/// let board = Diagram::new(&Board::START).text(TextStyle::default());
/// assert!(board.starts_with("8 |♜|♞|♝|♛|♚|♝|♞|♜|\n"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextStyle {
    /// How the pieces are written.
    pub men: PieceStyle,
    /// Whether a legend at the right side of the board explains the signs.
    pub legend: bool,
}

/// Why a square is highlighted, the weakest reason first: where two squares meet, the bracket between them is that of
/// the stronger reason.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Emphasis {
    None,
    LastMove,
    Check,
    Mark,
}

impl Emphasis {
    fn of(diagram: &Diagram, square: Square) -> Emphasis {
        if diagram.marks.contains(square) {
            Emphasis::Mark
        } else if diagram.checks.contains(square) {
            Emphasis::Check
        } else if diagram.last_move.contains(square) {
            Emphasis::LastMove
        } else {
            Emphasis::None
        }
    }

    const fn brackets(self) -> (char, char) {
        match self {
            Emphasis::None => ('|', '|'),
            Emphasis::LastMove => ('(', ')'),
            Emphasis::Check => ('*', '*'),
            Emphasis::Mark => ('[', ']'),
        }
    }

    /// The character between a square and its right neighbour.
    fn border(left: Emphasis, right: Emphasis) -> char {
        if left == right {
            '|'
        } else if left > right {
            left.brackets().1
        } else {
            right.brackets().0
        }
    }
}

pub(crate) fn write(diagram: &Diagram, style: TextStyle) -> String {
    let (mut files, mut ranks) = (File::ALL, Rank::ALL);
    match diagram.seen_from {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut legend = if style.legend {
        legend(diagram, style.men)
    } else {
        Vec::new()
    }
    .into_iter();
    let mut text = String::new();
    for rank in ranks {
        text.extend([rank.char(), ' ']);
        let mut left = Emphasis::None;
        for file in files {
            let square = Square::at(file, rank);
            let emphasis = Emphasis::of(diagram, square);
            text.push(Emphasis::border(left, emphasis));
            write_tile(&mut text, diagram, square, style.men);
            left = emphasis;
        }
        text.push(Emphasis::border(left, Emphasis::None));
        if let Some(line) = legend.next() {
            text.push(' ');
            text.push_str(line);
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in files {
        text.extend([' ', file.char()]);
    }
    text
}

fn write_tile(text: &mut String, diagram: &Diagram, square: Square, men: PieceStyle) {
    match (diagram.board.piece_at(square), men) {
        (None, _) => text.push(if square.is_light() { '_' } else { '#' }),
        (Some(piece), PieceStyle::Figurines) => text.push(piece.figurine()),
        (Some(piece), PieceStyle::FigurinesAsText) => text.extend([piece.figurine(), '\u{fe0e}']),
        (Some(piece), PieceStyle::Letters) => text.push(piece.char()),
    }
}

/// The lines of the legend, at most one for each rank.
fn legend(diagram: &Diagram, men: PieceStyle) -> Vec<&'static str> {
    let mut lines = vec!["#: Represents Black Tile", "_: Represents White Tile"];
    lines.extend(match men {
        PieceStyle::Figurines | PieceStyle::FigurinesAsText => [
            "Filled in Pieces are considered Black",
            "Clear Pieces are considered White",
        ],
        PieceStyle::Letters => [
            "Small Letters are considered Black",
            "Capital Letters are considered White",
        ],
    });
    let shown = |emphasis| Square::all().any(|square| Emphasis::of(diagram, square) == emphasis);
    for (emphasis, line) in [
        (Emphasis::LastMove, "( ): Last Move"),
        (Emphasis::Check, "* *: King in Check"),
        (Emphasis::Mark, "[ ]: Marked"),
    ] {
        if shown(emphasis) {
            lines.push(line);
        }
    }
    lines
}
