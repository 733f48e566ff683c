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

pub use action::{Action, KeyBindings, KeyChord, ParseKeyChordError};
pub use appearance::{Appearance, PieceRendering};
pub use coach_state::{CoachState, ReviewState};
pub use event_loop::{ExitSummary, InitialScreen, OpenFileError, open_file, run, run_network_game};
pub use game_list::{GameCollection, GameList, GameListEntry, ReturnTo};
pub use game_screen::{Dialog, ExplosionAnimation, GameScreen, Notice, Tone};
pub use input_field::InputField;
pub use layout::Layout;
pub use message::{Effect, Message};
pub use model::{ActiveScreen, Alerts, Model};
pub use network::{HostTable, HostedTable, Network};
pub use network_table::NetworkTable;
pub use new_game_form::NewGameForm;
pub use palette::{ColorDepth, Rgb};
pub use start_screen::{ResumableGame, StartItem, StartScreen};
pub use study::{MoveNote, Study};
pub use theme::ScreenTheme;
pub use typed_command::TypedCommand;
pub use update::update;
pub use view::{picture, view};
