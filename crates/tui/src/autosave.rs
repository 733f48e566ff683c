//! Autosave: one journal file for each game. Every event is written to disk and read back before it is shown. The
//! game crate defines what a journal contains.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use touchmove_game::{Game, Timestamp, journal};
use touchmove_text::display_path;

use crate::disk::{create_private_folder, listed, lock, private, sync_folder, write_new_private};
use crate::pgn_export;

/// The file extension of journals.
const JOURNAL_EXTENSION: &str = "jsonl";

/// The save directory: the journals of all games, and the finished games as PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaveDir {
    folder: PathBuf,
}

/// The journal file of the game that is being played. It is locked, so that no other program can resume the same
/// game.
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    path: PathBuf,
    /// How many bytes are known to be in the file.
    length: u64,
    /// Lines that could not be written yet.
    pending: String,
}

/// An unfinished game with its open journal.
#[derive(Debug)]
pub struct ResumedGame {
    /// The game as far as it was played.
    pub game: Game,
    /// Its journal.
    pub journal: JournalFile,
    /// All lines of the journal.
    pub lines: String,
    /// A warning if the journal was damaged.
    pub warning: Option<String>,
}

/// An unfinished game that can be resumed.
#[derive(Clone, PartialEq, Debug)]
pub struct UnfinishedGame {
    /// The game as far as it was played.
    pub game: Game,
    /// The path of its journal.
    pub path: PathBuf,
    /// The date on which it began, in PGN's form.
    pub date: String,
}

/// The result of scanning all journals.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JournalScan {
    /// The unfinished games that no other program is playing, newest first.
    pub waiting: Vec<UnfinishedGame>,
    /// Warnings about journals that are damaged or cannot be read.
    pub warnings: Vec<String>,
}

impl SaveDir {
    /// The save directory at this path, which need not exist yet.
    #[must_use]
    pub const fn new(folder: PathBuf) -> SaveDir {
        SaveDir { folder }
    }

    /// The directory that the XDG base directory specification gives for these values of `XDG_DATA_HOME` and
    /// `HOME`. Relative paths are ignored.
    #[must_use]
    pub fn default_folder(
        xdg_data_home: Option<PathBuf>,
        home: Option<PathBuf>,
    ) -> Option<PathBuf> {
        let is_absolute = |path: &PathBuf| path.is_absolute();
        let data = xdg_data_home
            .filter(is_absolute)
            .or_else(|| Some(home.filter(is_absolute)?.join(".local").join("share")))?;
        Some(data.join("touchmove"))
    }

    /// The path of the save directory.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of the journals.
    #[must_use]
    pub fn journals(&self) -> PathBuf {
        self.folder.join("games")
    }

