//! Sign-in and registration within their rate limits, with a line in the security log for each.

use touchmove_accounts::password::check_new;
use touchmove_accounts::{Error, Name, Secret};
use touchmove_store::{Person, PersonKind};

use crate::Server;
use crate::api::ApiError;
use crate::security::{Client, RateLimit, SecurityEvent};

impl Server {
    /// Checks a name and a password, and starts a session. Only wrong passwords count against the limits.
    ///
    /// # Errors
    /// If they are wrong, the account is closed, a rate limit is exceeded, or the queue is full.
    pub(crate) async fn sign_in(
        &self,
        client: Client,
        name: &str,
        password: &str,
    ) -> Result<(Secret, Person), ApiError> {
        let attempt = match self.guard.sign_in.begin(client, name) {
            Ok(attempt) => attempt,
            Err(wait) => {
                let account = self.known_account(name).await;
                let limit = "sign_in";
                return Err(self.guard.refuse(client, limit, wait, account.as_deref()));
            }
        };
        let Ok(_turn) = self.guard.sign_in.wait(client).await else {
            attempt.forgive();
            return Err(too_many_wait());
        };
        let log = &self.guard.log;
        let signed_in = self.people.sign_in(name, password).await;
        match &signed_in {
            Ok((_, person)) => {
                attempt.succeed();
                log.write(SecurityEvent::SignIn, client, Some(&person.name));
            }
            Err(Error::Wrong) => {
                let account = self.known_account(name).await;
                log.write(SecurityEvent::SignInFailed, client, account.as_deref());
            }
            Err(Error::Disabled { name }) => {
                attempt.forgive();
                log.write(SecurityEvent::SignInDisabled, client, Some(name));
            }
            Err(_) => attempt.forgive(),
        }
        Ok(signed_in?)
    }

    /// Creates an account and starts a session.
    ///
    /// # Errors
    /// If the name is taken, the password is weak, a rate limit is exceeded, or the queue is full.
    pub(crate) async fn register(
        &self,
        client: Client,
        name: &Name,
        password: &str,
    ) -> Result<(Secret, Person), ApiError> {
        self.check_new_password(name.as_str(), password)?;
        self.guard.check(client, RateLimit::Register)?;
        let turn = self.guard.sign_in.wait(client).await;
        let _turn = turn.map_err(|_| too_many_wait())?;
        let registered = self
            .people
            .register(name, PersonKind::Human, Some(password));
        let person = registered.await?;
        self.guard.sign_in.know(client, name);
        let log = &self.guard.log;
        log.write(SecurityEvent::Registered, client, Some(&person.name));
        let secret = self.people.open_session(&person).await?;
        Ok((secret, person))
    }

    /// Changes a password after checking the old one: all sessions end, and a new one starts. Tokens are revoked
    /// unless their owner wants to keep them.
    ///
    /// # Errors
    /// If the old one is wrong, the new one is weak, a rate limit is exceeded, or the queue is full.
    pub(crate) async fn change_password(
        &self,
        client: Client,
        person: &Person,
        old: &str,
        new: &str,
        keeps_tokens: bool,
    ) -> Result<(Secret, Person), ApiError> {
        self.check_new_password(&person.name, new)?;
        // The old password proves that it is not another person at an unlocked browser.
        self.sign_in(client, &person.name, old).await?;
        let turn = self.guard.sign_in.wait(client).await;
        let _turn = turn.map_err(|_| too_many_wait())?;
        self.people.set_password(person.id, new).await?;
        if !keeps_tokens {
            self.people.revoke_all(person.id).await?;
        }
        self.known.remove_person(person.id);
        self.announce_revocation();
        let log = &self.guard.log;
        log.write(SecurityEvent::PasswordChanged, client, Some(&person.name));
        let person = self.people.find_existing(&person.name).await?;
        let secret = self.people.open_session(&person).await?;
        Ok((secret, person))
    }

    /// Refuses a password that is easy to guess: the name of the account, also with that of the server.
    fn check_new_password(&self, name: &str, password: &str) -> Result<(), ApiError> {
        let url = self.settings.public_url.as_deref().unwrap_or_default();
        let host = url.split_once("://").map_or(url, |(_, host)| host);
        let first = host.split('.').next().unwrap_or_default();
        check_new(password, &[name, host, first]).map_err(|bad| Error::from(bad).into())
    }

    /// The canonical name of an account, if it exists.
    async fn known_account(&self, name: &str) -> Option<String> {
        let found = self.people.find(name).await.ok().flatten();
        found.map(|person| person.name)
    }
}

fn too_many_wait() -> ApiError {
    ApiError::busy("too many people sign in at once: try again in a moment")
}
