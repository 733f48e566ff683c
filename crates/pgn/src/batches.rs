//! Splits a stream into batches of whole games, so that a file of any size can be read in little memory and
//! by several threads. It finds where games begin; it does not parse them.

use std::io::{self, Read};

use memchr::{memchr3, memrchr3};

use crate::bytes::{count_line_ends, line_end};
use crate::diagnostic::FindingCode;
use crate::layout::{
    self, CommentEnd, LOOK_AHEAD, Preamble, comment_end, follows_blank_line, follows_movetext,
    preamble,
};
use crate::long_game::{Excess, MAX_GAME_BYTES, end_of_words, find_tags};
use crate::reader::read_part;
use crate::utf16::{BOM_BYTES, Transcoder};
use crate::visitor::{VisitControl, Visitor};

/// Size of a batch in bytes, unless a single game is larger.
pub const BATCH_BYTES: usize = 512 * 1024;

/// A batch of whole games of a file.
///
/// ```
/// use touchmove_pgn::{Batch, AuditReport, audit};
///
/// let batch = Batch { text: b"1. e4 e5 *\n".to_vec(), offset: 0, line: 1 };
/// let mut report = AuditReport::default();
/// audit(&batch, &mut report);
/// assert_eq!(report.totals.plies, 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The bytes.
    pub text: Vec<u8>,
    /// Their offset in the file.
    pub offset: u64,
    /// The number of their first line, counted from 1.
    pub line: u64,
}

/// Reads batches of whole games from a source.
///
/// ```
/// use touchmove_pgn::{Batch, Batches};
/// let file = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
/// let mut batches = Batches::with_size(&file[..], 8);
/// let mut batch = Batch::default();
/// let mut count = 0;
/// while batches.next(&mut batch)? {
///     assert!(batch.text.starts_with(b"[Event"));
///     count += 1;
/// }
/// assert_eq!(count, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Batches<R> {
    source: R,
    /// Converts UTF-16 to UTF-8, if the source is UTF-16.
    transcoder: Option<Transcoder>,
    /// Whether nothing has been read yet.
    is_fresh: bool,
    size: usize,
    /// Text that was read beyond the last batch.
    rest: Vec<u8>,
    offset: u64,
    line: u64,
    at_end: bool,
    /// Maximum length of a game.
    max_game_bytes: usize,
    excess: Option<Excess>,
}

impl<R: Read> Batches<R> {
    /// Batches of [`BATCH_BYTES`].
    pub fn new(source: R) -> Batches<R> {
        Batches::with_size(source, BATCH_BYTES)
    }

    /// Batches of about this many bytes.
    pub fn with_size(source: R, size: usize) -> Batches<R> {
        Batches {
            source,
            transcoder: None,
            is_fresh: true,
            size: size.max(2),
            rest: Vec::new(),
            offset: 0,
            line: 1,
            at_end: false,
            max_game_bytes: MAX_GAME_BYTES.max(size),
            excess: None,
        }
    }

    /// Reads the next games into `batch`, reusing its memory. Returns whether there were any. A game longer
    /// than [`MAX_GAME_BYTES`] is cut off, and [`excess`](Batches::excess) says so.
    ///
    /// # Errors
    ///
    /// If the source cannot be read.
    pub fn next(&mut self, batch: &mut Batch) -> io::Result<bool> {
        batch.text.clear();
        batch.text.append(&mut self.rest);
        batch.offset = self.offset;
        batch.line = self.line;
        self.excess = None;
        let mut wanted = self.size.max(batch.text.len());
        loop {
            self.fill(&mut batch.text, wanted)?;
            let cut = if self.at_end {
                None
            } else {
                last_cut(&batch.text)
            };
            if self.at_end || cut.is_some() {
                let cut = cut.unwrap_or(batch.text.len());
                self.rest.extend_from_slice(&batch.text[cut..]);
                batch.text.truncate(cut);
                self.offset += cut as u64;
                self.line += count_line_ends(&batch.text);
                return Ok(!batch.text.is_empty());
            }
            if batch.text.len() >= self.max_game_bytes {
                self.leave_out_rest(&mut batch.text)?;
                return Ok(true);
            }
            let double = (batch.text.len() * 2).max(self.size);
            wanted = double.min(self.max_game_bytes);
        }
    }

