//! How the screen is to look: theme, colours, glyphs, animation. Chosen by the players and the
//! terminal, obeyed by everything that draws.

use ratatui::style::{Modifier, Style};

use crate::screen::board::Blocks;
use crate::screen::palette::{ColorDepth, Rgb};
use crate::screen::start_screen::neighbour;
use crate::screen::theme::ScreenTheme;

/// How men are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceRendering {
    /// As the terminal shows them best.
    #[default]
    Auto,
    /// As real pictures, where the terminal shows any.
    Image,
    /// As pictures made of block characters.
    Blocks,
    /// As pictures made of dots.
    Braille,
    /// As figurines: ♞.
    Figurines,
    /// As letters: N for White's knight, n for Black's.
    Letters,
}

impl PieceRendering {
    /// Every way, the usual one first.
    pub const ALL: [PieceRendering; 6] = [
        PieceRendering::Auto,
        PieceRendering::Image,
        PieceRendering::Blocks,
        PieceRendering::Braille,
        PieceRendering::Figurines,
        PieceRendering::Letters,
    ];

    /// The way with this word. What is `auto` now was called `drawn` once.
    ///
    /// ```
    /// use touchmove_tui::screen::PieceRendering;
    /// assert_eq!(PieceRendering::named("drawn"), PieceRendering::named("auto"));
    /// assert_eq!(PieceRendering::named("wooden"), None);
    /// ```
    #[must_use]
    pub fn named(word: &str) -> Option<PieceRendering> {
        let word = if word == "drawn" { "auto" } else { word };
        PieceRendering::ALL
            .into_iter()
            .find(|pieces| pieces.word() == word)
    }

    /// The word that the configuration knows it by.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            PieceRendering::Auto => "auto",
            PieceRendering::Image => "image",
            PieceRendering::Blocks => "blocks",
            PieceRendering::Braille => "braille",
            PieceRendering::Figurines => "figurines",
            PieceRendering::Letters => "letters",
        }
    }
}

/// How everything looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appearance {
    /// The colours.
    pub theme: ScreenTheme,
    /// Whether the theme follows the terminal's background.
    pub auto_theme: bool,
    /// Whether the terminal's background is light.
    pub on_light: bool,
    /// How many of them the terminal shows.
    pub depth: ColorDepth,
    /// How men are drawn.
    pub pieces: PieceRendering,
    /// The blocks that men are made of, if somebody has chosen.
    pub blocks: Option<Blocks>,
    /// The finest blocks that the terminal is known to draw.
    pub known_blocks: Blocks,
    /// Whether real pictures are put on the board's squares.
    pub images: bool,
    /// Whether only ASCII may be written.
    pub ascii: bool,
    /// Whether a banner greets where there is room.
    pub banner: bool,
    /// Whether explosions are shown.
    pub animation: bool,
}

impl Default for Appearance {
    fn default() -> Appearance {
        Appearance {
            theme: ScreenTheme::default(),
            auto_theme: true,
            on_light: false,
            depth: ColorDepth::default(),
            pieces: PieceRendering::default(),
            blocks: None,
            known_blocks: Blocks::Quadrants,
            images: false,
            ascii: false,
            banner: true,
            animation: true,
        }
    }
}

impl Appearance {
    /// Whether there are colours at all.
    #[must_use]
    pub fn is_colored(&self) -> bool {
        self.depth > ColorDepth::None
    }

    /// The words for themes: `auto` takes the one for the terminal's background.
    #[must_use]
    pub fn themes() -> Vec<&'static str> {
        let names = ScreenTheme::ALL.iter().map(|theme| theme.name);
        std::iter::once("auto").chain(names).collect()
    }

    /// The choice that a word for a theme stands for: none for `auto`.
    #[must_use]
    pub fn theme_choice(word: &str) -> Option<Option<ScreenTheme>> {
        let found = ScreenTheme::named(word);
        (word == "auto" || found.is_some()).then_some(found)
    }

    /// The next theme, or the one before; the one that follows the background is the first.
    pub fn cycle_theme(&mut self, forward: bool) {
        let words = Appearance::themes();
        let now = match self.auto_theme {
            true => "auto",
            false => self.theme.name,
        };
        let word = neighbour(&words, now, forward);
        self.choose_theme(Appearance::theme_choice(word).flatten());
    }

    /// The next way to draw men, or the one before.
    pub fn cycle_pieces(&mut self, forward: bool) {
        self.pieces = neighbour(&PieceRendering::ALL, self.pieces, forward);
    }

    /// Chooses a theme, or leaves it to the terminal's background.
    pub fn choose_theme(&mut self, choice: Option<ScreenTheme>) {
        self.auto_theme = choice.is_none();
        self.theme = choice.unwrap_or_else(|| match self.on_light {
            true => ScreenTheme::for_light_backgrounds(),
            false => ScreenTheme::default(),
        });
    }

    /// The blocks that men are made of.
    #[must_use]
    pub fn finest_blocks(&self) -> Blocks {
        self.blocks.unwrap_or(self.known_blocks)
    }

    /// Whether the board is shown as real pictures.
    #[must_use]
    pub fn is_pictured(&self) -> bool {
        let wants = matches!(self.pieces, PieceRendering::Auto | PieceRendering::Image);
        self.images && wants && !self.ascii && self.is_colored()
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
    pub fn muted(&self) -> Style {
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
