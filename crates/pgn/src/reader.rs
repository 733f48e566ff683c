//! The reader: parses every game of a text and shows its parts to a [`Visitor`]. It decides where games begin
//! and end and reports spelling errors; it does not know the rules of chess.

use std::fmt;

use memchr::memchr;

use crate::bytes::{line_end, line_start, opens_line};
use crate::comment::{Comment, timed_comment};
use crate::diagnostic::FindingCode;
use crate::encoding::decode;
use crate::layout::{Preamble, follows_blank_line, preamble};
use crate::lexer::{Lexer, MoveText, Token, next_chunk, short_number, short_san};
use crate::nag::Nag;
use crate::result::GameResult;
use crate::spelling::Spelling;
use crate::tag::{ParsedTag, Tag, TagFault};
use crate::utf16::transcoded;
use crate::visitor::{VisitControl, Visitor};

/// Shows every game of the text to the visitor.
///
/// Errors do not stop the reader: whatever a game looks like, the games after it are read.
pub fn read<V: Visitor>(text: &[u8], visitor: &mut V) {
    read_part(text, 0, visitor);
}

/// Reads a part of a file. It begins at byte `offset` of the file and at the start of a game.
pub fn read_part<V: Visitor>(text: &[u8], offset: u64, visitor: &mut V) {
    let plain = (offset == 0).then(|| transcoded(text)).flatten();
    let mut reader = Reader {
        text: plain.as_deref().unwrap_or(text),
        offset,
        visitor,
        at: 0,
        game_start: 0,
    };
    if plain.is_some() {
        reader.diagnose(FindingCode::Utf16, 0, format_args!("{UTF16_TEXT}"));
    }
    while reader.header() {
        reader.movetext();
    }
}

/// The message about a text in UTF-16.
pub(crate) const UTF16_TEXT: &str = "the text is UTF-16 and is read as such; PGN should be UTF-8";

struct Reader<'t, 'v, V> {
    text: &'t [u8],
    offset: u64,
    visitor: &'v mut V,
    at: usize,
    game_start: usize,
}

/// The progress through a movetext.
#[derive(Default)]
struct Progress {
    /// How many variations are open.
    depth: u32,
    /// The depth of the variation that is skipped, or 0 if the whole movetext is.
    skipped_from: Option<u32>,
    /// Whether the current line has a move yet.
    has_move: bool,
    result: Option<GameResult>,
    reported_blank_line: bool,
    reported_moves_after_result: bool,
}

impl Progress {
    fn is_read(&self) -> bool {
        self.skipped_from.is_none()
    }
}

impl<V: Visitor> Reader<'_, '_, V> {
    fn diagnose(&mut self, code: FindingCode, at: usize, message: fmt::Arguments<'_>) {
        self.visitor
            .diagnose(code, self.offset + at as u64, message);
    }

    fn begin_game(&mut self, at: usize) {
        self.game_start = at;
        self.visitor.begin_game(self.offset + at as u64);
    }

    fn end_game(&mut self, at: usize) {
        if let Some(nul) = memchr(0, &self.text[self.game_start..at]) {
            let message = format_args!("NUL bytes are read as white space");
            self.diagnose(FindingCode::NulByte, self.game_start + nul, message);
        }
        self.visitor.end_game(self.offset + at as u64);
    }

