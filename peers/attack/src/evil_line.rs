//! The connections to an evil server, and what is said on them.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use crate::evil_server::{DECIDED, Evil, PATIENCE};
use crate::evil_talk::{GAME, LAST, REFUSAL, chat, evil_journal, evil_text, rematch, state, talk};
use crate::harm::EVIL;

/// The largest message that the program takes.
pub const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// How many connections a server takes.
const MAX_CONNECTIONS: usize = 10_000;

/// What a server was told and has told.
#[derive(Default)]
pub struct Told {
    /// Everything that was sent to it.
    pub heard: String,
    /// How many bytes were taken from it.
    pub bytes: usize,
    /// How many sockets were opened at different tables.
    pub tables: usize,
}

/// An evil server on loopback. It goes with the program that it was made for.
pub async fn listen(evil: Evil) -> anyhow::Result<(SocketAddr, Rc<RefCell<Told>>)> {
    let told = Rc::<RefCell<Told>>::default();
    // Where redirects lead: somebody else, who must not hear the token either.
    let elsewhere = TcpListener::bind(("127.0.0.1", 0)).await?;
    let other = elsewhere.local_addr()?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    for (listener, evil) in [(elsewhere, Evil::Error(403)), (listener, evil)] {
        let told = Rc::clone(&told);
        tokio::task::spawn_local(async move {
            for _ in 0..MAX_CONNECTIONS {
                let Ok((stream, _)) = listener.accept().await else {
                    return;
                };
                let told = Rc::clone(&told);
                let line = Line { stream, told };
                tokio::task::spawn_local(line.answer(evil, other));
            }
        });
    }
    Ok((address, told))
}

/// A text of nearly the largest size, full of values.
fn costly(before: &str, after: &str) -> String {
    let item = "[0],";
    let count = (MAX_MESSAGE_BYTES - 1_000) / item.len();
    format!("{before}{}{after}", item.repeat(count))
}

/// A connection to an evil server.
struct Line {
    stream: TcpStream,
    told: Rc<RefCell<Told>>,
}

impl Line {
    async fn answer(mut self, evil: Evil, other: SocketAddr) {
        let mut request = vec![0; 16 * 1024];
        let Ok(length) = self.stream.read(&mut request).await else {
            return;
        };
        let request = String::from_utf8_lossy(&request[..length]).into_owned();
        self.told.borrow_mut().heard.push_str(&request);
        // The program may leave at any time.
        let _ = self.misbehave(evil, other, &request).await;
    }

