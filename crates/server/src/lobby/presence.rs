//! Presence in the lobby: who is connected, and who has just left.

use std::collections::HashMap;

use touchmove_game::{Millis, Timestamp};
use touchmove_store::Holder;

/// How long a holder may be disconnected before they count as gone: reloading a page takes less.
pub const PRESENCE_GRACE_MILLIS: Millis = Millis::seconds(30);

/// How long a report of another node is valid: nodes repeat it every few seconds.
const REMOTE_PRESENCE_TTL_MILLIS: Millis = Millis::seconds(15);

/// The holders who are here, each with a value, and those who left a moment ago.
#[derive(Debug)]
pub struct LobbyPresence<T> {
    local: HashMap<Holder, LocalPresence<T>>,
    /// The holders who are in the lobby through another node, and when that was last reported.
    elsewhere: HashMap<Holder, Timestamp>,
}

#[derive(Debug)]
struct LocalPresence<T> {
    connections: usize,
    /// When the last connection closed.
    left: Timestamp,
    belongings: T,
}

impl<T> Default for LobbyPresence<T> {
    fn default() -> LobbyPresence<T> {
        LobbyPresence {
            local: HashMap::new(),
            elsewhere: HashMap::new(),
        }
    }
}

impl<T> LobbyPresence<T> {
    /// Adds a connection; the holder's value is made if they were not here before.
    pub fn connect(&mut self, holder: Holder, make: impl FnOnce() -> T) -> &T {
        let here = self.local.entry(holder).or_insert_with(|| LocalPresence {
            connections: 0,
            left: Timestamp(0),
            belongings: make(),
        });
        here.connections += 1;
        &here.belongings
    }

    /// Removes a connection.
    pub fn disconnect(&mut self, holder: Holder, now: Timestamp) {
        if let Some(here) = self.local.get_mut(&holder) {
            here.connections = here.connections.saturating_sub(1);
            here.left = now;
        }
    }

    /// The value of a holder who is here or was a moment ago.
    #[must_use]
    pub fn find(&self, holder: Holder) -> Option<&T> {
        self.local.get(&holder).map(|here| &here.belongings)
    }

    /// The values of all holders who are here or were a moment ago.
    pub fn belongings(&self) -> impl Iterator<Item = &T> + '_ {
        self.local.values().map(|here| &here.belongings)
    }

    /// Records that a holder is in the lobby through another node.
    pub fn record_remote(&mut self, holder: Holder, now: Timestamp) {
        self.elsewhere.insert(holder, now);
    }

    /// Whether a holder is here now, or was last reported by another node.
    #[must_use]
    pub fn is_here(&self, holder: Holder) -> bool {
        let here = self.local.get(&holder);
        here.is_some_and(|here| here.connections > 0) || self.elsewhere.contains_key(&holder)
    }

    /// The holders who are here now, or were last reported by another node.
    #[must_use]
    pub fn all(&self) -> Vec<Holder> {
        let mut everybody: Vec<_> = self.elsewhere.keys().copied().collect();
        everybody.extend(
            self.local()
                .filter(|holder| !self.elsewhere.contains_key(holder)),
        );
        everybody
    }

    /// The holders who are here now.
    pub fn local(&self) -> impl Iterator<Item = Holder> + '_ {
        let here = self.local.iter().filter(|(_, here)| here.connections > 0);
        here.map(|(holder, _)| *holder)
    }

    /// Whether a holder has been gone for too long; `heard` is when they were last active otherwise.
    #[must_use]
    pub fn is_gone(&self, holder: Holder, heard: Timestamp, now: Timestamp) -> bool {
        let elsewhere = self.elsewhere.get(&holder).copied();
        let heard = heard.max(elsewhere.unwrap_or(heard));
        match self.local.get(&holder) {
            Some(here) if here.connections > 0 => false,
            Some(here) => now.since(heard.max(here.left)) >= PRESENCE_GRACE_MILLIS,
            None => now.since(heard) >= PRESENCE_GRACE_MILLIS,
        }
    }

    /// Removes holders who have been gone for too long.
    pub fn remove_expired(&mut self, now: Timestamp) {
        let stays = |here: &LocalPresence<T>| {
            here.connections > 0 || now.since(here.left) < PRESENCE_GRACE_MILLIS
        };
        self.local.retain(|_, here| stays(here));
        self.elsewhere
            .retain(|_, said| now.since(*said) < REMOTE_PRESENCE_TTL_MILLIS);
    }
}

#[cfg(test)]
mod tests {
    use touchmove_store::Digest;

    use super::*;

    const ANNA: Holder = Holder::Guest(Digest([1; 32]));

    #[test]
    fn who_leaves_is_gone_after_a_while_and_not_before() {
        let mut lobby = LobbyPresence::default();
        assert!(!lobby.is_gone(ANNA, Timestamp(1_000), Timestamp(30_999)));
        assert!(lobby.is_gone(ANNA, Timestamp(1_000), Timestamp(31_000)));
        lobby.connect(ANNA, || ());
        lobby.connect(ANNA, || ());
        assert!(!lobby.is_gone(ANNA, Timestamp(0), Timestamp(99_000)));
        lobby.disconnect(ANNA, Timestamp(100_000));
        assert!(!lobby.is_gone(ANNA, Timestamp(0), Timestamp(200_000)));
        lobby.disconnect(ANNA, Timestamp(200_000));
        assert!(!lobby.is_gone(ANNA, Timestamp(0), Timestamp(229_999)));
        assert!(lobby.is_gone(ANNA, Timestamp(0), Timestamp(230_000)));
        // A new offer counts as activity.
        assert!(!lobby.is_gone(ANNA, Timestamp(230_000), Timestamp(231_000)));
    }

    #[test]
    fn only_who_is_here_or_was_a_moment_ago_is_remembered() {
        let mut lobby = LobbyPresence::default();
        lobby.connect(ANNA, || 7);
        lobby.remove_expired(Timestamp(1_000_000));
        assert_eq!(lobby.find(ANNA), Some(&7));
        lobby.disconnect(ANNA, Timestamp(1_000_000));
        lobby.remove_expired(Timestamp(1_010_000));
        assert_eq!(lobby.connect(ANNA, || 8), &7);
        lobby.disconnect(ANNA, Timestamp(1_010_000));
        lobby.remove_expired(Timestamp(1_050_000));
        assert_eq!(lobby.find(ANNA), None);
    }

    #[test]
    fn who_is_at_another_node_is_there_until_it_is_no_longer_said() {
        let mut lobby: LobbyPresence<()> = LobbyPresence::default();
        lobby.record_remote(ANNA, Timestamp(100_000));
        assert!(lobby.is_here(ANNA));
        assert_eq!(lobby.all(), [ANNA]);
        assert!(!lobby.is_gone(ANNA, Timestamp(0), Timestamp(120_000)));
        lobby.connect(ANNA, || ());
        assert_eq!(lobby.all(), [ANNA]);
        lobby.disconnect(ANNA, Timestamp(101_000));
        lobby.remove_expired(Timestamp(116_000));
        assert!(!lobby.is_here(ANNA));
        assert!(lobby.is_gone(ANNA, Timestamp(0), Timestamp(131_000)));
    }
}
