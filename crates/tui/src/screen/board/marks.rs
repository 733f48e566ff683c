//! The marks on the board: the last move, the selected piece and its targets, check, evidence, explosions. Each
//! mark has both a colour and a sign, so that none depends on colour alone.

use touchmove_rules::{Bitboard, Square};

use crate::screen::palette::Rgb;
use crate::screen::theme::ScreenTheme;

/// The marked squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// The squares of the last move.
    pub last_move: Bitboard,
    /// The selected piece.
    pub selected: Option<Square>,
    /// Empty squares it may go to.
    pub targets: Bitboard,
    /// Pieces it may capture.
    pub captures: Bitboard,
    /// The king in check.
    pub check: Option<Square>,
    /// The pieces that give check.
    pub checkers: Bitboard,
    /// The squares that the arbiter cites when a move is refused.
    pub evidence: Bitboard,
    /// Pieces that would explode, or are exploding.
    pub blast: Bitboard,
    /// The state of the explosion animation, if one runs.
    pub explosion: Option<Explosion>,
}

/// The state of an explosion animation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explosion {
    /// The square of the capture.
    pub centre: Square,
    /// 0 is the flash; later steps are farther out and fainter.
    pub step: u8,
}

impl Explosion {
    /// The number of steps of an explosion animation.
    pub const EXPLOSION_STEPS: u8 = 4;

    /// The characters of the explosion on a square at this step.
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

/// The most important mark of one square.
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
    /// The most important mark of a square.
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

    /// Whether the sign is shown in addition to the colour; the other marks are clear by colour.
    #[must_use]
    pub const fn always_signed(self) -> bool {
        matches!(
            self,
            Mark::Blast | Mark::Capture | Mark::Evidence | Mark::Checker
        )
    }

    /// The colour that tints the square, and its share in percent.
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
