//! WebSockets: the live table (`game`) and the live lobby (`lobby`), with their heartbeat (`ping`) and message rate
//! limit (`message_rate`).
//!
//! A socket parses messages, calls the domain, and forwards updates. What never lives here: decisions about games,
//! the content of updates (see `update`), and Lichess's streams. docs/LIVE.md describes the
//! messages.

pub(crate) mod game;
pub(crate) mod lobby;
pub(crate) mod message_rate;
pub(crate) mod ping;
