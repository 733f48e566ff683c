//! Block characters: which of them a terminal is known to draw, and the character for a pattern of pixels. Knows
//! nothing of what the pixels show.

/// Into how many pixels a cell of the screen is divided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Blocks {
    /// Two halves, one above the other or side by side; on consoles too.
    Half,
    /// Two by two; in every font that has block elements.
    Quadrants,
    /// Two columns of three; in Unicode since 2020.
    Sextants,
    /// Two columns of four; in Unicode since 2024.
    Octants,
}

impl Blocks {
    /// All of them, the coarsest first.
    pub const ALL: [Blocks; 4] = [
        Blocks::Half,
        Blocks::Quadrants,
        Blocks::Sextants,
        Blocks::Octants,
    ];

    /// Its word in the configuration and for `--blocks`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Blocks::Half => "half",
            Blocks::Quadrants => "quadrants",
            Blocks::Sextants => "sextants",
            Blocks::Octants => "octants",
        }
    }

    /// Pixels across and down in one cell.
    #[must_use]
    pub const fn pixels_per_cell(self) -> (u16, u16) {
        match self {
            Blocks::Half | Blocks::Quadrants => (2, 2),
            Blocks::Sextants => (2, 3),
            Blocks::Octants => (2, 4),
        }
    }

    /// The character for a pattern of pixels: the lowest bit is the upper left one, the next bit the one to its
    /// right, and so on row by row. Half blocks have no characters for quarters.
    ///
    /// ```
    /// use touchmove_tui::screen::board::Blocks;
    ///
    /// assert_eq!(Blocks::Half.glyph(0b0011), '▀');
    /// assert_eq!(Blocks::Half.glyph(0b0111), ' ');
    /// assert_eq!(Blocks::Quadrants.glyph(0b0111), '▛');
    /// assert_eq!(Blocks::Sextants.glyph(0b000001), '\u{1fb00}');
    /// assert_eq!(Blocks::Octants.glyph(0b00000100), '\u{1cd00}');
    /// ```
    #[must_use]
    pub fn glyph(self, pattern: u8) -> char {
        match self {
            Blocks::Half if !HALVES.contains(&(pattern & 15)) => ' ',
            Blocks::Half | Blocks::Quadrants => QUADRANTS[usize::from(pattern & 15)],
            Blocks::Sextants => sextant(pattern & 63),
            Blocks::Octants => octant(pattern),
        }
    }

    /// The finest block characters that a terminal draws by itself, whatever its fonts: from its own name and the
    /// environment's `TERM`, `TERM_PROGRAM` and `VTE_VERSION`.
    ///
    /// ```
    /// use touchmove_tui::screen::board::Blocks;
    ///
    /// let known = |term, program, vte| Blocks::known(None, term, program, vte);
    /// assert_eq!(known(Some("xterm-kitty"), None, None), Blocks::Sextants);
    /// assert_eq!(known(Some("xterm-256color"), None, Some("7402")), Blocks::Sextants);
    /// assert_eq!(known(Some("xterm-256color"), None, None), Blocks::Quadrants);
    /// assert_eq!(
    ///     Blocks::known(Some("WezTerm 20240203"), Some("xterm-256color"), None, None),
    ///     Blocks::Sextants,
    /// );
    /// ```
    #[must_use]
    pub fn known(
        called: Option<&str>,
        term: Option<&str>,
        program: Option<&str>,
        vte: Option<&str>,
    ) -> Blocks {
        const TERMINALS_WITH_SEXTANTS: [&str; 7] = [
            "kitty",
            "foot",
            "wezterm",
            "ghostty",
            "alacritty",
            "contour",
            "vte(",
        ];
        // VTE draws them since 0.62.
        let is_fine_vte = vte
            .and_then(|version| version.parse::<u32>().ok())
            .is_some_and(|version| version >= 6200);
        let is_inside =
            term.is_some_and(|term| ["tmux", "screen"].iter().any(|word| term.starts_with(word)));
        let names = [called, term, program].into_iter().flatten();
        let is_named = names.map(str::to_ascii_lowercase).any(|name| {
            TERMINALS_WITH_SEXTANTS
                .iter()
                .any(|fine| name.contains(fine))
        });
        match is_named || (is_fine_vte && !is_inside) {
            true => Blocks::Sextants,
            false => Blocks::Quadrants,
        }
    }
}