    /// Reads tags up to the movetext. Returns whether there is one.
    fn header(&mut self) -> bool {
        let mut in_game = false;
        let mut has_event = false;
        loop {
            match preamble(self.text, self.at, has_event) {
                Preamble::End => {
                    if in_game {
                        self.end_without_movetext(self.text.len());
                    }
                    return false;
                }
                Preamble::Escape(end) => {
                    let at = line_start(self.text, self.at, end);
                    self.report_escape(at);
                    self.at = end;
                }
                Preamble::BadTag(at, end) => {
                    let message = format_args!("this line opens a bracket but is no tag");
                    self.diagnose(FindingCode::MalformedTag, at, message);
                    self.at = end;
                }
                Preamble::Junk(at, end) => {
                    self.report_junk(at, end);
                    self.at = end;
                }
                Preamble::Tag(at, parsed) => {
                    let is_event = parsed.is_event();
                    if in_game && is_event && has_event && follows_blank_line(self.text, at) {
                        self.end_without_movetext(at);
                        in_game = false;
                    }
                    if !in_game {
                        self.begin_game(at);
                        has_event = false;
                        in_game = true;
                    }
                    has_event |= is_event;
                    if !opens_line(self.text, at) {
                        let name = decode(parsed.name);
                        let message = format_args!("the tag {name} should have a line of its own");
                        self.diagnose(FindingCode::SharedLine, at, message);
                    }
                    self.report_tag_fault(at, parsed.name, parsed.fault);
                    let name = self.usual_name(at, &parsed);
                    let offset = self.offset + at as u64;
                    let tag = Tag {
                        name,
                        raw_value: parsed.raw_value,
                        offset,
                    };
                    self.visitor.tag(&tag);
                    self.at = parsed.end;
                }
                Preamble::Comment(at, end) => {
                    if !in_game {
                        self.begin_game(at);
                        has_event = false;
                        in_game = true;
                    }
                    let is_braced = self.text[at] == b'{';
                    self.visitor.comment(&Comment {
                        raw: &self.text[at + 1..end - usize::from(is_braced)],
                        offset: self.offset + at as u64,
                        to_line_end: !is_braced,
                        clock: None,
                    });
                    self.at = end;
                }
                Preamble::Movetext(at) => {
                    if !in_game {
                        self.begin_game(at);
                        self.diagnose(
                            FindingCode::NoTags,
                            at,
                            format_args!("the game has no tags"),
                        );
                    } else if !opens_line(self.text, at) {
                        let message = format_args!("the moves should begin on a line of their own");
                        self.diagnose(FindingCode::SharedLine, at, message);
                    }
                    self.at = at;
                    return true;
                }
            }
        }
    }

    fn end_without_movetext(&mut self, at: usize) {
        let message = format_args!("the game has tags but neither moves nor a result");
        self.diagnose(FindingCode::NoMovetext, at, message);
        self.end_game(at);
    }

