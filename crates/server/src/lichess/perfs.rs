//! The kind (`perf`) of games. The first event of a game determines it for ever, so no game is folded for it.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;

use lru::LruCache;
use touchmove_game::Opening;
use touchmove_store::{Error, GameId};

use crate::Server;
use crate::lichess::json;
use crate::lock_ext::LockExt as _;

/// How many games are cached.
const MAX_GAMES: NonZeroUsize = NonZeroUsize::new(10_000).unwrap();

/// The cached kinds of recently requested games.
pub(crate) struct GameKinds {
    known: Mutex<LruCache<GameId, &'static str>>,
}

impl Default for GameKinds {
    fn default() -> GameKinds {
        GameKinds {
            known: Mutex::new(LruCache::new(MAX_GAMES)),
        }
    }
}

impl GameKinds {
    /// The kinds that are cached, and the games whose kinds are not.
    fn find(&self, games: &[GameId]) -> (HashMap<GameId, &'static str>, Vec<GameId>) {
        let mut known = self.known.locked();
        let (mut kinds, mut unknown) = (HashMap::new(), Vec::new());
        for game in games {
            match known.get(game) {
                Some(kind) => drop(kinds.insert(*game, *kind)),
                None => unknown.push(*game),
            }
        }
        (kinds, unknown)
    }
}

impl Server {
    /// The kinds of games; unknown or unreadable games have none.
    pub(super) async fn kinds(
        &self,
        games: &[GameId],
    ) -> Result<HashMap<GameId, &'static str>, Error> {
        let (mut kinds, unknown) = self.kinds.find(games);
        if unknown.is_empty() {
            return Ok(kinds);
        }
        for head in self.store.heads(unknown).await? {
            if let Ok(opening) = serde_json::from_str::<Opening>(&head.opening) {
                let kind = json::perf(&opening.terms).0;
                self.kinds.known.locked().put(head.row.id, kind);
                kinds.insert(head.row.id, kind);
            }
        }
        Ok(kinds)
    }
}
