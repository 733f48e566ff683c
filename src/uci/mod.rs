//! `touchmove uci`: the engine as a UCI program. This file interprets the commands; the engine crate searches, and
//! [`search_thread`] has its thread and clock.

mod go;
mod search_thread;

use std::io::{self, BufRead as _, Read as _, Write as _};
use std::str::SplitWhitespace;

use anyhow::Result;
use touchmove_engine::{Evaluator, TranspositionTable, Weights};
use touchmove_rules::{AnyPosition, Move, Position, Rules, UciMove, Variant, with_position};

use crate::cli::AnswerStatus;
use crate::output;
use go::Go;
use search_thread::{EngineState, SearchThread};

/// Play as an engine for programs that speak UCI, such as chess interfaces and arenas.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove uci
  printf 'position startpos moves e2e4\\ngo depth 8\\n' | touchmove uci

It plays chess, Chess960 (option UCI_Chess960), Atomic and simple Atomic (option UCI_Variant). What it \
does not understand, it says in a line \"info string\" and goes on.")]
pub struct Args {}

/// Reads commands until `quit` or the end of the input. A search with limits is finished first.
pub fn run(_args: &Args) -> Result<AnswerStatus> {
    let mut session = UciSession::new();
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut bounded = input.by_ref().take(MAX_COMMAND_BYTES);
        if bounded.read_until(b'\n', &mut line)? == 0 {
            session.finish();
            return Ok(AnswerStatus::Yes);
        }
        if bounded.limit() == 0 && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            print_line("info string that command is longer than a mebibyte and was not read")?;
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        if !session.obey(text.trim())? {
            session.stop();
            return Ok(AnswerStatus::Yes);
        }
    }
}

/// Prints a line and flushes it.
fn print_line(line: &str) -> io::Result<()> {
    let mut out = output::lines();
    writeln!(out, "{line}")?;
    out.flush()
}

/// The longest command, in bytes: the moves of a game of 200,000 plies.
const MAX_COMMAND_BYTES: u64 = 1 << 20;
/// The largest transposition table, in megabytes.
const MAX_HASH_MEGABYTES: usize = 4096;
/// The most lines of MultiPV.
const MAX_MULTI_PV: usize = 256;
/// The largest move overhead, in milliseconds.
const MAX_MOVE_OVERHEAD: u64 = 5000;

/// The state of a UCI session.
struct UciSession {
    variant: Variant,
    is_chess960: bool,
    lines: usize,
    overhead: u64,
    position: AnyPosition,
    /// The keys of earlier positions, oldest first.
    past: Vec<u64>,
    /// The engine, unless a search has borrowed it.
    player: Option<Box<EngineState>>,
    thinking: Option<SearchThread>,
}

impl UciSession {
    fn new() -> UciSession {
        UciSession {
            variant: Variant::Chess,
            is_chess960: false,
            lines: 1,
            overhead: 30,
            position: AnyPosition::start(Variant::Chess),
            past: Vec::new(),
            player: None,
            thinking: None,
        }
    }

