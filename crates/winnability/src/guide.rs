//! The guide: how far from a win the position after a move looks, for the order of a search. It
//! proves nothing.

use touchmove_rules::{Board, Color, Move, Position, Role, Rules, Square, SquareSet, attacks};

/// Scores are cut off here.
pub(crate) const FARTHEST: usize = 255;

/// What the scores of all moves of a position have in common.
pub(crate) struct View<'a> {
    board: &'a Board,
    turn: Color,
    winner: Color,
    own: Square,
    other: Square,
    occupied: SquareSet,
    losers: SquareSet,
    /// For each square of the winner's men, what the others guard, with the losing king out of the
    /// way.
    without: [SquareSet; 64],
    guarded: SquareSet,
    weights: &'static Weights,
    light: Option<Light>,
    force: u32,
    hindrance: u32,
    /// The loser's men in the way of the winner's pawns, if there is no queen.
    prey: SquareSet,
}

/// How much farther from a win a position is for each square that the losing king can flee to, for
/// each step that the kings still have to walk, and for each pawn and piece of the loser.
struct Weights {
    flight: u32,
    walk: u32,
    pawn: u32,
    piece: u32,
}

/// With a queen, a rook or a pawn the winner had best take everything first.
const HEAVY: Weights = Weights {
    flight: 6,
    walk: 12,
    pawn: 36,
    piece: 60,
};
/// With minor pieces alone the loser's men are needed to hem in their king.
const LIGHT: Weights = Weights {
    flight: 24,
    walk: 12,
    pawn: 0,
    piece: 0,
};
/// For each step that a pawn of the winner still needs to become a queen, if there is none.
const STEP: u32 = 24;
/// Scores are divided by this.
const UNIT: u32 = 4;