    /// The name of a tag in its usual case.
    fn usual_name<'t>(&mut self, at: usize, tag: &ParsedTag<'t>) -> &'t [u8] {
        let usual = tag.usual_name();
        if usual != tag.name && tag.name != b"Setup" {
            let (name, usual) = (decode(tag.name), decode(usual));
            let message = format_args!("the tag {name} should be written {usual}");
            self.diagnose(FindingCode::MalformedTag, at, message);
        }
        usual
    }

    fn report_tag_fault(&mut self, at: usize, name: &[u8], fault: Option<TagFault>) {
        let Some(fault) = fault else { return };
        let code = match fault {
            TagFault::Truncated => FindingCode::TruncatedTag,
            _ => FindingCode::MalformedTag,
        };
        let what = match fault {
            TagFault::Unquoted => "the value has no quotes",
            TagFault::NoBracket => "the closing bracket is missing",
            TagFault::BareQuote => "a quote inside the value should be written \\\"",
            TagFault::LoneBackslash => "a backslash at the end of the value should be written \\\\",
            TagFault::BrokenLine => "the value goes on in the next line",
            TagFault::NoQuote => "the closing quote is missing",
            TagFault::Truncated => "the file ends inside the value",
        };
        let name = decode(name);
        self.diagnose(code, at, format_args!("in the tag {name}, {what}"));
    }

    /// Reads one movetext, and any games without tags after its result.
    fn movetext(&mut self) {
        let mut lexer = Lexer::new(self.text, self.at);
        let mut progress = self.begin_movetext(self.at);
        loop {
            if progress.result.is_none() {
                lexer.at = self.usual_movetext(lexer.at, &mut progress);
            }
            if lexer.skip_to_brace() {
                self.brace_comment(&mut lexer, &progress);
                continue;
            }
            let token = lexer.next();
            match token {
                Token::San | Token::OddMove => self.ply(&lexer, token, &mut progress),
                Token::Number { value, dots } => self.number(&lexer, value, dots, &mut progress),
                Token::BraceComment => self.brace_comment(&mut lexer, &progress),
                Token::End | Token::NextGame => {
                    self.at = lexer.start;
                    self.end_movetext(lexer.start, &progress);
                    return;
                }
                Token::Noise if progress.result.is_some() && opens_line(self.text, lexer.start) => {
                    self.junk_line(&mut lexer);
                }
                other => self.annotation(&lexer, other, &mut progress),
            }
        }
    }

    /// Fast path: reads numbers, moves and comments with clocks as long as they are in standard form and at
    /// most one byte of white space apart, which is nearly everything. Returns where something else begins.
    /// The lexer would read all of it in the same way.
    #[inline(always)]
    fn usual_movetext(&mut self, from: usize, progress: &mut Progress) -> usize {
        let is_read = progress.is_read();
        let mut at = from;
        while let Some((mut start, mut chunk)) = next_chunk(self.text, at) {
            if chunk[0] == b'{' {
                let window = self.text[start..].first_chunk();
                let Some((length, time)) = window.and_then(timed_comment) else {
                    break;
                };
                if is_read {
                    self.visitor.comment(&Comment {
                        raw: &self.text[start + 1..start + length],
                        offset: self.offset + start as u64,
                        to_line_end: false,
                        clock: Some(time),
                    });
                }
                at = start + length + 1;
                continue;
            }
            if let Some((value, dots, length)) = short_number(chunk) {
                if is_read {
                    let offset = self.offset + start as u64;
                    self.visitor.number(Some(value), dots, offset);
                }
                at = start + length;
                match next_chunk(self.text, at) {
                    Some(next) => (start, chunk) = next,
                    None => break,
                }
            }
            let Some((san, length)) = short_san(chunk) else {
                break;
            };
            progress.has_move = true;
            if is_read {
                let written = &self.text[start..start + length];
                self.visitor.ply(&MoveText {
                    san: written,
                    written,
                    offset: self.offset + start as u64,
                    spelling: Spelling::default(),
                    parsed: Some(san),
                });
            }
            at = start + length;
        }
        at
    }

    #[inline(never)]
    fn ply(&mut self, lexer: &Lexer<'_>, token: Token, progress: &mut Progress) {
        if lexer.after_blank_line || progress.result.is_some() {
            self.resume(lexer, token, progress);
        }
        progress.has_move = true;
        if progress.is_read() {
            let written = lexer.written();
            let odd = (token == Token::OddMove).then_some(&lexer.odd);
            let (san, spelling) = match odd {
                Some(odd) => (odd.san.as_bytes(), odd.spelling),
                None => (written, Spelling::default()),
            };
            self.visitor.ply(&MoveText {
                san,
                written,
                offset: self.offset + lexer.start as u64,
                spelling,
                parsed: None,
            });
            let Some(odd) = odd else { return };
            for &nag in &odd.glyphs {
                self.visitor.nag(nag);
            }
            if !odd.unread.is_empty() {
                let message = format_args!("\"{}\" behind the move is passed over", odd.unread);
                self.diagnose(FindingCode::UnknownToken, lexer.start, message);
            }
        }
    }

    fn number(
        &mut self,
        lexer: &Lexer<'_>,
        value: Option<u32>,
        dots: u32,
        progress: &mut Progress,
    ) {
        if lexer.after_blank_line || progress.result.is_some() {
            self.resume(lexer, Token::Number { value, dots }, progress);
        }
        if progress.is_read() {
            let offset = self.offset + lexer.start as u64;
            self.visitor.number(value, dots, offset);
        }
    }

    fn brace_comment(&mut self, lexer: &mut Lexer<'_>, progress: &Progress) {
        let (raw, is_closed) = lexer.brace_comment();
        if !is_closed {
            let message = format_args!("the comment is never closed");
            self.diagnose(FindingCode::UnclosedComment, lexer.start, message);
        }
        self.comment(raw, lexer.start, false, progress);
    }

    fn comment(&mut self, raw: &[u8], at: usize, to_line_end: bool, progress: &Progress) {
        if progress.is_read() {
            self.visitor.comment(&Comment {
                raw,
                offset: self.offset + at as u64,
                to_line_end,
                clock: None,
            });
        }
    }

    fn begin_movetext(&mut self, at: usize) -> Progress {
        let flow = self.visitor.begin_movetext(self.offset + at as u64);
        Progress {
            skipped_from: (flow == VisitControl::Skip).then_some(0),
            ..Progress::default()
        }
    }

    /// Decides what a move or number after a blank line or after the result belongs to.
    #[cold]
    fn resume(&mut self, lexer: &Lexer<'_>, token: Token, progress: &mut Progress) {
        if progress.result.is_none() {
            let is_inside = lexer.after_blank_line && lexer.start > self.at;
            if is_inside && !progress.reported_blank_line {
                let message = format_args!("a blank line stands inside the moves");
                self.diagnose(FindingCode::BlankLine, lexer.start, message);
                progress.reported_blank_line = true;
            }
            return;
        }
        if progress.depth > 0 {
            return; // The result may be followed by a variation on the last move.
        }
        let begins_again = match token {
            Token::Number { value, dots } => value == Some(1) && dots < 2,
            _ => lexer.after_blank_line && !progress.reported_moves_after_result,
        };
        if begins_again {
            self.end_movetext(lexer.start, progress);
            self.begin_game(lexer.start);
            self.diagnose(
                FindingCode::NoTags,
                lexer.start,
                format_args!("the game has no tags"),
            );
            *progress = self.begin_movetext(lexer.start);
        } else if !progress.reported_moves_after_result {
            let message = format_args!("moves stand behind the result");
            self.diagnose(FindingCode::MovesAfterResult, lexer.start, message);
            progress.reported_moves_after_result = true;
        }
    }

    /// Skips a line after the result that begins with a word without meaning.
    fn junk_line(&mut self, lexer: &mut Lexer<'_>) {
        lexer.at = line_end(self.text, lexer.start);
        self.report_junk(lexer.start, lexer.at);
    }

    fn report_escape(&mut self, at: usize) {
        let message = format_args!("a line that begins with % is passed over");
        self.diagnose(FindingCode::EscapedLine, at, message);
    }

    fn report_junk(&mut self, at: usize, end: usize) {
        let line = decode(&self.text[at..end.min(at + 60)]);
        let line = line.trim_end();
        self.diagnose(
            FindingCode::Junk,
            at,
            format_args!("\"{line}\" is neither a tag nor a move"),
        );
    }

    /// Handles all tokens except moves, numbers, comments in braces and the end.
    fn annotation(&mut self, lexer: &Lexer<'_>, token: Token, progress: &mut Progress) {
        let at = lexer.start;
        let written = || decode(lexer.written());
        match token {
            Token::LineComment => self.comment(&lexer.written()[1..], at, true, progress),
            Token::Nag(nag) => self.nag(nag, progress),
            Token::Sign(nag) => {
                let message = format_args!("\"{}\" is read as {nag}", written());
                self.diagnose(FindingCode::TextSign, at, message);
                self.nag(nag, progress);
            }
            Token::Open => self.open(at, progress),
            Token::Close => self.close(at, progress),
            Token::Result(result) => self.result(at, result, progress),
            Token::LooseResult(result) => {
                let message = format_args!("\"{}\" is read as {result}", written());
                self.diagnose(FindingCode::LooseResult, at, message);
                self.result(at, result, progress);
            }
            Token::Remark => {
                let message =
                    format_args!("\"{}\" is passed over; PGN has no place for it", written());
                self.diagnose(FindingCode::DetachedRemark, at, message);
            }
            Token::BadNag => {
                let message = format_args!("\"{}\" is not a glyph from $0 to $255", written());
                self.diagnose(FindingCode::BadNag, at, message);
            }
            Token::Stray(byte) => {
                let code = if byte == b'}' {
                    FindingCode::StrayBrace
                } else {
                    FindingCode::StrayBracket
                };
                let message = format_args!("a stray {} is passed over", byte as char);
                self.diagnose(code, at, message);
            }
            Token::Noise => {
                let message =
                    format_args!("\"{}\" means nothing here and is passed over", written());
                self.diagnose(FindingCode::UnknownToken, at, message);
            }
            Token::Escape => self.report_escape(at),
            Token::San | Token::OddMove | Token::Number { .. } | Token::BraceComment => {}
            Token::End | Token::NextGame => {}
        }
    }

    fn nag(&mut self, nag: Nag, progress: &Progress) {
        if progress.is_read() {
            self.visitor.nag(nag);
        }
    }

    fn open(&mut self, at: usize, progress: &mut Progress) {
        progress.depth += 1;
        if !progress.has_move {
            let message = format_args!("a variation stands before any move that it could replace");
            self.diagnose(FindingCode::VariationBeforeMove, at, message);
        }
        progress.has_move = false;
        if progress.is_read() && self.visitor.begin_variation() == VisitControl::Skip {
            progress.skipped_from = Some(progress.depth);
        }
    }

    fn close(&mut self, at: usize, progress: &mut Progress) {
        if progress.depth == 0 {
            let message = format_args!("a stray ) is passed over");
            self.diagnose(FindingCode::StrayParenthesis, at, message);
            return;
        }
        if !progress.has_move {
            let message = format_args!("no move stands in the variation that ends here");
            self.diagnose(FindingCode::EmptyVariation, at, message);
        }
        if progress.is_read() {
            self.visitor.end_variation();
        } else if progress.skipped_from == Some(progress.depth) {
            progress.skipped_from = None;
        }
        progress.depth -= 1;
        progress.has_move = true;
    }

    fn result(&mut self, at: usize, result: GameResult, progress: &mut Progress) {
        if progress.depth == 0 {
            if progress.result.is_some() {
                let message = format_args!("the result stands here again");
                self.diagnose(FindingCode::RepeatedResult, at, message);
                return;
            }
            progress.result = Some(result);
        }
        if progress.is_read() {
            self.visitor.result(result, self.offset + at as u64);
        }
    }

    fn end_movetext(&mut self, at: usize, progress: &Progress) {
        if progress.depth > 0 {
            let open = progress.depth;
            let message = format_args!("the game ends inside {open} unclosed variation(s)");
            self.diagnose(FindingCode::UnclosedVariation, at, message);
        }
        let entered = progress
            .skipped_from
            .map_or(progress.depth, |depth| depth.saturating_sub(1));
        for _ in 0..entered {
            self.visitor.end_variation();
        }
        if progress.result.is_none() {
            let message = format_args!("the moves end without a result");
            self.diagnose(FindingCode::MissingResult, at, message);
        }
        self.end_game(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that a visitor is shown of movetext, except offsets.
    #[derive(Default)]
    struct Shown(Vec<String>);

    impl Visitor for Shown {
        fn number(&mut self, number: Option<u32>, dots: u32, _: u64) {
            self.0.push(format!("{number:?} {dots}"));
        }
        fn ply(&mut self, text: &MoveText<'_>) {
            let plain = touchmove_rules::San::from_bytes(text.san).ok();
            assert!(text.parsed.is_none() || text.parsed == plain);
            self.0
                .push(format!("{} {:?}", decode(text.san), text.spelling));
        }
        fn nag(&mut self, nag: Nag) {
            self.0.push(nag.to_string());
        }
        fn comment(&mut self, comment: &Comment<'_>) {
            self.0.push(decode(comment.raw).replace("  ", " "));
        }
        fn begin_variation(&mut self) -> VisitControl {
            self.0.push("(".to_owned());
            VisitControl::Read
        }
        fn result(&mut self, result: GameResult, _: u64) {
            self.0.push(result.to_string());
        }
        fn diagnose(&mut self, code: FindingCode, _: u64, _: fmt::Arguments<'_>) {
            self.0.push(format!("{code:?}"));
        }
    }

    /// The text with two spaces instead of one outside comments, which makes the fast path give up.
    fn spaced(text: &[u8]) -> Vec<u8> {
        let mut wide = Vec::new();
        let mut in_comment = false;
        for &byte in text {
            in_comment = byte == b'{' || in_comment && byte != b'}';
            wide.push(byte);
            if byte == b' ' && !in_comment {
                wide.push(b' ');
            }
        }
        wide
    }

    fn shown(text: &[u8]) -> Vec<String> {
        let mut shown = Shown::default();
        read(text, &mut shown);
        shown.0
    }

    #[test]
    fn the_short_way_through_a_movetext_shows_what_the_plain_one_shows() {
        let text = "[Event \"a\"]\n\n1. e4 { [%clk 0:04:55] } 1... e5?! { [%eval 0.2] [%clk 0:04:55] } \
            2. Nf3 Nc6 {plain} (2... d6 3. d4) 3.Bb5 a6! 4. Bxc6+ $1 dxc6 5. O-O 12... f6 \
            120. exd8=Q# {[%clk 0:00:01]} 121... R1a3 1-0\n\n[Event \"b\"]\n\n1. d4 Z0 *\n";
        let places = text.find("1. e4").expect("it is there")..text.len() - 30;
        let letters = b" .{}()[]$;*19eNQKx=+#!?-\n\t\0\xe2%";
        assert_eq!(shown(text.as_bytes()), shown(&spaced(text.as_bytes())));
        for at in places {
            for &letter in letters {
                for keeps in [true, false] {
                    let mut text = text.as_bytes().to_vec();
                    text.splice(at..at + usize::from(!keeps), [letter]);
                    let wide = spaced(&text);
                    assert_eq!(shown(&text), shown(&wide), "{}", decode(&text));
                }
            }
        }
    }
}
