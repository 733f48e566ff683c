//! Moves as people type them: `e2e4`, `e2 e4`, `e2-e4`, `Nf3`, `nf3`, `exd5`, `0-0`, `e8q`. It finds
//! the move that is meant; whether that move is legal is asked of the position.

use touchmove_rules::{AnyPosition, Attempt, Move, Role, San, SanError, Wing};

use crate::legality::{self, Illegal};

/// Why a typed text is not a move of the position.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Misread {
    /// It is not a move at all.
    #[error("{0:?} is not a move: type e2e4, Nf3, exd5, O-O or e8=Q")]
    Invalid(String),
    /// It is a move, but the laws do not allow it.
    #[error("{0}")]
    Illegal(Illegal),
    /// No man of the named kind can go there.
    #[error("{0} is not a legal move here")]
    NoSuchMove(San),
    /// It can be several moves.
    #[error("{text} can be {}: type which one", .candidates.join(" or "))]
    Ambiguous {
        /// What was typed.
        text: String,
        /// The moves that it can be, in SAN.
        candidates: Vec<String>,
    },
    /// The pawn reaches the last rank, and it is not said what it becomes.
    #[error("say what the pawn becomes: {}", .choices.join(", "))]
    Promotion {
        /// The move without its choice.
        attempt: Attempt,
        /// The moves to choose from, in SAN.
        choices: Vec<String>,
    },
}

impl Misread {
    /// The name that programs know the answer by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Misread::Invalid(_) => "invalid_move",
            Misread::Illegal(illegal) => illegal.code(),
            Misread::NoSuchMove(_) => "illegal",
            Misread::Ambiguous { .. } => "ambiguous_move",
            Misread::Promotion { .. } => "promotion_missing",
        }
    }
}

/// The move that a typed text means in this position.
///
/// ```
/// use touchmove_game::reading;
/// use touchmove_rules::{AnyPosition, Variant};
///
/// let start = AnyPosition::start(Variant::Chess);
/// let e4 = reading::read(&start, "e2e4").unwrap();
/// for text in ["e4", "E4", "e2 e4", "e2-e4", "E2E4", "1. e4!"] {
///     assert_eq!(reading::read(&start, text), Ok(e4));
/// }
/// assert!(reading::read(&start, "e5").is_err());
/// ```
///
/// # Errors
/// If the text is not a move, no legal move fits, several do, or a promotion lacks its piece.
pub fn read(position: &AnyPosition, text: &str) -> Result<Move, Misread> {
    let body = bare(text);
    if let Some(attempt) = coordinates(body) {
        return read_attempt(position, attempt);
    }
    let readings = sans(body);
    let mut found: Vec<Move> = Vec::new();
    for (index, san) in readings.iter().enumerate() {
        match position.resolve(*san) {
            // What was typed to the letter goes before what it may have meant.
            Ok(mv) if index == 0 && body.parse::<San>().is_ok() => return Ok(mv),
            Ok(mv) => found.push(mv),
            Err(SanError::Ambiguous { .. }) => return Err(ambiguous(position, text, *san)),
            Err(_) => {}
        }
    }
    match (&found[..], readings.first()) {
        ([mv], _) => Ok(*mv),
        ([], None) => Err(Misread::Invalid(excerpt(text))),
        ([], Some(&san)) => {
            Err(without_promotion(position, &readings).unwrap_or(Misread::NoSuchMove(san)))
        }
        (several, _) => Err(Misread::Ambiguous {
            text: excerpt(text),
            candidates: several
                .iter()
                .map(|&mv| position.san(mv).to_string())
                .collect(),
        }),
    }
}

/// The text without move number, marks and praise.
fn bare(text: &str) -> &str {
    let text = text.trim();
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = match after_number.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches('.').trim_start(),
        None => text,
    };
    let text = text.trim_end_matches(['+', '#', '!', '?']).trim_end();
    text.strip_suffix("e.p.").unwrap_or(text).trim_end()
}

fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut start: String = text.trim().chars().take(LONGEST).collect();
    if text.trim().chars().nth(LONGEST).is_some() {
        start.push('…');
    }
    start
}

/// Two squares, with whatever people write between and after them.
fn coordinates(text: &str) -> Option<Attempt> {
    if text.len() > 12 {
        return None;
    }
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | 'x' | 'X' | ':' | '=' | '/' | '(' | ')'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    plain.parse().ok()
}

fn read_attempt(position: &AnyPosition, attempt: Attempt) -> Result<Move, Misread> {
    legality::judge(position, attempt).map_err(|illegal| {
        let choices = promotions(position, attempt);
        match choices.is_empty() {
            true => Misread::Illegal(illegal),
            false => Misread::Promotion { attempt, choices },
        }
    })
}

/// The legal promotions, in SAN, that an attempt without a piece leaves open.
fn promotions(position: &AnyPosition, attempt: Attempt) -> Vec<String> {
    match attempt.promotion {
        Some(_) => Vec::new(),
        None => Role::PROMOTIONS
            .into_iter()
            .filter_map(|role| position.find(attempt.promoting(role)))
            .map(|mv| position.san(mv).to_string())
            .collect(),
    }
}