    /// Creates the journal of a new game and writes its first line. The file name begins with `stamp`.
    ///
    /// # Errors
    /// If it cannot be written; then no file is left behind.
    pub fn begin(&self, stamp: &str, opening: &str) -> io::Result<JournalFile> {
        let games = self.journals();
        create_private_folder(&games)?;
        for number in 0.. {
            let tail = if number == 0 {
                String::new()
            } else {
                format!("-{number}")
            };
            let path = games.join(format!("{stamp}{tail}.{JOURNAL_EXTENSION}"));
            let mut options = private();
            let file = match options.read(true).append(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            let mut journal = JournalFile {
                file,
                path,
                length: 0,
                pending: String::new(),
            };
            lock(&journal.file)?;
            if let Err(error) = journal.append(opening) {
                // An incomplete journal must not be taken for a game.
                let _ = fs::remove_file(&journal.path);
                return Err(error);
            }
            sync_folder(&games);
            return Ok(journal);
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    /// Scans all journals. Games that are over move to the library; the others are returned. A journal that cannot
    /// be read to its end is kept, and named in a warning.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn scan_journals(&self) -> io::Result<JournalScan> {
        let mut survey = JournalScan::default();
        let mut paths = listed(&self.journals(), JOURNAL_EXTENSION)?;
        paths.sort_unstable_by(|a, b| b.cmp(a));
        for path in paths {
            match self.resume(&path) {
                Ok(Some(unfinished)) => {
                    survey.warnings.extend(unfinished.warning);
                    survey.waiting.push(UnfinishedGame {
                        game: unfinished.game,
                        date: began(&path),
                        path,
                    });
                }
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::Other => {
                    survey.warnings.push(error.to_string());
                }
                Err(error) => survey
                    .warnings
                    .push(format!("{}: {error}.", display_path(&path))),
            }
        }
        Ok(survey)
    }

    /// Opens the journal of an unfinished game to resume it; `None` if the game is over or another program is
    /// playing it.
    ///
    /// # Errors
    /// If the journal cannot be read or written, or contains no game.
    pub fn resume(&self, path: &Path) -> io::Result<Option<ResumedGame>> {
        let mut options = OpenOptions::new();
        // On a read-only file system the game can still be read.
        let mut file = match options.read(true).append(true).open(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => File::open(path)?,
            opened => opened?,
        };
        if !lock(&file)? {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut journal = JournalFile {
            file,
            path: path.to_owned(),
            length: bytes.len() as u64,
            pending: String::new(),
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match journal::replay(&text) {
            Ok(game) if game.ending().is_some() => {
                self.archive(journal, &game)?;
                Ok(None)
            }
            Ok(mut game) if !game.pending_ending().is_empty() => {
                let owed = game.pending_ending().to_vec();
                journal.append(&owed.iter().map(journal::line).collect::<String>())?;
                game.evolve_all(&owed);
                self.archive(journal, &game)?;
                Ok(None)
            }
            Ok(game) => Ok(Some(ResumedGame {
                game,
                journal,
                lines: text,
                warning: None,
            })),
            Err(torn) => {
                let whole: Vec<&str> = text.lines().take(torn.line - 1).collect();
                let (journal, aside) = self.put_aside(journal, &whole)?;
                let mut warning = format!(
                    "A damaged autosave is kept as {}: {torn}.",
                    display_path(Path::new(aside.file_name().unwrap_or_default()))
                );
                match (torn.game, journal) {
                    (Some(game), Some((journal, lines))) if game.ending().is_none() => {
                        warning += " The game goes on from before that.";
                        Ok(Some(ResumedGame {
                            game: *game,
                            journal,
                            lines,
                            warning: Some(warning),
                        }))
                    }
                    _ => Err(io::Error::other(warning)),
                }
            }
        }
    }

    /// Moves a game that is over into the library, and its journal to those of finished games.
    ///
    /// # Errors
    /// If that cannot be written; then the journal stays where it was and is archived later.
    pub fn archive(&self, journal: JournalFile, game: &Game) -> io::Result<Option<PathBuf>> {
        let saved = self.add_to_library(game, &began(&journal.path))?;
        let finished = self.journals().join("finished");
        create_private_folder(&finished)?;
        let name = journal.path.file_name().unwrap_or_default();
        fs::rename(&journal.path, finished.join(name))?;
        Ok(saved)
    }

    /// Adds a game that is over to the library, unless it has no moves.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_to_library(&self, game: &Game, date: &str) -> io::Result<Option<PathBuf>> {
        if game.plies().is_empty() {
            return Ok(None);
        }
        let name = pgn_export::file_name(game, date);
        self.save(&name, &pgn_export::pgn_text(game, date))
            .map(Some)
    }

    /// Deletes the journal of an unfinished game.
    ///
    /// # Errors
    /// If another program is playing the game, or the file cannot be removed.
    pub fn discard(&self, path: &Path) -> io::Result<()> {
        let file = File::open(path)?;
        match lock(&file)? {
            true => fs::remove_file(path),
            false => Err(io::Error::from(io::ErrorKind::WouldBlock)),
        }
    }

    /// Renames a damaged journal to keep it, and writes a new one with its intact lines.
    fn put_aside(
        &self,
        damaged: JournalFile,
        whole: &[&str],
    ) -> io::Result<(Option<(JournalFile, String)>, PathBuf)> {
        let aside = (1..)
            .map(|number| damaged.path.with_extension(format!("damaged-{number}")))
            .find(|path| !path.exists())
            .unwrap_or_else(|| damaged.path.with_extension("damaged"));
        fs::rename(&damaged.path, &aside)?;
        if whole.is_empty() {
            return Ok((None, aside));
        }
        let stamp = damaged
            .path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("game");
        let lines: String = whole.iter().map(|line| format!("{line}\n")).collect();
        Ok((Some((self.begin(stamp, &lines)?, lines)), aside))
    }

    /// Saves a game as PGN under a file name that is not taken; returns the path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, name: &str, pgn: &str) -> io::Result<PathBuf> {
        create_private_folder(&self.folder)?;
        for number in 1.. {
            let tail = if number == 1 {
                String::new()
            } else {
                format!("-{number}")
            };
            let path = self.folder.join(format!("{name}{tail}.pgn"));
            match write_new_private(&path, pgn) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if fs::read(&path).is_ok_and(|saved| saved == pgn.as_bytes()) {
                        return Ok(path);
                    }
                }
                written => return written.map(|()| path),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    /// The files of saved games, newest first.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn saved(&self) -> io::Result<Vec<PathBuf>> {
        let mut paths = listed(&self.folder, "pgn")?;
        paths.sort_unstable_by(|a, b| b.cmp(a));
        Ok(paths)
    }
}

/// The date on which a game began, from the file name of its journal: milliseconds since 1970.
fn began(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let millis = stem.and_then(|stem| stem.split('-').next()?.parse().ok());
    match millis {
        Some(millis) => Timestamp(millis).date(),
        None => "????.??.??".to_owned(),
    }
}

impl JournalFile {
    /// Appends lines; returns after they are synced to disk and read back. Lines that could not be written before
    /// are written with them.
    ///
    /// # Errors
    /// If they cannot be written; then none of them is in the file.
    pub fn append(&mut self, lines: &str) -> io::Result<()> {
        self.pending += lines;
        let written = self
            .file
            .write_all(self.pending.as_bytes())
            .and_then(|()| self.file.sync_data())
            .and_then(|()| self.read_back());
        match written {
            Ok(()) => {
                self.length += self.pending.len() as u64;
                self.pending.clear();
            }
            // A partial line would count as damage. If even this fails, what is written next cannot be read back.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
    }

    fn read_back(&mut self) -> io::Result<()> {
        let mut found = Vec::new();
        self.file.seek(SeekFrom::Start(self.length))?;
        self.file.read_to_end(&mut found)?;
        match found == self.pending.as_bytes() {
            true => Ok(()),
            false => Err(io::Error::other("what was written cannot be read back")),
        }
    }

    /// Whether no line is pending, and the file exists with the length that was written.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_there = |file: fs::Metadata| file.len() == self.length;
        self.pending.is_empty() && fs::metadata(&self.path).is_ok_and(is_there)
    }

    /// The path of the journal.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_game::{Command, Players, Terms, Timestamp};
    use touchmove_rules::{Color, Square, UciMove, Variant};

    /// A save directory of its own for one test, removed at the end.
    struct Fixture(SaveDir);

    impl Fixture {
        fn new(name: &str) -> Fixture {
            let folder = std::env::temp_dir()
                .join(format!("touchmove-autosave-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            Fixture(SaveDir::new(folder))
        }
    }

    impl Drop for Fixture {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0.folder);
        }
    }

    fn begun() -> Game {
        Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0))
    }

