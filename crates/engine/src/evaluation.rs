//! The evaluation: a weighted sum of what is visible in a position without moving. The search finds out what moves lead
//! to.

use touchmove_rules::{
    Bitboard, Board, Color, File, Position, Role, Rules, Square, attacks, material,
};

use crate::weights::{Tapered, Weights};

/// Evaluates positions with one set of weights, and caches pawn structures.
///
/// ```
/// use touchmove_engine::{Evaluator, Weights};
/// use touchmove_rules::{Chess, Position};
///
/// let mut evaluator = Evaluator::new(Weights::of::<Chess>());
/// let queen_up = Position::<Chess>::from_fen("4k3/8/8/8/8/8/8/3QK3 w - - 0 1").unwrap();
/// assert!(evaluator.evaluate(&queen_up) > 500);
/// assert!(evaluator.evaluate(&queen_up.null_move().unwrap()) < -500);
/// ```
pub struct Evaluator {
    weights: Weights,
    /// Piece-square values by colour, role and square; Black's are negated so that all are summed for White.
    men: [[[Tapered; 64]; 6]; 2],
    structures: Box<[PawnStructure]>,
}

/// The part of the evaluation that depends on pawns alone.
#[derive(Clone, Copy)]
struct PawnStructure {
    white: u64,
    black: u64,
    worth: Tapered,
    passed: u64,
}

const PAWN_CACHE_SLOTS: usize = 2048;

/// The weight of each role in the game phase; 24 is the start.
const PHASE_WEIGHTS: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// The weight of each role in an attack on a king's surroundings.
const KING_ATTACK_WEIGHTS: [i32; 6] = [0, 2, 2, 3, 5, 0];

/// What one side attacks, collected for the terms that need both sides.
#[derive(Clone, Copy, Default)]
struct Mobility {
    pawns: Bitboard,
    minors: Bitboard,
    /// All attacked squares, with the king's.
    all: Bitboard,
    /// The squares attacked by other pieces than the king: where captures explode, kings capture nothing.
    captures: Bitboard,
    pressure: i32,
    besiegers: i32,
}

