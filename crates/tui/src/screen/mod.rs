//! The full-screen game: a [`Model`], [`Message`]s that [`update`] it, a [`view`] of it, and one
//! file, `runtime`, that knows the terminal and the time. What a game is and how it ends is the
//! game's business, not the screen's.

mod action;
mod appearance;
pub mod board;
mod clipboard;
mod coach_state;
mod config_warnings;
mod event_loop;
mod exit_message;
mod feedback;
mod game_list;
mod game_screen;
pub mod image;
mod input_field;
mod late_reply_filter;
mod layout;
mod message;
mod model;
mod network;
mod network_table;
mod new_game_form;
mod palette;
mod renderer;
mod start_screen;
mod study;
mod terminal;
mod theme;
mod typed_command;
mod update;
mod view;

pub use action::{Action, Chord, Keys, ParseChordError};
pub use appearance::{Look, Pieces};
pub use coach_state::{Coaching, Reviewing};
pub use event_loop::{Farewell, LookThroughError, Opening, look_through, run, visit};
pub use game_list::{Collection, Contents, Listed, WayBack};
pub use game_screen::{Blast, Dialog, Notice, Table, Tone};
pub use input_field::Entry;
pub use layout::Layout;
pub use message::{Effect, Message};
pub use model::{Call, Model, Scene};
pub use network::{Host, Hosted, Network};
pub use network_table::Live;
pub use new_game_form::Form;
pub use palette::{Depth, Rgb};
pub use start_screen::{Item, Resumable, Start};
pub use study::{Note, Study};
pub use theme::Theme;
pub use typed_command::Phrase;
pub use update::update;
pub use view::{picture, view};
