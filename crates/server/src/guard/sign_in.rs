//! The limits of signing in: wrong passwords per address, per network, and per account and network; and a fair queue
//! for the work of checking them.

use std::sync::Arc;
use std::time::Duration;

use touchmove_people::Name;

use super::address::{Client, ClientAddress};
use super::bucket::{Buckets, PerClient};
use super::fair_queue::{FairQueue, QueueFullError, Turn};
use super::limits::Limits;

/// Passwords that are checked at once: each takes a processor and 19 MiB.
const PARALLEL_CHECKS: usize = 2;

/// An account and the network that somebody comes from. Nobody locks another one out of his account, unless they are
/// in one network.
type AccountFrom = (String, ClientAddress);

/// Who may try how often to sign in. The machine itself is counted too.
#[derive(Debug)]
pub struct SignInLimits {
    addresses: PerClient,
    accounts: Buckets<AccountFrom>,
    queue: Arc<FairQueue<ClientAddress>>,
}

impl SignInLimits {
    pub(super) fn new(limits: &Limits) -> SignInLimits {
        let max = limits.remembered_addresses as usize;
        SignInLimits {
            addresses: PerClient::new(limits.sign_in, limits.network_factor, max),
            accounts: Buckets::new(limits.sign_in_account, max),
            queue: FairQueue::new(
                PARALLEL_CHECKS,
                limits.waiting_sign_ins_per_address as usize,
                limits.waiting_sign_ins as usize,
            ),
        }
    }

    /// Counts an attempt to sign in as if it had failed.
    ///
    /// # Errors
    /// If there were too many: how long to wait.
    pub fn begin(&self, client: Client, account: &str) -> Result<Attempt<'_>, Duration> {
        self.addresses.try_take(client.address)?;
        // What cannot be the name of an account is counted as one and the same.
        let name = Name::account(account).map(|name| name.skeleton().to_owned());
        let account = (name.unwrap_or_default(), client.address.network());
        if let Err(wait) = self.accounts.try_take(account.clone()) {
            self.addresses.give_back(client.address);
            return Err(wait);
        }
        Ok(Attempt {
            limits: self,
            client,
            account,
        })
    }

    /// Waits for a turn to have a password checked or hashed.
    ///
    /// # Errors
    /// If too many wait already.
    pub async fn wait(&self, client: Client) -> Result<Turn<ClientAddress>, QueueFullError> {
        self.queue.enter(client.address.host()).await
    }
}

/// An attempt to sign in. It counts as a failure unless it is forgiven.
#[derive(Debug)]
pub struct Attempt<'a> {
    limits: &'a SignInLimits,
    client: Client,
    account: AccountFrom,
}

impl Attempt<'_> {
    /// It was no failure: its tokens are given back.
    pub fn forgive(self) {
        self.limits.addresses.give_back(self.client.address);
        self.limits.accounts.give_back(&self.account);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(address: [u8; 4]) -> Client {
        Client {
            address: ClientAddress::Known(address.into()),
            is_local: false,
        }
    }

    #[test]
    fn an_account_is_guarded_against_a_network_and_not_locked_for_its_owner() {
        let limits = SignInLimits::new(&Limits::default());
        let judged = (0..250).filter(|&host| {
            let stranger = from([203, 0, 113, host]);
            limits.begin(stranger, "Anna").is_ok()
        });
        assert_eq!(judged.count(), 10);
        assert!(limits.begin(from([203, 0, 113, 1]), "ANNA").is_err());
        assert!(limits.begin(from([203, 0, 113, 1]), "Bea").is_ok());
        assert!(limits.begin(from([192, 0, 2, 1]), "Anna").is_ok());
    }

    #[test]
    fn right_passwords_are_not_counted() {
        let limits = SignInLimits::new(&Limits::default());
        for _ in 0..1_000 {
            limits
                .begin(from([192, 0, 2, 1]), "Anna")
                .unwrap()
                .forgive();
        }
    }

    #[test]
    fn an_address_that_tries_one_password_at_many_accounts_is_stopped() {
        let limits = SignInLimits::new(&Limits::default());
        let local = Client {
            is_local: true,
            ..from([127, 0, 0, 1])
        };
        let judged = (0..500).filter(|number| {
            let account = format!("Player{number}");
            limits.begin(local, &account).is_ok()
        });
        let judged = judged.count();
        assert!((60..=61).contains(&judged), "{judged}");
    }
}