    fn play(game: &mut Game, journal: &mut JournalFile, from: Square, to: Square) {
        let who = game.turn();
        let at = Timestamp(game.latest().0 + 1_000);
        let answer = game.submit(at, who, Command::from(UciMove::new(from, to)));
        assert!(answer.accepted());
        for event in &answer.events {
            journal.append(&journal::line(event)).unwrap();
        }
    }

    /// The one unfinished game.
    fn waiting(shelf: &SaveDir) -> UnfinishedGame {
        let survey = shelf.scan_journals().unwrap();
        assert_eq!((survey.waiting.len(), survey.warnings), (1, Vec::new()));
        survey.waiting.into_iter().next().unwrap()
    }

    fn nothing_waits(shelf: &SaveDir) {
        assert_eq!(shelf.scan_journals().unwrap(), JournalScan::default());
    }

    #[test]
    fn a_game_that_was_cut_off_is_there_again() {
        let shelf = Fixture::new("again");
        let mut game = begun();
        let mut journal = shelf.0.begin("1", &journal::line(game.opening())).unwrap();
        play(&mut game, &mut journal, Square::E2, Square::E4);
        // Another program is playing it.
        nothing_waits(&shelf.0);
        drop(journal);
        let found = waiting(&shelf.0);
        assert_eq!((&found.game, found.date.as_str()), (&game, "1970.01.01"));
        let taken = shelf.0.resume(&found.path).unwrap().expect("the game");
        assert_eq!(taken.game, game);
        assert_eq!(journal::replay(&taken.lines).unwrap(), game);
    }

    #[test]
    fn all_games_wait_the_newest_first_and_can_be_thrown_away() {
        let shelf = Fixture::new("all");
        for stamp in ["1", "2", "3"] {
            drop(
                shelf
                    .0
                    .begin(stamp, &journal::line(begun().opening()))
                    .unwrap(),
            );
        }
        let paths = |survey: JournalScan| -> Vec<PathBuf> {
            survey.waiting.into_iter().map(|waits| waits.path).collect()
        };
        let all = paths(shelf.0.scan_journals().unwrap());
        assert!(all.len() == 3 && all[0] > all[1] && all[1] > all[2]);
        shelf.0.discard(&all[1]).unwrap();
        assert_eq!(
            paths(shelf.0.scan_journals().unwrap()),
            [all[0].clone(), all[2].clone()]
        );
    }

