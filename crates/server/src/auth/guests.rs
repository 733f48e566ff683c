//! Guests: their secrets and their names.
//!
//! A guest is whoever knows a secret. Programs choose theirs and send it as `Authorization: Bearer`. A browser gets
//! one in a cookie, with a tag that proves that this server issued it: what another site has planted in the browser
//! has no tag, and is rejected. The two kinds have different prefixes, and neither is accepted as the other. A guest
//! who signs in takes their seats along: from then on the secret gives no access to them. A guest's name is kept in
//! memory until they take a seat or make an offer; only then is it stored.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use lru::LruCache;
use sha2::{Digest as _, Sha256};
use touchmove_accounts::Name;
use touchmove_store::{Digest, GameCursor, GameQuery, Holder, LoginSession, PersonId, limits};

use crate::api::ApiError;
use crate::auth::identity::Identity;
use crate::lock_ext::LockExt as _;
use crate::{Server, random};

/// The prefix of a guest's secret in a program; before there were tags, that of a browser too.
const PREFIX: &str = "guest_";
/// The prefix of a guest's secret in a browser.
const COOKIE_PREFIX: &str = "browser_";
/// The fewest characters after the prefix: 128 bits in base 62.
const MIN_SECRET_CHARS: usize = 22;
/// The most characters after the prefix.
const MAX_SECRET_CHARS: usize = 128;
/// How long the name of a guest who has taken a seat is stored, in milliseconds: half a year.
pub(crate) const GUEST_NAME_LIFETIME_MS: i64 = 182 * 24 * 60 * 60 * 1_000;
/// The most names of guests without a seat in memory.
pub(crate) const MAX_NAMES: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

/// The hash of a secret.
#[must_use]
pub fn digest(secret: &str) -> Digest {
    Digest(Sha256::digest(secret.as_bytes()).into())
}

/// For how long after an upgrade the cookies of earlier versions are accepted, in milliseconds: those of guests
/// without a tag, and those of sessions under the old name. 30 days.
pub(crate) const OLD_COOKIE_LIFETIME_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// The hash of a bearer secret, if it is a guest's.
#[must_use]
pub fn guest(secret: &str) -> Option<Digest> {
    guest_digest(secret, PREFIX)
}

fn guest_digest(secret: &str, prefix: &str) -> Option<Digest> {
    let rest = secret.strip_prefix(prefix)?;
    let fits = (MIN_SECRET_CHARS..=MAX_SECRET_CHARS).contains(&rest.len())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then(|| digest(secret))
}

/// The names of guests without a seat, in an LRU cache.
pub(crate) struct GuestNames(Mutex<LruCache<Digest, String>>);

impl Default for GuestNames {
    fn default() -> GuestNames {
        GuestNames(Mutex::new(LruCache::new(MAX_NAMES)))
    }
}

impl GuestNames {
    fn find(&self, guest: &Digest) -> Option<String> {
        self.0.locked().get(guest).cloned()
    }

    fn keep(&self, guest: Digest, name: Option<String>) {
        let mut names = self.0.locked();
        match name {
            Some(name) => drop(names.put(guest, name)),
            None => drop(names.pop(&guest)),
        }
    }
}

/// A guest identified by a cookie.
pub(crate) struct CookieGuest<'a> {
    /// The hash of the secret.
    pub(crate) hash: Digest,
    secret: &'a str,
    /// Whether the cookie must be set again because it is from before there were tags.
    pub(crate) is_old: bool,
}

impl CookieGuest<'_> {
    /// The value of the cookie, with its tag.
    pub(crate) fn value(&self, server: &Server) -> String {
        server.tagged(self.secret)
    }
}

impl Server {
    fn tagged(&self, secret: &str) -> String {
        format!("{secret}.{}", self.keys.guest_tag(secret))
    }

    /// Creates a guest: the hash of the new secret, and the value of the cookie.
    pub(crate) fn new_guest(&self) -> (Digest, String) {
        let secret = format!("{COOKIE_PREFIX}{}", random::random_base62(MIN_SECRET_CHARS));
        (digest(&secret), self.tagged(&secret))
    }

