//! Who is in the lobby, and who has just left it.

use std::collections::HashMap;

use touchmove_game::{Millis, Timestamp};
use touchmove_store::Holder;

/// How long somebody may be gone before he counts as gone: a page that is loaded again takes less.
pub const PRESENCE_GRACE_MILLIS: Millis = Millis::seconds(30);

/// How long what another node says of somebody holds: it says it every few seconds.
const REMOTE_PRESENCE_TTL_MILLIS: Millis = Millis::seconds(15);

/// Those who are here, with what belongs to each, and those who left a moment ago.
#[derive(Debug)]
pub struct LobbyPresence<T> {
    local: HashMap<Holder, LocalPresence<T>>,
    /// Those who are in the lobby by way of another node, and when that was last said.
    elsewhere: HashMap<Holder, Timestamp>,
}

#[derive(Debug)]
struct LocalPresence<T> {
    connections: usize,
    /// When the last connection went.
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
    /// Somebody comes; what belongs to him is made if he was not here before.
    pub fn connect(&mut self, holder: Holder, make: impl FnOnce() -> T) -> &T {
        let here = self.local.entry(holder).or_insert_with(|| LocalPresence {
            connections: 0,
            left: Timestamp(0),
            belongings: make(),
        });
        here.connections += 1;
        &here.belongings
    }

    /// A connection of somebody goes.
    pub fn disconnect(&mut self, holder: Holder, now: Timestamp) {
        if let Some(here) = self.local.get_mut(&holder) {
            here.connections = here.connections.saturating_sub(1);
            here.left = now;
        }
    }

    /// What belongs to somebody who is here or was a moment ago.
    #[must_use]
    pub fn find(&self, holder: Holder) -> Option<&T> {
        self.local.get(&holder).map(|here| &here.belongings)
    }

    /// What belongs to everybody who is here or was a moment ago.
    pub fn belongings(&self) -> impl Iterator<Item = &T> + '_ {
        self.local.values().map(|here| &here.belongings)
    }

    /// Another node says that somebody is there.
    pub fn record_remote(&mut self, holder: Holder, now: Timestamp) {
        self.elsewhere.insert(holder, now);
    }

    /// Whether somebody is here now, or was at another node when it was last heard of.
    #[must_use]
    pub fn is_here(&self, holder: Holder) -> bool {
        let here = self.local.get(&holder);
        here.is_some_and(|here| here.connections > 0) || self.elsewhere.contains_key(&holder)
    }

    /// Those who are here now, or were at another node when it was last heard of.
    #[must_use]
    pub fn all(&self) -> Vec<Holder> {
        let mut everybody: Vec<_> = self.elsewhere.keys().copied().collect();
        everybody.extend(
            self.local()
                .filter(|holder| !self.elsewhere.contains_key(holder)),
        );
        everybody
    }

    /// Those who are here now.
    pub fn local(&self) -> impl Iterator<Item = Holder> + '_ {
        let here = self.local.iter().filter(|(_, here)| here.connections > 0);
        here.map(|(holder, _)| *holder)
    }

    /// Whether somebody has been away for too long, who was last heard of otherwise at `heard`.
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

    /// Forgets those who have been away for too long.
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
        // A new offer is a sign of life.
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
