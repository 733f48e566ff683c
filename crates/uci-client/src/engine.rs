//! [`UciEngine`]: a UCI engine after its handshake, which is sent positions and asked for moves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use touchmove_rules::{AnyPosition, Move, Variant};

use crate::option::Options;
use crate::process::{Process, ReadLineError};
use crate::search::read_info;
use crate::{CommandLine, Error, GoLimits, UciBestMove, UciOption};

/// Timeouts for an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciTimeouts {
    /// For the handshake and `readyok`.
    pub ready: Duration,
    /// For a move, before `stop` is sent.
    pub thinking: Duration,
    /// For the move after `stop`, before the engine is killed.
    pub stopping: Duration,
}

impl Default for UciTimeouts {
    fn default() -> UciTimeouts {
        UciTimeouts {
            ready: Duration::from_secs(20),
            thinking: Duration::from_secs(120),
            stopping: Duration::from_secs(5),
        }
    }
}

/// How often a wait for a move checks whether it was cancelled.
const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A running UCI engine. Dropping it sends `quit`, then kills it.
pub struct UciEngine {
    process: Process,
    patience: UciTimeouts,
    name: String,
    options: Vec<UciOption>,
}

impl UciEngine {
    /// Starts an engine and completes the UCI handshake.
    ///
    /// # Errors
    /// If it does not start, exits, or does not speak UCI.
    pub fn start(line: &CommandLine, patience: UciTimeouts) -> Result<UciEngine, Error> {
        let process = Process::start(line).map_err(|error| Error::NotStarted {
            command: line.to_string(),
            error,
        })?;
        let mut rival = UciEngine {
            process,
            patience,
            name: line.to_string(),
            options: Vec::new(),
        };
        rival.handshake()?;
        Ok(rival)
    }

    /// The name the engine gives itself; its command until it has given one.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that the engine has declared.
    #[must_use]
    pub fn options(&self) -> &[UciOption] {
        &self.options
    }

