//! Numeric Annotation Glyphs (`$1`) and the signs that people write instead of them (`!`, `±`, `+=`).

use std::fmt;

/// A Numeric Annotation Glyph: `$1` is a good move, `$4` a blunder, `$10` an even position.
///
/// ```
/// use touchmove_pgn::Nag;
/// assert_eq!(Nag::from_glyph("!?"), Some(Nag(5)));
/// assert_eq!(Nag(5).to_string(), "$5");
/// assert_eq!(Nag(5).glyph(), Some("!?"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

/// The written signs; the preferred one of each number comes first.
const SIGNS: [(&str, u8); 37] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("+/−", 16),
    ("∓", 17),
    ("-/+", 17),
    ("−/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
    ("⨀", 22),
    ("○", 26),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("=/∞", 44),
    ("⇆", 132),
    ("⊕", 138),
    ("∆", 140),
    ("⌓", 142),
    ("N", 146),
    ("D", 220),
];

impl Nag {
    /// The glyph of a written sign: a suffix (`!?`), an Informant symbol (`±`) or its ASCII spelling (`+/-`).
    #[must_use]
    pub fn from_glyph(sign: &str) -> Option<Nag> {
        SIGNS
            .iter()
            .find(|(known, _)| *known == sign)
            .map(|&(_, number)| Nag(number))
    }

    /// The usual sign of the glyph, if there is one.
    #[must_use]
    pub fn glyph(self) -> Option<&'static str> {
        SIGNS
            .iter()
            .find(|(_, number)| *number == self.0)
            .map(|&(sign, _)| sign)
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
