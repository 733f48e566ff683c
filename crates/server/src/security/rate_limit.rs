//! Rate limits as token buckets: how often an action is allowed, and how long to wait for the next time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::lock_ext::LockExt as _;
use crate::security::client_ip::ClientAddress;

/// A rate: a burst, and a number per minute in the long run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// The size of the bucket.
    pub burst: u32,
    /// Tokens added per minute.
    pub per_minute: u32,
}

impl Rate {
    /// A rate with this burst and this number per minute.
    #[must_use]
    pub const fn new(burst: u32, per_minute: u32) -> Rate {
        Rate { burst, per_minute }
    }

    /// The same for many clients together.
    #[must_use]
    pub const fn times(self, factor: u32) -> Rate {
        Rate {
            burst: self.burst.saturating_mul(factor),
            per_minute: self.per_minute.saturating_mul(factor),
        }
    }
}

/// A token bucket.
#[derive(Clone, Copy, Debug)]
pub struct TokenBucket {
    tokens: f64,
    filled: Instant,
}

impl TokenBucket {
    /// A full bucket.
    #[must_use]
    pub fn full(rate: Rate, now: Instant) -> TokenBucket {
        TokenBucket {
            tokens: f64::from(rate.burst),
            filled: now,
        }
    }

    /// Takes a token, if there is one; returns whether it did.
    pub fn take(&mut self, rate: Rate, now: Instant) -> bool {
        self.try_take(rate, now).is_ok()
    }

    /// Takes a token, or returns how long it is until there is one.
    ///
    /// # Errors
    /// If there is none: the time until the next.
    pub fn try_take(&mut self, rate: Rate, now: Instant) -> Result<(), Duration> {
        self.reserve(rate, 1, now, Duration::ZERO).map(drop)
    }

    /// Takes tokens, some of which may be in the future; returns how long it is until they are there.
    ///
    /// # Errors
    /// If that is too long: how long. Then none is taken.
    pub fn reserve(
        &mut self,
        rate: Rate,
        count: u32,
        now: Instant,
        max_wait: Duration,
    ) -> Result<Duration, Duration> {
        self.tokens = self.tokens_at(rate, now);
        self.filled = now;
        let missing = (f64::from(count) - self.tokens).max(0.0);
        let minutes = missing / f64::from(rate.per_minute.max(1));
        let wait = Duration::from_secs_f64(minutes * 60.0);
        if wait > max_wait {
            return Err(wait);
        }
        self.tokens -= f64::from(count);
        Ok(wait)
    }

    /// Returns tokens.
    pub fn give_back(&mut self, rate: Rate, count: u32) {
        self.tokens = (self.tokens + f64::from(count)).min(f64::from(rate.burst));
    }

    fn tokens_at(&self, rate: Rate, now: Instant) -> f64 {
        let minutes = now.saturating_duration_since(self.filled).as_secs_f64() / 60.0;
        let tokens = self.tokens + minutes * f64::from(rate.per_minute);
        tokens.min(f64::from(rate.burst))
    }
}

/// A token bucket for each key, with a maximum number of keys.
#[derive(Debug)]
pub struct KeyedRateLimiter<K> {
    rate: Rate,
    max_keys: usize,
    buckets: Mutex<HashMap<K, TokenBucket>>,
}

impl<K: Eq + Hash> KeyedRateLimiter<K> {
    /// A limiter for at most `max_keys` keys.
    #[must_use]
    pub fn new(rate: Rate, max_keys: usize) -> KeyedRateLimiter<K> {
        KeyedRateLimiter {
            rate,
            max_keys: max_keys.max(1),
            buckets: Mutex::default(),
        }
    }

    /// Takes a token of this key, if there is one.
    pub fn take(&self, key: K) -> bool {
        self.try_take(key).is_ok()
    }

    /// Takes a token of this key, or returns how long it is until there is one.
    ///
    /// # Errors
    /// If there is none: the time until the next.
    pub fn try_take(&self, key: K) -> Result<(), Duration> {
        self.try_take_at(key, Instant::now())
    }

    fn try_take_at(&self, key: K, now: Instant) -> Result<(), Duration> {
        self.reserve(key, 1, now, Duration::ZERO).map(drop)
    }