    /// Runs a command; returns whether to go on.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else {
            return Ok(true);
        };
        let problem = match command {
            "uci" => return introduce().map(|()| true),
            "isready" => return print_line("readyok").map(|()| true),
            "quit" => return Ok(false),
            "ucinewgame" => self.new_game(),
            "setoption" => self.set_option(words),
            "position" => self.set_position(words),
            "go" => self.go(words),
            "stop" => {
                self.stop();
                Ok(())
            }
            "ponderhit" => match &self.thinking {
                Some(thinking) => {
                    thinking.ponder_hit();
                    Ok(())
                }
                None => Err("ponderhit comes when nothing is being pondered".into()),
            },
            "d" => return self.show().map(|()| true),
            "eval" => return self.show_evaluation().map(|()| true),
            "debug" | "register" => Ok(()),
            _ => Err(format!("{:?} is not a command of UCI", shorten(command))),
        };
        if let Err(problem) = problem {
            print_line(&format!("info string {problem}"))?;
        }
        Ok(true)
    }

    /// Stops the search, if there is one; it prints its best move.
    fn stop(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            self.player = thinking.stop();
        }
    }

    /// Waits for a search that ends by itself, and stops any other.
    fn finish(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            self.player = thinking.finish();
        }
    }

    /// Takes the engine back from a search that has ended or will end by itself; an error if it runs until it is
    /// stopped.
    fn idle(&mut self) -> Result<&mut EngineState, String> {
        let ends = |thinking: &mut SearchThread| thinking.is_over() || thinking.ends_by_itself();
        if let Some(thinking) = self.thinking.take_if(ends) {
            self.player = thinking.finish();
        }
        if self.thinking.is_some() {
            return Err("this is left out while the search goes on: send stop first".into());
        }
        Ok(self
            .player
            .get_or_insert_with(|| Box::new(EngineState::new())))
    }

    fn new_game(&mut self) -> Result<(), String> {
        let player = self.idle()?;
        player.engine.forget();
        player.table.clear();
        Ok(())
    }

    fn set_option(&mut self, words: SplitWhitespace<'_>) -> Result<(), String> {
        self.idle()?;
        let words: Vec<&str> = words.collect();
        let [first, rest @ ..] = words.as_slice() else {
            return Err("setoption needs name and an option".into());
        };
        if *first != "name" {
            return Err("setoption needs name and an option".into());
        }
        let split = rest.iter().position(|&word| word == "value");
        let (name, value) = match split {
            Some(index) => (rest[..index].join(" "), rest[index + 1..].join(" ")),
            None => (rest.join(" "), String::new()),
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let megabytes = number(&name, &value, 1, MAX_HASH_MEGABYTES)?;
                self.idle()?.table = TranspositionTable::with_megabytes(megabytes);
            }
            "clear hash" => self.idle()?.table.clear(),
            "threads" => {
                number(&name, &value, 1, 1)?;
            }
            "multipv" => self.lines = number(&name, &value, 1, MAX_MULTI_PV)?,
            "move overhead" => self.overhead = number(&name, &value, 0, MAX_MOVE_OVERHEAD)?,
            "ponder" => {
                truth(&name, &value)?;
            }
            "uci_chess960" => {
                self.is_chess960 = truth(&name, &value)?;
                self.start_anew();
            }
            "uci_variant" => {
                self.variant = match value.to_ascii_lowercase().as_str() {
                    "standard" | "chess" | "chess960" => Variant::Chess,
                    "atomic" => Variant::Atomic,
                    "simple-atomic" | "simpleatomic" => Variant::SimpleAtomic,
                    _ => {
                        return Err(format!(
                            "{:?} is not a variant: there are chess, atomic and simple-atomic",
                            shorten(&value)
                        ));
                    }
                };
                self.start_anew();
            }
            _ => return Err(format!("there is no option {:?}", shorten(&name))),
        }
        Ok(())
    }

    /// The variant set by the options.
    fn rules(&self) -> Variant {
        match self.variant {
            Variant::Chess if self.is_chess960 => Variant::Chess960,
            variant => variant,
        }
    }

    fn start_anew(&mut self) {
        self.position = AnyPosition::start(self.rules());
        self.past.clear();
    }

    fn set_position(&mut self, mut words: SplitWhitespace<'_>) -> Result<(), String> {
        let variant = self.rules();
        let mut position = match words.next() {
            Some("startpos") => {
                if words.next().is_some_and(|word| word != "moves") {
                    return Err("after startpos there is moves or nothing".into());
                }
                AnyPosition::start(variant)
            }
            Some("fen") => {
                let mut fields: Vec<&str> = Vec::new();
                for word in words.by_ref().take_while(|&word| word != "moves") {
                    fields.push(word);
                }
                // Test suites leave the counters out.
                if fields.len() == 4 {
                    fields.extend(["0", "1"]);
                }
                AnyPosition::from_fen(&fields.join(" "), variant)
                    .map_err(|error| format!("the position stays as it was: {error}"))?
            }
            _ => return Err("position needs startpos or fen".into()),
        };
        let mut past = Vec::new();
        for word in words {
            let mv = position
                .read_uci(word)
                .map_err(|error| format!("the position stays as it was: {error}"))?;
            past.push(position.key());
            position.play(mv);
        }
        (self.position, self.past) = (position, past);
        Ok(())
    }

    fn go(&mut self, words: SplitWhitespace<'_>) -> Result<(), String> {
        let (go, problems) = Go::read(words, &self.position);
        for problem in problems {
            // If nobody reads any more, the next read ends the session.
            let _ = print_line(&format!("info string {problem}"));
        }
        self.finish();
        let player = self
            .player
            .take()
            .unwrap_or_else(|| Box::new(EngineState::new()));
        let thinking = SearchThread::begin(player, self.task(go))
            .map_err(|error| format!("no thread for a search: {error}"))?;
        self.thinking = Some(thinking);
        Ok(())
    }

    fn task(&self, go: Go) -> search_thread::SearchTask {
        let budget = go.budget(self.position.turn(), self.overhead);
        search_thread::SearchTask {
            position: self.position,
            past: self.past.clone(),
            budget,
            has_limit: budget.is_some() || go.has_limit(),
            is_endless: go.is_infinite,
            is_pondering: go.is_pondering,
            limits: go.limits(self.lines),
            castles_to_rook: self.is_chess960,
        }
    }

    fn show(&self) -> io::Result<()> {
        print_line(&format!("info string variant {}", self.position.variant()))?;
        print_line(&format!("info string fen {}", self.position.fen()))?;
        print_line(&format!("info string key {:016x}", self.position.key()))
    }

    fn show_evaluation(&self) -> io::Result<()> {
        fn of<R: Rules>(position: &Position<R>) -> i32 {
            Evaluator::new(Weights::of::<R>()).evaluate(position)
        }
        let value = with_position!(&self.position, position => of(position));
        print_line(&format!(
            "info string evaluation {value} for the side on move"
        ))
    }
}