    /// What was cut off from the last game of the last batch, if that game is too long.
    ///
    /// ```
    /// use touchmove_pgn::{Batch, Batches, MAX_GAME_BYTES};
    ///
    /// let long = "Nf3 Nf6 Ng1 Ng8\n".repeat(MAX_GAME_BYTES / 16 + 10);
    /// let file = format!("{long}\n[Event \"b\"]\n\n1. d4 *\n");
    /// let mut batches = Batches::new(file.as_bytes());
    /// let mut batch = Batch::default();
    /// assert!(batches.next(&mut batch)?);
    /// assert_eq!(batches.excess().map(|excess| excess.bytes), Some(161));
    /// assert!(batches.next(&mut batch)? && batch.text.starts_with(b"[Event"));
    /// assert_eq!(batches.excess(), None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn excess(&self) -> Option<Excess> {
        self.excess
    }

    /// Cuts a text after its last whole word and skips what follows, up to the next game that has tags.
    fn leave_out_rest(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        self.rest = text.split_off(end_of_words(text));
        self.offset += text.len() as u64;
        self.line += count_line_ends(text);
        let (offset, line) = (self.offset, self.line);
        let mut is_found = false;
        while !is_found {
            let mut window = std::mem::take(&mut self.rest);
            self.fill(&mut window, BATCH_BYTES)?;
            let tags = find_tags(&window, self.at_end);
            is_found = tags.is_ok() || self.at_end;
            let passed = match tags {
                Ok(at) | Err(at) => at,
            };
            self.rest = window.split_off(passed);
            self.offset += passed as u64;
            self.line += count_line_ends(&window);
        }
        let bytes = self.offset - offset;
        self.excess = Some(Excess {
            offset,
            line,
            bytes,
        });
        Ok(())
    }

    /// Whether the source was UTF-16, as far as it has been read. Batches and their offsets are then those of
    /// the text in UTF-8.
    ///
    /// ```
    /// use touchmove_pgn::{Batch, Batches};
    ///
    /// let file = b"\xff\xfe*\0\n\0";
    /// let mut batches = Batches::new(&file[..]);
    /// let mut batch = Batch::default();
    /// assert!(batches.next(&mut batch)? && batches.was_utf16());
    /// assert_eq!(batch.text, b"*\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn was_utf16(&self) -> bool {
        self.transcoder.is_some()
    }

    fn fill(&mut self, text: &mut Vec<u8>, wanted: usize) -> io::Result<()> {
        let missing = wanted.saturating_sub(text.len());
        text.reserve(missing);
        let before = text.len();
        let read = self
            .source
            .by_ref()
            .take(missing as u64)
            .read_to_end(text)?;
        self.at_end = read < missing;
        let mut from = before;
        if std::mem::take(&mut self.is_fresh) {
            self.transcoder = Transcoder::of(text);
            from += BOM_BYTES;
        }
        if let Some(transcoder) = &mut self.transcoder {
            let raw = text.split_off(from);
            text.truncate(before);
            transcoder.push(&raw, text);
            if self.at_end {
                transcoder.finish(text);
            }
        }
        Ok(())
    }
}

/// Shows every game of a stream to the visitor, in bounded memory: a game longer than [`MAX_GAME_BYTES`] is
/// cut off, which is reported.
///
/// # Errors
///
/// If the source cannot be read.
pub fn read_stream<R: Read, V: Visitor>(source: R, visitor: &mut V) -> io::Result<()> {
    let mut batches = Batches::new(source);
    let mut batch = Batch::default();
    while batches.next(&mut batch)? {
        read_part(&batch.text, batch.offset, visitor);
        if let Some(excess) = batches.excess() {
            visitor.diagnose(
                FindingCode::GameTooLong,
                excess.offset,
                format_args!("{excess}"),
            );
        }
    }
    Ok(())
}

/// The start of the last game whose start is certain, whatever text follows.
fn last_cut(text: &[u8]) -> Option<usize> {
    cut_near_end(text).or_else(|| cut_from_start(text))
}

