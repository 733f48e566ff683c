//! Accounts, sessions of browsers and API tokens of programs, on top of any store. Guests have no account; what
//! an account may do with a game is decided elsewhere.

use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};
use touchmove_store::{
    AddPersonResult, Holder, LoginSession, Moment, Person, PersonChanges, PersonId, PersonKind,
    Store, Token,
};

use crate::password::{self, PasswordError};
use crate::{Error, Name, Scopes, Secret, new_id};

/// The name of the product, which must not be anybody's password.
const PRODUCT: &str = "touchmove";
/// Concurrent password hashes: each takes 19 MiB and a CPU core.
const MAX_CONCURRENT_HASHES: usize = 2;
/// The lifetime of a session after its last use, in milliseconds: 30 days.
pub const SESSION_LIFETIME_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// The last use of a token is recorded again only after this time, in milliseconds; stores do not write it more
/// often either.
const TOKEN_USE_GRANULARITY_MILLIS: i64 = 10 * 60 * 1_000;
/// The default lifetime of a token: a year.
pub const TOKEN_LIFETIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// The most valid tokens of an account.
const MAX_VALID_TOKENS: usize = 100;
/// The most bytes of a token's label.
const MAX_TOKEN_LABEL_BYTES: usize = 100;

/// Registers and authenticates accounts. It can be shared between tasks: passwords are hashed on threads of
/// their own, a few at a time.
///
/// ```
/// use std::sync::Arc;
/// use touchmove_accounts::{Name, Accounts, Scope, Scopes};
/// use touchmove_store::{PersonKind, Sqlite};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("touchmove-accounts-{}", std::process::id()));
/// let people = Accounts::new(Arc::new(Sqlite::open(folder.join("touchmove.db"))?));
/// let name = Name::account("Anna")?;
/// let anna = people.register(&name, PersonKind::Human, Some("1. e4 e5 2. f4")).await?;
///
/// // A browser signs in with the password, and has a cookie from then on.
/// let (cookie, _) = people.sign_in("anna", "1. e4 e5 2. f4").await?;
/// let visitor = people.authenticate_session(cookie.reveal()).await?.expect("a session");
/// assert_eq!(visitor.person.name, "Anna");
///
/// // A program has a token.
/// let (token, _) = people.issue_token(&anna, "my board", Scopes::ALL, None).await?;
/// let bearer = people.authenticate_token(token.reveal()).await?.expect("a valid token");
/// assert!(bearer.person.id == anna.id && bearer.scopes.allow(Scope::BoardPlay));
/// # drop(people);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Accounts {
    store: Arc<dyn Store>,
    hashing: Arc<Semaphore>,
}

impl fmt::Debug for Accounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("People(..)")
    }
}

/// The user of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionUser {
    /// The account.
    pub person: Person,
    /// When the user signed in.
    pub signed_in: Moment,
}

/// The user of a token, and what the token allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenUser {
    /// The account.
    pub person: Person,
    /// The scopes of the token.
    pub scopes: Scopes,
    /// When the token expires, if it does.
    pub expires: Option<Moment>,
}

