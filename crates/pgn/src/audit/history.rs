//! The history of a game: repetitions, the fifty and seventy-five move counts, dead positions. Mate and
//! stalemate are decided by the position alone.

use touchmove_rules::{Draw, DrawClaim, Move, Position, Rank, Role, Rules, draw_rules};

use crate::audit::dead_positions::DeadPositions;

/// A ply of the game and its offset in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ReplayedPly {
    pub(super) ply: u32,
    pub(super) offset: u64,
}

/// The history of one game.
#[derive(Default)]
pub(super) struct History {
    /// The keys of the positions since the last capture or pawn move.
    keys: Vec<u64>,
    /// Which dead positions end the game.
    dead_positions: DeadPositions,
    /// A Bloom filter of the keys: a key whose bit is not set is new.
    seen: u64,
    /// The key that the first position would have without its en passant capture, if it has one.
    without_en_passant: Option<u64>,
    /// The first ply after which the game was drawn although the side on move had legal moves.
    pub(super) over: Option<(Draw, ReplayedPly)>,
    /// The first ply after which threefold repetition could be claimed.
    pub(super) threefold: Option<ReplayedPly>,
    /// The first ply after which the fifty-move rule could be claimed.
    pub(super) fifty: Option<ReplayedPly>,
    /// The first ply after which the position looked like a threefold repetition but was none.
    pub(super) look_alike: Option<ReplayedPly>,
}

impl History {
    /// Resets everything and begins with this position. A game that begins in a dead position is an exercise
    /// and is not reported.
    pub(super) fn begin<R: Rules>(
        &mut self,
        position: &Position<R>,
        dead_positions: DeadPositions,
    ) {
        let keys = std::mem::take(&mut self.keys);
        *self = History {
            keys,
            dead_positions,
            ..History::default()
        };
        self.restart(position);
    }

    #[inline(always)]
    fn restart<R: Rules>(&mut self, position: &Position<R>) {
        let key = position.key();
        self.keys.clear();
        self.keys.push(key);
        self.seen = bit_of(key);
        self.without_en_passant = None;
        if position.passed_square().is_some() {
            self.note_en_passant(position);
        }
    }

    /// Stores what the key would be without the en passant capture, if there is one.
    #[inline(never)]
    fn note_en_passant<R: Rules>(&mut self, position: &Position<R>) {
        if position.en_passant().is_some() {
            let unmarked = position.null_move().and_then(|passed| passed.null_move());
            self.without_en_passant = unmarked.map(|position| position.key());
            self.seen |= self.without_en_passant.map_or(0, bit_of);
        }
    }

    /// Adds the position after a move. Nothing changes any more once the game is over.
    #[inline(always)]
    pub(super) fn push<R: Rules>(&mut self, position: &Position<R>, mv: Move, moment: ReplayedPly) {
        if self.over.is_some() {
            return;
        }
        if mv.is_irreversible() {
            self.restart(position);
            if changes_material(mv) && self.dead_positions.end_by_material(position) {
                self.over = Some((Draw::DeadPosition, moment));
            }
            return;
        }
        let key = position.key();
        let occurrences = match self.seen & bit_of(key) {
            0 => 1,
            _ => 1 + self.earlier(key, moment),
        };
        self.seen |= bit_of(key);
        self.keys.push(key);
        let quiet_plies = position.halfmoves();
        if occurrences >= draw_rules::THREEFOLD_OCCURRENCES
            || quiet_plies >= draw_rules::FIFTY_MOVES_PLIES
        {
            self.count(position, occurrences, quiet_plies, moment);
        }
    }

    /// How many earlier positions were the same, with the same side on move.
    #[inline(never)]
    fn earlier(&mut self, key: u64, moment: ReplayedPly) -> usize {
        let first = self.keys.len() % 2;
        let same = self.keys[first..].iter().step_by(2);
        let earlier = same.filter(|&&other| other == key).count();
        let looks_like_the_first = first == 0 && self.without_en_passant == Some(key);
        if earlier + 2 == draw_rules::THREEFOLD_OCCURRENCES && looks_like_the_first {
            self.look_alike.get_or_insert(moment);
        }
        earlier
    }

