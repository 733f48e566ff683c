//! Scopes: what a token allows. Their names are those of Lichess where these make sense here, and a few of our
//! own.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A scope: one thing that a token allows.
///
/// ```
/// use touchmove_accounts::Scope;
///
/// assert_eq!(Scope::BotPlay.word(), "bot:play");
/// assert_eq!("bot:play".parse(), Ok(Scope::BotPlay));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scope {
    /// Play as a human, with a board or a program that shows one.
    BoardPlay,
    /// Play as a bot.
    BotPlay,
    /// Read one's challenges.
    ChallengeRead,
    /// Make, take, decline and cancel challenges.
    ChallengeWrite,
    /// Read one's account, and games that are not public.
    AccountRead,
    /// Create tables and invite to them.
    Host,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 6] = [
        Scope::BoardPlay,
        Scope::BotPlay,
        Scope::ChallengeRead,
        Scope::ChallengeWrite,
        Scope::AccountRead,
        Scope::Host,
    ];

    /// The name of the scope, such as `bot:play`.
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

/// The error for a text that is not a scope.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{word:?} is not a scope: there are {}", Scopes::ALL)]
pub struct ParseScopeError {
    /// The text, truncated.
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

/// A set of scopes. As a text it is their names separated by spaces.
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
    /// No scope.
    pub const NONE: Scopes = Scopes(0);
    /// All scopes.
    pub const ALL: Scopes = Scopes((1 << Scope::ALL.len()) - 1);

    /// Whether the set has this scope.
    #[must_use]
    pub const fn allow(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// The known scopes in a text. Others are ignored: a stored text may have been written by a newer version.
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

    /// The scopes of the set.
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