/// Searches backwards from the end for a certain start of a game.
/// A tag after movetext begins a game, unless it is a look-alike inside a comment; and that is only possible
/// if a `}` follows before any `{`, and not too far away: see [`comment_end`].
fn cut_near_end(text: &[u8]) -> Option<usize> {
    let floor = text.len().saturating_sub(4 * LOOK_AHEAD);
    let mut at = text.len();
    let mut brace = None;
    while let Some(found) = memrchr3(b'[', b'{', b'}', &text[floor..at]) {
        at = floor + found;
        if text[at] != b'[' {
            brace = Some(at);
            continue;
        }
        let is_outside = match brace {
            Some(brace) => text[brace] == b'{' || brace - at >= LOOK_AHEAD,
            None => text.len() - at >= LOOK_AHEAD,
        };
        if is_outside && follows_movetext(text, at) {
            return Some(at);
        }
    }
    None
}

/// Scans the text from the start, game by game.
fn cut_from_start(text: &[u8]) -> Option<usize> {
    let mut cut = None;
    let mut at = 0;
    while let Some(movetext) = end_of_header(text, at, &mut cut) {
        match next_game(text, movetext) {
            Some(next) => {
                cut = Some(next);
                at = next;
            }
            None => break,
        }
    }
    let cut = cut.filter(|&cut| cut > 0);
    if cut.is_none() && text.len() >= 8 * LOOK_AHEAD {
        last_game_without_tags(text)
    } else {
        cut
    }
}

/// Skips tags up to the movetext. Cuts between games that only have tags, and in endless junk.
fn end_of_header(text: &[u8], mut at: usize, cut: &mut Option<usize>) -> Option<usize> {
    let start = at;
    let mut has_tag = false;
    let mut has_event = false;
    loop {
        match preamble(text, at, has_event) {
            Preamble::End => return None,
            Preamble::Movetext(at) => return Some(at),
            Preamble::Escape(end) | Preamble::BadTag(_, end) | Preamble::Comment(_, end) => {
                at = end;
            }
            Preamble::Junk(_, end) => {
                at = end;
                if !has_tag && end - start > LOOK_AHEAD && end < text.len() {
                    *cut = Some(end);
                }
            }
            Preamble::Tag(tag, parsed) => {
                let is_event = parsed.is_event();
                if is_event && has_event && follows_blank_line(text, tag) {
                    *cut = Some(tag);
                }
                has_event |= is_event;
                has_tag = true;
                at = parsed.end;
            }
        }
    }
}

