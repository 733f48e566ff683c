//! Opening a store in PostgreSQL: parses the address, connects, migrates the tables and starts the tasks. Each
//! possible error is reported in one sentence.

use std::str::FromStr;
use std::sync::{Arc, mpsc as std_mpsc};
use std::thread;
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use thiserror::Error;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};

use crate::Error;
use crate::postgres::Postgres;
use crate::postgres::batch_writer::BatchWriter;
use crate::postgres::columns::{QueryError, sentence};
use crate::postgres::connection_pool::STATEMENT_TIMEOUT;
use crate::postgres::migrate::{MIGRATIONS, MigrationError, migrate};
use crate::postgres::notify::NotificationQueue;

/// Connections for reads and single writes; each batch writer has one more.
const POOL_CONNECTIONS: usize = 8;
/// The timeout of a new connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Options of every connection: timeouts, synchronous commits, and index scans whatever the planner believes
/// about tables that have just begun to grow.
const CONNECTION_OPTIONS: &str = "-c statement_timeout=4000 -c lock_timeout=1500 \
     -c idle_in_transaction_session_timeout=5000 -c synchronous_commit=on -c jit=off \
     -c default_transaction_isolation=read\\ committed \
     -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";

/// Why a store in PostgreSQL could not be opened. It never has a password in it.
///
/// ```
/// use touchmove_store::{ConnectError, Postgres};
///
/// let error = Postgres::open("touchmove.db").unwrap_err();
/// assert!(matches!(error, ConnectError::Address { .. }));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The address is invalid.
    #[error(
        "this is no address of a database: {reason}; it is written as postgres://user:password@host:5432/database"
    )]
    Address {
        /// What is wrong with it.
        reason: String,
    },
    /// The address requires TLS.
    #[error(
        "the address of {place} asks for TLS, which touchmove does not speak with a database: connect by a Unix socket, a private network or a tunnel, and leave sslmode=require out"
    )]
    Tls {
        /// The database.
        place: String,
    },
    /// The database does not answer or refuses the login.
    #[error("the database {place} cannot be reached: {reason}")]
    Unreachable {
        /// The database.
        place: String,
        /// The reason.
        reason: String,
    },
    /// The schema has tables of another program.
    #[error(
        "the database {place} has tables of another program where those of touchmove would be: give touchmove a database or a schema of its own"
    )]
    NotAStore {
        /// The database.
        place: String,
    },
    /// A newer program has migrated the tables.
    #[error(
        "the store {place} has version {found} and this touchmove knows versions up to {known}: use a newer touchmove"
    )]
    Newer {
        /// The database.
        place: String,
        /// The version of the tables.
        found: i32,
        /// The newest version that is known here.
        known: i32,
    },
    /// The tables cannot be created or used.
    #[error("the store {place} cannot be opened: {error}")]
    Failed {
        /// The database.
        place: String,
        /// What is wrong.
        error: Error,
    },
}

impl Postgres {
    /// Opens the store in the database at this address, and migrates its tables to the newest version. It
    /// blocks until this is done or has failed.
    ///
    /// Tables are in the first schema of the search path; another one is chosen with
    /// `?options=-c%20search_path%3Dname`. A Unix socket is given by its folder instead of a host:
    /// `postgres://touchmove@%2Fvar%2Frun%2Fpostgresql/touchmove`. Among several servers,
    /// `?target_session_attrs=read-write` finds the primary. TLS is not supported. A connection pooler in
    /// between must use session pooling: statements are prepared, and options are set for each session.
    ///
    /// # Errors
    /// If the address is invalid, if the database does not answer within two seconds or refuses the login, if
    /// its tables are of a newer version or another program's.
    pub fn open(address: &str) -> Result<Postgres, ConnectError> {
        let config = configured(address)?;
        let place = place(&config);
        let (sender, opened) = std_mpsc::channel();
        let (close, closed) = oneshot::channel();
        let named = place.clone();
        let begin = move || {
            let failed = |error: std::io::Error| ConnectError::Failed {
                place: named.clone(),
                error: Error::Failed(error.to_string()),
            };
            let runtime = Builder::new_current_thread().enable_all().build();
            let runtime = match runtime.map_err(failed) {
                Ok(runtime) => runtime,
                Err(error) => return drop(sender.send(Err(error))),
            };
            runtime.block_on(async {
                match Postgres::begin(config, &named).await {
                    Ok(store) => {
                        let _ = sender.send(Ok(store));
                        // Runs until the store is dropped; then pending work is dropped too.
                        let _ = closed.await;
                    }
                    Err(error) => drop(sender.send(Err(error))),
                }
            });
        };
        let failed = |error| ConnectError::Failed {
            place: place.clone(),
            error,
        };
        let thread = thread::Builder::new().name("store-postgres".to_owned());
        let thread = thread.spawn(begin);
        let thread = thread.map_err(|error| failed(Error::Failed(error.to_string())))?;
        let mut store = opened.recv().map_err(|_| failed(Error::Closed))??;
        store.close = Some((close, thread));
        Ok(store)
    }

