//! Saves the games of a session: journals while they are played, the library when they are over. A failure is
//! reported with its path, and the write is retried with every event.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use touchmove_game::{Game, journal};
use touchmove_text::display_path;

use crate::autosave::{JournalFile, JournalScan, ResumedGame, SaveDir};
use crate::disk::{replace, write_new};
use crate::quit_prompt::is_unplayed;
use crate::wall_clock::today;

/// A change in whether the game is being saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SaveStatus {
    /// Saving failed; the sentence says why, and names the path.
    Lost(String),
    /// Saving works again, and everything is saved.
    Again,
}

/// Saves games.
#[derive(Debug)]
pub(crate) struct GameSaver {
    save_dir: Option<SaveDir>,
    journal: Option<JournalFile>,
    /// All lines that the journal should contain.
    lines: String,
    is_lost: bool,
    is_unwanted: bool,
    /// Paths that the players named, with the text written there; only these files may be overwritten.
    saved: Vec<(PathBuf, String)>,
}

impl GameSaver {
    pub(crate) const fn new(save_dir: Option<SaveDir>) -> GameSaver {
        GameSaver {
            save_dir,
            journal: None,
            lines: String::new(),
            is_lost: false,
            is_unwanted: false,
            saved: Vec::new(),
        }
    }

    /// Sets whether games are saved at all.
    pub(crate) const fn set_enabled(&mut self, wants: bool) {
        self.is_unwanted = !wants;
    }

    /// The save directory, if there is one.
    pub(crate) const fn save_dir(&self) -> Option<&SaveDir> {
        self.save_dir.as_ref()
    }

    /// Scans the journals for unfinished games.
    pub(crate) fn scan_journals(&self) -> JournalScan {
        let surveyed = self.save_dir.as_ref().map(SaveDir::scan_journals);
        match surveyed.transpose() {
            Ok(survey) => survey.unwrap_or_default(),
            Err(error) => JournalScan {
                warnings: vec![format!(
                    "{}: {error}.",
                    display_path(&self.journal_path().unwrap_or_default())
                )],
                ..JournalScan::default()
            },
        }
    }

    /// Starts to save a game, with the first lines of its journal.
    pub(crate) fn begin(&mut self, lines: &str) -> Option<SaveStatus> {
        self.close_journal();
        if self.is_unwanted {
            return Some(SaveStatus::Lost(SAVING_OFF_TEXT.to_owned()));
        }
        lines.clone_into(&mut self.lines);
        self.try_again()
    }

    /// Resumes an unfinished game.
    ///
    /// # Errors
    /// A sentence, if it cannot be resumed.
    pub(crate) fn resume(&mut self, path: &Path) -> Result<(Game, Option<String>), String> {
        let Some(shelf) = &self.save_dir else {
            return Err(NO_FOLDER_TEXT.to_owned());
        };
        match shelf.resume(path) {
            Ok(Some(ResumedGame {
                game,
                journal,
                lines,
                warning,
            })) => {
                (self.journal, self.lines) = (Some(journal), lines);
                self.is_lost = false;
                Ok((game, warning))
            }
            Ok(None) => Err("The game is over, or another program plays on with it.".to_owned()),
            Err(error) => Err(format!("{}: {error}.", display_path(path))),
        }
    }

    /// Appends events to the journal.
    pub(crate) fn record(&mut self, lines: &str) -> Option<SaveStatus> {
        if self.lines.is_empty() {
            return None;
        }
        self.lines += lines;
        let Some(journal) = &mut self.journal else {
            return self.try_again();
        };
        let written = journal.append(lines);
        let path = journal.path().to_owned();
        match written {
            Ok(()) => self.retry_save(),
            Err(error) => Some(self.lose(&path, &error)),
        }
    }

    /// Moves the game that is over into the library.
    ///
    /// # Errors
    /// A sentence, if that fails.
    pub(crate) fn archive(&mut self, game: &Game) -> Result<Option<PathBuf>, String> {
        if std::mem::take(&mut self.lines).is_empty() {
            return Ok(None);
        }
        let Some(shelf) = &self.save_dir else {
            return Err(NO_FOLDER_TEXT.to_owned());
        };
        let shelved = match self.journal.take() {
            Some(journal) => shelf.archive(journal, game),
            None => shelf.add_to_library(game, &today()),
        };
        shelved.map_err(|error| not_in_library(shelf, &error))
    }

    /// Adds a game that has its journal elsewhere to the library, if games are saved here at all.
    ///
    /// # Errors
    /// A sentence, if that fails.
    pub(crate) fn add_to_library(&self, game: &Game) -> Result<Option<PathBuf>, String> {
        match &self.save_dir {
            Some(shelf) if !self.is_unwanted => shelf
                .add_to_library(game, &today())
                .map_err(|error| not_in_library(shelf, &error)),
            _ => Ok(None),
        }
    }

    /// Whether the game can be resumed: reads its journal, which must contain all of it.
    pub(crate) fn can_resume(&self, game: &Game) -> bool {
        let path = self.journal.as_ref().map(JournalFile::path);
        let text = path.and_then(|path| std::fs::read_to_string(path).ok());
        text.and_then(|text| journal::replay(&text).ok()).as_ref() == Some(game)
    }

    /// Whether everything was written and read back, and the file still has its length.
    pub(crate) fn is_saved(&self) -> bool {
        !self.is_lost && self.journal.as_ref().is_some_and(JournalFile::is_complete)
    }

