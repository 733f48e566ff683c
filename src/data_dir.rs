//! Where a server keeps everything: which folder, and which file in it, or which database. What is in there
//! is the business of the store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use touchmove_store::{Postgres, Sqlite, Store};
use touchmove_text::display_path;
use touchmove_tui::autosave::SaveDir;

/// The file of the store in its folder.
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
    /// The database, if one was named. It is looked at by the store, which does not repeat what is wrong
    /// with it: it has a password.
    pub fn database(&self) -> Option<&str> {
        self.database.as_deref()
    }

    /// The folder, which need not be there yet.
    pub fn folder(&self) -> Result<PathBuf> {
        match self.folder.clone().or_else(folder) {
            Some(folder) => Ok(folder),
            None => bail!("there is no place for data: set HOME or XDG_DATA_HOME, or give --data"),
        }
    }

    /// The file of the store, which need not be there yet.
    pub fn store(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join(STORE_FILE))
    }

    /// The file of the store, or a sentence that there is none.
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

    /// The store, for a visit: a server may have it open.
    pub fn open_shared(&self) -> Result<Arc<dyn Store>> {
        match self.database() {
            Some(address) => Ok(Arc::new(Postgres::open(address)?)),
            None => open_shared(&self.store_that_is_there()?),
        }
    }

    /// The store for a visit, made if there is none.
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

/// Whether other users of this machine can look into a folder.
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

/// Closes a folder to other users. Whoever does not own it cannot.
fn close_to_others(folder: &Path) {
    #[cfg(unix)]
    if is_open_to_others(folder) {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700));
    }
}

/// The folder of this platform for what touchmove keeps: games, secrets of seats, the store of a server. Nobody else may
/// look into it; older versions left it open, so whatever uses it closes it. A folder that somebody has named himself is
/// not touched, for it may be meant for others.
pub fn folder() -> Option<PathBuf> {
    let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let folder = SaveDir::default_folder(path("XDG_DATA_HOME"), path("HOME"))?;
    close_to_others(&folder);
    Some(folder)
}
