//! The tags of a document: the seven tag roster, then all others in order. For a tag pair as written in a
//! file see [`Tag`](crate::Tag).

use std::fmt;

/// The seven tag roster in the order of the export format, each tag with its value for "unknown".
pub const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The tags of one game.
///
/// ```
/// use touchmove_pgn::Tags;
/// let mut tags = Tags::default();
/// tags.set("White", "Anderssen")?;
/// tags.set("ECO", "C33")?;
/// assert_eq!(tags.get("White"), Some("Anderssen"));
/// assert_eq!(tags.get("Event"), Some("?"));
/// assert_eq!(tags.get("FEN"), None);
/// # Ok::<(), touchmove_pgn::TagNameError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags {
    roster: [String; 7],
    others: Vec<(String, String)>,
}

impl Default for Tags {
    fn default() -> Tags {
        Tags {
            roster: ROSTER.map(|(_, unknown)| unknown.to_owned()),
            others: Vec::new(),
        }
    }
}

/// A tag name consists of letters, digits and underscores, and begins with a letter.
///
/// ```
/// use touchmove_pgn::Tags;
///
/// assert!(Tags::default().set("White Elo", "2400").is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not a tag name: letters, digits and underscores, a letter first")]
pub struct TagNameError(pub String);

fn roster_place(name: &str) -> Option<usize> {
    ROSTER.iter().position(|&(known, _)| known == name)
}

impl Tags {
    /// The value of a tag; the first one if the tag occurs twice.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        match roster_place(name) {
            Some(place) => Some(&self.roster[place]),
            None => self
                .others
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.as_str()),
        }
    }

    /// Sets a tag; line breaks in the value become spaces.
    ///
    /// # Errors
    ///
    /// If the name is not a valid tag name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagNameError> {
        let value = one_line(value);
        if let Some(place) = roster_place(name) {
            self.roster[place] = value;
        } else if let Some(known) = self.others.iter_mut().find(|(known, _)| known == name) {
            known.1 = value;
        } else {
            self.push(name, &value)?;
        }
        Ok(())
    }

    /// Adds a tag after the others, even if one of that name exists.
    ///
    /// # Errors
    ///
    /// If the name is not a valid tag name.
    pub fn push(&mut self, name: &str, value: &str) -> Result<(), TagNameError> {
        let letters = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !letters || !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Err(TagNameError(name.to_owned()));
        }
        self.others.push((name.to_owned(), one_line(value)));
        Ok(())
    }

    /// Removes a tag. A tag of the roster becomes unknown instead.
    pub fn remove(&mut self, name: &str) {
        match roster_place(name) {
            Some(place) => self.roster[place] = ROSTER[place].1.to_owned(),
            None => self.others.retain(|(known, _)| known != name),
        }
    }

    /// All names and values, the roster first.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let roster = ROSTER
            .iter()
            .zip(&self.roster)
            .map(|((name, _), value)| (*name, value.as_str()));
        roster.chain(
            self.others
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str())),
        )
    }

    /// Adds a tag that was read from a file. `seen` says which tags of the roster have occurred.
    pub(crate) fn read(&mut self, name: &str, value: &str, seen: &mut [bool; 7]) {
        match roster_place(name) {
            Some(place) if !seen[place] => {
                seen[place] = true;
                self.roster[place] = one_line(value);
            }
            _ => self.others.push((name.to_owned(), one_line(value))),
        }
    }
}

fn one_line(value: &str) -> String {
    value.replace("\r\n", " ").replace(['\r', '\n'], " ")
}

impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.iter() {
            let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{escaped}\"]")?;
        }
        Ok(())
    }
}