/// What a text can mean as SAN: to the letter, then as a pawn's move, then as a piece's. A capital
/// that names a piece means that piece and nothing else.
fn sans(text: &str) -> Vec<San> {
    if text.len() > 12 || !text.is_ascii() {
        return Vec::new();
    }
    let castling = text.to_ascii_uppercase().replace('0', "O");
    match castling.as_str() {
        "O-O" | "OO" => return vec![San::Castle(Wing::King)],
        "O-O-O" | "OOO" => return vec![San::Castle(Wing::Queen)],
        _ => {}
    }
    let lower = text.to_ascii_lowercase();
    let promoting = match lower.split_at_checked(lower.len().saturating_sub(1)) {
        Some((rest, last)) if rest.ends_with(|c: char| c == '=' || c.is_ascii_digit()) => {
            format!("{rest}{}", last.to_ascii_uppercase())
        }
        _ => lower.clone(),
    };
    let piece = match lower.split_at_checked(1) {
        Some((first, rest)) => format!("{}{rest}", first.to_ascii_uppercase()),
        None => lower,
    };
    if let Ok(san @ San::Man { role, .. }) = text.parse()
        && role != Role::Pawn
    {
        return vec![san];
    }
    let mut readings: Vec<San> = Vec::new();
    for san in [text, &promoting, &piece]
        .into_iter()
        .filter_map(|text| text.parse().ok())
    {
        if !readings.contains(&san) {
            readings.push(san);
        }
    }
    readings
}

fn ambiguous(position: &AnyPosition, text: &str, san: San) -> Misread {
    let San::Man { role, to, .. } = san else {
        return Misread::NoSuchMove(san);
    };
    let moves = position.legal_moves();
    let fits = moves.iter().filter(|mv| mv.role() == role && mv.to() == to);
    let candidates = fits.map(|&mv| position.san(mv).to_string()).collect();
    Misread::Ambiguous {
        text: excerpt(text),
        candidates,
    }
}

/// Whether a reading is a promotion but for its piece.
fn without_promotion(position: &AnyPosition, readings: &[San]) -> Option<Misread> {
    readings.iter().find_map(|&san| {
        let San::Man {
            role,
            file,
            rank,
            capture,
            to,
            promotion: None,
        } = san
        else {
            return None;
        };
        let queen = San::Man {
            role,
            file,
            rank,
            capture,
            to,
            promotion: Some(Role::Queen),
        };
        let mv = position.resolve(queen).ok()?;
        let attempt = Attempt::new(mv.from(), mv.to());
        Some(Misread::Promotion {
            attempt,
            choices: promotions(position, attempt),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::Variant;

    fn said(fen: &str, text: &str) -> String {
        let position = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
        match read(&position, text) {
            Ok(mv) => position.san(mv).to_string(),
            Err(misread) => misread.code().to_owned(),
        }
    }

    #[test]
    fn what_people_type_is_what_they_mean() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let bishops = "4k3/8/8/8/8/2p5/1P6/B3K2R w K - 0 1";
        let both = "4k3/8/8/8/8/2p5/1P1B4/4K2R w K - 0 1";
        let promotion = "3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1";
        let knights = "4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1";
        for (fen, text, means) in [
            (start, "e4", "e4"),
            (start, "E2E4", "e4"),
            (start, " e2 - e4 ", "e4"),
            (start, "Nf3", "Nf3"),
            (start, "nf3", "Nf3"),
            (start, "NF3", "Nf3"),
            (start, "Ng1-f3", "Nf3"),
            (start, "1.Nf3!?", "Nf3"),
            (start, "12... Nc3", "Nc3"),
            (start, "Nc6", "illegal"),
            (start, "e2e5", "illegal"),
            (start, "hello", "invalid_move"),
            (start, "", "invalid_move"),
            (start, "e9", "invalid_move"),
            (start, "♘f3", "invalid_move"),
            (start, "0-0", "illegal"),
            (bishops, "bxc3", "bxc3"),
            (bishops, "Bxc3", "illegal"),
            (bishops, "0-0", "O-O"),
            (bishops, "o-o", "O-O"),
            (bishops, "OO", "O-O"),
            (bishops, "e1g1", "O-O"),
            (both, "bxc3", "bxc3"),
            (both, "Bxc3", "Bxc3"),
            (both, "BXC3", "ambiguous_move"),
            (bishops, "BXC3", "bxc3"),
            (promotion, "exd8=Q", "exd8=Q+"),
            (promotion, "exd8q", "exd8=Q+"),
            (promotion, "e7d8n", "exd8=N"),
            (promotion, "e7xd8=r", "exd8=R+"),
            (promotion, "exd8", "promotion_missing"),
            (promotion, "e7d8", "promotion_missing"),
            (knights, "Nf3", "ambiguous_move"),
            (knights, "Ngf3", "Ngf3"),
            (knights, "ndf3", "Ndf3"),
        ] {
            assert_eq!(said(fen, text), means, "{text:?} in {fen}");
        }
    }

    #[test]
    fn a_choice_is_spelt_out() {
        let position =
            AnyPosition::from_fen("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", Variant::Chess).unwrap();
        let asked = read(&position, "exd8").unwrap_err().to_string();
        assert_eq!(
            asked,
            "say what the pawn becomes: exd8=Q+, exd8=R+, exd8=B, exd8=N"
        );
    }
}
