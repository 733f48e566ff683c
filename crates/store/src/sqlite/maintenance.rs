//! Backups of a store that is in use, and its integrity check. Every implementation has its own way, so this is
//! not in the trait.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::Error;
use crate::backup::{BackupError, Overwrite, place_of, whole_or_nothing, with_tail};
use crate::sqlite::Sqlite;
use crate::sqlite::open::{OpenError, connect, version_of};
use crate::sqlite::write_lock;

impl Sqlite {
    /// Copies the store into a new file, while it is read and written. The copy is a consistent snapshot that
    /// can be opened as a store; the file appears under its name when it is complete and on the disk.
    ///
    /// # Errors
    /// If the path exists, or the file cannot be written.
    pub async fn backup(&self, to: impl Into<PathBuf>) -> Result<(), BackupError> {
        let (from, to) = (self.path.clone(), to.into());
        let path = to.clone();
        let (sender, answer) = oneshot::channel();
        let copying = move || {
            let _ = sender.send(Sqlite::copy(&from, &to, Overwrite::Never));
        };
        let failed = |error| BackupError::Failed {
            path: path.clone(),
            error,
        };
        thread::Builder::new()
            .name("store-backup".to_owned())
            .spawn(copying)
            .map_err(|error| failed(Error::Failed(error.to_string())))?;
        answer.await.map_err(|_| failed(Error::Closed))?
    }

    /// Copies a store as [`backup`](Sqlite::backup) does, whether or not a process has it open, and does not
    /// change it: a store of an older version is copied without a migration. This function blocks.
    ///
    /// ```
    /// use touchmove_store::{Overwrite, Sqlite};
    ///
    /// # let folder = std::env::temp_dir().join(format!("touchmove-copy-{}", std::process::id()));
    /// let (store, monday) = (folder.join("touchmove.db"), folder.join("monday.db"));
    /// let server = Sqlite::open(&store)?;
    /// Sqlite::copy(&store, &monday, Overwrite::Never)?;
    /// assert!(Sqlite::copy(&store, &monday, Overwrite::Never).is_err());
    /// assert!(Sqlite::copy(&store, &store, Overwrite::Yes).is_err());
    /// Sqlite::copy(&store, &monday, Overwrite::Yes)?;
    /// # drop(server);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no store, if the file exists and may not be overwritten, if the path is not a regular file
    /// or is the store itself, or if it cannot be written.
    pub fn copy(
        from: impl AsRef<Path>,
        to: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<(), BackupError> {
        let (from, to) = (from.as_ref(), to.as_ref());
        if version_of(from)? == 0 {
            let path = from.to_owned();
            return Err(OpenError::Missing { path }.into());
        }
        if to.exists() && is_part_of(to, from) {
            let path = to.to_owned();
            return Err(BackupError::Itself { path });
        }
        let place = place_of(to, overwrite)?;
        whole_or_nothing(&place, |part| copy_by(from, part, to))
    }

    /// Checks the integrity of the store and returns what is wrong, in sentences; empty if nothing is. It reads
    /// everything.
    ///
    /// # Errors
    /// If it cannot be read at all.
    pub async fn check(&self) -> Result<Vec<String>, Error> {
        self.read(faults).await
    }
}

/// Whether a file is a store or one of its files beside it.
fn is_part_of(path: &Path, store: &Path) -> bool {
    let path = fs::canonicalize(path).ok();
    let is_same =
        |tail: &str| path.is_some() && fs::canonicalize(with_tail(store, tail)).ok() == path;
    [
        "",
        "-wal",
        "-shm",
        "-journal",
        ".lock",
        write_lock::LOCK_FILE_SUFFIX,
    ]
    .into_iter()
    .any(is_same)
}

fn copy_by(from: &Path, part: &Path, to: &Path) -> Result<(), BackupError> {
    let failed = |error: rusqlite::Error| BackupError::Failed {
        path: to.to_owned(),
        error: error.into(),
    };
    let refused = |error| BackupError::File {
        path: to.to_owned(),
        error,
    };
    let db = connect(from).map_err(failed)?;
    let name = part
        .to_str()
        .ok_or_else(|| refused(io::ErrorKind::InvalidFilename.into()))?;
    // VACUUM INTO reads one snapshot while writers go on. It needs a file that is empty or does not exist.
    db.execute("VACUUM INTO ?1", [name]).map_err(failed)?;
    Ok(())
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
