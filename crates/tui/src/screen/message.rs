//! What happens to the screen from outside ([`Message`]), and what it asks of the outside
//! ([`Effect`]). Plain data; [`update`](crate::screen::update) lies between the two.

use std::path::PathBuf;

use ratatui::crossterm::event::{KeyEvent, MouseEvent};

use touchmove_client::{ClientCommand, NewTable, ServerEvent, TableLink};
use touchmove_game::{AnalysisQuestion, AnalysisResult, Game};

use crate::opponents::{CoachReply, CoachRequest, ComputerReply, ComputerTask};
use crate::screen::start_screen::ResumableGame;

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// A key was struck.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// A text was pasted.
    Paste(String),
    /// The window has a new size in columns and rows.
    Resize(u16, u16),
    /// Time has passed, and that is all.
    Time,
    /// The game was saved to this file.
    Saved(PathBuf),
    /// The game was not saved to the path that was typed; the sentence says why.
    Unsaved {
        /// The path as it was typed.
        path: String,
        /// The sentence.
        why: String,
    },
    /// A file of games was read, as bytes.
    Opened(PathBuf, Vec<u8>),
    /// The games of the library, each file with its bytes.
    Library(Vec<(PathBuf, Vec<u8>)>),
    /// A game of this file was changed or taken out.
    Changed(PathBuf),
    /// A longer look has found something out.
    LookedInto(Box<AnalysisResult>),
    /// There are unfinished games to go on with.
    Found(Vec<ResumableGame>),
    /// An unfinished game is gone on with; the sentence is about its journal.
    Resumed(Box<Game>, Option<String>),
    /// The game is not kept; the sentence says why.
    Unkept(String),
    /// The game is kept again.
    Kept,
    /// The game that is over is in the library, in this file.
    Shelved(PathBuf),
    /// A table on the network tells something.
    Told(Box<ServerEvent>),
    /// This program serves the table that is about to be visited.
    Hosting,
    /// A computer at the table has answered.
    Answered(Box<ComputerReply>),
    /// The coach says something.
    Advised(Box<CoachReply>),
    /// Something that was asked for went wrong; the sentence says what.
    Failed(String),
}

/// Something to be done outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Paint the screen anew: something that shows has changed.
    Draw,
    /// Begin a new autosave with this line.
    Begin(String),
    /// Go on with the game of this autosave.
    Resume(PathBuf),
    /// Throw this autosave away.
    Discard(PathBuf),
    /// Put the game that is over into the library.
    Shelve(Box<Game>),
    /// Put a game that was played on the network into the library.
    PutIn(Box<Game>),
    /// Append these lines to the autosave, before anything else is shown.
    Record(String),
    /// Take a longer look into this.
    LookLonger(Box<AnalysisQuestion>),
    /// Ask a computer at the table.
    Think(Box<ComputerTask>),
    /// Ask the coach.
    Coach(Box<CoachRequest>),
    /// Break off what the coach looks into.
    HushCoach,
    /// Put a text on the clipboard.
    Copy(String),
    /// Save a game; the name is for the file, without folder and extension.
    Save {
        /// The name of the file.
        name: String,
        /// The game as PGN.
        pgn: String,
    },
    /// Save a game to a path.
    SaveAs {
        /// The path as it was typed.
        path: String,
        /// The game as PGN.
        pgn: String,
    },
    /// Read a file of games.
    Open(PathBuf),
    /// Read the games that were saved.
    OpenSaved,
    /// Change a game of a file, or take it out; everything else in the file stays.
    Change {
        /// The file.
        path: PathBuf,
        /// The game as it stands there.
        game: Vec<u8>,
        /// What it becomes, if it is not taken out.
        text: Option<Vec<u8>>,
    },
    /// Put the journal away, and look for an unfinished game to go on with.
    Seek,
    /// Come to a table on the network.
    Join {
        /// Where.
        link: TableLink,
        /// Under which name, if he is not there already.
        name: String,
    },
    /// Serve a table on the network, and come to it.
    Host(Box<NewTable>),
    /// Say something at the table on the network.
    Say {
        /// What.
        say: ClientCommand,
        /// The last event that the player has seen.
        seen: u64,
    },
    /// Leave the table on the network.
    Part,
    /// Make the terminal ring.
    Ring,
    /// Give the terminal back until the program is woken.
    Suspend,
    /// Leave.
    Quit,
}
