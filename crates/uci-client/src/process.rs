//! [`Process`]: an engine as a child process with three pipes. Every wait has a timeout, and dropping it leaves no
//! process behind. It does not interpret the lines.

use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use touchmove_text::{sanitize_line, sanitize_line_to};

use crate::CommandLine;

/// The maximum length of a line; the rest of a longer one is dropped.
const MAX_LINE_BYTES: usize = 64 << 10;
/// The capacity of the queue of unread lines; an engine that sends more is blocked.
const LINE_QUEUE_SIZE: usize = 1024;
/// How much of standard error is kept, in bytes.
const STDERR_TAIL_BYTES: usize = 400;
/// How long a process may take to exit after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);

/// A running program: its input, its output line by line, and the tail of its standard error.
pub struct Process {
    child: Child,
    /// The queue of the writer thread: a program that does not read must not block the caller.
    orders: Option<Sender<String>>,
    lines: Receiver<String>,
    words: Arc<Mutex<Vec<u8>>>,
    /// Never receives anything; it disconnects when standard error is closed.
    last_word: Receiver<()>,
    ended: Option<ExitStatus>,
}

/// Why there is no line.
pub enum ReadLineError {
    /// The program has closed its output.
    End,
    /// The timeout has passed.
    Late,
}

impl Process {
    /// Starts a program in a process group of its own.
    pub fn start(line: &CommandLine) -> io::Result<Process> {
        let mut command = Command::new(line.program());
        command
            .args(line.arguments())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (orders, to_write) = mpsc::channel();
        let (heard, lines) = mpsc::sync_channel(LINE_QUEUE_SIZE);
        let (talking, last_word) = mpsc::channel();
        let words = Arc::default();
        // From here on, dropping this kills the process if anything fails.
        let process = Process {
            child,
            orders: Some(orders),
            lines,
            words: Arc::clone(&words),
            last_word,
            ended: None,
        };
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("it has no pipes"));
        };
        let begin = |work: Box<dyn FnOnce() + Send>| thread::Builder::new().spawn(work);
        begin(Box::new(move || write_orders(&to_write, input)))?;
        begin(Box::new(move || read_lines(output, &heard)))?;
        begin(Box::new(move || keep_last_words(errors, &words, talking)))?;
        Ok(process)
    }

    /// Sends a line. If the program has exited, the missing answer will show it.
    pub fn send(&self, line: String) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(line);
        }
    }

    /// The next line of output.
    pub fn line(&self, until: Instant) -> Result<String, ReadLineError> {
        let left = until.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => ReadLineError::Late,
            RecvTimeoutError::Disconnected => ReadLineError::End,
        })
    }

    /// The tail of standard error, as the end of a sentence; empty if there is none.
    pub fn stderr_tail(&self) -> String {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&words);
        let text: Vec<&str> = text.split_whitespace().collect();
        match text.is_empty() {
            true => String::new(),
            false => format!("; its last words: {}", sanitize_line(&text.join(" "))),
        }
    }

    /// How the program exited, in words; kills it if it is still running.
    pub fn exit_description(&mut self) -> String {
        let by_itself = self.wait(QUIT_TIMEOUT);
        self.kill();
        // Its last output may not have arrived yet.
        let _ = self.last_word.recv_timeout(QUIT_TIMEOUT);
        match by_itself {
            Some(status) => status.to_string(),
            None => "it has closed its output, and was ended".to_owned(),
        }
    }

    /// Kills the program and its process group, and reaps it.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.orders = None;
        // The group first: its id is only ours until the program is reaped.
        self.end_group();
        if self.ended.is_none() {
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
        }
        self.ended
    }

    /// Kills what is left of the group after its leader has exited.
    fn end_group(&self) {
        #[cfg(unix)]
        if self.ended.is_none()
            && let Ok(id) = i32::try_from(self.child.id())
            && let Some(group) = rustix::process::Pid::from_raw(id)
        {
            // The group may be empty already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }

    /// Waits up to a timeout for the program to exit.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            if self.has_ended() {
                // The group is killed before the leader is reaped, so that its id is still ours.
                self.end_group();
                self.ended = self.child.wait().ok();
                return self.ended;
            }
            if Instant::now() >= until {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Whether the program has exited, without reaping it where the platform allows that.
    fn has_ended(&self) -> bool {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
            let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            id.is_some_and(|id| matches!(waitid(WaitId::Pid(id), options), Ok(Some(_)) | Err(_)))
        }
        #[cfg(not(unix))]
        false
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.send("quit".to_owned());
            self.wait(QUIT_TIMEOUT);
            self.kill();
        }
    }
}

/// Writes queued lines until the queue is closed or the program stops reading.
fn write_orders(orders: &Receiver<String>, mut input: ChildStdin) {
    for mut line in orders {
        line.push('\n');
        if input
            .write_all(line.as_bytes())
            .and_then(|()| input.flush())
            .is_err()
        {
            return;
        }
    }
}

/// Forwards lines until the program closes its output or the receiver is gone.
fn read_lines(output: impl Read, heard: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while let Ok(true) = read_line(&mut output, &mut line) {
        // Sanitised because the text is shown to users and must not control their terminals.
        let text =
            sanitize_line_to(String::from_utf8_lossy(&line).trim(), MAX_LINE_BYTES).into_owned();
        if !text.is_empty() && heard.send(text).is_err() {
            return;
        }
    }
}

/// Reads one line, truncated to the maximum length; returns whether there was one.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut is_any = false;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(is_any);
        }
        is_any = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = MAX_LINE_BYTES.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Drains standard error and keeps its tail.
fn keep_last_words(mut errors: impl Read, words: &Mutex<Vec<u8>>, talking: Sender<()>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend_from_slice(&buffer[..count]);
        let excess = words.len().saturating_sub(STDERR_TAIL_BYTES);
        words.drain(..excess);
    }
    drop(talking);
}
