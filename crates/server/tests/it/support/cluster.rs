//! Clusters of several nodes on PostgreSQL and NATS (`.ci/services`), for tests, and connections that can be cut.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_postgres::NoTls;
use touchmove_server::{Backend, ServerConfig, metrics};
use touchmove_store::Postgres;

use super::Open;

/// The addresses of PostgreSQL and NATS; `None` if they are not there.
fn services() -> Option<(String, String)> {
    let named = |name: &str| {
        let value = std::env::var(name).ok();
        if value.is_none() {
            let is_needed = std::env::var_os("CI").is_some();
            assert!(!is_needed, "{name} is not set: run .ci/services");
            println!("skipped: {name} is not set");
        }
        value
    };
    Some((
        named("TOUCHMOVE_TEST_POSTGRES")?,
        named("TOUCHMOVE_TEST_NATS")?,
    ))
}

/// A cluster with a schema of its own for each test.
pub struct Cluster {
    postgres: String,
    nats: String,
    schema: String,
}

impl Cluster {
    /// A new cluster; `None` if the services are not there.
    pub async fn new(name: &str) -> Option<Cluster> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (postgres, nats) = services()?;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let schema = format!("n{}_{number}_{name}", std::process::id());
        let cluster = Cluster {
            postgres,
            nats,
            schema,
        };
        cluster
            .run(&format!("CREATE SCHEMA {}", cluster.schema))
            .await;
        Some(cluster)
    }

    async fn run(&self, sql: &str) {
        let (client, connection) = tokio_postgres::connect(&self.postgres, NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        client.batch_execute(sql).await.unwrap();
    }

    /// Removes everything.
    pub async fn remove(self) {
        self.run(&format!("DROP SCHEMA {} CASCADE", self.schema))
            .await;
    }

    /// A node with NATS, once it is connected.
    pub async fn node(&self) -> Open {
        connected(self.node_with_nats(&self.nats).await).await
    }

    /// A node that uses the database only.
    pub async fn node_without_nats(&self) -> Open {
        self.node_at(&self.postgres, None).await
    }

    /// A node that reaches NATS at another address, or with another password.
    pub async fn node_with_nats(&self, nats: &str) -> Open {
        self.node_at(&self.postgres, Some(nats)).await
    }

    /// A node that is connected to a NATS server which delivers nothing.
    pub async fn node_that_is_cut_off(&self) -> Open {
        let nats = nats_that_loses_everything().await;
        connected(self.node_with_nats(&nats).await).await
    }

    /// The address of NATS.
    pub fn nats(&self) -> &str {
        &self.nats
    }

    /// The store, opened as another process does.
    pub async fn store(&self) -> Postgres {
        let address = self.address_in_schema(&self.postgres);
        let store = tokio::task::spawn_blocking(move || Postgres::open(&address).unwrap());
        store.await.unwrap()
    }

    /// Sends notifications through the database.
    pub async fn notify(&self, payloads: &[String]) {
        let (client, connection) = tokio_postgres::connect(&self.postgres, NoTls)
            .await
            .unwrap();
        tokio::spawn(connection);
        let channel = format!("touchmove_{}", self.schema);
        for payload in payloads {
            client
                .execute("SELECT pg_notify($1, $2)", &[&channel, payload])
                .await
                .unwrap();
        }
    }

    fn address_in_schema(&self, postgres: &str) -> String {
        format!("{postgres}?options=-c%20search_path%3D{}", self.schema)
    }

    /// A node whose connections to the database and to NATS can be cut.
    pub async fn node_on_wires(&self) -> (Open, Wire, Wire) {
        let (postgres, database) = Wire::along(&self.postgres).await;
        let (nats, messenger) = Wire::along(&self.nats).await;
        let node = self.node_at(&postgres, Some(&nats)).await;
        (node, database, messenger)
    }

    async fn node_at(&self, postgres: &str, nats: Option<&str>) -> Open {
        let address = self.address_in_schema(postgres);
        let store = tokio::task::spawn_blocking(move || Postgres::open(&address).unwrap());
        let ground = Backend::shared(store.await.unwrap(), nats.map(|nats| nats.parse().unwrap()));
        let settings = ServerConfig {
            is_registration_open: true,
            ..ServerConfig::default()
        };
        Open::on(ground, PathBuf::from("/nonexistent"), settings).await
    }
}

/// Waits until a node is connected to NATS.
async fn connected(node: Open) -> Open {
    for _ in 0..200 {
        if metrics::render(&node.server).contains("\ntouchmove_nats_connected 1\n") {
            return node;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the node does not connect to NATS");
}

/// A NATS server that accepts every message and delivers none; returns its address.
pub async fn nats_that_loses_everything() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (client, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let (reader, mut writer) = client.into_split();
                let info = json!({
                    "server_id": "loser", "server_name": "loser", "version": "2.10.0", "go": "go1.22",
                    "host": "127.0.0.1", "port": 4222, "headers": true, "max_payload": 1_048_576,
                    "proto": 1, "client_id": 1
                });
                let greeting = format!("INFO {info}\r\n");
                let mut is_heard = writer.write_all(greeting.as_bytes()).await.is_ok();
                let mut lines = BufReader::new(reader).lines();
                while let (true, Ok(Some(line))) = (is_heard, lines.next_line().await) {
                    if line == "PING" {
                        is_heard = writer.write_all(b"PONG\r\n").await.is_ok();
                    }
                }
            });
        }
    });
    format!("nats://{address}")
}

/// A proxied connection to a server, until it is cut.
pub struct Wire {
    is_whole: watch::Sender<bool>,
}

impl Wire {
    /// A proxy to a server, and the address of the proxy.
    async fn along(address: &str) -> (String, Wire) {
        let rest = address.split_once("://").unwrap().1;
        let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
        let server = rest.split('/').next().unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let near: SocketAddr = listener.local_addr().unwrap();
        let through = address.replace(&server, &near.to_string());
        let (is_whole, whole) = watch::channel(true);
        tokio::spawn(async move {
            loop {
                let (mut caller, _) = listener.accept().await.unwrap();
                let (mut whole, server) = (whole.clone(), server.clone());
                tokio::spawn(async move {
                    if !*whole.borrow_and_update() {
                        return;
                    }
                    let Ok(mut server) = TcpStream::connect(&server).await else {
                        return;
                    };
                    tokio::select! {
                        _ = copy_bidirectional(&mut caller, &mut server) => {}
                        _ = whole.changed() => {}
                    }
                });
            }
        });
        (through, Wire { is_whole })
    }

    /// Cuts the connection, or restores it.
    pub fn is_whole(&self, is_whole: bool) {
        self.is_whole.send_replace(is_whole);
    }
}

/// Waits until a node is ready, or until it is not.
pub async fn until_ready(node: &Open, is_ready: bool) {
    let wanted = if is_ready { 200 } else { 503 };
    for _ in 0..200 {
        if node.ask("", "GET", "/readyz", "").await.0 == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the node does not become ready: {is_ready}");
}