    /// See [`TokenBucket::reserve`].
    fn reserve(
        &self,
        key: K,
        count: u32,
        now: Instant,
        max_wait: Duration,
    ) -> Result<Duration, Duration> {
        let mut buckets = self.buckets.locked();
        if buckets.len() >= self.max_keys && !buckets.contains_key(&key) {
            evict_fullest(&mut buckets, self.rate, now);
        }
        let bucket = buckets
            .entry(key)
            .or_insert_with(|| TokenBucket::full(self.rate, now));
        bucket.reserve(self.rate, count, now, max_wait)
    }

    /// Returns a token.
    pub fn give_back(&self, key: &K) {
        self.give_back_many(key, 1);
    }

    fn give_back_many(&self, key: &K, count: u32) {
        if let Some(bucket) = self.buckets.locked().get_mut(key) {
            bucket.give_back(self.rate, count);
        }
    }
}

/// Evicts the fullest quarter of the buckets: that gives the fewest tokens away, and a client with an empty bucket is
/// remembered, however many others come. A quarter at once, so that a full map is not searched for every new key.
fn evict_fullest<K: Eq + Hash>(buckets: &mut HashMap<K, TokenBucket>, rate: Rate, now: Instant) {
    let mut tokens: Vec<f64> = buckets
        .values()
        .map(|bucket| bucket.tokens_at(rate, now))
        .collect();
    let mut to_remove = tokens.len().div_ceil(4);
    let place = tokens.len() - to_remove;
    let (_, &mut fewest, _) = tokens.select_nth_unstable_by(place, f64::total_cmp);
    // Fuller buckets go first, and among those as full as the last of them, as many as needed.
    let fuller = |bucket: &TokenBucket| bucket.tokens_at(rate, now) > fewest;
    let before = buckets.len();
    buckets.retain(|_, bucket| !fuller(bucket));
    to_remove = to_remove.saturating_sub(before - buckets.len());
    buckets.retain(|_, bucket| {
        let stays = to_remove == 0 || bucket.tokens_at(rate, now) < fewest;
        if !stays {
            to_remove -= 1;
        }
        stays
    });
}

/// A token bucket for each client, and a larger one for its network: the owner of a whole network gets no more tokens
/// than a few of its addresses.
#[derive(Debug)]
pub struct PerClient {
    addresses: KeyedRateLimiter<ClientAddress>,
    networks: KeyedRateLimiter<ClientAddress>,
}

impl PerClient {
    /// A limiter for at most `max_addresses` addresses; a network has `network_factor` times the tokens of an
    /// address.
    #[must_use]
    pub fn new(rate: Rate, network_factor: u32, max_addresses: usize) -> PerClient {
        PerClient {
            addresses: KeyedRateLimiter::new(rate, max_addresses),
            networks: KeyedRateLimiter::new(rate.times(network_factor), max_addresses),
        }
    }

    /// Takes a token of this client, or returns how long it is until there is one.
    ///
    /// # Errors
    /// If there is none: the time until the next.
    pub fn try_take(&self, client: ClientAddress) -> Result<(), Duration> {
        self.try_take_at(client, Instant::now())
    }

    /// Takes several tokens of this client, or returns how long it is until they are there. More than a full bucket
    /// counts as a full bucket.
    ///
    /// # Errors
    /// If they are not there: the time until they are.
    pub fn try_take_many(&self, client: ClientAddress, count: u32) -> Result<(), Duration> {
        let count = count.min(self.addresses.rate.burst);
        self.reserve(client, count, Duration::ZERO).map(drop)
    }

    fn try_take_at(&self, client: ClientAddress, now: Instant) -> Result<(), Duration> {
        self.reserve_at(client, 1, now, Duration::ZERO).map(drop)
    }

    /// Takes tokens of this client, some of which may be in the future; returns how long it is until they are there.
    ///
    /// # Errors
    /// If that is too long: how long. Then none is taken.
    pub fn reserve(
        &self,
        client: ClientAddress,
        count: u32,
        max_wait: Duration,
    ) -> Result<Duration, Duration> {
        self.reserve_at(client, count, Instant::now(), max_wait)
    }

    fn reserve_at(
        &self,
        client: ClientAddress,
        count: u32,
        now: Instant,
        max_wait: Duration,
    ) -> Result<Duration, Duration> {
        let address = client.host();
        let wait = self.addresses.reserve(address, count, now, max_wait)?;
        let of_network = self
            .networks
            .reserve(client.network(), count, now, max_wait)
            .inspect_err(|_| self.addresses.give_back_many(&address, count))?;
        Ok(wait.max(of_network))
    }

