//! Classifies characters: which ones can control a terminal, reverse text or be invisible.

/// What a character can do where it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Shown as it is.
    Visible,
    /// Ends a line or a paragraph.
    LineEnd,
    /// A tab.
    Tab,
    /// A zero-width joiner or non-joiner.
    Joiner,
    /// Selects one of the two ways in which an emoji is drawn.
    EmojiSelector,
    /// Controls the terminal, changes the direction of text, or is invisible.
    Unsafe,
}

/// The class of a character. The ranges are Unicode's default ignorable characters, its format characters that
/// are not drawn, controls, private use and noncharacters.
pub(crate) const fn class(character: char) -> Class {
    match character {
        ' '..='~' | '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{34e}' => Class::Visible,
        '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Class::LineEnd,
        '\t' => Class::Tab,
        '\u{200c}' | '\u{200d}' => Class::Joiner,
        '\u{fe0e}' | '\u{fe0f}' => Class::EmojiSelector,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{e000}'..='\u{f8ff}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fe00}'..='\u{fe0d}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{1345f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{10ffff}' => Class::Unsafe,
        // The last two code points of every plane are noncharacters.
        _ if character as u32 & 0xfffe == 0xfffe => Class::Unsafe,
        _ => Class::Visible,
    }
}

/// Whether a character is invisible, or changes the direction of others. Names of accounts may have none.
///
/// ```
/// use touchmove_text::is_invisible;
///
/// assert!(is_invisible('\u{202e}') && is_invisible('\u{200d}') && !is_invisible('é'));
/// ```
#[must_use]
pub const fn is_invisible(character: char) -> bool {
    !matches!(class(character), Class::Visible)
}
