//! The style of plain mode: pieces, colours and boards.

use touchmove_diagram::PieceStyle;

/// The style of plain mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlainStyle {
    /// How pieces are written on the board.
    pub men: PieceStyle,
    /// Whether the output may have colours.
    pub color: bool,
    /// Whether the use is interactive: then there is a prompt, and resigning is confirmed.
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
    /// When the player asks for it.
    Asked,
    /// Never.
    Never,
}

impl BoardDisplay {
    /// All choices, the default first.
    pub const ALL: [BoardDisplay; 3] = [
        BoardDisplay::Always,
        BoardDisplay::Asked,
        BoardDisplay::Never,
    ];

    /// Its word in the configuration.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            BoardDisplay::Always => "always",
            BoardDisplay::Asked => "asked",
            BoardDisplay::Never => "never",
        }
    }
}
