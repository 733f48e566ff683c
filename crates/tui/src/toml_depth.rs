//! Limits how deeply a TOML text may be nested, before the parser reads it.
//!
//! The `toml` crate limits the parts of a dotted key and the levels of inline tables, each by itself. A long dotted
//! key at each of many levels multiplies them, and then dropping the tables overflows the stack.

/// Dots outside of strings on one line. A setting of ours has one.
const MAX_DOTS_PER_LINE: usize = 16;
/// Brackets and braces that are open at the same time.
const MAX_OPEN_BRACKETS: usize = 16;

/// Where a TOML text is nested too deeply to be read, as a byte offset.
///
/// ```
/// use touchmove_tui::toml_depth::find_too_deep;
///
/// assert_eq!(find_too_deep("trusted_proxy = ['10.0.0.0/8', '::1'] # a.b.c"), None);
/// assert_eq!(find_too_deep(&format!("x = {}", "[".repeat(100))), Some(20));
/// assert_eq!(find_too_deep(&format!("{}b = 1", "a.".repeat(100))), Some(33));
/// ```
#[must_use]
pub fn find_too_deep(text: &str) -> Option<usize> {
    let (mut dots, mut open) = (0, 0_usize);
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\n' => dots = 0,
            b'.' => dots += 1,
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            b'#' if bytes.by_ref().any(|(_, byte)| byte == b'\n') => dots = 0,
            b'"' | b'\'' => skip_string(byte, &mut bytes),
            _ => {}
        }
        if dots > MAX_DOTS_PER_LINE || open > MAX_OPEN_BRACKETS {
            return Some(at);
        }
    }
    None
}

/// Reads to the end of a string, or of its line.
fn skip_string(quote: u8, bytes: &mut impl Iterator<Item = (usize, u8)>) {
    while let Some((_, byte)) = bytes.next() {
        if byte == quote || byte == b'\n' {
            return;
        }
        if byte == b'\\' && quote == b'"' {
            bytes.next();
        }
    }
}
