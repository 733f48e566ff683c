//! games

pub mod analysis_queue;
pub(crate) mod analysis_turns;
pub(crate) mod bot_accounts;
pub(crate) mod chat;
pub(crate) mod chat_limits;
pub(crate) mod command;
pub(crate) mod commit;
pub(crate) mod computer;
pub(crate) mod deadlines;
pub(crate) mod history;
pub(crate) mod listeners;
pub(crate) mod live_game;
pub(crate) mod loader;
pub mod new_game;
pub(crate) mod owners;
pub(crate) mod presence;
pub mod registry;
pub(crate) mod reviews;
pub(crate) mod round_trips;
pub(crate) mod state_message;
pub(crate) mod stream_state;
pub mod table;
pub mod terms_request;
pub(crate) mod update;
