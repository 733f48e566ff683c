//! Backup files: writing one atomically, and why it failed. Each store copies its own data into the file.

use std::fs::{self, File, FileType};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{Error, OpenError};

/// Why a backup failed.
///
/// ```
/// use touchmove_store::BackupError;
///
/// let error = BackupError::Exists { path: "monday.db".into() };
/// assert_eq!(error.to_string(), "monday.db exists already: a backup overwrites nothing");
/// ```
// No field is called `source`: the message includes the reason, and printing the chain of causes would repeat
// it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BackupError {
    /// The file exists already.
    #[error("{path} exists already: a backup overwrites nothing")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The path exists and is not a regular file, so it is not replaced.
    #[error("{path} is {what}: a backup needs the name of a file")]
    NotAFile {
        /// The name.
        path: PathBuf,
        /// What it is, such as `a folder`.
        what: &'static str,
    },
    /// The path is the store itself or one of its files.
    #[error("{path} belongs to the store itself: a backup needs a file of its own")]
    Itself {
        /// The file.
        path: PathBuf,
    },
    /// The store to copy cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The file could not be written.
    #[error("the backup {path} cannot be written: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// `pg_dump` is missing or has failed.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Dump(#[from] crate::DumpError),
    /// The store could not be read, or the copy could not be written.
    #[error("the backup {path} failed: {error}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// The error.
        error: Error,
    },
}

/// Whether a backup may replace an existing file.
///
/// ```
/// use touchmove_store::Overwrite;
///
/// assert_ne!(Overwrite::Never, Overwrite::Yes);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overwrite {
    /// An existing file stays as it is, and the backup fails.
    Never,
    /// An existing file is replaced atomically when the backup is complete. If it is a symbolic link, its
    /// target is replaced. What is not a regular file is never replaced.
    Yes,
}

/// The path that a backup is written to: for a symbolic link its target. Fails if the path may not be replaced.
pub(crate) fn place_of(to: &Path, overwrite: Overwrite) -> Result<PathBuf, BackupError> {
    let path = to.to_owned();
    let found = match fs::metadata(to) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(BackupError::File { path, error });
        }
        // The target of a dangling link is not created: it may be a name that the store uses itself.
        Err(_) if to.is_symlink() => {
            let what = "a link to nothing";
            return Err(BackupError::NotAFile { path, what });
        }
        Err(_) => return Ok(path),
    };
    if !found.is_file() {
        let what = kind(found);
        return Err(BackupError::NotAFile { path, what });
    }
    match overwrite {
        Overwrite::Never => Err(BackupError::Exists { path }),
        Overwrite::Yes if to.is_symlink() => {
            fs::canonicalize(to).map_err(|error| BackupError::File { path, error })
        }
        Overwrite::Yes => Ok(path),
    }
}

/// What a path is that is not a regular file.
fn kind(found: FileType) -> &'static str {
    if found.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if found.is_fifo() {
            return "a pipe";
        }
        if found.is_socket() {
            return "a socket";
        }
        if found.is_block_device() || found.is_char_device() {
            return "a device";
        }
    }
    "no file"
}

/// Writes a file atomically: `copy` writes into a temporary file with private permissions, which is renamed
/// when it is complete and on the disk.
pub(crate) fn whole_or_nothing(
    to: &Path,
    copy: impl FnOnce(&Path) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let refused = |error| BackupError::File {
        path: to.to_owned(),
        error,
    };
    // A random name, so that nobody can put a file there beforehand.
    let lot = RandomState::new().build_hasher().finish();
    let part = with_tail(to, &format!(".{lot:016x}.part"));
    let file = crate::sqlite::private_permissions()
        .create_new(true)
        .open(&part);
    // Kept open until the end: closing it would release SQLite's locks on it in this process.
    let file = file.map_err(refused)?;
    let written = || {
        copy(&part)?;
        file.sync_all()
            .and_then(|()| fs::rename(&part, to))
            .and_then(|()| sync_folder(to))
            .map_err(refused)
    };
    written().inspect_err(|_| {
        // A partial copy is useless; that removing it may fail does not matter.
        let _ = fs::remove_file(&part);
    })
}

/// The path with a suffix after its file name.
pub(crate) fn with_tail(path: &Path, tail: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(tail);
    PathBuf::from(name)
}

/// Syncs the folder, so that the new file name is on the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match path.parent() {
        Some(folder) if folder != Path::new("") => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_whole_yet_has_a_name_that_nobody_knew_and_is_ours_alone() {
        let folder = std::env::temp_dir().join(format!("touchmove-part-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let to = folder.join("monday.db");
        let mut parts = Vec::new();
        for text in ["one", "other"] {
            let copy = |part: &Path| {
                assert_eq!(part.parent(), Some(&*folder));
                let name = part.file_name().unwrap().to_str().unwrap();
                assert!(name.starts_with("monday.db.") && name.ends_with(".part"));
                #[cfg(unix)]
                {
                    use std::os::unix::fs::PermissionsExt as _;
                    let mode = fs::metadata(part).unwrap().permissions().mode();
                    assert_eq!(mode & 0o777, 0o600);
                }
                assert_eq!(fs::read(part).unwrap(), b"");
                fs::write(part, text).unwrap();
                parts.push(part.to_owned());
                Ok(())
            };
            whole_or_nothing(&to, copy).unwrap();
            assert_eq!(fs::read_to_string(&to).unwrap(), text);
        }
        let failing = |part: &Path| {
            fs::write(part, "half").unwrap();
            parts.push(part.to_owned());
            Err(BackupError::File {
                path: to.clone(),
                error: io::ErrorKind::StorageFull.into(),
            })
        };
        whole_or_nothing(&to, failing).unwrap_err();
        assert_eq!(fs::read_to_string(&to).unwrap(), "other");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{parts:?}");
        parts.sort();
        parts.dedup();
        assert_eq!(parts.len(), 3, "{parts:?}");
        fs::remove_dir_all(folder).unwrap();
    }
}
