//! Writing files safely: written whole and read back, replaced atomically, locked, listed.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Creates a private folder (mode 0700), with those above it. An existing folder stays as it is.
///
/// # Errors
/// If it cannot be created.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Options that create files which only their owner may read.
pub fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Writes a new file and reads it back; if that fails, no file is left behind.
///
/// # Errors
/// If the file exists, or cannot be written.
pub fn write_new(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    write_new_with(OpenOptions::new(), path, text.as_ref())
}

/// Like [`write_new`], with a file that only its owner may read.
///
/// # Errors
/// If the file exists, or cannot be written.
pub fn write_new_private(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    write_new_with(private(), path, text.as_ref())
}

fn write_new_with(mut options: OpenOptions, path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = options.write(true).create_new(true).open(path)?;
    let written = file
        .write_all(text)
        .and_then(|()| file.sync_all())
        .and_then(|()| match fs::read(path)? == text {
            true => Ok(()),
            false => Err(io::Error::other("what was written cannot be read back")),
        });
    if written.is_err() {
        // Do not leave half a game behind.
        let _ = fs::remove_file(path);
    }
    written
}

/// Replaces a file atomically: it stays as it is until all of `text` is written.
///
/// # Errors
/// If it cannot be written; then the old file is still there.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    // Replaces the target of a symbolic link, not the link.
    let path = &fs::canonicalize(path)?;
    let beside = beside(path);
    write_new(&beside, text)?;
    fs::set_permissions(&beside, fs::metadata(path)?.permissions())?;
    fs::rename(&beside, path)
}

fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}

/// A file that is written beside its target and replaces it when finished. The target stays until then, even if it
/// is being read. Devices and pipes are written to directly.
///
/// ```
/// use std::io::Write as _;
/// use touchmove_tui::disk::StagedFile;
///
/// let path = std::env::temp_dir().join(format!("draft-{}.txt", std::process::id()));
/// std::fs::write(&path, "before")?;
/// let mut draft = StagedFile::begin(&path)?;
/// draft.write_all(b"after")?;
/// assert_eq!(std::fs::read(&path)?, b"before");
/// draft.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"after");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct StagedFile {
    file: File,
    /// The temporary path, and the target.
    places: Option<(PathBuf, PathBuf)>,
}

impl StagedFile {
    /// Starts to write a file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn begin(path: &Path) -> io::Result<StagedFile> {
        let found = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            found => Some(found?),
        };
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(StagedFile { file, places: None });
        }
        let path = match &found {
            // A target without write permission is not replaced, either.
            Some(_) => {
                OpenOptions::new().write(true).open(path)?;
                fs::canonicalize(path)?
            }
            None => path.to_owned(),
        };
        let beside = beside(&path);
        let file = File::create_new(&beside)?;
        let draft = StagedFile {
            file,
            places: Some((beside, path)),
        };
        if let Some(found) = found {
            draft.file.set_permissions(found.permissions())?;
        }
        Ok(draft)
    }

    /// The temporary path of the unfinished file; `None` for devices and pipes.
    #[must_use]
    pub fn unfinished(&self) -> Option<&Path> {
        self.places.as_ref().map(|(beside, _)| beside.as_path())
    }

    /// Moves the file to its target.
    ///
    /// # Errors
    /// If the disk does not take it; then the old file is still there.
    pub fn finish(mut self) -> io::Result<()> {
        let Some((beside, path)) = &self.places else {
            return self.file.flush();
        };
        self.file.sync_all()?;
        fs::rename(beside, path)?;
        self.places = None;
        Ok(())
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.places {
            // Do not leave half a file behind.
            let _ = fs::remove_file(beside);
        }
    }
}

/// The files with this extension in a folder; none if the folder does not exist.
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

/// Locks a journal; returns `false` if another program has locked it. Where files cannot be locked, returns `true`.
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Syncs a folder, so that a new file name in it survives a crash, where the system can.
pub(crate) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        // Some systems cannot sync folders; the journal itself is synced in any case.
        let _ = folder.sync_all();
    }
}
