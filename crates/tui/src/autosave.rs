//! Games on disk as they are played: one journal for each game, every event written through before
//! it is shown. What a journal says is the game's business.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use touchmove_game::{Game, journal};

/// The ending of a journal's name.
const EXTENSION: &str = "jsonl";
/// How many of the newest journals are looked at for a game to go on with.
const LOOKED_AT: usize = 32;

/// The folder with the journals of all games, and the games saved as PGN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

/// The journal of the game that is being played. It is locked: no other program goes on with the
/// same game.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// An unfinished game, and the journal to go on with.
#[derive(Debug)]
pub struct Unfinished {
    /// The game as far as it went.
    pub game: Game,
    /// Its journal.
    pub journal: Journal,
    /// What is to be said about it, if the journal was damaged.
    pub warning: Option<String>,
}

impl Shelf {
    /// The shelf in this folder, which need not exist yet.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Shelf {
        Shelf { folder }
    }

    /// The folder that the XDG base directory specification gives for these values of
    /// `XDG_DATA_HOME` and `HOME`.
    #[must_use]
    pub fn folder_for(xdg_data_home: Option<PathBuf>, home: Option<PathBuf>) -> Option<PathBuf> {
        let data = xdg_data_home
            .filter(|path| path.is_absolute())
            .or_else(|| Some(home?.join(".local").join("share")))?;
        Some(data.join("touchmove"))
    }

    /// Begins the journal of a new game with its first line. `stamp` is what its name begins with.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&self, stamp: &str, opening: &str) -> io::Result<Journal> {
        let games = self.folder.join("games");
        fs::create_dir_all(&games)?;
        for number in 0.. {
            let tail = if number == 0 {
                String::new()
            } else {
                format!("-{number}")
            };
            let path = games.join(format!("{stamp}{tail}.{EXTENSION}"));
            let file = match OpenOptions::new().append(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => opened?,
            };
            let mut journal = Journal { file, path };
            lock(&journal.file)?;
            journal.append(opening)?;
            sync_folder(&games);
            return Ok(journal);
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    /// The newest game that is not over and that no other program plays on. A journal that cannot
    /// be read to its end is kept aside and named in the warning.
    ///
    /// # Errors
    /// If a journal cannot be read or written.
    pub fn unfinished(&self) -> io::Result<Option<Unfinished>> {
        for path in self.newest()? {
            let mut file = OpenOptions::new().read(true).append(true).open(&path)?;
            if !lock(&file)? {
                continue;
            }
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let journal = Journal { file, path };
            let text = String::from_utf8_lossy(&bytes);
            match journal::replay(&text) {
                Ok(game) if game.ending().is_some() => {}
                Ok(game) if !game.owed().is_empty() => {
                    let mut journal = journal;
                    let owed: String = game.owed().iter().map(journal::line).collect();
                    journal.append(&owed)?;
                }
                Ok(game) => {
                    return Ok(Some(Unfinished {
                        game,
                        journal,
                        warning: None,
                    }));
                }
                Err(torn) => {
                    let whole: Vec<&str> = text.lines().take(torn.line - 1).collect();
                    let (journal, aside) = self.put_aside(journal, &whole)?;
                    let mut warning = format!(
                        "A damaged autosave is kept as {}: {torn}.",
                        aside.file_name().unwrap_or_default().display()
                    );
                    match (torn.game, journal) {
                        (Some(game), Some(journal)) if game.ending().is_none() => {
                            warning += " The game goes on from before that.";
                            let warning = Some(warning);
                            return Ok(Some(Unfinished {
                                game: *game,
                                journal,
                                warning,
                            }));
                        }
                        _ => return Err(io::Error::other(warning)),
                    }
                }
            }
        }
        Ok(None)
    }

    /// Keeps a damaged journal under another name, and begins it anew with the lines that are
    /// whole.
    fn put_aside(
        &self,
        damaged: Journal,
        whole: &[&str],
    ) -> io::Result<(Option<Journal>, PathBuf)> {
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
        Ok((Some(self.begin(stamp, &lines)?), aside))
    }

    /// The journals, the newest first.
    fn newest(&self) -> io::Result<Vec<PathBuf>> {
        let mut paths = listed(&self.folder.join("games"), EXTENSION)?;
        paths.sort_unstable_by(|a, b| b.cmp(a));
        paths.truncate(LOOKED_AT);
        Ok(paths)
    }

    /// Saves a game as PGN under a name that is not taken, and returns the path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, name: &str, pgn: &str) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.folder)?;
        for number in 1.. {
            let tail = if number == 1 {
                String::new()
            } else {
                format!("-{number}")
            };
            let path = self.folder.join(format!("{name}{tail}.pgn"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if fs::read(&path).is_ok_and(|saved| saved == pgn.as_bytes()) {
                        return Ok(path);
                    }
                }
                opened => {
                    let mut file = opened?;
                    file.write_all(pgn.as_bytes())?;
                    file.sync_all()?;
                    return Ok(path);
                }
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }
}

impl Shelf {
    /// The folder in which games are saved.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All games that were saved, as one text, the newest first.
    ///
    /// # Errors
    /// If the folder or a file cannot be read.
    pub fn saved(&self) -> io::Result<Vec<u8>> {
        let mut paths = listed(&self.folder, "pgn")?;
        paths.sort_unstable_by(|a, b| b.cmp(a));
        let mut text = Vec::new();
        for path in paths {
            text.extend(fs::read(path)?);
            text.extend(b"\n");
        }
        Ok(text)
    }
}

/// The files of a folder with this extension; none if there is no such folder.
fn listed(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let files = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let paths = files.filter_map(|entry| Some(entry.ok()?.path()));
    Ok(paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect())
}

impl Journal {
    /// Appends lines, and returns when they are on the disk.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, lines: &str) -> io::Result<()> {
        self.file.write_all(lines.as_bytes())?;
        self.file.sync_data()
    }

    /// Where the journal is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Takes the lock of a journal; `false` if another program has it. Where files cannot be locked,
/// nobody else has.
fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Makes a new name in a folder last, where the system can.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        // Some systems do not sync folders; the journal itself is synced in any case.
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_game::{Command, Players, Terms, Timestamp};
    use touchmove_rules::{Attempt, Color, Square, Variant};

    /// A shelf in a folder of its own, which is removed at the end.
    struct Fixture(Shelf);

    impl Fixture {
        fn new(name: &str) -> Fixture {
            let folder = std::env::temp_dir()
                .join(format!("touchmove-autosave-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            Fixture(Shelf::new(folder))
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

    fn play(game: &mut Game, journal: &mut Journal, from: Square, to: Square) {
        let who = game.turn();
        let at = Timestamp(game.latest().0 + 1_000);
        let answer = game.submit(at, who, Command::from(Attempt::new(from, to)));
        assert!(answer.accepted());
        for event in &answer.events {
            journal.append(&journal::line(event)).unwrap();
        }
    }

    #[test]
    fn a_game_that_was_cut_off_is_there_again() {
        let shelf = Fixture::new("again");
        let mut game = begun();
        let mut journal = shelf.0.begin("1", &journal::line(game.opening())).unwrap();
        play(&mut game, &mut journal, Square::E2, Square::E4);
        assert!(
            shelf.0.unfinished().unwrap().is_none(),
            "it is being played"
        );
        drop(journal);
        let unfinished = shelf.0.unfinished().unwrap().expect("an unfinished game");
        assert_eq!((unfinished.game, unfinished.warning), (game, None));
    }

    #[test]
    fn a_game_that_is_over_is_not_gone_on_with() {
        let shelf = Fixture::new("over");
        let mut game = begun();
        let mut journal = shelf.0.begin("1", &journal::line(game.opening())).unwrap();
        for event in game
            .submit(Timestamp(1), Color::White, Command::Resign)
            .events
        {
            journal.append(&journal::line(&event)).unwrap();
        }
        drop(journal);
        assert!(shelf.0.unfinished().unwrap().is_none());
    }

    #[test]
    fn a_game_whose_last_line_is_lost_after_the_mate_is_over_all_the_same() {
        let shelf = Fixture::new("mate");
        let mut game = begun();
        let mut journal = shelf.0.begin("1", &journal::line(game.opening())).unwrap();
        let mut lines = Vec::new();
        for text in ["f3", "e5", "g4", "Qh4"] {
            let mv = game.position().uci(game.read(text).unwrap());
            let answer = game.submit(Timestamp(1), game.turn(), Command::from(mv));
            lines.extend(answer.events.iter().map(journal::line));
        }
        lines.pop();
        journal.append(&lines.concat()).unwrap();
        let path = journal.path().to_owned();
        drop(journal);
        assert!(shelf.0.unfinished().unwrap().is_none());
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(journal::replay(&text).unwrap().ending(), game.ending());
    }

    #[test]
    fn a_damaged_journal_is_kept_and_named_and_the_game_goes_on_from_before() {
        let shelf = Fixture::new("damaged");
        let mut game = begun();
        let mut journal = shelf.0.begin("1", &journal::line(game.opening())).unwrap();
        play(&mut game, &mut journal, Square::E2, Square::E4);
        journal.append("{\"event\":\"mov").unwrap();
        drop(journal);
        let unfinished = shelf.0.unfinished().unwrap().expect("an unfinished game");
        assert_eq!(unfinished.game, game);
        let warning = unfinished.warning.expect("a warning");
        assert!(
            warning.contains("damaged-1") && warning.contains("line 3"),
            "{warning}"
        );
        drop(unfinished.journal);
        let again = shelf.0.unfinished().unwrap().expect("the same game");
        assert_eq!((again.game, again.warning), (game, None));
    }

    #[test]
    fn a_journal_without_a_game_is_kept_and_named() {
        let shelf = Fixture::new("nonsense");
        drop(shelf.0.begin("1", "nonsense\n").unwrap());
        let error = shelf.0.unfinished().unwrap_err().to_string();
        assert!(error.contains("damaged-1"), "{error}");
        assert!(shelf.0.unfinished().unwrap().is_none());
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
            Shelf::folder_for(path("/d"), path("/h")),
            path("/d/touchmove")
        );
        assert_eq!(
            Shelf::folder_for(path("d"), path("/h")),
            path("/h/.local/share/touchmove")
        );
        assert_eq!(Shelf::folder_for(None, None), None);
    }
}
