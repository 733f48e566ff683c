//! Who asks: somebody with an account, or a guest, who is whoever knows a secret that nobody else does.
//!
//! A browser proves it by a cookie, a program by `Authorization: TokenUser …`. A guest's secret begins with
//! `guest_`; the house keeps only its hash. A person's cookie is that of a session, and a program of his shows
//! one of his tokens. Whoever was seen a moment ago is known without asking the store.

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

/// How long somebody is known without asking the store. Whose right has ended is forgotten at once
/// ([`revocations`](crate::auth::revocations)).
const IDENTITY_CACHE_TTL: Duration = Duration::from_secs(10);
/// The most people who are known like that.
const MAX_CACHED_IDENTITIES: usize = 10_000;

/// Somebody, and how he proved who he is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Who it is.
    pub holder: Holder,
    /// What a person is called. What a guest is called [has to be asked](Server::name_of).
    pub name: Option<String>,
    /// Whether it is a program.
    pub kind: PersonKind,
    /// What he may do: everything, unless a token says otherwise.
    pub scopes: Scopes,
    /// Whether a cookie said so, which a browser sends by itself.
    pub by_cookie: bool,
    /// The hash of what proved it: of a session, of a token, or of a guest's secret.
    pub secret: Digest,
}

impl Identity {
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

    /// Whether he may play, as a human being or as a program.
    #[must_use]
    pub const fn may_play(&self) -> bool {
        self.scopes.allow(Scope::BoardPlay) || self.scopes.allow(Scope::BotPlay)
    }

    /// Whether he may see his games that not everybody may see, and what is said at them: by a token to read
    /// the account, or to play.
    #[must_use]
    pub const fn may_see_games(&self) -> bool {
        self.scopes.allow(Scope::AccountRead) || self.may_play()
    }

    /// Refuses to show somebody's own games by a token that is not for that.
    ///
    /// # Errors
    /// If it is not.
    pub fn must_see_games(&self) -> Result<(), ApiError> {
        match self.may_see_games() {
            true => Ok(()),
            false => self.require_scope(Scope::AccountRead),
        }
    }

    /// Refuses what his token does not allow.
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

    /// Refuses to play by a token that is not for playing.
    ///
    /// # Errors
    /// If it is not.
    pub fn require_play_scope(&self) -> Result<(), ApiError> {
        match self.may_play() {
            true => Ok(()),
            false => self.require_scope(Scope::BoardPlay),
        }
    }
}

/// The secret of a bearer.
#[must_use]
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

/// Those who were seen a moment ago.
#[derive(Default)]
pub struct IdentityCache {
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    people: HashMap<Digest, (Identity, Instant)>,
    /// How often somebody was forgotten because his right had ended. Who was looked up before and is kept
    /// after that may be one of them.
    epoch: u64,
}

impl IdentityCache {
    fn find(&self, hash: &Digest) -> Option<Identity> {
        let seen = self.seen.locked();
        let (who, since) = seen.people.get(hash)?;
        (since.elapsed() < IDENTITY_CACHE_TTL).then(|| who.clone())
    }

    /// A number that changes whenever somebody's right has ended.
    fn epoch(&self) -> u64 {
        self.seen.locked().epoch
    }

    /// Keeps somebody who was looked up in this epoch.
    fn insert(&self, hash: Digest, who: &Identity, epoch: u64) {
        let mut seen = self.seen.locked();
        if seen.epoch != epoch {
            return;
        }
        let people = &mut seen.people;
        if people.len() >= MAX_CACHED_IDENTITIES {
            people.retain(|_, (_, since)| since.elapsed() < IDENTITY_CACHE_TTL);
        }
        // Whoever finds no place is asked for again.
        if people.len() < MAX_CACHED_IDENTITIES {
            people.insert(hash, (who.clone(), Instant::now()));
        }
    }

    /// Forgets who showed this secret.
    pub(crate) fn remove(&self, hash: &Digest) {
        self.forget_revoked(&[RevocationTarget::Secret(*hash)]);
    }

    /// Forgets a person, whatever he showed.
    pub(crate) fn remove_person(&self, person: PersonId) {
        self.forget_revoked(&[RevocationTarget::Person(person)]);
    }

    /// Forgets everybody whose right has ended.
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
    /// Who sends these headers; nobody in particular where nothing says so. A cookie whose time is over says
    /// nothing.
    ///
    /// # Errors
    /// If a bearer's secret is none, his account is closed, or the store cannot say.
    pub async fn identify(&self, headers: &HeaderMap) -> Result<Option<Identity>, ApiError> {
        Ok(self.identify_with_cookies(headers).await?.0)
    }

    /// Who sends these headers, and the cookies to set in the place of those of earlier versions.
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
        // Earlier versions kept the guest that he was before he signed in.
        if let Some(value) = cookies.read(headers, CookieName::EarlierGuest)
            && let (Some(guest), Some(person)) =
                (self.cookie_guest(value, false).await?, who.person())
        {
            self.move_seats(guest.hash, person).await?;
            set.extend(cookies.clear(CookieName::EarlierGuest));
        }
        Ok((Some(who), set))
    }

    /// Whether a session is from before cookies had the name that they have now. A later one under the old name
    /// was planted. The old name counts for some weeks after the update, as the cookies of guests do.
    async fn is_old_session(&self, secret: &Secret) -> Result<bool, ApiError> {
        let until = self.keys.since().plus_millis(OLD_COOKIE_LIFETIME_MS);
        if self.pulse.to_moment() >= until {
            return Ok(false);
        }
        let visitor = self.people.authenticate_session(secret.reveal()).await?;
        Ok(visitor.is_some_and(|visitor| visitor.signed_in < self.keys.since()))
    }

    /// Who shows this secret as a bearer.
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

    /// How cookies are named and set here.
    pub(crate) fn cookies(&self) -> CookiePolicy {
        CookiePolicy::of(self.settings.public_url.as_deref())
    }

    /// Revokes a token, here at once.
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

    /// The person that a token or the cookie of a session belongs to.
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

    /// Who sends these headers, if somebody does.
    ///
    /// # Errors
    /// If nobody does, or as for [`Server::identify_with_cookies`].
    pub async fn require_identity(&self, headers: &HeaderMap) -> Result<Identity, ApiError> {
        let who = self.identify(headers).await?;
        who.ok_or_else(|| {
            ApiError::unknown("say who you are: by the cookie, or by Authorization: Bearer")
        })
    }

    /// Who sends these headers, with the cookies to set; a guest without a secret, or with one that this server
    /// did not make, is given one.
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

    /// Refuses a socket that another site has a browser open: it would send our cookie with it.
    ///
    /// # Errors
    /// If it is one.
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
