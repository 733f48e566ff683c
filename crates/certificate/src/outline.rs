//! Checks proofs by outlines: every move from each outline (an arrangement of solid pieces) that the
//! certificate lists must lead to another one of the list, ghosts must stay within the reach that it gives
//! them, and nowhere may there be a mate. The argument is in `docs/CERTIFICATES.md`.

use std::collections::HashSet;

use touchmove_rules::{
    Bitboard, Board, CastlingSide, Color, Fen, Position, Rank, Role, Rules, Square, attacks,
};

use crate::parser::{CertificateError, LineReader, hexadecimal};
use crate::structure::{one_step, promoted_steps};

/// A piece of which only the reach is known.
pub(crate) struct Ghost {
    pub role: Role,
    pub color: Color,
    pub reach: Bitboard,
}

/// The solid pieces, the side to move, and what else is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Outline {
    /// White, Black, then the roles: as bitboards, so that outlines can be compared.
    sets: [u64; 8],
    pub turn: Color,
    /// Which ghosts may be on the board, one bit for each by its index in the list.
    pub alive: u64,
    /// Whether a side may have changelings, by colour.
    pub changed: [bool; 2],
    passed: Option<Square>,
    bare: Bitboard,
    /// The solid rooks that may castle with their kings.
    castling: Bitboard,
}

impl Outline {
    pub fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for (index, &role) in Role::ALL.iter().enumerate() {
            for at in Bitboard(self.sets[2 + index]) {
                let color = match Bitboard(self.sets[0]).contains(at) {
                    true => Color::White,
                    false => Color::Black,
                };
                board.set(at, role.of(color));
            }
        }
        board
    }

    fn with_board(mut self, board: &Board) -> Outline {
        self.sets[..2].copy_from_slice(&Color::ALL.map(|color| board.by_color(color).0));
        self.sets[2..].copy_from_slice(&Role::ALL.map(|role| board.by_role(role).0));
        self
    }

    /// The outline after a move to this board: castling rights stay while king and rook do.
    fn after(self, board: &Board) -> Outline {
        let before = self.board();
        let stays = |at: Square| before.piece_at(at) == board.piece_at(at);
        let may_castle = |rook: &Square| {
            let king = before.color_at(*rook).and_then(|side| before.king_of(side));
            stays(*rook) && king.is_some_and(stays)
        };
        Outline {
            turn: !self.turn,
            passed: None,
            castling: self.castling.into_iter().filter(may_castle).collect(),
            ..self.with_board(board)
        }
    }
}

/// Where the ghosts of one side may stand.
#[derive(Clone, Copy, Default)]
pub(crate) struct GhostSquares {
    knights: Bitboard,
    diagonals: Bitboard,
    straights: Bitboard,
    pub any: Bitboard,
}

impl GhostSquares {
    fn add(&mut self, role: Role, reach: Bitboard) {
        self.any |= reach;
        if role == Role::Knight {
            self.knights |= reach;
        }
        if role == Role::Bishop || role == Role::Queen {
            self.diagonals |= reach;
        }
        if role == Role::Rook || role == Role::Queen {
            self.straights |= reach;
        }
    }

    /// From where a ghost may attack a square, with these blockers.
    pub fn attackers(&self, target: Square, occupied: Bitboard) -> Bitboard {
        let knights = attacks::knight(target) & self.knights;
        let diagonals = attacks::bishop(target, occupied) & self.diagonals;
        let straights = attacks::rook(target, occupied) & self.straights;
        (knights | diagonals | straights) - occupied
    }
}

/// What made the last move.
#[derive(Clone, Copy)]
pub(crate) enum Mover {
    /// A ghost, or a pawn that has become one.
    Ghost,
    /// A solid piece, which left these squares empty.
    Solid(Bitboard),
}

/// The list of outlines, and what is known of the ghosts.
pub(crate) struct OutlineChecker {
    pub winner: Color,
    pub ghosts: Vec<Ghost>,
    pub changelings: [Bitboard; 2],
    listed: HashSet<Outline>,
}

