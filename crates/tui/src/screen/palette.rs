//! Colours as the terminal can show them: full, 256, 16 or none. Which colour means what is the
//! [theme](super::theme)'s business.

use ratatui::style::Color;

/// A colour as themes give it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// This colour with `share` percent of another mixed in.
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

    /// The square of the distance to another colour.
    fn distance(self, other: Rgb) -> i32 {
        let apart = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
        apart(self.0, other.0) + apart(self.1, other.1) + apart(self.2, other.2)
    }
}

/// How many colours the terminal shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Depth {
    /// None: states are told by glyphs and modifiers alone.
    None,
    /// The sixteen names.
    Sixteen,
    /// The cube and the greys.
    TwoHundredFiftySix,
    /// All of them.
    #[default]
    True,
}

impl Depth {
    /// What the environment's variables `NO_COLOR`, `COLORTERM` and `TERM` say.
    ///
    /// ```
    /// use touchmove_tui::screen::Depth;
    ///
    /// assert_eq!(Depth::from_environment(Some("1"), Some("truecolor"), None), Depth::None);
    /// assert_eq!(Depth::from_environment(None, None, Some("xterm-256color")), Depth::TwoHundredFiftySix);
    /// ```
    #[must_use]
    pub fn from_environment(
        no_color: Option<&str>,
        colorterm: Option<&str>,
        term: Option<&str>,
    ) -> Depth {
        let term = term.unwrap_or_default();
        if no_color.is_some_and(|value| !value.is_empty()) || term == "dumb" {
            return Depth::None;
        }
        match colorterm {
            Some("truecolor" | "24bit") => Depth::True,
            _ if term.contains("direct") => Depth::True,
            _ if term.contains("256") => Depth::TwoHundredFiftySix,
            _ => Depth::Sixteen,
        }
    }

    /// The terminal's colour nearest to this one.
    #[must_use]
    pub fn color(self, rgb: Rgb) -> Color {
        match self {
            Depth::None => Color::Reset,
            Depth::Sixteen => nearest_name(rgb),
            Depth::TwoHundredFiftySix => Color::Indexed(nearest_index(rgb)),
            Depth::True => Color::Rgb(rgb.0, rgb.1, rgb.2),
        }
    }
}

/// The sixteen names with the values that terminals usually give them.
const NAMES: [(Color, Rgb); 16] = [
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

fn nearest_name(rgb: Rgb) -> Color {
    NAMES
        .into_iter()
        .min_by_key(|(_, value)| value.distance(rgb))
        .map_or(Color::Reset, |(name, _)| name)
}

/// The index in the cube of 216 colours or the ramp of 24 greys.
fn nearest_index(rgb: Rgb) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let cube = (0..216_u8).map(|index| {
        let step = |unit: u8| STEPS[usize::from(index / unit % 6)];
        (16 + index, Rgb(step(36), step(6), step(1)))
    });
    let greys = (0..24_u8).map(|index| {
        let level = 8 + 10 * index;
        (232 + index, Rgb(level, level, level))
    });
    cube.chain(greys)
        .min_by_key(|(_, value)| value.distance(rgb))
        .map_or(16, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        for (no_color, colorterm, term, depth) in [
            (None, Some("truecolor"), Some("xterm"), Depth::True),
            (None, Some("24bit"), None, Depth::True),
            (None, None, Some("xterm-direct"), Depth::True),
            (
                None,
                None,
                Some("screen-256color"),
                Depth::TwoHundredFiftySix,
            ),
            (None, None, Some("linux"), Depth::Sixteen),
            (None, None, Some("dumb"), Depth::None),
            (Some(""), Some("truecolor"), None, Depth::True),
            (Some("1"), Some("truecolor"), None, Depth::None),
        ] {
            assert_eq!(Depth::from_environment(no_color, colorterm, term), depth);
        }
    }

    #[test]
    fn a_colour_becomes_the_nearest_that_the_terminal_has() {
        assert_eq!(
            Depth::TwoHundredFiftySix.color(Rgb(255, 0, 0)),
            Color::Indexed(196)
        );
        assert_eq!(
            Depth::TwoHundredFiftySix.color(Rgb(8, 8, 8)),
            Color::Indexed(232)
        );
        assert_eq!(Depth::Sixteen.color(Rgb(250, 250, 250)), Color::White);
        assert_eq!(Depth::None.color(Rgb(1, 2, 3)), Color::Reset);
    }
}
