//! Who asks: somebody with an account, or a guest, who is whoever knows a secret that nobody else does.
//!
//! A browser proves it by a cookie, a program by `Authorization: Bearer …`. A guest's secret begins with
//! `guest_` and is his own to choose, if it is long enough; the house keeps only its hash. A person's cookie
//! is that of a session, and a program of his shows one of his tokens. Whoever was seen a moment ago is known
//! without asking the store.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use sha2::{Digest as _, Sha256};
use tokio::sync::{Semaphore, SemaphorePermit};
use touchmove_people::{Name, Scope, Scopes, Secret, Visitor};
use touchmove_store::{Digest, Holder, Kind, PersonId, Session};

use crate::guard::has_our_origin;
use crate::http::Problem;
use crate::sync::Locked as _;
use crate::{House, chance};

/// The name of the cookie.
pub const COOKIE: &str = "touchmove";
/// The name of the cookie with the secret of the guest that a person was before he signed in: his seats are
/// still his.
pub const BEFORE: &str = "touchmove_guest";
/// What a guest's secret begins with.
const GUEST: &str = "guest_";
/// The fewest characters after that: 128 bits in base 62.
const SHORTEST: usize = 22;
/// The longest secret that is looked at.
const LONGEST: usize = 128;
/// How long somebody is known without asking the store: so long an account that was closed or a token that
/// was revoked elsewhere still opens doors.
const FRESH: Duration = Duration::from_secs(10);
/// The most people who are known like that.
const MOST: usize = 10_000;
/// The most who may wait for their passwords to be looked at.
const LINE: usize = 64;
/// How long the name of a guest is remembered, in milliseconds: half a year.
const GUEST_LASTS: i64 = 182 * 24 * 60 * 60 * 1_000;

/// Somebody, and how he proved who he is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Who {
    /// Who it is.
    pub holder: Holder,
    /// What a person is called. What a guest is called [has to be asked](House::name_of).
    pub name: Option<String>,
    /// Whether it is a program.
    pub kind: Kind,
    /// What he may do: everything, unless a token says otherwise.
    pub scopes: Scopes,
    /// Whether a cookie said so, which a browser sends by itself.
    pub by_cookie: bool,
    /// The guest that he was in this browser before he signed in.
    pub before: Option<Holder>,
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

    /// A guest.
    #[must_use]
    pub const fn guest(holder: Holder, by_cookie: bool) -> Who {
        Who {
            holder,
            name: None,
            kind: Kind::Human,
            scopes: Scopes::ALL,
            by_cookie,
            before: None,
        }
    }

    /// Whether he may play, as a human being or as a program.
    #[must_use]
    pub const fn may_play(&self) -> bool {
        self.scopes.allow(Scope::BoardPlay) || self.scopes.allow(Scope::BotPlay)
    }

    /// Refuses what his token does not allow.
    ///
    /// # Errors
    /// If it does not.
    pub fn must_have(&self, scope: Scope) -> Result<(), Problem> {
        match self.scopes.allow(scope) {
            true => Ok(()),
            false => Err(Problem::forbidden(format!(
                "this token does not allow that: it needs the scope {}",
                scope.word()
            ))),
        }
    }

    /// Refuses to play by a token that is not for playing.
    ///
    /// # Errors
    /// If it is not.
    pub fn must_play(&self) -> Result<(), Problem> {
        match self.may_play() {
            true => Ok(()),
            false => self.must_have(Scope::BoardPlay),
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
    cookie_named(headers, COOKIE)
}

/// The secret of the guest that a browser shows, whether or not somebody has signed in since.
#[must_use]
pub fn guest_before(headers: &HeaderMap) -> Option<&str> {
    let is_guest = |secret: &&str| guest(secret).is_some();
    let now = cookie(headers).filter(is_guest);
    now.or_else(|| cookie_named(headers, BEFORE).filter(is_guest))
}

fn cookie_named<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, secret)| (name == wanted).then_some(secret))
}

/// Those who were seen a moment ago, and those who wait to prove who they are.
pub struct Known {
    seen: Mutex<HashMap<Digest, (Who, Instant)>>,
    signing_in: Semaphore,
}

