//! Interprets tokens that are not plain SAN: figurines, `o-o`, `e.p.`, `Nc6ch`, `+=`, `½-½`, `Z0`. It decides
//! what kind of token it is, never whether a move is legal.

use crate::encoding::decode;
use crate::lexer::OddMove;
use crate::nag::Nag;
use crate::result::GameResult;

/// Flags for how a written move differs from SAN, where the SAN text no longer shows it.
///
/// ```
/// use touchmove_pgn::Spelling;
///
/// assert!(Spelling::default().is_plain());
/// assert!(Spelling::FIGURINE.contains(Spelling::FIGURINE));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spelling(u8);

impl Spelling {
    /// Figurines instead of piece letters.
    pub const FIGURINE: Spelling = Spelling(1);
    /// Castling with zeros, small letters or typographic dashes.
    pub const CASTLING: Spelling = Spelling(2);
    /// `e.p.` is attached.
    pub const EN_PASSANT: Spelling = Spelling(4);
    /// Check or mate as words or as several signs: `ch`, `mate`, `++`.
    pub const CHECK_WORDS: Spelling = Spelling(8);
    /// A null move written in another way than `--`.
    pub const NULL: Spelling = Spelling(16);
    /// Punctuation is attached, or typographic signs are used for `-` and `x`.
    pub const PUNCTUATION: Spelling = Spelling(32);
    /// A promotion written in another way than `=Q`.
    pub const PROMOTION: Spelling = Spelling(64);
    /// Small letters for pieces, or capitals for files.
    pub const CASE: Spelling = Spelling(128);

    /// Whether all flags of `other` are set.
    #[must_use]
    pub const fn contains(self, other: Spelling) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether no flag is set.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn add(&mut self, other: Spelling) {
        self.0 |= other.0;
    }
}

/// The text of a null move in a document.
pub(crate) const NULL_MOVE: &str = "--";

/// The interpretation of an odd token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OddToken {
    /// A move, or something that was meant as one.
    Move(OddMove),
    /// A separate suffix glyph such as `!?`, and its length; more text may follow it.
    Glyph(Nag, usize),
    /// An Informant sign written as text: `+=`, `±`, `N`.
    Sign(Nag),
    /// A result in another spelling than PGN's, and its length; a glyph may follow it.
    Result(GameResult, usize),
    /// A remark on the move before: `e.p.`, `dbl`, `ch`, `mate`, `+`.
    Remark,
    /// Unknown.
    Noise,
}

const CHECK_WORDS: [&str; 12] = [
    "checkmate",
    "check",
    "mate",
    "matt",
    "mat",
    "dbl.ch",
    "dblch",
    "dbl",
    "dis.ch",
    "disch",
    "ch",
    "dis",
];
const EN_PASSANT_WORDS: [&str; 4] = ["e.p.", "e.p", "ep.", "ep"];
const NULL_WORDS: [&str; 7] = ["--", "Z0", "z0", "null", "pass", "@@@@", "0000"];

/// Interprets a token that the fast path did not recognise.
pub(crate) fn interpret(token: &[u8]) -> OddToken {
    let text = decode(token);
    let text = text.as_ref();
    if text.starts_with('%') {
        return OddToken::Noise;
    }
    if !text.is_empty()
        && text.bytes().all(|byte| matches!(byte, b'!' | b'?'))
        && let Some((nag, length)) = first_glyph(text)
    {
        return OddToken::Glyph(nag, length);
    }
    if let Some(nag) = Nag::from_glyph(text) {
        return OddToken::Sign(nag);
    }
    if let Some((result, behind)) = split_result(text) {
        // In a text that is not UTF-8 each byte is one character.
        let length = if text.len() == token.len() {
            behind.len()
        } else {
            behind.chars().count()
        };
        return OddToken::Result(result, token.len() - length);
    }
    let bare = text.trim_end_matches(['.', ',', '!', '?']);
    if CHECK_WORDS.contains(&bare)
        || EN_PASSANT_WORDS.contains(&text)
        || (!text.is_empty()
            && text
                .chars()
                .all(|letter| matches!(letter, '+' | '#' | '!' | '?')))
    {
        return OddToken::Remark;
    }
    read_move(text)
}