/// Checks a proof by outlines.
pub(crate) fn check<R: Rules>(
    lines: &mut LineReader<'_>,
    position: &Position<R>,
    winner: Color,
) -> Result<(), CertificateError> {
    if R::CAPTURES_EXPLODE {
        return lines.refuse("outlines prove nothing where captures explode");
    }
    let (first, mut sketch) = begin(lines, position, winner)?;
    let mut all = Vec::new();
    while let Some(text) = lines.expect_maybe("outline") {
        let outline = read(lines, text)?;
        if !sketch.listed.insert(outline) {
            return lines.refuse("this outline has been listed before");
        }
        all.push(outline);
    }
    if !sketch.listed.contains(&first) {
        return lines.refuse("the outline of the position itself is not in the list");
    }
    for outline in &all {
        if let Err(what) = sketch.follow(outline) {
            return lines.refuse(what);
        }
    }
    Ok(())
}

/// Parses the ghosts, and makes the first outline.
fn begin<R: Rules>(
    lines: &mut LineReader<'_>,
    position: &Position<R>,
    winner: Color,
) -> Result<(Outline, OutlineChecker), CertificateError> {
    let mut board = *position.board();
    let mut ghosts = Vec::new();
    let mut roaming = [Bitboard::EMPTY; 2];
    while let Some(text) = lines.expect_maybe("ghost") {
        let mut words = text.split(' ');
        let at = lines.square(words.next())?;
        let reach = lines.squares(words.next())?;
        let Some(man) = board.piece_at(at) else {
            return lines.refuse(format!("nobody stands on {at} who could be a ghost"));
        };
        let castles = position.castling_rights().contains(at);
        if castles || matches!(man.role, Role::Pawn | Role::King) || !reach.contains(at) {
            return lines.refuse(format!("the man on {at} is no ghost with this reach"));
        }
        if ghosts.len() == 64 {
            return lines.refuse("there are too many ghosts");
        }
        board.remove(at);
        ghosts.push(Ghost {
            role: man.role,
            color: man.color,
            reach,
        });
    }
    while let Some(text) = lines.expect_maybe("roaming") {
        let at = lines.square(Some(text))?;
        let Some(man) = board.piece_at(at).filter(|man| man.role == Role::Pawn) else {
            return lines.refuse(format!("there is no pawn on {at}"));
        };
        let second = Bitboard::from(Rank::Second.of(!man.color));
        let rivals = position
            .board()
            .by_color_and_role(Role::Pawn.of(!man.color));
        if (rivals & second).any() || position.passed_square().is_some() {
            return lines.refuse("a pawn does not roam where one of the others can make two steps");
        }
        board.remove(at);
        roaming[man.color as usize].insert(at);
    }
    let mut words = lines.expect("changelings")?.split(' ');
    let changelings = [lines.squares(words.next())?, lines.squares(words.next())?];
    if (0..2).any(|side| !roaming[side].is_subset(changelings[side])) {
        return lines.refuse("a pawn that roams is not within the reach of the changelings");
    }
    let alive = match ghosts.len() {
        64 => u64::MAX,
        count => (1 << count) - 1,
    };
    let first = Outline {
        sets: [0; 8],
        turn: position.turn(),
        alive,
        changed: roaming.map(Bitboard::any),
        passed: position.passed_square(),
        bare: Bitboard::EMPTY,
        castling: position.castling_rights(),
    }
    .with_board(&board);
    let sketch = OutlineChecker {
        winner,
        ghosts,
        changelings,
        listed: HashSet::new(),
    };
    Ok((first, sketch))
}

/// Parses an outline: the board, the side to move, the ghosts, the sides with changelings, the square passed,
/// the bare squares, and the rooks that may castle if there are any.
fn read(lines: &LineReader<'_>, text: &str) -> Result<Outline, CertificateError> {
    let words: Vec<&str> = text.split(' ').collect();
    let ([placement, turn, alive, changed, passed, bare]
    | [placement, turn, alive, changed, passed, bare, _]) = words[..]
    else {
        return lines.refuse("an outline has six words, and a seventh if somebody may castle");
    };
    let Ok(Fen(setup)) = format!("{placement} {turn} - - 0 1").parse::<Fen>() else {
        return lines.refuse("the board of the outline cannot be read");
    };
    let changed = match changed {
        "-" => [false, false],
        "w" => [true, false],
        "b" => [false, true],
        "wb" => [true, true],
        _ => return lines.refuse("the sides with changelings are -, w, b or wb"),
    };
    let has_kings =
        Color::ALL.map(|color| setup.board.by_color_and_role(Role::King.of(color)).len());
    let (Some(alive), [1, 1]) = (hexadecimal(alive), has_kings) else {
        return lines.refuse("an outline has two kings and a number of ghosts");
    };
    let passed = match passed {
        "-" => None,
        square => Some(lines.square(Some(square))?),
    };
    let outline = Outline {
        sets: [0; 8],
        turn: setup.turn,
        alive,
        changed,
        passed,
        bare: lines.squares(Some(bare))?,
        castling: match words.get(6) {
            None => Bitboard::EMPTY,
            rights => lines.squares(rights.copied())?,
        },
    };
    Ok(outline.with_board(&setup.board))
}

