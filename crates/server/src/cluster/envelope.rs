//! Signed messages between nodes. An attacker who can write to NATS or notify through the database can forge, replay,
//! delay and reorder messages, but only those who can read the key in the database can sign one.
//!
//! A message is one line: version, signature, node, counter, time, body. It is accepted once: its signature is valid,
//! it is at most a few seconds old by the store's time, it was sent after this node had started, and its counter is
//! greater than any accepted from its node. A message that is late or out of order is dropped: its content is read
//! from the store.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Mutex;
use std::sync::OnceLock;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use touchmove_game::Timestamp;
use touchmove_store::Digest;

use crate::cluster::message::{digest, hex};
use crate::lock_ext::LockExt as _;

/// The version of the format.
const VERSION: &str = "tm1";
/// How far the time of a message may be from ours, in milliseconds, either way.
const MAX_MESSAGE_AGE_MILLIS: u64 = 10_000;
/// The longest message that is parsed. The text of a decision takes at most half of it, and JSON writes a quotation
/// mark as two characters.
pub(super) const MAX_MESSAGE_BYTES: usize = 160 * 1024;
/// The most characters of the name of a node.
const MAX_NODE_CHARS: usize = 32;
/// The most nodes whose counters are remembered.
const MAX_NODES: usize = 1_024;

/// Signs the messages of this node, and verifies those of others.
pub(super) struct Signer {
    /// The keyed state that every signature begins with.
    keyed: Hmac<Sha256>,
    /// The name of this node.
    node: String,
    /// The counter of this node's latest message.
    counter: Mutex<u64>,
    /// Since when messages are accepted.
    since: OnceLock<Timestamp>,
    /// The latest message accepted from each node.
    accepted: Mutex<HashMap<String, Accepted>>,
}

/// The latest message of a node.
#[derive(Clone, Copy)]
struct Accepted {
    counter: u64,
    at: Timestamp,
}

/// A message with a valid signature and time.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Opened<'a> {
    /// The sending node.
    pub(super) node: &'a str,
    /// The number of the message among those of its node.
    pub(super) counter: u64,
    /// Whether to apply it: neither it nor a later one was received before, by whichever path.
    pub(super) is_new: bool,
    /// The content.
    pub(super) body: &'a str,
}

impl Signer {
    /// A signer for the nodes of one store, with the key from the store. The scope separates stores that share a NATS
    /// server: one may be a copy of another.
    pub(super) fn new(key: &[u8; 32], scope: &str, node: String) -> Signer {
        // A key shorter than a block is padded with zeros.
        let mut block = [0; 64];
        block[..key.len()].copy_from_slice(key);
        let mut keyed = Hmac::<Sha256>::new(&block.into());
        keyed.update(VERSION.as_bytes());
        keyed.update(b"\n");
        keyed.update(scope.as_bytes());
        keyed.update(b"\n");
        Signer {
            keyed,
            node,
            counter: Mutex::new(0),
            since: OnceLock::new(),
            accepted: Mutex::default(),
        }
    }

    /// Accepts messages that are sent from now on; before this call, none is accepted.
    pub(super) fn accept_since(&self, now: Timestamp) {
        // The first call counts.
        let _ = self.since.set(now);
    }

    /// Signs a message and passes it to `send` under a lock, so that messages leave in the order of their counters.
    pub(super) fn seal(&self, now: Timestamp, body: &str, send: impl FnOnce(String)) {
        let mut counter = self.counter.locked();
        *counter += 1;
        let signed = format!("{} {} {} {body}", self.node, *counter, now.0);
        let mut mac = self.keyed.clone();
        mac.update(signed.as_bytes());
        let signature = Digest(mac.finalize().into_bytes().into());
        send(format!("{VERSION} {} {signed}", hex(&signature)));
    }

