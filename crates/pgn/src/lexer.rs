//! The lexer: splits movetext into tokens, one at a time and without heap allocations for plain moves. It
//! tracks no depth, no game and no board.

use std::ops::Range;

use touchmove_rules::San;

use crate::bytes::{BYTE_CLASSES, DIGIT, NOT_SAN, PUNCTUATION, SAN_END, SPACE};
use crate::bytes::{LOW_BITS, is_first_column, line_end, wide_space};
use crate::layout::{CommentEnd, comment_end, is_next_game};
use crate::nag::Nag;
use crate::result::GameResult;
use crate::spelling::{OddToken, Spelling, interpret};

/// A move as written in the file.
///
/// ```
/// use touchmove_pgn::{MoveText, Visitor, read};
///
/// struct Spellings(Vec<(String, bool)>);
///
/// impl Visitor for Spellings {
///     fn ply(&mut self, mv: &MoveText<'_>) {
///         let san = String::from_utf8_lossy(mv.san).into_owned();
///         self.0.push((san, mv.spelling.is_plain()));
///     }
/// }
///
/// let mut seen = Spellings(Vec::new());
/// read("1. ♘f3 d5 *".as_bytes(), &mut seen);
/// assert_eq!(seen.0, [("Nf3".to_owned(), false), ("d5".to_owned(), true)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveText<'a> {
    /// The move in the letters of SAN, with its check mark and without glyphs; `--` for a null move. It need
    /// not be valid SAN.
    pub san: &'a [u8],
    /// The bytes of the file.
    pub written: &'a [u8],
    /// Their offset in the file.
    pub offset: u64,
    /// How they differ from SAN.
    pub spelling: Spelling,
    /// The parsed move, if the fast path parsed it; otherwise parse [`san`](MoveText::san).
    pub parsed: Option<San>,
}

/// A token of movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    End,
    /// A tag at the start of a line: the next game.
    NextGame,
    /// Plain SAN, judging by its letters.
    San,
    /// A move in another spelling; it is in [`Lexer::odd`].
    OddMove,
    /// A move number; `None` if it is too large.
    Number {
        value: Option<u32>,
        dots: u32,
    },
    Nag(Nag),
    /// `$` that is not followed by a number from 0 to 255.
    BadNag,
    /// An Informant sign written as text.
    Sign(Nag),
    /// A separate `e.p.`, `dbl` or the like.
    Remark,
    Result(GameResult),
    /// A result in another spelling than PGN's.
    LooseResult(GameResult),
    Open,
    Close,
    /// The opening brace of a comment; the lexer is before it.
    BraceComment,
    /// A comment from a semicolon to the end of the line.
    LineComment,
    /// An unmatched brace, bracket or quote.
    Stray(u8),
    /// A line that begins with `%`.
    Escape,
    Noise,
}

/// A move that is not written in plain SAN.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OddMove {
    pub(crate) san: String,
    pub(crate) spelling: Spelling,
    pub(crate) glyphs: Vec<Nag>,
    /// Marks after the move that have no meaning.
    pub(crate) unread: String,
}

/// The lexer of movetext.
pub(crate) struct Lexer<'t> {
    text: &'t [u8],
    /// Where the next token is searched for.
    pub(crate) at: usize,
    /// Where the last token began.
    pub(crate) start: usize,
    /// Whether there was a blank line before the last token.
    pub(crate) after_blank_line: bool,
    /// The last move in another spelling.
    pub(crate) odd: OddMove,
}

/// The start of the token after at most one byte of white space, and its first eight bytes. `None` if there
/// are fewer, or if the white space is of another kind. More white space may follow that byte.
#[inline(always)]
pub(crate) fn next_chunk(text: &[u8], at: usize) -> Option<(usize, &[u8; 8])> {
    let window = text.get(at..)?.first_chunk::<9>()?;
    match window[0] {
        b' ' | b'\n' => Some((at + 1, window.last_chunk()?)),
        0..b' ' => None,
        _ => Some((at, window.first_chunk()?)),
    }
}

