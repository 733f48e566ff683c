//! Secrets and ids, drawn from the operating system's random source. A secret is shown to its owner once; only
//! its hash is stored.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use thiserror::Error;
use touchmove_store::Digest;

const BASE62_ALPHABET: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The prefix of every token, so that a leaked one is recognised.
pub const TOKEN_PREFIX: &str = "tm_";
/// Characters of a token after its prefix: 160 bits.
const TOKEN_CHARS: usize = 27;
/// Characters of a cookie: 130 bits.
const COOKIE_CHARS: usize = 22;

/// The error if the operating system gives no random bytes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the operating system gave no random numbers: {0}")]
pub struct RandomError(String);

/// A secret in plain text. `Debug` does not show it, only [`reveal`](Secret::reveal) does.
///
/// ```
/// use touchmove_accounts::Secret;
///
/// let token = Secret::token()?;
/// assert!(token.reveal().starts_with("tm_") && token.reveal().len() == 30);
/// assert_eq!(format!("{token:?}"), "Secret(..)");
/// assert_eq!(Secret::read(token.reveal()), Some(token));
/// assert_eq!(Secret::read("tm_ something that nobody was given"), None);
/// # Ok::<(), touchmove_accounts::RandomError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new token for a program, of 160 bits.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub fn token() -> Result<Secret, RandomError> {
        Ok(Secret(format!("{TOKEN_PREFIX}{}", letters(TOKEN_CHARS)?)))
    }

    /// A new cookie for a browser, of 130 bits.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub fn cookie() -> Result<Secret, RandomError> {
        letters(COOKIE_CHARS).map(Secret)
    }

    /// Parses the secret of a request; `None` for a text that cannot be one, so that the store need not be
    /// asked.
    #[must_use]
    pub fn read(text: &str) -> Option<Secret> {
        let rest = text.strip_prefix(TOKEN_PREFIX);
        let length = if rest.is_some() {
            TOKEN_CHARS
        } else {
            COOKIE_CHARS
        };
        let rest = rest.unwrap_or(text);
        let is_ours = rest.len() == length && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_ours.then(|| Secret(text.to_owned()))
    }

    /// Whether it is a token; otherwise it is a cookie.
    #[must_use]
    pub fn is_token(&self) -> bool {
        self.0.starts_with(TOKEN_PREFIX)
    }

    /// The secret in plain text, for its owner.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The hash that is stored.
    ///
    /// ```
    /// use touchmove_accounts::Secret;
    ///
    /// let secret = Secret::cookie()?;
    /// assert_eq!(secret.digest(), Secret::read(secret.reveal()).unwrap().digest());
    /// assert_ne!(secret.digest(), Secret::cookie()?.digest());
    /// # Ok::<(), touchmove_accounts::RandomError>(())
    /// ```
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest(Sha256::digest(self.0.as_bytes()).into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// A new random id of a person, a game or an offer. It may be in use already: the store reports that.
///
/// ```
/// use touchmove_store::GameId;
///
/// let id: GameId = touchmove_accounts::new_id()?;
/// assert_eq!(id.as_str().len(), 8);
/// # Ok::<(), touchmove_accounts::RandomError>(())
/// ```
///
/// # Errors
/// If the operating system gives no random bytes.
pub fn new_id<Id>() -> Result<Id, RandomError>
where
    Id: FromStr,
    Id::Err: fmt::Display,
{
    let letters = letters(8)?;
    letters
        .parse()
        .map_err(|error: Id::Err| RandomError(error.to_string()))
}

/// Random bytes from the operating system.
pub(crate) fn random_bytes<const LENGTH: usize>() -> Result<[u8; LENGTH], RandomError> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|error| RandomError(error.to_string()))?;
    Ok(bytes)
}

/// Random letters and digits, uniformly distributed.
fn letters(length: usize) -> Result<String, RandomError> {
    let mut letters = String::with_capacity(length);
    while letters.len() < length {
        // Six bits of each byte give 64 values; 62 and 63 are rejected, so that all letters are equally likely.
        let drawn = random_bytes::<32>()?;
        let numbers = drawn.iter().map(|byte| usize::from(byte & 63));
        let found = numbers.filter_map(|number| BASE62_ALPHABET.get(number));
        let missing = length - letters.len();
        letters.extend(found.take(missing).map(|letter| char::from(*letter)));
    }
    Ok(letters)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use touchmove_store::PersonId;

    use super::*;

    #[test]
    fn every_letter_is_as_likely_as_the_others() {
        let mut counts: BTreeMap<char, u32> = BTreeMap::new();
        for letter in letters(62_000).unwrap().chars() {
            *counts.entry(letter).or_default() += 1;
        }
        assert_eq!(counts.len(), 62);
        // Six standard deviations from a thousand.
        assert!(counts.values().all(|count| (810..=1_190).contains(count)));
    }

    #[test]
    fn no_two_secrets_are_the_same() {
        let secrets = (0..1_000).map(|_| Secret::token().unwrap().reveal().to_owned());
        assert_eq!(secrets.collect::<HashSet<_>>().len(), 1_000);
        let ids = (0..1_000).map(|_| new_id::<PersonId>().unwrap());
        assert_eq!(ids.collect::<HashSet<_>>().len(), 1_000);
    }

    #[test]
    fn only_what_looks_like_a_secret_is_read() {
        let good = Secret::cookie().unwrap();
        assert!(!good.is_token() && Secret::read(good.reveal()) == Some(good));
        let token = Secret::token().unwrap();
        assert!(token.is_token());
        let long = "x".repeat(1_000_000);
        let bad = [
            "",
            "tm_",
            &token.reveal()[3..],
            &token.reveal()[..29],
            &format!("{}x", token.reveal()),
            &format!("{} ", token.reveal()),
            "tm_éééééééééééééx",
            &long,
        ];
        for text in bad {
            assert_eq!(Secret::read(text), None, "{text:.40}");
        }
    }

    #[test]
    fn the_hash_is_sha_256() {
        let digest = Secret("abc".to_owned()).digest();
        assert_eq!(digest.0[..4], [0xba, 0x78, 0x16, 0xbf]);
    }
}
