//! Which characters can steer a terminal, turn text around or not be seen.

/// What a character may do to whoever shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// It is shown as it is.
    Visible,
    /// It ends a line or a paragraph.
    LineEnd,
    /// A tab.
    Tab,
    /// It joins letters, or keeps them apart.
    Joiner,
    /// It chooses between the two ways in which an emoji is drawn.
    EmojiSelector,
    /// It steers, turns around or hides.
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
        // The last two characters of every plane are none.
        _ if character as u32 & 0xfffe == 0xfffe => Class::Unsafe,
        _ => Class::Visible,
    }
}

/// Whether a character cannot be seen, or turns the others around: names have none.
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
