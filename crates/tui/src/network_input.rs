//! What line modes hear while they visit a table on the network: lines, what the table tells, signals; all
//! on one channel. What comes of it is not known here.

use std::io::{self, BufRead};
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Duration;

use touchmove_client::ServerEvent;

use crate::input::{self, InputLine};
use crate::signals::{self, Signal};

/// Why a table on the network cannot be visited.
#[derive(Debug, thiserror::Error)]
pub enum NetworkGameError {
    /// There is no way to it; the sentence says why.
    #[error("{0}")]
    NoTable(String),
    /// So many messages were not answered when the input had ended.
    #[error("the server has not answered {}: it may have happened, or not", last(*.0))]
    Unanswered(usize),
    /// The terminal or the pipe cannot be used.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl NetworkGameError {
    /// Nothing is wrong if everything was answered.
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

/// How much may wait to be shown. A server that talks faster than a terminal shows has to wait; each message may have
/// a whole game with it.
pub(crate) const MAX_QUEUED: usize = 8;

/// How long whoever was taken along to another game stays there at least: a server that names game after game is not
/// run after.
const FOLLOW_PAUSE: Duration = Duration::from_secs(3);

/// How often somebody is taken along to another game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FollowPace {
    last: Option<Duration>,
}

impl FollowPace {
    /// Whether he may be taken along now, by any clock that goes on; then he is.
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

/// Something that is heard.
pub(crate) enum NetworkInput {
    Line(io::Result<InputLine>),
    /// The table tells something; the number says which visit it is about.
    Told(u64, ServerEvent),
    Signal(Signal),
    /// The input has ended.
    End,
}

/// Listens to the input and to signals, each on a thread of its own.
pub(crate) fn listen(
    mut input: impl BufRead + Send + 'static,
    sender: &SyncSender<NetworkInput>,
) -> io::Result<()> {
    let to_loop = sender.clone();
    signals::listen(move |signal| {
        // Nobody hears it if the visit is over.
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
