//! Dangers to kings in the Atomic variants, as sentences: which captures could explode a king next move, and
//! why there is no check while the kings touch.

use serde::Serialize;
use touchmove_rules::law::Ruleset;
use touchmove_rules::{AnyPosition, Bitboard, Color, Role, Square, attacks};

use crate::explain::{listed, pieces_text};

/// A danger to a king, or why there is none where one would be expected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Danger {
    /// A sentence.
    pub text: String,
    /// The squares that prove it: kings, pieces that can be captured, capturing pieces.
    pub squares: Vec<Square>,
}

impl Danger {
    /// The dangers to the king of `side`. Empty in variants without explosions.
    ///
    /// ```
    /// use touchmove_game::Danger;
    /// use touchmove_rules::{AnyPosition, Color, Variant};
    ///
    /// let fen = "4k3/3p4/8/8/8/8/8/3RK3 b - - 0 1";
    /// let position = AnyPosition::from_fen(fen, Variant::Atomic).unwrap();
    /// let [danger] = &Danger::to(&position, Color::Black)[..] else { panic!() };
    /// assert_eq!(
    ///     danger.text,
    ///     "Black's king on e8 can be blown up: the rook on d1 can take the pawn on d7."
    /// );
    /// assert!(Danger::to(&position, Color::White).is_empty());
    /// ```
    #[must_use]
    pub fn to(position: &AnyPosition, side: Color) -> Vec<Danger> {
        let threat = threat(position, side);
        touching(position).into_iter().chain(threat).collect()
    }

    /// The dangers to both kings.
    #[must_use]
    pub fn in_all(position: &AnyPosition) -> Vec<Danger> {
        let threats = Color::ALL.into_iter();
        let threats = threats.filter_map(|side| threat(position, side));
        touching(position).into_iter().chain(threats).collect()
    }
}

/// The captures that could explode the king of `side`.
fn threat(position: &AnyPosition, side: Color) -> Option<Danger> {
    let king = position.board().king_of(side)?;
    let mut squares = king.set();
    let mut ways = Vec::new();
    for captive in position.explosion_targets(!side) {
        let takers = position.capturers(captive, !side);
        if takers.any() {
            squares |= captive.set() | takers;
            ways.push(way(position, captive, takers));
        }
    }
    for (captor, captive) in en_passant(position, side, king) {
        squares |= captor.set() | captive.set();
        ways.push(way(position, captive, captor.set()) + " en passant");
    }
    (!ways.is_empty()).then(|| Danger {
        text: format!(
            "{side}'s king on {king} can be blown up: {}.",
            ways.join("; ")
        ),
        squares: squares.into_iter().collect(),
    })
}

/// "The knight on g5 and the bishop on c4 can take the pawn on f7".
fn way(position: &AnyPosition, captive: Square, takers: Bitboard) -> String {
    let board = position.board();
    format!(
        "{} can take {}",
        pieces_text(board, takers),
        pieces_text(board, captive.set())
    )
}

/// Captures en passant that explode the king of `side`: the squares of the capturing and the captured pawn.
fn en_passant(position: &AnyPosition, side: Color, king: Square) -> Vec<(Square, Square)> {
    if position.turn() == side {
        return Vec::new();
    }
    let moves = position.legal_moves();
    let fatal = moves.iter().filter(|mv| {
        mv.kind().is_en_passant() && (position.exploded_squares(**mv) & king.set()).any()
    });
    let both = fatal.filter_map(|mv| {
        let gone = position.exploded_squares(*mv)
            & position.board().by_color_and_role(Role::Pawn.of(side));
        Some((mv.from(), gone.single()?))
    });
    both.collect()
}

/// Kings that touch, and what follows.
fn touching(position: &AnyPosition) -> Option<Danger> {
    let board = position.board();
    let (white, black) = (board.king_of(Color::White)?, board.king_of(Color::Black)?);
    let ruleset = Ruleset::of(position.variant());
    if !ruleset.blast || !(attacks::king(white) & black.set()).any() {
        return None;
    }
    let so = match ruleset.check {
        true => "neither is in check",
        false => "neither can be taken",
    };
    let kings = listed(vec![white.to_string(), black.to_string()]);
    Some(Danger {
        text: format!(
            "The kings on {kings} touch: whatever takes one would blow up both, so {so}."
        ),
        squares: vec![white, black],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::Variant;

    fn told(fen: &str, variant: Variant, side: Color) -> Vec<String> {
        let position = AnyPosition::from_fen(fen, variant).unwrap();
        let dangers = Danger::to(&position, side).into_iter();
        dangers.map(|danger| danger.text).collect()
    }

    #[test]
    fn every_captor_and_every_captive_is_named() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 0 4";
        let told = told(fen, Variant::Atomic, Color::Black);
        assert_eq!(
            told,
            [
                "Black's king on e8 can be blown up: the bishop on c4 and the knight on g5 can take the pawn on f7."
            ]
        );
    }

    #[test]
    fn kings_that_touch_are_not_in_check_but_their_neighbours_can_be_taken() {
        let fen = "8/8/3pk3/4K3/8/8/8/3R4 b - - 0 1";
        let told = told(fen, Variant::Atomic, Color::Black);
        assert_eq!(
            told,
            [
                "The kings on e5 and e6 touch: whatever takes one would blow up both, so neither is in check."
            ]
        );
        let fen = "8/3p4/4k3/4K3/8/8/8/3R4 b - - 0 1";
        assert_eq!(self::told(fen, Variant::Atomic, Color::Black).len(), 2);
    }

    #[test]
    fn without_check_the_king_itself_can_be_taken() {
        let fen = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        let told = told(fen, Variant::SimpleAtomic, Color::White);
        assert_eq!(
            told,
            ["White's king on e1 can be blown up: the rook on e2 can take the king on e1."]
        );
    }

    #[test]
    fn a_capture_en_passant_beside_the_king_is_seen() {
        let fen = "8/2k5/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let told = told(fen, Variant::Atomic, Color::Black);
        assert_eq!(
            told,
            [
                "Black's king on c7 can be blown up: the pawn on e5 can take the pawn on d5 en passant."
            ]
        );
        assert!(self::told(fen, Variant::Chess, Color::Black).is_empty());
    }
}