/// The first digits of a token's hash, by which its owner can refer to it.
///
/// ```
/// use touchmove_accounts::token_handle;
/// use touchmove_store::Digest;
///
/// assert_eq!(token_handle(&Digest([0xa5; 32])), "a5a5a5a5a5");
/// ```
#[must_use]
pub fn token_handle(hash: &touchmove_store::Digest) -> String {
    let bytes = hash.0.iter().take(5);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

impl Accounts {
    /// The accounts in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Accounts {
        let hashing = Arc::new(Semaphore::new(MAX_CONCURRENT_HASHES));
        Accounts { store, hashing }
    }

    // ---- accounts

    /// Creates an account. Without a password it can be used by tokens only.
    ///
    /// # Errors
    /// If the name is taken or looks like one that is, if the password is refused, or if the store fails.
    pub async fn register(
        &self,
        name: &Name,
        kind: PersonKind,
        password: Option<&str>,
    ) -> Result<Person, Error> {
        let taken = || Error::NameTaken {
            name: name.to_string(),
        };
        // Checked before the expensive hashing; the store catches what happens meanwhile.
        if self.name_is_taken(name).await? {
            return Err(taken());
        }
        let password = match password {
            Some(password) => Some(self.hash_new(password, name.as_str()).await?),
            None => None,
        };
        loop {
            let person = Person {
                id: new_id()?,
                name: name.to_string(),
                skeleton: name.skeleton().to_owned(),
                kind,
                password: password.clone(),
                created: self.store.now().await?,
                disabled: None,
            };
            match self.store.add_person(person.clone()).await? {
                AddPersonResult::Written | AddPersonResult::Already => return Ok(person),
                AddPersonResult::NameTaken => return Err(taken()),
                AddPersonResult::IdTaken => {}
            }
        }
    }

    /// Whether an account has this name or one that looks like it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn name_is_taken(&self, name: &Name) -> Result<bool, Error> {
        let skeleton = name.skeleton().to_owned();
        Ok(self.store.person_named(skeleton).await?.is_some())
    }

    /// Finds the account with this name, ignoring case; a name that only looks like it does not match.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn find(&self, name: &str) -> Result<Option<Person>, Error> {
        let Ok(name) = Name::account(name) else {
            return Ok(None);
        };
        let found = self.store.person_named(name.skeleton().to_owned()).await?;
        Ok(found.filter(|person| name.is(&person.name)))
    }

    /// Finds the account with this name.
    ///
    /// # Errors
    /// If there is none, in a sentence for the user, or if the store fails.
    pub async fn find_existing(&self, name: &str) -> Result<Person, Error> {
        let found = self.find(name).await?;
        found.ok_or_else(|| Error::Nobody {
            name: printable(name, 40),
        })
    }

    /// Lists accounts after this skeleton, in the order of their skeletons.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(&self, after: Option<String>, limit: usize) -> Result<Vec<Person>, Error> {
        Ok(self.store.list_people(after, limit).await?)
    }

    /// Closes an account: its sessions end, and its tokens are refused until it is [enabled](Accounts::enable)
    /// again.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn disable(&self, person: PersonId) -> Result<(), Error> {
        let now = self.store.now().await?;
        let changes = PersonChanges {
            disabled: Some(Some(now)),
            ..PersonChanges::default()
        };
        self.store.change_person(person, changes).await?;
        self.store.end_sessions_of(person).await?;
        Ok(())
    }

    /// Reopens a closed account.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn enable(&self, person: PersonId) -> Result<(), Error> {
        let changes = PersonChanges {
            disabled: Some(None),
            ..PersonChanges::default()
        };
        self.store.change_person(person, changes).await?;
        Ok(())
    }

    /// Marks an account as a bot's.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn make_bot(&self, person: PersonId) -> Result<(), Error> {
        let changes = PersonChanges {
            kind: Some(PersonKind::Bot),
            ..PersonChanges::default()
        };
        self.store.change_person(person, changes).await?;
        Ok(())
    }

    /// Sets the password and ends all sessions, including those of anybody who knew the old one; returns how
    /// many ended. Tokens stay valid: see [`revoke_all`](Accounts::revoke_all).
    ///
    /// # Errors
    /// If the password is refused, or the store fails.
    pub async fn set_password(&self, person: PersonId, password: &str) -> Result<u64, Error> {
        let known = self.store.person(person).await?;
        let name = known.map_or_else(String::new, |person| person.name);
        let changes = PersonChanges {
            password: Some(Some(self.hash_new(password, &name).await?)),
            ..PersonChanges::default()
        };
        self.store.change_person(person, changes).await?;
        Ok(self.store.end_sessions_of(person).await?)
    }

    // ---- browsers

    /// Signs in with name and password: begins a session and returns the secret for the cookie. A caller cannot
    /// find out whether the name or the password was wrong, not by timing either.
    ///
    /// # Errors
    /// If the name or the password is wrong, if the account is closed, or if the store fails. That it is closed
    /// is told only to a caller who knows the password.
    pub async fn sign_in(&self, name: &str, password: &str) -> Result<(Secret, Person), Error> {
        let person = self.find(name).await?;
        let kept = person.as_ref().and_then(|person| person.password.clone());
        let typed = password.to_owned();
        let is_right = self
            .work(move || Ok(password::verify(&typed, kept.as_deref())))
            .await?;
        let person = person.filter(|_| is_right).ok_or(Error::Wrong)?;
        if person.disabled.is_some() {
            return Err(Error::Disabled { name: person.name });
        }
        let secret = self.open_session(&person).await?;
        Ok((secret, person))
    }

    /// Begins a session for a person who is already authenticated, and returns the secret for the cookie.
    ///
    /// # Errors
    /// If the password was changed since `person` was read, or the store fails.
    pub async fn open_session(&self, person: &Person) -> Result<Secret, Error> {
        let holder = Holder::Person(person.id);
        let secret = Secret::cookie()?;
        self.keep(&secret, holder, SESSION_LIFETIME_MS).await?;
        // The password may have been changed meanwhile, which ends all sessions; so this one ends too.
        let newest = self.store.person(person.id).await?;
        if newest.is_none_or(|newest| newest.password != person.password) {
            self.store.end_session(secret.digest()).await?;
            return Err(Error::Wrong);
        }
        Ok(secret)
    }

    /// Authenticates a session cookie; `None` if the session is over or the account is closed. Using a session
    /// extends it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn authenticate_session(&self, cookie: &str) -> Result<Option<SessionUser>, Error> {
        let Some(secret) = Secret::read(cookie).filter(|secret| !secret.is_token()) else {
            return Ok(None);
        };
        let now = self.store.now().await?;
        let Some(session) = self.store.session(secret.digest(), now).await? else {
            return Ok(None);
        };
        let Holder::Person(id) = session.holder else {
            return Ok(None);
        };
        let person = self.store.person(id).await?;
        let Some(person) = person.filter(|person| person.disabled.is_none()) else {
            return Ok(None);
        };
        // To save writes, it is extended only when half of its lifetime is over.
        if session.expires.0.saturating_sub(now.0) < SESSION_LIFETIME_MS / 2 {
            let expires = now.plus_millis(SESSION_LIFETIME_MS);
            if !self.store.renew_session(session.hash, expires).await? {
                // It has ended meanwhile.
                return Ok(None);
            }
        }
        let signed_in = session.created;
        Ok(Some(SessionUser { person, signed_in }))
    }

    /// Ends the session of a cookie; returns whether there was one.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn sign_out(&self, cookie: &str) -> Result<bool, Error> {
        let Some(secret) = Secret::read(cookie) else {
            return Ok(false);
        };
        // Anybody can send this request, so it is looked up before a write lock is taken.
        let (hash, now) = (secret.digest(), self.store.now().await?);
        match self.store.session(hash, now).await? {
            Some(_) => Ok(self.store.end_session(hash).await?),
            None => Ok(false),
        }
    }

    async fn keep(&self, secret: &Secret, holder: Holder, lasts: i64) -> Result<(), Error> {
        let now = self.store.now().await?;
        let session = LoginSession {
            hash: secret.digest(),
            holder,
            name: None,
            created: now,
            expires: now.plus_millis(lasts),
        };
        Ok(self.store.add_session(session).await?)
    }

    // ---- programs

    /// Issues a token and returns its secret, which cannot be read again. The token is valid for `lasts`, or
    /// until it is revoked.
    ///
    /// # Errors
    /// If the account has too many tokens, the label is not printable or too long, or the store fails.
    pub async fn issue_token(
        &self,
        person: &Person,
        label: &str,
        scopes: Scopes,
        lasts: Option<Duration>,
    ) -> Result<(Secret, Token), Error> {
        let secret = Secret::token()?;
        let token = self.issue_as(&secret, person, label, scopes, lasts).await?;
        Ok((secret, token))
    }

    /// Issues a token with this secret, which nobody else must know.
    ///
    /// # Errors
    /// As for [`issue_token`](Accounts::issue_token).
    pub async fn issue_as(
        &self,
        secret: &Secret,
        person: &Person,
        label: &str,
        scopes: Scopes,
        lasts: Option<Duration>,
    ) -> Result<Token, Error> {
        if label.len() > MAX_TOKEN_LABEL_BYTES || !touchmove_text::is_clean_line(label) {
            return Err(Error::Label {
                limit: MAX_TOKEN_LABEL_BYTES,
            });
        }
        let now = self.store.now().await?;
        let known = self.store.tokens_of(person.id).await?;
        let name = || person.name.clone();
        if known.iter().filter(|token| token.is_valid_at(now)).count() >= MAX_VALID_TOKENS {
            let (name, limit) = (name(), MAX_VALID_TOKENS);
            return Err(Error::TooManyTokens { name, limit });
        }
        let token = Token {
            hash: secret.digest(),
            person: person.id,
            label: label.to_owned(),
            scopes: scopes.to_string(),
            created: now,
            last_used: None,
            expires: lasts.map(|lasts| now.plus_millis(millis(lasts))),
            revoked: None,
        };
        match self.store.add_token(token.clone()).await? {
            true => Ok(token),
            false => Err(Error::Nobody { name: name() }),
        }
    }

    /// Authenticates a token and returns its account and scopes; `None` if it is not valid.
    ///
    /// # Errors
    /// If the account is closed, or the store fails.
    pub async fn authenticate_token(&self, bearer: &str) -> Result<Option<TokenUser>, Error> {
        let Some(secret) = Secret::read(bearer).filter(Secret::is_token) else {
            return Ok(None);
        };
        let now = self.store.now().await?;
        let token = self.store.token(secret.digest()).await?;
        let Some(token) = token.filter(|token| token.is_valid_at(now)) else {
            return Ok(None);
        };
        let Some(person) = self.store.person(token.person).await? else {
            return Ok(None);
        };
        if person.disabled.is_some() {
            return Err(Error::Disabled { name: person.name });
        }
        let is_noted = |noted: Moment| noted.plus_millis(TOKEN_USE_GRANULARITY_MILLIS) > now;
        if !token.last_used.is_some_and(is_noted) {
            // If the disk is full this fails, which must not keep anybody from playing.
            let _ = self.store.use_token(token.hash, now).await;
        }
        Ok(Some(TokenUser {
            person,
            scopes: Scopes::known_in(&token.scopes),
            expires: token.expires,
        }))
    }

    /// The tokens of a person, newest first, valid or not.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list_tokens(&self, person: PersonId) -> Result<Vec<Token>, Error> {
        Ok(self.store.tokens_of(person).await?)
    }

    /// Revokes the token whose [`token_handle`] begins with this text, among those that are not revoked.
    ///
    /// # Errors
    /// If no token or several match, if the text is too short, or if the store fails.
    pub async fn revoke_token(&self, person: &Person, beginning: &str) -> Result<Token, Error> {
        let mut found = self.store.tokens_of(person.id).await?;
        let begins = |token: &Token| token_handle(&token.hash).starts_with(beginning);
        found.retain(|token| token.revoked.is_none() && begins(token));
        match found.pop() {
            Some(token) if found.is_empty() && beginning.len() >= 4 => {
                let now = self.store.now().await?;
                self.store.revoke_token(token.hash, now).await?;
                Ok(token)
            }
            last => Err(Error::Handle {
                name: person.name.clone(),
                handle: printable(beginning, 12),
                found: found.len() + usize::from(last.is_some()),
            }),
        }
    }

    /// Revokes all tokens of an account and returns how many.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn revoke_all(&self, person: PersonId) -> Result<u64, Error> {
        let now = self.store.now().await?;
        Ok(self.store.revoke_tokens_of(person, now).await?)
    }

    // ---- work

    async fn hash_new(&self, password: &str, name: &str) -> Result<String, Error> {
        // A password that is refused needs no hashing.
        password::check_new(password, &[name, PRODUCT])?;
        let password = password.to_owned();
        self.work(move || Ok(password::hash(&password)?)).await
    }

    /// Runs CPU-bound work on a thread of its own; the number of such threads is limited.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let failed = |error: &dyn fmt::Display| PasswordError::Failed(error.to_string());
        let turn = Arc::clone(&self.hashing).acquire_owned().await;
        let turn = turn.map_err(|error| failed(&error))?;
        let (sender, answer) = oneshot::channel();
        let working = move || {
            // The caller may have gone.
            let _ = sender.send(work());
            drop(turn);
        };
        thread::Builder::new()
            .name("password".to_owned())
            .spawn(working)
            .map_err(|error| failed(&error))?;
        answer.await.map_err(|error| failed(&error))?
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// User input for an error message: truncated, without unprintable characters.
fn printable(text: &str, length: usize) -> String {
    touchmove_text::sanitize_line_to(text, length).into_owned()
}
