//! The promises of every store, kept by this one, in a schema of its own for each test; and that its lists
//! are read by indexes. They need a PostgreSQL (`.ci/services`). What happens when it dies is tested from
//! outside, in `tests/`.

use std::sync::Arc;

use tokio_postgres::{Client, NoTls};

use super::migrate::{self, SCRIPTS, Script, Unfit};
use super::{Postgres, append, lists};
use crate::conformance::Ground;
use crate::conformance::sample::{append, game, game_id, guest, person_id};
use crate::{Appended, ConnectError, Holder, News, Phase, Query, Store, walks};

/// The database for tests, or that there is none.
fn address() -> Option<String> {
    let address = std::env::var("TOUCHMOVE_POSTGRES").ok();
    if address.is_none() {
        let is_needed = std::env::var_os("CI").is_some();
        assert!(!is_needed, "TOUCHMOVE_POSTGRES is not set: run .ci/services");
        println!("skipped: TOUCHMOVE_POSTGRES is not set");
    }
    address
}

/// A schema of its own for each test, gone afterwards.
struct Schema(Option<String>);

impl Schema {
    fn new(name: &str) -> Schema {
        if address().is_none() {
            return Schema(None);
        }
        // PostgreSQL cuts names off after 63 bytes.
        let name: String = name.chars().take(40).collect();
        let schema = Schema(Some(format!("t{}_{name}", std::process::id())));
        schema.run(|name| format!("CREATE SCHEMA {name}"));
        schema
    }

    fn address(&self) -> Option<String> {
        let (address, schema) = (address()?, self.0.as_ref()?);
        Some(format!("{address}?options=-c%20search_path%3D{schema}"))
    }

    fn open_store(&self) -> Postgres {
        Postgres::open(&self.address().unwrap()).unwrap()
    }

    /// A statement about the schema. On a thread of its own: grounds know no runtime.
    fn run(&self, sql: impl Fn(&str) -> String) {
        let Some(schema) = &self.0 else { return };
        let sql = sql(schema);
        let statement = async move {
            let client = connect(&address().unwrap()).await;
            client.batch_execute(&sql).await.unwrap();
        };
        let thread = std::thread::spawn(|| runtime().block_on(statement));
        thread.join().unwrap();
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        self.run(|name| format!("DROP SCHEMA {name} CASCADE"));
    }
}

impl Ground for Schema {
    fn open(&self) -> Arc<dyn Store> {
        Arc::new(self.open_store())
    }

    fn is_missing(&self) -> bool {
        self.0.is_none()
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    drop(tokio::spawn(connection));
    client
}

crate::conformance!(Schema::new);
