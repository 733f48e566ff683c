//! Who is at a table: connections are counted, and when a player's last one goes, that moment is kept.

use serde::Serialize;
use touchmove_game::Timestamp;
use touchmove_rules::{ByColor, Color};

use super::Place;

/// How many may watch before their number is no longer told at each coming and going.
const FEW: usize = 16;

/// The connections of a table.
#[derive(Clone, Debug)]
pub struct Presence {
    players: ByColor<Player>,
    watching: usize,
}

#[derive(Clone, Copy, Debug)]
struct Player {
    connections: usize,
    /// Since when there is none.
    away_since: Timestamp,
}

/// Who is there, as everybody is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Attendance {
    /// Since when White is away; `null` if White is there.
    pub white_away: Option<Timestamp>,
    /// The same of Black.
    pub black_away: Option<Timestamp>,
    /// How many watch.
    pub watching: usize,
}

impl Attendance {
    /// Since when a player is away, if he is.
    #[must_use]
    pub const fn away(&self, player: Color) -> Option<Timestamp> {
        match player {
            Color::White => self.white_away,
            Color::Black => self.black_away,
        }
    }
}

impl Presence {
    pub(super) fn empty_since(now: Timestamp) -> Presence {
        let nobody = Player {
            connections: 0,
            away_since: now,
        };
        Presence {
            players: ByColor {
                white: nobody,
                black: nobody,
            },
            watching: 0,
        }
    }

    /// Somebody comes; whether that is worth telling.
    pub(super) fn comes(&mut self, place: Place) -> bool {
        match place {
            Place::Seat(color) => {
                let player = &mut self.players[color];
                player.connections += 1;
                player.connections == 1
            }
            Place::Watching => {
                self.watching += 1;
                self.watching <= FEW
            }
        }
    }

    /// Somebody goes; whether that is worth telling.
    pub(super) fn goes(&mut self, place: Place, now: Timestamp) -> bool {
        match place {
            Place::Seat(color) => {
                let player = &mut self.players[color];
                player.connections = player.connections.saturating_sub(1);
                player.away_since = now;
                player.connections == 0
            }
            Place::Watching => {
                self.watching = self.watching.saturating_sub(1);
                self.watching < FEW
            }
        }
    }

    pub(super) fn attendance(&self) -> Attendance {
        let away = |color| {
            let player: Player = self.players[color];
            (player.connections == 0).then_some(player.away_since)
        };
        Attendance {
            white_away: away(Color::White),
            black_away: away(Color::Black),
            watching: self.watching,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_with_two_windows_is_away_when_both_are_closed() {
        let mut presence = Presence::empty_since(Timestamp(1));
        let white = Place::Seat(Color::White);
        assert!(presence.comes(white) && !presence.comes(white));
        assert!(!presence.goes(white, Timestamp(5)));
        assert_eq!(presence.attendance().white_away, None);
        assert!(presence.goes(white, Timestamp(9)));
        assert_eq!(presence.attendance().white_away, Some(Timestamp(9)));
        assert_eq!(presence.attendance().black_away, Some(Timestamp(1)));
    }

    #[test]
    fn a_crowd_is_counted_quietly() {
        let mut presence = Presence::empty_since(Timestamp(1));
        let told = (0..1_000).filter(|_| presence.comes(Place::Watching));
        assert_eq!(told.count(), FEW);
        assert_eq!(presence.attendance().watching, 1_000);
    }
}
