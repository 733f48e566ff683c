//! A fair write lock for several processes that write to one file. SQLite's lock has no queue: a process that
//! finds it taken sleeps and polls, and a process that writes repeatedly gets it back before the other looks.
//! So a command-line tool could starve beside a busy server, and a server beside a busy tool.
//!
//! Therefore every writer first takes a second lock, on a file beside the store, and holds it only until it has
//! SQLite's lock. A process that waits for SQLite's lock then waits for one write at most, because no other can
//! begin.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::backup::with_tail;
use crate::sqlite::open::private_permissions;

/// The suffix of the lock file, after the store's name.
pub(super) const LOCK_FILE_SUFFIX: &str = ".turn";

/// After this the lock is ignored: its holder may have been stopped. The lock is for fairness only, not for
/// integrity, so a write may go on without it.
const LOCK_WAIT_TIMEOUT: Duration = Duration::from_secs(1);
/// The delay between two attempts.
const LOCK_RETRY_DELAY: Duration = Duration::from_micros(200);

/// The fair lock of one store.
pub(super) struct WriteLock {
    /// `None` if the lock file cannot be created; then writers do not take turns.
    file: Option<File>,
}

impl WriteLock {
    /// The lock of the store in this file.
    pub(super) fn at(store: &Path) -> WriteLock {
        let path = with_tail(store, LOCK_FILE_SUFFIX);
        let made = private_permissions().create_new(true).open(&path);
        // Only a new file is given to the owner: an existing one may be a link to anything.
        let made = made.inspect(|file| give_to_owner_of(store, file));
        let file = made.or_else(|_| private_permissions().open(&path)).ok();
        WriteLock { file }
    }

    /// Runs `begin`, which takes SQLite's lock, while holding the fair lock, and releases that afterwards.
    pub(super) fn take<T>(&self, begin: impl FnOnce() -> T) -> T {
        let held = self.file.as_ref().filter(|file| is_ours(file));
        let begun = begin();
        if let Some(file) = held {
            // The operating system releases it at the end of the process at the latest.
            let _ = file.unlock();
        }
        begun
    }
}

/// Gives a new lock file to the owner of the store. If root writes to another user's store, that user could not
/// open the file otherwise; SQLite does the same with its log.
fn give_to_owner_of(store: &Path, file: &File) {
    #[cfg(unix)]
    if let (Ok(store), Ok(made)) = (store.metadata(), file.metadata()) {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let owner = (store.uid(), store.gid());
        if owner != (made.uid(), made.gid()) {
            // A user who may not do this has access to the store by its group or as anybody.
            let _ = fchown(file, Some(owner.0), Some(owner.1));
        }
    }
    #[cfg(not(unix))]
    let _ = (store, file);
}

/// Waits for the lock with a timeout; returns whether it was taken.
fn is_ours(file: &File) -> bool {
    let mut give_up = None;
    loop {
        match file.try_lock() {
            Ok(()) => return true,
            Err(TryLockError::Error(_)) => return false,
            Err(TryLockError::WouldBlock) => {}
        }
        let now = Instant::now();
        if now > *give_up.get_or_insert(now + LOCK_WAIT_TIMEOUT) {
            return false;
        }
        thread::sleep(LOCK_RETRY_DELAY);
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
            WriteLock::at(&folder.join("store")),
            WriteLock::at(&folder.join("store")),
        );
        let began = Instant::now();
        assert_eq!(one.take(|| other.take(|| "written")), "written");
        let waited = began.elapsed();
        assert!(waited >= LOCK_WAIT_TIMEOUT, "{waited:?}");
        let began = Instant::now();
        assert_eq!(other.take(|| "written"), "written");
        assert!(began.elapsed() < LOCK_WAIT_TIMEOUT, "it was passed on");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn where_there_can_be_no_file_everybody_writes() {
        let turn = WriteLock::at(Path::new("/dev/null/store"));
        assert_eq!(turn.take(|| 1), 1);
    }

    #[test]
    fn a_file_that_cannot_be_opened_keeps_nobody_from_writing() {
        let folder = std::env::temp_dir().join(format!("touchmove-shut-{}", std::process::id()));
        // A folder of that name cannot be opened as a file, not even by root.
        std::fs::create_dir_all(folder.join("store.turn")).unwrap();
        let turn = WriteLock::at(&folder.join("store"));
        assert!(turn.file.is_none());
        assert_eq!(turn.take(|| 1), 1);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_belongs_to_whom_the_store_belongs_to_and_nothing_else_is_given_away() {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};

        let folder = std::env::temp_dir().join(format!("touchmove-owner-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [store, turn, other] = ["store", "store.turn", "other"].map(|name| folder.join(name));
        for path in [&store, &other] {
            std::fs::write(path, "").unwrap();
        }
        let owner = |path: &Path| {
            let found = path.metadata().unwrap();
            (found.uid(), found.gid())
        };
        let ours = owner(&store);
        let service = (ours.0 + 61_234, ours.1 + 61_235);
        if chown(&store, Some(service.0), Some(service.1)).is_err() {
            eprintln!("skipped: a file cannot be given away here (that takes root)");
            std::fs::remove_dir_all(folder).unwrap();
            return;
        }
        assert!(WriteLock::at(&store).file.is_some());
        assert_eq!(owner(&turn), service);
        assert_eq!(turn.metadata().unwrap().permissions().mode() & 0o777, 0o600);

        // An existing file keeps its owner, and so does the target of a link.
        chown(&turn, Some(ours.0), Some(ours.1)).unwrap();
        assert!(WriteLock::at(&store).file.is_some());
        assert_eq!(owner(&turn), ours);
        std::fs::remove_file(&turn).unwrap();
        symlink(&other, &turn).unwrap();
        assert!(WriteLock::at(&store).file.is_some());
        assert_eq!(owner(&other), ours);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
