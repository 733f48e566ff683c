//! Identities: who sends a request, an account or a guest, and how they proved it.
//!
//! A browser proves it by a cookie, a program by `Authorization: Bearer …`. A guest's secret begins with `guest_`;
//! only its hash is stored. The cookie of an account is that of a login session, and its programs send one of its
//! tokens. Identities are cached for a few seconds, so that the store is not asked for every request.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};
use touchmove_accounts::{Scope, Scopes, Secret};
use touchmove_store::{Digest, Holder, PersonId, PersonKind, RevocationTarget};

use crate::Server;
use crate::api::ApiError;
use crate::auth::cookies::{CookieName, CookiePolicy};
use crate::auth::guests::OLD_COOKIE_LIFETIME_MS;
pub use crate::auth::guests::{digest, guest};
use crate::lock_ext::LockExt as _;
use crate::security::has_own_origin_header;

/// How long an identity is cached. Revoked ones leave the cache at once ([`revocations`](crate::auth::revocations)).
const IDENTITY_CACHE_TTL: Duration = Duration::from_secs(10);
/// The most identities that are cached.
const MAX_CACHED_IDENTITIES: usize = 10_000;

/// An account or guest, and how they proved who they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The account or guest.
    pub holder: Holder,
    /// The name of an account. For a guest's name, call [`Server::name_of`].
    pub name: Option<String>,
    /// Whether it is a human or a bot.
    pub kind: PersonKind,
    /// What the request may do: everything, unless a token says otherwise.
    pub scopes: Scopes,
    /// Whether a cookie proved it, which a browser sends by itself.
    pub by_cookie: bool,
    /// The hash of the session, token or guest's secret that proved it.
    pub secret: Digest,
}

impl Identity {
    /// The account, if there is one.
    #[must_use]
    pub const fn person(&self) -> Option<PersonId> {
        match self.holder {
            Holder::Person(person) => Some(person),
            Holder::Guest(_) => None,
        }
    }

    /// The identity of a guest.
    #[must_use]
    pub const fn guest(secret: Digest, by_cookie: bool) -> Identity {
        Identity {
            holder: Holder::Guest(secret),
            name: None,
            kind: PersonKind::Human,
            scopes: Scopes::ALL,
            by_cookie,
            secret,
        }
    }

    /// Whether it may play, as a human or as a bot.
    #[must_use]
    pub const fn may_play(&self) -> bool {
        self.scopes.allow(Scope::BoardPlay) || self.scopes.allow(Scope::BotPlay)
    }

    /// Whether it may see its own private games and their chat: with a token to read the account, or to play.
    #[must_use]
    pub const fn may_see_games(&self) -> bool {
        self.scopes.allow(Scope::AccountRead) || self.may_play()
    }

    /// Checks that the token allows showing the account's own games.
    ///
    /// # Errors
    /// If it does not.
    pub fn must_see_games(&self) -> Result<(), ApiError> {
        match self.may_see_games() {
            true => Ok(()),
            false => self.require_scope(Scope::AccountRead),
        }
    }

    /// Checks that the token has a scope.
    ///
    /// # Errors
    /// If it does not.
    pub fn require_scope(&self, scope: Scope) -> Result<(), ApiError> {
        match self.scopes.allow(scope) {
            true => Ok(()),
            false => Err(ApiError::forbidden(format!(
                "this token does not allow that: it needs the scope {}",
                scope.word()
            ))),
        }
    }

    /// Checks that the token allows playing.
    ///
    /// # Errors
    /// If it does not.
    pub fn require_play_scope(&self) -> Result<(), ApiError> {
        match self.may_play() {
            true => Ok(()),
            false => self.require_scope(Scope::BoardPlay),
        }
    }
}

/// The bearer secret in the headers.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

/// The cache of identities that were looked up recently.
#[derive(Default)]
pub struct IdentityCache {
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    people: HashMap<Digest, (Identity, Instant)>,
    /// How often identities were removed because of revocations. A lookup that began in an earlier epoch may return
    /// one of them, so it is not cached.
    epoch: u64,
}

impl IdentityCache {
    fn find(&self, hash: &Digest) -> Option<Identity> {
        let seen = self.seen.locked();
        let (who, since) = seen.people.get(hash)?;
        (since.elapsed() < IDENTITY_CACHE_TTL).then(|| who.clone())
    }

    /// A number that changes with every revocation.
    fn epoch(&self) -> u64 {
        self.seen.locked().epoch
    }

