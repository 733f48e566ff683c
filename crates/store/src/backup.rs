//! A backup as a file: why there is none, and that it is there whole or not at all. How a store is copied
//! into it is the store's business.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{Error, OpenError};

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
    /// It is the store itself, or a file that belongs to it.
    #[error("{path} belongs to the store itself: a backup needs a file of its own")]
    Itself {
        /// The file.
        path: PathBuf,
    },
    /// There is nothing to copy.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// It could not be written.
    #[error("the backup {path} cannot be written: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The program that copies the database is missing or has failed.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Dump(#[from] crate::DumpError),
    /// The store could not be read, or the copy not be written.
    #[error("the backup {path} failed: {source}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Error,
    },
}

/// Whether a backup takes the place of a file.
///
/// ```
/// use touchmove_store::Overwrite;
///
/// assert_ne!(Overwrite::Never, Overwrite::Yes);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overwrite {
    /// A file that is there stays as it is.
    Never,
    /// A file that is there is replaced, at once, when the backup is whole.
    Yes,
}

/// Whether a backup may have this name.
pub(crate) fn may_be_written(to: &Path, overwrite: Overwrite) -> Result<(), BackupError> {
    if overwrite == Overwrite::Never && to.exists() {
        let path = to.to_owned();
        return Err(BackupError::Exists { path });
    }
    Ok(())
}

/// Lets a copy be written into a file beside, which nobody else can read, and gives it its name when it is
/// whole and on the disk.
pub(crate) fn whole_or_nothing(
    to: &Path,
    copy: impl FnOnce(&Path) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let part = with_tail(to, ".part");
    let refused = |source| BackupError::File {
        path: to.to_owned(),
        source,
    };
    let written = || {
        crate::sqlite::ours()
            .truncate(true)
            .open(&part)
            .map_err(refused)?;
        copy(&part)?;
        File::open(&part)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&part, to))
            .and_then(|()| sync_folder(to))
            .map_err(refused)
    };
    written().inspect_err(|_| {
        // What there is of it is of no use; that it may not be there is no matter.
        let _ = fs::remove_file(&part);
    })
}

/// The path with something after its name.
pub(crate) fn with_tail(path: &Path, tail: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(tail);
    PathBuf::from(name)
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
