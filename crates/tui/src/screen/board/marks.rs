//! What is marked on the board: the last move, the man in hand and where it may go, check,
//! evidence, blasts. Each mark has a colour and a sign of its own, so that none is told by colour
//! alone.

use touchmove_rules::{Bitboard, Square};

use crate::screen::palette::Rgb;
use crate::screen::theme::ScreenTheme;

/// The squares that are marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Where the last move came from and went to.
    pub last_move: Bitboard,
    /// The man in hand.
    pub selected: Option<Square>,
    /// Empty squares that it may go to.
    pub targets: Bitboard,
    /// Men that it may take.
    pub captures: Bitboard,
    /// The king in check.
    pub check: Option<Square>,
    /// The men that give check.
    pub checkers: Bitboard,
    /// What the arbiter points at when a move is refused.
    pub evidence: Bitboard,
    /// Who would die, or is dying.
    pub blast: Bitboard,
    /// How far an explosion has gone, if one is on.
    pub explosion: Option<Explosion>,
}

/// A blast as it happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explosion {
    /// The square of the capture.
    pub centre: Square,
    /// 0 at the flash; later steps are farther out and fainter.
    pub step: u8,
}

impl Explosion {
    /// How many steps an explosion has.
    pub const EXPLOSION_STEPS: u8 = 4;

    /// What the fire looks like on a square now.
    #[must_use]
    pub fn frame_on(self, square: Square) -> Option<&'static str> {
        let distance = self.centre.distance(square);
        let picture = match (distance, self.step) {
            (0, 0) => "█",
            (0, 1) => "▓",
            (0, 2) => "▒",
            (0, _) => "░",
            (1, 0) => return None,
            (1, 1) => "▓",
            (1, 2) => "▒",
            (1, _) => "░",
            _ => return None,
        };
        Some(picture)
    }
}

/// The most telling mark of one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Mark {
    Blast,
    Evidence,
    Selected,
    Check,
    Checker,
    Capture,
    LastMove,
}

impl Marks {
    /// The most telling mark of a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Mark> {
        [
            (self.blast.contains(square), Mark::Blast),
            (self.evidence.contains(square), Mark::Evidence),
            (self.selected == Some(square), Mark::Selected),
            (self.captures.contains(square), Mark::Capture),
            (self.check == Some(square), Mark::Check),
            (self.checkers.contains(square), Mark::Checker),
            (self.last_move.contains(square), Mark::LastMove),
        ]
        .into_iter()
        .find_map(|(is_marked, mark)| is_marked.then_some(mark))
    }
}

impl Mark {
    /// The signs at the left and right edge of the square.
    #[must_use]
    pub const fn signs(self, ascii: bool) -> [&'static str; 2] {
        match (self, ascii) {
            (Mark::Blast, false) => ["✶", "✶"],
            (Mark::Blast, true) => ["*", "*"],
            (Mark::Evidence, false) => ["»", "«"],
            (Mark::Evidence, true) => ["?", "?"],
            (Mark::Selected, _) => ["[", "]"],
            (Mark::Check, _) => ["!", "!"],
            (Mark::Checker, _) => [">", "<"],
            (Mark::Capture, false) => ["×", "×"],
            (Mark::Capture, true) => ["x", "x"],
            (Mark::LastMove, _) => ["(", ")"],
        }
    }

    /// Whether the sign is shown beside the colour; the others are told well enough by colour.
    #[must_use]
    pub const fn always_signed(self) -> bool {
        matches!(
            self,
            Mark::Blast | Mark::Capture | Mark::Evidence | Mark::Checker
        )
    }

    /// The colour that tints the square, and how strongly, in percent.
    #[must_use]
    pub const fn tint(self, theme: &ScreenTheme) -> (Rgb, u16) {
        match self {
            Mark::Blast => (theme.blast, 70),
            Mark::Evidence => (theme.evidence, 65),
            Mark::Selected => (theme.selected, 70),
            Mark::Check => (theme.check, 80),
            Mark::Checker => (theme.check, 45),
            Mark::Capture => (theme.target, 30),
            Mark::LastMove => (theme.last_move, 45),
        }
    }
}
