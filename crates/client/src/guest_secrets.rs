//! Secrets of guests. A server knows a guest by a secret; they are stored in a folder, one file for each server
//! and name, so that a guest who reconnects gets the same seat. A secret is locked while it is used: two
//! programs at once are two guests.

use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

/// The characters of secrets.
const BASE62_ALPHABET: &[u8; 62] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The length of a secret, in characters: more than 160 bits.
const SECRET_CHARS: usize = 28;
/// The most guests of one name at one server at once.
const MAX_GUESTS_PER_NAME: usize = 64;

/// A folder with the secrets of guests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuestSecrets {
    folder: PathBuf,
}

/// Who connects to a server: the secret of a guest or the token of an account. `Debug` does not show it.
///
/// ```
/// let guest = touchmove_client::GuestSecret::bearing("tm_secret".to_owned());
/// assert!(!format!("{guest:?}").contains("tm_secret"));
/// ```
#[derive(Clone)]
pub struct GuestSecret {
    secret: String,
    /// The lock: while it is open, no other program uses the same secret.
    _lock: Option<Arc<File>>,
}

impl GuestSecret {
    /// A guest with a new secret that is not stored.
    #[must_use]
    pub fn new() -> GuestSecret {
        GuestSecret::bearing(secret())
    }

    /// The owner of this token or secret.
    #[must_use]
    pub const fn bearing(secret: String) -> GuestSecret {
        GuestSecret {
            secret,
            _lock: None,
        }
    }

    /// The secret.
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }
}

impl fmt::Debug for GuestSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the secret.
        f.debug_struct("Guest").finish_non_exhaustive()
    }
}

impl Default for GuestSecret {
    fn default() -> GuestSecret {
        GuestSecret::new()
    }
}

impl GuestSecrets {
    /// The secrets in this folder, which may not exist yet.
    #[must_use]
    pub const fn new(folder: PathBuf) -> GuestSecrets {
        GuestSecrets { folder }
    }

    /// The guest of this name at a server: with the stored secret, unless another program uses it.
    ///
    /// # Errors
    /// If the secret can be neither read nor stored.
    pub fn guest(&self, server: &str, name: &str) -> io::Result<GuestSecret> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)?;
        let stem = format!("{}-{}", as_file_name(server), as_file_name(name));
        for number in 1..=MAX_GUESTS_PER_NAME {
            let path = self.folder.join(format!("{stem}-{number}"));
            let mut file = OpenOptions::new()
                .read(true)
                .append(true)
                .create(true)
                .mode(0o600)
                .open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => continue,
                Err(TryLockError::Error(error)) => return Err(error),
            }
            let mut kept = String::new();
            file.read_to_string(&mut kept)?;
            let mut kept = kept.trim_end().to_owned();
            if !is_whole(&kept) {
                kept = secret();
                file.set_len(0)?;
                file.write_all(format!("{kept}\n").as_bytes())?;
                file.sync_all()?;
            }
            return Ok(GuestSecret {
                secret: kept,
                _lock: Some(Arc::new(file)),
            });
        }
        Err(io::Error::other("too many guests at once"))
    }

    /// Deletes all secrets.
    ///
    /// # Errors
    /// If the folder cannot be removed.
    pub fn delete_all(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }
}

/// Whether a file has a complete secret.
fn is_whole(kept: &str) -> bool {
    let letters = kept.strip_prefix("guest_").unwrap_or_default();
    letters.len() == SECRET_CHARS && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The longest part of a file name that is not replaced by a hash, in bytes.
const MAX_PART_BYTES: usize = 80;

/// Encodes a text as part of a file name: other characters than letters and digits become their numbers, so
/// that different texts have different names. A longer text is replaced by its hash, because two servers whose
/// names begin alike must not share a secret.
fn as_file_name(text: &str) -> String {
    if text.len() > MAX_PART_BYTES {
        let hash = Sha256::digest(text.as_bytes());
        let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        return format!("_{digits}");
    }
    let mut name = String::new();
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'.' => name.push(char::from(byte)),
            byte => name += &format!("_{byte:02x}"),
        }
    }
    name
}

fn secret() -> String {
    let letters: String = (0..SECRET_CHARS).map(|_| char::from(letter())).collect();
    format!("guest_{letters}")
}

/// A random character, uniformly distributed.
fn letter() -> u8 {
    loop {
        let index = usize::from(random().to_le_bytes()[0] & 63);
        if let Some(&letter) = BASE62_ALPHABET.get(index) {
            return letter;
        }
    }
}

/// A random number.
///
/// # Panics
/// If the system gives no random bytes: then no secret is safe.
pub(crate) fn random() -> u64 {
    getrandom::u64().expect("the system has randomness")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn guests(name: &str) -> GuestSecrets {
        let folder = format!("touchmove-guests-{name}-{}", std::process::id());
        let guests = GuestSecrets::new(std::env::temp_dir().join(folder));
        guests.delete_all().unwrap();
        guests
    }

    #[test]
    fn who_comes_again_is_the_same_guest_and_two_at_once_are_two() {
        let guests = guests("again");
        let server = "http://127.0.0.1:8000";
        let first = guests.guest(server, "").unwrap();
        let second = guests.guest(server, "").unwrap();
        let other = guests.guest(server, "Bea").unwrap();
        let elsewhere = guests.guest("http://127.0.0.1:8001", "").unwrap();
        let all = [&first, &second, &other, &elsewhere].map(|guest| guest.secret.clone());
        for (at, one) in all.iter().enumerate() {
            assert!(is_whole(one) && !all[..at].contains(one), "{one}");
        }
        drop((first, second, other, elsewhere));
        let long = format!("https://{}", "chess.".repeat(20));
        let [one, two] = [".example", ".example.evil"].map(|end| format!("{long}{end}"));
        let [one, two] = [one, two].map(|server| guests.guest(&server, "").unwrap().secret);
        assert_ne!(one, two);
        let again = guests.guest(server, "").unwrap();
        assert_eq!(again.secret, all[0]);
        assert_eq!(guests.guest(server, "").unwrap().secret, all[1]);
        assert_eq!(guests.guest(server, "Bea").unwrap().secret, all[2]);
        guests.delete_all().unwrap();
    }

    #[test]
    fn nobody_else_can_read_a_secret_and_a_torn_one_is_made_anew() {
        let guests = guests("torn");
        drop(guests.guest("http://host", "a/../b").unwrap());
        let file = fs::read_dir(&guests.folder).unwrap().next().unwrap();
        let path = file.unwrap().path();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        let folder = fs::metadata(&guests.folder).unwrap();
        assert_eq!(folder.permissions().mode() & 0o777, 0o700);
        fs::write(&path, "guest_12").unwrap();
        let guest = guests.guest("http://host", "a/../b").unwrap();
        assert!(is_whole(&guest.secret));
        assert_eq!(fs::read_to_string(&path).unwrap().trim_end(), guest.secret);
        guests.delete_all().unwrap();
    }
}
