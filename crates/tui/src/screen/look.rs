//! How the screen is to look: theme, colours, glyphs, animation. Chosen by the players and the
//! terminal, obeyed by everything that draws.

use ratatui::style::{Modifier, Style};

use super::palette::{Depth, Rgb};
use super::theme::Theme;

/// How men are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pieces {
    /// As pictures where squares are large enough, else as figurines.
    #[default]
    Drawn,
    /// As figurines: ♞.
    Figurines,
    /// As letters: N for White's knight, n for Black's.
    Letters,
}

impl Pieces {
    /// Every way, the usual one first.
    pub const ALL: [Pieces; 3] = [Pieces::Drawn, Pieces::Figurines, Pieces::Letters];

    /// The word that the configuration knows it by.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Pieces::Drawn => "drawn",
            Pieces::Figurines => "figurines",
            Pieces::Letters => "letters",
        }
    }
}

/// How everything looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// The colours.
    pub theme: Theme,
    /// How many of them the terminal shows.
    pub depth: Depth,
    /// How men are drawn.
    pub pieces: Pieces,
    /// Whether only ASCII may be written.
    pub ascii: bool,
    /// Whether explosions are shown.
    pub animation: bool,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            theme: Theme::default(),
            depth: Depth::default(),
            pieces: Pieces::default(),
            ascii: false,
            animation: true,
        }
    }
}

impl Look {
    /// Whether there are colours at all.
    #[must_use]
    pub fn is_colored(&self) -> bool {
        self.depth > Depth::None
    }

    /// Words in a colour; without colours, as they are.
    #[must_use]
    pub fn ink(&self, rgb: Rgb) -> Style {
        match self.is_colored() {
            true => Style::new().fg(self.depth.color(rgb)),
            false => Style::new(),
        }
    }

    /// Words that matter.
    #[must_use]
    pub fn accent(&self) -> Style {
        self.ink(self.theme.accent).add_modifier(Modifier::BOLD)
    }

    /// Words that only help.
    #[must_use]
    pub fn quiet(&self) -> Style {
        match self.is_colored() {
            true => self.ink(self.theme.quiet),
            false => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// Words that warn.
    #[must_use]
    pub fn alarm(&self) -> Style {
        self.ink(self.theme.alarm).add_modifier(Modifier::BOLD)
    }

    /// Words of success.
    #[must_use]
    pub fn good(&self) -> Style {
        self.ink(self.theme.good)
    }

    /// A text for this terminal: the second one if only ASCII may be written.
    #[must_use]
    pub const fn glyph<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.ascii { ascii } else { unicode }
    }
}