/// A result at the start of a text, if glyphs follow it directly (`1-0!`): they are tokens of their own.
fn split_result(text: &str) -> Option<(GameResult, &str)> {
    const PUNCTUATION: [char; 3] = ['.', ',', ':'];
    let is_behind = |letter| "!?=±∓⩲⩱∞□+-#".contains(letter) || PUNCTUATION.contains(&letter);
    let core = text.trim_end_matches(is_behind);
    let behind = text[core.len()..].trim_start_matches(PUNCTUATION);
    let result = GameResult::from_lenient(core)?;
    Some((result, behind))
}

/// Parses a token as a move with odd letters and suffixes.
fn read_move(text: &str) -> OddToken {
    let mut spelling = Spelling::default();
    let mut core = plain_letters(text, &mut spelling);
    let Suffix {
        mark,
        glyphs,
        unread,
    } = strip_suffix(&mut core, &mut spelling);
    if NULL_WORDS.contains(&core.as_str()) {
        if core != NULL_MOVE {
            spelling.add(Spelling::NULL);
        }
        return OddToken::Move(OddMove {
            san: NULL_MOVE.to_owned(),
            spelling,
            glyphs,
            unread,
        });
    }
    if let Some(plain) = plain_san(&core, &mut spelling) {
        core = plain;
    } else if let Some(castling) = castling(&core) {
        if castling != core || spelling.contains(Spelling::PUNCTUATION) {
            spelling.add(Spelling::CASTLING);
        }
        core = castling.to_owned();
    } else if !looks_like_a_move(&core) {
        return OddToken::Noise;
    }
    core.extend(mark);
    OddToken::Move(OddMove {
        san: core,
        spelling,
        glyphs,
        unread,
    })
}

/// The text with figurines replaced by letters and all dashes by hyphens.
fn plain_letters(text: &str, spelling: &mut Spelling) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '♔' | '♚' => plain.push('K'),
            '♕' | '♛' => plain.push('Q'),
            '♖' | '♜' => plain.push('R'),
            '♗' | '♝' => plain.push('B'),
            '♘' | '♞' => plain.push('N'),
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => {}
            '‐' | '‑' | '‒' | '–' | '—' | '−' => plain.push('-'),
            '×' => plain.push('x'),
            '†' => plain.push('+'),
            '‡' => plain.push('#'),
            _ => plain.push(letter),
        }
        match letter {
            '♔'..='♟' => spelling.add(Spelling::FIGURINE),
            '‐'..='—' | '−' | '×' => spelling.add(Spelling::PUNCTUATION),
            '†' | '‡' => spelling.add(Spelling::CHECK_WORDS),
            _ => {}
        }
    }
    plain
}

struct Suffix {
    mark: Option<char>,
    glyphs: Vec<Nag>,
    unread: String,
}

/// The longest glyph at the start of a text, and its length.
fn first_glyph(text: &str) -> Option<(Nag, usize)> {
    let ends = text
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8());
    ends.rev()
        .find_map(|end| Some((Nag::from_glyph(&text[..end])?, end)))
}

/// Removes everything after the move itself: glyphs, check marks, words and punctuation in any order.
fn strip_suffix(core: &mut String, spelling: &mut Spelling) -> Suffix {
    let mut marks = String::new();
    let mut glyphs = String::new();
    loop {
        if let Some(word) = CHECK_WORDS.iter().find(|word| core.ends_with(**word)) {
            marks.push(if word.contains("mat") { '#' } else { '+' });
            core.truncate(core.len() - word.len());
            spelling.add(Spelling::CHECK_WORDS);
        } else if let Some(word) = EN_PASSANT_WORDS.iter().find(|word| core.ends_with(**word)) {
            core.truncate(core.len() - word.len());
            spelling.add(Spelling::EN_PASSANT);
        } else {
            match core.chars().last() {
                Some(glyph @ ('!' | '?' | '=' | '±' | '∓' | '⩲' | '⩱' | '∞' | '□')) => {
                    glyphs.insert(0, glyph);
                }
                Some('-') if core.ends_with("+-") || glyphs.starts_with('+') => {
                    glyphs.insert(0, '-');
                }
                Some('+') if core.ends_with("=+") || core.ends_with("-+") => glyphs.insert(0, '+'),
                Some(mark @ ('+' | '#')) if glyphs.starts_with(['=', '-']) => {
                    glyphs.insert(0, mark);
                }
                Some(mark @ ('+' | '#')) => marks.push(mark),
                Some(',' | '.' | ':') => spelling.add(Spelling::PUNCTUATION),
                _ => break,
            }
            core.pop();
        }
    }
    let mut found = Vec::new();
    let mut unread = String::new();
    while let Some(first) = glyphs.chars().next() {
        let length = match first_glyph(&glyphs) {
            Some((nag, length)) => {
                found.push(nag);
                length
            }
            None => {
                match first {
                    '+' | '#' => marks.push(first),
                    _ => unread.push(first),
                }
                first.len_utf8()
            }
        };
        glyphs.drain(..length);
    }
    if marks.len() > 1 {
        spelling.add(Spelling::CHECK_WORDS);
    }
    let mark = match marks.as_str() {
        "" => None,
        several if several.contains('#') => Some('#'),
        _ => Some('+'),
    };
    if !unread.is_empty() {
        spelling.add(Spelling::PUNCTUATION);
    }
    Suffix {
        mark,
        glyphs: found,
        unread,
    }
}

