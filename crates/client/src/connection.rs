//! A visit to a table, and the line to it that a frontend holds in its hands. The work is done on a thread
//! of its own: a frontend needs no runtime.

use std::thread;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{self, UnboundedSender};

use crate::connection_task::{ConnectionTask, TaskCommand};
use crate::{ClientCommand, Error, GuestSecret, NewTable, ServerEvent, TableLink, http};

/// How somebody comes to a table.
#[derive(Debug)]
pub struct ConnectOptions {
    /// Where.
    pub link: TableLink,
    /// As whom.
    pub guest: GuestSecret,
    /// Under which name; empty leaves it to the server.
    pub name: String,
    /// Whether to watch, even where a seat is open.
    pub only_watches: bool,
    /// Whether the texts of the messages are wanted, and nothing else.
    pub wants_texts: bool,
}

impl ConnectOptions {
    /// A visit as a guest who will be forgotten.
    #[must_use]
    pub fn as_guest(link: TableLink) -> ConnectOptions {
        ConnectOptions::of(link, GuestSecret::new())
    }

    /// A visit of somebody without a name.
    #[must_use]
    pub const fn of(link: TableLink, guest: GuestSecret) -> ConnectOptions {
        ConnectOptions {
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
    orders: UnboundedSender<TaskCommand>,
}

impl Connection {
    /// Comes to a table. What is told comes on another thread: first that somebody has arrived, or why he
    /// cannot; last that it is over, or that he has left.
    #[must_use]
    pub fn open(visit: ConnectOptions, tell: impl Fn(ServerEvent) + Send + 'static) -> Connection {
        let (orders, taken) = mpsc::unbounded_channel();
        let begun = thread::Builder::new()
            .name("table".to_owned())
            .spawn(move || match runtime() {
                Ok(runtime) => runtime.block_on(ConnectionTask::new(visit, taken, tell).run()),
                Err(trouble) => tell(ServerEvent::Over(trouble.to_string())),
            });
        // Without a thread nothing is ever told, and what is said goes nowhere.
        drop(begun);
        Connection { orders }
    }

    /// Says something, having seen the events up to `seen`.
    pub fn send_command(&self, say: ClientCommand, seen: u64) {
        // Who has gone hears nothing.
        let _ = self.orders.send(TaskCommand::Say(say, seen));
    }

    /// Sends a message that is written already; a text that is no JSON is a move. It is sent again until it is
    /// answered: one without an id goes under one of this connection's, which nobody is told.
    pub fn send_raw(&self, text: String) {
        let _ = self.orders.send(TaskCommand::Send(text));
    }

    /// Leaves as soon as everything that was said is answered, or after a few seconds without an answer; then
    /// it is told that he has [left](Told::Parted).
    pub fn close(&self) {
        let _ = self.orders.send(TaskCommand::Part);
    }
}

fn runtime() -> Result<Runtime, Error> {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::Final(format!("the system refuses: {error}")))
}

/// Asks the server of a link for a new table, and returns the link of that table. The game of the link that
/// is given does not count. This waits for the answer.
///
/// # Errors
/// If the server cannot be reached, or says no.
pub fn create_table(
    server: &TableLink,
    guest: &GuestSecret,
    proposal: &NewTable,
) -> Result<TableLink, Error> {
    let taken = runtime()?.block_on(http::create_table(server, guest.secret(), proposal))?;
    server
        .with_game(&taken.game)
        .map_err(|_| Error::Final("the server names no table that it has made".to_owned()))
}
