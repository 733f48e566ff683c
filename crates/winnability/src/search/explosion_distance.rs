//! [`NearestExplosion`]: how far a position of a variant with explosions is from a win, by an explosion beside the
//! losing king or by a mate without help of a king. It orders a search and proves nothing.

use touchmove_rules::{Bitboard, Board, Color, Move, Position, Role, Rules, Square, attacks};

use crate::search::attack_queries::{attacked, beside, distance_to, knight_distance};
use crate::search::heuristic::{DistanceHeuristic, MAX_DISTANCE_SCORE};
use crate::search::promotion_paths::steps_to_promotion;

/// Scores by the distance to the nearest explosion or mate.
pub(crate) struct NearestExplosion {
    pub winner: Color,
}

impl<R: Rules> DistanceHeuristic<R> for NearestExplosion {
    /// Each move is played. Without a rook or queen, knights and pawns are scored piece by piece.
    fn cost(&self, board: &Board) -> u64 {
        let men = board.by_color(self.winner);
        let walkers = men & (board.by_role(Role::Knight) | board.by_role(Role::Pawn));
        match (men & board.rooks_and_queens()).any() {
            true => 2,
            false => 2 + walkers.len() as u64 / 8,
        }
    }

    fn score(
        &self,
        position: &Position<R>,
        moves: &[Move],
        _kings: (Square, Square),
        mut take: impl FnMut(Move, usize),
    ) {
        for &mv in moves {
            take(mv, self.distance(&position.after(mv)));
        }
    }
}

/// Scores are multiples of this.
const SCORE_PER_STEP: usize = 4;

/// The distance where there is no path.
const UNREACHABLE: u32 = 30;

impl NearestExplosion {
    /// How far from a win a position looks: 0 is near.
    pub fn distance<R: Rules>(&self, position: &Position<R>) -> usize {
        let board = position.board();
        let Some(own) = board.king_of(self.winner) else {
            return MAX_DISTANCE_SCORE;
        };
        let Some(other) = board.king_of(!self.winner) else {
            return 0;
        };
        let men = board.by_color(self.winner) - own.set();
        let victims = board.by_color(!self.winner) - other.set();
        let of = |color, men| ExplosionSearch {
            board,
            own,
            other,
            color,
            men,
            seen: attacked(board, color, men, board.occupied()),
            promotion: match R::HAS_PROMOTION {
                true => 1 + steps_to_any_promotion(board, color, men),
                false => UNREACHABLE,
            },
        };
        let hunt = of(self.winner, men);
        let steps = if R::HAS_CHECK {
            hunt.blast(victims, hunt.mate().min(UNREACHABLE))
        } else {
            // Without check, a king may walk into a capture, or be blown up by its own pieces.
            let blunder = of(!self.winner, victims);
            let most = hunt.capture().min(UNREACHABLE);
            blunder.blast(men, hunt.blast(victims, most))
        };
        (1 + SCORE_PER_STEP * steps as usize).min(MAX_DISTANCE_SCORE)
    }
}

/// The facts about a position.
struct ExplosionSearch<'a> {
    board: &'a Board,
    own: Square,
    other: Square,
    /// The pieces of one side that can capture, and what they attack.
    color: Color,
    men: Bitboard,
    seen: Bitboard,
    /// How many moves until one of them attacks anything as a new queen.
    promotion: u32,
}

/// How many moves the first of the pawns among these pieces needs to promote.
fn steps_to_any_promotion(board: &Board, color: Color, men: Bitboard) -> u32 {
    let pawns = men & board.by_role(Role::Pawn);
    // Not needed with a rook or a queen.
    if pawns.is_empty() || (men & board.rooks_and_queens()).any() {
        return UNREACHABLE;
    }
    let steps = pawns.into_iter();
    let steps = steps.map(|pawn| steps_to_promotion(board, color, pawn));
    steps.min().unwrap_or(UNREACHABLE)
}