/// The move in the letters of SAN, if it only differs from SAN in the case of letters, in the sign of a
/// capture (`e:d5`), or in the form of a promotion (`e8(Q)`, `e8/Q`, `e8q`). A small `b` is the file, as in
/// PGN; coordinates are left alone.
fn plain_san(text: &str, spelling: &mut Spelling) -> Option<String> {
    let mut letters: Vec<char> = text.chars().collect();
    let mut odd = Spelling::default();
    let promotion = take_promotion(&mut letters);
    let role = match letters.first()? {
        piece @ ('K' | 'Q' | 'R' | 'N' | 'B' | 'P') if letters.len() > 2 => Some(*piece),
        piece @ ('k' | 'q' | 'r' | 'n') => {
            odd.add(Spelling::CASE);
            Some(piece.to_ascii_uppercase())
        }
        _ => None,
    };
    let mut squares = String::new();
    for &letter in &letters[usize::from(role.is_some())..] {
        match letter {
            'a'..='h' | '1'..='8' | 'x' => squares.push(letter),
            'A'..='H' => {
                odd.add(Spelling::CASE);
                squares.push(letter.to_ascii_lowercase());
            }
            ':' | 'X' => {
                odd.add(Spelling::PUNCTUATION);
                squares.push('x');
            }
            _ => return None,
        }
    }
    if promotion.is_some() {
        odd.add(Spelling::PROMOTION);
        let is_pawn = matches!(role, None | Some('P')) && squares.ends_with(['1', '8']);
        let is_coordinates = squares.len() == 4 && !squares.contains('x');
        if !is_pawn || is_coordinates {
            return None;
        }
    }
    let is_changed = !odd.is_plain() && squares.ends_with(|last: char| last.is_ascii_digit());
    is_changed.then(|| {
        spelling.add(odd);
        let promotion = promotion.map(|piece| format!("={piece}"));
        let role = role.map(String::from).unwrap_or_default();
        role + &squares + &promotion.unwrap_or_default()
    })
}

/// Removes a promotion that is not written `=Q`, and returns its piece.
fn take_promotion(letters: &mut Vec<char>) -> Option<char> {
    let (piece, length) = match letters.as_slice() {
        [.., '(', piece, ')'] | [.., '/', '=', piece] => (*piece, 3),
        [.., '=', piece @ ('q' | 'r' | 'b' | 'n')] => (*piece, 2),
        [.., '/' | ':' | '-' | '.', piece] => (*piece, 2),
        [.., '1' | '8', piece] => (*piece, 1),
        _ => return None,
    };
    if !"QRBNqrbn".contains(piece) {
        return None;
    }
    letters.truncate(letters.len() - length);
    if letters.last() == Some(&'=') {
        letters.pop();
    }
    Some(piece.to_ascii_uppercase())
}

/// The castling that the text means, in SAN.
fn castling(text: &str) -> Option<&'static str> {
    let is_side = |part: &str| matches!(part, "O" | "o" | "0");
    match text {
        "OO" | "oo" => return Some("O-O"),
        "OOO" | "ooo" => return Some("O-O-O"),
        _ => {}
    }
    let mut parts = text.split('-');
    let all_sides = text.contains('-') && parts.clone().all(is_side);
    match (all_sides, parts.by_ref().count()) {
        (true, 2) => Some("O-O"),
        (true, 3) => Some("O-O-O"),
        _ => None,
    }
}