impl<'a> View<'a> {
    /// Looks at a position with these two kings.
    pub fn new<R: Rules>(
        position: &'a Position<R>,
        winner: Color,
        own: Square,
        other: Square,
    ) -> View<'a> {
        let board = position.board();
        let occupied = board.occupied() - other.set();
        let men = board.of(winner);
        let losers = board.of(!winner);
        let minors = board.with_role(Role::Knight) | board.with_role(Role::Bishop);
        let is_heavy = (men - minors - own.set()).any();
        let (weights, light) = if is_heavy {
            (&HEAVY, None)
        } else {
            (&LIGHT, Some(Light::new(board, winner, other)))
        };
        let mut view = View {
            board,
            turn: position.turn(),
            winner,
            own,
            other,
            occupied,
            losers,
            without: [SquareSet::EMPTY; 64],
            guarded: SquareSet::EMPTY,
            weights,
            light,
            force: force(board, winner),
            hindrance: hindrance(board, losers, weights),
            prey: prey(board, winner),
        };
        // The union of all guards but one's own: of those before, and of those after.
        let mut after = [SquareSet::EMPTY; 64];
        for square in men {
            let role = board.role_at(square).unwrap_or(Role::King);
            let reach = attacks::of(role, winner, square, occupied);
            view.without[square.index()] = view.guarded;
            after[square.index()] = reach;
            view.guarded |= reach;
        }
        let mut guarded = SquareSet::EMPTY;
        for square in men.into_iter().rev() {
            view.without[square.index()] |= guarded;
            guarded |= after[square.index()];
        }
        view
    }

    /// How far from a win the position after a move looks: 0 is near.
    #[inline(always)]
    pub fn score_of(&self, mv: Move) -> usize {
        let score = if self.turn == self.winner {
            self.of_winner(mv)
        } else {
            self.of_loser(mv)
        };
        (score as usize).min(FARTHEST)
    }

    /// The score of a position with these traits.
    #[inline(always)]
    fn score(&self, k: Square, w: Square, flights: SquareSet, force: u32, hindrance: u32) -> u32 {
        let weights = self.weights;
        let mut walk = u32::from(WALKS[k.index()][w.index()]);
        if let Some(light) = &self.light {
            walk += light.walk(k);
        }
        if self.prey.any() && force > 0 {
            let distances = self.prey.into_iter().map(|man| u32::from(man.distance(w)));
            walk += distances.min().unwrap_or(0);
        }
        let open = flights.len() as u32 * weights.flight + walk * weights.walk;
        2 + (force + open + hindrance) / UNIT
    }

    fn of_winner(&self, mv: Move) -> u32 {
        let (from, to) = (mv.from(), mv.to());
        let role = mv.promotes_to().unwrap_or(mv.role());
        let occupied = (self.occupied - from.set()) | to.set();
        let sight = attacks::of(role, self.winner, to, occupied);
        let guarded = sight | self.without[from.index()];
        let flights = attacks::king(self.other) - (self.losers - to.set()) - guarded;
        if sight.contains(self.other) && flights.is_empty() {
            return 0;
        }
        let mut hindrance = self.hindrance;
        if mv.is_capture() {
            hindrance -= match self.board.role_at(to) {
                Some(Role::Pawn) | None => self.weights.pawn,
                Some(_) => self.weights.piece,
            };
        }
        let force = match mv.role() {
            Role::Pawn if self.force > 0 => self.force_with(role, to),
            _ => self.force,
        };
        let own = if role == Role::King { to } else { self.own };
        self.score(self.other, own, flights, force, hindrance)
    }

    /// How far the winner is from a queen once a pawn stands on `to`, or has become this role.
    fn force_with(&self, role: Role, to: Square) -> u32 {
        match role {
            Role::Queen => 0,
            Role::Pawn => {
                let steps = steps_to_queen(self.board, self.winner, to);
                self.force.min(STEP * (1 + steps))
            }
            _ => self.force,
        }
    }

    fn of_loser(&self, mv: Move) -> u32 {
        let (from, to) = (mv.from(), mv.to());
        let losers = (self.losers - from.set()) | to.set();
        let king = if mv.role() == Role::King {
            to
        } else {
            self.other
        };
        let flights = attacks::king(king) - losers - self.guarded;
        let mut force = self.force;
        if mv.is_capture() {
            force += match self.board.role_at(to) {
                Some(Role::Queen) => 192,
                Some(Role::Rook) => 96,
                Some(Role::Pawn) | None => 24,
                Some(_) => 48,
            };
        }
        let mut hindrance = self.hindrance;
        if mv.promotes_to().is_some() {
            hindrance += self.weights.piece - self.weights.pawn;
        }
        self.score(king, self.own, flights, force, hindrance)
    }
}

/// How far the winner is from a queen: nothing with one, else the steps of the best pawn.
fn force(board: &Board, winner: Color) -> u32 {
    let men = board.of(winner);
    if (men & board.with_role(Role::Queen)).any() {
        return 0;
    }
    let steps = (men & board.with_role(Role::Pawn))
        .into_iter()
        .map(|pawn| steps_to_queen(board, winner, pawn))
        .min();
    STEP * (1 + steps.unwrap_or(6))
}

/// The men of the loser on the way of the winner's pawns to the last rank, if there is no queen and
/// no pawn with a clear way.
fn prey(board: &Board, winner: Color) -> SquareSet {
    let men = board.of(winner);
    if (men & board.with_role(Role::Queen)).any() {
        return SquareSet::EMPTY;
    }
    let mut prey = SquareSet::EMPTY;
    for pawn in men & board.with_role(Role::Pawn) {
        let blocked = ahead(winner, pawn) & board.of(!winner);
        if blocked.is_empty() {
            return SquareSet::EMPTY;
        }
        prey |= blocked;
    }
    prey
}

/// What the men of the loser are in the way.
fn hindrance(board: &Board, losers: SquareSet, weights: &Weights) -> u32 {
    let pawns = (losers & board.with_role(Role::Pawn)).len() as u32;
    let pieces = losers.len() as u32 - pawns;
    weights.pawn * pawns + weights.piece * pieces
}

