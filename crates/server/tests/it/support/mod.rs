//! A test server on a store of its own, and clients for it.

pub mod cluster;
pub mod ndjson;
pub mod openapi_schema;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use touchmove_server::{Backend, HttpListener, Server, ServerConfig};
use touchmove_store::Sqlite;

/// A running server.
pub struct Open {
    pub server: Arc<Server>,
    pub address: SocketAddr,
    served: JoinHandle<()>,
    folder: PathBuf,
}

impl Open {
    /// A server on a new store.
    pub async fn new() -> Open {
        Open::with(ServerConfig::default()).await
    }

    /// The same with other settings.
    pub async fn with(settings: ServerConfig) -> Open {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("touchmove-server-{}-{number}", std::process::id());
        Open::at(std::env::temp_dir().join(name), settings).await
    }

    async fn at(folder: PathBuf, settings: ServerConfig) -> Open {
        let store = Sqlite::open(folder.join("touchmove.db")).unwrap();
        Open::on(Arc::new(store), folder, settings).await
    }

    /// A server on an open store; the folder is removed when it is closed.
    pub async fn on(ground: impl Into<Backend>, folder: PathBuf, settings: ServerConfig) -> Open {
        let settings = ServerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            ..settings
        };
        let server = Server::open(ground.into(), settings).await.unwrap();
        Open::behind(server, folder).await
    }

    /// Opens a listener for a server.
    pub async fn behind(server: Arc<Server>, folder: PathBuf) -> Open {
        let door = HttpListener::open(Arc::clone(&server)).await.unwrap();
        Open::at_door(server, door, folder).await
    }

    /// Serves at a listener.
    pub async fn at_door(server: Arc<Server>, door: HttpListener, folder: PathBuf) -> Open {
        let address = door.address().unwrap();
        let served = tokio::spawn(door.serve());
        Open {
            server,
            address,
            served,
            folder,
        }
    }

    /// Shuts down the server and opens it again on the same store.
    pub async fn again(self) -> Open {
        self.again_with(ServerConfig::default()).await
    }

    /// The same with other settings.
    pub async fn again_with(self, settings: ServerConfig) -> Open {
        let folder = self.leave().await;
        Open::at(folder, settings).await
    }

    /// Shuts down the server and leaves its store for another process.
    pub async fn leave(self) -> PathBuf {
        self.server.shut_down();
        self.served.await.unwrap();
        drop(self.server);
        is_free(&self.folder).await;
        self.folder
    }

    /// The file of the store.
    pub fn file(&self) -> PathBuf {
        self.folder.join("touchmove.db")
    }

    /// Shuts down the server and removes its store.
    pub async fn close(self) {
        self.server.shut_down();
        self.served.await.unwrap();
        drop(self.server);
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    /// Sends an HTTP request; returns the status and the body.
    pub async fn ask(&self, who: &str, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {who}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}",
            self.address
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let status = answer[9..12].parse().unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        (status, body.to_owned())
    }

    /// Sends a request that must be granted; returns the JSON.
    pub async fn json(&self, who: &str, method: &str, path: &str, body: &str) -> Value {
        let (status, text) = self.ask(who, method, path, body).await;
        assert!(
            (200..300).contains(&status),
            "{method} {path}: {status} {text}"
        );
        serde_json::from_str(&text).unwrap()
    }

    /// Creates a table; `white` takes White, and `black` sits down with Black.
    pub async fn table(&self, white: &str, black: &str, terms: &str) -> String {
        let new = format!(r#"{{"terms":{terms},"side":"white","name":"Anna"}}"#);
        let made = self.json(white, "POST", "/v1/tables", &new).await;
        let game = made["game"].as_str().unwrap().to_owned();
        let path = format!("/v1/tables/{game}/seat");
        self.json(black, "POST", &path, r#"{"name":"Bea"}"#).await;
        game
    }

    /// Connects to a table.
    pub async fn come(&self, who: &str, game: &str) -> Client {
        self.come_back(who, game, "").await
    }

    /// Connects to a table with a query.
    pub async fn come_back(&self, who: &str, game: &str, query: &str) -> Client {
        let bearer = format!("Bearer {who}");
        let path = format!("/v1/tables/{game}/live{query}");
        self.socket(&path, &[("authorization", &bearer)]).await
    }

    /// Opens a WebSocket with these headers.
    pub async fn socket(&self, path: &str, headers: &[(&'static str, &str)]) -> Client {
        let url = format!("ws://{}{path}", self.address);
        let mut request = url.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let (socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
        Client { socket }
    }
}

/// Waits until nobody uses the store: tasks that were still busy drop it within a moment.
pub async fn is_free(folder: &Path) {
    let mut tries = 0;
    while let Err(error) = Sqlite::open(folder.join("touchmove.db")) {
        tries += 1;
        assert!(tries < 200, "{error}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A client at a table.
pub struct Client {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Client {
    /// Sends a message.
    pub async fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The next message.
    pub async fn hear(&mut self) -> Value {
        // Pings come as long as the server lives: they are no answer.
        let heard = tokio::time::timeout(Duration::from_secs(20), async {
            loop {
                match self.socket.next().await.unwrap().unwrap() {
                    Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                    Message::Close(frame) => panic!("closed: {frame:?}"),
                    _ => {}
                }
            }
        });
        heard.await.expect("a message within twenty seconds")
    }

    /// The next message of this type; others are skipped.
    pub async fn hear_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await;
            if message["type"] == kind {
                return message;
            }
        }
    }
}

impl Client {
    /// The answer to the message with this id; others are skipped.
    pub async fn answer(&mut self, id: &str) -> Value {
        loop {
            let message = self.hear_of("answer").await;
            if message["id"] == id {
                return message;
            }
        }
    }
}

/// The secret of a guest.
pub fn guest(name: &str) -> String {
    format!("guest_{name:0>24}")
}

/// An HTTP response.
pub struct Heard {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Heard {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}{}", self.head, self.body))
    }

    /// The cookie that it sets, without attributes.
    pub fn cookie(&self) -> Option<String> {
        self.cookies().into_iter().next()
    }

    /// All cookies that it sets.
    pub fn cookies(&self) -> Vec<String> {
        let lines = self.head.lines();
        let set = lines.filter_map(|line| line.strip_prefix("set-cookie: "));
        set.filter_map(|cookie| Some(cookie.split(';').next()?.to_owned()))
            .collect()
    }
}

impl Open {
    /// Sends a request with exactly these headers. The connection closes after the response.
    pub async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Heard {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let mut request = format!("{method} {path} HTTP/1.0\r\nHost: {}\r\n", self.address);
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        Heard {
            status: head[9..12].parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Sends a request as our own page does, with its cookie.
    pub async fn browse(&self, cookie: &str, method: &str, path: &str, body: &str) -> Heard {
        let origin = format!("http://{}", self.address);
        let headers = [("Cookie", cookie), ("Origin", origin.as_str())];
        self.request(method, path, &headers, body).await
    }

    /// The cookie of a new guest in a browser.
    pub async fn guest_cookie(&self) -> String {
        let heard = self.browse("", "POST", "/v1/me", "").await;
        assert_eq!(heard.status, 200, "{}", heard.body);
        heard.cookie().unwrap()
    }

    /// Creates an account; returns the cookie of its session.
    pub async fn account(&self, name: &str) -> String {
        let body = format!(r#"{{"name":"{name}","password":"a secret of {name}"}}"#);
        let heard = self.request("POST", "/v1/account", &[], &body).await;
        assert_eq!(heard.status, 201, "{}", heard.body);
        heard.cookie().unwrap()
    }

    /// A token of this account.
    pub async fn token(&self, cookie: &str, scopes: &str) -> String {
        let body = format!(r#"{{"label":"a test","scopes":"{scopes}"}}"#);
        let heard = self
            .browse(cookie, "POST", "/v1/account/tokens", &body)
            .await;
        assert_eq!(heard.status, 201, "{}", heard.body);
        heard.json()["token"].as_str().unwrap().to_owned()
    }

    /// Connects to the lobby.
    pub async fn lobby(&self, who: &str) -> Client {
        let bearer = format!("Bearer {who}");
        self.socket("/v1/lobby/live", &[("authorization", &bearer)])
            .await
    }
}

/// Settings of a server with open registration.
pub fn open_to_all() -> ServerConfig {
    ServerConfig {
        is_registration_open: true,
        ..ServerConfig::default()
    }
}
