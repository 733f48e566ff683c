//! What a host can choose: by flag, by environment, or in a file. Each of them may be silent.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use touchmove_engine::Level;

use super::{LogForm, LogLevel, Registration, address};

/// The name of the file in the folder of the store.
const FILE: &str = "server.toml";

/// What was chosen, and where nothing was, `None`.
#[derive(Clone, Default, Debug, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choices {
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
        env = "TOUCHMOVE_BUS",
        hide_env_values = true
    )]
    pub bus: Option<String>,

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
#[serde(try_from = "Written")]
pub struct Bots(pub Vec<Level>);

/// The same in a file, where it may also be a list, or `true` and `false`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Switch(bool),
    Text(String),
    List(Vec<String>),
}

impl TryFrom<Written> for Bots {
    type Error = String;

    fn try_from(written: Written) -> Result<Bots, String> {
        match written {
            Written::Switch(true) => "all".parse(),
            Written::Switch(false) => "off".parse(),
            Written::Text(text) => text.parse(),
            Written::List(names) => names.join(",").parse(),
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

impl Choices {
    /// These choices, and where they are silent, the others.
    pub fn or(self, others: Choices) -> Choices {
        Choices {
            listen: self.listen.or(others.listen),
            store: self.store.or(others.store),
            bus: self.bus.or(others.bus),
            public_url: self.public_url.or(others.public_url),
            trusted_proxy: self.trusted_proxy.or(others.trusted_proxy),
            registration: self.registration.or(others.registration),
            bots: self.bots.or(others.bots),
            connections: self.connections.or(others.connections),
            metrics: self.metrics.or(others.metrics),
            log: self.log.or(others.log),
            log_level: self.log_level.or(others.log_level),
        }
    }

    /// The choices of a file. One that was named must be there.
    pub fn from_file(named: Option<&Path>, folder: &Path) -> Result<Choices> {
        let path: PathBuf = named.map_or_else(|| folder.join(FILE), Path::to_path_buf);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {
                return Ok(Choices::default());
            }
            Err(error) => bail!("cannot read {}: {error}", path.display()),
        };
        let choices: Choices = toml::from_str(&text)
            .with_context(|| format!("{} cannot be understood", path.display()))?;
        if let Some(count) = choices.connections {
            connections(&count.to_string())
                .map_err(|problem| anyhow::anyhow!("{}: connections: {problem}", path.display()))?;
        }
        Ok(choices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(toml: &str) -> Result<Option<Bots>, toml::de::Error> {
        toml::from_str::<Choices>(toml).map(|choices| choices.bots)
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
}