impl Default for Known {
    fn default() -> Known {
        Known {
            seen: Mutex::default(),
            signing_in: Semaphore::new(LINE),
        }
    }
}

impl Known {
    /// A place in the line of those whose passwords are looked at, which takes a while each.
    ///
    /// # Errors
    /// If the line is too long.
    pub(crate) fn line_up(&self) -> Result<SemaphorePermit<'_>, Problem> {
        let full = || Problem::busy("too many people sign in at once: try again in a moment");
        self.signing_in.try_acquire().map_err(|_| full())
    }

    fn find(&self, hash: &Digest) -> Option<Who> {
        let seen = self.seen.locked();
        let (who, since) = seen.get(hash)?;
        (since.elapsed() < FRESH).then(|| who.clone())
    }

    fn keep(&self, hash: Digest, who: &Who) {
        let mut seen = self.seen.locked();
        if seen.len() >= MOST {
            seen.retain(|_, (_, since)| since.elapsed() < FRESH);
        }
        // Whoever finds no place is asked for again.
        if seen.len() < MOST {
            seen.insert(hash, (who.clone(), Instant::now()));
        }
    }

    /// Forgets who showed this secret.
    pub(crate) fn forget(&self, hash: &Digest) {
        self.seen.locked().remove(hash);
    }

    /// Forgets a person, whatever he showed.
    pub(crate) fn forget_person(&self, person: PersonId) {
        let is_other = |who: &Who| who.person() != Some(person);
        self.seen.locked().retain(|_, (who, _)| is_other(who));
    }
}

impl House {
    /// Who sends these headers; nobody in particular where nothing says so. A cookie whose time is over says
    /// nothing.
    ///
    /// # Errors
    /// If a bearer's secret is none, his account is closed, or the store cannot say.
    pub async fn who(&self, headers: &HeaderMap) -> Result<Option<Who>, Problem> {
        let (secret, by_cookie) = match (bearer(headers), cookie(headers)) {
            (Some(secret), _) => (secret, false),
            (None, Some(secret)) => (secret, true),
            (None, None) => return Ok(None),
        };
        if let Some(holder) = guest(secret) {
            return Ok(Some(Who::guest(holder, by_cookie)));
        }
        let found = match Secret::read(secret) {
            Some(secret) if secret.is_token() != by_cookie => self.person(&secret).await?,
            _ => None,
        };
        match found {
            None if !by_cookie => Err(Problem::unknown(
                "this token is not valid: it was never given, has expired or was revoked",
            )),
            found => Ok(found.map(|who| Who {
                before: match by_cookie {
                    true => guest_before(headers).and_then(guest),
                    false => None,
                },
                ..who
            })),
        }
    }

    /// The person that a token or the cookie of a session belongs to.
    async fn person(&self, secret: &Secret) -> Result<Option<Who>, Problem> {
        let hash = secret.digest();
        if let Some(who) = self.known.find(&hash) {
            return Ok(Some(who));
        }
        let (person, scopes) = match secret.is_token() {
            true => match self.people.who(secret.reveal()).await? {
                Some(bearer) => (bearer.person, bearer.scopes),
                None => return Ok(None),
            },
            false => match self.people.visitor(secret.reveal()).await? {
                Some(Visitor::Person(person)) => (person, Scopes::ALL),
                Some(Visitor::Guest { .. }) | None => return Ok(None),
            },
        };
        let who = Who {
            holder: Holder::Person(person.id),
            name: Some(person.name),
            kind: person.kind,
            scopes,
            by_cookie: !secret.is_token(),
            before: None,
        };
        self.known.keep(hash, &who);
        Ok(Some(who))
    }

    /// Who sends these headers, if somebody does.
    ///
    /// # Errors
    /// If nobody does, or as for [`House::who`].
    pub async fn must_know(&self, headers: &HeaderMap) -> Result<Who, Problem> {
        let who = self.who(headers).await?;
        who.ok_or_else(|| {
            Problem::unknown("say who you are: by the cookie, or by Authorization: Bearer")
        })
    }

    /// Who sends these headers; a guest without a secret is given one, with the cookie to send back.
    pub(crate) async fn welcome(
        &self,
        headers: &HeaderMap,
    ) -> Result<(Who, Option<String>), Problem> {
        if let Some(who) = self.who(headers).await? {
            return Ok((who, None));
        }
        let secret = new_guest();
        let who = Who::guest(Holder::Guest(digest(&secret)), true);
        Ok((who, Some(self.cookie(&secret))))
    }

