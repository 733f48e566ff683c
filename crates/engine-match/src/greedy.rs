//! Greedy player: it knows how the pieces move and what they are worth, and no more, like a beginner.

use touchmove_rules::{AnyPosition, Color, Move, Outcome, Role};

use crate::SplitMix64;

/// Wins at once if that is possible, else plays the move that leaves it with the most material after the opponent's
/// best capture and its own recapture; at random among equals. `None` if there is no legal move.
///
/// ```
/// use touchmove_engine_match::{SplitMix64, greedy};
/// use touchmove_rules::{AnyPosition, Variant};
///
/// let fen = "4k3/8/3p4/2n1q3/3P4/8/8/4K3 w - - 0 1";
/// let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
/// let mv = greedy(&position, &mut SplitMix64::new(1)).unwrap();
/// assert_eq!(position.uci(mv).to_string(), "d4e5", "the queen, though the pawn is lost");
/// ```
#[must_use]
pub fn greedy(position: &AnyPosition, lots: &mut SplitMix64) -> Option<Move> {
    let us = position.turn();
    let mut best = Vec::new();
    let mut most = i32::MIN;
    for mv in position.legal_moves() {
        let after = position.after(mv);
        if after.outcome().and_then(Outcome::winner) == Some(us) {
            return Some(mv);
        }
        let left = left_after_captures(&after, us);
        if left > most {
            most = left;
            best.clear();
        }
        if left == most {
            best.push(mv);
        }
    }
    best.get(lots.below(best.len())).copied()
}

/// A side's material lead after the other side's most costly capture, or none, and an optional recapture on the same
/// square.
fn left_after_captures(position: &AnyPosition, us: Color) -> i32 {
    let taken = position.captures().into_iter().map(|capture| {
        let after = position.after(capture);
        let answers = after.captures().into_iter();
        answers
            .filter(|answer| answer.to() == capture.to())
            .map(|answer| lead(&after.after(answer), us))
            .fold(lead(&after, us), i32::max)
    });
    taken.fold(lead(position, us), i32::min)
}

/// A side's lead in material, as every beginner counts it.
fn lead(position: &AnyPosition, side: Color) -> i32 {
    let men = position.board().iter();
    men.map(|(_, piece)| {
        let worth = match piece.role {
            Role::Pawn => 1,
            Role::Knight | Role::Bishop => 3,
            Role::Rook => 5,
            Role::Queen => 9,
            Role::King => 100,
        };
        if piece.color == side { worth } else { -worth }
    })
    .sum()
}
