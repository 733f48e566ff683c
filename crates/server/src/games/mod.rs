//! Games on the server: tables, live games in memory, commands, commits, deadlines, presence, chat and the computer.
//!
//! A [`Table`](table::Table) is one game with its connections; the [`TableRegistry`](registry::TableRegistry) holds
//! the tables in memory, `loader` brings them there from the store. A command goes through `command` (decide) and
//! `commit` (store, apply, broadcast); `update` is what connections receive. `deadlines` calls flags,
//! `analysis_queue` answers what needs a search, `computer` plays seats, `reviews` looks at finished games.
//!
//! What never lives here: rules of chess (crates `rules` and `game`), SQL (crate `store`), and HTTP. This is domain
//! code: it should know neither axum nor [`crate::api`], and has errors of its own that `api` turns into answers.

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
pub(crate) mod rematch;
pub(crate) mod reviews;
pub(crate) mod round_trips;
pub(crate) mod state_message;
pub(crate) mod stream_state;
pub mod table;
pub mod terms_request;
pub(crate) mod update;