    /// What somebody is called, if he has said so.
    ///
    /// # Errors
    /// If the store cannot say.
    pub async fn name_of(&self, who: &Who) -> Result<Option<String>, Problem> {
        match who.holder {
            Holder::Person(_) => Ok(who.name.clone()),
            Holder::Guest(hash) => {
                let session = self.store.session(hash, self.pulse.moment()).await?;
                Ok(session.and_then(|session| session.name))
            }
        }
    }

    /// What somebody is called at a table. A guest may call himself anything that is nobody's name, or
    /// nothing.
    ///
    /// # Errors
    /// If a guest cannot be called that.
    pub(crate) async fn name_at_table(
        &self,
        who: &Who,
        said: Option<&str>,
    ) -> Result<String, Problem> {
        match (&who.name, said.map(str::trim)) {
            (Some(name), _) => Ok(name.clone()),
            (None, None) => Ok(self.name_of(who).await?.unwrap_or_default()),
            (None, Some("")) => Ok(String::new()),
            (None, Some(said)) => Ok(self.guest_name(said).await?.to_string()),
        }
    }

    async fn guest_name(&self, said: &str) -> Result<Name, Problem> {
        let name = Name::guest(said).map_err(touchmove_people::Error::from)?;
        match self.people.is_taken(&name).await? {
            true => {
                let name = name.to_string();
                Err(touchmove_people::Error::NameTaken { name }.into())
            }
            false => Ok(name),
        }
    }

    /// Remembers what a guest calls himself.
    pub(crate) async fn call_guest(&self, hash: Digest, said: &str) -> Result<(), Problem> {
        let name = match said.trim() {
            "" => None,
            said => Some(self.guest_name(said).await?.to_string()),
        };
        let now = self.pulse.moment();
        let session = Session {
            hash,
            holder: Holder::Guest(hash),
            name,
            created: now,
            expires: now.plus_millis(GUEST_LASTS),
        };
        Ok(self.store.add_session(session).await?)
    }

    /// Refuses a socket that another site has a browser open: it would send our cookie with it.
    ///
    /// # Errors
    /// If it is one.
    pub(crate) fn check_origin(
        &self,
        who: Option<&Who>,
        headers: &HeaderMap,
    ) -> Result<(), Problem> {
        let is_by_cookie = who.is_some_and(|who| who.by_cookie);
        if is_by_cookie && !has_our_origin(headers, self.settings.public_url.as_deref()) {
            return Err(Problem::forbidden(
                "this socket was not opened by our own page: it has another Origin",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_in_a_cookie_or_with_a_bearer() {
        let secret = new_guest();
        let mut headers = HeaderMap::new();
        let cookies = format!("a=b; {COOKIE}={secret}; c=d");
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        assert_eq!(cookie(&headers), Some(secret.as_str()));
        let bearing = format!("bearer {secret}");
        headers.insert(header::AUTHORIZATION, bearing.parse().unwrap());
        assert_eq!(bearer(&headers), Some(secret.as_str()));
        assert_eq!(guest(&secret), Some(Holder::Guest(digest(&secret))));
    }

    #[test]
    fn a_secret_that_can_be_guessed_is_nobodys() {
        for secret in ["", "guest_", "guest_short", "1234567890123456789012345"] {
            assert_eq!(guest(secret), None, "{secret:?}");
        }
        assert_eq!(guest(&format!("guest_{}", "a".repeat(200))), None);
    }

    #[test]
    fn no_more_are_known_than_there_is_room_for() {
        let known = Known::default();
        let hash = |number: usize| digest(&number.to_string());
        for number in 0..MOST + 10 {
            let who = Who::guest(Holder::Guest(hash(number)), false);
            known.keep(hash(number), &who);
        }
        assert!(known.find(&hash(0)).is_some() && known.find(&hash(MOST + 1)).is_none());
        known.forget(&hash(0));
        assert!(known.find(&hash(0)).is_none());
        assert_eq!(known.seen.locked().len(), MOST - 1);
    }
}
