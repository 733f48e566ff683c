//! The library of finished games on this machine: lists its files, adds up statistics, and changes or deletes
//! single games without touching anything else.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::autosave::SaveDir;
use crate::disk::replace;
use crate::screen::GameListEntry;

/// The name of the library in messages.
pub const LIBRARY_FOLDER: &str = "the library";

/// The files of the library with their bytes, newest first.
///
/// # Errors
/// If one of them cannot be read.
pub fn files(shelf: &SaveDir) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let read = |path: PathBuf| fs::read(&path).map(|text| (path, text));
    shelf.saved()?.into_iter().map(read).collect()
}

/// Replaces the text of one game and leaves the rest of its file as it is. Without a text, deletes the game, and
/// the file if nothing else is in it.
///
/// # Errors
/// If the file no longer contains the game, or cannot be written.
pub fn change(path: &Path, game: &[u8], text: Option<&[u8]>) -> io::Result<()> {
    let file = fs::read(path)?;
    let game = game.trim_ascii();
    let at = file
        .windows(game.len().max(1))
        .position(|window| window == game)
        .filter(|_| !game.is_empty());
    let Some(at) = at else {
        return Err(io::Error::other(
            "the game is not in the file any more as it was read",
        ));
    };
    let (before, after) = (&file[..at], &file[at + game.len()..]);
    match text {
        Some(text) => replace(path, [before, text.trim_ascii(), after].concat()),
        None if [before, after].concat().trim_ascii().is_empty() => fs::remove_file(path),
        None => replace(path, [before, after.trim_ascii_start()].concat()),
    }
}

/// A player's wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct ResultTally {
    pub won: usize,
    pub drawn: usize,
    pub lost: usize,
}

impl ResultTally {
    /// The number of games with a result.
    #[must_use]
    pub const fn games(self) -> usize {
        self.won + self.drawn + self.lost
    }

    /// The score in percent, rounded down.
    #[must_use]
    pub fn percent(self) -> usize {
        (200 * self.won + 100 * self.drawn) / (2 * self.games()).max(1)
    }

    const fn count(&mut self, half_points: usize) {
        match half_points {
            2 => self.won += 1,
            1 => self.drawn += 1,
            _ => self.lost += 1,
        }
    }
}

/// Statistics of a list of games.
///
/// ```
/// use touchmove_tui::library::Statistics;
/// use touchmove_tui::screen::GameCollection;
///
/// let text = b"[White \"Anna\"]\n[Black \"Ben\"]\n\n1. e4 e5 1-0\n\n[White \"Ben\"]\n[Black \"Anna\"]\n\n1. d4 1/2-1/2\n";
/// let games = GameCollection::read("games.pgn", text.to_vec());
/// let statistics = Statistics::of(games.list());
/// let (name, score) = &statistics.players[0];
/// assert_eq!((name.as_str(), score.won, score.drawn, score.percent()), ("Anna", 1, 1, 75));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The number of games.
    pub games: usize,
    /// The players with their scores, most games first.
    pub players: Vec<(String, ResultTally)>,
    /// White's score in each variant.
    pub variants: Vec<(String, ResultTally)>,
    /// How many games ended in each way, most frequent first.
    pub endings: Vec<(String, usize)>,
}

impl Statistics {
    /// Computes the statistics.
    #[must_use]
    pub fn of<'a>(list: impl IntoIterator<Item = &'a GameListEntry>) -> Statistics {
        let mut players: BTreeMap<String, ResultTally> = BTreeMap::new();
        let mut variants: BTreeMap<String, ResultTally> = BTreeMap::new();
        let mut endings: BTreeMap<String, usize> = BTreeMap::new();
        let mut games = 0;
        for listed in list {
            games += 1;
            let ending = match listed.ending.as_str() {
                "" => "not said",
                ending => ending,
            };
            *endings.entry(ending.to_owned()).or_default() += 1;
            let white = match listed.result {
                "1-0" => 2,
                "1/2-1/2" => 1,
                "0-1" => 0,
                _ => continue,
            };
            let variant = match listed.variant.as_str() {
                "" => "Chess",
                variant => variant,
            };
            variants.entry(variant.to_owned()).or_default().count(white);
            // Games without a name must not be added up as one person's.
            let sides = [(&listed.white, white), (&listed.black, 2 - white)];
            for (name, points) in sides.into_iter().filter(|(name, _)| *name != "?") {
                players.entry(name.clone()).or_default().count(points);
            }
        }
        let mut statistics = Statistics {
            games,
            players: players.into_iter().collect(),
            variants: variants.into_iter().collect(),
            endings: endings.into_iter().collect(),
        };
        let most = |(_, score): &(String, ResultTally)| std::cmp::Reverse(score.games());
        statistics.players.sort_by_key(most);
        statistics.variants.sort_by_key(most);
        let commonest = |(_, count): &(String, usize)| std::cmp::Reverse(*count);
        statistics.endings.sort_by_key(commonest);
        statistics
    }
}

/// The width of the column for names.
const NAME_COLUMN_WIDTH: usize = 28;

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |name: &str| name.chars().take(NAME_COLUMN_WIDTH).collect::<String>();
        let head = |f: &mut fmt::Formatter<'_>, name: &str| {
            writeln!(
                f,
                "{name:<NAME_COLUMN_WIDTH$}  games    won  drawn   lost  score"
            )
        };
        let row = |f: &mut fmt::Formatter<'_>, name: &str, score: &ResultTally| {
            let ResultTally { won, drawn, lost } = score;
            let (games, percent) = (score.games(), score.percent());
            let name = short(name);
            writeln!(
                f,
                "{name:<NAME_COLUMN_WIDTH$}  {games:>5}  {won:>5}  {drawn:>5}  {lost:>5}  {percent:>4}%"
            )
        };
        head(f, "Player")?;
        for (name, score) in &self.players {
            row(f, name, score)?;
        }
        writeln!(f)?;
        head(f, "White in")?;
        for (name, score) in &self.variants {
            row(f, name, score)?;
        }
        writeln!(f, "\n{:<NAME_COLUMN_WIDTH$}  games", "Ending")?;
        for (ending, count) in &self.endings {
            writeln!(f, "{:<NAME_COLUMN_WIDTH$}  {count:>5}", short(ending))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of its own for one test.
    fn file(name: &str, text: &str) -> PathBuf {
        let name = format!("touchmove-library-{name}-{}.pgn", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn a_game_is_changed_and_everything_around_it_stays() {
        let path = file("change", "% kept\n\n1. e4 *\n\n; odd\n\n1. d4 *\n");
        change(&path, b"1. e4 *\n", Some(b"1. e4! *\n")).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "% kept\n\n1. e4! *\n\n; odd\n\n1. d4 *\n");
        let gone = change(&path, b"1. e4 *\n", Some(b"1. c4 *"));
        assert!(gone.unwrap_err().to_string().contains("any more"));
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_game_is_taken_out_and_its_file_with_the_last_one() {
        let path = file("out", "1. e4 *\n\n1. d4 *\n");
        change(&path, b"1. e4 *", None).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1. d4 *\n");
        change(&path, b"1. d4 *", None).unwrap();
        assert!(!path.exists());
    }
}
