//! Text boards of the command line: the arguments for their appearance, and drawing a position. The full screen
//! draws its own board.

use touchmove_diagram::{Diagram, PieceStyle, TextStyle};
use touchmove_rules::{AnyPosition, Bitboard, Board, Color, Move};

/// How a board is seen.
#[derive(clap::Args)]
pub struct BoardArgs {
    /// See the board from Black's side.
    #[arg(long)]
    flip: bool,

    /// Letters instead of figurines: upper case is White's.
    #[arg(long)]
    ascii: bool,
}

impl BoardArgs {
    /// The diagram of a board, without a position.
    pub fn men(&self, board: &Board) -> Diagram {
        let side = if self.flip {
            Color::Black
        } else {
            Color::White
        };
        Diagram::new(board).seen_from(side)
    }

    /// The diagram of a position, with the last move and the king in check marked.
    pub fn diagram(&self, position: &AnyPosition, last: Option<Move>) -> Diagram {
        let mut diagram = self.men(position.board());
        if let Some(last) = last {
            diagram = diagram.last_move(last.from(), last.to());
        }
        if position.is_check() {
            let king = position.board().king_of(position.turn());
            diagram = diagram.checks(king.into_iter().collect::<Bitboard>());
        }
        diagram
    }

    /// A diagram as lines of text.
    pub fn text(&self, diagram: &Diagram) -> String {
        let men = if self.ascii {
            PieceStyle::Letters
        } else {
            PieceStyle::Figurines
        };
        let style = TextStyle {
            men,
            ..TextStyle::default()
        };
        diagram.text(style)
    }
}