    /// Returns a token.
    pub fn give_back(&self, client: ClientAddress) {
        self.addresses.give_back(&client.host());
        self.networks.give_back(&client.network());
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    const RATE: Rate = Rate::new(3, 60);

    fn known(text: &str) -> ClientAddress {
        ClientAddress::Known(text.parse().unwrap())
    }

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let now = Instant::now();
        let mut bucket = TokenBucket::full(RATE, now);
        let taken = (0..5).filter(|_| bucket.take(RATE, now)).count();
        assert_eq!(taken, 3);
        let wait = bucket.try_take(RATE, now).unwrap_err();
        assert!((0.99..1.01).contains(&wait.as_secs_f64()), "{wait:?}");
        assert!(bucket.take(RATE, now + Duration::from_secs(1)));
        assert!(!bucket.take(RATE, now + Duration::from_secs(1)));
        bucket.give_back(RATE, 1);
        assert!(bucket.take(RATE, now + Duration::from_secs(1)));
    }

    #[test]
    fn what_is_reserved_comes_later_and_not_too_late() {
        let now = Instant::now();
        let (mut bucket, max_wait) = (TokenBucket::full(RATE, now), Duration::from_secs(2));
        let mut reserve = |count: u32| bucket.reserve(RATE, count, now, max_wait);
        assert_eq!(reserve(3), Ok(Duration::ZERO));
        assert_eq!(reserve(1), Ok(Duration::from_secs(1)));
        assert_eq!(reserve(1), Ok(Duration::from_secs(2)));
        // A refused client owes nothing.
        for _ in 0..10 {
            assert_eq!(reserve(1), Err(Duration::from_secs(3)));
        }
        let later = now + Duration::from_secs(2);
        assert!(bucket.try_take(RATE, later).is_err());
        assert!(
            bucket
                .try_take(RATE, later + Duration::from_secs(1))
                .is_ok()
        );
    }

    #[test]
    fn neighbours_in_one_network_share_a_bucket() {
        let now = Instant::now();
        let buckets = PerClient::new(RATE, 10, 100);
        let take = |text: &str| buckets.try_take_at(known(text), now).is_ok();
        assert!(take("2001:db8::1") && take("2001:db8::2") && take("2001:db8::3"));
        assert!(!take("2001:db8::4"));
        assert!(take("2001:db8:0:1::1"));
        assert!(take("10.0.0.1") && take("::ffff:10.0.0.1") && take("10.0.0.1"));
        assert!(!take("10.0.0.1"));
    }

    #[test]
    fn all_addresses_of_a_network_together_have_a_few_times_as_much_as_one() {
        let now = Instant::now();
        let buckets = PerClient::new(RATE, 4, 1_000);
        let taken = |addresses: &mut dyn Iterator<Item = IpAddr>| {
            let taken = addresses.filter(|&address| {
                let client = ClientAddress::Known(address);
                buckets.try_take_at(client, now).is_ok()
            });
            taken.count()
        };
        // A /48 has 65,536 networks of 64 bits.
        let mut of_a_site =
            (0..200).map(|number| IpAddr::from([0x2001, 0xdb8, 7, number, 0, 0, 0, 1]));
        assert_eq!(taken(&mut of_a_site), 12);
        let mut of_a_block = (0..200).map(|host| IpAddr::from([198, 51, 100, host]));
        assert_eq!(taken(&mut of_a_block), 12);
        let mut other = std::iter::once(IpAddr::from([198, 51, 101, 1]));
        assert_eq!(taken(&mut other), 1);
    }

    #[test]
    fn who_has_emptied_his_bucket_is_remembered_however_many_others_come() {
        let now = Instant::now();
        let buckets = KeyedRateLimiter::new(Rate::new(10, 1), 1_000);
        while buckets.try_take_at(u32::MAX, now).is_ok() {}
        for other in 0..50_000 {
            assert!(buckets.try_take_at(other, now).is_ok());
            assert!(buckets.buckets.locked().len() <= 1_000);
        }
        assert!(buckets.try_take_at(u32::MAX, now).is_err());
    }

    #[test]
    fn a_full_map_of_equals_makes_room_and_does_not_forget_everybody() {
        let now = Instant::now();
        let buckets = KeyedRateLimiter::new(Rate::new(1, 1), 100);
        for key in 0..100 {
            assert!(buckets.try_take_at(key, now).is_ok());
        }
        assert!(buckets.try_take_at(100, now).is_ok());
        let remembered = (0..100).filter(|key| buckets.buckets.locked().contains_key(key));
        assert_eq!(remembered.count(), 75);
    }
}
