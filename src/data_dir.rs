//! The data directory of a server: its path, and the store in it or the database instead. The store crate owns the
//! contents.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use touchmove_store::{Postgres, Sqlite, Store};
use touchmove_text::display_path;
use touchmove_tui::autosave::SaveDir;

/// The file name of the store.
pub const STORE_FILE: &str = "touchmove.db";

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

    /// A PostgreSQL database that takes the place of that store, for several servers at once.
    #[arg(
        long = "store",
        value_name = "postgres://…",
        env = "TOUCHMOVE_STORE",
        hide_env_values = true
    )]
    database: Option<String>,
}

impl DataArgs {
    /// The database, if one was named. The store parses it, and does not repeat it in errors, because it contains a
    /// password.
    pub fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// The path of the data directory, which need not exist yet.
    pub fn folder(&self) -> Result<PathBuf> {
        match self.folder.clone().or_else(folder) {
            Some(folder) => Ok(folder),
            None => bail!("there is no place for data: set HOME or XDG_DATA_HOME, or give --data"),
        }
    }

    /// The path of the store, which need not exist yet.
    pub fn store(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join(STORE_FILE))
    }

    /// The path of the store, or an error if it does not exist.
    pub fn store_that_is_there(&self) -> Result<PathBuf> {
        let path = self.store()?;
        if !path.exists() {
            bail!(
                "there is no store {}: --data names the folder of one that there is",
                display_path(&path)
            );
        }
        Ok(path)
    }

    /// Opens the store for a short time: a server may have it open.
    pub fn open_shared(&self) -> Result<Arc<dyn Store>> {
        match self.database() {
            Some(address) => Ok(Arc::new(Postgres::open(address)?)),
            None => open_shared(&self.store_that_is_there()?),
        }
    }

    /// The same; creates the store if it does not exist.
    pub fn open_shared_or_create(&self) -> Result<Arc<dyn Store>> {
        match self.database() {
            Some(_) => self.open_shared(),
            None => open_shared(&self.store()?),
        }
    }
}

fn open_shared(path: &Path) -> Result<Arc<dyn Store>> {
    Ok(Arc::new(
        Sqlite::open_shared(path).map_err(anyhow::Error::msg)?,
    ))
}

/// Whether other users of this machine can read a folder.
pub fn is_open_to_others(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let metadata = std::fs::metadata(folder);
        metadata.is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    false
}

/// Closes a folder to other users (mode 0700), if we own it.
fn close_to_others(folder: &Path) {
    #[cfg(unix)]
    if is_open_to_others(folder) {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    }
}

/// The data directory of this platform: games, guest secrets, the store of a server. Nobody else may read it. Older
/// versions left it open, so every use closes it. A directory that the user has named is left as it is, for it may
/// be meant to be shared.
pub fn folder() -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let folder = SaveDir::default_folder(path("XDG_DATA_HOME"), path("HOME"))?;
    close_to_others(&folder);
    Some(folder)
}
