//! The configuration of the server: by flags, by environment variables, or in a file. Each may leave settings out.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Result, anyhow, bail};
use serde::Deserialize;

use touchmove_engine::Level;
use touchmove_server::security::Limits;
use touchmove_text::display_path;
use touchmove_tui::bounded_file;
use touchmove_tui::toml_depth::find_too_deep;

use super::values::{LogForm, LogLevel, Registration, address};

/// The file name, in the folder of the store.
const CONFIG_FILE: &str = "server.toml";

/// The largest file that is read, in bytes.
const MAX_FILE_BYTES: usize = 64 * 1024;

/// What was chosen, and where nothing was, `None`.
#[derive(Clone, PartialEq, Eq, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServeConfig {
    /// Where to listen; port 0 takes any free one [default: 127.0.0.1:8000].
    #[arg(long, value_name = "ADDRESS:PORT", env = "TOUCHMOVE_LISTEN", value_parser = address)]
    pub listen: Option<SocketAddr>,

    /// A PostgreSQL database that takes the place of the file; the flag is one of all commands.
    #[arg(skip)]
    pub store: Option<String>,

    /// A NATS server by which servers with the same PostgreSQL database hear of each other at once.
    #[arg(
        long,
        value_name = "nats://…",
        env = "TOUCHMOVE_NATS",
        alias = "bus",
        hide_env_values = true
    )]
    #[serde(alias = "bus")]
    pub nats: Option<String>,

    /// How people reach it, if that is not where it listens.
    #[arg(long, value_name = "URL", env = "TOUCHMOVE_PUBLIC_URL")]
    pub public_url: Option<String>,

    /// A network of proxies whose word about a client's address counts; may be given several times.
    #[arg(
        long,
        value_name = "CIDR",
        env = "TOUCHMOVE_TRUSTED_PROXY",
        value_delimiter = ','
    )]
    pub trusted_proxy: Option<Vec<String>>,

    /// A name that is answered beside the public one and localhost; may be given several times.
    #[arg(
        long,
        value_name = "HOST",
        env = "TOUCHMOVE_ALLOWED_HOST",
        value_delimiter = ','
    )]
    pub allowed_host: Option<Vec<String>>,

    /// Whether anybody may make an account [default: off].
    #[arg(long, value_enum, env = "TOUCHMOVE_REGISTRATION")]
    pub registration: Option<Registration>,

    /// Levels of the built-in opponent that have accounts, which anybody may challenge by their names: all,
    /// off, or names with commas. Without it, all levels can be chosen on the page, and none has an account.
    #[arg(
        long,
        value_name = "LEVELS",
        env = "TOUCHMOVE_BOTS",
        num_args = 0..=1,
        default_missing_value = "all",
        value_parser = str::parse::<Bots>
    )]
    pub bots: Option<Bots>,

    /// The most connections at once [default: 20000].
    #[arg(long, value_name = "COUNT", env = "TOUCHMOVE_CONNECTIONS", value_parser = connections)]
    pub connections: Option<usize>,

    /// How often, how many and how long; only in a file.
    #[arg(skip)]
    pub limits: Option<Box<Limits>>,

    /// Where Prometheus reads the counts, at /metrics; a listener of its own.
    #[arg(long, value_name = "ADDRESS:PORT", env = "TOUCHMOVE_METRICS", value_parser = address)]
    pub metrics: Option<SocketAddr>,

    /// How logs are written, on standard error [default: text].
    #[arg(long, value_enum, env = "TOUCHMOVE_LOG")]
    pub log: Option<LogForm>,

    /// How much is logged [default: info].
    #[arg(long, value_enum, env = "TOUCHMOVE_LOG_LEVEL")]
    pub log_level: Option<LogLevel>,
}

/// Levels of the built-in opponent, as a host writes them: `all`, `off`, or names with commas.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "BotsSetting")]
pub struct Bots(pub Vec<Level>);

/// The same in a file, where it may also be a list, or `true` and `false`.
#[derive(Deserialize)]
#[serde(untagged)]
enum BotsSetting {
    Switch(bool),
    Text(String),
    List(Vec<String>),
}

impl TryFrom<BotsSetting> for Bots {
    type Error = String;

    fn try_from(written: BotsSetting) -> Result<Bots, String> {
        match written {
            BotsSetting::Switch(true) => "all".parse(),
            BotsSetting::Switch(false) => "off".parse(),
            BotsSetting::Text(text) => text.parse(),
            BotsSetting::List(names) => names.join(",").parse(),
        }
    }
}

impl FromStr for Bots {
    type Err = String;

    fn from_str(text: &str) -> Result<Bots, String> {
        match text.trim() {
            "all" => Ok(Bots(Level::ALL.to_vec())),
            "off" => Ok(Bots(Vec::new())),
            names => {
                let levels = names.split(',').map(str::parse::<Level>);
                let mut levels = levels
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(|error| format!("{error}; or write all or off"))?;
                levels.sort_unstable();
                levels.dedup();
                Ok(Bots(levels))
            }
        }
    }
}

fn connections(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1_000_000) => Ok(count),
        _ => Err("it is a number from 1 to 1000000".to_owned()),
    }
}

