//! The terminal interface: the full-screen game, and the line modes for pipes and programs. It shows the state of
//! the game and passes on what the players want; no rule of chess is decided here.

pub mod autosave;
mod background_analysis;
pub mod bounded_file;
pub mod config;
pub mod disk;
mod game_saver;
mod input;
pub mod json_mode;
pub mod library;
mod network_input;
pub mod opponents;
mod pgn_export;
pub mod plain;
mod quit_prompt;
pub mod screen;
mod signals;
pub mod toml_depth;
mod wall_clock;

pub use network_input::NetworkGameError;
pub use signals::{Signal, listen as on_signal};
