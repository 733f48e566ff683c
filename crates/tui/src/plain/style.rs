//! How a plain session speaks: with which men, colours and boards.

use touchmove_diagram::PieceStyle;

/// How a plain session speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlainStyle {
    /// How the men are written on the board.
    pub men: PieceStyle,
    /// Whether the lines may have colour.
    pub color: bool,
    /// Whether somebody sits there: then there is a prompt, and resigning is confirmed.
    pub interactive: bool,
    /// Whether the banner is shown at the start.
    pub banner: bool,
    /// When the board is shown.
    pub boards: BoardDisplay,
}

/// When the plain mode shows the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoardDisplay {
    /// At the start, after every move and at the end.
    #[default]
    Always,
    /// When somebody asks for it.
    Asked,
    /// Never.
    Never,
}

impl BoardDisplay {
    /// Every choice, the usual one first.
    pub const ALL: [BoardDisplay; 3] = [
        BoardDisplay::Always,
        BoardDisplay::Asked,
        BoardDisplay::Never,
    ];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            BoardDisplay::Always => "always",
            BoardDisplay::Asked => "asked",
            BoardDisplay::Never => "never",
        }
    }
}
