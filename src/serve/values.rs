//! The values of `serve`'s options, in flags and files.

use std::net::SocketAddr;

use clap::ValueEnum;
use serde::Deserialize;

/// Whether anybody may make an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Registration {
    /// Only the host makes accounts.
    Off,
    /// Anybody does.
    Open,
}

/// How logs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogForm {
    /// For people.
    Text,
    /// One object per line.
    Json,
}

/// How much is logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Only what is broken.
    Error,
    /// What may break.
    Warn,
    /// What happens.
    Info,
    /// Everything.
    Debug,
}

/// Parses an address to listen at.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let named = text.replace("localhost", "127.0.0.1");
    named
        .parse()
        .map_err(|_| "write an address and a port, as 127.0.0.1:8000 or [::1]:8000".to_owned())
}