    async fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.write_all(bytes).await?;
        self.told.borrow_mut().bytes += bytes.len();
        Ok(())
    }

    async fn send_json(&mut self, status: &str, body: &str) -> std::io::Result<()> {
        self.send(json(status, body).as_bytes()).await
    }

    /// Waits until the other side has gone.
    async fn wait(&mut self) -> std::io::Result<()> {
        let mut chunk = [0; 4096];
        while self.stream.read(&mut chunk).await? > 0 {}
        Ok(())
    }

    async fn misbehave(
        &mut self,
        evil: Evil,
        other: SocketAddr,
        request: &str,
    ) -> std::io::Result<()> {
        match evil {
            Evil::Error(status) => {
                self.send_json(&format!("{status} Refused"), &refusal())
                    .await
            }
            Evil::ErrorLine => {
                let line = format!("403 {}", EVIL.replace(['\r', '\n'], ""));
                self.send_json(&line, &refusal()).await
            }
            Evil::Redirect => {
                let head = format!(
                    "HTTP/1.1 307 Elsewhere\r\nLocation: http://{other}/\r\nContent-Length: 0\r\n\r\n"
                );
                self.send(head.as_bytes()).await
            }
            Evil::EndlessBody => {
                self.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"a\":\"")
                    .await?;
                loop {
                    self.send(&[b'x'; 64 * 1024]).await?;
                }
            }
            Evil::EndlessHead => {
                self.send(b"HTTP/1.1 200 OK\r\n").await?;
                loop {
                    self.send(format!("X: {}\r\n", "x".repeat(4_000)).as_bytes())
                        .await?;
                }
            }
            Evil::DeepJson => self.send_json("200 OK", &"[".repeat(1_000_000)).await,
            Evil::Slow => {
                for byte in json("200 OK", "{}").bytes().cycle().take(2_000) {
                    self.send(&[byte]).await?;
                    sleep(Duration::from_millis(200)).await;
                }
                Ok(())
            }
            Evil::Garbage => self.send(format!("{EVIL}\r\n\r\n{EVIL}").as_bytes()).await,
            Evil::Silent => {
                sleep(PATIENCE * 2).await;
                Ok(())
            }
            Evil::Truncated => {
                self.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"game\":")
                    .await
            }
            evil if request.to_ascii_lowercase().contains("upgrade: websocket") => {
                self.host(evil, request).await
            }
            evil if request.contains("/journal") => {
                let body = match evil {
                    Evil::CostlyJournal => {
                        costly(r#"{"v":1,"seq":0,"at":0,"event":"started","x":["#, "0]}")
                    }
                    _ => evil_journal(evil == Evil::Rematches(true)),
                };
                self.send_json("200 OK", &body).await
            }
            _ if request.contains("/seat") => {
                let text = serde_json::Value::from(evil_text());
                let body = format!(r#"{{"seat":"white","name":{text},"url":{text}}}"#);
                self.send_json("200 OK", &body).await
            }
            _ => {
                let text = serde_json::Value::from(evil_text());
                let body = format!(r#"{{"game":"{GAME}","url":{text},"white":{text}}}"#);
                self.send_json("201 Created", &body).await
            }
        }
    }

    /// What happens on a WebSocket.
    async fn host(&mut self, evil: Evil, request: &str) -> std::io::Result<()> {
        if evil == Evil::Table {
            return self.send_json("403 Forbidden", &refusal()).await;
        }
        let path = request.split(' ').nth(1).unwrap_or_default();
        let game = path.split('/').nth(3).unwrap_or(GAME).to_owned();
        upgrade(&mut self.stream, request).await?;
        let is_over = evil == Evil::Rematches(true);
        match evil {
            Evil::Socket => {
                for message in talk() {
                    self.say(&message).await?;
                }
                self.wait().await
            }
            Evil::Nonsense => {
                for message in [
                    &state(&game, false),
                    &chat("Eve", LAST),
                    &"[".repeat(60_000),
                    EVIL,
                ] {
                    self.say(message).await?;
                }
                self.wait().await
            }
            Evil::Close => {
                self.say(&state(&game, false)).await?;
                let mut reason = format!("{LAST} {EVIL}");
                // A frame like that has no more.
                while reason.len() > 123 {
                    reason.pop();
                }
                let close = [&1008_u16.to_be_bytes()[..], reason.as_bytes()].concat();
                self.send(&unmasked(0x88, &close)).await?;
                self.wait().await
            }
            Evil::Costly(before, after) => {
                self.say(&state(&game, false)).await?;
                let message = costly(before, after);
                if evil != DECIDED {
                    self.say(&message).await?;
                }
                self.say(&chat("Eve", LAST)).await?;
                loop {
                    self.say(&message).await?;
                }
            }
            Evil::Pings => {
                self.say(&state(&game, false)).await?;
                self.say(&chat("Eve", LAST)).await?;
                let pings = unmasked(0x89, &[b'p'; 125]).repeat(512);
                loop {
                    self.send(&pings).await?;
                }
            }
            Evil::Rematches(_) => {
                let number = {
                    let mut told = self.told.borrow_mut();
                    told.tables += 1;
                    told.tables
                };
                self.say(&state(&game, is_over)).await?;
                self.say(&chat("Eve", LAST)).await?;
                self.say(&rematch(&format!("Re{number:06}"))).await?;
                self.wait().await
            }
            _ => {
                self.say(&state(&game, false)).await?;
                self.say(&chat("Eve", LAST)).await?;
                self.wait().await
            }
        }
    }

    async fn say(&mut self, text: &str) -> std::io::Result<()> {
        self.send(&unmasked(0x81, text.as_bytes())).await
    }
}

fn json(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Why somebody is refused.
fn refusal() -> String {
    let sentence = format!("{REFUSAL} {}", evil_text());
    serde_json::json!({"error": sentence, "code": evil_text(), "reason": evil_text()}).to_string()
}

/// Opens a WebSocket.
async fn upgrade(stream: &mut TcpStream, request: &str) -> std::io::Result<()> {
    let key = request
        .lines()
        .find_map(|line| {
            line.to_ascii_lowercase()
                .starts_with("sec-websocket-key:")
                .then(|| line[18..].trim())
        })
        .unwrap_or_default();
    let head = format!(
        "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {}\r\n\r\n",
        tungstenite::handshake::derive_accept_key(key.as_bytes())
    );
    stream.write_all(head.as_bytes()).await
}

fn unmasked(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match u16::try_from(payload.len()) {
        Ok(length @ ..126) => frame.push(length as u8),
        Ok(length) => {
            frame.push(126);
            frame.extend(length.to_be_bytes());
        }
        Err(_) => {
            frame.push(127);
            frame.extend((payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(payload);
    frame
}
