//! Chess for two in a terminal: the full-screen game, and the line modes for pipes and programs. It
//! shows what the game says and asks what the players want; no rule of chess is decided here.

pub mod autosave;
pub mod config;
mod hot_seat;
mod lines;
mod longer_look;
mod misreading;
pub mod plain;
pub mod protocol;
mod score;
pub mod screen;
mod sentence;
mod signals;
mod wall_clock;

pub use signals::Signal;
