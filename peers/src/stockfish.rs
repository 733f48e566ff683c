//! Stockfish as a child process that counts move trees. It is asked over UCI and only for that; it
//! is not searched with.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

/// Where the program is looked for after the folders of `PATH`.
const USUAL_PLACES: [&str; 2] = ["/usr/games/stockfish", "/usr/local/bin/stockfish"];

/// A running Stockfish.
pub struct Stockfish {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    /// Starts the program, if it is on this machine and its CPU time can be read.
    pub fn start() -> Option<Stockfish> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path)
            .map(|folder| folder.join("stockfish"))
            .chain(USUAL_PLACES.map(|place| Path::new(place).to_owned()))
            .find(|candidate| candidate.is_file())?;
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        let mut stockfish = Stockfish {
            child,
            input,
            output,
        };
        stockfish.send("uci").ok()?;
        stockfish.read_until("uciok").ok()?;
        stockfish.cpu_time().ok()?;
        Some(stockfish)
    }

    /// The number of leaves of the tree of legal moves, and the CPU time that counting it took.
    pub fn perft(&mut self, fen: &str, depth: u32) -> anyhow::Result<(u64, Duration)> {
        self.send(&format!("position fen {fen}\nisready"))?;
        self.read_until("readyok")?;
        let before = self.cpu_time()?;
        self.send(&format!("go perft {depth}"))?;
        let answer = self.read_until("Nodes searched:")?;
        let spent = self.cpu_time()?.saturating_sub(before);
        let nodes = answer
            .trim()
            .parse()
            .with_context(|| format!("not a count: {answer:?}"))?;
        Ok((nodes, spent))
    }

    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}").context("Stockfish does not listen")
    }

    /// Reads up to the first line that starts so, and returns the rest of that line.
    fn read_until(&mut self, start: &str) -> anyhow::Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self
                .output
                .read_line(&mut line)
                .context("Stockfish cannot be read")?
                == 0
            {
                bail!("Stockfish ended while {start:?} was awaited");
            }
            if let Some(rest) = line.strip_prefix(start) {
                return Ok(rest.to_owned());
            }
        }
    }

    /// The CPU time of all its threads so far, as the kernel accounts for it.
    fn cpu_time(&self) -> anyhow::Result<Duration> {
        let folder = format!("/proc/{}/task", self.child.id());
        let mut nanoseconds = 0;
        for thread in std::fs::read_dir(&folder).with_context(|| format!("no {folder}"))? {
            let account = std::fs::read_to_string(thread?.path().join("schedstat"))?;
            let running = account.split_whitespace().next().unwrap_or_default();
            nanoseconds += running.parse::<u64>().context("not a time on the CPU")?;
        }
        Ok(Duration::from_nanos(nanoseconds))
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        if self.send("quit").is_ok() {
            self.child.wait().ok();
        }
    }
}
