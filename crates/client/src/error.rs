//! Errors of a connection: those that a retry may fix, and refusals.

use thiserror::Error;

/// Why a client cannot connect to a table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The server cannot be reached, or the connection was lost: a retry may help.
    #[error("{0}")]
    Passing(String),
    /// The server refuses: a retry does not help.
    #[error("{0}")]
    Final(String),
}

impl Error {
    /// The error for an HTTP status that is not a success; `said` is the server's own sentence.
    pub(crate) fn of_status(status: u16, said: Option<String>) -> Error {
        let said = said.unwrap_or_else(|| format!("it answers with status {status}"));
        let text = format!("the server says no: {said}");
        match status {
            // The server is busy or restarting, or a proxy does not reach it.
            408 | 425 | 429 | 500..=599 => Error::Passing(text),
            _ => Error::Final(text),
        }
    }
}