impl Evaluator {
    /// An evaluator that uses these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Evaluator {
        let white = weights.piece_square;
        let black = white.map(|table| std::array::from_fn(|square| -table[square ^ 56]));
        let men = [white, black];
        let empty = PawnStructure {
            white: 0,
            black: 0,
            worth: Tapered::default(),
            passed: 0,
        };
        Evaluator {
            weights: weights.clone(),
            men,
            structures: vec![empty; PAWN_CACHE_SLOTS].into_boxed_slice(),
        }
    }

    /// The evaluation for the side on move, in hundredths of a pawn. Both kings must be on the board.
    #[must_use]
    pub fn evaluate<R: Rules>(&mut self, position: &Position<R>) -> i32 {
        let board = position.board();
        let (Some(white_king), Some(black_king)) =
            (board.king_of(Color::White), board.king_of(Color::Black))
        else {
            return 0;
        };
        let kings = [white_king, black_king];
        let structure = self.structure(board);
        let mut total = structure.worth;
        let mut reaches = [Mobility::default(); 2];
        let mut phase = 0;
        for us in Color::ALL {
            let worth = self.pieces(board, us, kings, &mut reaches[us as usize], &mut phase);
            add(&mut total, us, worth);
        }
        for us in Color::ALL {
            let worth = self.passed_pawns(board, us, structure.passed, kings)
                + self.king::<R>(board, us, kings, &reaches)
                + self.threats(board, us, &reaches);
            add(&mut total, us, worth);
        }
        add(&mut total, position.turn(), self.weights.tempo);

        let phase = phase.min(FULL_PHASE);
        let endgame = if R::CAPTURES_EXPLODE {
            total.endgame()
        } else {
            scaled(board, total.endgame()) + driving(board, kings)
        };
        let white = (total.middlegame() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
        let white = if board.occupied().len() <= 4 && material::is_dead(position) {
            0
        } else {
            white
        };
        match position.turn() {
            Color::White => white,
            Color::Black => -white,
        }
    }

    /// Piece-square values and mobility.
    #[inline]
    fn pieces(
        &self,
        board: &Board,
        us: Color,
        kings: [Square; 2],
        reach: &mut Mobility,
        phase: &mut i32,
    ) -> Tapered {
        let weights = &self.weights;
        let men = &self.men[us as usize];
        // The tables hold Black's values negated; here each side counts for itself.
        let mut placed = Tapered::default();
        let mut worth = Tapered::default();
        let own = board.by_color(us);
        let occupied = board.occupied();
        let pawns = board.by_role(Role::Pawn);
        let own_pawns = own & pawns;
        for square in own_pawns {
            placed += men[Role::Pawn as usize][square.index()];
        }
        let king = kings[us as usize];
        let ring = attacks::king(kings[!us as usize]);
        placed += men[Role::King as usize][king.index()];
        reach.pawns = pawn_attacks(own_pawns, us);
        let enemy_pawns = pawns - own;
        let open = !(pawn_attacks(enemy_pawns, !us) | own_pawns);
        let mut captures = reach.pawns;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let index = role as usize;
            for square in own & board.by_role(role) {
                placed += men[index][square.index()];
                *phase += PHASE_WEIGHTS[index];
                let seen = match role {
                    Role::Knight => attacks::knight(square),
                    Role::Bishop => {
                        attacks::bishop(square, occupied - (own & board.bishops_and_queens()))
                    }
                    Role::Rook => {
                        attacks::rook(square, occupied - (own & board.rooks_and_queens()))
                    }
                    _ => attacks::queen(square, occupied),
                };
                let count = (seen & open).len();
                worth += match role {
                    Role::Knight => weights.knight_reach[count],
                    Role::Bishop => weights.bishop_reach[count.min(13)],
                    Role::Rook => weights.rook_reach[count.min(14)],
                    _ => weights.queen_reach[count.min(27)],
                };
                if matches!(role, Role::Rook) {
                    let file = Bitboard::from(square.file());
                    if (file & own_pawns).is_empty() {
                        worth += if (file & enemy_pawns).is_empty() {
                            weights.rook_on_open_file
                        } else {
                            weights.rook_on_half_open_file
                        };
                    }
                }
                if matches!(role, Role::Knight | Role::Bishop) {
                    reach.minors |= seen;
                }
                let pressed = seen & ring;
                if pressed.any() {
                    reach.besiegers += 1;
                    reach.pressure += KING_ATTACK_WEIGHTS[index] * pressed.len() as i32;
                }
                captures |= seen;
            }
        }
        if (own & board.by_role(Role::Bishop)).more_than_one() {
            worth += weights.bishop_pair;
        }
        reach.captures = captures;
        reach.all = captures | attacks::king(king);
        match us {
            Color::White => worth + placed,
            Color::Black => worth - placed,
        }
    }

    /// The distances of the kings from passed pawns, and what blocks these.
    #[inline]
    fn passed_pawns(&self, board: &Board, us: Color, passed: u64, kings: [Square; 2]) -> Tapered {
        let weights = &self.weights;
        let mut worth = Tapered::default();
        for square in Bitboard(passed) & board.by_color(us) {
            let Some(stop) = square.set().forward(us).first() else {
                continue;
            };
            let rank = rank_of(square, us);
            if !board.occupied().contains(stop) {
                worth += weights.passed_and_free[rank];
            }
            if rank >= 3 {
                let distance = |king: Square| i32::from(king.distance(stop));
                worth += weights.passed_far_from_enemy_king * distance(kings[!us as usize]);
                worth += weights.passed_far_from_own_king * distance(kings[us as usize]);
            }
        }
        worth
    }

    /// The safety of our king.
    #[inline]
    fn king<R: Rules>(
        &self,
        board: &Board,
        us: Color,
        kings: [Square; 2],
        reaches: &[Mobility; 2],
    ) -> Tapered {
        let weights = &self.weights;
        let king = kings[us as usize];
        let theirs = &reaches[!us as usize];
        let own_pawns = board.by_color_and_role(Role::Pawn.of(us));
        let around = attacks::king(king);
        let mut worth = Tapered::default();

        let columns = columns(king);
        let front = (king.set() | (around & Bitboard::from(king.rank()))).forward(us);
        worth += weights.shield[0] * (front & own_pawns).len() as i32;
        worth += weights.shield[1] * (front.forward(us) & own_pawns).len() as i32;
        for file in columns {
            if (file & own_pawns).is_empty() {
                worth += weights.draught;
            }
        }
        if theirs.besiegers >= 2 {
            let pressure = (theirs.pressure + 2 * theirs.besiegers).min(60);
            worth += weights.siege * (pressure * pressure / 16);
        }
        if R::CAPTURES_EXPLODE {
            // No capture may explode beside both kings, so squares that touch the other one are safe.
            let exposed = around - attacks::king(kings[!us as usize]);
            let mut fuses = exposed & board.by_color(us);
            worth += weights.fuse * fuses.len() as i32;
            if !R::HAS_CHECK {
                fuses |= king.set() - attacks::king(kings[!us as usize]);
            }
            let explosions = (fuses & theirs.captures).len().min(4) as i32;
            worth += weights.explosion * (explosions * explosions);
            let near = (exposed - board.occupied()) & theirs.captures;
            worth += weights.near_miss * near.len() as i32;
        }
        worth
    }

    /// Threats: which enemy pieces ours attack.
    #[inline]
    fn threats(&self, board: &Board, us: Color, reaches: &[Mobility; 2]) -> Tapered {
        let weights = &self.weights;
        let (ours, theirs) = (&reaches[us as usize], &reaches[!us as usize]);
        let enemy = board.by_color(!us);
        let pieces = enemy - board.by_role(Role::Pawn) - board.by_role(Role::King);
        let majors = enemy & board.rooks_and_queens();
        weights.attacked_by_pawn * (ours.pawns & pieces).len() as i32
            + weights.attacked_by_minor * (ours.minors & majors).len() as i32
            + weights.loose * ((ours.captures & pieces) - theirs.all).len() as i32
    }

    /// The score of the pawn structure, cached.
    #[inline]
    fn structure(&mut self, board: &Board) -> PawnStructure {
        let white = board.by_color_and_role(Role::Pawn.of(Color::White)).0;
        let black = board.by_color_and_role(Role::Pawn.of(Color::Black)).0;
        let mixed = (white ^ black.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = (mixed >> 53) as usize;
        let known = self.structures[index];
        if known.white == white && known.black == black {
            return known;
        }
        let found = self.weigh_structure(white, black);
        self.structures[index] = found;
        found
    }

    fn weigh_structure(&self, white: u64, black: u64) -> PawnStructure {
        let weights = &self.weights;
        let pawns = [Bitboard(white), Bitboard(black)];
        let mut passed = Bitboard::EMPTY;
        let mut total = Tapered::default();
        for us in Color::ALL {
            let (own, enemy) = (pawns[us as usize], pawns[!us as usize]);
            let mut worth = Tapered::default();
            for square in own {
                let file = Bitboard::from(square.file());
                let beside = beside(square.file());
                let ahead = ahead(square, us);
                let rank = rank_of(square, us);
                let guarded = (attacks::pawn(!us, square) & own).any();
                let row = Bitboard::from(square.rank());
                if (file & ahead & own).any() {
                    worth += weights.doubled;
                } else if ((file | beside) & ahead & enemy).is_empty() {
                    passed |= square.set();
                    worth += weights.passed[rank];
                }
                if (beside & own).is_empty() {
                    worth += weights.isolated;
                } else if guarded || (attacks::king(square) & row & own).any() {
                    worth += weights.connected[rank];
                }
            }
            add(&mut total, us, worth);
        }
        PawnStructure {
            white,
            black,
            worth: total,
            passed: passed.0,
        }
    }
}

