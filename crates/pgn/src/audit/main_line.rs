//! The main line of a game, from which any of its positions can be rebuilt. Variations are not part of it.

use touchmove_rules::{AnyPosition, Move, Variant};

/// The main line of a game. Only the moves are stored: a position before the last one is seldom needed, and
/// storing a copy of each would cost more than playing a few moves again.
pub(super) struct MainLine {
    /// The position before the first move.
    pub(super) start: AnyPosition,
    /// The moves with their offsets in the file.
    pub(super) moves: Vec<(Move, u64)>,
    /// The cached position that was asked for last, and its number of plies.
    known: (usize, AnyPosition),
    /// The offset of the movetext.
    begins: u64,
}

impl Default for MainLine {
    fn default() -> MainLine {
        let start = AnyPosition::start(Variant::Chess);
        MainLine {
            start,
            moves: Vec::new(),
            known: (0, start),
            begins: 0,
        }
    }
}

impl MainLine {
    /// Resets and begins with this position; the movetext is at `offset`.
    pub(super) fn begin(&mut self, start: AnyPosition, offset: u64) {
        self.start = start;
        self.known = (0, start);
        self.begins = offset;
        self.moves.clear();
    }

    /// The position after this many moves, played from the cached one.
    pub(super) fn position_after(&mut self, plies: usize) -> AnyPosition {
        if self.known.0 > plies {
            self.known = (0, self.start);
        }
        let (from, position) = &mut self.known;
        for (mv, _) in &self.moves[*from..plies] {
            position.play(*mv);
        }
        *from = plies;
        *position
    }

    /// The first move of each side.
    pub(super) fn opening(&self) -> [Option<Move>; 2] {
        [0, 1].map(|ply| self.moves.get(ply).map(|(mv, _)| *mv))
    }

    /// The offset of the last move, or of the movetext if there is none.
    pub(super) fn last_offset(&self) -> u64 {
        self.moves.last().map_or(self.begins, |(_, at)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_had_again_in_any_order() {
        let start = AnyPosition::start(Variant::Atomic);
        let mut line = MainLine::default();
        line.begin(start, 7);
        assert_eq!(line.last_offset(), 7);
        let mut positions = vec![start];
        for ply in 0..40 {
            let position = positions[ply];
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else {
                break;
            };
            line.moves.push((mv, 10 + ply as u64));
            positions.push(position.after(mv));
        }
        let last = positions.len() - 1;
        assert!(last > 10, "{last}");
        for step in [1, 3, 7, last - 1] {
            for turn in 0..=last {
                let ply = turn * step % (last + 1);
                assert_eq!(line.position_after(ply), positions[ply], "ply {ply}");
            }
        }
        assert_eq!(line.opening()[1], Some(line.moves[1].0));
        assert_eq!(line.last_offset(), 9 + last as u64);
    }
}
