//! Backups of a store in PostgreSQL with `pg_dump`, without showing the password to other processes.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use thiserror::Error;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, TargetSessionAttrs};

use crate::backup::{BackupError, Overwrite, place_of, whole_or_nothing};
use crate::postgres::Postgres;
use crate::postgres::open::{ConnectError, configured, place};

/// PostgreSQL's dump program.
const PG_DUMP: &str = "pg_dump";

/// Why `pg_dump` made no backup. It never has a password in it.
///
/// ```
/// use touchmove_store::{BackupError, DumpError, Overwrite, Postgres};
///
/// let error = Postgres::dump("touchmove.db", "monday.dump", Overwrite::Never).unwrap_err();
/// assert!(matches!(error, BackupError::Dump(DumpError::Address(_))));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DumpError {
    /// The address is invalid.
    #[error(transparent)]
    Address(#[from] ConnectError),
    /// The program cannot be started.
    #[error(
        "pg_dump, which copies a store in PostgreSQL, cannot be started ({error}): install PostgreSQL's client programs, of the database's version or a newer one"
    )]
    Program {
        /// The error of the operating system.
        error: io::Error,
    },
    /// The program has failed.
    #[error("pg_dump could not copy {place}: {reason}")]
    Failed {
        /// The database.
        place: String,
        /// What the program printed.
        reason: String,
    },
}

impl Postgres {
    /// Copies a store into a new file with `pg_dump`, in its custom format, while nodes read and write. The
    /// copy is a consistent snapshot, and the file appears under its name when it is complete and on the disk;
    /// `pg_restore` restores it. This function blocks.
    ///
    /// # Errors
    /// If the address is invalid, if the file exists and may not be overwritten, if the path is not a regular
    /// file, if it cannot be written, or if `pg_dump` is missing or fails.
    pub fn dump(
        address: &str,
        to: impl AsRef<Path>,
        overwrite: Overwrite,
    ) -> Result<(), BackupError> {
        let config = configured(address).map_err(DumpError::from)?;
        let place = place_of(to.as_ref(), overwrite)?;
        whole_or_nothing(&place, |part| Ok(run(&config, part)?))
    }
}

fn run(config: &Config, part: &Path) -> Result<(), DumpError> {
    let schema = schema(config).map(|name| format!("--schema={name}"));
    let done = Command::new(PG_DUMP)
        .args(["--format=custom", "--no-password", "--file"])
        .arg(part)
        .args(schema)
        .envs(environment(config))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| DumpError::Program { error })?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let reason = said.lines().next().unwrap_or("it does not say why");
    let reason = reason.trim_start_matches("pg_dump: ");
    Err(DumpError::Failed {
        place: place(config),
        reason: reason.trim_start_matches("error: ").to_owned(),
    })
}

/// The schema of the tables, if the address sets one. Only this schema is dumped: others in the database are
/// not ours.
fn schema(config: &Config) -> Option<&str> {
    let mut options = config.get_options()?.split_whitespace();
    let path = options.find_map(|option| option.strip_prefix("search_path="))?;
    path.split(',').next()
}

/// The environment that tells PostgreSQL's programs how to connect. Not arguments: every user of the machine
/// can read those.
fn environment(config: &Config) -> Vec<(&'static str, String)> {
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let ports = config.get_ports().iter().map(u16::to_string);
    let mut told = vec![
        ("PGHOST", hosts.collect::<Vec<_>>().join(",")),
        ("PGPORT", ports.collect::<Vec<_>>().join(",")),
        ("PGAPPNAME", "touchmove backup".to_owned()),
    ];
    if let Some(user) = config.get_user() {
        told.push(("PGUSER", user.to_owned()));
    }
    if let Some(database) = config.get_dbname().or(config.get_user()) {
        told.push(("PGDATABASE", database.to_owned()));
    }
    if let Some(password) = config.get_password() {
        // The configuration got it as text, so nothing is lost.
        let password = String::from_utf8_lossy(password).into_owned();
        told.push(("PGPASSWORD", password));
    }
    if config.get_target_session_attrs() == TargetSessionAttrs::ReadWrite {
        told.push(("PGTARGETSESSIONATTRS", "read-write".to_owned()));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_database_is_told_by_the_environment() {
        let address =
            "postgres://anna:se%20same@one:5433,two/games?target_session_attrs=read-write";
        let told = environment(&configured(address).unwrap());
        let value = |name| {
            let found = told.iter().find(|(named, _)| *named == name);
            found.map(|(_, value)| value.as_str())
        };
        assert_eq!(value("PGHOST"), Some("one,two"));
        assert_eq!(value("PGPORT"), Some("5433,5432"));
        assert_eq!(value("PGUSER"), Some("anna"));
        assert_eq!(value("PGPASSWORD"), Some("se same"));
        assert_eq!(value("PGDATABASE"), Some("games"));
        assert_eq!(value("PGTARGETSESSIONATTRS"), Some("read-write"));
    }

    #[test]
    fn only_the_schema_of_the_address_is_copied() {
        let chosen = "postgres://anna@one/games?options=-c%20search_path%3Dclub,public";
        assert_eq!(schema(&configured(chosen).unwrap()), Some("club"));
        assert_eq!(
            schema(&configured("postgres://anna@one/games").unwrap()),
            None
        );
    }

    #[test]
    fn a_backup_of_a_database_that_is_not_there_leaves_no_file() {
        let name = format!("touchmove-dump-{}", std::process::id());
        let file = std::env::temp_dir().join(name);
        // Nothing listens at this port of loopback.
        let nowhere = "postgres://anna:sesame@127.0.0.1:1/database";
        let error = Postgres::dump(nowhere, &file, Overwrite::Never).unwrap_err();
        assert!(matches!(error, BackupError::Dump(_)), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("sesame"));
        assert!(!file.exists());
    }
}
