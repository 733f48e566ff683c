//! Reads a written move and reports how its spelling differs from the export format. It plays nothing.

use std::fmt;

use touchmove_rules::{Move, ParseSanError, Position, Role, Rules, San, SanError, UciMove};

use crate::diagnostic::FindingCode;
use crate::lexer::MoveText;
use crate::spelling::Spelling;

/// Why a written move is not a legal move of the position.
pub(super) enum MoveFault {
    Unreadable(ParseSanError),
    Illegal,
    Ambiguous(SanError),
}

/// The check mark after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    None,
    Check,
    Mate,
}

/// A move and the text it was read from.
pub(super) struct WrittenMove {
    pub(super) mv: Move,
    san: Option<San>,
}

/// Fast path: plays a move in the commonest form of SAN (a piece and its target; for a pawn capture also its
/// file), if it is unambiguous and legal. Returns it with the oddity of its text. [`resolve`] and
/// [`WrittenMove::oddity`] would give the same, but in this form only the capture sign can be wrong.
#[inline(always)]
pub(super) fn play_export_san<R: Rules>(
    position: &mut Position<R>,
    text: &MoveText<'_>,
) -> Option<(Move, Option<FindingCode>)> {
    let san = text.parsed?;
    let San::Man {
        role,
        file,
        rank,
        capture,
        ..
    } = san
    else {
        return None;
    };
    if rank.is_some() || file.is_some() != (capture && role == Role::Pawn) {
        return None;
    }
    let mv = position.play_san(san).ok()?;
    let oddity = (capture != mv.is_capture()).then_some(FindingCode::CaptureMark);
    Some((mv, oddity))
}

/// Plays a move in any form, and returns it with the oddity of its text.
#[inline(never)]
pub(super) fn play_any_notation<R: Rules>(
    position: &mut Position<R>,
    text: &MoveText<'_>,
) -> Result<(Move, Option<FindingCode>), Box<MoveFault>> {
    let written = resolve(position, text)?;
    let oddity = written.oddity(position, text);
    position.play(written.mv);
    Ok((written.mv, oddity))
}

/// The legal move that the text means.
pub(super) fn resolve<R: Rules>(
    position: &Position<R>,
    text: &MoveText<'_>,
) -> Result<WrittenMove, Box<MoveFault>> {
    let san = match text.parsed {
        Some(san) => san,
        None => match San::from_bytes(text.san) {
            Ok(san) => san,
            Err(error) => {
                let fault = || Box::new(MoveFault::Unreadable(error));
                return coordinates(position, text.san).ok_or_else(fault);
            }
        },
    };
    match position.resolve_san(san) {
        Ok(mv) => Ok(WrittenMove { mv, san: Some(san) }),
        Err(error) => coordinates(position, text.san).ok_or_else(|| {
            Box::new(match error {
                SanError::Ambiguous { .. } => MoveFault::Ambiguous(error),
                _ => MoveFault::Illegal,
            })
        }),
    }
}

/// A move that is given by its two squares only.
#[cold]
fn coordinates<R: Rules>(position: &Position<R>, text: &[u8]) -> Option<WrittenMove> {
    let text = std::str::from_utf8(text).ok()?;
    let bare = text.trim_end_matches(['+', '#']).replace(['-', '='], "");
    let attempt: UciMove = bare.parse().ok()?;
    position
        .find_uci(attempt)
        .map(|mv| WrittenMove { mv, san: None })
}

/// The check mark of a text.
#[inline]
pub(super) fn mark_of(text: &[u8]) -> Mark {
    match text.last() {
        Some(b'+') => Mark::Check,
        Some(b'#') => Mark::Mate,
        _ => Mark::None,
    }
}

