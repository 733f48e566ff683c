//! `touchmove library`: the games finished on this machine. Lists them on the full screen or in lines, prints
//! statistics, deletes and exports games.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use touchmove_text::{display_line, display_path};
use touchmove_tui::autosave::SaveDir;
use touchmove_tui::disk::write_new;
use touchmove_tui::library::{self, ResultTally, Statistics};
use touchmove_tui::screen::{GameCollection, GameListEntry};

use crate::cli::{AnswerStatus, NegativeAnswer};
use crate::output;
use crate::terminal_ui;

/// Look through the games that were finished here: list, search, count, export, delete.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove library                         the list on the full screen
  touchmove library --find \"anna atomic\"    the games with these words, in lines
  touchmove library stats --json            what they add up to
  touchmove library show 3                  the third game as PGN
  touchmove library export all.pgn          all games in one file
  touchmove library delete 3                takes the third game out")]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Only games with all these words in a name, the date, the variant, the ending or the result.
    #[arg(
        long,
        value_name = "WORDS",
        default_value = "",
        hide_default_value = true,
        global = true
    )]
    find: String,

    /// In lines, and not on the full screen.
    #[arg(long)]
    plain: bool,

    /// One JSON object for each game, or one for what else was asked for.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// How each player, each variant and each kind of ending fared.
    Stats,
    /// Print a game as PGN.
    Show {
        /// Its number in the list.
        number: usize,
    },
    /// Write the games into one PGN file, which must not be there yet.
    Export {
        /// The file.
        file: PathBuf,
    },
    /// Take a game out for good.
    Delete {
        /// Its number in the list.
        number: usize,
    },
}

/// Lists, counts, shows, exports or deletes; the answer is no if there is no such game.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let wants_screen = args.command.is_none() && !args.plain && !args.json && args.find.is_empty();
    if wants_screen && terminal_ui::is_available() {
        return terminal_ui::library();
    }
    let Some(shelf) = terminal_ui::save_dir() else {
        bail!("there is no place for games: set HOME or XDG_DATA_HOME to a full path");
    };
    let games = read(&shelf)?;
    let wanted = args.find.to_lowercase();
    let found: Vec<(usize, &GameListEntry)> = games
        .list()
        .iter()
        .enumerate()
        .filter(|(_, listed)| listed.has(&wanted))
        .collect();
    let mut out = output::answer(args.json);
    match &args.command {
        None if found.is_empty() && !args.json => {
            let words = match games.list().is_empty() {
                true => "No game is in the library.".to_owned(),
                false => format!("No game in the library has the words {:?}.", args.find),
            };
            writeln!(out, "{words}")?;
        }
        None => list(&found, args.json, &mut out)?,
        Some(Command::Stats) => {
            let statistics = Statistics::of(found.iter().map(|(_, listed)| *listed));
            match args.json {
                true => writeln!(out, "{}", json_of(&statistics))?,
                false => write!(out, "{statistics}")?,
            }
        }
        Some(Command::Show { number }) => {
            let (at, listed) = game(&games, *number)?;
            let text = games.text_of([at]);
            if args.json {
                let mut object = entry(*number, listed);
                object["pgn"] = String::from_utf8_lossy(&text).into();
                writeln!(out, "{object}")?;
            } else {
                output::data().write_all(&text)?;
            }
        }
        Some(Command::Export { file }) => {
            let text = games.text_of(found.iter().map(|(number, _)| *number));
            write_new(file, text)
                .with_context(|| format!("cannot write {}", display_path(file)))?;
            if args.json {
                let object = serde_json::json!({ "games": found.len(), "file": file });
                writeln!(out, "{object}")?;
            } else {
                writeln!(out, "{} games are in {}.", found.len(), display_path(file))?;
            }
        }
        Some(Command::Delete { number }) => {
            let (at, listed) = game(&games, *number)?;
            for file in listed.file.iter().chain(&listed.copies) {
                library::change(file, games.pgn(at).unwrap_or_default(), None)
                    .with_context(|| format!("cannot change {}", display_path(file)))?;
            }
            if args.json {
                let mut object = entry(*number, listed);
                object["deleted"] = true.into();
                writeln!(out, "{object}")?;
            } else {
                let GameListEntry { white, black, .. } = listed;
                let [white, black] = [white, black].map(|name| display_line(name));
                writeln!(out, "Game {number}, {white} - {black}, is gone.")?;
            }
        }
    }
    Ok(AnswerStatus::Yes)
}

/// The games, newest first. Finished games that are still in a journal are archived first.
fn read(shelf: &SaveDir) -> Result<GameCollection> {
    let place = || display_path(shelf.folder()).to_string();
    // Journals that cannot be archived are offered again by the start screen, with the reason.
    let _ = shelf.scan_journals();
    let files = library::files(shelf).with_context(place)?;
    Ok(GameCollection::of_files(library::LIBRARY_FOLDER, files))
}

/// A game by its number in the list of all.
fn game(games: &GameCollection, number: usize) -> Result<(usize, &GameListEntry)> {
    let count = games.list().len();
    let at = number.checked_sub(1);
    let found = at.and_then(|at| Some((at, games.list().get(at)?)));
    Ok(found
        .ok_or_else(|| NegativeAnswer(format!("the library has {count} games, not {number}")))?)
}

fn list(found: &[(usize, &GameListEntry)], json: bool, out: &mut impl io::Write) -> io::Result<()> {
    for (number, listed) in found {
        let number = number + 1;
        let GameListEntry {
            white,
            black,
            date,
            result,
            ..
        } = listed;
        if json {
            writeln!(out, "{}", entry(number, listed))?;
        } else {
            let remark = listed.remark();
            writeln!(
                out,
                "{number:>4}  {:<10}  {result:<7}  {} - {}  {}",
                display_line(date),
                display_line(white),
                display_line(black),
                display_line(&remark)
            )?;
        }
    }
    Ok(())
}

/// A game of the list, as JSON.
fn entry(number: usize, listed: &GameListEntry) -> serde_json::Value {
    serde_json::json!({
        "number": number, "white": listed.white, "black": listed.black, "date": listed.date,
        "result": listed.result, "event": listed.event, "variant": listed.variant,
        "ending": listed.ending, "file": listed.file,
    })
}

fn json_of(statistics: &Statistics) -> serde_json::Value {
    let scores = |scores: &[(String, ResultTally)]| -> serde_json::Value {
        let object = |(name, score): &(String, ResultTally)| {
            serde_json::json!({
                "name": name, "games": score.games(), "won": score.won, "drawn": score.drawn,
                "lost": score.lost, "percent": score.percent(),
            })
        };
        scores.iter().map(object).collect()
    };
    let endings =
        |(name, count): &(String, usize)| serde_json::json!({"name": name, "games": count});
    serde_json::json!({
        "games": statistics.games,
        "players": scores(&statistics.players),
        "variants": scores(&statistics.variants),
        "endings": statistics.endings.iter().map(endings).collect::<Vec<_>>(),
    })
}
