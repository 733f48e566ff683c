//! [`Process`]: an engine as a process with three pipes. Nothing here waits without end, and nothing is
//! left when it is dropped; what the lines mean is said elsewhere.

use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use touchmove_text::{sanitize_line, sanitize_line_to};

use crate::CommandLine;

/// The longest line that is read; the rest of a longer one is left out.
const MAX_LINE_BYTES: usize = 64 << 10;
/// Lines that wait to be read; an engine that says more has to wait itself.
const LINE_QUEUE_SIZE: usize = 1024;
/// How much of standard error is kept.
const STDERR_TAIL_BYTES: usize = 400;
/// How long a process that was told to quit may take.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);

/// A running program, its input, its output line by line, and the end of what it says on standard error.
pub struct Process {
    child: Child,
    /// Lines for the thread that writes: a program that does not read must not hold us up.
    orders: Option<Sender<String>>,
    lines: Receiver<String>,
    words: Arc<Mutex<Vec<u8>>>,
    /// Nothing ever comes here; it closes when standard error does.
    last_word: Receiver<()>,
    ended: Option<ExitStatus>,
}

/// Why there is no line.
pub enum ReadLineError {
    /// The program has closed its output.
    End,
    /// It is too late.
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
        // From here on whatever fails ends the process as well.
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

    /// Tells the program something. If it has left, that shows when its answer does not come.
    pub fn send(&self, line: String) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(line);
        }
    }

    /// The next line of the program.
    pub fn line(&self, until: Instant) -> Result<String, ReadLineError> {
        let left = until.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => ReadLineError::Late,
            RecvTimeoutError::Disconnected => ReadLineError::End,
        })
    }

    /// The last words on standard error, as the end of a sentence; nothing, if there are none.
    pub fn stderr_tail(&self) -> String {
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&words);
        let text: Vec<&str> = text.split_whitespace().collect();
        match text.is_empty() {
            true => String::new(),
            false => format!("; its last words: {}", sanitize_line(&text.join(" "))),
        }
    }

    /// How the program has ended, in words; it is ended if it has not.
    pub fn exit_description(&mut self) -> String {
        let by_itself = self.wait(QUIT_TIMEOUT);
        self.kill();
        // What it has said at last may still be on its way.
        let _ = self.last_word.recv_timeout(QUIT_TIMEOUT);
        match by_itself {
            Some(status) => status.to_string(),
            None => "it has closed its output, and was ended".to_owned(),
        }
    }

    /// Ends the program and everything that it has started, and waits for it.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.orders = None;
        // The group first: its number is only ours until the program is waited for.
        self.end_group();
        if self.ended.is_none() {
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
        }
        self.ended
    }

    /// What is left of the group when its leader has gone by itself is ended as well.
    fn end_group(&self) {
        #[cfg(unix)]
        if self.ended.is_none()
            && let Ok(id) = i32::try_from(self.child.id())
            && let Some(group) = rustix::process::Pid::from_raw(id)
        {
            // Nobody may be left in it.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }

    /// Waits a while for the program to end by itself.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            if self.has_ended() {
                // The group is ended before the leader is waited for, so that its number is still ours.
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

    /// Whether the program is over, without waiting for it in the system's sense where that can be told.
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

/// Writes what is ordered until nobody orders or nobody reads.
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

/// Hands lines on until the program closes its output or nobody wants them any more.
fn read_lines(output: impl Read, heard: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while let Ok(true) = read_line(&mut output, &mut line) {
        // What it says is shown to people: it must not steer their terminals.
        let text =
            sanitize_line_to(String::from_utf8_lossy(&line).trim(), MAX_LINE_BYTES).into_owned();
        if !text.is_empty() && heard.send(text).is_err() {
            return;
        }
    }
}

/// Reads one line, of which no more is kept than fits; whether there was one.
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

/// Drains standard error and keeps its end.
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
