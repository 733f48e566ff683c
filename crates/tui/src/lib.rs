//! Chess for two in a terminal: the full-screen game, and the line modes for pipes and programs. It
//! shows what the game says and asks what the players want; no rule of chess is decided here.

pub mod autosave;
pub mod bounded_file;
pub mod config;
pub mod disk;
mod input;
mod keeper;
mod keepsake;
mod leaving;
pub mod library;
mod longer_look;
pub mod plain;
pub mod protocol;
pub mod screen;
mod signals;
pub mod sparring;
pub mod toml_depth;
mod visit;
mod wall_clock;

pub use signals::{Signal, listen as on_signal};
pub use visit::VisitError;
