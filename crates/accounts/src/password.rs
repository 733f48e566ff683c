//! Passwords, hashed with Argon2id. Hashing takes tens of milliseconds and 19 MiB, on purpose. It blocks, so it
//! must not run on an async thread; [`Accounts`](crate::Accounts) takes care of that.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

use crate::guessable::{is_common, is_name, is_simple};
use crate::secret::{self, RandomError};

/// The fewest characters of a password.
pub const MIN_PASSWORD_CHARS: usize = 8;
/// The most bytes of a password.
pub const MAX_PASSWORD_BYTES: usize = 256;

/// The hash that is compared when there is none, so that it takes as long: with the same parameters, and of no
/// password that could be typed.
const DUMMY_HASH: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA\
     $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Why a password is refused or cannot be hashed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PasswordError {
    /// It is too short.
    #[error("this password is too short: it needs at least {MIN_PASSWORD_CHARS} characters")]
    TooShort,
    /// It is too long.
    #[error("this password is too long: at most {MAX_PASSWORD_BYTES} bytes are read")]
    TooLong,
    /// It is a common password.
    #[error("this is one of the passwords that are tried first: choose one that nobody else has")]
    Common,
    /// It is the name of the account or of the product.
    #[error("a password must not be a name: choose one that nobody can guess")]
    Name,
    /// It has few different characters, is a sequence, or repeats a short part.
    #[error(
        "this password is too simple to keep anybody out: use several words, or more different characters"
    )]
    TooSimple,
    /// The operating system gave no random bytes for the salt.
    #[error(transparent)]
    NoChance(#[from] RandomError),
    /// Hashing failed.
    #[error("the password could not be hashed: {0}")]
    Failed(String),
}

impl PasswordError {
    /// Whether the password is refused, so that another one will do; otherwise hashing failed.
    #[must_use]
    pub const fn is_refused(&self) -> bool {
        !matches!(self, PasswordError::NoChance(_) | PasswordError::Failed(_))
    }
}

/// The parameters that OWASP recommends: 19 MiB, two passes, one lane.
fn argon() -> Result<Argon2<'static>, argon2::Error> {
    let parameters = Params::new(19 * 1_024, 2, 1, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters))
}

/// Normalises a password (NFKC): some keyboards send an accent apart from its letter.
fn normal(password: &str) -> String {
    password.nfkc().collect()
}

/// Checks the length of a password, without hashing it.
///
/// ```
/// use touchmove_accounts::password::{PasswordError, validate};
///
/// assert_eq!(validate("e4e5"), Err(PasswordError::TooShort));
/// assert_eq!(validate("1. e4 e5 2. f4"), Ok(()));
/// ```
///
/// # Errors
/// If it is too short or too long, in a sentence for the user.
pub fn validate(password: &str) -> Result<(), PasswordError> {
    if password.len() > MAX_PASSWORD_BYTES {
        return Err(PasswordError::TooLong);
    }
    if normal(password).chars().count() < MIN_PASSWORD_CHARS {
        return Err(PasswordError::TooShort);
    }
    Ok(())
}

/// Checks whether a password is good enough to be set. `names` are those of the account and of the server.
///
/// ```
/// use touchmove_accounts::password::{PasswordError, check_new};
///
/// assert_eq!(check_new("Password1", &["Anna"]), Err(PasswordError::Common));
/// assert_eq!(check_new("AnnaBerger1", &["Anna Berger"]), Err(PasswordError::Name));
/// assert_eq!(check_new("cdefghij", &["Anna"]), Err(PasswordError::TooSimple));
/// assert_eq!(check_new("1. e4 e5 2. f4", &["Anna"]), Ok(()));
/// ```
///
/// # Errors
/// If it is too short or too long, common, a name, or too simple; in a sentence for the user.
pub fn check_new(password: &str, names: &[&str]) -> Result<(), PasswordError> {
    validate(password)?;
    let password = folded(password);
    if is_common(&password) {
        return Err(PasswordError::Common);
    }
    let is_name = |name: &&str| is_name(&password, &folded(name));
    if names.iter().any(is_name) {
        return Err(PasswordError::Name);
    }
    match is_simple(&password) {
        true => Err(PasswordError::TooSimple),
        false => Ok(()),
    }
}