/// Skips movetext up to the tag that begins the next game.
fn next_game(text: &[u8], movetext: usize) -> Option<usize> {
    let mut at = movetext;
    let mut floor = movetext;
    while let Some(found) = memchr3(b'{', b';', b'[', &text[at..]) {
        at += found;
        if layout::is_escaped(text, floor, at) {
            at = line_end(text, at);
            continue;
        }
        match text[at] {
            b'{' => match comment_end(text, at + 1, false) {
                CommentEnd::Brace(brace) => {
                    at = brace + 1;
                    floor = at;
                }
                CommentEnd::Unclosed(next) => return Some(next),
                CommentEnd::Undecided => return None,
            },
            b';' => at = line_end(text, at),
            _ if layout::is_next_game(text, at) => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// The start of the last game in a long text without tags to cut at, found by parsing it. A stretch at the
/// end is left out, because text that is still missing could change what begins there.
fn last_game_without_tags(text: &[u8]) -> Option<usize> {
    struct LastGame {
        limit: u64,
        begins: u64,
    }
    impl Visitor for LastGame {
        fn begin_game(&mut self, offset: u64) {
            if offset < self.limit {
                self.begins = offset;
            }
        }
        fn begin_movetext(&mut self, _: u64) -> VisitControl {
            VisitControl::Skip
        }
    }
    let mut last = LastGame {
        limit: (text.len() - 2 * LOOK_AHEAD) as u64,
        begins: 0,
    };
    read_part(text, 0, &mut last);
    (last.begins > 0).then_some(last.begins as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, PartialEq, Debug)]
    struct Trace(Vec<(u64, u64)>, Vec<u64>);

    impl Visitor for Trace {
        fn begin_game(&mut self, offset: u64) {
            self.0.push((offset, 0));
        }
        fn ply(&mut self, text: &crate::MoveText<'_>) {
            self.1.push(text.offset);
        }
        fn end_game(&mut self, offset: u64) {
            self.0.last_mut().expect("a game has begun").1 = offset;
        }
    }

    #[test]
    fn small_batches_show_the_same_games_as_one_text() {
        let text = b"junk\n\n[Event \"a\"]\n[Site \"b\"]\n\n1. e4 {x\n[Event \"no\"]\n} e5 ; [\n\
            % { [\n2. Nf3 *\n\n[Event \"tags only\"]\n\n[Event \"c\"]\n\n1. d4 {open\n\n[Event \"d\"]\n\n\
            1. c4 {y} *\n1. a4 *\n\n1. b4 *\n";
        let mut whole = Trace::default();
        crate::read(text, &mut whole);
        assert_eq!(whole.0.len(), 6);
        for size in [1, 7, 30, 100, 1000] {
            let mut parts = Trace::default();
            let mut batches = Batches::with_size(&text[..], size);
            let mut batch = Batch::default();
            while batches.next(&mut batch).expect("memory can be read") {
                let before = &text[..batch.offset as usize];
                assert_eq!(batch.line, 1 + count_line_ends(before));
                read_part(&batch.text, batch.offset, &mut parts);
            }
            assert_eq!(parts, whole, "batches of {size} bytes");
        }
    }

    #[test]
    fn a_text_in_utf16_is_read_alike_however_it_is_cut() {
        let plain = "[Event \"ä\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. {d} d4 *\n";
        let mut whole = Trace::default();
        crate::read(plain.as_bytes(), &mut whole);
        let units = std::iter::once(0xfeff).chain(plain.encode_utf16());
        let text: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
        let mut at_once = Trace::default();
        crate::read(&text, &mut at_once);
        assert_eq!(at_once, whole);
        for size in [1, 2, 3, 20, 1000] {
            let mut batches = Batches::with_size(&text[..], size);
            let mut batch = Batch::default();
            let mut trace = Trace::default();
            while batches.next(&mut batch).expect("memory can be read") {
                read_part(&batch.text, batch.offset, &mut trace);
            }
            assert!(batches.was_utf16());
            assert_eq!(trace, whole, "batches of {size} bytes");
        }
    }

    #[test]
    fn what_is_beyond_the_longest_game_is_left_out_up_to_the_next_tags() {
        let look_alike = "Ke2 {x\n[Event \"no\"]\n} ";
        for (long, kept) in [
            (look_alike.repeat(50_000), "Ke2 {"),
            (
                format!("[A \"b\"]\n\n{}", "(1. e4\r\n".repeat(300_000)),
                "[A",
            ),
            (format!("1. e4 {{{}", "x".repeat(900_000)), "1. e4 {x"),
        ] {
            let file = format!("1. a3 *\n\n[Event \"a\"]\n\n{long}\n\n[Event \"b\"]\n\n1. d4 *\n");
            let mut batches = Batches::with_size(file.as_bytes(), 1_000);
            batches.max_game_bytes = 600_000;
            let mut batch = Batch::default();
            let (mut excess, mut texts) = (None, Vec::new());
            while batches.next(&mut batch).expect("memory can be read") {
                let before = &file.as_bytes()[..batch.offset as usize];
                assert_eq!(batch.line, 1 + count_line_ends(before));
                let text = String::from_utf8_lossy(&batch.text).into_owned();
                assert!(text.len() <= 600_000 && file[batch.offset as usize..].starts_with(&text));
                texts.push(text);
                excess = excess.or(batches.excess());
            }
            assert!(texts.iter().any(|text| text.contains(kept)));
            let last = texts.last().expect("some games");
            assert_eq!(last, "[Event \"b\"]\n\n1. d4 *\n");
            let excess = excess.expect("a long game");
            let end = excess.offset + excess.bytes;
            assert_eq!(&file[end as usize..], last);
            let before = &file.as_bytes()[..excess.offset as usize];
            assert_eq!(excess.line, 1 + count_line_ends(before));
        }
    }

    #[test]
    fn a_long_file_without_tags_is_cut_too() {
        let text = b"1. e4 e5 2. Nf3 *\n\n".repeat(100_000);
        let mut batches = Batches::with_size(&text[..], 1 << 20);
        let mut batch = Batch::default();
        let mut count = 0;
        while batches.next(&mut batch).expect("memory can be read") {
            assert!(batch.text.starts_with(b"1. e4"));
            count += 1;
        }
        assert!(count > 1);
    }
}