/// Fast path for most tokens: a move of less than eight letters before white space, with its length. Glyphs
/// after the move are left for the next token.
#[inline(always)]
pub(crate) fn short_san(chunk: &[u8; 8]) -> Option<(San, usize)> {
    let word = u64::from_le_bytes(*chunk);
    // The high bit of each byte up to the first space, and possibly of bytes after it.
    let spaces = word.wrapping_sub(LOW_BITS * 0x21) & !word & (LOW_BITS * 0x80);
    let length = (spaces.trailing_zeros() / 8) as usize;
    // The byte there is at most a space, so it has a bit here.
    const SPACE_BITS: u64 =
        1 << b' ' | 1 << b'\r' | 1 << b'\n' | 1 << b'\t' | 1 << 0x0b | 1 << 0x0c | 1;
    if SPACE_BITS >> (*chunk.get(length)? & 63) & 1 == 0 {
        return None;
    }
    match San::from_export(&chunk[..length]) {
        // A digit in front is a move number without a space after it.
        Some(_) if chunk[0].is_ascii_digit() => None,
        // `=Q` may follow `a8`.
        Some(_) if chunk[0].is_ascii_lowercase() && matches!(chunk[length - 1], b'1' | b'8') => {
            None
        }
        Some(san) => Some((san, length)),
        None => san_before_glyph(&chunk[..length]),
    }
}

/// A move followed by one or two of `!` and `?`, and its length without them.
#[inline(never)]
fn san_before_glyph(token: &[u8]) -> Option<(San, usize)> {
    let san = match token {
        [san @ .., b'!' | b'?', b'!' | b'?'] | [san @ .., b'!' | b'?'] => san,
        _ => return None,
    };
    San::from_export(san).map(|parsed| (parsed, san.len()))
}

/// A move number of up to three digits with one or three dots, and their total length; its move may follow at
/// once.
#[inline(always)]
pub(crate) fn short_number(chunk: &[u8; 8]) -> Option<(u32, u32, usize)> {
    let word = u64::from_le_bytes(*chunk);
    let first_dot = word ^ (LOW_BITS * b'.' as u64);
    let hits = first_dot.wrapping_sub(LOW_BITS) & !first_dot & 0x8080_8000;
    if hits == 0 {
        return None;
    }
    // Pads the number to three digits with leading zeros.
    let bits = hits.trailing_zeros() - 7;
    let three = (word << (24 - bits)) as u32 & 0xff_ffff | 0x30_3030 >> bits;
    let digits = three ^ 0x30_3030;
    // Adding six to a nibble above 9 carries into the next one.
    if (digits | (digits + 0x06_0606)) & 0xf0_f0f0 != 0 || chunk[0] == b'0' {
        return None;
    }
    let value = (digits & 0x0f) * 100 + (digits >> 8 & 0x0f) * 10 + (digits >> 16);
    let length = (bits / 8) as usize;
    let [_, second, third, fourth, ..] = (word >> bits).to_le_bytes();
    match (second, third, fourth) {
        (b'.', b'.', next) if !matches!(next, b'.' | 0xe2) => Some((value, 3, length + 3)),
        (next, _, _) if !matches!(next, b'.' | 0xe2) => Some((value, 1, length + 1)),
        _ => None,
    }
}

/// Whether a token is a move in numeric correspondence notation: `5254`, `47481`.
fn is_numeric_move(token: &[u8]) -> bool {
    matches!(token.len(), 4 | 5) && token.iter().all(|byte| matches!(byte, b'1'..=b'8'))
}

/// Whether a token is a result in decimals: `0.5-0.5`.
fn is_decimal_result(token: &[u8]) -> bool {
    token.len() == 7 && token.starts_with(b"0.5")
}

