//! The full-screen game: a [`Model`], [`Message`]s that [`update`] it, a [`view`] of it, and one
//! file, `runtime`, that knows the terminal and the time. What a game is and how it ends is the
//! game's business, not the screen's.

mod action;
pub mod board;
mod clipboard;
mod coaching;
mod collection;
mod entry;
mod farewell;
mod faults;
mod feedback;
mod form;
pub mod image;
mod layout;
mod live;
mod look;
mod message;
mod model;
mod network;
mod palette;
mod phrase;
mod runtime;
mod stage;
mod start;
mod straggler;
mod study;
mod table;
mod terminal;
mod theme;
mod update;
mod view;

pub use action::{Action, Chord, Keys, ParseChordError};
pub use coaching::{Coaching, Reviewing};
pub use collection::{Collection, Contents, Listed, WayBack};
pub use entry::Entry;
pub use form::Form;
pub use layout::Layout;
pub use live::Live;
pub use look::{Look, Pieces};
pub use message::{Effect, Message};
pub use model::{Call, Model, Scene};
pub use network::{Host, Hosted, Network};
pub use palette::{Depth, Rgb};
pub use phrase::Phrase;
pub use runtime::{Farewell, LookThroughError, Opening, look_through, run, visit};
pub use start::{Item, Resumable, Start};
pub use study::{Note, Study};
pub use table::{Blast, Dialog, Notice, Table, Tone};
pub use theme::Theme;
pub use update::update;
pub use view::{picture, view};