    /// Saves a game to a path that the players name. Overwrites only files that were saved like this before.
    /// Returns the path.
    ///
    /// # Errors
    /// A sentence, if that fails.
    pub(crate) fn save_as(&mut self, path: &str, pgn: &str) -> Result<PathBuf, String> {
        let path = shorten_home(Path::new(path));
        let is_own = |(own, text): &(PathBuf, String)| {
            *own == path && std::fs::read(&path).is_ok_and(|found| found == text.as_bytes())
        };
        let written = match self.saved.iter().any(is_own) {
            true => replace(&path, pgn),
            false => write_new(&path, pgn),
        };
        match written {
            Ok(()) => {
                self.saved.retain(|(own, _)| *own != path);
                self.saved.push((path.clone(), pgn.to_owned()));
                Ok(path)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(format!(
                "{} is there already: give another name.",
                display_path(&path)
            )),
            Err(error) => Err(format!("{}: {error}.", display_path(&path))),
        }
    }

    /// Whether there is a game to save.
    pub(crate) const fn has_game(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The path where the journal is, or should be.
    pub(crate) fn journal_path(&self) -> Option<PathBuf> {
        let path = self
            .journal
            .as_ref()
            .map(|journal| journal.path().to_owned());
        path.or_else(|| Some(self.save_dir.as_ref()?.journals()))
    }

    /// Closes the journal, and deletes it if nothing has happened since the game began.
    pub(crate) fn close_journal(&mut self) {
        let journal = self.journal.take();
        let lines = std::mem::take(&mut self.lines);
        if let Some(journal) = journal
            && journal::replay(&lines).is_ok_and(|game| is_unplayed(&game))
        {
            // If this fails, the game is offered again; nothing is lost.
            let _ = std::fs::remove_file(journal.path());
        }
        self.is_lost = false;
    }

    fn try_again(&mut self) -> Option<SaveStatus> {
        let Some(shelf) = &self.save_dir else {
            self.is_lost = true;
            return Some(SaveStatus::Lost(NO_FOLDER_TEXT.to_owned()));
        };
        match shelf.begin(&stamp(), &self.lines) {
            Ok(journal) => {
                self.journal = Some(journal);
                self.retry_save()
            }
            Err(error) => {
                let place = shelf.journals();
                Some(self.lose(&place, &error))
            }
        }
    }

    fn retry_save(&mut self) -> Option<SaveStatus> {
        std::mem::take(&mut self.is_lost).then_some(SaveStatus::Again)
    }

    fn lose(&mut self, path: &Path, error: &io::Error) -> SaveStatus {
        self.is_lost = true;
        SaveStatus::Lost(format!(
            "This game is not kept: {error}: {}.",
            display_path(path)
        ))
    }
}

/// The message when there is no save directory.
pub(crate) const NO_FOLDER_TEXT: &str =
    "This game is not kept: there is no folder for it; set HOME or XDG_DATA_HOME to a full path.";

/// The message when saving is turned off.
const SAVING_OFF_TEXT: &str = "This game is not kept, as you wished.";

/// The start of a journal's file name: the time in milliseconds.
fn stamp() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    format!("{:014}", now.unwrap_or_default().as_millis())
}

/// Expands `~` at the start of a path to the home directory.
pub(crate) fn shorten_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

fn not_in_library(shelf: &SaveDir, error: &io::Error) -> String {
    let folder = display_path(shelf.folder());
    format!("The game is not in the library: {folder}: {error}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_game::{Command, Players, Terms, Timestamp};
    use touchmove_rules::{Color, Variant};

    /// A folder of its own for one test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let own = format!("touchmove-keeper-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(own);
            let _ = std::fs::remove_dir_all(&folder);
            Folder(folder)
        }

        fn keeper(&self) -> GameSaver {
            GameSaver::new(Some(SaveDir::new(self.0.clone())))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn begun() -> Game {
        Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0))
    }

    #[test]
    fn a_journal_in_which_nothing_has_happened_goes_when_the_game_is_left() {
        let folder = Folder::new("untouched");
        let mut keeper = folder.keeper();
        assert_eq!(keeper.begin(&journal::rewrite(&begun())), None);
        assert!(keeper.is_saved() && keeper.can_resume(&begun()));
        assert_eq!(keeper.begin(&journal::rewrite(&begun())), None);
        keeper.close_journal();
        assert!(!keeper.is_saved() && keeper.scan_journals().waiting.is_empty());
        // A killed program cleans nothing up.
        keeper.begin(&journal::rewrite(&begun()));
        drop(keeper);
        assert_eq!(folder.keeper().scan_journals().waiting.len(), 1);
    }

    #[test]
    fn whatever_has_happened_is_kept() {
        let mut game = begun();
        let folder = Folder::new("touched");
        let mut keeper = folder.keeper();
        keeper.begin(&journal::rewrite(&game));
        let play = |game: &mut Game, who: Color, command: Command| {
            let events = game.submit(Timestamp(0), who, command).events;
            events.iter().map(journal::line).collect::<String>()
        };
        let e4 = game.read_move("e4").expect("a move").to_uci();
        let mut lines = play(&mut game, Color::White, e4.into());
        lines += &play(&mut game, Color::White, Command::OfferTakeback);
        lines += &play(&mut game, Color::Black, Command::AcceptTakeback);
        assert!(game.plies().is_empty());
        keeper.record(&lines);
        keeper.close_journal();
        assert_eq!(keeper.scan_journals().waiting.len(), 1);
    }
}
