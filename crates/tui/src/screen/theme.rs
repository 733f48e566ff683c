//! The themes: the colour of each thing on the screen. The [palette](crate::screen::palette) converts colours for
//! the terminal.

use touchmove_diagram::{Rgba, Theme as Diagram};

use crate::screen::palette::Rgb;

/// The colours of the board and of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct ScreenTheme {
    /// Its name in the configuration and for `--theme`.
    pub name: &'static str,
    /// What it is good for, in a few words.
    pub suits: &'static str,
    pub light_square: Rgb,
    pub dark_square: Rgb,
    pub white_man: Rgb,
    pub black_man: Rgb,
    pub last_move: Rgb,
    pub selected: Rgb,
    pub target: Rgb,
    pub check: Rgb,
    pub evidence: Rgb,
    pub blast: Rgb,
    /// Important text.
    pub accent: Rgb,
    /// Secondary text.
    pub quiet: Rgb,
    /// Warnings.
    pub alarm: Rgb,
    /// Success messages.
    pub good: Rgb,
}

impl ScreenTheme {
    /// All themes, the default first.
    pub const ALL: [ScreenTheme; 5] = [
        ScreenTheme {
            name: "wood",
            suits: "dark backgrounds",
            light_square: Rgb(178, 140, 98),
            dark_square: Rgb(128, 90, 46),
            white_man: Rgb(255, 255, 250),
            black_man: Rgb(16, 12, 10),
            last_move: Rgb(190, 180, 40),
            selected: Rgb(70, 150, 70),
            target: Rgb(30, 75, 35),
            check: Rgb(215, 50, 40),
            evidence: Rgb(150, 80, 190),
            blast: Rgb(240, 120, 20),
            accent: Rgb(235, 190, 110),
            quiet: Rgb(140, 130, 120),
            alarm: Rgb(245, 95, 80),
            good: Rgb(120, 200, 110),
        },
        ScreenTheme {
            name: "slate",
            suits: "dark backgrounds, cool",
            light_square: Rgb(128, 150, 164),
            dark_square: Rgb(82, 101, 124),
            white_man: Rgb(255, 255, 255),
            black_man: Rgb(10, 12, 18),
            last_move: Rgb(80, 160, 190),
            selected: Rgb(60, 150, 110),
            target: Rgb(15, 60, 60),
            check: Rgb(205, 60, 70),
            evidence: Rgb(150, 90, 190),
            blast: Rgb(235, 130, 40),
            accent: Rgb(130, 195, 235),
            quiet: Rgb(130, 140, 150),
            alarm: Rgb(245, 110, 110),
            good: Rgb(120, 205, 160),
        },
        ScreenTheme {
            name: "paper",
            suits: "light backgrounds",
            light_square: Rgb(157, 146, 128),
            dark_square: Rgb(110, 97, 80),
            white_man: Rgb(255, 255, 255),
            black_man: Rgb(10, 10, 10),
            last_move: Rgb(205, 175, 60),
            selected: Rgb(90, 150, 80),
            target: Rgb(40, 80, 40),
            check: Rgb(200, 60, 50),
            evidence: Rgb(140, 90, 170),
            blast: Rgb(225, 115, 30),
            accent: Rgb(120, 70, 0),
            quiet: Rgb(110, 105, 95),
            alarm: Rgb(175, 20, 10),
            good: Rgb(20, 110, 30),
        },
        ScreenTheme {
            name: "clear",
            suits: "eyes that confuse red and green",
            light_square: Rgb(147, 147, 147),
            dark_square: Rgb(99, 99, 99),
            white_man: Rgb(255, 255, 255),
            black_man: Rgb(0, 0, 0),
            last_move: Rgb(86, 180, 233),
            selected: Rgb(0, 114, 178),
            target: Rgb(0, 50, 90),
            check: Rgb(213, 94, 0),
            evidence: Rgb(204, 121, 167),
            blast: Rgb(230, 159, 0),
            accent: Rgb(86, 180, 233),
            quiet: Rgb(140, 140, 140),
            alarm: Rgb(230, 159, 0),
            good: Rgb(86, 180, 233),
        },
        ScreenTheme {
            name: "tournament",
            suits: "the green and buff of a club",
            light_square: Rgb(146, 151, 102),
            dark_square: Rgb(66, 108, 66),
            white_man: Rgb(255, 255, 255),
            black_man: Rgb(8, 10, 8),
            last_move: Rgb(200, 190, 50),
            selected: Rgb(50, 130, 170),
            target: Rgb(20, 50, 90),
            check: Rgb(205, 60, 45),
            evidence: Rgb(150, 80, 180),
            blast: Rgb(240, 130, 30),
            accent: Rgb(190, 205, 120),
            quiet: Rgb(130, 140, 125),
            alarm: Rgb(245, 105, 85),
            good: Rgb(130, 205, 110),
        },
    ];

