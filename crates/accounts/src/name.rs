//! Names: which are allowed, and which look alike. Whether one is taken is not known here.
//!
//! A name is first normalised (NFKC), so that a full-width letter becomes the plain one. Names are compared by
//! skeletons, which are equal for names that can be mistaken for each other, ignoring case. They follow the
//! table of confusable characters of Unicode's technical standard #39.

use std::fmt;
use std::sync::LazyLock;

use thiserror::Error;
use touchmove_store::limits;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::general_security_profile::IdentifierType;
use unicode_security::{GeneralSecurityProfile, MixedScript};

/// The most characters of a name.
pub const MAX_NAME_CHARS: usize = 20;
/// The most bytes of a name.
pub const MAX_NAME_BYTES: usize = 60;
/// The most combining marks on one letter.
const MAX_ACCENTS_PER_LETTER: usize = 2;
/// The most bytes of an input that are processed.
const MAX_NAME_INPUT_BYTES: usize = 4 * MAX_NAME_BYTES;

/// Names that would be taken for the server or its staff, or for no name at all.
const RESERVED_NAMES: &[&str] = &[
    "admin",
    "administrator",
    "arbiter",
    "host",
    "house",
    "mod",
    "moderator",
    "nobody",
    "null",
    "official",
    "operator",
    "owner",
    "referee",
    "root",
    "security",
    "server",
    "staff",
    "support",
    "system",
    "touch-move",
    "touch_move",
    "touchmove",
    "undefined",
];
/// Names that only guests may have: as accounts they would be taken for guests, or for a part of a link.
const GUEST_ONLY_NAMES: &[&str] = &["ai", "anonymous", "api", "challenge", "guest", "open"];

static RESERVED_SKELETONS: LazyLock<Vec<String>> =
    LazyLock::new(|| RESERVED_NAMES.iter().map(|word| skeleton(word)).collect());

/// Why a text is not allowed as a name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NameError {
    /// It is empty.
    #[error("a name has at least one letter or digit")]
    Empty,
    /// It is too long.
    #[error(
        "this name is too long: a name has at most {MAX_NAME_CHARS} characters and {MAX_NAME_BYTES} bytes"
    )]
    TooLong,
    /// It begins or ends with a space, or has two in a row.
    #[error("a name does not begin or end with a space, and has no two spaces in a row")]
    Spaces,
    /// It has an invisible character, or one that changes the text around it.
    #[error("the character U+{:04X} cannot be seen or printed, and no name has it", u32::from(*.0))]
    Unprintable(char),
    /// It has more accents on one letter than any script needs, or one without a letter.
    #[error(
        "a name has at most {MAX_ACCENTS_PER_LETTER} accents on one letter, and none on nothing"
    )]
    Accents,
    /// It has a character that the name of an account may not have.
    #[error("the name of an account has letters, the digits 0-9, - and _, and not {0:?}")]
    NotForAccounts(char),
    /// The name of an account begins with - or _.
    #[error("the name of an account begins with a letter or a digit")]
    Beginning,
    /// The letters are from several scripts.
    #[error("the letters of this name are of several scripts, and those of an account are of one")]
    Scripts,
    /// It looks like a Latin name but has other letters.
    #[error("this name looks as if it were written in Latin letters: choose another one")]
    Disguised,
    /// It is reserved.
    #[error("the name {0} is reserved, or looks like one that is: choose another one")]
    Reserved(String),
}

/// An allowed name: printable, bounded, and not to be mistaken for the server's own.
///
/// ```
/// use touchmove_accounts::Name;
///
/// let anna = Name::account("Anna-67")?;
/// assert_eq!(anna.as_str(), "Anna-67");
/// // With a Cyrillic letter, and in capitals: it looks the same to somebody in a hurry.
/// assert_eq!(Name::account("ANNA-67")?.skeleton(), anna.skeleton());
/// assert_eq!(Name::guest("Аnna-67")?.skeleton(), anna.skeleton());
///
/// assert_eq!(Name::guest("Anna of Vienna")?.as_str(), "Anna of Vienna");
/// assert!(Name::account("Anna of Vienna").is_err());
/// assert!(Name::account("Аnna").is_err(), "two scripts");
/// assert!(Name::guest("аdmin").is_err(), "a Cyrillic letter helps nobody");
/// # Ok::<(), touchmove_accounts::NameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name {
    text: String,
    skeleton: String,
}

impl Name {
    /// The name of a guest: any printable text.
    ///
    /// # Errors
    /// If the name is not allowed, in a sentence for the user.
    pub fn guest(text: &str) -> Result<Name, NameError> {
        Name::read(text, |_| Ok(()))
    }

    /// The name of an account: letters of one script, digits, `-` and `_`, so that it fits into a link.
    ///
    /// # Errors
    /// If the name is not allowed, in a sentence for the user.
    pub fn account(text: &str) -> Result<Name, NameError> {
        let name = Name::read(text, for_accounts)?;
        match GUEST_ONLY_NAMES.contains(&name.text.to_lowercase().as_str()) {
            true => Err(NameError::Reserved(name.text)),
            false => Ok(name),
        }
    }

