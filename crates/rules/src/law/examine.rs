//! Checks each condition of the law book in a case, and if it does not hold, gives the reason with
//! its evidence. It looks at the board as the law describes it, never at the generator's tables.

use crate::law::case::{Case, Castle};
use crate::law::condition::Condition;
use crate::law::illegal::Illegal;
use crate::law::piece_on_square::{PieceOnSquare, PiecesOnSquares};
use crate::law::reach::path;
use crate::variant::CastlingMode;
use crate::{Bitboard, Board, File, MoveKind, Rank, Role, Square};

/// The result of checking a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConditionFinding {
    Met,
    Broken(Illegal),
    /// Not checked: another broken condition leaves nothing to ask.
    Moot,
}

impl ConditionFinding {
    fn broken_if_some(reason: Option<Illegal>) -> ConditionFinding {
        reason.map_or(ConditionFinding::Met, ConditionFinding::Broken)
    }
}

impl Case<'_> {
    /// Checks one condition. Those that are settled before a kind is known count as met here.
    pub fn examine(&self, condition: Condition) -> ConditionFinding {
        let promises_nothing = self.promotion.is_none();
        match condition {
            // What decided the kind of the move, or was checked before.
            Condition::GameGoesOn
            | Condition::PieceThere
            | Condition::OwnPiece
            | Condition::GoesElsewhere
            | Condition::MovesThatWay
            | Condition::NotOnItsSeventhRank
            | Condition::OnItsSeventhRank
            | Condition::OnItsFifthRank => ConditionFinding::Met,
            Condition::Exists => ConditionFinding::broken_if_some(self.missing_from_variant()),
            _ if !self.scene.rules.has(self.kind) => ConditionFinding::Moot,
            Condition::NoOwnPieceThere => self.no_own_piece_there(),
            Condition::SquareEmpty | Condition::OpponentThere if self.target_is_own() => {
                ConditionFinding::Moot
            }
            Condition::SquareEmpty => {
                let reason = |blocker| Illegal::PawnCannotCaptureStraight {
                    pawn: self.man,
                    blocker,
                };
                ConditionFinding::broken_if_some(self.target().map(reason))
            }
            Condition::OpponentThere => ConditionFinding::broken_if_some(match self.target() {
                Some(_) => None,
                None => Some(Illegal::PawnNeedsCapture {
                    pawn: self.man,
                    to: self.to,
                }),
            }),
            Condition::SeesSquare => ConditionFinding::broken_if_some(self.path_blocked()),
            Condition::PawnNotMoved => {
                let home = Rank::Second.of(self.man.piece.color);
                let has_moved = self.man.square.rank() != home;
                let reason = Illegal::TwoStepsNotFirst { pawn: self.man };
                ConditionFinding::broken_if_some(has_moved.then_some(reason))
            }
            Condition::JustPassed => ConditionFinding::broken_if_some(self.not_just_passed()),
            Condition::KingNotMoved
            | Condition::RookNotMoved
            | Condition::WayFree
            | Condition::NotInCheck
            | Condition::NoCheckOnPath
            | Condition::NoCheckOnArrival => match self.castle {
                Some(castle) => self.examine_castling(condition, castle),
                None => ConditionFinding::Moot,
            },
            Condition::KingTakesNothing if self.target_is_own() => self.no_own_piece_there(),
            Condition::KingTakesNothing => {
                let reason = |victim| Illegal::KingCannotCapture {
                    king: self.man,
                    victim,
                    variant: self.scene.rules.variant,
                };
                ConditionFinding::broken_if_some(self.victim().map(reason))
            }
            _ if self.target_is_own() && !self.kind.is_castling() => ConditionFinding::Moot,
            Condition::SparesOneKing | Condition::SparesOwnKing => self.examine_blast(condition),
            Condition::CheckAnswered | Condition::KingNotExposed => self.examine_king(condition),
            Condition::KingSafeThere => self.king_safe_there(),
            Condition::PromotionChosen => {
                ConditionFinding::broken_if_some(self.promotion_refused())
            }
            Condition::NothingPromoted if promises_nothing => ConditionFinding::Moot,
            Condition::NothingPromoted => ConditionFinding::Broken(self.nothing_to_promote()),
        }
    }

    fn missing_from_variant(&self) -> Option<Illegal> {
        let variant = self.scene.rules.variant;
        if self.scene.rules.has(self.kind) {
            return None;
        }
        Some(match self.victim() {
            Some(victim) => Illegal::NoEnPassant {
                pawn: self.man,
                victim,
                variant,
            },
            None => Illegal::NoCastling {
                king: self.man,
                variant,
            },
        })
    }

    fn no_own_piece_there(&self) -> ConditionFinding {
        if self.kind.is_castling() {
            return ConditionFinding::Moot;
        }
        let own = self.target().filter(|_| self.target_is_own());
        ConditionFinding::broken_if_some(own.map(|blocker| Illegal::OwnPieceThere {
            man: self.man,
            blocker,
        }))
    }

    fn path_blocked(&self) -> Option<Illegal> {
        let blocker =
            path(self.man.square, self.to).find_map(|on| PieceOnSquare::on(self.board(), on))?;
        Some(Illegal::PathBlocked {
            man: self.man,
            to: self.to,
            blocker,
        })
    }

    /// Why a pawn cannot be captured en passant, as far as the past tells.
    fn not_just_passed(&self) -> Option<Illegal> {
        if self.scene.state.en_passant == Some(self.to) {
            return None;
        }
        let (pawn, to) = (self.man, self.to);
        let beside = Square::at(to.file(), pawn.square.rank());
        let Some(victim) = self.victim().filter(|man| man.piece.role == Role::Pawn) else {
            return Some(Illegal::EnPassantNoPawn { pawn, to, beside });
        };
        let arrival = self.scene.past.iter().rposition(|mv| mv.to() == beside);
        Some(match arrival {
            Some(ply) if self.scene.past[ply].kind() == MoveKind::PawnTwoSteps => {
                Illegal::EnPassantTooLate {
                    pawn,
                    victim,
                    was_possible_on_move: self.scene.move_number(ply + 1),
                }
            }
            _ => Illegal::EnPassantNoTwoSteps { pawn, victim },
        })
    }

    fn examine_castling(&self, condition: Condition, castle: Castle) -> ConditionFinding {
        let king = self.man;
        let rook = castle.home.and_then(|home| {
            PieceOnSquare::on(self.board(), home)
                .filter(|man| man.piece == Role::Rook.of(king.piece.color))
        });
        if let Condition::KingNotMoved | Condition::RookNotMoved = condition {
            return match self.right_lost(castle, rook) {
                Some(lost)
                    if is_about_the_king(&lost) == (condition == Condition::KingNotMoved) =>
                {
                    ConditionFinding::Broken(lost)
                }
                _ => ConditionFinding::Met,
            };
        }
        let Some(rook) = rook else {
            return ConditionFinding::Moot;
        };
        let board = self.board();
        let attacked = |board: &Board, square| {
            let threats = self.scene.threats(board, square);
            threats.any().then(|| PiecesOnSquares::on(board, threats))
        };
        ConditionFinding::broken_if_some(match condition {
            Condition::WayFree => {
                let way = self.castling_way(castle, rook.square) & board.occupied();
                let blocker = way
                    .first()
                    .and_then(|square| PieceOnSquare::on(board, square));
                blocker.map(|blocker| Illegal::CastlingBlocked { rook, blocker })
            }
            Condition::NotInCheck => attacked(board, king.square)
                .map(|checkers| Illegal::CastlingInCheck { king, checkers }),
            Condition::NoCheckOnPath => {
                let mut without_king = *board;
                without_king.remove(king.square);
                path(king.square, self.to).find_map(|square| {
                    let attackers = attacked(&without_king, square)?;
                    Some(Illegal::CastlingThroughCheck {
                        king,
                        square,
                        attackers,
                    })
                })
            }
            _ => {
                attacked(&self.board_after(), self.to).map(|attackers| Illegal::CastlingIntoCheck {
                    king,
                    square: self.to,
                    attackers,
                })
            }
        })
    }

    /// Why the right to castle is lost, if it is: by the past as far as known, else by the position.
    fn right_lost(&self, castle: Castle, rook: Option<PieceOnSquare>) -> Option<Illegal> {
        let (scene, king) = (&self.scene, self.man);
        if castle
            .home
            .is_some_and(|home| scene.rights().contains(home))
        {
            return None;
        }
        let number = |(ply, _): (usize, _)| scene.move_number(ply);
        let king_moved = scene.own_past().find(|(_, mv)| mv.role() == Role::King);
        let is_home = king.square == Square::at(File::E, Rank::First.of(king.piece.color));
        let is_displaced = matches!(scene.rules.castling, CastlingMode::Classic) && !is_home;
        if king_moved.is_some() || is_displaced {
            let on_move = king_moved.map(number);
            return Some(Illegal::CastlingKingMoved { king, on_move });
        }
        let Some(rook) = rook else {
            return Some(Illegal::CastlingRookGone {
                king,
                wing: castle.wing,
                home: castle.home,
            });
        };
        let touches = |mv: &crate::Move| mv.from() == rook.square || mv.to() == rook.square;
        let rook_moved = scene.own_past().find(|(_, mv)| touches(mv));
        Some(if rook_moved.is_some() || scene.rights().any() {
            let on_move = rook_moved.map(number);
            Illegal::CastlingRookMoved { rook, on_move }
        } else {
            Illegal::CastlingRightLost { king, rook }
        })
    }

    fn examine_blast(&self, condition: Condition) -> ConditionFinding {
        let blast = self.exploded_squares();
        let us = self.man.piece.color;
        let hit = |color| {
            let king = self.board().king_of(color)?;
            let king = PieceOnSquare::on(self.board(), king)?;
            blast.contains(king.square).then_some(king)
        };
        ConditionFinding::broken_if_some(match (hit(us), hit(!us), condition) {
            (Some(king), Some(other), Condition::SparesOneKing) => {
                Some(Illegal::BothKingsExplode {
                    king,
                    other,
                    centre: self.to,
                })
            }
            (Some(king), None, Condition::SparesOwnKing) => Some(Illegal::OwnKingExplodes {
                king,
                centre: self.to,
            }),
            (Some(_), Some(_), _) => return ConditionFinding::Moot,
            _ => None,
        })
    }

    /// Checks whether a king that does not move itself stays in check or becomes attacked.
    fn examine_king(&self, condition: Condition) -> ConditionFinding {
        let board = self.board();
        let us = self.man.piece.color;
        let after = self.board_after();
        let (Some(at), true) = (after.king_of(us), board.king_of(us).is_some()) else {
            return ConditionFinding::Moot;
        };
        if after.king_of(!us).is_none() {
            return ConditionFinding::Met; // The enemy king is blown up, and that wins at once (A3).
        }
        let Some(king) = PieceOnSquare::on(board, at) else {
            return ConditionFinding::Moot;
        };
        let before = self.scene.threats(board, at);
        let threats = self.scene.threats(&after, at);
        let (staying, fresh) = (threats & before, threats - before);
        ConditionFinding::broken_if_some(match condition {
            Condition::CheckAnswered => staying.any().then(|| Illegal::LeavesCheck {
                king,
                checkers: PiecesOnSquares::on(board, staying),
            }),
            _ => fresh.any().then(|| self.exposed(king, fresh)),
        })
    }

    /// What exposed the king to these attackers.
    fn exposed(&self, king: PieceOnSquare, fresh: Bitboard) -> Illegal {
        let board = self.board();
        let shields = |pinner: &Square| {
            let between: Bitboard = path(*pinner, king.square).collect();
            between & board.occupied() == self.man.square.set()
        };
        let pinner = fresh.into_iter().find(shields);
        let attackers = PiecesOnSquares::on(board, fresh);
        match (
            pinner.and_then(|square| PieceOnSquare::on(board, square)),
            self.victim(),
        ) {
            (Some(pinner), _) => Illegal::Pinned {
                man: self.man,
                king,
                pinner,
            },
            (None, Some(victim)) if self.kind.is_en_passant() => Illegal::EnPassantExposesKing {
                pawn: self.man,
                victim,
                king,
                attackers,
            },
            _ => Illegal::BlastExposesKing {
                centre: self.to,
                king,
                attackers,
            },
        }
    }

    fn king_safe_there(&self) -> ConditionFinding {
        if self.exploded_squares().any() {
            return ConditionFinding::Moot; // A king that captures is gone.
        }
        let after = self.board_after();
        let threats = self.scene.threats(&after, self.to);
        ConditionFinding::broken_if_some(threats.any().then(|| Illegal::KingIntoAttack {
            king: self.man,
            to: self.to,
            attackers: PiecesOnSquares::on(&after, threats),
        }))
    }

    fn promotion_refused(&self) -> Option<Illegal> {
        let (pawn, to) = (self.man, self.to);
        match self.promotion {
            None => Some(Illegal::PromotionMissing { pawn, to }),
            Some(role) if Role::PROMOTIONS.contains(&role) => None,
            Some(role) => Some(Illegal::PromotionNotAllowed { pawn, role }),
        }
    }

    fn nothing_to_promote(&self) -> Illegal {
        let (man, to) = (self.man, self.to);
        match (man.piece.role, self.scene.rules.promotion) {
            (Role::Pawn, true) => Illegal::PromotionNotOnLastRank { pawn: man, to },
            (Role::Pawn, false) => Illegal::NoPromotion {
                man,
                to,
                variant: self.scene.rules.variant,
            },
            _ => Illegal::PromotionNotAPawn { man },
        }
    }
}

const fn is_about_the_king(lost: &Illegal) -> bool {
    matches!(lost, Illegal::CastlingKingMoved { .. })
}
