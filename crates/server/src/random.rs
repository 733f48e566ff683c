//! Random ids, write ids and secrets, from the operating system's generator.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use touchmove_store::WriteId;

/// Random bytes.
///
/// # Panics
/// If the operating system has none: then no secret is safe.
#[must_use]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// A write id: half of it is random for this process, half is a counter. It need not be hard to guess, so the
/// operating system is not asked for each.
#[must_use]
pub fn write_id() -> WriteId {
    static PROCESS_PART: LazyLock<[u8; 8]> = LazyLock::new(random_bytes);
    static WRITE_COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = WRITE_COUNTER.fetch_add(1, Ordering::Relaxed).to_le_bytes();
    let mut mark = [0; 16];
    mark[..8].copy_from_slice(&*PROCESS_PART);
    mark[8..].copy_from_slice(&count);
    WriteId::from_bytes(mark)
}

const BASE_62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Up to `length` base-62 characters from bytes, uniformly distributed.
#[must_use]
pub fn in_base_62(bytes: &[u8], length: usize) -> String {
    let chosen = bytes.iter().filter(|&&byte| byte < 248);
    let letters = chosen.map(|&byte| char::from(BASE_62[usize::from(byte % 62)]));
    letters.take(length).collect()
}

/// Random base-62 characters.
#[must_use]
pub fn random_base62(length: usize) -> String {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        text.push_str(&in_base_62(&random_bytes::<16>(), length - text.len()));
    }
    text
}

/// A random number below `bound`, uniformly distributed.
#[must_use]
pub fn random_below(bound: u16) -> u16 {
    let bound = u64::from(bound.max(1));
    // With 64 bits the bias of the remainder is negligible.
    u16::try_from(u64::from_le_bytes(random_bytes()) % bound).unwrap_or(0)
}

/// A random bool.
#[must_use]
pub fn random_bool() -> bool {
    random_bytes::<1>()[0] & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_their_length_and_letters() {
        for length in [1, 8, 22, 100] {
            let text = random_base62(length);
            assert_eq!(text.len(), length);
            assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        }
        assert_ne!(random_base62(22), random_base62(22));
    }

    #[test]
    fn no_mark_is_made_twice() {
        let marks: std::collections::BTreeSet<_> =
            (0..1_000).map(|_| format!("{:?}", write_id())).collect();
        assert_eq!(marks.len(), 1_000);
    }
}