impl OutlineChecker {
    /// The ghosts of a side that may be on the board, with their indices.
    pub fn alive(&self, outline: &Outline, color: Color) -> impl Iterator<Item = (usize, &Ghost)> {
        let alive = outline.alive;
        self.ghosts
            .iter()
            .enumerate()
            .filter(move |(number, ghost)| alive >> number & 1 != 0 && ghost.color == color)
    }

    pub fn crowd(&self, outline: &Outline, color: Color) -> GhostSquares {
        let mut crowd = GhostSquares::default();
        for (_, ghost) in self.alive(outline, color) {
            crowd.add(ghost.role, ghost.reach);
        }
        if outline.changed[color as usize] {
            crowd.add(Role::Queen, self.changelings[color as usize]);
            crowd.add(Role::Knight, self.changelings[color as usize]);
        }
        crowd
    }

    /// Checks that ghosts stay within their reach, and checks every outline that a move leads to.
    fn follow(&self, outline: &Outline) -> Result<(), String> {
        let (board, turn) = (outline.board(), outline.turn);
        let (own, rivals) = (board.by_color(turn), board.by_color(!turn));
        let (occupied, kings) = (own | rivals, board.by_role(Role::King));
        let closed = own | kings;
        for (_, ghost) in self.alive(outline, turn) {
            let steps = one_step(ghost.role, turn, ghost.reach - occupied) - closed;
            if !steps.is_subset(ghost.reach) {
                return Err(format!("a ghost can leave its reach in {}", named(outline)));
            }
        }
        let changelings = self.changelings[turn as usize];
        let steps = promoted_steps(changelings - occupied) - closed;
        if outline.changed[turn as usize] && !steps.is_subset(changelings) {
            return Err(format!(
                "a changeling can leave its reach in {}",
                named(outline)
            ));
        }
        let haunt = self.crowd(outline, turn).any;
        if haunt.any() {
            self.enter(outline.after(&board), Mover::Ghost)?;
        }
        for taken in haunt & (rivals - kings) {
            let mut board = board;
            board.remove(taken);
            self.enter(outline.after(&board), Mover::Ghost)?;
        }
        for from in own {
            let role = board.role_at(from).unwrap_or(Role::King);
            if role == Role::Pawn {
                self.follow_pawn(outline, &board, from)?;
                continue;
            }
            for to in attacks::of(role, turn, from, occupied) - closed {
                let next = outline.after(&moved(board, from, to));
                self.enter(next, Mover::Solid(from.set()))?;
            }
        }
        for rook in outline.castling & own {
            self.follow_castling(outline, &board, rook)?;
        }
        Ok(())
    }

    /// Follows a castling, unless a solid piece is in the way.
    fn follow_castling(
        &self,
        outline: &Outline,
        board: &Board,
        rook: Square,
    ) -> Result<(), String> {
        let turn = outline.turn;
        let Some(king) = board.king_of(turn) else {
            return Ok(());
        };
        let wing = if rook > king {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        };
        let targets = [wing.king_target(turn), wing.rook_target(turn)];
        let left = king.set() | rook.set();
        let way = attacks::between(king, targets[0]) | attacks::between(rook, targets[1]);
        let way = way | targets.into_iter().collect::<Bitboard>();
        if (way & (board.occupied() - left)).any() {
            return Ok(());
        }
        let mut castled = *board;
        for at in left {
            castled.remove(at);
        }
        castled.set(targets[0], Role::King.of(turn));
        castled.set(targets[1], Role::Rook.of(turn));
        let mut next = outline.after(&castled);
        next.castling -= Bitboard::from(Rank::First.of(turn));
        self.enter(next, Mover::Solid(left))
    }

