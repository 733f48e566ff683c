//! What must not be guessed or met twice: ids, marks, secrets. Chance comes from the operating system.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use touchmove_store::WriteId;

/// Random bytes.
///
/// # Panics
/// If the operating system has none to give: then nothing here can be done safely.
#[must_use]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// A mark for a write: half of it is this process's own by chance, half is counted. It need not be hard to guess,
/// and the operating system is not asked for each.
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

/// Up to this many characters of base 62 from bytes, each as likely as the others.
#[must_use]
pub fn in_base_62(bytes: &[u8], length: usize) -> String {
    let chosen = bytes.iter().filter(|&&byte| byte < 248);
    let letters = chosen.map(|&byte| char::from(BASE_62[usize::from(byte % 62)]));
    letters.take(length).collect()
}

/// Characters of base 62 by chance.
#[must_use]
pub fn random_base62(length: usize) -> String {
    let mut text = String::with_capacity(length);
    while text.len() < length {
        text.push_str(&in_base_62(&random_bytes::<16>(), length - text.len()));
    }
    text
}

/// A number below this one, each as likely as the others.
#[must_use]
pub fn random_below(bound: u16) -> u16 {
    let bound = u64::from(bound.max(1));
    // 64 bits leave no bias that anybody could see.
    u16::try_from(u64::from_le_bytes(random_bytes()) % bound).unwrap_or(0)
}

/// A coin.
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
