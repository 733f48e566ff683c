//! The computer as an opponent. It holds a seat like a player, is present as long as a player is, and submits its
//! moves as commands.

pub(crate) mod play;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock};

use serde::Deserialize;
use serde::de::IgnoredAny;
use touchmove_engine::{Level, ParseLevelError};
use touchmove_game::Seat;
use touchmove_rules::Color;
use touchmove_store::{GameId, Holder, PersonId};

use crate::Server;
use crate::api::ApiError;
use crate::auth::identity;
use crate::games::new_game::SeatAssignment;
use crate::games::table::{LiveGame, Table, seat};
use crate::lock_ext::LockExt as _;
use crate::security::{Client, Limits};
use crate::spawn::{catch_panic, spawn_boxed};
use crate::work_queue::{WorkLimits, WorkOwner, WorkQueue, processors};
use play::play;

/// Earlier versions had five numbered levels; their games go on with the nearest current level.
const LEGACY_LEVELS: [Level; 5] = [
    Level::ClubNovice,
    Level::Club,
    Level::StrongClub,
    Level::Expert,
    Level::Master,
];

/// The computer player of this server.
pub(crate) struct ComputerPlayer {
    /// The games that it plays now.
    playing: Mutex<HashSet<GameId>>,
    /// The queue of its searches, on half the processors by default. Addresses take turns: twenty games of one
    /// address delay another by one search at most.
    thinking: WorkQueue,
    /// The levels that have accounts.
    accounts: OnceLock<Vec<(PersonId, Level)>>,
}

impl ComputerPlayer {
    pub(crate) fn new(limits: &Limits) -> ComputerPlayer {
        ComputerPlayer {
            playing: Mutex::default(),
            thinking: WorkQueue::new(
                "computer",
                "the computer thinks about too many games",
                WorkLimits::unbounded(processors(limits.work_percent)),
            ),
            accounts: OnceLock::new(),
        }
    }

    /// Sets which levels have accounts, once, when the server is opened.
    pub(crate) fn set_accounts(&self, accounts: Vec<(PersonId, Level)>) {
        // This is called only once.
        let _ = self.accounts.set(accounts);
    }

    /// How many games it plays now.
    pub(crate) fn active_games(&self) -> usize {
        self.playing.locked().len()
    }

    fn accounts(&self) -> &[(PersonId, Level)] {
        self.accounts.get().map_or(&[], Vec::as_slice)
    }

    /// The computer's seat at a table, and how it plays there.
    fn seat(&self, core: &LiveGame) -> Option<(Color, ComputerStyle)> {
        let accounts = self.accounts().iter();
        let accounts = accounts.map(|(person, level)| (Holder::Person(*person), *level, true));
        let named = [true, false].into_iter().flat_map(|resigns| {
            Level::ALL.map(|level| (holder(&words(level, resigns)), level, resigns))
        });
        let former = (1..).zip(LEGACY_LEVELS).map(|(number, level)| {
            (
                holder(&format!("the computer, level {number}")),
                level,
                true,
            )
        });
        let mut known = accounts.chain(named).chain(former);
        known.find_map(|(holder, level, resigns)| {
            let color = core.seat_of(holder)?;
            let seed = match &core.game.seats()[color] {
                Seat::Taken(name) => seed_in(name),
                Seat::Open => None,
            };
            Some((
                color,
                ComputerStyle {
                    level,
                    seed,
                    resigns,
                },
            ))
        })
    }
}

/// How the computer plays a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ComputerStyle {
    pub(crate) level: Level,
    /// The seed of its random choices, if it was given.
    pub(crate) seed: Option<u32>,
    /// Whether it resigns hopeless games.
    pub(crate) resigns: bool,
}

impl From<Level> for ComputerStyle {
    fn from(level: Level) -> ComputerStyle {
        ComputerStyle {
            level,
            seed: None,
            resigns: true,
        }
    }
}

impl ComputerStyle {
    /// Its name without an account. The seed is shown, because the opponent may know it.
    fn title(self) -> String {
        let title = self.level.title();
        match self.seed {
            Some(seed) => format!("Computer ({title}, seed {seed})"),
            None => format!("Computer ({title})"),
        }
    }
}

