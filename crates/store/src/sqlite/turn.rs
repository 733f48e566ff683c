//! Who writes next, where several processes write to one file. SQLite's lock has no queue: who finds it taken
//! sleeps and looks again, and who writes in a row has it back before anybody has looked. So a visitor could
//! wait in vain beside a busy server, and a server beside a busy visitor.
//!
//! Therefore everybody who is about to write first takes the turn, a lock on a file beside, and keeps it only
//! until SQLite's lock is theirs. Who waits for SQLite's lock then waits for the one write that is under way,
//! because nobody can begin another.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::open::ours;
use crate::backup::with_tail;

/// What the file beside is called, after the store's name.
pub(super) const TAIL: &str = ".turn";

/// After how long the turn is no longer waited for: whoever has it may have been stopped. It keeps the order,
/// not the store whole, so a write goes on without it.
const LONG: Duration = Duration::from_secs(1);
/// How long to wait before it is tried again.
const PAUSE: Duration = Duration::from_micros(200);

/// The lock that is handed round.
pub(super) struct Turn {
    /// None where there can be no such file: everybody writes as it comes.
    file: Option<File>,
}

impl Turn {
    /// At the store in this file.
    pub(super) fn at(store: &Path) -> Turn {
        let file = ours().open(with_tail(store, TAIL)).ok();
        Turn { file }
    }

    /// Runs what takes SQLite's lock when it is this one's turn, and passes the turn on.
    pub(super) fn take<T>(&self, begin: impl FnOnce() -> T) -> T {
        let held = self.file.as_ref().filter(|file| is_ours(file));
        let begun = begin();
        if let Some(file) = held {
            // It goes with the process at the latest.
            let _ = file.unlock();
        }
        begun
    }
}

/// Waits for the lock, not for ever; whether it was got.
fn is_ours(file: &File) -> bool {
    let mut give_up = None;
    loop {
        match file.try_lock() {
            Ok(()) => return true,
            Err(TryLockError::Error(_)) => return false,
            Err(TryLockError::WouldBlock) => {}
        }
        let now = Instant::now();
        if now > *give_up.get_or_insert(now + LONG) {
            return false;
        }
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_that_is_never_passed_on_is_not_waited_for_for_ever() {
        let folder = std::env::temp_dir().join(format!("touchmove-turn-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (one, other) = (
            Turn::at(&folder.join("store")),
            Turn::at(&folder.join("store")),
        );
        let began = Instant::now();
        assert_eq!(one.take(|| other.take(|| "written")), "written");
        let waited = began.elapsed();
        assert!(waited >= LONG, "{waited:?}");
        let began = Instant::now();
        assert_eq!(other.take(|| "written"), "written");
        assert!(began.elapsed() < LONG, "it was passed on");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn where_there_can_be_no_file_everybody_writes() {
        let turn = Turn::at(Path::new("/dev/null/store"));
        assert_eq!(turn.take(|| 1), 1);
    }
}
