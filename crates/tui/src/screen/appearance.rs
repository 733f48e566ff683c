//! The appearance of the screen: theme, colours, glyphs, animation. Chosen by the players or by what the terminal
//! can do; everything that draws follows it.

use ratatui::style::{Modifier, Style};

use crate::screen::board::Blocks;
use crate::screen::palette::{ColorDepth, Rgb};
use crate::screen::start_screen::neighbour;
use crate::screen::theme::ScreenTheme;

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceRendering {
    /// The best that the terminal can show.
    #[default]
    Auto,
    /// As images, where the terminal shows any.
    Image,
    /// As pictures made of block characters.
    Blocks,
    /// As pictures made of braille dots.
    Braille,
    /// As figurines: ♞.
    Figurines,
    /// As letters: N for White's knight, n for Black's.
    Letters,
}

impl PieceRendering {
    /// All ways, the default first.
    pub const ALL: [PieceRendering; 6] = [
        PieceRendering::Auto,
        PieceRendering::Image,
        PieceRendering::Blocks,
        PieceRendering::Braille,
        PieceRendering::Figurines,
        PieceRendering::Letters,
    ];

    /// The way with this word. `drawn` is the old word for `auto`.
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

    /// Its word in the configuration.
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

/// The appearance of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appearance {
    /// The colour theme.
    pub theme: ScreenTheme,
    /// Whether the theme follows the terminal's background.
    pub auto_theme: bool,
    /// Whether the terminal's background is light.
    pub on_light: bool,
    /// How many colours the terminal shows.
    pub depth: ColorDepth,
    /// How pieces are drawn.
    pub pieces: PieceRendering,
    /// The chosen block characters for pieces, if any were chosen.
    pub blocks: Option<Blocks>,
    /// The finest block characters that the terminal is known to draw.
    pub known_blocks: Blocks,
    /// Whether images are put on the squares of the board.
    pub images: bool,
    /// Whether only ASCII may be written.
    pub ascii: bool,
    /// Whether the banner is shown where there is room.
    pub banner: bool,
    /// Whether explosions are animated.
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

    /// The words for themes; `auto` follows the terminal's background.
    #[must_use]
    pub fn themes() -> Vec<&'static str> {
        let names = ScreenTheme::ALL.iter().map(|theme| theme.name);
        std::iter::once("auto").chain(names).collect()
    }

    /// Parses a word for a theme; `auto` gives `Some(None)`.
    #[must_use]
    pub fn theme_choice(word: &str) -> Option<Option<ScreenTheme>> {
        let found = ScreenTheme::named(word);
        (word == "auto" || found.is_some()).then_some(found)
    }

    /// Selects the next or the previous theme; the first is `auto`.
    pub fn cycle_theme(&mut self, forward: bool) {
        let words = Appearance::themes();
        let now = match self.auto_theme {
            true => "auto",
            false => self.theme.name,
        };
        let word = neighbour(&words, now, forward);
        self.choose_theme(Appearance::theme_choice(word).flatten());
    }

    /// Selects the next or the previous way to draw pieces.
    pub fn cycle_pieces(&mut self, forward: bool) {
        self.pieces = neighbour(&PieceRendering::ALL, self.pieces, forward);
    }

    /// Selects a theme, or lets it follow the terminal's background.
    pub fn choose_theme(&mut self, choice: Option<ScreenTheme>) {
        self.auto_theme = choice.is_none();
        self.theme = choice.unwrap_or_else(|| match self.on_light {
            true => ScreenTheme::for_light_backgrounds(),
            false => ScreenTheme::default(),
        });
    }

    /// The block characters for pieces.
    #[must_use]
    pub fn finest_blocks(&self) -> Blocks {
        self.blocks.unwrap_or(self.known_blocks)
    }

    /// Whether the board is shown as images.
    #[must_use]
    pub fn is_pictured(&self) -> bool {
        let wants = matches!(self.pieces, PieceRendering::Auto | PieceRendering::Image);
        self.images && wants && !self.ascii && self.is_colored()
    }

    /// Text in this colour; without colours, unstyled.
    #[must_use]
    pub fn ink(&self, rgb: Rgb) -> Style {
        match self.is_colored() {
            true => Style::new().fg(self.depth.color(rgb)),
            false => Style::new(),
        }
    }

    /// The style of important text.
    #[must_use]
    pub fn accent(&self) -> Style {
        self.ink(self.theme.accent).add_modifier(Modifier::BOLD)
    }

    /// The style of secondary text.
    #[must_use]
    pub fn muted(&self) -> Style {
        match self.is_colored() {
            true => self.ink(self.theme.quiet),
            false => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// The style of warnings.
    #[must_use]
    pub fn alarm(&self) -> Style {
        self.ink(self.theme.alarm).add_modifier(Modifier::BOLD)
    }

    /// The style of success messages.
    #[must_use]
    pub fn good(&self) -> Style {
        self.ink(self.theme.good)
    }

    /// The text for this terminal: `ascii` if only ASCII may be written.
    #[must_use]
    pub const fn glyph<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.ascii { ascii } else { unicode }
    }
}
