//! One player of a game: his socket, what he has sent that is not answered, and what he will play.

use std::io;
use std::time::{Duration, Instant};

use bytes::Bytes;

use crate::net::NodeAddress;
use crate::record::{Side, id, wall};
use crate::socket::Socket;

/// A command without an answer.
pub struct Pending {
    /// Which of his commands.
    pub number: u64,
    /// What was sent, word for word.
    pub text: String,
    /// The move, if it is one.
    pub uci: Option<String>,
    /// When it was sent on this connection.
    pub sent: Instant,
    /// When it was sent first, on the wall.
    pub sent_at: u64,
    /// When it is sent again, if the server asked for that.
    pub again: Option<Instant>,
    /// Whether it was sent more than once: then how long it took says nothing.
    pub is_resent: bool,
}

/// What a player will do.
pub struct Choice {
    /// The move; none resigns.
    pub uci: Option<String>,
    /// When.
    pub when: Instant,
}

/// Somebody with a seat.
pub struct Player {
    /// His side.
    pub side: Side,
    /// His secret.
    pub secret: String,
    /// How he comes.
    pub way: NodeAddress,
    /// The last event that he has seen.
    pub seen: u64,
    /// What is not answered.
    pub pending: Option<Pending>,
    /// What he will do next.
    pub choice: Option<Choice>,
    /// How many commands he has sent.
    pub sent: u64,
    /// The latest that the opponent has not heard of, and when it was sent.
    pub untold: Option<(u64, Instant)>,
    socket: Option<Socket>,
}

impl Player {
    /// Somebody who sits nowhere yet.
    pub fn new(side: Side, secret: String, way: NodeAddress) -> Player {
        Player {
            side,
            secret,
            way,
            seen: 0,
            pending: None,
            choice: None,
            sent: 0,
            untold: None,
            socket: None,
        }
    }

    /// Sits down at another table.
    pub fn sits_anew(&mut self) {
        *self = Player::new(self.side, std::mem::take(&mut self.secret), self.way);
    }

    /// Comes to the table. Whoever has seen something says so.
    pub async fn connect(&mut self, game: &str) -> anyhow::Result<()> {
        self.choice = None;
        self.untold = None;
        let path = match self.seen {
            0 => format!("/v1/tables/{game}/live"),
            seen => format!("/v1/tables/{game}/live?seen={seen}"),
        };
        self.socket = None;
        self.socket = Some(Socket::open(&self.way, &path, Some(&self.secret)).await?);
        Ok(())
    }

    /// Leaves.
    pub fn go(&mut self) {
        self.socket = None;
    }

    /// The next message.
    pub async fn next_message(&mut self) -> io::Result<Bytes> {
        match &mut self.socket {
            Some(socket) => socket.receive().await,
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// Says something that is not waited for.
    pub async fn send(&mut self, text: &str) -> io::Result<()> {
        match &mut self.socket {
            Some(socket) => socket.send(text).await,
            None => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// When he has to do something by himself.
    pub fn due(&self) -> Option<Instant> {
        match &self.pending {
            Some(pending) => pending.again,
            None => self.choice.as_ref().map(|choice| choice.when),
        }
    }

    /// Does what he has chosen.
    pub async fn act(&mut self) -> io::Result<()> {
        let Some(choice) = self.choice.take() else {
            return Ok(());
        };
        let (number, name, seen) = (self.sent, id(self.side, self.sent), self.seen);
        let text = match &choice.uci {
            Some(uci) => format!(r#"{{"move":"{uci}","id":"{name}","seen":{seen}}}"#),
            None => format!(r#"{{"command":"resign","id":"{name}"}}"#),
        };
        self.sent += 1;
        self.untold = Some((number, Instant::now()));
        self.pending = Some(Pending {
            number,
            text: text.clone(),
            uci: choice.uci,
            sent: Instant::now(),
            sent_at: wall(),
            again: None,
            is_resent: false,
        });
        self.send(&text).await
    }

    /// Sends what is not answered once more, word for word.
    pub async fn act_again(&mut self) -> io::Result<()> {
        let Some(pending) = &mut self.pending else {
            return Ok(());
        };
        pending.again = None;
        pending.is_resent = true;
        let text = pending.text.clone();
        self.send(&text).await
    }

    /// Sends it again after a moment.
    pub fn put_off(&mut self, by: Duration) {
        if let Some(pending) = &mut self.pending {
            pending.again = Some(Instant::now() + by);
        }
    }
}