/// A result with spaces around its dash, as in `1 - 0`, and its length.
fn spaced_result(text: &[u8]) -> Option<(GameResult, usize)> {
    let blanks = |at: usize| {
        let behind = text[at..].iter();
        at + behind
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count()
    };
    let score = |at: usize| match text[at..] {
        [b'1', b'/', b'2', ..] => Some(at + 3),
        [b'0' | b'1', ..] => Some(at + 1),
        _ => None,
    };
    let first = score(0)?;
    let dash = blanks(first);
    if text.get(dash) != Some(&b'-') {
        return None;
    }
    let second = blanks(dash + 1);
    let end = score(second)?;
    let is_apart = dash > first || second > dash + 1;
    let is_over = text
        .get(end)
        .is_none_or(|&byte| BYTE_CLASSES[byte as usize] & (SPACE | PUNCTUATION) != 0);
    let joined = [&text[..first], b"-", &text[second..end]].concat();
    let result = std::str::from_utf8(&joined).ok()?.parse().ok()?;
    (is_apart && is_over).then_some((result, end))
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t [u8], at: usize) -> Lexer<'t> {
        Lexer {
            text,
            at,
            start: at,
            after_blank_line: false,
            odd: OddMove::default(),
        }
    }

    /// The bytes of the last token.
    pub(crate) fn written(&self) -> &'t [u8] {
        &self.text[self.start..self.at]
    }

    /// Whether there is a brace here or after one byte of white space, which is then skipped.
    #[inline]
    pub(crate) fn skip_to_brace(&mut self) -> bool {
        match next_chunk(self.text, self.at) {
            Some((start, [b'{', ..])) => {
                self.start = start;
                self.at = start;
                self.after_blank_line = false;
                true
            }
            _ => false,
        }
    }

    /// The next token of any kind.
    pub(crate) fn next(&mut self) -> Token {
        loop {
            self.start = self.skip_space();
            self.at = self.start;
            let mut classes = 0;
            let mut length = 0;
            for &byte in &self.text[self.at..] {
                let class = BYTE_CLASSES[byte as usize];
                if class & (SPACE | PUNCTUATION) != 0 {
                    break;
                }
                classes |= class;
                length += 1;
            }
            let end = self.at + length;
            let start = self.at;
            if let Some(promoted) = self.promotion_apart(end) {
                self.at = promoted.end;
                let joined = [&self.text[start..end], &self.text[promoted]].concat();
                let token = self.odd(&joined);
                self.odd.spelling.add(Spelling::PROMOTION);
                return token;
            }
            let promoted = self.piece_in_parentheses(end);
            if promoted > 0 {
                let token = &self.text[self.at..end + promoted];
                self.at = end + promoted;
                return self.odd(token);
            }
            if self.is_plain_san(classes, end) {
                self.at = end;
                return Token::San;
            }
            if let Some(token) = self.other(end) {
                return token;
            }
        }
    }

    /// Skips white space and notes blank lines.
    fn skip_space(&mut self) -> usize {
        let mut line_ends = 0;
        let mut at = self.at;
        while let Some(&byte) = self.text.get(at) {
            if BYTE_CLASSES[byte as usize] & SPACE == 0 {
                break;
            }
            at += 1;
            if byte == b'\n' || (byte == b'\r' && self.text.get(at) != Some(&b'\n')) {
                line_ends += 1;
            }
        }
        self.after_blank_line = line_ends >= 2;
        at
    }

    /// The length of a `(Q)` at `end`, the end of a pawn move to the last rank.
    fn piece_in_parentheses(&self, end: usize) -> usize {
        let is_last_rank = end > self.at && matches!(self.text[end - 1], b'1' | b'8' | b'=');
        match self.text[end..] {
            [b'(', piece, b')', ..] if is_last_rank && b"QRBNqrbn".contains(&piece) => 3,
            _ => 0,
        }
    }

    /// The range of a `=Q` that is separated from a pawn move to the last rank, which ends at `end`.
    fn promotion_apart(&self, end: usize) -> Option<Range<usize>> {
        let is_last_rank = end > self.at && matches!(self.text[end - 1], b'1' | b'8');
        if !is_last_rank || self.text[self.at].is_ascii_digit() {
            return None;
        }
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
        let blanks = self.text[end..].iter().take_while(|&byte| is_blank(byte));
        let begin = end + blanks.count();
        match self.text[begin..] {
            [b'=', b'Q' | b'R' | b'B' | b'N', ref behind @ ..] if begin > end => {
                let is_end = |byte: &u8| BYTE_CLASSES[*byte as usize] & (SPACE | PUNCTUATION) != 0;
                let more = behind.iter().position(is_end).unwrap_or(behind.len());
                // Other letters or digits make it a word of its own.
                let is_promotion = !behind[..more].iter().any(u8::is_ascii_alphanumeric);
                is_promotion.then_some(begin..begin + 2 + more)
            }
            _ => None,
        }
    }

    /// Whether the letters up to `end`, which have these classes, look like SAN: no odd letter, a digit that
    /// is not the first letter, and at most one check mark.
    #[inline]
    fn is_plain_san(&self, classes: u8, end: usize) -> bool {
        if classes & (NOT_SAN | DIGIT) != DIGIT || self.text[self.at].is_ascii_digit() {
            return false;
        }
        let last = self.text[end - 1];
        let last = if last == b'+' || last == b'#' {
            self.text[end - 2]
        } else {
            last
        };
        BYTE_CLASSES[last as usize] & SAN_END != 0
    }

    /// A token that is not plain SAN; `None` if it only separates tokens. Its letters end at `end`.
    fn other(&mut self, end: usize) -> Option<Token> {
        let Some(&first) = self.text.get(self.at) else {
            return Some(Token::End);
        };
        if end == self.at {
            return Some(self.punctuation(first));
        }
        let end = match self.first_wide_space(end) {
            Some((at, width)) if at == self.at => {
                self.at += width;
                return None;
            }
            Some((at, _)) => at,
            None => end,
        };
        let token = &self.text[self.at..end];
        match first {
            b'0'..=b'9' => Some(self.number_or_result(end)),
            b'.' => {
                self.at += token.iter().take_while(|&&byte| byte == b'.').count();
                None
            }
            b'%' if is_first_column(self.text, self.at) => {
                self.at = line_end(self.text, self.at);
                Some(Token::Escape)
            }
            _ => {
                let classes = token
                    .iter()
                    .fold(0, |all, &byte| all | BYTE_CLASSES[byte as usize]);
                let plain = matches!(token, b"O-O" | b"O-O-O") || self.is_plain_san(classes, end);
                self.at = end;
                Some(if plain { Token::San } else { self.odd(token) })
            }
        }
    }

    /// The first non-ASCII white space before `end`, and its length.
    fn first_wide_space(&self, end: usize) -> Option<(usize, usize)> {
        (self.at..end).find_map(|at| {
            let in_symbol = at > self.at && self.text[at] == 0xa0 && self.text[at - 1] >= 0x80;
            let width = if self.text[at] >= 0x80 && !in_symbol {
                wide_space(self.text, at)
            } else {
                0
            };
            (width > 0).then_some((at, width))
        })
    }

    /// Skips the comment whose brace is here. Returns its text, and whether it is closed.
    pub(crate) fn brace_comment(&mut self) -> (&'t [u8], bool) {
        let from = self.at + 1;
        let (to, next, closed) = match comment_end(self.text, from, true) {
            CommentEnd::Brace(brace) => (brace, brace + 1, true),
            CommentEnd::Unclosed(next) => (next, next, false),
            CommentEnd::Undecided => (self.text.len(), self.text.len(), false),
        };
        self.at = next;
        (&self.text[from..to], closed)
    }

    fn punctuation(&mut self, first: u8) -> Token {
        if first == b'{' {
            return Token::BraceComment;
        }
        self.at += 1;
        match first {
            b';' => {
                self.at = line_end(self.text, self.at);
                Token::LineComment
            }
            b'(' => Token::Open,
            b')' => Token::Close,
            b'*' => Token::Result(GameResult::Unknown),
            b'$' => {
                let digits = self.digits();
                let number = std::str::from_utf8(digits)
                    .ok()
                    .and_then(|text| text.parse().ok());
                number.map_or(Token::BadNag, |number| Token::Nag(Nag(number)))
            }
            b'[' if is_next_game(self.text, self.start) => {
                self.at = self.start;
                Token::NextGame
            }
            stray => Token::Stray(stray),
        }
    }

    /// Skips digits and returns them.
    fn digits(&mut self) -> &'t [u8] {
        let from = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        &self.text[from..self.at]
    }

    /// A token that begins with a digit: `1.`, `1...`, `1-0`, `1/2-1/2`, `0-0`, `1.e4`, `12`.
    fn number_or_result(&mut self, end: usize) -> Token {
        if let Some((result, end)) = spaced_result(&self.text[self.at..]) {
            self.at += end;
            return Token::LooseResult(result);
        }
        let token = &self.text[self.at..end];
        if token.len() >= 3 && (token[1] == b'-' || token[1] == b'/') {
            let exact = GameResult::ALL
                .into_iter()
                .find(|result| result.as_str().as_bytes() == token);
            if let Some(result) = exact {
                self.at = end;
                return Token::Result(result);
            }
            self.at = end;
            return self.odd(token);
        }
        if token == b"0000" || is_numeric_move(token) || is_decimal_result(token) {
            self.at = end;
            return self.odd(token);
        }
        let mut value = Some(0_u32);
        for digit in self.digits() {
            let digit = u32::from(digit - b'0');
            value = value.and_then(|value| value.checked_mul(10)?.checked_add(digit));
        }
        let mut dots = 0;
        loop {
            match self.text[self.at..] {
                [b'.', ..] => {
                    self.at += 1;
                    dots += 1;
                }
                [0xe2, 0x80, 0xa6, ..] => {
                    self.at += 3;
                    dots += 3;
                }
                _ => break,
            }
        }
        if dots == 0 && self.at < end && !self.text[self.at].is_ascii_alphabetic() {
            self.at = end;
            return self.odd(token);
        }
        Token::Number { value, dots }
    }

    /// A token with letters, or an order of letters, that SAN does not have.
    #[cold]
    fn odd(&mut self, token: &[u8]) -> Token {
        match interpret(token) {
            OddToken::Move(odd) => {
                self.odd = odd;
                Token::OddMove
            }
            OddToken::Glyph(nag, length) => {
                // Another may follow directly, as in !!?.
                self.at = self.start + length;
                Token::Nag(nag)
            }
            OddToken::Sign(nag) => Token::Sign(nag),
            OddToken::Result(result, length) => {
                self.at = self.start + length;
                Token::LooseResult(result)
            }
            OddToken::Remark => Token::Remark,
            OddToken::Noise => Token::Noise,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_alike_the_short_way_and_the_plain_one() {
        let mut read = 0;
        for number in
            (0..1200)
                .map(|n| n.to_string())
                .chain(["007".into(), "1x".into(), "/".into()])
        {
            for dots in 0..5 {
                for next in 0..=u8::MAX {
                    let mut text = number.clone().into_bytes();
                    text.resize(text.len() + dots, b'.');
                    text.extend([next, b'a', b'4', b' ', b'x', b'y', b'z', b'1']);
                    let chunk = text.first_chunk().expect("it is long");
                    let Some((value, dots, length)) = short_number(chunk) else {
                        continue;
                    };
                    read += 1;
                    let mut lexer = Lexer::new(&text, 0);
                    let plain = lexer.next();
                    let shown = String::from_utf8_lossy(&text);
                    let value = Some(value);
                    assert_eq!(plain, Token::Number { value, dots }, "{shown}");
                    assert_eq!(lexer.at, length, "{shown}");
                }
            }
        }
        assert!(read > 400_000, "{read}");
    }

    #[test]
    fn no_bytes_around_a_dot_make_a_number_that_is_none() {
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                for third in [b'.', b'0', b'9', b'/', b':', 0, 0xff, b' '] {
                    let text = [first, second, third, b'.', b' ', b'e', b'4', b' '];
                    let short = short_number(&text);
                    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let is_dotted = match text[digits..] {
                        [b'.', b'.', b'.', next, ..] | [b'.', next, ..] => next != b'.',
                        _ => false,
                    };
                    let is_number = (1..=3).contains(&digits) && first != b'0' && is_dotted;
                    assert_eq!(short.is_some(), is_number, "{text:?}");
                }
            }
        }
    }
}
