//! Opening a store in SQLite: creates the folder, locks the file, migrates it and starts the threads. Each
//! possible error is reported in one sentence.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc as std_mpsc};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use thiserror::Error;
use tokio::sync::mpsc;

use crate::Error;
use crate::sqlite::migrate::{MIGRATIONS, MigrationError, migrate, version};
use crate::sqlite::threads;
use crate::sqlite::threads::WalState;
use crate::sqlite::write_lock::WriteLock;
use crate::sqlite::{BUSY_TIMEOUT, Queues, Sqlite};

/// How many writes and how many reads may be queued before callers have to wait.
const MAX_QUEUED_JOBS: usize = 4_096;
/// Prepared statements that each connection caches: more than there are.
const STATEMENT_CACHE_SIZE: usize = 128;

/// How long `open` waits for a process that is only migrating the file.
const OPEN_LOCK_TIMEOUT: Duration = Duration::from_millis(250);
/// How long `open_shared` waits for a process that is migrating the file.
const SHARED_OPEN_TIMEOUT: Duration = Duration::from_secs(1);
/// The delay between two attempts to take a lock.
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(20);

/// The page cache of each connection, in KiB.
const PAGE_CACHE_KIB: i64 = 16 * 1_024;

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
    /// The folder cannot be created, or no files can be created in it.
    #[error("the store cannot be kept in {folder}: {error}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// Another process, or this one, has the store open.
    #[error("the store {path} is in use by another touchmove: stop that one first")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a store.
    #[error("{path} is not a store of touchmove")]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file does not exist.
    #[error("there is no store {path}")]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The store has an older version, and an older program has it open.
    #[error(
        "the store {path} has version {found} and is in use by an older touchmove (this one needs version {known}): stop that one first"
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: usize,
        /// The version that is needed here.
        known: usize,
    },
    /// The store has a newer version.
    #[error(
        "the store {path} has version {found} and this touchmove knows versions up to {known}: use a newer touchmove"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: usize,
        /// The newest version that is known here.
        known: usize,
    },
    /// The file cannot be read or written.
    #[error("the store {path} cannot be opened: {error}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// The error.
        error: Error,
    },
}

impl Sqlite {
    /// Opens the store in this file, creates it and its folder if necessary, and migrates it to the newest
    /// version.
    ///
    /// # Errors
    /// If the folder or the file cannot be written to, if another process has the store open, if the file is of
    /// a newer version or not a store at all.
    pub fn open(path: impl AsRef<Path>) -> Result<Sqlite, OpenError> {
        let path = path.as_ref();
        let give_up = Instant::now() + OPEN_LOCK_TIMEOUT;
        let lock = loop {
            match lock(path) {
                // Another process may be creating a new store; that takes only a moment.
                Err(OpenError::InUse { .. }) if Instant::now() < give_up => {
                    thread::sleep(LOCK_RETRY_DELAY);
                }
                locked => break locked?,
            }
        };
        let writer = prepare(path)?;
        let readers = thread::available_parallelism().map_or(2, |count| count.get().clamp(2, 4));
        let tidier = connect(path).map_err(|error| failed(path, error))?;
        Sqlite::begin(path, Some(lock), writer, readers, Some(tidier))
    }

    /// Opens the store in this file for a short time, even if another process has it [open](Sqlite::open):
    /// everything can be read and written, and writes take turns. Several processes may do this at once. A new
    /// or older store is first migrated to the newest version, if no process has it open.
    ///
    /// It does not checkpoint the write-ahead log: that is left to the process that has the store open.
    ///
    /// ```
    /// use touchmove_store::{Sqlite, Store};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = std::env::temp_dir().join(format!("touchmove-visit-{}", std::process::id()));
    /// let server = Sqlite::open(folder.join("touchmove.db"))?;
    /// let visitor = Sqlite::open_shared(folder.join("touchmove.db"))?;
    /// let beat = visitor.heartbeat().await?;
    /// assert_eq!(server.heartbeat().await?.before, Some(beat.at));
    /// # drop((server, visitor));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As for [`open`](Sqlite::open); and if an older touchmove has the store open.
    pub fn open_shared(path: impl AsRef<Path>) -> Result<Sqlite, OpenError> {
        let path = path.as_ref();
        let give_up = Instant::now() + SHARED_OPEN_TIMEOUT;
        loop {
            let found = match version_of(path) {
                Err(OpenError::Missing { .. }) => 0,
                found => found?,
            };
            if found == MIGRATIONS.len() {
                break;
            }
            match lock(path) {
                // The lock is released at once, so that a server can open the store.
                Ok(_lock) => drop(prepare(path)?),
                // The process that has the lock may be migrating the file.
                Err(OpenError::InUse { .. }) if Instant::now() < give_up => {
                    thread::sleep(LOCK_RETRY_DELAY);
                }
                Err(OpenError::InUse { path }) if found > 0 => {
                    let known = MIGRATIONS.len();
                    return Err(OpenError::Older { path, found, known });
                }
                Err(error) => return Err(error),
            }
        }
        let writer = connect(path).map_err(|error| failed(path, error))?;
        Sqlite::begin(path, None, writer, 1, None)
    }