#[inline]
fn add(total: &mut Tapered, us: Color, worth: Tapered) {
    match us {
        Color::White => *total += worth,
        Color::Black => *total -= worth,
    }
}

/// The rank of a square from its side's view, counted from zero.
#[inline]
fn rank_of(square: Square, us: Color) -> usize {
    usize::from(square.rank().of(us).index())
}

/// All ranks in front of a square, from `us`'s view.
fn ahead(square: Square, us: Color) -> Bitboard {
    let rank = square.rank().index();
    match us {
        Color::White if rank == 7 => Bitboard::EMPTY,
        Color::White => Bitboard(!0 << (8 * (rank + 1))),
        Color::Black => Bitboard((1 << (8 * rank)) - 1),
    }
}

/// The files beside a file.
fn beside(file: File) -> Bitboard {
    let line = Bitboard::from(file).0;
    Bitboard(((line << 1) & !A_FILE) | ((line >> 1) & !H_FILE))
}

/// The king's file and those beside it.
fn columns(king: Square) -> impl Iterator<Item = Bitboard> {
    let file = king.file().index();
    (file.saturating_sub(1)..=(file + 1).min(7)).map(|file| Bitboard(A_FILE << file))
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

/// All squares that pawns attack.
#[inline]
fn pawn_attacks(pawns: Bitboard, us: Color) -> Bitboard {
    let ahead = pawns.forward(us).0;
    Bitboard(((ahead << 1) & !A_FILE) | ((ahead >> 1) & !H_FILE))
}

/// Scales the endgame score: without pawns, an advantage of a minor piece or less rarely wins.
fn scaled(board: &Board, endgame: i32) -> i32 {
    let stronger = if endgame > 0 {
        Color::White
    } else {
        Color::Black
    };
    if board.by_color_and_role(Role::Pawn.of(stronger)).any() {
        return endgame;
    }
    let force = |color| {
        [
            (Role::Knight, 3),
            (Role::Bishop, 3),
            (Role::Rook, 5),
            (Role::Queen, 9),
        ]
        .into_iter()
        .map(|(role, worth)| worth * board.by_color_and_role(Role::of(role, color)).len())
        .sum::<usize>()
    };
    if force(stronger) <= force(!stronger) + 3 {
        endgame / 8
    } else {
        endgame
    }
}

/// Against a bare king: the winning king should come near and the other go to the edge.
fn driving(board: &Board, kings: [Square; 2]) -> i32 {
    let bare = |color| board.by_color(color).len() == 1;
    let edge = |king: Square| {
        let inward = |line: u8| i32::from(line.min(7 - line));
        10 * (6 - inward(king.file().index()) - inward(king.rank().index()))
    };
    let near = 8 * (7 - i32::from(kings[0].distance(kings[1])));
    match (bare(Color::White), bare(Color::Black)) {
        (false, true) => near + edge(kings[1]),
        (true, false) => -near - edge(kings[0]),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::{Atomic, Chess, Fen, Rank, SimpleAtomic};

    fn evaluate<R: Rules>(fen: &str) -> i32 {
        let position = Position::<R>::from_fen(fen).unwrap();
        Evaluator::new(Weights::of::<R>()).evaluate(&position)
    }

    /// The same position with the colours exchanged.
    fn mirrored(fen: &str) -> String {
        let Fen(setup) = fen.parse().unwrap();
        let mut board = Board::EMPTY;
        for (square, piece) in setup.board.iter() {
            board.set(square.flip(), piece.role.of(!piece.color));
        }
        let turned = touchmove_rules::Setup {
            board,
            turn: !setup.turn,
            castling: setup.castling.flip(),
            ..setup
        };
        Fen(turned).to_string()
    }

    #[test]
    fn colours_are_evaluated_alike() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
            "4k3/8/8/8/8/8/8/3QK3 b - - 0 1",
        ] {
            assert_eq!(evaluate::<Chess>(fen), evaluate::<Chess>(&mirrored(fen)));
            assert_eq!(evaluate::<Atomic>(fen), evaluate::<Atomic>(&mirrored(fen)));
            let simple = [fen, &mirrored(fen)].map(evaluate::<SimpleAtomic>);
            assert_eq!(simple[0], simple[1]);
        }
    }

    #[test]
    fn armies_that_cannot_win_are_worth_nothing() {
        assert_eq!(evaluate::<Chess>("8/8/8/3kb3/8/3K4/8/8 w - - 0 1"), 0);
        assert_eq!(evaluate::<Atomic>("8/3k4/8/8/4R3/4K3/8/8 w - - 0 1"), 0);
    }

    #[test]
    fn an_explosion_beside_a_king_is_feared() {
        let quiet = evaluate::<Atomic>("4k3/3p4/8/8/8/8/8/R3K3 b - - 0 1");
        let threatened = evaluate::<Atomic>("4k3/3p4/8/8/8/8/8/3RK3 b - - 0 1");
        assert!(threatened < quiet);
    }

    #[test]
    fn squares_ahead_are_those_of_the_next_ranks() {
        assert_eq!(ahead(Square::E2, Color::White).len(), 48);
        assert_eq!(ahead(Square::E2, Color::Black), Rank::First.into());
        assert_eq!(ahead(Square::E8, Color::White), Bitboard::EMPTY);
    }
}
