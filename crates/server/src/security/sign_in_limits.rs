//! Sign-in limits: wrong passwords per address, per network, per account and network, and per account from all
//! networks that its owner does not use; and a fair queue for checking passwords.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lru::LruCache;
use touchmove_accounts::Name;

use crate::lock_ext::LockExt as _;
use crate::security::client_ip::{Client, ClientAddress};
use crate::security::fair_queue::{FairQueue, QueueFullError, Turn};
use crate::security::limits::Limits;
use crate::security::rate_limit::{KeyedRateLimiter, PerClient};

/// How long a network that an account has signed in from stays known: 30 days.
const KNOWN_NETWORK_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The most known networks of one account: the latest.
const MAX_KNOWN_NETWORKS: usize = 8;

/// Passwords that are checked at once: each takes a processor and 19 MiB.
pub(crate) const PARALLEL_CHECKS: usize = 2;

/// An account and the network of a client. Nobody can lock another person out of their account, unless both are in
/// one network.
type AccountFrom = (String, ClientAddress);

/// The limits of sign-in attempts. Local clients are counted too.
#[derive(Debug)]
pub struct SignInLimits {
    addresses: PerClient,
    accounts: KeyedRateLimiter<AccountFrom>,
    account_totals: KeyedRateLimiter<String>,
    known_networks: KnownNetworks,
    queue: Arc<FairQueue<ClientAddress>>,
}

impl SignInLimits {
    pub(super) fn new(limits: &Limits) -> SignInLimits {
        let max = limits.remembered_addresses as usize;
        SignInLimits {
            addresses: PerClient::new(limits.sign_in, limits.network_factor, max),
            accounts: KeyedRateLimiter::new(limits.sign_in_account, max),
            account_totals: KeyedRateLimiter::new(limits.sign_in_account_total, max),
            known_networks: KnownNetworks::new(max),
            queue: FairQueue::new(
                PARALLEL_CHECKS,
                limits.waiting_sign_ins_per_address as usize,
                limits.waiting_sign_ins as usize,
            ),
        }
    }

    /// Counts an attempt as if it had failed.
    ///
    /// # Errors
    /// If a limit is exceeded: how long to wait.
    pub fn begin(&self, client: Client, account: &str) -> Result<Attempt<'_>, Duration> {
        self.addresses.try_take(client.address)?;
        // Everything that cannot be an account's name counts as one name.
        let name = Name::account(account).map(|name| name.skeleton().to_owned());
        let account = (name.unwrap_or_default(), client.address.network());
        if let Err(wait) = self.accounts.try_take(account.clone()) {
            self.addresses.give_back(client.address);
            return Err(wait);
        }
        // Nobody can lock an owner out of the networks that they sign in from.
        let is_stranger = !account.0.is_empty() && !self.known_networks.has(&account);
        if is_stranger && let Err(wait) = self.account_totals.try_take(account.0.clone()) {
            self.addresses.give_back(client.address);
            self.accounts.give_back(&account);
            return Err(wait);
        }
        Ok(Attempt {
            limits: self,
            client,
            account,
            is_stranger,
        })
    }

    /// Records that the owner of an account uses the network of this client.
    pub fn know(&self, client: Client, name: &Name) {
        let account = (name.skeleton().to_owned(), client.address.network());
        self.known_networks.note(&account);
    }

    /// Waits for a turn to check or hash a password.
    ///
    /// # Errors
    /// If the queue is full.
    pub async fn wait(&self, client: Client) -> Result<Turn<ClientAddress>, QueueFullError> {
        self.queue.enter(client.address.host()).await
    }
}

/// A sign-in attempt. It counts as a failure unless it is forgiven.
#[derive(Debug)]
pub struct Attempt<'a> {
    limits: &'a SignInLimits,
    client: Client,
    account: AccountFrom,
    /// Whether it counts against the account's total, because it is from an unknown network.
    is_stranger: bool,
}

impl Attempt<'_> {
    /// It was not a failure: returns its tokens.
    pub fn forgive(self) {
        self.limits.addresses.give_back(self.client.address);
        self.limits.accounts.give_back(&self.account);
        if self.is_stranger {
            self.limits.account_totals.give_back(&self.account.0);
        }
    }

    /// The password was right: returns its tokens, and makes this network known, so that strangers elsewhere can no
    /// longer lock out the owner here.
    pub fn succeed(self) {
        self.limits.known_networks.note(&self.account);
        self.forgive();
    }
}

/// The networks that accounts have signed in from; the least recently used are forgotten first.
#[derive(Debug)]
struct KnownNetworks(Mutex<LruCache<String, Vec<(ClientAddress, Instant)>>>);

impl KnownNetworks {
    fn new(max_accounts: usize) -> KnownNetworks {
        let max = NonZeroUsize::new(max_accounts).unwrap_or(NonZeroUsize::MIN);
        KnownNetworks(Mutex::new(LruCache::new(max)))
    }

    fn has(&self, (account, network): &AccountFrom) -> bool {
        let accounts = self.0.locked();
        let networks = accounts.peek(account).into_iter().flatten();
        networks
            .into_iter()
            .any(|(known, since)| known == network && since.elapsed() < KNOWN_NETWORK_LIFETIME)
    }

    fn note(&self, (account, network): &AccountFrom) {
        let mut accounts = self.0.locked();
        let networks = accounts.get_or_insert_mut(account.clone(), Vec::new);
        networks.retain(|(known, _)| known != network);
        if networks.len() >= MAX_KNOWN_NETWORKS {
            networks.remove(0);
        }
        networks.push((*network, Instant::now()));
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
    fn an_account_is_guarded_against_all_networks_together_and_its_owner_signs_in_from_his() {
        let limits = SignInLimits::new(&Limits::default());
        let owner = from([192, 0, 2, 1]);
        limits.begin(owner, "Anna").unwrap().succeed();
        let judged = (0..250).filter(|&network| {
            let stranger = from([203, 0, network, 1]);
            limits.begin(stranger, "Anna").is_ok()
        });
        let judged = judged.count();
        assert!((100..=101).contains(&judged), "{judged}");
        let elsewhere = from([198, 51, 100, 1]);
        assert!(limits.begin(elsewhere, "ANNA").is_err());
        assert!(limits.begin(elsewhere, "Bea").is_ok());
        // Neither the owner nor another person in their network has used up more than their own attempts.
        for _ in 0..10 {
            assert!(limits.begin(owner, "Anna").is_ok());
        }
        assert!(limits.begin(owner, "Anna").is_err());
    }

    #[test]
    fn the_latest_networks_of_an_account_are_known() {
        let known = KnownNetworks::new(2);
        let network = |number: u8| from([192, 0, number, 1]).address.network();
        let anna = |number: u8| ("anna".to_owned(), network(number));
        for number in 0..=8 {
            known.note(&anna(number));
            known.note(&anna(1));
        }
        let found: Vec<u8> = (0..=8).filter(|&number| known.has(&anna(number))).collect();
        assert_eq!(found, [1, 2, 3, 4, 5, 6, 7, 8]);
        for other in ["bea", "carl"] {
            known.note(&(other.to_owned(), network(1)));
        }
        assert!(!known.has(&anna(1)) && known.has(&("carl".to_owned(), network(1))));
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