/// Prints the engine's name and options.
fn introduce() -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    print_line(&format!("id name touchmove {version}"))?;
    print_line("id author the authors of touchmove")?;
    print_line(&format!(
        "option name Hash type spin default 16 min 1 max {MAX_HASH_MEGABYTES}"
    ))?;
    print_line("option name Clear Hash type button")?;
    print_line("option name Threads type spin default 1 min 1 max 1")?;
    print_line(&format!(
        "option name MultiPV type spin default 1 min 1 max {MAX_MULTI_PV}"
    ))?;
    print_line(&format!(
        "option name Move Overhead type spin default 30 min 0 max {MAX_MOVE_OVERHEAD}"
    ))?;
    print_line("option name Ponder type check default false")?;
    print_line("option name UCI_Chess960 type check default false")?;
    print_line(
        "option name UCI_Variant type combo default chess var chess var atomic var simple-atomic",
    )?;
    print_line("uciok")
}

/// A move in UCI; with `castles_to_rook`, castling is always king takes rook.
fn written(position: &AnyPosition, mv: Move, castles_to_rook: bool) -> String {
    let attempt = match mv.castling_rook() {
        Some(rook) if castles_to_rook => UciMove::new(mv.from(), rook),
        _ => position.uci(mv),
    };
    attempt.to_string()
}

/// Parses a number within its bounds.
fn number<T>(name: &str, text: &str, least: T, most: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    match text.parse() {
        Ok(number) if number >= least && number <= most => Ok(number),
        _ => Err(format!(
            "{name} is a number from {least} to {most}, not {:?}",
            shorten(text)
        )),
    }
}

fn truth(name: &str, text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("{name} is true or false, not {:?}", shorten(text))),
    }
}

/// The start of a text, for messages.
fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}