    /// Checks a position that has occurred often, or after many moves without capture and pawn move. Mate on
    /// the last of them stands.
    fn count<R: Rules>(
        &mut self,
        position: &Position<R>,
        occurrences: usize,
        quiet_plies: u32,
        moment: ReplayedPly,
    ) {
        if position.is_checkmate() {
            return;
        }
        for claim in draw_rules::claims(occurrences, quiet_plies) {
            let first = match claim {
                DrawClaim::ThreefoldRepetition => &mut self.threefold,
                DrawClaim::FiftyMoves => &mut self.fifty,
            };
            first.get_or_insert(moment);
        }
        self.over = draw_rules::automatic_draw(occurrences, quiet_plies).map(|draw| (draw, moment));
    }
}

/// Whether the move changes the material: a piece leaves the board, a pawn promotes, or, in variants without
/// promotion, a pawn reaches its last rank for good.
#[inline]
fn changes_material(mv: Move) -> bool {
    let is_last_step = || matches!(mv.to().rank(), Rank::First | Rank::Eighth);
    mv.is_capture() || (mv.role() == Role::Pawn && is_last_step())
}

/// The Bloom filter bit of a key, one of 64.
#[inline]
fn bit_of(key: u64) -> u64 {
    1 << (key >> 58)
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::Chess;

    fn after(fen: &str, moves: &str) -> History {
        let mut position = Position::<Chess>::from_fen(fen).expect("a position");
        let mut history = History::default();
        history.begin(&position, DeadPositions::Exact);
        for (ply, san) in (1..).zip(moves.split_ascii_whitespace()) {
            let mv = position.read_san(san).expect("a legal move");
            position.play(mv);
            history.push(&position, mv, ReplayedPly { ply, offset: 0 });
        }
        history
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const DANCE: &str = "Nf3 Nf6 Ng1 Ng8 ";

    #[test]
    fn the_starting_position_counts_as_the_first_occurrence() {
        let twice = after(START, &DANCE.repeat(2));
        assert_eq!(twice.threefold.map(|moment| moment.ply), Some(8));
        assert_eq!(after(START, DANCE).threefold, None);
        let over = after(START, &DANCE.repeat(5)).over;
        assert_eq!(
            over,
            Some((Draw::FivefoldRepetition, ReplayedPly { ply: 16, offset: 0 }))
        );
    }

    #[test]
    fn a_position_with_a_capture_en_passant_is_another_position() {
        let fen = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
        let history = after(fen, &DANCE.repeat(2));
        assert_eq!(history.threefold, None);
        assert_eq!(history.look_alike.map(|moment| moment.ply), Some(8));
    }

    #[test]
    fn fifty_can_be_claimed_and_seventy_five_ends_the_game() {
        let history = after("4k3/8/8/8/8/8/8/R3K3 w - - 98 100", "Ra2 Kd7");
        assert_eq!(history.fifty.map(|moment| moment.ply), Some(2));
        assert_eq!(history.over, None);
        let history = after("4k3/8/8/8/8/8/8/R3K3 w - - 148 150", "Ra2 Kd7 Ra3");
        assert_eq!(
            history.over,
            Some((Draw::SeventyFiveMoves, ReplayedPly { ply: 2, offset: 0 }))
        );
    }

    #[test]
    fn a_lone_bishop_from_a_pawn_ends_the_game() {
        let history = after("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e8=B Kb4");
        let end = ReplayedPly { ply: 1, offset: 0 };
        assert_eq!(history.over, Some((Draw::DeadPosition, end)));
        let history = after("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e8=R Kb4");
        assert_eq!(history.over, None);
    }

    #[test]
    fn bare_kings_end_the_game() {
        let history = after("8/8/8/4k3/4P3/8/8/4K3 b - - 0 1", "Kxe4 Kd2");
        assert_eq!(
            history.over,
            Some((Draw::DeadPosition, ReplayedPly { ply: 1, offset: 0 }))
        );
    }
}
