//! Input of the line modes at a table on the network: lines, server events and signals on one channel.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Duration;

use touchmove_client::ServerEvent;

use crate::input::{self, InputLine};
use crate::signals::{self, Signal};

/// Why a network game failed.
#[derive(Debug, thiserror::Error)]
pub enum NetworkGameError {
    /// The table cannot be reached; the sentence says why.
    #[error("{0}")]
    NoTable(String),
    /// This many messages were unanswered when the input had ended.
    #[error("the server has not answered {}: it may have happened, or not", last(*.0))]
    Unanswered(usize),
    /// The terminal or the pipe cannot be used.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl NetworkGameError {
    /// `Ok` if everything was answered.
    pub(crate) const fn of_unanswered(count: usize) -> Result<(), NetworkGameError> {
        match count {
            0 => Ok(()),
            count => Err(NetworkGameError::Unanswered(count)),
        }
    }
}

fn last(count: usize) -> String {
    match count {
        1 => "the last message".to_owned(),
        count => format!("the last {count} messages"),
    }
}

/// The size of the queue of server events. It bounds memory: a server that sends faster than the terminal shows has
/// to wait, because each message may contain a whole game.
pub(crate) const MAX_QUEUED: usize = 8;

/// The shortest time at one table before the player follows to the next: a rate limit against a server that names
/// game after game.
const FOLLOW_PAUSE: Duration = Duration::from_secs(3);

/// The rate limit for following to another game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FollowPace {
    last: Option<Duration>,
}

impl FollowPace {
    /// Whether the player may follow now; if so, records it. `now` may be from any monotonic clock.
    pub(crate) fn may_follow(&mut self, now: Duration) -> bool {
        let may = self
            .last
            .is_none_or(|last| now.saturating_sub(last) >= FOLLOW_PAUSE);
        if may {
            self.last = Some(now);
        }
        may
    }
}

/// An input event.
pub(crate) enum NetworkInput {
    Line(io::Result<InputLine>),
    /// A server event; the number says which connection it belongs to.
    Told(u64, ServerEvent),
    Signal(Signal),
    /// The input has ended.
    End,
}

/// Starts a thread that reads the input and one that waits for signals.
pub(crate) fn listen(
    mut input: impl BufRead + Send + 'static,
    sender: &SyncSender<NetworkInput>,
) -> io::Result<()> {
    let to_loop = sender.clone();
    signals::listen(move |signal| {
        // Fails only after the session has ended.
        let _ = to_loop.send(NetworkInput::Signal(signal));
    })?;
    let sender = sender.clone();
    thread::spawn(move || {
        while let Some(line) = input::next(&mut input).transpose() {
            let failed = line.is_err();
            if sender.send(NetworkInput::Line(line)).is_err() || failed {
                return;
            }
        }
        let _ = sender.send(NetworkInput::End);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_taken_along_twice_in_three_seconds() {
        let mut pace = FollowPace::default();
        let at = Duration::from_millis;
        assert!(pace.may_follow(at(0)) && !pace.may_follow(at(1)));
        assert!(!pace.may_follow(at(2_999)) && pace.may_follow(at(3_000)));
        assert!(!pace.may_follow(at(5_999)) && pace.may_follow(at(9_000)));
    }
}