/// A password normalised for comparisons: ignoring case and spaces around it.
fn folded(password: &str) -> String {
    normal(password).trim().to_lowercase()
}

/// Hashes a password with a random salt; returns salt, parameters and hash as a PHC string. It blocks.
///
/// ```
/// use touchmove_accounts::password::{hash, verify};
///
/// let kept = hash("1. e4 e5 2. f4")?;
/// assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
/// assert!(verify("1. e4 e5 2. f4", Some(&kept)));
/// assert!(!verify("1. e4 e5 2. Nf3", Some(&kept)));
/// assert!(!verify("1. e4 e5 2. f4", None));
/// # Ok::<(), touchmove_accounts::password::PasswordError>(())
/// ```
///
/// # Errors
/// If it is too short or too long, or there are no random bytes or no memory. [`check_new`] checks whether the
/// password is good enough.
pub fn hash(password: &str) -> Result<String, PasswordError> {
    validate(password)?;
    let failed = |error: &dyn std::fmt::Display| PasswordError::Failed(error.to_string());
    let argon = argon().map_err(|error| failed(&error))?;
    let salt = secret::random_bytes::<16>()?;
    let hash: PasswordHash = argon
        .hash_password_with_salt(normal(password).as_bytes(), &salt)
        .map_err(|error| failed(&error))?;
    Ok(hash.to_string())
}

/// Verifies a password against its hash. Without a hash it returns false after the same time. It blocks.
#[must_use]
pub fn verify(password: &str, kept: Option<&str>) -> bool {
    let parsed = kept.and_then(|kept| PasswordHash::new(kept).ok());
    let is_kept = parsed.is_some();
    let Some(parsed) = parsed.or_else(|| PasswordHash::new(DUMMY_HASH).ok()) else {
        return false;
    };
    // A password that is too long was never hashed; it is not processed, to save time.
    let is_bounded = password.len() <= MAX_PASSWORD_BYTES;
    let password = if is_bounded {
        normal(password)
    } else {
        String::new()
    };
    let is_same = argon().is_ok_and(|argon| {
        let verified = argon.verify_password(password.as_bytes(), &parsed);
        verified.is_ok()
    });
    is_same && is_kept && is_bounded
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn passwords_are_bounded() {
        assert_eq!(validate("1234567"), Err(PasswordError::TooShort));
        assert_eq!(validate("éééééééé"), Ok(()));
        // Seven letters with combining accents count as seven, not eight or more.
        assert_eq!(
            validate(&"e\u{301}".repeat(7)),
            Err(PasswordError::TooShort)
        );
        assert_eq!(validate(&"x".repeat(256)), Ok(()));
        assert_eq!(validate(&"x".repeat(257)), Err(PasswordError::TooLong));
        assert_eq!(hash(&"x".repeat(1_000_000)), Err(PasswordError::TooLong));
        assert!(!verify(&"x".repeat(1_000_000), None));
    }

    #[test]
    fn the_same_password_has_another_hash_each_time_and_is_right_from_every_keyboard() {
        let one = hash("schach-é-matt").unwrap();
        assert_ne!(one, hash("schach-é-matt").unwrap());
        assert!(verify("schach-e\u{301}-matt", Some(&one)));
        assert!(!verify("schach-e-matt", Some(&one)));
        assert!(!verify("", Some(&one)));
        assert!(!verify("schach-é-matt", Some("not a hash")));
    }

    #[test]
    fn nobody_takes_as_long_as_somebody() {
        assert!(
            PasswordHash::new(DUMMY_HASH).is_ok(),
            "else it would be quick"
        );
        let kept = hash("a good password").unwrap();
        let quickest = |kept: Option<&str>| {
            let times = (0..5).map(|_| {
                let start = Instant::now();
                assert!(!verify("a wrong password", kept));
                start.elapsed()
            });
            times.min().unwrap_or(Duration::ZERO)
        };
        let (somebody, nobody) = (quickest(Some(&kept)), quickest(None));
        assert!(nobody * 3 > somebody && somebody * 3 > nobody);
    }
}