    /// Starts the threads.
    fn begin(
        path: &Path,
        lock: Option<File>,
        writer: Connection,
        readers: usize,
        tidier: Option<Connection>,
    ) -> Result<Sqlite, OpenError> {
        let failed = |error| failed(path, error);
        let (writes, write_queue) = mpsc::channel(MAX_QUEUED_JOBS);
        let (reads, read_queue) = mpsc::channel(MAX_QUEUED_JOBS);
        let (committed, commits) = std_mpsc::sync_channel(1);
        let log = Arc::new(WalState::default());
        let mut store = Sqlite {
            path: path.to_owned(),
            queues: Some(Queues { writes, reads }),
            threads: Vec::new(),
            _lock: lock,
        };
        let read_queue = Arc::new(Mutex::new(read_queue));
        for number in 0..readers {
            let (db, queue) = (connect(path).map_err(failed)?, Arc::clone(&read_queue));
            db.pragma_update(None, "query_only", true).map_err(failed)?;
            store.start(&format!("store-read-{number}"), move || {
                threads::read(&db, &queue);
            })?;
        }
        if let Some(tidier) = tidier {
            let log = Arc::clone(&log);
            store.start("store-log", move || {
                threads::checkpoint_wal(&tidier, &log, &commits);
            })?;
        }
        let turn = WriteLock::at(path);
        store.start("store-write", move || {
            threads::write(&writer, &turn, write_queue, &log, &committed);
        })?;
        Ok(store)
    }

    fn start(&mut self, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), OpenError> {
        let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
        let thread = thread.map_err(|error| OpenError::Failed {
            path: self.path.clone(),
            error: Error::Failed(error.to_string()),
        })?;
        self.threads.push(thread);
        Ok(())
    }
}

fn failed(path: &Path, error: rusqlite::Error) -> OpenError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::NotAStore { path },
        _ => OpenError::Failed {
            path,
            error: error.into(),
        },
    }
}

fn unfit(path: &Path, unfit: MigrationError) -> OpenError {
    let path = path.to_owned();
    match unfit {
        MigrationError::Foreign => OpenError::NotAStore { path },
        MigrationError::Newer { found, known } => OpenError::Newer { path, found, known },
        MigrationError::Failed(error) => failed(&path, error),
    }
}

/// Migrates a file to the newest version. The caller holds its lock.
fn prepare(path: &Path) -> Result<Connection, OpenError> {
    let failed = |error| failed(path, error);
    let mut db = connect(path).map_err(failed)?;
    migrate(&mut db, MIGRATIONS).map_err(|error| unfit(path, error))?;
    // Only after it is known to be a store, because this writes to the file.
    db.pragma_update(None, "journal_mode", "wal")
        .map_err(failed)?;
    Ok(db)
}

/// The version of a store, which another process may have open; 0 for an empty file. It writes nothing.
pub(super) fn version_of(path: &Path) -> Result<usize, OpenError> {
    if !path.exists() {
        let path = path.to_owned();
        return Err(OpenError::Missing { path });
    }
    let failed = |error| failed(path, error);
    let db = connect(path).map_err(failed)?;
    let snapshot = db.unchecked_transaction().map_err(failed)?;
    let (found, known) = (version(&snapshot), MIGRATIONS.len());
    match found {
        Ok(found) if found > known => Err(unfit(path, MigrationError::Newer { found, known })),
        found => found.map_err(|error| unfit(path, error)),
    }
}

/// Opens a connection that waits for locks and syncs every commit.
pub(super) fn connect(path: &Path) -> rusqlite::Result<Connection> {
    // No URIs: a path is a path. Each connection stays in one thread.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(BUSY_TIMEOUT)?;
    db.set_prepared_statement_cache_capacity(STATEMENT_CACHE_SIZE);
    // Query plans must not depend on the values: otherwise a statement is planned anew for each of them.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // FULL: a commit is on the disk before it is answered.
    db.pragma_update(None, "synchronous", "full")?;
    db.pragma_update(None, "foreign_keys", true)?;
    // A negative size is in KiB. The pages of a thousand running games fit into it.
    db.pragma_update(None, "cache_size", -PAGE_CACHE_KIB)?;
    // A thread of its own checkpoints the write-ahead log.
    db.pragma_update(None, "wal_autocheckpoint", 0)?;
    Ok(db)
}

/// Creates the folder and the file, and locks them for this process. The lock is on a file beside it: one on
/// the file itself would conflict with SQLite's own.
fn lock(path: &Path) -> Result<File, OpenError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let refused = |error| OpenError::Folder {
        folder: folder.to_owned(),
        error,
    };
    create_private_folder(folder).map_err(refused)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(".lock");
    let lock = private_permissions().open(beside).map_err(refused)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(OpenError::InUse {
                path: path.to_owned(),
            });
        }
        Err(TryLockError::Error(error)) => return Err(refused(error)),
    }
    // SQLite would create the file and its log readable for everybody. An existing file is not opened: closing
    // it would release SQLite's locks on it in this process.
    match private_permissions().create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(OpenError::Folder {
            folder: path.to_owned(),
            error,
        }),
        _ => Ok(lock),
    }
}

/// Creates a folder and its parents with private permissions. An existing folder stays as it is.
fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Options for files that only the owner may read: they contain password hashes.
pub(crate) fn private_permissions() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