    /// Verifies a message; `None` if it is not authentic. The result says whether it is new.
    pub(super) fn open<'a>(&self, text: &'a str, now: Timestamp) -> Option<Opened<'a>> {
        if text.len() > MAX_MESSAGE_BYTES {
            return None;
        }
        let rest = text.strip_prefix(VERSION)?.strip_prefix(' ')?;
        let (signature, signed) = rest.split_once(' ')?;
        let mut parts = signed.splitn(4, ' ');
        let (node, counter) = (parts.next()?, parts.next()?.parse().ok()?);
        let (at, body) = (Timestamp(parts.next()?.parse().ok()?), parts.next()?);
        let is_recent = now.0.abs_diff(at.0) <= MAX_MESSAGE_AGE_MILLIS;
        let is_after_start = self.since.get().is_some_and(|since| at >= *since);
        if node == self.node || node.len() > MAX_NODE_CHARS || !is_recent || !is_after_start {
            return None;
        }
        let mut mac = self.keyed.clone();
        mac.update(signed.as_bytes());
        mac.verify_slice(&digest(signature)?.0).ok()?;
        let is_new = self.accept(node, Accepted { counter, at }, now);
        Some(Opened {
            node,
            counter,
            is_new,
            body,
        })
    }

    /// Records a message; returns whether it is newer than those before.
    fn accept(&self, node: &str, message: Accepted, now: Timestamp) -> bool {
        let mut accepted = self.accepted.locked();
        if accepted.len() >= MAX_NODES && !accepted.contains_key(node) {
            // A message of a node that is forgotten here is too old to be accepted again.
            accepted.retain(|_, last| now.since(last.at).0 <= 2 * MAX_MESSAGE_AGE_MILLIS);
            if accepted.len() >= MAX_NODES {
                return false;
            }
        }
        match accepted.entry(node.to_owned()) {
            Entry::Vacant(entry) => {
                entry.insert(message);
                true
            }
            Entry::Occupied(mut entry) => {
                let is_newer = message.counter > entry.get().counter;
                if is_newer {
                    entry.insert(message);
                }
                is_newer
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: [u8; 32] = [7; 32];
    const NOW: Timestamp = Timestamp(1_000_000);

    fn signer(node: &str) -> Signer {
        let signer = Signer::new(&KEY, "database_schema", node.to_owned());
        signer.accept_since(NOW);
        signer
    }

    fn seal(signer: &Signer, at: Timestamp, body: &str) -> String {
        let mut sealed = None;
        signer.seal(at, body, |text| sealed = Some(text));
        sealed.unwrap()
    }

    fn open<'a>(signer: &Signer, text: &'a str, now: Timestamp) -> Option<Opened<'a>> {
        signer.open(text, now).filter(|opened| opened.is_new)
    }

    #[test]
    fn a_message_is_accepted_once_and_in_order() {
        let (one, two) = (signer("one"), signer("two"));
        let first = seal(&one, NOW, r#"{"a b":1}"#);
        let second = seal(&one, NOW, "second");
        let third = seal(&one, NOW, "third");
        let opened = open(&two, &first, NOW).unwrap();
        assert_eq!((opened.node, opened.body), ("one", r#"{"a b":1}"#));
        assert_eq!(open(&two, &first, NOW), None, "a replay");
        assert_eq!(open(&two, &third, NOW).unwrap().body, "third");
        assert_eq!(open(&two, &second, NOW), None, "out of order");
        assert_eq!(open(&one, &first, NOW), None, "its own");
    }

    #[test]
    fn what_was_not_signed_by_a_node_of_this_store_is_dropped() {
        let two = signer("two");
        let good = seal(&signer("one"), NOW, "body");
        let foreign = Signer::new(&[8; 32], "database_schema", "one".to_owned());
        let copy = Signer::new(&KEY, "database_copy", "one".to_owned());
        let mut forged = vec![
            seal(&foreign, NOW, "body"),
            seal(&copy, NOW, "body"),
            good.replace("body", "ydob"),
            good.replace(" one ", " six "),
            good.replace(" 1 ", " 9 "),
            good.replace("1000000", "1000001"),
            good.replacen("tm1", "tm2", 1),
            "[\"one\",\"alive\"]".to_owned(),
            "tm1".to_owned(),
            "tm1 a b".to_owned(),
            String::new(),
            "x".repeat(MAX_MESSAGE_BYTES + 1),
        ];
        forged.extend((0..good.len()).map(|end| good[..end].to_owned()));
        for text in forged {
            // The body may be cut, but then the signature is wrong.
            assert_eq!(open(&two, &text, NOW), None, "{text}");
        }
        assert!(open(&two, &good, NOW).is_some());
    }

    #[test]
    fn what_is_old_or_from_the_future_or_from_before_the_start_is_dropped() {
        let (one, two) = (signer("one"), signer("two"));
        let at = |millis: u64| Timestamp(NOW.0 + millis);
        let early = seal(&one, Timestamp(NOW.0 - 1), "before the start");
        let late = seal(&one, at(20_000), "late");
        let future = seal(&one, at(60_000), "future");
        assert_eq!(open(&two, &early, NOW), None);
        assert_eq!(open(&two, &late, at(30_001)), None);
        assert!(open(&two, &late, at(30_000)).is_some());
        assert_eq!(open(&two, &future, at(49_999)), None);
        let deaf = Signer::new(&KEY, "database_schema", "three".to_owned());
        assert_eq!(open(&deaf, &seal(&one, NOW, "x"), NOW), None, "not started");
    }

    #[test]
    fn many_nodes_do_not_fill_the_memory_and_silent_ones_are_forgotten() {
        let two = signer("two");
        for number in 0..MAX_NODES + 10 {
            let node = signer(&format!("node{number}"));
            let is_accepted = open(&two, &seal(&node, NOW, "x"), NOW).is_some();
            assert_eq!(is_accepted, number < MAX_NODES);
        }
        let later = Timestamp(NOW.0 + 3 * MAX_MESSAGE_AGE_MILLIS);
        assert!(open(&two, &seal(&signer("late"), later, "x"), later).is_some());
        assert_eq!(two.accepted.locked().len(), 1);
    }
}
