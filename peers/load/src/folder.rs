//! A folder for one run, gone afterwards unless something in it must be looked at.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// A folder that goes with its owner.
pub struct TempDir {
    path: PathBuf,
    is_kept: bool,
}

impl TempDir {
    /// A new one.
    pub fn new() -> anyhow::Result<TempDir> {
        let name = format!(
            "touchmove-load-{}-{:06x}",
            std::process::id(),
            fastrand::u32(..1 << 24)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).with_context(|| format!("no folder {}", path.display()))?;
        Ok(TempDir {
            path,
            is_kept: false,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves it, and says so.
    pub fn keep(&mut self) {
        self.is_kept = true;
        println!("everything is left in {}", self.path.display());
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}