    /// The guest that a cookie identifies, if this server issued its secret. A cookie without a tag may be from an
    /// earlier version: it is accepted for some weeks, if the guest has held a seat since before there were tags. A
    /// cookie under the name of earlier versions is accepted only under the same condition.
    pub(crate) async fn cookie_guest<'a>(
        &self,
        value: &'a str,
        has_old_name: bool,
    ) -> Result<Option<CookieGuest<'a>>, ApiError> {
        let (secret, tag) = match value.split_once('.') {
            Some((secret, tag)) => (secret, Some(tag)),
            None => (value, None),
        };
        let Some(hash) = guest_digest(secret, COOKIE_PREFIX).or_else(|| guest(secret)) else {
            return Ok(None);
        };
        let is_old = match tag {
            Some(tag) if !has_old_name && self.keys.is_guest_tag(secret, tag) => false,
            Some(_) => return Ok(None),
            None if self.has_old_seat(Holder::Guest(hash)).await? => true,
            None => return Ok(None),
        };
        Ok(Some(CookieGuest {
            hash,
            secret,
            is_old,
        }))
    }

    /// Whether a guest has a seat from before this server put tags on secrets.
    async fn has_old_seat(&self, holder: Holder) -> Result<bool, ApiError> {
        let until = self.keys.since().plus_millis(OLD_COOKIE_LIFETIME_MS);
        if self.pulse.to_moment() >= until {
            return Ok(false);
        }
        let query = GameQuery {
            holder: Some(holder),
            ..GameQuery::default()
        };
        let since = GameCursor {
            created: self.keys.since(),
            id: crate::games::new_game::new_game_id(),
        };
        let page = self.store.list_games(query, Some(since), 1).await?;
        Ok(!page.games.is_empty())
    }

    /// Moves the seats of a guest to the account they signed in to. The guest's secret no longer gives access to
    /// them, and its connections close. A guest may have any number of games: each transaction moves the seats of a
    /// few hundred, so that the moves of others are written in between.
    pub(crate) async fn move_seats(&self, guest: Digest, person: PersonId) -> Result<(), ApiError> {
        loop {
            let moving = self.store.move_seats(guest, person, limits::MAX_ROWS);
            let games = moving.await?;
            for table in games.iter().filter_map(|&game| self.tables.get(game)) {
                table.read_holders(self).await?;
            }
            self.announce_revocation();
            if games.len() < limits::MAX_ROWS {
                return Ok(());
            }
        }
    }

    /// The name of an account or guest, if it has one.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn name_of(&self, who: &Identity) -> Result<Option<String>, ApiError> {
        let Holder::Guest(hash) = who.holder else {
            return Ok(who.name.clone());
        };
        let session = self.store.session(hash, self.pulse.to_moment()).await?;
        Ok(match session {
            Some(session) => session.name,
            None => self.guest_names.find(&hash),
        })
    }

    /// The name of a player at a table. A guest may choose any name that no account has, or none.
    ///
    /// # Errors
    /// If a guest may not use that name.
    pub(crate) async fn name_at_table(
        &self,
        who: &Identity,
        said: Option<&str>,
    ) -> Result<String, ApiError> {
        match (&who.name, said.map(str::trim)) {
            (Some(name), _) => Ok(name.clone()),
            (None, None) => Ok(self.name_of(who).await?.unwrap_or_default()),
            (None, Some("")) => Ok(String::new()),
            (None, Some(said)) => Ok(self.guest_name(said).await?.to_string()),
        }
    }

    async fn guest_name(&self, said: &str) -> Result<Name, ApiError> {
        let name = Name::guest(said).map_err(touchmove_accounts::Error::from)?;
        match self.people.name_is_taken(&name).await? {
            true => {
                let name = name.to_string();
                Err(touchmove_accounts::Error::NameTaken { name }.into())
            }
            false => Ok(name),
        }
    }

    /// Sets the name of a guest: in the store if the guest is known there, otherwise in memory.
    pub(crate) async fn call_guest(&self, hash: Digest, said: &str) -> Result<(), ApiError> {
        let name = match said.trim() {
            "" => None,
            said => Some(self.guest_name(said).await?.to_string()),
        };
        match self.store.session(hash, self.pulse.to_moment()).await? {
            Some(_) => self.write_guest_name(hash, name).await,
            None => {
                self.guest_names.keep(hash, name);
                Ok(())
            }
        }
    }

    /// Stores the name of a guest who has taken a seat or made an offer. If that fails, the seat is kept.
    pub(crate) async fn keep_guest_name(&self, who: &Identity) {
        let Holder::Guest(hash) = who.holder else {
            return;
        };
        let Some(name) = self.guest_names.find(&hash) else {
            return;
        };
        match self.write_guest_name(hash, Some(name)).await {
            Ok(()) => self.guest_names.keep(hash, None),
            Err(problem) => tracing::warn!(?problem, "the name of a guest could not be written"),
        }
    }

    async fn write_guest_name(&self, hash: Digest, name: Option<String>) -> Result<(), ApiError> {
        let now = self.pulse.to_moment();
        let session = LoginSession {
            hash,
            holder: Holder::Guest(hash),
            name,
            created: now,
            expires: now.plus_millis(GUEST_NAME_LIFETIME_MS),
        };
        Ok(self.store.add_session(session).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_can_be_guessed_is_nobodys() {
        for secret in ["", "guest_", "guest_short", "1234567890123456789012345"] {
            assert_eq!(guest(secret), None, "{secret:?}");
        }
        assert_eq!(guest(&format!("guest_{}", "a".repeat(200))), None);
        let secret = format!("guest_{}", "a".repeat(22));
        assert_eq!(guest(&secret), Some(digest(&secret)));
        // A browser's secret is not accepted from a program.
        let secret = format!("{COOKIE_PREFIX}{}", "a".repeat(22));
        assert_eq!(guest(&secret), None);
        assert!(guest_digest(&secret, COOKIE_PREFIX).is_some());
    }

    #[test]
    fn names_in_memory_are_bounded_and_the_oldest_go_first() {
        let names = GuestNames::default();
        let hash = |number: usize| digest(&number.to_string());
        let most = MAX_NAMES.get();
        for number in 0..most + 10 {
            names.keep(hash(number), Some(number.to_string()));
        }
        assert_eq!(names.0.locked().len(), most);
        assert_eq!(names.find(&hash(9)), None);
        assert_eq!(names.find(&hash(10)).as_deref(), Some("10"));
        names.keep(hash(10), None);
        assert_eq!(names.find(&hash(10)), None);
    }
}