/// Whether the text was meant as a move, so that skipping it would lose a ply.
fn looks_like_a_move(text: &str) -> bool {
    let misread_castling = |text: &str| {
        let letters =
            |part: &str| part.len() == 1 && part.contains(['O', 'o', '0', 'l', 'I', '1', 'Q']);
        text.contains('-') && text.split('-').all(letters)
    };
    let in_alphabet = |letter: char| {
        matches!(
            letter,
            'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 'a'..='h' | 'x' | '=' | '-' | ':'
        )
    };
    let has_letter = text.contains(|letter: char| letter.is_alphabetic());
    (has_letter && text.contains(|letter: char| letter.is_ascii_digit()))
        || misread_castling(text)
        || (text.len() >= 2 && has_letter && text.chars().all(in_alphabet))
        || (text.len() > 3 && text.contains(|letter: char| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(text: &str) -> String {
        match interpret(text.as_bytes()) {
            OddToken::Move(OddMove { san, .. }) => san,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn odd_moves_become_plain_ones() {
        let cases = [
            ("♘f3", "Nf3"),
            ("♟e4", "e4"),
            ("o-o", "O-O"),
            ("0-0-0+", "O-O-O+"),
            ("O–O", "O-O"),
            ("Qxf7!+", "Qxf7+"),
            ("Nf3++", "Nf3+"),
            ("Nc6ch", "Nc6+"),
            ("Bb5mate", "Bb5#"),
            ("dxc7e.p.", "dxc7"),
            ("e4!?", "e4"),
            ("Nf6+-", "Nf6"),
            ("Z0", "--"),
            ("l-O", "l-O"),
            ("Sf3", "Sf3"),
            ("Nf", "Nf"),
            ("P@e4", "P@e4"),
            ("e8(Q)+", "e8=Q+"),
            ("e8=(n)", "e8=N"),
            ("dxe8/R", "dxe8=R"),
            ("e8/=Q", "e8=Q"),
            ("e8/=q+", "e8=Q+"),
            ("e8q", "e8=Q"),
            ("e8=q", "e8=Q"),
            ("e7e8q", "e7e8q"),
            ("nf3", "Nf3"),
            ("NF3", "Nf3"),
            ("E4", "e4"),
            ("e:d5", "exd5"),
            ("Qh5†", "Qh5+"),
            ("bxc4?", "bxc4"),
            ("nXe5", "Nxe5"),
        ];
        for (text, expected) in cases {
            assert_eq!(san(text), expected, "{text}");
        }
    }

    #[test]
    fn words_signs_and_results_are_not_moves() {
        assert_eq!(interpret(b"tail"), OddToken::Noise);
        assert_eq!(interpret(b"N"), OddToken::Sign(Nag(146)));
        assert_eq!(interpret("±".as_bytes()), OddToken::Sign(Nag(16)));
        assert_eq!(interpret(b"!?"), OddToken::Glyph(Nag(5), 2));
        assert_eq!(interpret(b"!!?"), OddToken::Glyph(Nag(3), 2));
        assert_eq!(interpret(b"dbl"), OddToken::Remark);
        assert_eq!(
            interpret("½-½".as_bytes()),
            OddToken::Result(GameResult::Draw, "½-½".len())
        );
    }

    #[test]
    fn suffix_glyphs_are_kept_as_annotations() {
        for (text, expected, left) in [
            ("Qxf7!?+", &[5][..], ""),
            ("e4!!?", &[3, 2], ""),
            ("e4?!?", &[6, 2], ""),
            ("Nf6=+", &[15], ""),
            ("Nf6-+", &[19], ""),
            ("Nf6+-", &[18], ""),
            ("Nf6±!", &[16, 1], ""),
            ("Nf6", &[], ""),
        ] {
            let OddToken::Move(OddMove {
                san,
                glyphs,
                unread,
                ..
            }) = interpret(text.as_bytes())
            else {
                panic!("{text} is a move")
            };
            let numbers: Vec<u8> = glyphs.iter().map(|nag| nag.0).collect();
            assert_eq!(
                (&numbers[..], unread.as_str()),
                (expected, left),
                "{text}: {san}"
            );
        }
    }
}