    fn read(text: &str, more: fn(&str) -> Result<(), NameError>) -> Result<Name, NameError> {
        // Checked before any other work on the text.
        if text.len() > MAX_NAME_INPUT_BYTES {
            return Err(NameError::TooLong);
        }
        if let Some(unprintable) = text.chars().find(|c| !is_printable(*c)) {
            return Err(NameError::Unprintable(unprintable));
        }
        let text = normal(text);
        if let Some(unprintable) = text.chars().find(|c| !is_printable(*c)) {
            return Err(NameError::Unprintable(unprintable));
        }
        if !text.chars().any(char::is_alphanumeric) {
            return Err(NameError::Empty);
        }
        if text.starts_with(' ') || text.ends_with(' ') || text.contains("  ") {
            return Err(NameError::Spaces);
        }
        if text.len() > MAX_NAME_BYTES || text.chars().count() > MAX_NAME_CHARS {
            return Err(NameError::TooLong);
        }
        if !has_few_accents(&text) {
            return Err(NameError::Accents);
        }
        more(&text)?;
        let skeleton = skeleton(&text);
        if skeleton.len() > limits::MAX_NAME_BYTES {
            return Err(NameError::TooLong);
        }
        if is_disguised(&text, &skeleton) {
            return Err(NameError::Disguised);
        }
        if RESERVED_SKELETONS.contains(&skeleton) {
            return Err(NameError::Reserved(text));
        }
        Ok(Name { text, skeleton })
    }

    /// The name as it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The skeleton: equal for names that look alike.
    #[must_use]
    pub fn skeleton(&self) -> &str {
        &self.skeleton
    }

    /// Whether this is the same name, ignoring case; a name that only looks like it is not.
    #[must_use]
    pub fn is(&self, other: &str) -> bool {
        fold(&self.text) == fold(&normal(other))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

fn normal(text: &str) -> String {
    text.nfkc().collect()
}

/// Case folding. By way of upper case, because some lower-case letters share a capital.
fn fold(text: &str) -> String {
    let capitals = text.chars().flat_map(char::to_uppercase);
    capitals.flat_map(char::to_lowercase).nfkc().collect()
}

/// Replaces every character by the plainest one that it can be mistaken for.
fn look(text: &str) -> String {
    unicode_security::skeleton(text).collect()
}

/// The skeleton of a name: what it looks like in either case. A letter that looks like a Latin one becomes
/// that; a lower-case letter that does not may have a capital that does. `I` looks like `l` and is the capital
/// of `i`, so these are all equal.
fn skeleton(text: &str) -> String {
    let mut seen = fold(text);
    // One round is enough for all but a few letters; the bound is for those.
    for _ in 0..4 {
        let mut next = String::new();
        for letter in seen.nfd() {
            let small = look(letter.encode_utf8(&mut [0; 4]));
            let capital = look(&letter.to_uppercase().to_string());
            next += if capital.is_ascii() && !small.is_ascii() {
                &capital
            } else {
                &small
            };
        }
        let next = fold(&next).replace('i', "l");
        if next == seen {
            break;
        }
        seen = next;
    }
    seen
}

/// Whether a name looks like a Latin one that has another skeleton: a few Greek letters look like one Latin
/// letter in lower case, and like another as capitals.
fn is_disguised(text: &str, of_name: &str) -> bool {
    let look = look(text);
    look.is_ascii() && skeleton(&look) != of_name
}

/// Whether a character is visible and stays in its place. Unicode calls marks that change the direction, join
/// or are not shown "default ignorable".
fn is_printable(character: char) -> bool {
    // Characters that are drawn as nothing: the Braille pattern without dots, the null notehead, annotations
    // and object replacements.
    let is_blank = matches!(
        character,
        '\u{2800}' | '\u{1d159}' | '\u{fff9}'..='\u{fffd}'
    );
    let is_space = character.is_whitespace() && character != ' ';
    let has_a_shape = !matches!(
        character.identifier_type(),
        None | Some(
            IdentifierType::Not_Character
                | IdentifierType::Deprecated
                | IdentifierType::Default_Ignorable
        )
    );
    has_a_shape && !is_blank && !is_space && !character.is_control()
}

fn has_few_accents(text: &str) -> bool {
    let mut accents = MAX_ACCENTS_PER_LETTER;
    let mut is_few = true;
    // Decomposed, so that precomposed accents count too.
    for character in text.nfd() {
        accents = if is_combining_mark(character) {
            accents + 1
        } else {
            0
        };
        // An accent on a space would stand for itself.
        if character == ' ' {
            accents = MAX_ACCENTS_PER_LETTER;
        }
        is_few &= accents <= MAX_ACCENTS_PER_LETTER;
    }
    is_few
}

fn for_accounts(text: &str) -> Result<(), NameError> {
    let is_allowed = |c: char| match c {
        '-' | '_' | '0'..='9' => true,
        c => (c.is_alphabetic() || is_combining_mark(c)) && c.identifier_allowed(),
    };
    if let Some(other) = text.chars().find(|c| !is_allowed(*c)) {
        return Err(NameError::NotForAccounts(other));
    }
    if text.starts_with(['-', '_']) {
        return Err(NameError::Beginning);
    }
    if !text.is_single_script() {
        return Err(NameError::Scripts);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