    /// Caches an identity that was looked up in this epoch.
    fn insert(&self, hash: Digest, who: &Identity, epoch: u64) {
        let mut seen = self.seen.locked();
        if seen.epoch != epoch {
            return;
        }
        let people = &mut seen.people;
        if people.len() >= MAX_CACHED_IDENTITIES {
            people.retain(|_, (_, since)| since.elapsed() < IDENTITY_CACHE_TTL);
        }
        // When the cache is full, the identity is simply looked up again.
        if people.len() < MAX_CACHED_IDENTITIES {
            people.insert(hash, (who.clone(), Instant::now()));
        }
    }

    /// Removes the identity with this secret.
    pub(crate) fn remove(&self, hash: &Digest) {
        self.forget_revoked(&[RevocationTarget::Secret(*hash)]);
    }

    /// Removes an account, whatever secrets it has.
    pub(crate) fn remove_person(&self, person: PersonId) {
        self.forget_revoked(&[RevocationTarget::Person(person)]);
    }

    /// Removes everything that these revocations concern.
    pub(crate) fn forget_revoked(&self, targets: &[RevocationTarget]) {
        let mut seen = self.seen.locked();
        seen.epoch += 1;
        for target in targets {
            match target {
                RevocationTarget::Secret(hash) => drop(seen.people.remove(hash)),
                RevocationTarget::Person(person) => {
                    let is_other = |who: &Identity| who.person() != Some(*person);
                    seen.people.retain(|_, (who, _)| is_other(who));
                }
            }
        }
    }
}

impl Server {
    /// Identifies the sender of a request; `None` without credentials. An expired cookie counts as none.
    ///
    /// # Errors
    /// If a bearer secret is invalid, its account is closed, or the store fails.
    pub async fn identify(&self, headers: &HeaderMap) -> Result<Option<Identity>, ApiError> {
        Ok(self.identify_with_cookies(headers).await?.0)
    }

    /// Identifies the sender of a request, and returns cookies to replace those of earlier versions.
    pub(crate) async fn identify_with_cookies(
        &self,
        headers: &HeaderMap,
    ) -> Result<(Option<Identity>, Vec<String>), ApiError> {
        if let Some(secret) = bearer(headers) {
            return Ok((Some(self.bearer(secret).await?), Vec::new()));
        }
        let cookies = self.cookies();
        let nobody = Ok((None, Vec::new()));
        let (value, has_old_name) = match cookies.read(headers, CookieName::Identity) {
            Some(value) => (value, false),
            None => match cookies.read_old(headers, CookieName::Identity) {
                Some(value) => (value, true),
                None => return nobody,
            },
        };
        if let Some(guest) = self.cookie_guest(value, has_old_name).await? {
            let who = Identity::guest(guest.hash, true);
            let set = match guest.is_old {
                true => cookies.replace_old(CookieName::Identity, &guest.value(self)),
                false => Vec::new(),
            };
            return Ok((Some(who), set));
        }
        let Some(secret) = Secret::read(value).filter(|secret| !secret.is_token()) else {
            return nobody;
        };
        if has_old_name && !self.is_old_session(&secret).await? {
            return nobody;
        }
        let Some(who) = self.person(&secret).await? else {
            return nobody;
        };
        let mut set = match has_old_name {
            true => cookies.replace_old(CookieName::Identity, value),
            false => Vec::new(),
        };
        // Earlier versions kept the guest that an account was before signing in.
        if let Some(value) = cookies.read(headers, CookieName::EarlierGuest)
            && let (Some(guest), Some(person)) =
                (self.cookie_guest(value, false).await?, who.person())
        {
            self.move_seats(guest.hash, person).await?;
            set.extend(cookies.clear(CookieName::EarlierGuest));
        }
        Ok((Some(who), set))
    }

    /// Whether a session is from before the cookies were renamed. A newer session under the old name was planted. The
    /// old name is accepted for some weeks after the upgrade, as for guests.
    async fn is_old_session(&self, secret: &Secret) -> Result<bool, ApiError> {
        let until = self.keys.since().plus_millis(OLD_COOKIE_LIFETIME_MS);
        if self.pulse.to_moment() >= until {
            return Ok(false);
        }
        let visitor = self.people.authenticate_session(secret.reveal()).await?;
        Ok(visitor.is_some_and(|visitor| visitor.signed_in < self.keys.since()))
    }

    /// Identifies a bearer secret.
    async fn bearer(&self, secret: &str) -> Result<Identity, ApiError> {
        if let Some(hash) = guest(secret) {
            return Ok(Identity::guest(hash, false));
        }
        let found = match Secret::read(secret) {
            Some(secret) if secret.is_token() => self.person(&secret).await?,
            _ => None,
        };
        found.ok_or_else(|| {
            ApiError::unknown(
                "this token is not valid: it was never given, has expired or was revoked",
            )
        })
    }

