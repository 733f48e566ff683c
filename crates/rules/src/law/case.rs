//! [`Case`]: one requested move, with the facts that the conditions ask about: which kind of move
//! is meant, what it captures, and how the board looks afterwards. No law is applied here.

use crate::law::book;
use crate::law::illegal::Illegal;
use crate::law::piece_on_square::PieceOnSquare;
use crate::law::reach;
use crate::law::reach::path;
use crate::law::ruleset::Ruleset;
use crate::state::{State, back_rank};
use crate::variant::CastlingMode;
use crate::{
    Bitboard, Board, CastlingSide, Color, File, Move, MoveKind, Rank, Role, Square, UciMove,
};

/// Where a move is requested: a position, its rules, and the moves that led to it as far as known.
#[derive(Clone, Copy)]
pub(super) struct MoveContext<'a> {
    pub state: &'a State,
    pub rules: Ruleset,
    pub past: &'a [Move],
}

/// A requested castling: the rook may be missing, and the right may be lost.
#[derive(Clone, Copy)]
pub(super) struct Castle {
    pub wing: CastlingSide,
    /// Where its rook stands, or should.
    pub home: Option<Square>,
}

/// A requested move whose kind is known.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub scene: MoveContext<'a>,
    pub man: PieceOnSquare,
    /// Where the piece goes; when castling, where the king goes.
    pub to: Square,
    pub promotion: Option<Role>,
    pub kind: MoveKind,
    pub castle: Option<Castle>,
}