    /// The asynchronous part of [`open`](Postgres::open), on the thread of the store.
    async fn begin(config: Config, place: &str) -> Result<Postgres, ConnectError> {
        let unreachable = |error: tokio_postgres::Error| ConnectError::Unreachable {
            place: place.to_owned(),
            reason: sentence(&error),
        };
        let failed = |error: tokio_postgres::Error| ConnectError::Failed {
            place: place.to_owned(),
            error: QueryError::from(error).into(),
        };
        let (mut client, connection) = config.connect(NoTls).await.map_err(unreachable)?;
        // The task ends when the client is dropped.
        drop(tokio::spawn(connection));
        migrate(&mut client, MIGRATIONS)
            .await
            .map_err(|unfit| match unfit {
                MigrationError::Foreign => ConnectError::NotAStore {
                    place: place.to_owned(),
                },
                MigrationError::Newer { found, known } => ConnectError::Newer {
                    place: place.to_owned(),
                    found,
                    known,
                },
                MigrationError::Failed(error) => failed(error),
            })?;
        let channel = "SELECT left('touchmove_' || current_schema(), 63)";
        let row = client.query_one(channel, &[]).await.map_err(failed)?;
        let channel = row.try_get(0).map_err(failed)?;
        let pool = |connections| {
            pool(&config, connections).map_err(|reason| ConnectError::Failed {
                place: place.to_owned(),
                error: Error::Failed(reason),
            })
        };
        let desk = Arc::new(NotificationQueue::default());
        let (appends, append) = BatchWriter::new(pool(1)?, Arc::clone(&desk));
        let (lines, say) = BatchWriter::new(pool(1)?, Arc::clone(&desk));
        drop((tokio::spawn(append), tokio::spawn(say)));
        Ok(Postgres {
            address_for_display: place.to_owned(),
            handle: Handle::current(),
            pool: pool(POOL_CONNECTIONS)?,
            appends,
            lines,
            desk,
            news: (config, channel),
            close: None,
        })
    }
}

fn pool(config: &Config, connections: usize) -> Result<Pool, String> {
    let settings = ManagerConfig {
        // A lost connection is noticed when it is used; a check before each use costs a round trip.
        recycling_method: RecyclingMethod::Fast,
    };
    Pool::builder(Manager::from_config(config.clone(), NoTls, settings))
        .max_size(connections)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(STATEMENT_TIMEOUT))
        .create_timeout(Some(CONNECT_TIMEOUT))
        .build()
        .map_err(|error| error.to_string())
}

/// The parsed address, with our options for every connection.
pub(super) fn configured(address: &str) -> Result<Config, ConnectError> {
    let is_address = ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| address.starts_with(scheme));
    if !is_address {
        let reason = "it begins with neither postgres:// nor postgresql://".to_owned();
        return Err(ConnectError::Address { reason });
    }
    let mut config = Config::from_str(address).map_err(|error| ConnectError::Address {
        reason: sentence(&error),
    })?;
    if config.get_ssl_mode() == SslMode::Require {
        let place = place(&config);
        return Err(ConnectError::Tls { place });
    }
    let theirs = config.get_options().unwrap_or_default().to_owned();
    config
        .options(format!("{theirs} {CONNECTION_OPTIONS}"))
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_user_timeout(STATEMENT_TIMEOUT)
        .keepalives_idle(Duration::from_secs(15));
    if config.get_application_name().is_none() {
        config.application_name("touchmove");
    }
    Ok(config)
}

/// The address without the password, for display.
pub(super) fn place(config: &Config) -> String {
    let ports = config.get_ports();
    let hosts: Vec<_> = config
        .get_hosts()
        .iter()
        .enumerate()
        .map(|(index, host)| {
            let port = ports.get(index).or(ports.first()).unwrap_or(&5432);
            match host {
                Host::Tcp(name) => format!("{name}:{port}"),
                #[cfg(unix)]
                Host::Unix(path) => format!("{}:{port}", path.display()),
            }
        })
        .collect();
    let database = config.get_dbname().or(config.get_user());
    format!("{}/{}", hosts.join(","), database.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_an_address_is_said_without_the_password() {
        let wrong = [
            "touchmove.db",
            "postgres://anna:sesame@host:port/database",
            "postgres://anna:sesame@host/database?sslmode=require",
            "postgres://anna:sesame@host/database?colour=white",
        ];
        for address in wrong {
            let error = Postgres::open(address).unwrap_err();
            let text = format!("{error} {error:?}");
            assert!(!text.contains("sesame"), "{text}");
        }
        // Nothing listens at this port of loopback.
        let error = Postgres::open("postgres://anna:sesame@127.0.0.1:1/database").unwrap_err();
        assert!(
            matches!(error, ConnectError::Unreachable { .. }),
            "{error:?}"
        );
        let text = error.to_string();
        assert!(text.contains("127.0.0.1:1/database"), "{text}");
        assert!(!text.contains("sesame"), "{text}");
    }
}
