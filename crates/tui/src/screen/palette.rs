//! Colours at the depth the terminal shows: full, 256, 16 or none. The [theme](crate::screen::theme) says what a
//! colour means.

use std::sync::LazyLock;

use ratatui::style::Color;

/// A 24-bit colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// This colour mixed with `share` percent of another.
    #[must_use]
    pub const fn mixed(self, other: Rgb, share: u16) -> Rgb {
        const fn mix(a: u8, b: u8, share: u16) -> u8 {
            ((a as u16 * (100 - share) + b as u16 * share) / 100) as u8
        }
        Rgb(
            mix(self.0, other.0, share),
            mix(self.1, other.1, share),
            mix(self.2, other.2, share),
        )
    }

    /// The relative luminance by the Web Content Accessibility Guidelines, from 0 to 1.
    #[must_use]
    pub fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let share = f64::from(channel) / 255.0;
            match share <= 0.040_45 {
                true => share / 12.92,
                false => ((share + 0.055) / 1.055).powf(2.4),
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// The contrast ratio to another colour by the same guidelines, from 1 to 21.
    ///
    /// ```
    /// use touchmove_tui::screen::Rgb;
    /// assert_eq!(Rgb(0, 0, 0).contrast(Rgb(255, 255, 255)).round(), 21.0);
    /// ```
    #[must_use]
    pub fn contrast(self, other: Rgb) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// Whether white and black pieces both have a contrast of at least three to one on this colour.
    #[must_use]
    pub fn is_readable_background(self) -> bool {
        (0.119..=0.294).contains(&self.luminance())
    }

    /// The nearest colour, lighter or darker, that is a readable background.
    #[must_use]
    pub fn nearest_background(self) -> Rgb {
        let goal = match self.luminance() > 0.2 {
            true => Rgb(0, 0, 0),
            false => Rgb(255, 255, 255),
        };
        let steps = (0..100).map(|share| self.mixed(goal, share));
        steps
            .into_iter()
            .find(|color| color.is_readable_background())
            .unwrap_or(self)
    }

    /// The squared distance to another colour.
    fn distance(self, other: Rgb) -> i32 {
        let apart = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
        apart(self.0, other.0) + apart(self.1, other.1) + apart(self.2, other.2)
    }
}

/// How many colours the terminal shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum ColorDepth {
    /// No colours: glyphs and modifiers show all states.
    None,
    /// The sixteen named colours.
    Sixteen,
    /// The cube and the greys.
    TwoHundredFiftySix,
    /// 24-bit colours.
    #[default]
    True,
}

impl ColorDepth {
    /// The colour depth from the environment variables `NO_COLOR`, `COLORTERM` and `TERM`.
    ///
    /// ```
    /// use touchmove_tui::screen::ColorDepth;
    ///
    /// assert_eq!(ColorDepth::from_environment(Some("1"), Some("truecolor"), None), ColorDepth::None);
    /// assert_eq!(ColorDepth::from_environment(None, None, Some("xterm-256color")), ColorDepth::TwoHundredFiftySix);
    /// ```
    #[must_use]
    pub fn from_environment(
        no_color: Option<&str>,
        colorterm: Option<&str>,
        term: Option<&str>,
    ) -> ColorDepth {
        let term = term.unwrap_or_default();
        if no_color.is_some_and(|value| !value.is_empty()) || term == "dumb" {
            return ColorDepth::None;
        }
        match colorterm {
            Some("truecolor" | "24bit") => ColorDepth::True,
            _ if term.contains("direct") => ColorDepth::True,
            _ if term.contains("256") => ColorDepth::TwoHundredFiftySix,
            _ => ColorDepth::Sixteen,
        }
    }

    /// The nearest colour the terminal shows.
    #[must_use]
    pub fn color(self, rgb: Rgb) -> Color {
        match self {
            ColorDepth::None => Color::Reset,
            ColorDepth::Sixteen => nearest_name(rgb),
            ColorDepth::TwoHundredFiftySix => nearest_index(rgb, indexed()),
            ColorDepth::True => Color::Rgb(rgb.0, rgb.1, rgb.2),
        }
    }

