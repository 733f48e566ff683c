//! [`NearestBlast`]: how far a position of the exploding variants is from a win, by a blast beside the
//! losing king or by a mate in which no king helps. For the order of a search; it proves nothing.

use touchmove_rules::{Board, Color, Move, Position, Role, Rules, Square, SquareSet, attacks};

use crate::search::guide::{FARTHEST, Guide, jumps, steps_to_promotion};

/// Goes by the way to the nearest blast or mate.
pub(crate) struct NearestBlast {
    pub winner: Color,
}

impl<R: Rules> Guide<R> for NearestBlast {
    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        _kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) {
        for &mv in moves {
            take(mv, self.looks(&position.after(mv)));
        }
    }
}

/// Scores are multiples of this.
const STEP: usize = 4;

/// A way that does not exist.
const NO_WAY: u32 = 30;

impl NearestBlast {
    /// How far from a win a position looks: 0 is near.
    pub fn looks<R: Rules>(&self, position: &Position<R>) -> usize {
        let board = position.board();
        let Some(own) = board.king_of(self.winner) else {
            return FARTHEST;
        };
        let Some(other) = board.king_of(!self.winner) else {
            return 0;
        };
        let men = board.of(self.winner) - own.set();
        let victims = board.of(!self.winner) - other.set();
        let hunt = Hunt {
            board,
            promotes: R::PROMOTION,
            own,
            other,
            seen: seen_by(board, self.winner, men),
            men,
        };
        let steps = if R::CHECK {
            hunt.blast(victims).min(hunt.mate())
        } else {
            // Without check, a king may walk into a capture, or be blown up by his own men.
            let blunder = Hunt {
                men: victims,
                seen: seen_by(board, !self.winner, victims),
                ..hunt
            };
            let blast = hunt.blast(victims).min(blunder.blast(men));
            blast.min(hunt.capture())
        };
        (1 + STEP * steps as usize).min(FARTHEST)
    }
}

/// What these men of a side attack.
fn seen_by(board: &Board, color: Color, men: SquareSet) -> SquareSet {
    men.into_iter().fold(SquareSet::EMPTY, |seen, at| {
        let role = board.role_at(at).unwrap_or(Role::Pawn);
        seen | attacks::of(role, color, at, board.occupied())
    })
}

/// What there is to know of a position.
#[derive(Clone, Copy)]
struct Hunt<'a> {
    board: &'a Board,
    /// Whether pawns promote.
    promotes: bool,
    own: Square,
    other: Square,
    /// The men of one side who can take, and what they attack.
    men: SquareSet,
    seen: SquareSet,
}

impl Hunt<'_> {
    /// How many moves until one of these, beside the losing king, can be taken.
    fn blast(&self, victims: SquareSet) -> u32 {
        let steps = victims.into_iter().map(|victim| {
            let apart = u32::from(self.other.distance(victim)) - 1;
            apart + self.attack(victim) + self.danger(victim)
        });
        steps.min().unwrap_or(NO_WAY)
    }

    /// How many moves until the losing king can be taken, where he may be.
    fn capture(&self) -> u32 {
        let reached = self
            .seen
            .into_iter()
            .map(|at| u32::from(at.distance(self.other)));
        let walk = reached.min().unwrap_or(NO_WAY);
        walk.min(self.attack(self.other)) + self.danger(self.other)
    }

    /// About how far a mate is: no king guards a square, and none takes a man.
    fn mate(&self) -> u32 {
        let safe = attacks::king(self.own);
        let flights = attacks::king(self.other) - self.board.occupied() - (self.seen - safe);
        let corners = self.corners().into_iter();
        let walk = corners.map(|corner| corner.distance(self.other)).min();
        let too_near = 3_u8.saturating_sub(self.own.distance(self.other));
        3 + 2 * flights.len() as u32 + u32::from(walk.unwrap_or(0) + too_near)
    }

    /// Where to mate: with minor pieces alone, in a corner that a bishop can attack.
    fn corners(&self) -> SquareSet {
        const ALL: SquareSet = SquareSet(0x8100_0000_0000_0081);
        let bishops = self.men & self.board.with_role(Role::Bishop);
        let knights = self.men & self.board.with_role(Role::Knight);
        if (self.men - bishops - knights).any() || bishops.is_empty() {
            return ALL;
        }
        let of = |color: SquareSet| match (bishops & color).any() {
            true => ALL & color,
            false => SquareSet::EMPTY,
        };
        of(SquareSet::LIGHT) | of(SquareSet::DARK)
    }

    /// Whether a blast on a square would reach the winning king as well.
    fn danger(&self, at: Square) -> u32 {
        u32::from(self.own.distance(at) <= 1)
    }

    /// How many moves until one of the men attacks a square.
    fn attack(&self, target: Square) -> u32 {
        if self.seen.contains(target) {
            return 0;
        }
        let steps = self.men.into_iter().map(|at| self.attack_by(at, target));
        steps.min().unwrap_or(NO_WAY)
    }

    fn attack_by(&self, at: Square, target: Square) -> u32 {
        let files = u32::from(at.file().index().abs_diff(target.file().index()));
        let ranks = u32::from(at.rank().index().abs_diff(target.rank().index()));
        let color = self.board.color_at(at).unwrap_or(Color::White);
        match self.board.role_at(at) {
            Some(Role::Knight) => jumps(files, ranks) - 1,
            Some(Role::Bishop) if at.is_light() != target.is_light() => NO_WAY,
            Some(Role::Bishop | Role::Rook | Role::Queen) => 1,
            _ if target.rank().of(color) > at.rank().of(color) => files.abs_diff(1) + ranks - 1,
            _ if self.promotes => steps_to_promotion(self.board, color, at) + 1,
            _ => NO_WAY,
        }
    }
}