/// Empty, upper and lower half, left and right half, full.
const HALVES: [u8; 6] = [0b0000, 0b0011, 0b1100, 0b0101, 0b1010, 0b1111];

const QUADRANTS: [char; 16] = [
    ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
];

/// Sextants are in the order of their patterns, without those that are older characters.
fn sextant(pattern: u8) -> char {
    match pattern {
        0 => ' ',
        0b01_0101 => '▌',
        0b10_1010 => '▐',
        63 => '█',
        _ => {
            let older = 1 + u32::from(pattern > 0b01_0101) + u32::from(pattern > 0b10_1010);
            char::from_u32(0x1fb00 + u32::from(pattern) - older).unwrap_or(' ')
        }
    }
}

/// Octant patterns whose characters are outside the block of octants.
const OLDER_OCTANTS: [(u8, char); 26] = [
    (0b0000_0000, ' '),
    (0b0000_0001, '\u{1cea8}'),
    (0b0000_0010, '\u{1ceab}'),
    (0b0000_0011, '\u{1fb82}'),
    (0b0000_0101, '▘'),
    (0b0000_1010, '▝'),
    (0b0000_1111, '▀'),
    (0b0001_0100, '\u{1fbe6}'),
    (0b0010_1000, '\u{1fbe7}'),
    (0b0011_1111, '\u{1fb85}'),
    (0b0100_0000, '\u{1cea3}'),
    (0b0101_0000, '▖'),
    (0b0101_0101, '▌'),
    (0b0101_1010, '▞'),
    (0b0101_1111, '▛'),
    (0b1000_0000, '\u{1cea0}'),
    (0b1010_0000, '▗'),
    (0b1010_0101, '▚'),
    (0b1010_1010, '▐'),
    (0b1010_1111, '▜'),
    (0b1100_0000, '▂'),
    (0b1111_0000, '▄'),
    (0b1111_0101, '▙'),
    (0b1111_1010, '▟'),
    (0b1111_1100, '▆'),
    (0b1111_1111, '█'),
];

fn octant(pattern: u8) -> char {
    let before = OLDER_OCTANTS.partition_point(|(older, _)| *older < pattern);
    match OLDER_OCTANTS.get(before) {
        Some(&(older, glyph)) if older == pattern => glyph,
        _ => char::from_u32(0x1cd00 + u32::from(pattern) - before as u32).unwrap_or(' '),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_has_a_character_of_its_own() {
        for blocks in Blocks::ALL {
            let (across, down) = blocks.pixels_per_cell();
            let last = u8::MAX >> (8 - across * down);
            assert_eq!((blocks.glyph(0), blocks.glyph(last)), (' ', '█'));
            let patterns: Vec<u8> = match blocks {
                Blocks::Half => HALVES.to_vec(),
                _ => (0..=last).collect(),
            };
            let mut glyphs: Vec<char> = patterns.iter().map(|&at| blocks.glyph(at)).collect();
            glyphs.sort_unstable();
            glyphs.dedup();
            assert_eq!(glyphs.len(), patterns.len(), "{}", blocks.word());
        }
    }

    #[test]
    fn the_last_sextant_and_the_last_octant_are_where_unicode_has_them() {
        assert_eq!(Blocks::Sextants.glyph(62), '\u{1fb3b}');
        assert_eq!(Blocks::Octants.glyph(254), '\u{1cde5}');
    }

    #[test]
    fn what_runs_inside_another_program_is_not_taken_for_the_terminal_around_it() {
        let inside = Blocks::known(None, Some("tmux-256color"), Some("tmux"), Some("7402"));
        assert_eq!(inside, Blocks::Quadrants);
    }
}
