//! How many sockets and streams listen to a table. What is told is written for those who are there: a game
//! that is played through streams alone makes no messages for sockets, and the other way round.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::games::table::Table;

/// In which form somebody is told what happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListenerKind {
    /// By messages over a WebSocket.
    Socket,
    /// By lines of a stream over HTTP.
    Stream,
}

/// How many listeners there are of each kind.
#[derive(Default)]
pub(super) struct Listeners {
    sockets: AtomicUsize,
    streams: AtomicUsize,
}

impl Listeners {
    const fn of(&self, kind: ListenerKind) -> &AtomicUsize {
        match kind {
            ListenerKind::Socket => &self.sockets,
            ListenerKind::Stream => &self.streams,
        }
    }

    /// Whether there is any of this kind.
    pub(super) fn has(&self, kind: ListenerKind) -> bool {
        self.of(kind).load(Ordering::Acquire) > 0
    }
}

impl Table {
    /// Counts somebody who listens, until what is given back is dropped. It must be called before the core is
    /// locked for the first look at the game: whoever decides something afterwards finds the listener counted.
    pub(crate) fn listen(self: &Arc<Table>, kind: ListenerKind) -> Listener {
        self.listeners.of(kind).fetch_add(1, Ordering::AcqRel);
        Listener {
            table: Arc::clone(self),
            kind,
        }
    }
}

/// Somebody who listens to a table.
pub(crate) struct Listener {
    table: Arc<Table>,
    kind: ListenerKind,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let listeners = self.table.listeners.of(self.kind);
        listeners.fetch_sub(1, Ordering::AcqRel);
    }
}