    /// The declared option of this name.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&UciOption> {
        self.options.iter().find(|option| option.is(name))
    }

    /// Sets an option.
    ///
    /// # Errors
    /// If the engine has not declared it, or the value is not allowed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let Some(option) = self.option(name) else {
            let names: Vec<&str> = self.options.iter().map(|it| it.name.as_str()).collect();
            return Err(self.unable(format!(
                "has no option {name:?}; it has {}",
                names.join(", ")
            )));
        };
        let line = match option.check(value) {
            Ok(value) if value.is_empty() => format!("setoption name {}", option.name),
            Ok(value) => format!("setoption name {} value {value}", option.name),
            Err(why) => return Err(self.unable(format!("does not take {value:?}: {why}"))),
        };
        self.process.send(line);
        self.wait_until_ready()
    }

    /// Starts a new game: sends the variant and `ucinewgame`.
    ///
    /// # Errors
    /// If the engine cannot play the variant, or does not answer.
    pub fn new_game(&mut self, variant: Variant) -> Result<(), Error> {
        let name = match variant {
            Variant::Chess | Variant::Chess960 => "chess",
            Variant::Atomic => "atomic",
            Variant::SimpleAtomic => "simple-atomic",
        };
        self.choose_variant(name)?;
        let is_chess960 = variant == Variant::Chess960;
        match (self.option("UCI_Chess960").is_some(), is_chess960) {
            (true, true) => self.set("UCI_Chess960", "true")?,
            (true, false) => self.set("UCI_Chess960", "false")?,
            (false, true) => return Err(self.unable("does not play Chess960".to_owned())),
            (false, false) => {}
        }
        self.process.send("ucinewgame".to_owned());
        self.wait_until_ready()
    }

    fn choose_variant(&mut self, name: &str) -> Result<(), Error> {
        let takes = |rival: &UciEngine| {
            let option = rival.option("UCI_Variant");
            option.map(|option| option.check(name).is_ok())
        };
        if takes(self) == Some(false) {
            // Some engines load variants from a file named by an option, so their options are read again.
            self.handshake()?;
        }
        match takes(self) {
            Some(true) => self.set("UCI_Variant", name),
            None if name == "chess" => Ok(()),
            Some(false) | None => Err(self.unable(format!("does not play {name}"))),
        }
    }

    /// The engine's move in the position after `moves` from `start`.
    ///
    /// # Errors
    /// If the game is over, or the engine makes no legal move in time. After an error that [is not
    /// fatal](Error::is_fatal) it can be asked again.
    pub fn search(
        &mut self,
        start: &AnyPosition,
        moves: &[Move],
        go: &GoLimits,
    ) -> Result<UciBestMove, Error> {
        self.search_until(start, moves, go, &AtomicBool::new(false))
    }

    /// The same with cancellation: when the flag is set, the engine is told to stop at once.
    ///
    /// # Errors
    /// As [`search`](UciEngine::search).
    pub fn search_until(
        &mut self,
        start: &AnyPosition,
        moves: &[Move],
        go: &GoLimits,
        stop: &AtomicBool,
    ) -> Result<UciBestMove, Error> {
        let (position, told) = written(start, moves);
        if position.outcome().is_some() || position.legal_move_count() == 0 {
            return Err(Error::Finished {
                engine: self.name.clone(),
            });
        }
        self.process.send(told);
        // Drain what the engine still has to say, so that it is not read as an answer.
        self.wait_until_ready()?;
        self.process
            .send(format!("go {go}{}", self.allowed(&position)));
        let mut thought = (None, None);
        let said = self.hear_best(&mut thought, stop)?;
        let best = said.split_whitespace().nth(1).unwrap_or_default();
        if matches!(best, "" | "(none)" | "none" | "NULL" | "0000") {
            return Err(Error::NoMove {
                engine: self.name.clone(),
                said,
            });
        }
        match position.read_uci(best) {
            Ok(best) => Ok(UciBestMove {
                best,
                judgement: thought.0,
                nodes: thought.1,
            }),
            Err(error) => Err(Error::Illegal {
                engine: self.name.clone(),
                said: best.chars().take(40).collect(),
                why: error.to_string(),
            }),
        }
    }

    /// The `searchmoves` list. In simple Atomic other engines allow captures that explode both kings, so the legal
    /// moves are listed.
    fn allowed(&self, position: &AnyPosition) -> String {
        if position.variant() != Variant::SimpleAtomic {
            return String::new();
        }
        let moves = position.legal_moves();
        let texts: Vec<String> = moves
            .iter()
            .map(|&mv| position.uci(mv).to_string())
            .collect();
        format!(" searchmoves {}", texts.join(" "))
    }

    /// Waits for `bestmove`. An engine that takes too long is told to stop, and then killed.
    fn hear_best(
        &mut self,
        thought: &mut (Option<crate::UciScore>, Option<u64>),
        stop: &AtomicBool,
    ) -> Result<String, Error> {
        const WANTED: &str = "bestmove";
        let mut hear = |line: &str| {
            read_info(line, &mut thought.0, &mut thought.1);
            Ok(())
        };
        let patience = self.patience;
        let late = Instant::now() + patience.thinking;
        while Instant::now() < late && !stop.load(Ordering::Relaxed) {
            let left = late.saturating_duration_since(Instant::now());
            if let Some(line) =
                self.hear_until(WANTED, left.min(CANCEL_POLL_INTERVAL), &mut hear)?
            {
                return Ok(line);
            }
        }
        self.process.send("stop".to_owned());
        match self.hear_until(WANTED, patience.stopping, &mut hear)? {
            Some(line) => Ok(line),
            None => Err(self.silent(WANTED, patience.thinking + patience.stopping)),
        }
    }

    /// Sends `uci` and reads name and options.
    fn handshake(&mut self) -> Result<(), Error> {
        self.process.send("uci".to_owned());
        let patience = self.patience.ready;
        let (mut name, mut options) = (None, Options::default());
        let engine = self.name.clone();
        let heard = self.hear_until("uciok", patience, &mut |line| {
            if let Some(said) = line.strip_prefix("id name ") {
                name = Some(said.trim().chars().take(80).collect());
            }
            match options.take(line) {
                true => Ok(()),
                false => Err(Error::TooManyOptions {
                    engine: engine.clone(),
                }),
            }
        });
        if heard.is_err() {
            self.process.kill();
        }
        let heard = heard?;
        if heard.is_none() {
            self.process.kill();
            return Err(Error::NotUci {
                engine: self.name.clone(),
                patience,
                words: self.process.stderr_tail(),
            });
        }
        self.name = name.unwrap_or_else(|| self.name.clone());
        self.options = options.declared;
        Ok(())
    }

    fn wait_until_ready(&mut self) -> Result<(), Error> {
        const WANTED: &str = "readyok";
        self.process.send("isready".to_owned());
        let patience = self.patience.ready;
        match self.hear_until(WANTED, patience, &mut |_| Ok(()))? {
            Some(_) => Ok(()),
            None => Err(self.silent(WANTED, patience)),
        }
    }

    /// The first line that begins with this word; `None` if it does not come in time.
    fn hear_until(
        &mut self,
        wanted: &'static str,
        patience: Duration,
        hear: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<Option<String>, Error> {
        let until = Instant::now() + patience;
        loop {
            match self.process.line(until) {
                Ok(line) if line.split_whitespace().next() == Some(wanted) => {
                    return Ok(Some(line));
                }
                Ok(line) => hear(&line)?,
                Err(ReadLineError::Late) => return Ok(None),
                Err(ReadLineError::End) => {
                    return Err(Error::Left {
                        engine: self.name.clone(),
                        how: self.process.exit_description(),
                        wanted,
                        words: self.process.stderr_tail(),
                    });
                }
            }
            // An engine that never stops sending lines has timed out as well.
            if Instant::now() >= until {
                return Ok(None);
            }
        }
    }

    /// Kills an engine that does not answer.
    fn silent(&mut self, wanted: &'static str, patience: Duration) -> Error {
        self.process.kill();
        Error::Silent {
            engine: self.name.clone(),
            wanted,
            patience,
        }
    }

    fn unable(&self, what: String) -> Error {
        Error::Unable {
            engine: self.name.clone(),
            what,
        }
    }
}

/// The position after `moves`, and its UCI `position` command.
fn written(start: &AnyPosition, moves: &[Move]) -> (AnyPosition, String) {
    let mut position = *start;
    let mut told = match *start == AnyPosition::start(start.variant()) {
        true if start.variant() != Variant::Chess960 => "position startpos".to_owned(),
        _ => format!("position fen {}", start.fen()),
    };
    for (index, &mv) in moves.iter().enumerate() {
        if index == 0 {
            told.push_str(" moves");
        }
        told.push(' ');
        told.push_str(&position.uci(mv).to_string());
        position.play(mv);
    }
    (position, told)
}