/// How many moves a pawn needs to promote, each man in its way counted for two more.
fn steps_to_queen(board: &Board, color: Color, pawn: Square) -> u32 {
    let ahead = ahead(color, pawn);
    ahead.len() as u32 + 2 * (ahead & board.occupied()).len() as u32
}

/// The squares in front of a pawn, up to the last rank.
fn ahead(color: Color, pawn: Square) -> SquareSet {
    let file = SquareSet::from(pawn.file()).0;
    SquareSet(match color {
        Color::White => file & (!1 << pawn.index()),
        Color::Black => file & ((1 << pawn.index()) - 1),
    })
}

/// How many steps the losing king (first index) and the winning king need until the former stands
/// at the edge and the latter near it.
static WALKS: [[u8; 64]; 64] = {
    let mut walks = [[0; 64]; 64];
    let mut k = 0;
    while k < 64 {
        let (file, rank) = (k as u8 % 8, k as u8 / 8);
        let edge = nearest(nearest(file, 7 - file), nearest(rank, 7 - rank));
        let mut w = 0;
        while w < 64 {
            let files = file.abs_diff(w as u8 % 8);
            let ranks = rank.abs_diff(w as u8 / 8);
            let apart = if files > ranks { files } else { ranks };
            walks[k][w] = edge + apart.saturating_sub(2);
            w += 1;
        }
        k += 1;
    }
    walks
};

const fn nearest(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
}

/// What a win with minor pieces alone takes: a corner of the right colour, a man of the loser beside
/// his king there, and a knight that gets near.
struct Light {
    corners: SquareSet,
    blockers: SquareSet,
    /// How far the pawns of the loser are from becoming a piece, where there is no piece.
    promotion: u32,
    knights: SquareSet,
}

impl Light {
    fn new(board: &Board, winner: Color, other: Square) -> Light {
        let men = board.of(winner);
        let losers = board.of(!winner) - other.set();
        let pawns = losers & board.with_role(Role::Pawn);
        let knights = men & board.with_role(Role::Knight);
        let bishops = men & board.with_role(Role::Bishop);
        let all = SquareSet(0x8100_0000_0000_0081);
        let corners = if knights.any()
            || (bishops & SquareSet::LIGHT).any() && (bishops & SquareSet::DARK).any()
        {
            all
        } else if (bishops & SquareSet::LIGHT).any() {
            all & SquareSet::LIGHT
        } else {
            all & SquareSet::DARK
        };
        let promotion = if (losers - pawns).any() {
            0
        } else {
            let steps = pawns
                .into_iter()
                .map(|pawn| steps_to_queen(board, !winner, pawn))
                .min();
            steps.map_or(0, |steps| steps + 2)
        };
        Light {
            corners,
            blockers: losers,
            promotion,
            knights,
        }
    }

    /// How much walking is left if the losing king is on `k`.
    fn walk(&self, k: Square) -> u32 {
        let nearest = |squares: SquareSet| {
            squares
                .into_iter()
                .map(|square| u32::from(square.distance(k)))
                .min()
                .unwrap_or(0)
        };
        let jumps = self
            .knights
            .into_iter()
            .map(|knight| jumps(knight, k))
            .min()
            .unwrap_or(1);
        nearest(self.corners) + nearest(self.blockers).max(1) + self.promotion + jumps.max(1)
    }
}

/// About how many moves a knight needs from one square to another.
fn jumps(from: Square, to: Square) -> u32 {
    let files = u32::from(from.file().index().abs_diff(to.file().index()));
    let ranks = u32::from(from.rank().index().abs_diff(to.rank().index()));
    let least = files
        .max(ranks)
        .div_ceil(2)
        .max((files + ranks).div_ceil(3));
    least + (least + files + ranks) % 2
}
