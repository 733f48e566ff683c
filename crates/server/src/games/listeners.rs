//! Counts the sockets and streams that listen to a table. Messages are built only for the kinds that have listeners:
//! a game that is played through streams alone builds no socket messages, and the other way round.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::games::table::Table;

/// The wire form that a listener reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListenerKind {
    /// WebSocket messages.
    Socket,
    /// Lines of an HTTP stream.
    Stream,
}

/// The number of listeners of each kind.
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

    /// Whether there is a listener of this kind.
    pub(super) fn has(&self, kind: ListenerKind) -> bool {
        self.of(kind).load(Ordering::Acquire) > 0
    }
}

impl Table {
    /// Counts a listener until the returned guard is dropped. It must be called before the live game is locked for
    /// the first view: then every later decision finds the listener counted.
    pub(crate) fn listen(self: &Arc<Table>, kind: ListenerKind) -> Listener {
        self.listeners.of(kind).fetch_add(1, Ordering::AcqRel);
        Listener {
            table: Arc::clone(self),
            kind,
        }
    }
}

/// A listener of a table.
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
