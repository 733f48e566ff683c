//! Backups while the store is in use, and whether it is whole. Other stores have tools of their own for
//! this, so it is not in the trait.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use rusqlite::Connection;
use thiserror::Error;
use tokio::sync::oneshot;

use super::Sqlite;
use super::open::connect;
use crate::Error;

/// Why there is no backup.
///
/// ```
/// use touchmove_store::BackupError;
///
/// let error = BackupError::Exists { path: "monday.db".into() };
/// assert_eq!(error.to_string(), "monday.db exists already: a backup overwrites nothing");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BackupError {
    /// There is such a file.
    #[error("{path} exists already: a backup overwrites nothing")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It could not be written.
    #[error("the backup {path} cannot be written: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The store could not be read, or the copy not be written.
    #[error("the backup {path} failed: {source}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Error,
    },
}

impl Sqlite {
    /// Copies the store as it is now into a new file, while it is read and written. The file appears
    /// under its name when it is whole and on the disk, and can be opened as a store.
    ///
    /// # Errors
    /// If there is such a file, or it cannot be written.
    pub async fn backup(&self, to: impl Into<PathBuf>) -> Result<(), BackupError> {
        let (from, to) = (self.path.clone(), to.into());
        let path = to.clone();
        let (sender, answer) = oneshot::channel();
        let copying = move || {
            let _ = sender.send(copy(&from, &to));
        };
        let failed = |source| BackupError::Failed {
            path: path.clone(),
            source,
        };
        thread::Builder::new()
            .name("store-backup".to_owned())
            .spawn(copying)
            .map_err(|error| failed(Error::Failed(error.to_string())))?;
        answer.await.map_err(|_| failed(Error::Closed))?
    }

    /// What is wrong with the store, in sentences; nothing, if all is well. It reads everything.
    ///
    /// # Errors
    /// If it cannot be read at all.
    pub async fn check(&self) -> Result<Vec<String>, Error> {
        self.read(faults).await
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), BackupError> {
    if to.exists() {
        return Err(BackupError::Exists {
            path: to.to_owned(),
        });
    }
    let mut part = to.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let result = copy_by(from, &part, to);
    if result.is_err() {
        // What there is of it is of no use; that it may not be there is no matter.
        let _ = fs::remove_file(&part);
    }
    result
}

fn copy_by(from: &Path, part: &Path, to: &Path) -> Result<(), BackupError> {
    let failed = |error: rusqlite::Error| BackupError::Failed {
        path: to.to_owned(),
        source: error.into(),
    };
    let refused = |source| BackupError::File {
        path: to.to_owned(),
        source,
    };
    // SQLite fills an empty file; made here, so that nobody else can read it.
    super::open::ours()
        .truncate(true)
        .open(part)
        .map_err(refused)?;
    let db = connect(from).map_err(failed)?;
    let name = part
        .to_str()
        .ok_or_else(|| refused(io::ErrorKind::InvalidFilename.into()))?;
    // One statement is one snapshot; writers go on meanwhile.
    db.execute("VACUUM INTO ?1", [name]).map_err(failed)?;
    File::open(part)
        .and_then(|file| file.sync_all())
        .and_then(|()| fs::rename(part, to))
        .and_then(|()| sync_folder(to))
        .map_err(refused)
}

/// The name of a file is on the disk when its folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match path.parent() {
        Some(folder) if folder != Path::new("") => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

fn faults(db: &Connection) -> rusqlite::Result<Vec<String>> {
    let snapshot = db.unchecked_transaction()?;
    let mut faults = Vec::new();
    let mut integrity = snapshot.prepare("PRAGMA integrity_check")?;
    for line in integrity.query_map([], |row| row.get::<_, String>(0))? {
        faults.push(format!("the file is damaged: {}", line?));
    }
    faults.retain(|fault| fault != "the file is damaged: ok");
    let mut orphans = snapshot.prepare("PRAGMA foreign_key_check")?;
    for table in orphans.query_map([], |row| row.get::<_, String>(0))? {
        faults.push(format!("a row of the table {} belongs to nothing", table?));
    }
    let mut gaps = snapshot.prepare(
        "SELECT games.id, found.seq FROM (
             SELECT game, seq, lag(last, 1, -1) OVER (PARTITION BY game ORDER BY seq) AS before
             FROM decisions
         ) AS found JOIN games ON games.key = found.game WHERE found.seq <> found.before + 1",
    )?;
    for gap in gaps.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (game, number): (String, i64) = gap?;
        faults.push(format!(
            "game {game}: event {number} does not follow the one before it"
        ));
    }
    let mut unopened = snapshot.prepare(
        "SELECT id FROM games WHERE NOT EXISTS (SELECT 1 FROM decisions WHERE game = games.key)",
    )?;
    for game in unopened.query_map([], |row| row.get::<_, String>(0))? {
        faults.push(format!("game {} has no opening", game?));
    }
    Ok(faults)
}
