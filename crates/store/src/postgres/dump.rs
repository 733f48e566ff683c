//! A backup of a store in PostgreSQL: PostgreSQL's own `pg_dump` makes it, and here it is told what to copy
//! without its password being seen by anybody.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use thiserror::Error;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, TargetSessionAttrs};

use crate::backup::{BackupError, Overwrite, place_of, whole_or_nothing};
use crate::postgres::Postgres;
use crate::postgres::open::{ConnectError, configured, place};

/// The program that copies databases.
const PG_DUMP: &str = "pg_dump";

/// Why PostgreSQL's program made no backup. Passwords are never in it.
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
    /// The address cannot be understood.
    #[error(transparent)]
    Address(#[from] ConnectError),
    /// The program is not there.
    #[error(
        "pg_dump, which copies a store in PostgreSQL, cannot be started ({error}): install PostgreSQL's client programs, of the database's version or a newer one"
    )]
    Program {
        /// What the system says.
        error: io::Error,
    },
    /// The program has failed.
    #[error("pg_dump could not copy {place}: {reason}")]
    Failed {
        /// The database.
        place: String,
        /// What it says.
        reason: String,
    },
}

impl Postgres {
    /// Copies a store into a new file with `pg_dump`, in its custom format, while nodes read and write. The
    /// copy is of one moment, and the file appears under its name when it is whole and on the disk;
    /// `pg_restore` brings it back. It blocks.
    ///
    /// # Errors
    /// If the address makes no sense, if there is such a file and it may not be overwritten, if what is there is
    /// no file, if it cannot be written, or if `pg_dump` is missing or fails.
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

/// The schema that the tables are in, if the address chooses one. What else is in the database is not ours.
fn schema(config: &Config) -> Option<&str> {
    let mut options = config.get_options()?.split_whitespace();
    let path = options.find_map(|option| option.strip_prefix("search_path="))?;
    path.split(',').next()
}

/// How PostgreSQL's programs are told where a database is: not by arguments, which everybody on the machine
/// can read.
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
        // It was a text before it was bytes.
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
        // Nobody listens at this port of loopback.
        let nowhere = "postgres://anna:sesame@127.0.0.1:1/database";
        let error = Postgres::dump(nowhere, &file, Overwrite::Never).unwrap_err();
        assert!(matches!(error, BackupError::Dump(_)), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("sesame"));
        assert!(!file.exists());
    }
}
