//! The program as a process of its own: bounded in time and memory, ended by its id, with everything that it printed.

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::process::Stdio;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use tokio::sync::Notify;
use touchmove_load::server::memory;

/// The most that is kept of what a program prints on each channel.
const MAX_OUTPUT_BYTES: usize = 8 << 20;
/// How often time, memory and output are looked at.
const GLANCE: Duration = Duration::from_millis(10);
/// How long a program on a terminal may take to leave when it is told to.
const FAREWELL: Duration = Duration::from_secs(10);

/// What became of a program.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// Whether it had to be ended because it took too long.
    pub is_late: bool,
    /// Whether it was asked to end by a signal, as those on terminals are.
    pub is_told: bool,
    /// What it printed as its answer; on a terminal, everything.
    pub out: Vec<u8>,
    /// What it printed beside that.
    pub err: Vec<u8>,
    /// The most memory that was seen, in bytes.
    pub peak_memory: u64,
}

impl Run {
    /// What it printed, on both channels.
    pub fn output(&self) -> Vec<u8> {
        [self.out.as_slice(), &self.err].concat()
    }

    /// Whether this was printed.
    pub fn shows(&self, text: &str) -> bool {
        has(&self.out, text) || has(&self.err, text)
    }
}

/// How a program is run.
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: &'a [OsString],
    /// Where it keeps its files.
    pub home: &'a Path,
    /// What it reads.
    pub input: &'a [u8],
    /// How long its input stays open after that, and how long it stays on a terminal before it is told to leave.
    pub stays: Duration,
    /// What ends that stay earlier, as soon as it is printed.
    pub until: Option<&'a str>,
    /// What is put into its environment.
    pub environment: &'a [(&'a str, OsString)],
    /// How long it may take.
    pub patience: Duration,
    /// With more memory than this it is ended at once.
    pub max_memory: u64,
    /// Whether it is given a terminal.
    pub has_terminal: bool,
}

impl Launch<'_> {
    fn command(&self) -> Command {
        if !self.has_terminal {
            let mut command = Command::new(self.program);
            command.args(self.arguments);
            return command;
        }
        // A terminal without a size would show nothing.
        let mut line = b"stty cols 100 rows 40; exec".to_vec();
        let words = self.arguments.iter().map(OsString::as_os_str);
        for word in std::iter::once(self.program.as_os_str()).chain(words) {
            line.extend_from_slice(b" '");
            for &byte in word.as_bytes() {
                match byte {
                    b'\'' => line.extend_from_slice(b"'\\''"),
                    byte => line.push(byte),
                }
            }
            line.push(b'\'');
        }
        let mut command = Command::new("script");
        command.args([OsStr::new("-qec"), &OsString::from_vec(line)]);
        command.arg("/dev/null");
        command
    }

    /// Runs it to its end, or ends it.
    pub async fn run(&self) -> anyhow::Result<Run> {
        let mut command = self.command();
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("TERM", "xterm-256color")
            .env("HOME", self.home)
            .env("XDG_DATA_HOME", self.home.join("data"))
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(self.home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn().context("the program does not start")?;
        let id = child.id().context("no process number")?.to_string();
        let stdin = child.stdin.take();
        let input = self.input.to_vec();
        let is_over = Rc::new(Notify::new());
        let ended = Rc::clone(&is_over);
        let writing = tokio::task::spawn_local(async move {
            if let Some(mut stdin) = stdin {
                // Who does not read closes it early.
                let _ = stdin.write_all(&input).await;
                ended.notified().await;
            }
        });
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let sought = Rc::new(Sought::new(self.until));
        let (seen, beside) = (Rc::clone(&sought), Rc::clone(&sought));
        let out = tokio::task::spawn_local(keep(out.context("no output")?, seen));
        let err = tokio::task::spawn_local(keep(err.context("no output")?, beside));
        let begun = Instant::now();
        let (mut is_late, mut peak_memory) = (false, 0);
        let mut told: Option<Instant> = None;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            // On a terminal the program is the child of the one that makes the terminal.
            let own = if self.has_terminal {
                children(&id)
            } else {
                vec![id.clone()]
            };
            // It may be gone by now.
            let taken = own.iter().filter_map(|id| memory(id, "VmHWM:").ok()).max();
            peak_memory = peak_memory.max(taken.unwrap_or(0));
            let stayed = sought.is_found.get() || begun.elapsed() >= self.stays;
            if stayed && told.is_none() {
                told = Some(Instant::now());
                is_over.notify_one();
                if self.has_terminal {
                    own.iter().for_each(|id| end(id));
                }
            }
            let lingers = self.has_terminal && told.is_some_and(|told| told.elapsed() > FAREWELL);
            if lingers || begun.elapsed() > self.patience {
                is_late = true;
                child.start_kill()?;
            }
            if peak_memory > self.max_memory {
                child.start_kill()?;
            }
            tokio::time::sleep(GLANCE).await;
        };
        writing.abort();
        let rest = async { anyhow::Ok((out.await??, err.await??)) };
        let rest = tokio::time::timeout(Duration::from_secs(5), rest).await;
        let (out, err) = rest.context("its output never ends")??;
        Ok(Run {
            code: status.code(),
            is_late,
            is_told: self.has_terminal && told.is_some(),
            out,
            err,
            peak_memory,
        })
    }
}

/// The processes that this one has started.
fn children(id: &str) -> Vec<String> {
    let listed = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
    let listed = listed.unwrap_or_default();
    listed.split_whitespace().map(str::to_owned).collect()
}

/// Asks a process to end.
fn end(id: &str) {
    if let Some(pid) = id.parse().ok().and_then(Pid::from_raw) {
        // It may be gone by now.
        let _ = kill_process(pid, Signal::TERM);
    }
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// A text that is looked for in what a program prints.
struct Sought {
    text: Option<String>,
    is_found: Cell<bool>,
}

impl Sought {
    fn new(text: Option<&str>) -> Sought {
        Sought {
            text: text.map(str::to_owned),
            is_found: Cell::new(false),
        }
    }

    fn look(&self, last: &mut Vec<u8>, chunk: &[u8]) {
        let Some(text) = self.text.as_deref().filter(|_| !self.is_found.get()) else {
            return;
        };
        // It may stand where two pieces meet.
        last.extend_from_slice(chunk);
        self.is_found.set(has(last, text));
        let rest = last.len().saturating_sub(text.len());
        last.drain(..rest);
    }
}

/// Reads to the end and keeps the beginning: a program that prints much is not held up.
async fn keep(mut from: impl AsyncRead + Unpin, sought: Rc<Sought>) -> std::io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    let mut last = Vec::new();
    loop {
        let length = from.read(&mut chunk).await?;
        if length == 0 {
            return Ok(kept);
        }
        sought.look(&mut last, &chunk[..length]);
        let room = MAX_OUTPUT_BYTES.saturating_sub(kept.len());
        kept.extend_from_slice(&chunk[..length.min(room)]);
    }
}
