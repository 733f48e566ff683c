//! The colours of a diagram: board, highlights and pieces.

use std::fmt;

/// A colour with its opacity.
///
/// ```
/// use touchmove_diagram::Rgba;
///
/// let amber = Rgba::hex(0xffbf00);
/// assert_eq!(amber.to_string(), "#ffbf00");
/// assert_eq!(amber.with_alpha(51).alpha, 51);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgba {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
    /// The opacity: 0 is transparent, 255 is opaque.
    pub alpha: u8,
}

impl Rgba {
    /// The opaque colour written `0xRRGGBB`.
    #[must_use]
    pub const fn hex(rgb: u32) -> Rgba {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Rgba {
            red,
            green,
            blue,
            alpha: 255,
        }
    }

    /// The same colour with another opacity.
    #[must_use]
    pub const fn with_alpha(self, alpha: u8) -> Rgba {
        Rgba { alpha, ..self }
    }
}

/// Writes `#rrggbb`, without the opacity.
impl fmt::Display for Rgba {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// The colours of one side's pieces.
///
/// ```
/// use touchmove_diagram::{PieceColors, Rgba, Theme};
///
/// let red = PieceColors { body: Rgba::hex(0xcc2222), ..Theme::WALNUT.black };
/// let theme = Theme { black: red, ..Theme::WALNUT };
/// assert_eq!(theme.black.edge, Theme::WALNUT.black.edge);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceColors {
    /// The body, lit from the left.
    pub body: Rgba,
    /// The shaded side of the body.
    pub shade: Rgba,
    /// The outline of every part.
    pub edge: Rgba,
    /// Details cut into the body: a bishop's mitre, a knight's eye.
    pub detail: Rgba,
}

/// All colours of a diagram.
///
/// ```
/// use touchmove_diagram::{Rgba, Theme};
///
/// let rosy = Theme { dark: Rgba::hex(0xc08080), ..Theme::WALNUT };
/// assert_eq!(rosy.light, Theme::WALNUT.light);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The light squares.
    pub light: Rgba,
    /// The dark squares.
    pub dark: Rgba,
    /// The frame that carries coordinates outside the board.
    pub frame: Rgba,
    /// The coordinates on the frame.
    pub frame_label: Rgba,
    /// The tint of the two squares of the last move.
    pub last_move: Rgba,
    /// The tint of marked squares.
    pub mark: Rgba,
    /// The glow under a king in check.
    pub check: Rgba,
    /// The arrows.
    pub arrow: Rgba,
    /// The white pieces.
    pub white: PieceColors,
    /// The black pieces.
    pub black: PieceColors,
}

const IVORY: PieceColors = PieceColors {
    body: Rgba::hex(0xfffefa),
    shade: Rgba::hex(0xdfd8cb),
    edge: Rgba::hex(0x38322d),
    detail: Rgba::hex(0x38322d),
};

const EBONY: PieceColors = PieceColors {
    body: Rgba::hex(0x5a544f),
    shade: Rgba::hex(0x3f3a37),
    edge: Rgba::hex(0x1c1917),
    detail: Rgba::hex(0xe9e3d8),
};

impl Theme {
    /// Warm browns, the default.
    pub const WALNUT: Theme = Theme {
        light: Rgba::hex(0xefdfc3),
        dark: Rgba::hex(0xb58a63),
        frame: Rgba::hex(0x4a3a2d),
        frame_label: Rgba::hex(0xefdfc3),
        last_move: Rgba::hex(0xf2d024).with_alpha(140),
        mark: Rgba::hex(0x3f8fd6).with_alpha(170),
        check: Rgba::hex(0xf0201c),
        arrow: Rgba::hex(0x2f8f4e).with_alpha(205),
        white: IVORY,
        black: EBONY,
    };

    /// Greens, as on a tournament roll-up board.
    pub const MEADOW: Theme = Theme {
        light: Rgba::hex(0xeef0d8),
        dark: Rgba::hex(0x7a9b5c),
        frame: Rgba::hex(0x3c4d31),
        frame_label: Rgba::hex(0xeef0d8),
        arrow: Rgba::hex(0xe08a1e).with_alpha(215),
        ..Theme::WALNUT
    };

    /// Cool blue greys.
    pub const SLATE: Theme = Theme {
        light: Rgba::hex(0xe4e9ee),
        dark: Rgba::hex(0x86a0b4),
        frame: Rgba::hex(0x34424e),
        frame_label: Rgba::hex(0xe4e9ee),
        mark: Rgba::hex(0x8a63d2).with_alpha(165),
        arrow: Rgba::hex(0xe08a1e).with_alpha(215),
        ..Theme::WALNUT
    };

    /// Greys that survive a black-and-white printer.
    pub const PAPER: Theme = Theme {
        light: Rgba::hex(0xffffff),
        dark: Rgba::hex(0xcccccc),
        frame: Rgba::hex(0xffffff),
        frame_label: Rgba::hex(0x222222),
        last_move: Rgba::hex(0x000000).with_alpha(45),
        mark: Rgba::hex(0x000000).with_alpha(85),
        check: Rgba::hex(0x6a6a6a),
        arrow: Rgba::hex(0x000000).with_alpha(190),
        ..Theme::WALNUT
    };
}

impl Default for Theme {
    fn default() -> Theme {
        Theme::WALNUT
    }
}
