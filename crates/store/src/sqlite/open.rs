//! Opening the file of a store: its folder, its lock, its version, its threads. Everything that can be
//! wrong with it is found out here, and said in one sentence.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc as std_mpsc};
use std::thread;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use thiserror::Error;
use tokio::sync::mpsc;

use super::migrate::{SCRIPTS, Unfit, migrate};
use super::threads::{self, Log};
use super::{PATIENCE, Queues, Sqlite};
use crate::Error;

/// How many writes and how many questions may wait before who asks has to wait too.
const QUEUE: usize = 4_096;
/// Statements that a connection keeps ready: more than there are.
const STATEMENTS: usize = 128;

/// The most memory for pages of each connection, in KiB.
const CACHE: i64 = 16 * 1_024;

/// Why a store could not be opened.
///
/// ```
/// use touchmove_store::{OpenError, Sqlite};
///
/// let error = Sqlite::open("/dev/null/touchmove.db").unwrap_err();
/// assert!(matches!(error, OpenError::Folder { .. }));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Its folder is not there and cannot be made, or files cannot be made in it.
    #[error("the store cannot be kept in {folder}: {source}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another process, or this one, has it open.
    #[error("the store {path} is in use by another touchmove: stop that one first")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file belongs to something else.
    #[error("{path} is not a store of touchmove")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A newer program has written it.
    #[error(
        "the store {path} has version {found} and this touchmove knows versions up to {known}: use a newer touchmove"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: i64,
        /// The newest version that is known here.
        known: i64,
    },
    /// It cannot be read or written.
    #[error("the store {path} cannot be opened: {source}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Error,
    },
}

impl Sqlite {
    /// Opens the store in this file, with its folder if there is none, and brings it to the newest
    /// version.
    ///
    /// # Errors
    /// If the folder or the file cannot be written to, if another process has the store open, if the
    /// file is of a newer version or not a store at all.
    pub fn open(path: impl AsRef<Path>) -> Result<Sqlite, OpenError> {
        let path = path.as_ref();
        let lock = lock(path)?;
        let not_a_store = || OpenError::NotAStore {
            path: path.to_owned(),
        };
        let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => not_a_store(),
            _ => OpenError::Failed {
                path: path.to_owned(),
                source: error.into(),
            },
        };
        let mut writer = connect(path).map_err(failed)?;
        migrate(&mut writer, SCRIPTS).map_err(|unfit| match unfit {
            Unfit::Foreign => not_a_store(),
            Unfit::Newer { found, known } => OpenError::Newer {
                path: path.to_owned(),
                found,
                known,
            },
            Unfit::Failed(error) => failed(error),
        })?;
        // Only after it is known to be a store: this writes to the file.
        writer
            .pragma_update(None, "journal_mode", "wal")
            .map_err(failed)?;

        let (writes, write_queue) = mpsc::channel(QUEUE);
        let (reads, read_queue) = mpsc::channel(QUEUE);
        let (committed, commits) = std_mpsc::sync_channel(1);
        let log = Arc::new(Log::default());
        let mut store = Sqlite {
            path: path.to_owned(),
            queues: Some(Queues { writes, reads }),
            threads: Vec::new(),
            _lock: lock,
        };
        let tidier = connect(path).map_err(failed)?;
        let read_queue = Arc::new(Mutex::new(read_queue));
        let readers = thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 4));
        for number in 0..readers {
            let (db, queue) = (connect(path).map_err(failed)?, Arc::clone(&read_queue));
            db.pragma_update(None, "query_only", true).map_err(failed)?;
            store.start(&format!("store-read-{number}"), move || {
                threads::read(&db, &queue);
            })?;
        }
        let known = Arc::clone(&log);
        store.start("store-log", move || {
            threads::tidy_log(&tidier, &known, &commits);
        })?;
        store.start("store-write", move || {
            threads::write(&writer, write_queue, &log, &committed);
        })?;
        Ok(store)
    }

    fn start(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), OpenError> {
        let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
        let thread = thread.map_err(|error| OpenError::Failed {
            path: self.path.clone(),
            source: Error::Failed(error.to_string()),
        })?;
        self.threads.push(thread);
        Ok(())
    }
}

/// A connection to the file that waits for locks and for the disk.
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    // No URIs: a path is a path. Each connection stays in one thread.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(PATIENCE)?;
    db.set_prepared_statement_cache_capacity(STATEMENTS);
    // FULL: a commit is on the disk before it is answered.
    db.pragma_update(None, "synchronous", "full")?;
    db.pragma_update(None, "foreign_keys", true)?;
    // In KiB where it is negative: the pages of a thousand games that are played stay in memory.
    db.pragma_update(None, "cache_size", -CACHE)?;
    // The log is copied into the file by a thread of its own.
    db.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(db)
}

/// Makes the folder and the file, and locks them for this process. The lock is on a file beside: one on
/// the file itself would be in the way of SQLite's own.
fn lock(path: &Path) -> Result<File, OpenError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let refused = |source| OpenError::Folder {
        folder: folder.to_owned(),
        source,
    };
    fs::create_dir_all(folder).map_err(refused)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let lock = ours().open(beside).map_err(refused)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(OpenError::InUse {
                path: path.to_owned(),
            });
        }
        Err(TryLockError::Error(error)) => return Err(refused(error)),
    }
    // SQLite would make it readable for everybody, and its log like it.
    match ours().open(path) {
        Ok(_) => Ok(lock),
        Err(source) => Err(OpenError::Folder {
            folder: path.to_owned(),
            source,
        }),
    }
}

/// For files that nobody else may read: there are hashes of passwords in them.
pub(super) fn ours() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
