//! What a token allows. The words are those that clients of Lichess know, where these mean something
//! here, and a few of our own.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One thing that a token allows.
///
/// ```
/// use touchmove_accounts::Scope;
///
/// assert_eq!(Scope::BotPlay.word(), "bot:play");
/// assert_eq!("bot:play".parse(), Ok(Scope::BotPlay));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// To play as a human being, by a board or a program that shows one.
    BoardPlay,
    /// To play as a program.
    BotPlay,
    /// To see one's challenges.
    ChallengeRead,
    /// To make, take, decline and cancel challenges.
    ChallengeWrite,
    /// To see one's account, and games that not everybody may see.
    AccountRead,
    /// To set up tables and invite to them.
    Host,
}

impl Scope {
    /// All there are.
    pub const ALL: [Scope; 6] = [
        Scope::BoardPlay,
        Scope::BotPlay,
        Scope::ChallengeRead,
        Scope::ChallengeWrite,
        Scope::AccountRead,
        Scope::Host,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Scope::BoardPlay => "board:play",
            Scope::BotPlay => "bot:play",
            Scope::ChallengeRead => "challenge:read",
            Scope::ChallengeWrite => "challenge:write",
            Scope::AccountRead => "account:read",
            Scope::Host => "host",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Why a word is not a scope.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{word:?} is not a scope: there are {}", Scopes::ALL)]
pub struct ParseScopeError {
    /// The word, cut off after a few characters.
    pub word: String,
}

impl FromStr for Scope {
    type Err = ParseScopeError;

    fn from_str(word: &str) -> Result<Scope, ParseScopeError> {
        let found = Scope::ALL.into_iter().find(|scope| scope.word() == word);
        found.ok_or_else(|| ParseScopeError {
            word: word.chars().take(24).collect(),
        })
    }
}

/// What a token allows, together. It is written as words with spaces between.
///
/// ```
/// use touchmove_accounts::{Scope, Scopes};
///
/// let scopes: Scopes = "bot:play challenge:read".parse()?;
/// assert!(scopes.allow(Scope::BotPlay) && !scopes.allow(Scope::Host));
/// assert_eq!(scopes.to_string(), "bot:play challenge:read");
/// assert_eq!("challenge:read,bot:play".parse(), Ok(scopes));
/// assert!("bot:play everything".parse::<Scopes>().is_err());
/// assert!(Scopes::ALL.allow(Scope::Host));
/// # Ok::<(), touchmove_accounts::ParseScopeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// Nothing.
    pub const NONE: Scopes = Scopes(0);
    /// Everything.
    pub const ALL: Scopes = Scopes((1 << Scope::ALL.len()) - 1);

    /// Whether they allow this.
    #[must_use]
    pub const fn allow(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Those in a text that are known here: what is kept may have been written by a newer version.
    ///
    /// ```
    /// use touchmove_accounts::{Scope, Scopes};
    ///
    /// let scopes = Scopes::known_in("bot:play study:write");
    /// assert_eq!(scopes, [Scope::BotPlay].into_iter().collect());
    /// ```
    #[must_use]
    pub fn known_in(text: &str) -> Scopes {
        words(text)
            .filter_map(|word| word.parse::<Scope>().ok())
            .collect()
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL
            .into_iter()
            .filter(move |scope| self.allow(*scope))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    text.split(is_between).filter(|word| !word.is_empty())
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        let bits = scopes.into_iter().map(Scope::bit);
        Scopes(bits.fold(0, |all, bit| all | bit))
    }
}

impl FromStr for Scopes {
    type Err = ParseScopeError;

    fn from_str(text: &str) -> Result<Scopes, ParseScopeError> {
        words(text).map(str::parse::<Scope>).collect()
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.iter().map(Scope::word).collect();
        f.pad(&words.join(" "))
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scopes({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_read_as_it_is_written() {
        for bits in 0..=Scopes::ALL.0 {
            let scopes = Scopes(bits);
            assert_eq!(scopes.to_string().parse(), Ok(scopes));
            assert_eq!(Scopes::known_in(&scopes.to_string()), scopes);
            assert_eq!(scopes.iter().collect::<Scopes>(), scopes);
        }
        assert_eq!(Scopes::ALL.iter().count(), Scope::ALL.len());
        assert!(Scopes::ALL.to_string().len() <= touchmove_store::limits::MAX_SCOPES_BYTES);
    }

    #[test]
    fn a_word_that_is_no_scope_is_named() {
        let error = "bot:play, admin:all".parse::<Scopes>().unwrap_err();
        let sentence = error.to_string();
        assert!(
            sentence.starts_with("\"admin:all\" is not a scope: there are board:play bot:play")
        );
    }
}