    #[test]
    fn a_game_that_is_over_is_in_the_library_and_waits_no_more() {
        let shelf = Fixture::new("over");
        let mut game = begun();
        let mut journal = shelf.0.begin("1", &journal::line(game.opening())).unwrap();
        play(&mut game, &mut journal, Square::E2, Square::E4);
        for event in game
            .submit(Timestamp(9_000), Color::White, Command::Resign)
            .events
        {
            journal.append(&journal::line(&event)).unwrap();
        }
        drop(journal);
        nothing_waits(&shelf.0);
        let saved = shelf.0.saved().unwrap();
        let text = fs::read_to_string(&saved[0]).unwrap();
        for words in [
            "1. e4",
            "0-1",
            "[Ending \"resignation\"]",
            "[Date \"1970.01.01\"]",
        ] {
            assert!(text.contains(words), "{text}");
        }
        nothing_waits(&shelf.0);
        assert_eq!(shelf.0.saved().unwrap().len(), 1, "it is there once");
    }

    #[test]
    fn a_game_whose_last_line_is_lost_after_the_mate_is_over_all_the_same() {
        let shelf = Fixture::new("mate");
        let mut game = begun();
        let mut journal = shelf.0.begin("1", &journal::line(game.opening())).unwrap();
        let mut lines = Vec::new();
        for text in ["f3", "e5", "g4", "Qh4"] {
            let mv = game.position().uci(game.read_move(text).unwrap());
            let answer = game.submit(Timestamp(1), game.turn(), Command::from(mv));
            lines.extend(answer.events.iter().map(journal::line));
        }
        lines.pop();
        journal.append(&lines.concat()).unwrap();
        drop(journal);
        nothing_waits(&shelf.0);
        let finished = shelf.0.journals().join("finished").join("1.jsonl");
        let text = fs::read_to_string(finished).unwrap();
        assert_eq!(journal::replay(&text).unwrap().ending(), game.ending());
        let saved = fs::read_to_string(&shelf.0.saved().unwrap()[0]).unwrap();
        assert!(saved.contains("Qh4# "), "{saved}");
    }

    #[test]
    fn a_damaged_journal_is_kept_and_named_and_the_game_goes_on_from_before() {
        let shelf = Fixture::new("damaged");
        let mut game = begun();
        let mut journal = shelf.0.begin("1", &journal::line(game.opening())).unwrap();
        play(&mut game, &mut journal, Square::E2, Square::E4);
        journal.append("{\"event\":\"mov").unwrap();
        drop(journal);
        let survey = shelf.0.scan_journals().unwrap();
        assert_eq!(survey.waiting[0].game, game);
        let warning = &survey.warnings[0];
        assert!(
            warning.contains("damaged-1") && warning.contains("line 3"),
            "{warning}"
        );
        assert_eq!(waiting(&shelf.0).game, game);
    }

    #[test]
    fn a_journal_without_a_game_is_kept_and_named() {
        let shelf = Fixture::new("nonsense");
        drop(shelf.0.begin("1", "nonsense\n").unwrap());
        let survey = shelf.0.scan_journals().unwrap();
        assert!(survey.waiting.is_empty());
        assert!(survey.warnings[0].contains("damaged-1"), "{survey:?}");
        nothing_waits(&shelf.0);
    }

    #[test]
    fn saving_twice_overwrites_nothing() {
        let shelf = Fixture::new("save");
        let one = shelf.0.save("a", "1").unwrap();
        assert_eq!(shelf.0.save("a", "1").unwrap(), one);
        assert_ne!(shelf.0.save("a", "2").unwrap(), one);
    }

    #[test]
    fn the_folder_is_where_the_specification_says() {
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(
            SaveDir::default_folder(path("/d"), path("/h")),
            path("/d/touchmove")
        );
        assert_eq!(
            SaveDir::default_folder(path("d"), path("/h")),
            path("/h/.local/share/touchmove")
        );
        assert_eq!(SaveDir::default_folder(None, None), None);
        assert_eq!(SaveDir::default_folder(path("d"), path("h")), None);
        assert_eq!(SaveDir::default_folder(None, path("")), None);
    }
}
