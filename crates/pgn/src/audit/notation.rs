//! Reads a move as it was written and says how its spelling differs from the export format. It plays
//! nothing.

use std::fmt;

use touchmove_rules::{Attempt, Move, ParseSanError, Position, Role, Rules, San, SanError};

use crate::diagnostic::Code;
use crate::lexer::MoveText;
use crate::spelling::Spelling;

/// Why a written move is none of the position's.
pub(super) enum MoveFault {
    Unreadable(ParseSanError),
    Illegal,
    Ambiguous(SanError),
}

/// The check mark behind a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    None,
    Check,
    Mate,
}

/// A move and the text that it was read from.
pub(super) struct Written {
    pub(super) mv: Move,
    san: Option<San>,
}

/// Plays the move of a text that was plain SAN at first sight, if it is clear and legal.
#[inline]
pub(super) fn play<R: Rules>(position: &mut Position<R>, text: &MoveText<'_>) -> Option<Written> {
    let san = text.parsed?;
    let mv = position.play_san(san).ok()?;
    Some(Written { mv, san: Some(san) })
}

/// The legal move that the text means.
pub(super) fn resolve<R: Rules>(
    position: &Position<R>,
    text: &MoveText<'_>,
) -> Result<Written, Box<MoveFault>> {
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
    match position.resolve(san) {
        Ok(mv) => Ok(Written { mv, san: Some(san) }),
        Err(error) => coordinates(position, text.san).ok_or_else(|| {
            Box::new(match error {
                SanError::Ambiguous { .. } => MoveFault::Ambiguous(error),
                _ => MoveFault::Illegal,
            })
        }),
    }
}

/// A move given by the two squares only.
#[cold]
fn coordinates<R: Rules>(position: &Position<R>, text: &[u8]) -> Option<Written> {
    let text = std::str::from_utf8(text).ok()?;
    let bare = text.trim_end_matches(['+', '#']).replace(['-', '='], "");
    let attempt: Attempt = bare.parse().ok()?;
    position.find(attempt).map(|mv| Written { mv, san: None })
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

impl Written {
    /// How the text differs from the export format, check marks aside.
    #[inline]
    pub(super) fn oddity<R: Rules>(
        &self,
        position: &Position<R>,
        text: &MoveText<'_>,
    ) -> Option<Code> {
        if !text.spelling.is_plain() {
            return Some(spelling_code(text.spelling));
        }
        match self.san {
            None => Some(Code::CoordinateMove),
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
                        Some(Code::CoordinateMove)
                    }
                    Role::Pawn if promotion.is_some() && !text.san.contains(&b'=') => {
                        Some(Code::LoosePromotion)
                    }
                    Role::Pawn if text.san[0] == b'P' => Some(Code::LooseSan),
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
    fn odd_capture(&self, has_rank: bool, text: &[u8]) -> Code {
        if has_rank && text.contains(&b'-') {
            Code::CoordinateMove
        } else {
            Code::CaptureMark
        }
    }

    /// Whether the file or rank that the text gives was needed.
    fn disambiguation<R: Rules>(&self, position: &Position<R>, text: &[u8]) -> Option<Code> {
        if Some(position.san_without_suffix(self.mv)) == self.san {
            None
        } else if text.contains(&b'-') {
            Some(Code::CoordinateMove)
        } else {
            Some(Code::NeedlessDisambiguation)
        }
    }
}

#[cold]
fn spelling_code(spelling: Spelling) -> Code {
    let codes = [
        (Spelling::FIGURINE, Code::Figurine),
        (Spelling::CASTLING, Code::LooseCastling),
        (Spelling::EN_PASSANT, Code::EnPassantSuffix),
        (Spelling::PROMOTION, Code::LoosePromotion),
        (Spelling::CHECK_WORDS, Code::WrongCheckMark),
    ];
    let known = codes.iter().find(|(mark, _)| spelling.contains(*mark));
    known.map_or(Code::LooseSan, |&(_, code)| code)
}

/// Letters for pieces in other languages, and what they mean.
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
