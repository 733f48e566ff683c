//! [`Error`]: everything that can be wrong with an engine, as sentences.

use std::io;
use std::time::Duration;

use crate::option::{MAX_OPTION_BYTES, MAX_OPTIONS};

/// What an engine has done, or has not.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The program does not start.
    #[error("{command:?} does not start: {error}; is it installed, and its name spelled right?")]
    NotStarted {
        /// What was to be started.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// It runs but does not speak UCI.
    #[error(
        "{engine} has not said uciok within {patience:?}: it does not speak UCI, or needs arguments{words}"
    )]
    NotUci {
        /// Which engine.
        engine: String,
        /// How long was waited.
        patience: Duration,
        /// The last words on its standard error.
        words: String,
    },
    /// It declares options without end.
    #[error(
        "{engine} declares more than {MAX_OPTIONS} options, or more than {} KiB of their names and choices: \
         it is not a usable UCI engine",
        MAX_OPTION_BYTES >> 10
    )]
    TooManyOptions {
        /// Which engine.
        engine: String,
    },
    /// It has ended by itself.
    #[error("{engine} has left ({how}) when it was to say {wanted}{words}")]
    Left {
        /// Which engine.
        engine: String,
        /// How it ended, as the system says.
        how: String,
        /// What was waited for.
        wanted: &'static str,
        /// The last words on its standard error.
        words: String,
    },
    /// It runs and says nothing; it has been ended.
    #[error("{engine} has not said {wanted} within {patience:?} and was ended")]
    Silent {
        /// Which engine.
        engine: String,
        /// What was waited for.
        wanted: &'static str,
        /// How long was waited.
        patience: Duration,
    },
    /// It makes no move where there are legal ones.
    #[error("{engine} makes no move: it says {said:?}")]
    NoMove {
        /// Which engine.
        engine: String,
        /// What it says instead.
        said: String,
    },
    /// It makes a move that is none.
    #[error("{engine} plays {said:?}: {why}")]
    Illegal {
        /// Which engine.
        engine: String,
        /// What it says.
        said: String,
        /// Why that is no move here.
        why: String,
    },
    /// It was asked for something that it does not offer.
    #[error("{engine} {what}")]
    Unable {
        /// Which engine.
        engine: String,
        /// What it cannot do.
        what: String,
    },
    /// There is nothing to think about: nobody asks an engine for a move in a finished game.
    #[error("the game is over: there is no move to ask {engine} for")]
    Finished {
        /// Which engine.
        engine: String,
    },
}

impl Error {
    /// Whether the engine no longer runs: it can only be started again.
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
