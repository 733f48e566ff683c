//! Detects lost NATS messages. Everything is sent by NATS with a counter, and some of it through the database too: a
//! gap in the counters, or a message that the database has delivered and NATS has not, means that something was lost.
//! The content of messages does not matter here.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::lock_ext::LockExt as _;

/// How long NATS may lag behind the database.
const MAX_DELAY: Duration = Duration::from_secs(2);
/// How long a silent node is remembered.
const MAX_SILENCE: Duration = Duration::from_secs(60);

/// The path of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Path {
    Nats,
    Database,
}

/// The counters of each node.
#[derive(Default)]
pub(super) struct Delivery {
    nodes: Mutex<HashMap<String, Node>>,
}

struct Node {
    /// The greatest counter received by NATS, if any.
    by_nats: Option<u64>,
    /// A counter that the database has delivered and NATS has not, and since when.
    awaited: Option<(u64, Instant)>,
    heard: Instant,
}

impl Delivery {
    /// Records a signed message; returns whether one before it is missing.
    pub(super) fn note(&self, node: &str, counter: u64, path: Path, now: Instant) -> bool {
        let mut nodes = self.nodes.locked();
        let node = match nodes.entry(node.to_owned()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Node {
                by_nats: None,
                awaited: None,
                heard: now,
            }),
        };
        node.heard = now;
        match path {
            Path::Nats => {
                let before = node.by_nats;
                node.by_nats = before.max(Some(counter));
                if node.awaited.is_some_and(|(awaited, _)| awaited <= counter) {
                    node.awaited = None;
                }
                before.is_some_and(|before| counter > before + 1)
            }
            Path::Database => {
                if node.by_nats.is_none_or(|by_nats| by_nats < counter) {
                    node.awaited.get_or_insert((counter, now));
                }
                false
            }
        }
    }

    /// Whether a node sends something through the database that NATS does not deliver.
    pub(super) fn is_cut_off(&self, now: Instant) -> bool {
        let mut nodes = self.nodes.locked();
        nodes.retain(|_, node| now.duration_since(node.heard) < MAX_SILENCE);
        let is_late = |since: Instant| now.duration_since(since) > MAX_DELAY;
        nodes
            .values()
            .any(|node| node.awaited.is_some_and(|(_, since)| is_late(since)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_was_left_out_is_missed() {
        let (delivery, now) = (Delivery::default(), Instant::now());
        let by_nats = |counter| delivery.note("one", counter, Path::Nats, now);
        assert!(!by_nats(7), "what was before is not known");
        assert!(!by_nats(8) && !by_nats(8) && !by_nats(3), "replays");
        assert!(by_nats(10));
        assert!(!by_nats(11));
        assert!(!delivery.note("two", 90, Path::Nats, now), "another node");
        assert!(!delivery.is_cut_off(now + MAX_DELAY * 2));
    }

    #[test]
    fn who_waits_in_vain_for_nats_is_cut_off_until_it_brings_something_again() {
        let (delivery, now) = (Delivery::default(), Instant::now());
        let late = now + MAX_DELAY + Duration::from_millis(1);
        delivery.note("one", 1, Path::Database, now);
        assert!(!delivery.is_cut_off(now + MAX_DELAY));
        assert!(delivery.is_cut_off(late));
        delivery.note("one", 9, Path::Database, late);
        assert!(delivery.is_cut_off(late));
        // A replayed old message is not enough.
        delivery.note("one", 0, Path::Nats, late);
        assert!(delivery.is_cut_off(late));
        delivery.note("one", 9, Path::Nats, late);
        assert!(!delivery.is_cut_off(late));
        // Nothing that NATS delivers first is awaited, and a node that is gone is forgotten.
        delivery.note("one", 9, Path::Database, late);
        assert!(!delivery.is_cut_off(late + MAX_DELAY * 2));
        delivery.note("one", 10, Path::Database, late);
        assert!(!delivery.is_cut_off(late + MAX_SILENCE));
    }
}
