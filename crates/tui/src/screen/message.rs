//! What happens to the screen ([`Message`]), and what it asks of the event loop ([`Effect`]). Plain data;
//! [`update`](crate::screen::update) turns one into the other.

use std::path::PathBuf;

use ratatui::crossterm::event::{KeyEvent, MouseEvent};

use touchmove_client::{ClientCommand, NewTable, ServerEvent, TableLink};
use touchmove_game::{AnalysisQuestion, AnalysisResult, Game};

use crate::opponents::{CoachReply, CoachRequest, ComputerReply, ComputerTask};
use crate::screen::start_screen::ResumableGame;

/// An input event for the update.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// A mouse event.
    Mouse(MouseEvent),
    /// A text was pasted.
    Paste(String),
    /// The window was resized, to columns and rows.
    Resize(u16, u16),
    /// Time has passed.
    Time,
    /// The game was saved to this file.
    Saved(PathBuf),
    /// Saving the game to the typed path failed.
    Unsaved {
        /// The path as typed.
        path: String,
        /// The reason, as a sentence.
        why: String,
    },
    /// A file of games was read.
    Opened(PathBuf, Vec<u8>),
    /// The library's files were read.
    Library(Vec<(PathBuf, Vec<u8>)>),
    /// A game in this file was changed or deleted.
    Changed(PathBuf),
    /// The result of an analysis.
    LookedInto(Box<AnalysisResult>),
    /// There are unfinished games to resume.
    Found(Vec<ResumableGame>),
    /// An unfinished game is resumed; the sentence is a warning about its journal.
    Resumed(Box<Game>, Option<String>),
    /// Saving failed; the sentence says why.
    Unkept(String),
    /// Saving works again.
    Kept,
    /// The finished game is in the library, in this file.
    Shelved(PathBuf),
    /// A server event.
    Told(Box<ServerEvent>),
    /// This program hosts the table that is about to be joined.
    Hosting,
    /// A computer has answered.
    Answered(Box<ComputerReply>),
    /// The coach has answered.
    Advised(Box<CoachReply>),
    /// An effect failed; the sentence says why.
    Failed(String),
}

/// A side effect for the event loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Draw the screen: something visible has changed.
    Draw,
    /// Begin a new autosave with this line.
    Begin(String),
    /// Resume the game of this autosave.
    Resume(PathBuf),
    /// Delete this autosave.
    Discard(PathBuf),
    /// Move the finished game into the library.
    Shelve(Box<Game>),
    /// Add a game that was played on the network to the library.
    PutIn(Box<Game>),
    /// Append these lines to the autosave, before anything else is shown.
    Record(String),
    /// Analyse this position.
    LookLonger(Box<AnalysisQuestion>),
    /// Ask a computer.
    Think(Box<ComputerTask>),
    /// Ask the coach.
    Coach(Box<CoachRequest>),
    /// Cancel the coach's current question.
    HushCoach,
    /// Copy a text to the clipboard.
    Copy(String),
    /// Save a game; the file name has no folder and no extension.
    Save {
        /// The name of the file.
        name: String,
        /// The game as PGN.
        pgn: String,
    },
    /// Save a game to a path.
    SaveAs {
        /// The path as typed.
        path: String,
        /// The game as PGN.
        pgn: String,
    },
    /// Read a file of games.
    Open(PathBuf),
    /// Read the library.
    OpenSaved,
    /// Replace or delete a game in a file; everything else in the file stays.
    Change {
        /// The file.
        path: PathBuf,
        /// The game as in the file.
        game: Vec<u8>,
        /// Its new text; `None` deletes it.
        text: Option<Vec<u8>>,
    },
    /// Close the journal, and look for unfinished games.
    Seek,
    /// Join a table on the network.
    Join {
        /// The link of the table.
        link: TableLink,
        /// The name to join under, if the player has no seat there yet.
        name: String,
    },
    /// Host a table on the network, and join it.
    Host(Box<NewTable>),
    /// Send a command to the server.
    Say {
        /// The command.
        say: ClientCommand,
        /// The number of the last event that the player has seen.
        seen: u64,
    },
    /// Disconnect from the table on the network.
    Part,
    /// Ring the terminal's bell.
    Ring,
    /// Suspend the program, and give the terminal back meanwhile.
    Suspend,
    /// Quit.
    Quit,
}
