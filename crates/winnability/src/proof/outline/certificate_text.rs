//! Writes outlines into a certificate.

use std::fmt::Write as _;

use touchmove_rules::{Bitboard, Color, Fen, Position, Role, Rules, Setup};

use crate::proof::outline::abstract_position::Outline;
use crate::proof::outline::{Outlines, choices};

/// Writes the proof that [`sketch`](crate::proof::outline::sketch) finds within `most` outlines. Returns whether it
/// finds one.
pub(crate) fn write<R: Rules>(
    position: &Position<R>,
    winner: Color,
    most: u64,
    text: &mut String,
) -> bool {
    if most == 0 {
        return false;
    }
    for ghosts in choices(position, winner) {
        let mut outlines = Outlines::of(position, winner, ghosts);
        if outlines.close(most, &|| false).proof.is_some() {
            text.push_str("outlines\n");
            outlines.write(position, ghosts, text);
            text.push_str("end\n");
            return true;
        }
    }
    false
}

impl Outlines {
    fn write<R: Rules>(&self, position: &Position<R>, as_ghosts: Bitboard, text: &mut String) {
        let pawns = position.board().by_role(Role::Pawn);
        for (at, ghost) in (as_ghosts - pawns).into_iter().zip(&self.ghosts) {
            let _ = writeln!(text, "ghost {at} {:016x}", ghost.reach.0);
        }
        for at in as_ghosts & pawns {
            let _ = writeln!(text, "roaming {at}");
        }
        let [white, black] = self.changelings.map(|squares| squares.0);
        let _ = writeln!(text, "changelings {white:016x} {black:016x}");
        for outline in &self.seen {
            write_outline(outline, text);
        }
    }
}

fn write_outline(outline: &Outline, text: &mut String) {
    let fen = Fen(Setup {
        board: outline.board,
        turn: outline.turn,
        ..Setup::empty()
    })
    .to_string();
    let mut fields = fen.split(' ');
    let [board, turn] = [(); 2].map(|()| fields.next().unwrap_or_default());
    let changed = match outline.changed {
        [false, false] => "-",
        [true, false] => "w",
        [false, true] => "b",
        [true, true] => "wb",
    };
    let passed = outline.passed.map_or("-".into(), |at| at.to_string());
    let (alive, bare) = (outline.alive, outline.bare.0);
    let _ = write!(
        text,
        "outline {board} {turn} {alive:016x} {changed} {passed} {bare:016x}"
    );
    if outline.castling.any() {
        let _ = write!(text, " {:016x}", outline.castling.0);
    }
    text.push('\n');
}