impl ServeConfig {
    /// These settings, with missing ones taken from `others`.
    pub fn or(self, others: ServeConfig) -> ServeConfig {
        ServeConfig {
            listen: self.listen.or(others.listen),
            store: self.store.or(others.store),
            nats: self.nats.or(others.nats),
            public_url: self.public_url.or(others.public_url),
            trusted_proxy: self.trusted_proxy.or(others.trusted_proxy),
            allowed_host: self.allowed_host.or(others.allowed_host),
            registration: self.registration.or(others.registration),
            bots: self.bots.or(others.bots),
            connections: self.connections.or(others.connections),
            limits: self.limits.or(others.limits),
            metrics: self.metrics.or(others.metrics),
            log: self.log.or(others.log),
            log_level: self.log_level.or(others.log_level),
        }
    }

    /// Parses the text of a file.
    pub fn read(text: &str) -> Result<ServeConfig> {
        if text.len() > MAX_FILE_BYTES {
            bail!("it has more than {MAX_FILE_BYTES} bytes: a file of settings is smaller");
        }
        if let Some(at) = find_too_deep(text) {
            let line = line_at(text, at);
            bail!("line {line} is nested too deeply to be a setting");
        }
        toml::from_str(text).map_err(|error| anyhow!(told_without_values(&error, text)))
    }

    /// Reads a file. One that was named must exist.
    pub fn from_file(named: Option<&Path>, folder: &Path) -> Result<ServeConfig> {
        let path: PathBuf = named.map_or_else(|| folder.join(CONFIG_FILE), Path::to_path_buf);
        let text = match bounded_file::read_text(&path, MAX_FILE_BYTES as u64) {
            Ok(text) => text,
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {
                return Ok(ServeConfig::default());
            }
            Err(error) => bail!("cannot read {}: {error}", display_path(&path)),
        };
        let choices = ServeConfig::read(&text)
            .with_context(|| format!("{} cannot be understood", display_path(&path)))?;
        if let Some(count) = choices.connections {
            connections(&count.to_string())
                .map_err(|problem| anyhow!("{}: connections: {problem}", display_path(&path)))?;
        }
        if let Some(limits) = &choices.limits {
            limits
                .check()
                .with_context(|| display_path(&path).to_string())?;
        }
        Ok(choices)
    }
}

/// The line number of this byte, counted from 1.
fn line_at(text: &str, at: usize) -> usize {
    let before = &text.as_bytes()[..at.min(text.len())];
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

/// The error in a file, with its line. Neither the line nor the value is quoted: it may be a password, and the
/// error is printed and logged.
fn told_without_values(error: &toml::de::Error, text: &str) -> String {
    let message = error.message();
    let names_value = ["invalid type", "invalid value", "unknown variant"];
    let message = match message.rsplit_once("expected ") {
        Some((before, expected)) if names_value.iter().any(|words| before.starts_with(words)) => {
            format!("this value should be {expected}")
        }
        _ => message.to_owned(),
    };
    match error.span() {
        Some(span) => format!("line {}: {message}", line_at(text, span.start)),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str) -> Result<Option<Bots>> {
        ServeConfig::read(toml).map(|choices| choices.bots)
    }

    #[test]
    fn bots_are_written_in_a_file_as_a_word_a_list_or_a_switch() {
        let all = Some(Bots(Level::ALL.to_vec()));
        assert_eq!(read("").unwrap(), None);
        for toml in ["bots = true", "bots = \"all\""] {
            assert_eq!(read(toml).unwrap(), all);
        }
        for toml in ["bots = false", "bots = \"off\""] {
            assert_eq!(read(toml).unwrap(), Some(Bots(Vec::new())));
        }
        let two = Some(Bots(vec![Level::Casual, Level::Club]));
        for toml in ["bots = [\"club\", \"casual\"]", "bots = \"casual,club,3\""] {
            assert_eq!(read(toml).unwrap(), two);
        }
        let error = read("bots = \"grandmaster\"").unwrap_err().to_string();
        assert!(error.contains("first-steps"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line_and_without_the_passwords_in_the_file() {
        let secret = "postgres://chess:hunter2@db.example/chess";
        for (line, says) in [
            (format!("store = {secret}"), ""),
            (format!("store \"{secret}\""), ""),
            (format!("store = \"{secret}"), ""),
            (format!("store = \"{secret}\" x"), ""),
            (format!("store = [\"{secret}\"]"), "should be a string"),
            (format!("connections = \"{secret}\""), "should be"),
            (format!("registration = \"{secret}\""), "should be"),
            (format!("limits = \"{secret}\""), "should be"),
            (format!("listen = \"{secret}\""), ""),
            (
                format!("database = \"{secret}\""),
                "unknown field `database`",
            ),
            (format!("bus = \"x\"\nbus = \"{secret}\""), "duplicate"),
        ] {
            let text = format!("log = \"text\"\n{line}\n");
            let error = format!("{:#}", read(&text).unwrap_err());
            assert!(!error.contains("hunter2"), "{line}: {error}");
            assert!(
                error.starts_with("line ") && error.contains(says),
                "{line}: {error}"
            );
        }
    }
}
