//! Reads files up to a size limit, because somebody else may have written them: an endless file must not fill the
//! memory. Knows nothing of their contents.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The largest file that is read, in bytes; about the size of a million games.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// A reader that fails when more than its limit is read.
///
/// ```
/// use std::io::Read as _;
/// use touchmove_tui::bounded_file::Bounded;
///
/// let mut text = String::new();
/// assert!(Bounded::new(&b"1. e4"[..], 5).read_to_string(&mut text).is_ok());
/// let error = Bounded::new(&b"1. e4"[..], 4).read_to_string(&mut text).unwrap_err();
/// assert_eq!(error.to_string(), "it has more than 4 bytes, the most that is read");
/// ```
#[derive(Debug)]
pub struct Bounded<R> {
    source: R,
    limit: u64,
    left: u64,
}

impl<R: Read> Bounded<R> {
    /// A reader of at most `limit` bytes.
    pub const fn new(source: R, limit: u64) -> Bounded<R> {
        Bounded {
            source,
            limit,
            left: limit,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Reading one byte beyond the limit shows that there is more.
        let mut source = self.source.by_ref().take(self.left.saturating_add(1));
        let count = source.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => {
                let limit = match self.limit.is_multiple_of(1 << 20) {
                    true => format!("{} MiB", self.limit >> 20),
                    false => format!("{} bytes", self.limit),
                };
                let why = format!("it has more than {limit}, the most that is read");
                return Err(io::Error::new(ErrorKind::FileTooLarge, why));
            }
        }
        Ok(count)
    }
}

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// If it cannot be read, or is larger.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Bounded::new(File::open(path)?, limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
/// If it cannot be read, is larger, or is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    text(read(path, limit)?)
}

/// Reads a file of at most `limit` bytes, or standard input for `-`.
///
/// # Errors
/// If it cannot be read, or has more bytes.
pub fn read_or_input(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return read(path, limit);
    }
    let mut bytes = Vec::new();
    Bounded::new(io::stdin(), limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Converts bytes to text.
///
/// # Errors
/// If they are not UTF-8.
pub fn text(bytes: Vec<u8>) -> io::Result<String> {
    let is_no_text = |_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text");
    String::from_utf8(bytes).map_err(is_no_text)
}