    /// The nearest colour the terminal shows on which pieces of both colours are readable.
    #[must_use]
    pub fn background(self, rgb: Rgb) -> Color {
        match self {
            ColorDepth::TwoHundredFiftySix => {
                nearest_index(rgb, READABLE_BACKGROUNDS.iter().copied())
            }
            depth => depth.color(rgb.nearest_background()),
        }
    }
}

/// The sixteen named colours with their usual values.
const ANSI16_COLORS: [(Color, Rgb); 16] = [
    (Color::Black, Rgb(0, 0, 0)),
    (Color::Red, Rgb(170, 0, 0)),
    (Color::Green, Rgb(0, 170, 0)),
    (Color::Yellow, Rgb(170, 85, 0)),
    (Color::Blue, Rgb(0, 0, 170)),
    (Color::Magenta, Rgb(170, 0, 170)),
    (Color::Cyan, Rgb(0, 170, 170)),
    (Color::Gray, Rgb(170, 170, 170)),
    (Color::DarkGray, Rgb(85, 85, 85)),
    (Color::LightRed, Rgb(255, 85, 85)),
    (Color::LightGreen, Rgb(85, 255, 85)),
    (Color::LightYellow, Rgb(255, 255, 85)),
    (Color::LightBlue, Rgb(85, 85, 255)),
    (Color::LightMagenta, Rgb(255, 85, 255)),
    (Color::LightCyan, Rgb(85, 255, 255)),
    (Color::White, Rgb(255, 255, 255)),
];

/// The two ranges of the 256 colours: the cube of 216 and the ramp of 24 greys.
fn indexed() -> impl Iterator<Item = (u8, Rgb)> {
    const CUBE_STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let cube = (0..216_u8).map(|index| {
        let step = |unit: u8| CUBE_STEPS[usize::from(index / unit % 6)];
        (16 + index, Rgb(step(36), step(6), step(1)))
    });
    let greys = (0..24_u8).map(|index| {
        let level = 8 + 10 * index;
        (232 + index, Rgb(level, level, level))
    });
    cube.chain(greys)
}

fn nearest_name(rgb: Rgb) -> Color {
    ANSI16_COLORS
        .into_iter()
        .min_by_key(|(_, value)| value.distance(rgb))
        .map_or(Color::Reset, |(name, _)| name)
}

/// Those of the 256 colours on which pieces of both colours are readable. Cached, because finding them takes longer
/// than drawing a screen.
static READABLE_BACKGROUNDS: LazyLock<Vec<(u8, Rgb)>> = LazyLock::new(|| {
    let grounds = indexed().filter(|(_, value)| value.is_readable_background());
    grounds.collect()
});

/// The nearest of these indexed colours.
fn nearest_index(rgb: Rgb, among: impl Iterator<Item = (u8, Rgb)>) -> Color {
    let nearest = among.min_by_key(|(_, value)| value.distance(rgb));
    Color::Indexed(nearest.map_or(16, |(index, _)| index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        for (no_color, colorterm, term, depth) in [
            (None, Some("truecolor"), Some("xterm"), ColorDepth::True),
            (None, Some("24bit"), None, ColorDepth::True),
            (None, None, Some("xterm-direct"), ColorDepth::True),
            (
                None,
                None,
                Some("screen-256color"),
                ColorDepth::TwoHundredFiftySix,
            ),
            (None, None, Some("linux"), ColorDepth::Sixteen),
            (None, None, Some("dumb"), ColorDepth::None),
            (Some(""), Some("truecolor"), None, ColorDepth::True),
            (Some("1"), Some("truecolor"), None, ColorDepth::None),
        ] {
            assert_eq!(
                ColorDepth::from_environment(no_color, colorterm, term),
                depth
            );
        }
    }

    #[test]
    fn a_colour_becomes_the_nearest_that_the_terminal_has() {
        assert_eq!(
            ColorDepth::TwoHundredFiftySix.color(Rgb(255, 0, 0)),
            Color::Indexed(196)
        );
        assert_eq!(
            ColorDepth::TwoHundredFiftySix.color(Rgb(8, 8, 8)),
            Color::Indexed(232)
        );
        assert_eq!(ColorDepth::Sixteen.color(Rgb(250, 250, 250)), Color::White);
        assert_eq!(ColorDepth::None.color(Rgb(1, 2, 3)), Color::Reset);
    }
}
