//! A visit to a table, and the line to it that a frontend holds in its hands. The work is done on a thread
//! of its own: a frontend needs no runtime.

use std::thread;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{self, UnboundedSender};

use crate::connection_task::{Order, Stay};
use crate::{Guest, Link, Proposal, Say, Told, Trouble, http};

/// How somebody comes to a table.
#[derive(Debug)]
pub struct Visit {
    /// Where.
    pub link: Link,
    /// As whom.
    pub guest: Guest,
    /// Under which name; empty leaves it to the server.
    pub name: String,
    /// Whether to watch, even where a seat is open.
    pub only_watches: bool,
    /// Whether the texts of the messages are wanted, and nothing else.
    pub wants_texts: bool,
}

impl Visit {
    /// A visit as a guest who will be forgotten.
    #[must_use]
    pub fn as_guest(link: Link) -> Visit {
        Visit::of(link, Guest::new())
    }

    /// A visit of somebody without a name.
    #[must_use]
    pub const fn of(link: Link, guest: Guest) -> Visit {
        Visit {
            link,
            guest,
            name: String::new(),
            only_watches: false,
            wants_texts: false,
        }
    }
}

/// Somebody at a table. He leaves when this is dropped.
#[derive(Debug)]
pub struct Connection {
    orders: UnboundedSender<Order>,
}

impl Connection {
    /// Comes to a table. What is told comes on another thread: first that somebody has arrived, or why he
    /// cannot; last that it is over, or that he has left.
    #[must_use]
    pub fn open(visit: Visit, tell: impl Fn(Told) + Send + 'static) -> Connection {
        let (orders, taken) = mpsc::unbounded_channel();
        let begun = thread::Builder::new()
            .name("table".to_owned())
            .spawn(move || match runtime() {
                Ok(runtime) => runtime.block_on(Stay::new(visit, taken, tell).stay()),
                Err(trouble) => tell(Told::Over(trouble.to_string())),
            });
        // Without a thread nothing is ever told, and what is said goes nowhere.
        drop(begun);
        Connection { orders }
    }

    /// Says something, having seen the events up to `seen`.
    pub fn say(&self, say: Say, seen: u64) {
        // Who has gone hears nothing.
        let _ = self.orders.send(Order::Say(say, seen));
    }

    /// Sends a message that is written already; a text that is no JSON is a move. It is sent again until it is
    /// answered: one without an id goes under one of this connection's, which nobody is told.
    pub fn send(&self, text: String) {
        let _ = self.orders.send(Order::Send(text));
    }

    /// Leaves as soon as everything that was said is answered, or after a few seconds without an answer; then
    /// it is told that he has [left](Told::Parted).
    pub fn part(&self) {
        let _ = self.orders.send(Order::Part);
    }
}

fn runtime() -> Result<Runtime, Trouble> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Trouble::Final(format!("the system refuses: {error}")))
}

/// Asks the server of a link for a new table, and returns the link of that table. The game of the link that
/// is given does not count. This waits for the answer.
///
/// # Errors
/// If the server cannot be reached, or says no.
pub fn propose(server: &Link, guest: &Guest, proposal: &Proposal) -> Result<Link, Trouble> {
    let taken = runtime()?.block_on(http::propose(server, guest.secret(), proposal))?;
    server
        .with_game(&taken.game)
        .map_err(|_| Trouble::Final("the server names no table that it has made".to_owned()))
}
