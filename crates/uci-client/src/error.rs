//! [`Error`]: everything that can go wrong with an engine, as sentences.

use std::io;
use std::time::Duration;

use crate::option::{MAX_OPTION_BYTES, MAX_OPTIONS};

/// An error of an engine.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program does not start.
    #[error("{command:?} does not start: {error}; is it installed, and its name spelled right?")]
    NotStarted {
        /// The command line.
        command: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// It runs but does not speak UCI.
    #[error(
        "{engine} has not said uciok within {patience:?}: it does not speak UCI, or needs arguments{words}"
    )]
    NotUci {
        /// The name of the engine.
        engine: String,
        /// The timeout.
        patience: Duration,
        /// The last output on its standard error.
        words: String,
    },
    /// It declares too many options.
    #[error(
        "{engine} declares more than {MAX_OPTIONS} options, or more than {} KiB of their names and choices: \
         it is not a usable UCI engine",
        MAX_OPTION_BYTES >> 10
    )]
    TooManyOptions {
        /// The name of the engine.
        engine: String,
    },
    /// It has exited by itself.
    #[error("{engine} has left ({how}) when it was to say {wanted}{words}")]
    Left {
        /// The name of the engine.
        engine: String,
        /// The exit status, in words.
        how: String,
        /// The expected output.
        wanted: &'static str,
        /// The last output on its standard error.
        words: String,
    },
    /// It did not answer in time and was killed.
    #[error("{engine} has not said {wanted} within {patience:?} and was ended")]
    Silent {
        /// The name of the engine.
        engine: String,
        /// The expected output.
        wanted: &'static str,
        /// The timeout.
        patience: Duration,
    },
    /// It makes no move although there are legal ones.
    #[error("{engine} makes no move: it says {said:?}")]
    NoMove {
        /// The name of the engine.
        engine: String,
        /// What it sent instead.
        said: String,
    },
    /// It makes an illegal move.
    #[error("{engine} plays {said:?}: {why}")]
    Illegal {
        /// The name of the engine.
        engine: String,
        /// What it sent.
        said: String,
        /// Why that is not a legal move.
        why: String,
    },
    /// It was asked for something it does not support.
    #[error("{engine} {what}")]
    Unable {
        /// The name of the engine.
        engine: String,
        /// What it does not support.
        what: String,
    },
    /// The game is over, so there is no move to ask for.
    #[error("the game is over: there is no move to ask {engine} for")]
    Finished {
        /// The name of the engine.
        engine: String,
    },
}

impl Error {
    /// Whether the engine is no longer running and must be restarted.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Error::NotStarted { .. }
                | Error::NotUci { .. }
                | Error::TooManyOptions { .. }
                | Error::Left { .. }
                | Error::Silent { .. }
        )
    }
}