impl WrittenMove {
    /// How the text differs from the export format, check marks aside.
    #[inline]
    pub(super) fn oddity<R: Rules>(
        &self,
        position: &Position<R>,
        text: &MoveText<'_>,
    ) -> Option<FindingCode> {
        if !text.spelling.is_plain() {
            return Some(spelling_code(text.spelling));
        }
        match self.san {
            None => Some(FindingCode::CoordinateMove),
            Some(San::Castle(_)) => None,
            Some(San::Man {
                role,
                file,
                rank,
                capture,
                promotion,
                ..
            }) => {
                if capture != self.mv.is_capture() {
                    return Some(self.odd_capture(rank.is_some(), text.san));
                }
                match role {
                    Role::Pawn if file.is_some() != capture || rank.is_some() => {
                        Some(FindingCode::CoordinateMove)
                    }
                    Role::Pawn if promotion.is_some() && !text.san.contains(&b'=') => {
                        Some(FindingCode::LoosePromotion)
                    }
                    Role::Pawn if text.san[0] == b'P' => Some(FindingCode::LooseSan),
                    Role::Pawn => None,
                    _ if file.is_some() || rank.is_some() => {
                        self.disambiguation(position, text.san)
                    }
                    _ => None,
                }
            }
        }
    }

    #[cold]
    fn odd_capture(&self, has_rank: bool, text: &[u8]) -> FindingCode {
        if has_rank && text.contains(&b'-') {
            FindingCode::CoordinateMove
        } else {
            FindingCode::CaptureMark
        }
    }

    /// Whether the text names the origin in the way of the export format: the file if another such piece can
    /// go there, else the rank, else both.
    fn names_origin_as_it_should<R: Rules>(&self, position: &Position<R>) -> bool {
        let Some(San::Man {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        }) = self.san
        else {
            return false;
        };
        let from = self.mv.from();
        let (mut others, mut on_file, mut on_rank) = (false, false, false);
        for man in position.board().by_color_and_role(role.of(position.turn())) {
            let san = San::Man {
                role,
                file: Some(man.file()),
                rank: Some(man.rank()),
                capture,
                to,
                promotion,
            };
            if man != from && position.resolve_san(san).is_ok() {
                others = true;
                on_file |= man.file() == from.file();
                on_rank |= man.rank() == from.rank();
            }
        }
        let needs_file = others && (!on_file || on_rank);
        file.is_some() == needs_file && rank.is_some() == on_file
    }

    /// The code of an origin that is written in another way than in the export format.
    fn disambiguation<R: Rules>(&self, position: &Position<R>, text: &[u8]) -> Option<FindingCode> {
        if self.names_origin_as_it_should(position) {
            None
        } else if text.contains(&b'-') {
            Some(FindingCode::CoordinateMove)
        } else {
            Some(FindingCode::NeedlessDisambiguation)
        }
    }
}

#[cold]
fn spelling_code(spelling: Spelling) -> FindingCode {
    let codes = [
        (Spelling::FIGURINE, FindingCode::Figurine),
        (Spelling::CASTLING, FindingCode::LooseCastling),
        (Spelling::EN_PASSANT, FindingCode::EnPassantSuffix),
        (Spelling::PROMOTION, FindingCode::LoosePromotion),
        (Spelling::CHECK_WORDS, FindingCode::WrongCheckMark),
    ];
    let known = codes.iter().find(|(mark, _)| spelling.contains(*mark));
    known.map_or(FindingCode::LooseSan, |&(_, code)| code)
}

/// Piece letters of other languages, and what they mean.
const FOREIGN_LETTERS: [(char, &str, &str); 9] = [
    ('S', "knight", "German"),
    ('L', "bishop", "German"),
    ('T', "rook", "German, French and Spanish"),
    ('D', "queen", "German and French"),
    ('C', "knight", "French and Spanish"),
    ('F', "bishop", "French"),
    ('A', "bishop", "Spanish and Italian"),
    ('G', "bishop", "Polish"),
    ('H', "knight", "Finnish"),
];

/// A hint for somebody who wrote a move in another language.
pub(super) struct ForeignHint<'a>(pub(super) &'a str);