impl<'a> MoveContext<'a> {
    pub fn board(&self) -> &'a Board {
        &self.state.board
    }

    pub fn us(&self) -> Color {
        self.state.turn
    }

    /// Whether a king is gone, which ends the game. Only an explosion removes one.
    pub fn game_over(&self) -> Option<Illegal> {
        let gone = |color: &Color| self.board().king_of(*color).is_none();
        let loser = Color::ALL.into_iter().find(gone)?;
        Some(Illegal::GameOver { loser })
    }

    /// The king of the side on move.
    pub fn king(&self) -> Option<PieceOnSquare> {
        PieceOnSquare::on(self.board(), self.board().king_of(self.us())?)
    }

    /// The kinds of moves that a request with this piece can mean: none if it does not go that way,
    /// two where a king's step and a castling share their squares.
    pub fn meanings(&self, man: PieceOnSquare, attempt: UciMove) -> [Option<Case<'a>>; 2] {
        let case = |kind, to, castle| Case {
            scene: *self,
            man,
            to,
            promotion: attempt.promotion,
            kind,
            castle,
        };
        if man.piece.role == Role::King {
            let (castle, takes_rook) = self.castling_meant(man, attempt.to);
            let castling = castle.map(|castle| self.castling(man, castle, attempt.promotion));
            let fits =
                book::article(MoveKind::KingRegular)
                    .reach
                    .fits(self.us(), man.square, attempt.to);
            return match takes_rook {
                true => [castling, None],
                false if fits => [
                    Some(case(MoveKind::KingRegular, attempt.to, None)),
                    castling,
                ],
                false => [castling, None],
            };
        }
        let kind = match man.piece.role {
            Role::Pawn => self.pawn_kind(man, attempt.to),
            role => MoveKind::ALL.into_iter().find(|kind| kind.role() == role),
        };
        let fits = |kind: &MoveKind| {
            let reach = book::article(*kind).reach;
            reach.fits(man.piece.color, man.square, attempt.to)
        };
        let kind = kind.filter(fits);
        [kind.map(|kind| case(kind, attempt.to, None)), None]
    }

    /// The kind of move that takes a pawn to a square.
    fn pawn_kind(&self, pawn: PieceOnSquare, to: Square) -> Option<MoveKind> {
        let fits = |kind| {
            let reach = book::article(kind).reach;
            reach.fits(pawn.piece.color, pawn.square, to)
        };
        let rank = pawn.square.rank();
        let promotes = self.rules.promotion && rank == Rank::Seventh.of(pawn.piece.color);
        if fits(MoveKind::PawnTwoSteps) {
            return Some(MoveKind::PawnTwoSteps);
        }
        if fits(MoveKind::PawnRegular) {
            return Some(match promotes {
                true => MoveKind::PawnRegularPromotion,
                false => MoveKind::PawnRegular,
            });
        }
        if !fits(MoveKind::PawnCapture) {
            return None;
        }
        let beside = Square::at(to.file(), rank);
        let passes = rank == Rank::Fifth.of(pawn.piece.color)
            && self.board().piece_at(to).is_none()
            && (self.rules.en_passant
                || self.board().piece_at(beside) == Some(Role::Pawn.of(!pawn.piece.color)));
        Some(match () {
            () if promotes => MoveKind::PawnCapturePromotion,
            () if passes && fits(MoveKind::PawnLeftEnPassant) => MoveKind::PawnLeftEnPassant,
            () if passes => MoveKind::PawnRightEnPassant,
            () => MoveKind::PawnCapture,
        })
    }

    /// The castling that a king's way to a square can mean, and whether it names the rook's square,
    /// which means nothing else.
    fn castling_meant(&self, king: PieceOnSquare, to: Square) -> (Option<Castle>, bool) {
        let back = Bitboard(back_rank(self.us()));
        if to == king.square || !back.contains(king.square) || !back.contains(to) {
            return (None, false);
        }
        let side = |square: Square| match square > king.square {
            true => CastlingSide::King,
            false => CastlingSide::Queen,
        };
        let own_rook = self.board().piece_at(to) == Some(Role::Rook.of(self.us()));
        let castle = |wing, home| Some(Castle { wing, home });
        if own_rook && self.rights().contains(to) {
            return (castle(side(to), Some(to)), true);
        }
        let is_far = king.square.distance(to) > 1;
        let is_classic = king.square.file() == File::E;
        let anywhere = matches!(self.rules.castling, CastlingMode::Anywhere);
        let corner = matches!(to.file(), File::A | File::H);
        if own_rook && is_far && (anywhere || is_classic && corner) {
            return (castle(side(to), Some(to)), true);
        }
        let aims = |wing: &CastlingSide| wing.king_target(self.us()) == to;
        let meant = CastlingSide::ALL.into_iter().find(aims).filter(|&wing| {
            is_classic && is_far
                || anywhere && (is_far || self.rook_with_right(king.square, wing).is_some())
        });
        let castle = meant.map(|wing| Castle {
            wing,
            home: self.rook_home(king.square, wing),
        });
        (castle, false)
    }

    /// The case of castling with this king.
    pub fn castling(
        &self,
        king: PieceOnSquare,
        castle: Castle,
        promotion: Option<Role>,
    ) -> Case<'a> {
        Case {
            scene: *self,
            man: king,
            to: castle.wing.king_target(self.us()),
            promotion,
            kind: castle.wing.move_kind(self.us()),
            castle: Some(castle),
        }
    }

    /// The squares of one's own rooks that may still castle.
    pub fn rights(&self) -> Bitboard {
        Bitboard(self.state.castling & back_rank(self.us()))
    }

    fn rook_with_right(&self, king: Square, wing: CastlingSide) -> Option<Square> {
        let on_wing = |rook: &Square| (*rook > king) == (wing == CastlingSide::King);
        self.rights().into_iter().find(on_wing)
    }

    /// Where the rook of a castling side stands, or stood at the start as far as can be told: in
    /// the corner if the king has its place in chess, else outermost.
    pub fn rook_home(&self, king: Square, wing: CastlingSide) -> Option<Square> {
        let rank = Rank::First.of(self.us());
        let corner = Square::at(
            match wing {
                CastlingSide::King => File::H,
                CastlingSide::Queen => File::A,
            },
            rank,
        );
        let anywhere = matches!(self.rules.castling, CastlingMode::Anywhere);
        self.rook_with_right(king, wing).or_else(|| {
            if !anywhere || king == Square::at(File::E, rank) {
                return Some(corner);
            }
            let rooks =
                self.board().by_color_and_role(Role::Rook.of(self.us())) & Bitboard::from(rank);
            match wing {
                CastlingSide::King => rooks.last().filter(|&rook| rook > king),
                CastlingSide::Queen => rooks.first().filter(|&rook| rook < king),
            }
        })
    }

    /// The enemy pieces that attack a square so that our king could not be there. Where captures explode,
    /// kings take nothing, and nothing can be taken beside the enemy king (A4).
    pub fn threats(&self, board: &Board, square: Square) -> Bitboard {
        let them = !self.us();
        let attackers = reach::attackers(board, them, square);
        if !self.rules.blast {
            return attackers;
        }
        match board.king_of(them) {
            Some(king) if reach::touch(king, square) => Bitboard::EMPTY,
            _ => attackers - board.by_role(Role::King),
        }
    }

    /// The number of the move that the ply with this index in the past was part of.
    pub fn move_number(&self, ply: usize) -> u32 {
        let is_black = !self.us().is_white() as u32;
        let plies = 2 * self.state.fullmoves.saturating_sub(1) + is_black;
        let ago = (self.past.len() - ply) as u32;
        plies.saturating_sub(ago) / 2 + 1
    }

    /// The side's own moves in the past, with their indices.
    pub fn own_past(&self) -> impl Iterator<Item = (usize, &'a Move)> {
        let length = self.past.len();
        let is_own = move |(ply, _): &(usize, &Move)| (length - ply).is_multiple_of(2);
        self.past.iter().enumerate().filter(is_own)
    }
}