impl ExplosionSearch<'_> {
    /// How many moves until one of these, beside the losing king, can be captured, if fewer than `most`.
    fn blast(&self, victims: Bitboard, most: u32) -> u32 {
        let risky = attacks::king(self.own);
        let sliders = self.slid_to();
        let mut nearest = most;
        for (victims, danger) in [(victims - risky, 0), (victims & risky, 1)] {
            // The distance to the nearest of these squares, attacked after `attack` moves.
            let way = |squares: Bitboard, attack: u32| match distance_to(squares, self.other) {
                Some(steps) => steps - 1 + danger + attack,
                None => UNREACHABLE,
            };
            nearest = nearest.min(way(victims & self.seen, 0));
            nearest = nearest.min(way(victims & sliders, 1));
            let others = victims - self.seen - sliders;
            if others.is_empty() {
                continue;
            }
            nearest = nearest.min(way(others, self.promotion));
            let knights = self.men & self.board.by_role(Role::Knight);
            // None can be nearer than one move.
            if knights.any() {
                for victim in others {
                    let apart = u32::from(self.other.distance(victim)) - 1 + danger;
                    if apart + 1 < nearest {
                        let leaps = knights.into_iter().map(|knight| leaps(knight, victim));
                        nearest = nearest.min(apart + leaps.min().unwrap_or(UNREACHABLE));
                    }
                }
            }
            // Approximation: pawns come a file or a rank nearer by each move.
            let pawns = self.men & self.board.by_role(Role::Pawn);
            let mut attacked = Bitboard(beside(pawns.forward(self.color).0));
            let mut moves = 1;
            while moves + danger < nearest && attacked.any() {
                attacked |= Bitboard(beside(attacked.0)) | attacked.forward(self.color);
                nearest = nearest.min(way(others & attacked, moves));
                moves += 1;
            }
        }
        nearest
    }

    /// Where sliders of the side can capture after one move, approximately: blockers are ignored.
    fn slid_to(&self) -> Bitboard {
        let (straight, diagonal) = (
            self.board.rooks_and_queens(),
            self.board.bishops_and_queens(),
        );
        if (self.men & straight).any() {
            return !Bitboard::EMPTY;
        }
        let of = |color: Bitboard| match (self.men & diagonal & color).any() {
            true => color,
            false => Bitboard::EMPTY,
        };
        of(Bitboard::LIGHT) | of(Bitboard::DARK)
    }

    /// How many moves until the losing king can be captured, where the variant allows that.
    fn capture(&self) -> u32 {
        let walk = distance_to(self.seen, self.other).unwrap_or(UNREACHABLE);
        let attack = match walk {
            0 | 1 => walk,
            _ if self.slid_to().contains(self.other) => 1,
            _ => self.approach(self.other),
        };
        walk.min(attack) + self.danger(self.other)
    }

    /// About how far a mate is: no king guards a square, and none captures a piece.
    fn mate(&self) -> u32 {
        let safe = attacks::king(self.own);
        let flights = attacks::king(self.other) - self.board.occupied() - (self.seen - safe);
        let corners = self.corners().into_iter();
        let walk = corners.map(|corner| corner.distance(self.other)).min();
        let too_near = 3_u8.saturating_sub(self.own.distance(self.other));
        3 + 2 * flights.len() as u32 + u32::from(walk.unwrap_or(0) + too_near)
    }

    /// Where to mate: with minor pieces alone, in a corner that a bishop can attack.
    fn corners(&self) -> Bitboard {
        const ALL: Bitboard = Bitboard(0x8100_0000_0000_0081);
        let bishops = self.men & self.board.by_role(Role::Bishop);
        let knights = self.men & self.board.by_role(Role::Knight);
        if (self.men - bishops - knights).any() || bishops.is_empty() {
            return ALL;
        }
        let of = |color: Bitboard| match (bishops & color).any() {
            true => ALL & color,
            false => Bitboard::EMPTY,
        };
        of(Bitboard::LIGHT) | of(Bitboard::DARK)
    }

    /// Whether an explosion on a square would reach the winning king as well.
    fn danger(&self, at: Square) -> u32 {
        u32::from(self.own.distance(at) <= 1)
    }

    /// How many moves until a knight or a pawn attacks a square that no piece attacks yet, and no slider will: bishops
    /// of the other colour never will.
    fn approach(&self, target: Square) -> u32 {
        let knights = self.men & self.board.by_role(Role::Knight);
        let pawns = self.men & self.board.by_role(Role::Pawn);
        let leaps = knights.into_iter().map(|at| leaps(at, target));
        let is_behind = |at: &Square| target.rank().of(self.color) > at.rank().of(self.color);
        let walks = pawns.into_iter().filter(is_behind).map(|at| {
            let (files, ranks) = apart(at, target);
            files.abs_diff(1) + ranks - 1
        });
        leaps
            .chain(walks)
            .fold(self.promotion, |nearest, steps| nearest.min(steps))
    }
}

/// How many moves until a knight on one square attacks another.
fn leaps(knight: Square, target: Square) -> u32 {
    let (files, ranks) = apart(knight, target);
    knight_distance(files, ranks) - 1
}

/// The distance of two squares in files and ranks.
fn apart(a: Square, b: Square) -> (u32, u32) {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    (u32::from(files), u32::from(ranks))
}