    fn follow_pawn(&self, outline: &Outline, board: &Board, from: Square) -> Result<(), String> {
        let turn = outline.turn;
        let occupied = board.occupied();
        let rivals = board.by_color(!turn) - board.by_role(Role::King);
        let step = from.set().forward(turn) - occupied;
        let attacked = attacks::pawn(turn, from);
        for to in step | attacked & rivals {
            self.enter_pawn(outline.after(&moved(*board, from, to)), from, to)?;
        }
        if from.rank() == Rank::Second.of(turn) {
            for to in step.forward(turn) - occupied {
                let mut next = outline.after(&moved(*board, from, to));
                let takers = rivals & board.by_role(Role::Pawn);
                let ready = |passed: &Square| (attacks::pawn(turn, *passed) & takers).any();
                next.passed = step.first().filter(ready);
                self.enter(next, Mover::Solid(from.set()))?;
            }
        }
        let foe = !turn as usize;
        for to in attacked - occupied {
            let next = outline.after(&moved(*board, from, to));
            for (number, ghost) in self.alive(outline, !turn) {
                if ghost.reach.contains(to) {
                    let alive = next.alive & !(1 << number);
                    self.enter_pawn(Outline { alive, ..next }, from, to)?;
                }
            }
            let may_be_changeling = outline.changed[foe] && self.changelings[foe].contains(to);
            if may_be_changeling {
                self.enter_pawn(next, from, to)?;
            }
            let behind = to.set().forward(!turn);
            let may_have_passed = may_be_changeling
                && from.rank() == Rank::Fifth.of(turn)
                && (behind & (self.changelings[foe] - occupied)).any();
            if may_have_passed || outline.passed == Some(to) {
                let mut board = next.board();
                for victim in behind {
                    board.remove(victim);
                }
                let left = Mover::Solid(from.set() | behind);
                self.enter(next.with_board(&board), left)?;
            }
        }
        Ok(())
    }

    /// Follows a pawn's move; on the last rank the pawn becomes a changeling.
    fn enter_pawn(&self, mut next: Outline, from: Square, to: Square) -> Result<(), String> {
        if !Bitboard::BACK_RANKS.contains(to) {
            return self.enter(next, Mover::Solid(from.set()));
        }
        let side = !next.turn as usize;
        if !self.changelings[side].contains(to) {
            return Err(format!(
                "a pawn can promote on {to}, which no changeling reaches"
            ));
        }
        let mut board = next.board();
        board.remove(to);
        next.changed[side] = true;
        self.enter(next.with_board(&board), Mover::Ghost)
    }

    /// Checks that an outline is in the list and no mate, unless no legal move leads there.
    fn enter(&self, mut next: Outline, mover: Mover) -> Result<(), String> {
        let board = next.board();
        let crowds = Color::ALL.map(|color| self.crowd(&next, color));
        let bare = match mover {
            Mover::Ghost => next.bare - crowds[!next.turn as usize].any,
            Mover::Solid(left) => (next.bare | left) - board.occupied(),
        };
        let veil = crowds[0].any | crowds[1].any;
        let is_check = |side: Color, veil: Bitboard| {
            let attackers = |king| board.attackers(king, !side, board.occupied() | veil);
            board
                .king_of(side)
                .is_some_and(|king| attackers(king).any())
        };
        let men = board.by_color(self.winner) - board.by_role(Role::King);
        let is_helpless = men.is_empty() && crowds[self.winner as usize].any.is_empty();
        if is_check(!next.turn, veil - bare) || is_helpless {
            return Ok(());
        }
        let opens = is_check(next.turn, veil - bare) && !is_check(next.turn, veil);
        next.bare = if opens { bare } else { Bitboard::EMPTY };
        if !self.listed.contains(&next) {
            return Err(format!(
                "a move leads to {}, which is not in the list",
                named(&next)
            ));
        }
        if next.turn != self.winner && self.may_be_mate(&next, mover, &crowds, veil - bare) {
            return Err(format!("there may be a mate in {}", named(&next)));
        }
        Ok(())
    }
}

/// The board after a piece has moved, capturing whatever stood there.
pub(crate) fn moved(mut board: Board, from: Square, to: Square) -> Board {
    if let Some(man) = board.piece_at(from) {
        board.remove(from);
        board.set(to, man);
    }
    board
}

/// An outline in words, for error messages.
fn named(outline: &Outline) -> String {
    let board = outline.board();
    let men = board.iter().map(|(at, man)| format!("{man}{at}"));
    let men: Vec<String> = men.collect();
    format!("{} ({} to move)", men.join(" "), outline.turn)
}
