//! The touchmove server: tables for chess over the network, with an arbiter.
//!
//! A command goes from a socket to its [table](crate::games::table::Table), where the game decides; the decision is
//! written to the store, applied to the game, and broadcast: in this order, so that **what was acknowledged is on the
//! disk**. No rule of chess is decided in this crate.

pub mod api;
mod app;
pub mod arbiter_pool;
pub mod auth;
mod cached_read;
pub mod clock;
mod cluster;
mod config;
pub mod games;
mod lichess;
mod listener;
mod live_connections;
pub mod lobby;
mod lock_ext;
pub mod maintenance;
pub mod metrics;
pub mod random;
pub mod readers;
pub(crate) mod routes;
mod run;
pub mod security;
mod server_key;
mod spawn;
mod start;
pub mod web;
pub mod work_queue;

pub use app::{Server, ServerOpenError};
pub use cluster::{Backend, NatsAddress, ParseNatsAddressError};
pub use config::ServerConfig;
pub use listener::{HttpListener, Peer};
pub use run::{ServeError, run};
pub use start::{RunningServer, start};
