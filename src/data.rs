//! Where a server keeps everything: which folder, and which file in it. What is in the file is the
//! business of the store.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use touchmove_store::Sqlite;
use touchmove_tui::autosave::Shelf;

/// The file of the store in its folder.
pub const STORE: &str = "touchmove.db";

/// Where the server keeps everything.
#[derive(clap::Args)]
pub struct DataArgs {
    /// The folder of the server's store; without it, that of this platform for data.
    #[arg(
        long = "data",
        value_name = "DIR",
        env = "TOUCHMOVE_SERVER_DATA",
        hide_env_values = true
    )]
    folder: Option<PathBuf>,
}

impl DataArgs {
    /// The folder, which need not be there yet.
    pub fn folder(&self) -> Result<PathBuf> {
        match self.folder.clone().or_else(folder) {
            Some(folder) => Ok(folder),
            None => bail!("there is no place for data: set HOME or XDG_DATA_HOME, or give --data"),
        }
    }

    /// The file of the store, which need not be there yet.
    pub fn store(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join(STORE))
    }

    /// The file of the store, or a sentence that there is none.
    pub fn store_that_is_there(&self) -> Result<PathBuf> {
        let path = self.store()?;
        if !path.exists() {
            bail!(
                "there is no store {}: --data names the folder of one that there is",
                path.display()
            );
        }
        Ok(path)
    }

    /// The store, for a visit: a server may have it open.
    pub fn visit(&self) -> Result<Sqlite> {
        visit(&self.store_that_is_there()?)
    }

    /// The store for a visit, made if there is none.
    pub fn visit_or_make(&self) -> Result<Sqlite> {
        visit(&self.store()?)
    }
}

fn visit(path: &Path) -> Result<Sqlite> {
    Ok(Sqlite::visit(path)?)
}

/// The folder of this platform for what touchmove keeps.
pub fn folder() -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    Shelf::folder_for(path("XDG_DATA_HOME"), path("HOME"))
}
