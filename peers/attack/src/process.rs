//! The program as a process of its own: bounded in time and memory, ended by its id, and everything that it
//! printed looked at as a terminal would.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use touchmove_load::server::memory;

/// The most that is read of what a program prints.
const MAX_OUTPUT_BYTES: usize = 8 << 20;

/// What became of a program.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// Whether it had to be ended because it took too long.
    pub is_late: bool,
    /// What it printed, on both channels.
    pub output: Vec<u8>,
    /// The most memory that was seen, in bytes.
    pub peak_memory: u64,
}

/// How a program is run.
pub struct Launch<'a> {
    /// The program.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: &'a [String],
    /// Where it keeps its files.
    pub home: &'a Path,
    /// What it reads.
    pub input: &'a [u8],
    /// How long its input stays open after that.
    pub stays: Duration,
    /// What is put into its environment.
    pub environment: &'a [(&'a str, String)],
    /// How long it may take.
    pub patience: Duration,
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
        let words = [self.program.to_string_lossy().into_owned()];
        let words = words.iter().chain(self.arguments);
        let quoted = words.map(|word| format!("'{}'", word.replace('\'', "'\\''")));
        let line = quoted.collect::<Vec<_>>().join(" ");
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]);
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
        let stays = self.stays;
        let writing = tokio::task::spawn_local(async move {
            if let Some(mut stdin) = stdin {
                // Who does not read closes it early.
                let _ = stdin.write_all(&input).await;
                tokio::time::sleep(stays).await;
            }
        });
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let reading = tokio::task::spawn_local(async move {
            let mut output = Vec::new();
            let mut errors = Vec::new();
            let (mut out, mut err) = (out.context("no output")?, err.context("no output")?);
            let (read, more) =
                tokio::join!(keep(&mut out, &mut output), keep(&mut err, &mut errors));
            read.and(more)?;
            output.extend(errors);
            anyhow::Ok(output)
        });
        let begun = Instant::now();
        let (mut is_late, mut peak_memory) = (false, 0);
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            // It may be gone by now.
            peak_memory = peak_memory.max(memory(&id, "VmHWM:").unwrap_or(0));
            if begun.elapsed() > self.patience {
                is_late = true;
                child.start_kill()?;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        writing.abort();
        let output = tokio::time::timeout(Duration::from_secs(5), reading).await;
        Ok(Run {
            code: status.code(),
            is_late,
            output: output.context("its output never ends")???,
            peak_memory,
        })
    }
}

/// Reads to the end and keeps the beginning: a program that prints much is not held up.
async fn keep(from: &mut (impl AsyncRead + Unpin), kept: &mut Vec<u8>) -> std::io::Result<()> {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let length = from.read(&mut chunk).await?;
        if length == 0 {
            return Ok(());
        }
        let room = MAX_OUTPUT_BYTES.saturating_sub(kept.len());
        kept.extend_from_slice(&chunk[..length.min(room)]);
    }
}

/// What is put into every evil text: a title, a colour, a copy to the clipboard, an eight-bit escape, a reversal, what
/// nobody sees, and a line of its own.
pub const EVIL: &str = "\u{1b}]0;ATTACK\u{7}\u{1b}[31mATTACK\u{1b}]52;c;QVRUQUNL\u{7}\u{9b}31m\u{202e}ATTACK\u{2066}\u{200b}\nATTACKLINE";
/// What the line of an evil text begins with.
const EVIL_LINE: &str = "ATTACKLINE";
/// A password in a file of a server's settings, which no message of the server may repeat.
pub const PASSWORD: &str = "attackpassword";

/// What of an evil text is in a program's output and would act on a terminal. Where the program draws a screen
/// itself only what we sent is foreign.
pub fn harm(output: &[u8], draws: bool) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let foreign = [
        "\u{1b}]0;ATTACK",
        "\u{1b}[31mATTACK",
        "\u{1b}]52",
        "\u{9b}",
        "\u{202e}",
        "\u{2066}",
        "\u{200b}",
    ];
    if let Some(found) = foreign.iter().find(|found| text.contains(**found)) {
        return Some(format!("{found:?} reached the terminal"));
    }
    if draws {
        return None;
    }
    if let Some(line) = text.lines().find(|line| line.starts_with(EVIL_LINE)) {
        return Some(format!("{line:?} is a line that the program did not write"));
    }
    let is_harmful = |c: &char| c.is_control() && !matches!(c, '\n' | '\t' | '\r');
    let found = text.chars().find(is_harmful);
    found.map(|c| format!("{c:?} reached the terminal"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_seen() {
        assert_eq!(harm("plain text\n\twith tabs".as_bytes(), false), None);
        assert!(harm(EVIL.as_bytes(), true).is_some());
        assert!(harm(b"a bell\x07", false).is_some());
        assert!(harm("hidden\u{200b}".as_bytes(), false).is_some());
        assert!(harm(b"a file\nATTACKLINE is fine", false).is_some());
        assert_eq!(harm(b"a file ATTACKLINE is fine", false), None);
        assert_eq!(harm(b"\x1b[2J its own screen", true), None);
    }
}
