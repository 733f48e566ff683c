//! A backup as a file: why there is none, and that it is there whole or not at all. How a store is copied
//! into it is the store's business.

use std::fs::{self, File, FileType};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
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
// No field is called `source`: a sentence has its reason in it, and who prints the causes too would say it twice.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BackupError {
    /// There is such a file.
    #[error("{path} exists already: a backup overwrites nothing")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// There is something of this name that is no file, and stays as it is.
    #[error("{path} is {what}: a backup needs the name of a file")]
    NotAFile {
        /// The name.
        path: PathBuf,
        /// What it is, such as `a folder`.
        what: &'static str,
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
    #[error("the backup {path} cannot be written: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The program that copies the database is missing or has failed.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Dump(#[from] crate::DumpError),
    /// The store could not be read, or the copy not be written.
    #[error("the backup {path} failed: {error}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: Error,
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
    /// A file that is there is replaced, at once, when the backup is whole. A link to it stays; what is no file is
    /// never replaced.
    Yes,
}

/// Where a backup of this name is written, if it may have it: a link stays, and the file that it leads to is
/// replaced.
pub(crate) fn place_of(to: &Path, overwrite: Overwrite) -> Result<PathBuf, BackupError> {
    let path = to.to_owned();
    let found = match fs::metadata(to) {
        Ok(found) => found.file_type(),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(BackupError::File { path, error });
        }
        // Nothing is made where it leads to: that may be a name which the store takes for its own.
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

/// What it is that is no file.
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

/// Lets a copy be written into a file beside, which nobody else can read, and gives it its name when it is
/// whole and on the disk.
pub(crate) fn whole_or_nothing(
    to: &Path,
    copy: impl FnOnce(&Path) -> Result<(), BackupError>,
) -> Result<(), BackupError> {
    let refused = |error| BackupError::File {
        path: to.to_owned(),
        error,
    };
    // Nobody can know its name beforehand and have a file there for the copy to go into.
    let lot = RandomState::new().build_hasher().finish();
    let part = with_tail(to, &format!(".{lot:016x}.part"));
    let file = crate::sqlite::private_permissions()
        .create_new(true)
        .open(&part);
    // Open until the end: to close it would take the locks away that SQLite has on it in this process.
    let file = file.map_err(refused)?;
    let written = || {
        copy(&part)?;
        file.sync_all()
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
