//! How often somebody may do something: a bucket of tokens that fills up again by and by.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;
use std::time::Instant;

use crate::sync::Locked as _;

/// How many at once, and how many per minute in the long run.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// At once.
    pub burst: u32,
    /// Per minute.
    pub per_minute: u32,
}

/// A bucket of tokens.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    /// A full bucket.
    #[must_use]
    pub fn full(rate: Rate, now: Instant) -> Bucket {
        Bucket {
            tokens: f64::from(rate.burst),
            filled: now,
        }
    }

    /// Takes a token, if there is one.
    pub fn take(&mut self, rate: Rate, now: Instant) -> bool {
        let minutes = now.saturating_duration_since(self.filled).as_secs_f64() / 60.0;
        let tokens = self.tokens + minutes * f64::from(rate.per_minute);
        self.tokens = tokens.min(f64::from(rate.burst));
        self.filled = now;
        let has_one = self.tokens >= 1.0;
        if has_one {
            self.tokens -= 1.0;
        }
        has_one
    }

    fn is_full(&self, rate: Rate, now: Instant) -> bool {
        let minutes = now.saturating_duration_since(self.filled).as_secs_f64() / 60.0;
        self.tokens + minutes * f64::from(rate.per_minute) >= f64::from(rate.burst)
    }
}

/// A bucket for each of those who are counted, for so many at most.
#[derive(Debug)]
pub struct Buckets<K> {
    rate: Rate,
    most: usize,
    buckets: Mutex<HashMap<K, Bucket>>,
}

impl<K: Eq + Hash> Buckets<K> {
    /// Buckets for so many at most.
    #[must_use]
    pub fn new(rate: Rate, most: usize) -> Buckets<K> {
        Buckets {
            rate,
            most,
            buckets: Mutex::default(),
        }
    }

    /// Whether this one may once more.
    pub fn take(&self, who: K) -> bool {
        self.take_at(who, Instant::now())
    }

    fn take_at(&self, who: K, now: Instant) -> bool {
        let mut buckets = self.buckets.locked();
        if buckets.len() >= self.most {
            // Who has a full bucket has nothing to be remembered for.
            buckets.retain(|_, bucket| !bucket.is_full(self.rate, now));
            if buckets.len() >= self.most {
                buckets.clear();
            }
        }
        let bucket = buckets
            .entry(who)
            .or_insert_with(|| Bucket::full(self.rate, now));
        bucket.take(self.rate, now)
    }
}

/// A bucket for each address. A house of its own has a whole network of the newer addresses: the first half
/// counts.
#[derive(Debug)]
pub struct PerAddress(Buckets<IpAddr>);

impl PerAddress {
    /// Buckets for so many addresses at most.
    #[must_use]
    pub fn new(rate: Rate, most: usize) -> PerAddress {
        PerAddress(Buckets::new(rate, most))
    }

    /// Whether this address may once more.
    pub fn take(&self, address: IpAddr) -> bool {
        self.take_at(address, Instant::now())
    }

    fn take_at(&self, address: IpAddr, now: Instant) -> bool {
        self.0.take_at(network(address), now)
    }
}

/// What an address is counted as.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const RATE: Rate = Rate {
        burst: 3,
        per_minute: 60,
    };

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let now = Instant::now();
        let mut bucket = Bucket::full(RATE, now);
        let taken = (0..5).filter(|_| bucket.take(RATE, now)).count();
        assert_eq!(taken, 3);
        assert!(bucket.take(RATE, now + Duration::from_secs(1)));
        assert!(!bucket.take(RATE, now + Duration::from_secs(1)));
    }

    #[test]
    fn neighbours_in_one_network_share_a_bucket() {
        let now = Instant::now();
        let buckets = PerAddress::new(RATE, 100);
        let take = |text: &str| buckets.take_at(text.parse().unwrap(), now);
        assert!(take("2001:db8::1") && take("2001:db8::2") && take("2001:db8::3"));
        assert!(!take("2001:db8::4"));
        assert!(take("2001:db8:0:1::1"));
        assert!(take("10.0.0.1") && take("::ffff:10.0.0.1") && take("10.0.0.1"));
        assert!(!take("10.0.0.1"));
    }

    #[test]
    fn many_addresses_do_not_fill_the_memory() {
        let now = Instant::now();
        let buckets = PerAddress::new(RATE, 10);
        for host in 0..200 {
            buckets.take_at(IpAddr::from([10, 0, 0, host]), now);
        }
        assert!(buckets.0.buckets.locked().len() <= 10);
    }
}
