//! The connection to a table, as a frontend uses it. The work is done on a thread of its own, so the frontend
//! needs no async runtime.

use std::thread;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{self, UnboundedSender};

use crate::connection_task::{ConnectionTask, TaskCommand};
use crate::{ClientCommand, Error, GuestSecret, NewTable, ServerEvent, TableLink, http};

/// Options of a connection to a table.
#[derive(Debug)]
pub struct ConnectOptions {
    /// The link of the table.
    pub link: TableLink,
    /// Who connects: a guest or the owner of an account token.
    pub guest: GuestSecret,
    /// The name to show; if it is empty, the server chooses one.
    pub name: String,
    /// Whether to be a spectator even if a seat is open.
    pub only_watches: bool,
    /// Whether to deliver only the messages' texts ([`ServerEvent::Text`]), for programs.
    pub wants_texts: bool,
}

impl ConnectOptions {
    /// Options for a guest whose secret is not stored.
    #[must_use]
    pub fn as_guest(link: TableLink) -> ConnectOptions {
        ConnectOptions::of(link, GuestSecret::new())
    }

    /// Options for this guest or token, without a name.
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

/// A connection to a table. It is closed when this is dropped.
#[derive(Debug)]
pub struct Connection {
    orders: UnboundedSender<TaskCommand>,
}

impl Connection {
    /// Connects to a table. Events are passed to `tell` on another thread: the first is
    /// [`ServerEvent::Arrived`] or why it failed, the last [`ServerEvent::Over`] or [`ServerEvent::Parted`].
    #[must_use]
    pub fn open(visit: ConnectOptions, tell: impl Fn(ServerEvent) + Send + 'static) -> Connection {
        let (orders, taken) = mpsc::unbounded_channel();
        let begun = thread::Builder::new()
            .name("table".to_owned())
            .spawn(move || match runtime() {
                Ok(runtime) => runtime.block_on(ConnectionTask::new(visit, taken, tell).run()),
                Err(trouble) => tell(ServerEvent::Over(trouble.to_string())),
            });
        // If the thread cannot be started, there are no events and commands are dropped.
        drop(begun);
        Connection { orders }
    }

    /// Sends a command, from a client that has seen the events up to `seen`.
    pub fn send_command(&self, say: ClientCommand, seen: u64) {
        // The task may have ended.
        let _ = self.orders.send(TaskCommand::Say(say, seen));
    }

    /// Sends a message that the caller has written; a text that is not JSON is a move. It is sent again until
    /// it is answered. A message without an id gets one of this connection's, which is removed from what is
    /// delivered.
    pub fn send_raw(&self, text: String) {
        let _ = self.orders.send(TaskCommand::Send(text));
    }

    /// Closes the connection when everything is answered, or after a few seconds without an answer; then
    /// delivers [`ServerEvent::Parted`].
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

/// Creates a new table on the server of a link and returns the link of that table. The game in the given link
/// is ignored. It blocks.
///
/// # Errors
/// If the server cannot be reached, or refuses.
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
