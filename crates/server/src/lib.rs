//! Tables on the network: chess with an arbiter for people who are not at one keyboard.
//!
//! A command goes from a socket to its [table](table::Table), where the game decides; the decision is written to the
//! store, becomes part of the game, and is told to everybody: in this order, so that **what was acknowledged is on
//! the disk**. No rule of chess is decided here.

mod background;
mod bots;
mod bus;
mod cached_read;
pub mod chance;
mod computer;
mod connections;
mod cookies;
mod descriptors;
pub mod desk;
pub mod found;
mod game_loader;
pub mod guard;
pub mod guests;
mod house;
pub mod http;
mod keys;
mod lichess;
mod live_connections;
pub mod lobby;
pub mod looks;
pub mod maintenance;
pub mod meters;
mod neighbours;
mod paced_stream;
pub mod page;
pub mod pulse;
pub mod readers;
mod recorded_stream;
mod request_framing;
mod reviews;
mod revocations;
mod run;
mod serve;
mod settings;
mod sign_in;
mod start;
mod sync;
pub mod table;
pub mod tables;
pub mod terms;
mod timekeeper;
pub mod who;
pub mod work_queue;
mod write_timeout;

pub use bus::{BadNatsAddress, Ground, NatsAddress};
pub use house::{House, OpenError};
pub use run::{ServeError, run};
pub use serve::{Door, Peer};
pub use settings::Settings;
pub use start::{Running, start};
