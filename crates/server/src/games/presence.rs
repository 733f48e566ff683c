//! Presence at a table: counts connections, and records when a player's last one closed. Reports of other nodes count
//! too, as long as they are repeated.

use std::collections::HashMap;

use serde::Serialize;
use touchmove_game::Timestamp;
use touchmove_rules::{ByColor, Color};

use crate::games::table::ViewerRole;

/// How long a report of another node is valid, in milliseconds: nodes repeat it every few seconds.
const REMOTE_PRESENCE_TTL_MILLIS: u64 = 15_000;

/// With more spectators than this, their number is no longer broadcast at each change.
const EXACT_SPECTATOR_COUNT: usize = 16;

/// The connections of a table.
#[derive(Clone, Debug)]
pub struct TablePresence {
    players: ByColor<PlayerPresence>,
    watching: usize,
    elsewhere: HashMap<String, RemotePresence>,
}

/// Who is present through one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodePresence {
    pub(crate) white: bool,
    pub(crate) black: bool,
    pub(crate) watching: usize,
}

impl NodePresence {
    /// Whether anybody is present.
    pub(crate) const fn is_anybody(self) -> bool {
        self.white || self.black || self.watching > 0
    }

    /// Whether this player is present.
    pub(crate) const fn has(self, player: Color) -> bool {
        match player {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

/// The report of another node.
#[derive(Clone, Copy, Debug)]
struct RemotePresence {
    there: NodePresence,
    at: Timestamp,
}

#[derive(Clone, Copy, Debug)]
struct PlayerPresence {
    connections: usize,
    /// Since when this player has no connection.
    away_since: Timestamp,
}

/// The presence at a table as it is broadcast.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PresenceSummary {
    /// Since when White is away; `null` if White is present.
    pub white_away: Option<Timestamp>,
    /// Since when Black is away; `null` if Black is present.
    pub black_away: Option<Timestamp>,
    /// The number of spectators.
    pub watching: usize,
}

impl PresenceSummary {
    /// Since when a player is away, if they are.
    #[must_use]
    pub const fn away(&self, player: Color) -> Option<Timestamp> {
        match player {
            Color::White => self.white_away,
            Color::Black => self.black_away,
        }
    }
}

impl TablePresence {
    pub(super) fn empty_since(now: Timestamp) -> TablePresence {
        let nobody = PlayerPresence {
            connections: 0,
            away_since: now,
        };
        TablePresence {
            players: ByColor {
                white: nobody,
                black: nobody,
            },
            watching: 0,
            elsewhere: HashMap::new(),
        }
    }

    /// Records the report of another node; returns whether to broadcast the change.
    pub(super) fn record_remote(
        &mut self,
        node: &str,
        there: NodePresence,
        now: Timestamp,
    ) -> bool {
        let before = self.attendance();
        let said = RemotePresence { there, at: now };
        let known = self.elsewhere.insert(node.to_owned(), said);
        if !there.is_anybody() {
            self.elsewhere.remove(node);
        }
        self.left(known, now);
        before != self.attendance()
    }

    /// Drops the reports of nodes that have gone silent; returns whether to broadcast the change.
    pub(super) fn forget(&mut self, now: Timestamp) -> bool {
        let before = self.attendance();
        let silent = |said: &RemotePresence| now.since(said.at).0 >= REMOTE_PRESENCE_TTL_MILLIS;
        let gone: Vec<_> = self.elsewhere.values().copied().filter(silent).collect();
        self.elsewhere.retain(|_, said| !silent(said));
        for said in gone {
            self.left(Some(said), now);
        }
        before != self.attendance()
    }

    /// Players who were present through a node are away from now on, unless they are present through another.
    fn left(&mut self, before: Option<RemotePresence>, now: Timestamp) {
        for color in Color::ALL {
            if before.is_some_and(|said| said.there.has(color)) && self.connections(color) == 0 {
                self.players[color].away_since = now;
            }
        }
    }

    /// The number of a player's connections; another node counts as one.
    fn connections(&self, color: Color) -> usize {
        let elsewhere = self.elsewhere.values();
        let others = elsewhere.filter(|said| said.there.has(color)).count();
        self.players[color].connections + others
    }

    /// Who is present through this node.
    pub(super) fn there(&self) -> NodePresence {
        NodePresence {
            white: self.players.white.connections > 0,
            black: self.players.black.connections > 0,
            watching: self.watching,
        }
    }

    /// Adds a connection; returns whether to broadcast the change.
    pub(super) fn connect(&mut self, place: ViewerRole) -> bool {
        match place {
            ViewerRole::Seat(color) => {
                let player = &mut self.players[color];
                player.connections += 1;
                player.connections == 1
            }
            ViewerRole::Watching => {
                self.watching += 1;
                self.watching <= EXACT_SPECTATOR_COUNT
            }
        }
    }

    /// Removes a connection; returns whether to broadcast the change.
    pub(super) fn disconnect(&mut self, place: ViewerRole, now: Timestamp) -> bool {
        match place {
            ViewerRole::Seat(color) => {
                let player = &mut self.players[color];
                player.connections = player.connections.saturating_sub(1);
                player.away_since = now;
                player.connections == 0
            }
            ViewerRole::Watching => {
                self.watching = self.watching.saturating_sub(1);
                self.watching < EXACT_SPECTATOR_COUNT
            }
        }
    }

    pub(super) fn attendance(&self) -> PresenceSummary {
        let away = |color| {
            let away_since = self.players[color].away_since;
            (self.connections(color) == 0).then_some(away_since)
        };
        let elsewhere = self.elsewhere.values();
        let watching: usize = elsewhere.map(|said| said.there.watching).sum();
        PresenceSummary {
            white_away: away(Color::White),
            black_away: away(Color::Black),
            watching: self.watching + watching,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_with_two_windows_is_away_when_both_are_closed() {
        let mut presence = TablePresence::empty_since(Timestamp(1));
        let white = ViewerRole::Seat(Color::White);
        assert!(presence.connect(white) && !presence.connect(white));
        assert!(!presence.disconnect(white, Timestamp(5)));
        assert_eq!(presence.attendance().white_away, None);
        assert!(presence.disconnect(white, Timestamp(9)));
        assert_eq!(presence.attendance().white_away, Some(Timestamp(9)));
        assert_eq!(presence.attendance().black_away, Some(Timestamp(1)));
    }

    #[test]
    fn a_crowd_is_counted_quietly() {
        let mut presence = TablePresence::empty_since(Timestamp(1));
        let told = (0..1_000).filter(|_| presence.connect(ViewerRole::Watching));
        assert_eq!(told.count(), EXACT_SPECTATOR_COUNT);
        assert_eq!(presence.attendance().watching, 1_000);
    }

    #[test]
    fn a_player_at_another_node_is_there_until_it_says_otherwise_or_nothing() {
        let mut presence = TablePresence::empty_since(Timestamp(1));
        let there = NodePresence {
            white: true,
            black: false,
            watching: 3,
        };
        assert!(presence.record_remote("one", there, Timestamp(1_000)));
        assert!(!presence.record_remote("one", there, Timestamp(2_000)));
        presence.connect(ViewerRole::Watching);
        let told = presence.attendance();
        assert_eq!((told.white_away, told.watching), (None, 4));
        assert!(!presence.there().white);
        // White connects here, and the other node dies.
        presence.connect(ViewerRole::Seat(Color::White));
        assert!(presence.forget(Timestamp(17_000)));
        assert_eq!(presence.attendance().white_away, None);
        presence.record_remote("two", there, Timestamp(20_000));
        presence.disconnect(ViewerRole::Seat(Color::White), Timestamp(21_000));
        assert_eq!(presence.attendance().white_away, None);
        let nobody = NodePresence {
            white: false,
            watching: 0,
            ..there
        };
        assert!(presence.record_remote("two", nobody, Timestamp(22_000)));
        assert_eq!(presence.attendance().white_away, Some(Timestamp(22_000)));
    }
}