    /// The cookie policy of this server.
    pub(crate) fn cookies(&self) -> CookiePolicy {
        CookiePolicy::of(self.settings.public_url.as_deref())
    }

    /// Revokes a token, on this node at once.
    pub(crate) async fn revoke_token(&self, hash: Digest) -> Result<(), ApiError> {
        if self
            .store
            .revoke_token(hash, self.pulse.to_moment())
            .await?
        {
            self.known.remove(&hash);
            self.announce_revocation();
        }
        Ok(())
    }

    /// The account that a token or a session cookie belongs to.
    async fn person(&self, secret: &Secret) -> Result<Option<Identity>, ApiError> {
        let hash = secret.digest();
        if let Some(who) = self.known.find(&hash) {
            return Ok(Some(who));
        }
        let epoch = self.known.epoch();
        let (person, scopes) = match secret.is_token() {
            true => match self.people.authenticate_token(secret.reveal()).await? {
                Some(bearer) => (bearer.person, bearer.scopes),
                None => return Ok(None),
            },
            false => match self.people.authenticate_session(secret.reveal()).await? {
                Some(visitor) => (visitor.person, Scopes::ALL),
                None => return Ok(None),
            },
        };
        let who = Identity {
            holder: Holder::Person(person.id),
            name: Some(person.name),
            kind: person.kind,
            scopes,
            by_cookie: !secret.is_token(),
            secret: hash,
        };
        self.known.insert(hash, &who, epoch);
        Ok(Some(who))
    }

    /// Identifies the sender of a request, which must have credentials.
    ///
    /// # Errors
    /// If it has none, or as for [`Server::identify`].
    pub async fn require_identity(&self, headers: &HeaderMap) -> Result<Identity, ApiError> {
        let who = self.identify(headers).await?;
        who.ok_or_else(|| {
            ApiError::unknown("say who you are: by the cookie, or by Authorization: Bearer")
        })
    }

    /// Identifies the sender of a request, with cookies to set; a guest without a secret, or with one that this
    /// server did not issue, gets a new one.
    pub(crate) async fn identify_or_create_guest(
        &self,
        headers: &HeaderMap,
    ) -> Result<(Identity, Vec<String>), ApiError> {
        if let (Some(who), set) = self.identify_with_cookies(headers).await? {
            return Ok((who, set));
        }
        let (secret, value) = self.new_guest();
        let set = self.cookies().set(CookieName::Identity, &value);
        Ok((Identity::guest(secret, true), vec![set]))
    }

    /// Refuses a WebSocket that another site made the browser open: the browser would send our cookie with it.
    ///
    /// # Errors
    /// If another site opened it.
    pub(crate) fn check_origin(
        &self,
        who: Option<&Identity>,
        headers: &HeaderMap,
    ) -> Result<(), ApiError> {
        let is_by_cookie = who.is_some_and(|who| who.by_cookie);
        if is_by_cookie && !has_own_origin_header(headers, self.settings.public_url.as_deref()) {
            return Err(ApiError::forbidden(
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
    fn a_secret_is_found_with_a_bearer() {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, "bearer guest_x".parse().unwrap());
        assert_eq!(bearer(&headers), Some("guest_x"));
    }

    #[test]
    fn no_more_are_known_than_there_is_room_for() {
        let known = IdentityCache::default();
        let hash = |number: usize| digest(&number.to_string());
        for number in 0..MAX_CACHED_IDENTITIES + 10 {
            let who = Identity::guest(hash(number), false);
            known.insert(hash(number), &who, known.epoch());
        }
        assert!(
            known.find(&hash(0)).is_some()
                && known.find(&hash(MAX_CACHED_IDENTITIES + 1)).is_none()
        );
        known.remove(&hash(0));
        assert!(known.find(&hash(0)).is_none());
        assert_eq!(known.seen.locked().people.len(), MAX_CACHED_IDENTITIES - 1);
    }

    #[test]
    fn who_was_looked_up_before_his_right_ended_is_not_kept_after_it() {
        let known = IdentityCache::default();
        let (hash, epoch) = (digest("a token"), known.epoch());
        let who = Identity::guest(hash, false);
        known.forget_revoked(&[RevocationTarget::Secret(hash)]);
        known.insert(hash, &who, epoch);
        assert!(known.find(&hash).is_none());
        known.insert(hash, &who, known.epoch());
        assert!(known.find(&hash).is_some());
    }
}
