//! What can go wrong on the way to a table, in sentences: trouble that passes, and answers of no.

use thiserror::Error;

/// Why somebody cannot be at a table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The server cannot be reached, or the line broke: trying again may help.
    #[error("{0}")]
    Passing(String),
    /// The server says no: trying again does not help.
    #[error("{0}")]
    Final(String),
}

impl Error {
    /// What an answer over HTTP that is not a success means; `said` is the server's own sentence.
    pub(crate) fn of_status(status: u16, said: Option<String>) -> Error {
        let said = said.unwrap_or_else(|| format!("it answers with status {status}"));
        let text = format!("the server says no: {said}");
        match status {
            // Busy, restarting, or a proxy that does not reach it.
            408 | 425 | 429 | 500..=599 => Error::Passing(text),
            _ => Error::Final(text),
        }
    }
}
