//! The server as a process of ours: started, signalled and ended by its number, its CPU time and memory
//! read where the system keeps account of them.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

/// How long a server may take to open its door.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(60);

/// How to start a server.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program.
    pub path: PathBuf,
    /// Where it keeps its games.
    pub data: PathBuf,
    /// Where it listens.
    pub listen: SocketAddr,
    /// What is put into its environment.
    pub environment: Vec<(String, String)>,
    /// Further arguments.
    pub arguments: Vec<String>,
    /// How many processors it may use; without it, all.
    pub cores: Option<usize>,
}

impl Program {
    /// A server on a folder, at a port that is free now and is kept over restarts.
    pub fn new(path: &Path, data: PathBuf) -> anyhow::Result<Program> {
        let free = std::net::TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
        std::fs::create_dir_all(&data).with_context(|| format!("no folder {}", data.display()))?;
        Ok(Program {
            path: path.to_owned(),
            data,
            listen: free.local_addr()?,
            environment: Vec::new(),
            arguments: Vec::new(),
            cores: None,
        })
    }

    /// What the server has said, in a file beside its data.
    pub fn log(&self) -> PathBuf {
        self.data.with_extension("log")
    }

    /// Lines of the log that tell of a panic.
    pub fn panics(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.log()).unwrap_or_default();
        let panics = log.lines().filter(|line| line.contains("panicked"));
        panics.map(str::to_owned).collect()
    }

    /// The program, kept to its processors.
    fn command(&self) -> Command {
        let Some(cores) = self.cores else {
            return Command::new(&self.path);
        };
        let mut command = Command::new("taskset");
        command.args(["-c", &format!("0-{}", cores.saturating_sub(1))]);
        command.arg(&self.path);
        command
    }

    /// Starts it and waits until its door is open.
    pub async fn start(&self) -> anyhow::Result<Server> {
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.log())
            .context("no log can be written")?;
        let mut child = self
            .command()
            .args(["serve", "--listen", &self.listen.to_string(), "--data"])
            .arg(&self.data)
            .args(&self.arguments)
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("{} does not start", self.path.display()))?;
        let output = child.stdout.take().context("no output")?;
        let mut output = BufReader::new(output);
        let mut line = String::new();
        timeout(STARTUP_TIMEOUT, output.read_line(&mut line))
            .await
            .context("the server did not open in time")??;
        if !line.starts_with("touchmove is at ") {
            let status = child.wait().await?;
            let log = std::fs::read_to_string(self.log()).unwrap_or_default();
            let last = log.lines().last().unwrap_or_default();
            bail!("the server did not open ({status}): {last}");
        }
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        Ok(Server {
            address: self.listen,
            pid: pid.and_then(Pid::from_raw).context("no process number")?,
            child,
            _output: output,
        })
    }
}

/// A running server.
pub struct Server {
    /// Where it is.
    pub address: SocketAddr,
    pid: Pid,
    child: Child,
    _output: BufReader<ChildStdout>,
}

impl Server {
    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) -> anyhow::Result<()> {
        kill_process(self.pid, signal).context("the server is gone")
    }

    /// Ends it at once, as the power would.
    pub async fn kill(mut self) -> anyhow::Result<()> {
        self.signal(Signal::KILL)?;
        self.child.wait().await?;
        Ok(())
    }

    /// Asks it to stop, and waits.
    pub async fn stop(mut self) -> anyhow::Result<()> {
        self.signal(Signal::TERM)?;
        match timeout(Duration::from_secs(30), self.child.wait()).await {
            Ok(status) => {
                status?;
                Ok(())
            }
            Err(_) => {
                self.kill().await?;
                bail!("the server did not stop within 30 seconds of SIGTERM");
            }
        }
    }

    /// Whether it still runs.
    pub fn poll_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The CPU time that it has taken so far.
    pub fn cpu(&self) -> anyhow::Result<Duration> {
        cpu(&self.pid.as_raw_nonzero().to_string())
    }

    /// The memory that it has now, in bytes.
    pub fn memory(&self) -> anyhow::Result<u64> {
        memory(&self.pid.as_raw_nonzero().to_string(), "VmRSS:")
    }

    /// The most memory that it has had, in bytes.
    pub fn peak_memory(&self) -> anyhow::Result<u64> {
        memory(&self.pid.as_raw_nonzero().to_string(), "VmHWM:")
    }
}

/// A line about the memory of a process, in bytes.
pub fn memory(process: &str, key: &str) -> anyhow::Result<u64> {
    let path = format!("/proc/{process}/status");
    let status = std::fs::read_to_string(&path).with_context(|| format!("no {path}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kibibytes = kibibytes.and_then(|number| number.parse::<u64>().ok());
    Ok(kibibytes.context("the system does not tell its memory")? * 1024)
}

/// The CPU time of a process, in user and system; `self` is the generator.
pub fn cpu(process: &str) -> anyhow::Result<Duration> {
    let path = format!("/proc/{process}/stat");
    let stat = std::fs::read_to_string(&path).with_context(|| format!("no {path}"))?;
    // The second field is a name in parentheses that may hold anything.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let mut fields = fields.split_whitespace().skip(11);
    let mut next = || fields.next().and_then(|field| field.parse::<u64>().ok());
    let (user, system) = next().zip(next()).context("no CPU time")?;
    let ticks = rustix::param::clock_ticks_per_second();
    Ok(Duration::from_millis((user + system) * 1000 / ticks))
}
