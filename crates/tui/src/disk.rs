//! Files that are there or are not: written whole and read back, replaced in one step, locked, listed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file that was not there, and reads it back; if that fails, nothing is left of it.
///
/// # Errors
/// If there is such a file, or it cannot be written.
pub fn write_new(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    let text = text.as_ref();
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).open(path)?;
    let written = file
        .write_all(text)
        .and_then(|()| file.sync_all())
        .and_then(|()| match fs::read(path)? == text {
            true => Ok(()),
            false => Err(io::Error::other("what was written cannot be read back")),
        });
    if written.is_err() {
        // Half a game is no game.
        let _ = fs::remove_file(path);
    }
    written
}

/// Writes a file in the place of another, which stays as it is until all is written.
///
/// # Errors
/// If it cannot be written; then the other is still there.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    // What a link leads to is replaced, and not the link.
    let path = &fs::canonicalize(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    write_new(&beside, text)?;
    fs::set_permissions(&beside, fs::metadata(path)?.permissions())?;
    fs::rename(&beside, path)
}

/// The files of a folder with this extension; none if there is no such folder.
pub(crate) fn listed(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let files = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let paths = files.filter_map(|entry| Some(entry.ok()?.path()));
    Ok(paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect())
}

/// Takes the lock of a journal; `false` if another program has it. Where files cannot be locked,
/// nobody else has.
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Makes a new name in a folder last, where the system can.
pub(crate) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        // Some systems do not sync folders; the journal itself is synced in any case.
        let _ = folder.sync_all();
    }
}
