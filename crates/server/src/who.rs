//! Who asks: somebody with an account, or a guest, who is whoever knows a secret that nobody else does.
//!
//! A browser proves it by a cookie, a program by `Authorization: Bearer …`. A guest's secret begins with
//! `guest_` and is his own to choose, if it is long enough; the house keeps only its hash.

use axum::http::{HeaderMap, header};
use sha2::{Digest as _, Sha256};
use touchmove_store::{Digest, Holder, PersonId};

use crate::chance;

/// The name of the cookie.
pub const COOKIE: &str = "touchmove";
/// What a guest's secret begins with.
const GUEST: &str = "guest_";
/// The fewest characters after that: 128 bits in base 62.
const SHORTEST: usize = 22;
/// The longest secret that is looked at.
const LONGEST: usize = 128;

/// Somebody, and how he proved who he is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Who {
    /// Who it is.
    pub holder: Holder,
    /// What he is called, where that is known.
    pub name: Option<String>,
    /// Whether a cookie said so, which a browser sends by itself.
    pub by_cookie: bool,
}

impl Who {
    /// The account, if he has one.
    #[must_use]
    pub const fn person(&self) -> Option<PersonId> {
        match self.holder {
            Holder::Person(person) => Some(person),
            Holder::Guest(_) => None,
        }
    }
}

/// A secret for a new guest.
#[must_use]
pub fn new_guest() -> String {
    format!("{GUEST}{}", chance::text(SHORTEST))
}

/// The hash of a secret.
#[must_use]
pub fn digest(secret: &str) -> Digest {
    Digest(Sha256::digest(secret.as_bytes()).into())
}

/// The guest that a secret belongs to, if it is a guest's.
#[must_use]
pub fn guest(secret: &str) -> Option<Holder> {
    let rest = secret.strip_prefix(GUEST)?;
    let fits = (SHORTEST..=LONGEST).contains(&rest.len())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then(|| Holder::Guest(digest(secret)))
}

/// The secret of a bearer.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

/// The secret in the cookie.
#[must_use]
pub fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, secret)| (name == COOKIE).then_some(secret))
}

/// Who sends these headers; nobody in particular where nothing says so.
#[must_use]
pub fn who(headers: &HeaderMap) -> Option<Who> {
    let by_cookie = bearer(headers).is_none();
    let secret = bearer(headers).or_else(|| cookie(headers))?;
    Some(Who {
        holder: guest(secret)?,
        name: None,
        by_cookie,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (name.clone(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn a_guest_is_known_by_cookie_or_bearer() {
        let secret = new_guest();
        let cookies = format!("a=b; {COOKIE}={secret}; c=d");
        let by_cookie = who(&headers(&[(header::COOKIE, &cookies)])).unwrap();
        let bearing = format!("bearer {secret}");
        let by_bearer = who(&headers(&[(header::AUTHORIZATION, &bearing)])).unwrap();
        assert_eq!(by_cookie.holder, by_bearer.holder);
        assert!(by_cookie.by_cookie && !by_bearer.by_cookie);
    }

    #[test]
    fn a_secret_that_can_be_guessed_is_nobodys() {
        for secret in ["", "guest_", "guest_short", "1234567890123456789012345"] {
            assert_eq!(guest(secret), None, "{secret:?}");
        }
        assert_eq!(guest(&format!("guest_{}", "a".repeat(200))), None);
    }
}