    /// The theme with this name.
    ///
    /// ```
    /// use touchmove_tui::screen::ScreenTheme;
    /// assert_eq!(ScreenTheme::named("clear").unwrap().suits, "eyes that confuse red and green");
    /// assert!(ScreenTheme::named("pink").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<ScreenTheme> {
        ScreenTheme::ALL
            .into_iter()
            .find(|theme| theme.name == name)
    }

    /// Whether it is made for light backgrounds.
    #[must_use]
    pub fn is_light(&self) -> bool {
        *self == ScreenTheme::for_light_backgrounds()
    }

    /// The theme for terminals with a light background.
    #[must_use]
    pub fn for_light_backgrounds() -> ScreenTheme {
        ScreenTheme::named("paper").unwrap_or_default()
    }

    /// The nearest theme of the diagram, for images.
    #[must_use]
    pub fn diagram(&self) -> Diagram {
        match self.name {
            "slate" => Diagram::SLATE,
            "paper" => Diagram::PAPER,
            "tournament" => Diagram::MEADOW,
            "clear" => Diagram {
                light: Rgba::hex(0xd6d6d6),
                dark: Rgba::hex(0x9c9c9c),
                last_move: Rgba::hex(0x56b4e9).with_alpha(150),
                check: Rgba::hex(0xd55e00),
                ..Diagram::WALNUT
            },
            _ => Diagram::WALNUT,
        }
    }

    /// The theme after this one, wrapping around.
    #[must_use]
    pub fn next(&self) -> ScreenTheme {
        let at = ScreenTheme::ALL
            .iter()
            .position(|theme| theme.name == self.name);
        ScreenTheme::ALL[at.map_or(0, |at| (at + 1) % ScreenTheme::ALL.len())]
    }
}

impl Default for ScreenTheme {
    fn default() -> ScreenTheme {
        ScreenTheme::ALL[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_stand_out_from_every_square_of_every_theme() {
        for theme in ScreenTheme::ALL {
            for square in [theme.light_square, theme.dark_square] {
                assert!(
                    square.is_readable_background(),
                    "{}: {square:?}",
                    theme.name
                );
                for man in [theme.white_man, theme.black_man] {
                    let contrast = square.contrast(man);
                    assert!(
                        contrast >= 3.0,
                        "{}: {square:?} {man:?} {contrast}",
                        theme.name
                    );
                }
            }
            let squares = theme.light_square.contrast(theme.dark_square);
            assert!(squares > 1.8, "{}: {squares}", theme.name);
        }
    }

    #[test]
    fn words_can_be_read_on_the_background_that_a_theme_suits() {
        for theme in ScreenTheme::ALL {
            let ground = match theme.name {
                "paper" => Rgb(255, 255, 255),
                _ => Rgb(20, 20, 20),
            };
            for word in [theme.accent, theme.quiet, theme.alarm, theme.good] {
                assert!(ground.contrast(word) > 4.0, "{}: {word:?}", theme.name);
            }
        }
    }

    #[test]
    fn going_on_from_theme_to_theme_comes_back_to_the_first() {
        let mut theme = ScreenTheme::default();
        for _ in ScreenTheme::ALL {
            theme = theme.next();
        }
        assert_eq!(theme, ScreenTheme::default());
    }
}