impl fmt::Display for ForeignHint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.0.chars().next();
        let known = FOREIGN_LETTERS
            .iter()
            .find(|(letter, _, _)| Some(*letter) == first);
        match known {
            Some((letter, piece, language)) => {
                let english = match *piece {
                    "knight" => 'N',
                    "bishop" => 'B',
                    "rook" => 'R',
                    _ => 'Q',
                };
                write!(
                    f,
                    "; {letter} is the {piece} in {language}, PGN writes {english}"
                )
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::{Atomic, Chess};

    fn text_of(san: San, written: &str) -> MoveText<'_> {
        MoveText {
            san: written.as_bytes(),
            written: written.as_bytes(),
            offset: 0,
            spelling: Spelling::default(),
            parsed: Some(san),
        }
    }

    /// Every way to write a legal move: with more or less of its origin, and with or without the capture
    /// sign.
    fn ways_to_write<R: Rules>(position: &Position<R>, mv: Move) -> Vec<San> {
        let San::Man {
            role,
            to,
            promotion,
            ..
        } = position.san_without_suffix(mv)
        else {
            return Vec::new();
        };
        let (from_file, from_rank) = (mv.from().file(), mv.from().rank());
        let mut ways = Vec::new();
        for file in [None, Some(from_file)] {
            for rank in [None, Some(from_rank)] {
                for capture in [false, true] {
                    ways.push(San::Man {
                        role,
                        file,
                        rank,
                        capture,
                        to,
                        promotion,
                    });
                }
            }
        }
        ways
    }

    fn walk<R: Rules>(fen: &str, mut seed: u64) -> usize {
        let mut position = Position::<R>::from_fen(fen).expect("a position");
        let mut usual = 0;
        for _ in 0..60 {
            let moves = position.legal_moves();
            for san in moves.iter().flat_map(|&mv| ways_to_write(&position, mv)) {
                let written = san.to_string();
                let text = text_of(san, &written);
                let mut next = position;
                let short = play_export_san(&mut next, &text);
                let plain = resolve(&position, &text)
                    .ok()
                    .filter(|read| read.san.is_some());
                if let Some((mv, oddity)) = short {
                    let plain = plain.as_ref().expect("a legal move");
                    assert_eq!(mv, plain.mv, "{written} in {}", position.fen());
                    assert_eq!(next, position.after(mv), "{written} in {}", position.fen());
                    assert_eq!(oddity, plain.oddity(&position, &text), "{written}");
                    usual += 1;
                } else {
                    assert_eq!(next, position, "{written} in {}", position.fen());
                }
                if let Some(plain) = plain
                    && let San::Man { role, .. } = san
                    && role != Role::Pawn
                {
                    let export = position.san_without_suffix(plain.mv);
                    let is_export = |san: San| match (san, export) {
                        (
                            San::Man { file, rank, .. },
                            San::Man {
                                file: due_file,
                                rank: due_rank,
                                ..
                            },
                        ) => (file, rank) == (due_file, due_rank),
                        _ => false,
                    };
                    let named = plain.names_origin_as_it_should(&position);
                    assert_eq!(named, is_export(san), "{written} in {}", position.fen());
                }
            }
            let Some(&mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else {
                break;
            };
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.play(mv);
        }
        usual
    }

    #[test]
    fn a_move_in_the_usual_shape_is_played_and_judged_as_the_plain_way_does() {
        let positions = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/4k3/8/1Q5Q/8/8/1Q5Q/3K4 w - - 0 1",
            "4k3/8/8/1N3N2/4r3/1N3N2/8/1r2K1R1 w - - 0 1",
        ];
        let mut usual = 0;
        for fen in positions {
            for seed in 1..5 {
                usual += walk::<Chess>(fen, seed << 40);
                usual += walk::<Atomic>(fen, seed << 40);
            }
        }
        assert!(usual > 10_000, "{usual}");
    }
}
