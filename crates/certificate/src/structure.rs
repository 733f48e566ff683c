//! Checks proofs by structure: the sets of squares that pieces can ever reach in chess must be closed under
//! the rules of `docs/CERTIFICATES.md`, and leave no room for a mate. It is one pass over the pieces.

use touchmove_rules::{Bitboard, CastlingSide, Color, Position, Role, Rules, Square, attacks};

use crate::matching::can_be_filled;
use crate::parser::{CertificateError, LineReader, excerpt};

/// A piece, and what the certificate says of it.
pub(crate) struct PieceReach {
    pub role: Role,
    pub color: Color,
    pub start: Bitboard,
    pub reach: Bitboard,
    pub promoted: Bitboard,
    pub loose: bool,
    /// Whether it may be captured, or where captures explode, may capture.
    pub taken: bool,
    pub strays: bool,
}

impl PieceReach {
    /// Where it can stand, promoted or not.
    pub fn everywhere(&self) -> Bitboard {
        self.reach | self.promoted
    }

    /// The squares one step from its reach; for a pawn those that it attacks.
    pub fn steps(&self) -> Bitboard {
        one_step(self.role, self.color, self.reach) | promoted_steps(self.promoted)
    }

    /// Whether it slides from one square to a neighbour of it.
    pub fn slides(&self, from: Square, to: Square) -> bool {
        let straight = from.file() == to.file() || from.rank() == to.rank();
        let role = match straight {
            true => Role::Rook,
            false => Role::Bishop,
        };
        let by_role = (self.role == role || self.role == Role::Queen) && self.reach.contains(from);
        by_role || self.promoted.contains(from)
    }
}

/// One step from any of these squares, with nothing in the way.
pub(crate) fn one_step(role: Role, color: Color, from: Bitboard) -> Bitboard {
    let full = !Bitboard::EMPTY;
    from.into_iter().fold(Bitboard::EMPTY, |all, at| {
        all | attacks::of(role, color, at, full)
    })
}

pub(crate) fn promoted_steps(from: Bitboard) -> Bitboard {
    let [queen, knight] =
        [Role::Queen, Role::Knight].map(|role| one_step(role, Color::White, from));
    queen | knight
}

/// Parses the lines about the pieces of a position, in the order of their squares.
pub(crate) fn read_pieces<R: Rules>(
    lines: &mut LineReader<'_>,
    position: &Position<R>,
) -> Result<Vec<PieceReach>, CertificateError> {
    let mut men = Vec::new();
    for (at, piece) in position.board().iter() {
        let mut words = lines.expect("man")?.split(' ');
        if lines.square(words.next())? != at {
            return lines.refuse(format!("the man on {at} comes next"));
        }
        let mut man = PieceReach {
            role: piece.role,
            color: piece.color,
            start: at.set(),
            reach: lines.squares(words.next())?,
            promoted: Bitboard::EMPTY,
            loose: false,
            taken: false,
            strays: false,
        };
        while let Some(word) = words.next() {
            match word {
                "promoted" => man.promoted = lines.squares(words.next())?,
                "loose" => man.loose = true,
                "taken" => man.taken = true,
                "strays" => man.strays = true,
                _ => {
                    let word = excerpt(word);
                    return lines.refuse(format!("{word:?} is nothing to say of a man"));
                }
            }
        }
        if !man.reach.contains(at) {
            return lines.refuse(format!(
                "{at} must be in the reach of the man who stands there"
            ));
        }
        men.push(man);
    }
    begin(lines, position, &men)?;
    Ok(men)
}

/// Checks what castling rights and a pawn that has just passed a square require of the pieces.
fn begin<R: Rules>(
    lines: &LineReader<'_>,
    position: &Position<R>,
    men: &[PieceReach],
) -> Result<(), CertificateError> {
    let board = position.board();
    let at = |square: Square| men.iter().find(|man| man.start == square.set());
    for rook in position.castling_rights() {
        let king = board.color_at(rook).and_then(|side| board.king_of(side));
        let (Some(rook), Some(king_at)) = (at(rook), king) else {
            return lines.refuse("a right to castle has no rook or no king");
        };
        let wing = match rook.start.first() > Some(king_at) {
            true => CastlingSide::King,
            false => CastlingSide::Queen,
        };
        let can_castle = at(king_at)
            .is_some_and(|king| king.loose && king.reach.contains(wing.king_target(king.color)));
        if !(can_castle && rook.loose && rook.reach.contains(wing.rook_target(rook.color))) {
            return lines
                .refuse("king and rook must be loose, and reach where castling takes them");
        }
    }
    if let Some(passed) = position.passed_square() {
        let victim = passed.set().forward(!position.turn()).first().and_then(at);
        if !victim.is_some_and(|pawn| pawn.reach.contains(passed)) {
            return lines.refuse(format!(
                "{passed} must be in the reach of the pawn that passed it"
            ));
        }
    }
    Ok(())
}

