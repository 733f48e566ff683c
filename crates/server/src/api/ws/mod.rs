//! ws

pub(crate) mod game;
pub(crate) mod lobby;
pub(crate) mod message_rate;
pub(crate) mod ping;
