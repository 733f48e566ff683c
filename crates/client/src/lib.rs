//! Client of a touchmove server, for frontends: a [`Connection`] to a table sends commands, delivers what
//! happens there as [`ServerEvent`]s, and reconnects by itself. `docs/LIVE.md` describes the protocol.
//!
//! After a reconnect, commands without an answer are sent again under the same id, so that each is done once.
//! The client decides no rule of chess: only the server says what has happened.
//!
//! ```no_run
//! use touchmove_client::{Connection, ClientCommand, ServerEvent, ConnectOptions};
//! use touchmove_game::Intent;
//!
//! let link = "http://192.168.1.5:8000/Ab3dE6gH".parse()?;
//! let connection = Connection::open(ConnectOptions::as_guest(link), |told| match told {
//!     ServerEvent::Arrived(arrival) => println!("{}", arrival.game.sentence()),
//!     ServerEvent::Decided { events, .. } => println!("{events:?}"),
//!     told => println!("{told:?}"),
//! });
//! connection.send_command(ClientCommand::Wish(Intent::OfferDraw), 0);
//! # Ok::<(), touchmove_client::ParseLinkError>(())
//! ```

mod command;
mod connection;
mod connection_task;
mod dial;
mod error;
mod event;
mod foreign;
mod guest_secrets;
mod http;
mod link;
mod message;
mod new_table;
mod outgoing_message;
mod token;

pub use command::ClientCommand;
pub use connection::{ConnectOptions, Connection, create_table};
pub use error::Error;
pub use event::{
    ChatMessage, JoinedTable, PresenceSummary, ReceivedRefusal, RematchState, ServerEvent,
};
pub use guest_secrets::{GuestSecret, GuestSecrets};
pub use link::{ParseLinkError, TableLink};
pub use new_table::{NewTable, SideRequest, TermsRequest};
pub use token::{AccountToken, TokenError};