impl<'a> Case<'a> {
    pub fn board(&self) -> &'a Board {
        self.scene.board()
    }

    /// What stands on the target.
    pub fn target(&self) -> Option<PieceOnSquare> {
        PieceOnSquare::on(self.board(), self.to)
    }

    pub fn target_is_own(&self) -> bool {
        self.board().color_at(self.to) == Some(self.man.piece.color)
    }

    /// The piece that the move takes.
    pub fn victim(&self) -> Option<PieceOnSquare> {
        let square = match self.kind {
            kind if kind.is_castling() => return None,
            kind if kind.is_en_passant() => Square::at(self.to.file(), self.man.square.rank()),
            _ => self.to,
        };
        let victim = PieceOnSquare::on(self.board(), square)?;
        (victim.piece.color != self.man.piece.color).then_some(victim)
    }

    /// The pieces that vanish where captures explode: captor, captive, and all but pawns around (A1).
    pub fn exploded_squares(&self) -> Bitboard {
        let Some(victim) = self.victim().filter(|_| self.scene.rules.blast) else {
            return Bitboard::EMPTY;
        };
        let near = |square: &Square| {
            reach::touch(*square, self.to)
                && self
                    .board()
                    .role_at(*square)
                    .is_some_and(|role| role != Role::Pawn)
        };
        let around: Bitboard = Square::all().filter(near).collect();
        around | victim.square.set() | self.man.square.set()
    }

    /// The board after the move.
    pub fn board_after(&self) -> Board {
        let mut board = *self.board();
        if let Some(castle) = self.castle {
            let color = self.man.piece.color;
            board.remove(self.man.square);
            if let Some(rook) = castle.home {
                board.remove(rook);
            }
            board.set(self.to, self.man.piece);
            board.set(castle.wing.rook_target(color), Role::Rook.of(color));
            return board;
        }
        let casualties = self.exploded_squares();
        if let Some(victim) = self.victim() {
            board.remove(victim.square);
        }
        board.remove(self.man.square);
        if casualties.any() {
            for square in casualties {
                board.remove(square);
            }
        } else {
            let role = self.promotion.unwrap_or(self.man.piece.role);
            board.set(self.to, role.of(self.man.piece.color));
        }
        board
    }

    /// The squares that castling needs free: the ways of king and rook, and all between them.
    pub fn castling_way(&self, castle: Castle, rook: Square) -> Bitboard {
        let king = self.man.square;
        let rook_to = castle.wing.rook_target(self.man.piece.color);
        let way: Bitboard = path(king, self.to)
            .chain(path(rook, rook_to))
            .chain(path(king, rook))
            .chain([self.to, rook_to])
            .collect();
        way - king.set() - rook.set()
    }

    /// The legal move, for a case that meets every condition.
    pub fn build_move(&self) -> Move {
        let (from, to) = (self.man.square, self.to);
        match (self.castle, self.promotion) {
            (Some(castle), _) => Move::castling(self.kind, from, to, castle.home.unwrap_or(from)),
            (None, Some(role)) => Move::promotion(self.kind, from, to, role),
            (None, None) => Move::plain(self.kind, from, to, self.victim().is_some()),
        }
    }
}