/// Parses the seed from the name of a computer's seat.
fn seed_in(name: &str) -> Option<u32> {
    let (_, seed) = name.strip_suffix(')')?.rsplit_once(", seed ")?;
    seed.parse().ok()
}

/// The text whose hash identifies its seats without an account.
fn words(level: Level, resigns: bool) -> String {
    match resigns {
        true => format!("the computer as {level}"),
        false => format!("the computer as {level}, to the end"),
    }
}

/// A requested level: a name or a number.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "LevelRequestRepr")]
pub(crate) struct LevelRequest(pub(crate) Level);

/// A level in JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum LevelRequestRepr {
    Number(u8),
    Name(String),
    Other(IgnoredAny),
}

impl TryFrom<LevelRequestRepr> for LevelRequest {
    type Error = ParseLevelError;

    fn try_from(asked: LevelRequestRepr) -> Result<LevelRequest, ParseLevelError> {
        let text = match asked {
            LevelRequestRepr::Number(number) => number.to_string(),
            LevelRequestRepr::Name(name) => name,
            LevelRequestRepr::Other(_) => String::new(),
        };
        text.parse().map(LevelRequest)
    }
}

/// The holder of the computer's seats. No guest's secret has this hash, because guests' secrets have other prefixes.
fn holder(text: &str) -> Holder {
    Holder::Guest(identity::digest(text))
}

impl Server {
    /// A seat assignment for the computer: the account of the level, where it has one.
    ///
    /// # Errors
    /// If the host does not allow this level.
    pub(crate) fn seated_computer(
        &self,
        manner: ComputerStyle,
    ) -> Result<SeatAssignment, ApiError> {
        let level = manner.level;
        if !self.settings.levels.contains(&level) {
            let names: Vec<_> = self
                .settings
                .levels
                .iter()
                .map(|level| level.name())
                .collect();
            return Err(ApiError::forbidden(match names.is_empty() {
                true => "the computer does not play on this server".to_owned(),
                false => format!(
                    "the computer does not play as {level} on this server, but as {}",
                    names.join(", ")
                ),
            }));
        }
        let mut accounts = self.computer.accounts().iter();
        let account = accounts.find(|(_, known)| *known == level);
        Ok(
            match account.filter(|_| manner == ComputerStyle::from(level)) {
                Some((person, _)) => SeatAssignment {
                    name: level.name().to_owned(),
                    holder: Holder::Person(*person),
                },
                None => SeatAssignment {
                    name: manner.title(),
                    holder: holder(&words(level, manner.resigns)),
                },
            },
        )
    }

    /// Brings the computer to a table where it has a seat, if it is not there yet. Its searches count for the client
    /// who has connected, or for the other player where no address is known.
    pub(crate) async fn seat_computer(
        self: &Arc<Server>,
        table: &Arc<Table>,
        client: Option<Client>,
    ) {
        let core = table.lock().await;
        let found = self.computer.seat(&core);
        let found = found.filter(|_| core.game.ending().is_none());
        let holders = core.holders;
        drop(core);
        let Some((color, manner)) = found else { return };
        let owner = match (client, holders.of(seat(!color))) {
            (Some(client), _) => client.into(),
            (None, Some(holder)) => WorkOwner::Holder(holder),
            (None, None) => WorkOwner::Server,
        };
        if self.computer.playing.locked().insert(table.id()) {
            let (server, table) = (Arc::clone(self), Arc::clone(table));
            spawn_boxed(async move {
                // If it panics, its entry is removed, so that it can come again.
                catch_panic(
                    "the computer",
                    play(&server, &table, color, (manner, owner)),
                )
                .await;
                server.computer.playing.locked().remove(&table.id());
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_read_from_the_name_that_it_was_written_into() {
        for seed in [None, Some(0), Some(u32::MAX)] {
            let manner = ComputerStyle {
                seed,
                ..ComputerStyle::from(Level::Full)
            };
            assert_eq!(seed_in(&manner.title()), seed);
        }
        assert_eq!(seed_in("first-steps"), None);
    }
}