/// The first squares of the pieces for which `holds` is true.
pub(crate) fn starts(men: &[PieceReach], holds: impl Fn(&PieceReach) -> bool) -> Bitboard {
    let such = men.iter().filter(|man| holds(man));
    such.fold(Bitboard::EMPTY, |all, man| all | man.start)
}

/// Where the king of a side can stand.
pub(crate) fn king_squares(men: &[PieceReach], side: Color) -> Bitboard {
    let kings = men
        .iter()
        .filter(|man| man.role == Role::King && man.color == side);
    kings.fold(Bitboard::EMPTY, |all, king| all | king.reach)
}

/// The squares that a side's pieces other than the king can attack; and those behind a king on `at` that they
/// can attack through it.
pub(crate) fn attacked_squares(
    men: &[PieceReach],
    side: Color,
    at: Square,
) -> (Bitboard, Bitboard) {
    let (mut all, mut through) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for man in men
        .iter()
        .filter(|man| man.color == side && man.role != Role::King)
    {
        all |= man.steps();
        for from in attacks::king(at) & man.everywhere() {
            if man.slides(from, at) {
                let files = at.file().index() as i8 - from.file().index() as i8;
                let ranks = at.rank().index() as i8 - from.rank().index() as i8;
                through.extend(at.offset(files, ranks));
            }
        }
    }
    (all, through)
}

/// Checks a proof by structure in chess.
pub(crate) fn check<R: Rules>(
    lines: &mut LineReader<'_>,
    position: &Position<R>,
    side: Color,
) -> Result<(), CertificateError> {
    let men = read_pieces(lines, position)?;
    let locked = Color::ALL.map(|color| starts(&men, |man| man.color == color && !man.loose));
    let mut stands = [Bitboard::EMPTY; 2];
    let mut guarded = [Bitboard::EMPTY; 2];
    for man in &men {
        if man.role != Role::King {
            stands[man.color as usize] |= man.everywhere();
        }
        if !man.loose {
            guarded[man.color as usize] |= one_step(man.role, man.color, man.start);
        }
    }
    let stays = |man: &PieceReach| man.role == Role::Pawn && !man.strays && !man.taken;
    let mut entered = [Bitboard::EMPTY; 2];
    for man in &men {
        let (own, other) = (man.color as usize, !man.color as usize);
        let kings = starts(&men, |man| man.role == Role::King);
        let mut closed = locked[own] | locked[other] & kings;
        let at = man.start.first();
        let refuse = |what: &str| match at {
            Some(at) => lines.refuse(format!("the man on {at} {what}")),
            None => lines.refuse(what),
        };
        let moves = if man.role == Role::Pawn {
            let captures = one_step(Role::Pawn, man.color, man.reach) & stands[other];
            if captures.any() && !man.strays {
                return refuse("may take something and so stray");
            }
            let mut steps = man.reach.forward(man.color) - locked[0] - locked[1];
            if !man.strays {
                steps -= starts(&men, |man| man.color as usize == other && stays(man));
            }
            let promoted = promoted_steps(man.promoted) - closed;
            let last = man.reach & Bitboard::BACK_RANKS;
            if !(promoted | last).is_subset(man.promoted) {
                return refuse("can go farther as a promoted man");
            }
            entered[own] |= captures | promoted;
            steps | captures
        } else {
            if man.role == Role::King {
                closed |= guarded[other];
            }
            let steps = one_step(man.role, man.color, man.reach) - closed;
            entered[own] |= steps;
            steps
        };
        if !moves.is_subset(man.reach) {
            return refuse("can go farther");
        }
        if moves.any() && !man.loose {
            return refuse("can move and is not loose");
        }
    }
    for man in men.iter().filter(|man| man.role != Role::King) {
        let can_be_taken = (man.everywhere() & entered[!man.color as usize]).any();
        if can_be_taken && !(man.taken && man.loose) {
            return lines.refuse("a man can be taken and is not said to be");
        }
    }
    no_mate(lines, &men, side)
}

fn no_mate(
    lines: &LineReader<'_>,
    men: &[PieceReach],
    side: Color,
) -> Result<(), CertificateError> {
    let fillers: Vec<Bitboard> = men
        .iter()
        .filter(|man| man.color != side && man.role != Role::King)
        .map(PieceReach::everywhere)
        .collect();
    for at in king_squares(men, !side) {
        let around = attacks::king(at);
        let (all, through) = attacked_squares(men, side, at);
        if !all.contains(at) {
            continue;
        }
        for king in king_squares(men, side) - around - at.set() {
            let open = around - all - through - attacks::king(king);
            if can_be_filled(open, &fillers) {
                return lines.refuse(format!("a mate on {at} is not excluded"));
            }
        }
    }
    Ok(())
}
