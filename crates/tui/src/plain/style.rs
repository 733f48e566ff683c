//! How a plain session speaks: with which men, colours and boards.

use touchmove_diagram::Men;

/// How a plain session speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// How the men are written on the board.
    pub men: Men,
    /// Whether the lines may have colour.
    pub color: bool,
    /// Whether somebody sits there: then there is a prompt, and resigning is confirmed.
    pub interactive: bool,
    /// Whether the banner is shown at the start.
    pub banner: bool,
    /// When the board is shown.
    pub boards: Boards,
}

/// When the plain mode shows the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Boards {
    /// At the start, after every move and at the end.
    #[default]
    Always,
    /// When somebody asks for it.
    Asked,
    /// Never.
    Never,
}

impl Boards {
    /// Every choice, the usual one first.
    pub const ALL: [Boards; 3] = [Boards::Always, Boards::Asked, Boards::Never];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Boards::Always => "always",
            Boards::Asked => "asked",
            Boards::Never => "never",
        }
    }
}
