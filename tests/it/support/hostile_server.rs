//! A hostile server on loopback: records requests, and answers as the test says.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use tokio_tungstenite::tungstenite::{Message, WebSocket, accept};

/// Writes the whole answer to an HTTP request, head and body.
pub type Answer = Arc<dyn Fn(&str, &mut TcpStream) + Send + Sync>;
/// Talks on a WebSocket.
pub type Talk = Arc<dyn Fn(&mut WebSocket<TcpStream>) + Send + Sync>;

pub struct HostileServer {
    pub port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl HostileServer {
    /// Starts a server that answers in this way until the test ends.
    pub fn start(answer: Answer, talk: Talk) -> HostileServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&heads);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, talk, noted) = (answer.clone(), talk.clone(), noted.clone());
                thread::spawn(move || serve(stream, &answer, &talk, &noted));
            }
        });
        HostileServer { port, heads }
    }

    /// The link of a table.
    pub fn link(&self) -> String {
        format!("http://127.0.0.1:{}/Ab3dE6gH", self.port)
    }

    /// The heads of all requests so far.
    pub fn heads(&self) -> String {
        self.heads.lock().expect("the heads").join("\n")
    }
}

fn serve(mut stream: TcpStream, answer: &Answer, talk: &Talk, noted: &Mutex<Vec<String>>) {
    let Some(head) = peek_head(&stream) else {
        return;
    };
    noted.lock().expect("the heads").push(head.clone());
    if head.to_ascii_lowercase().contains("upgrade: websocket") {
        if let Ok(mut socket) = accept(stream) {
            talk(&mut socket);
            // The other side may have closed already.
            let _ = socket.close(None);
            while socket.read().is_ok() {}
        }
        return;
    }
    let mut chunk = [0; 65_536];
    let _ = stream.read(&mut chunk);
    answer(&head, &mut stream);
}

/// The head of a request, which stays in the stream for its handler.
fn peek_head(stream: &TcpStream) -> Option<String> {
    let mut chunk = [0; 16_384];
    loop {
        let count = stream.peek(&mut chunk).ok().filter(|&count| count > 0)?;
        let text = String::from_utf8_lossy(&chunk[..count]).into_owned();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            return Some(head.to_owned());
        }
        thread::yield_now();
    }
}

/// Answers with a status and a body.
pub fn respond(stream: &mut TcpStream, status: &str, body: &str) {
    // The other side may have closed already.
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
}

/// Sends a text on a WebSocket; returns whether that worked.
pub fn say(socket: &mut WebSocket<TcpStream>, text: &str) -> bool {
    socket.send(Message::text(text)).is_ok()
}
