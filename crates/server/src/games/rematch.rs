//! Rematches: the offer after a game, and the new game with colours swapped.

use std::sync::Arc;

use serde::Serialize;
use touchmove_game::Seat;
use touchmove_game::protocol::RefusalMessage;
use touchmove_rules::{ByColor, Color, Setup, Variant};
use touchmove_store::{CreateResult, GameId};

use crate::Server;
use crate::cluster::ClusterMessage;
use crate::games::live_game::LiveGame;
use crate::games::new_game::{NewGameSpec, SeatAssignment};
use crate::games::table::{Audience, GameError, Table, TableUpdate, seat};
use crate::games::terms_request::random_chess960_start;
use crate::games::update::message;
use crate::lock_ext::LockExt as _;

/// A rematch of a game with fewer plies counts as a new table: otherwise two players who resign and play again could
/// create games without end.
const SHORT_GAME_PLIES: usize = 20;

/// Who wants a rematch.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub(crate) struct RematchState {
    offer: Option<Color>,
    #[serde(serialize_with = "as_text")]
    pub(super) game: Option<GameId>,
}

fn as_text<S: serde::Serializer>(id: &Option<GameId>, serializer: S) -> Result<S::Ok, S::Error> {
    match id {
        Some(id) => serializer.collect_str(id),
        None => serializer.serialize_none(),
    }
}

impl Table {
    /// Applies the rematch state from another node. If the two players have asked at different nodes, the new game
    /// begins.
    ///
    /// # Errors
    /// If it could not be stored.
    pub(crate) async fn receive_rematch(
        self: &Arc<Table>,
        server: &Arc<Server>,
        offer: Option<Color>,
        is_begun: bool,
    ) -> Result<(), GameError> {
        let talk = self.talk(server).await?;
        let before = talk.locked().rematch;
        let now = match (before.game, before.offer, offer) {
            (Some(_), ..) => return Ok(()),
            _ if is_begun => RematchState {
                offer: None,
                game: Some(server.keys.rematch_id(self.id())),
            },
            (None, Some(known), Some(offer)) if known != offer => {
                return self.rematch(server, offer).await.map(drop);
            }
            // The state is repeated regularly.
            (None, known, offer) if known == offer => return Ok(()),
            (None, ..) => RematchState { offer, game: None },
        };
        talk.locked().rematch = now;
        self.broadcast(TableUpdate::other(Audience::All, message("rematch", now)));
        Ok(())
    }

    fn broadcast_rematch(&self, server: &Server, now: RematchState) {
        if let Some(bus) = &server.bus {
            bus.publish(&ClusterMessage::Rematch {
                game: self.id(),
                offer: now.offer,
                is_begun: now.game.is_some(),
            });
        }
    }

    /// Publishes the rematch offer of a player on this node again, in case the message was lost.
    pub(crate) fn repeat_rematch(&self, server: &Server) {
        let Some(rematch) = self.talk.get().map(|talk| talk.locked().rematch) else {
            return;
        };
        if rematch
            .offer
            .is_some_and(|color| self.local_presence().has(color))
        {
            self.broadcast_rematch(server, rematch);
        }
    }

    /// Whether a rematch of this game is limited like a new table.
    pub(crate) async fn is_short(&self) -> bool {
        self.lock().await.game.plies().len() < SHORT_GAME_PLIES
    }

    /// A player offers a rematch; if both do, the new game begins.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn rematch(
        self: &Arc<Table>,
        server: &Arc<Server>,
        by: Color,
    ) -> Result<Result<(), RefusalMessage>, GameError> {
        let core = self.lock().await;
        if core.game.ending().is_none() {
            let denial = RefusalMessage::new("no_rematch", "the game is not over yet");
            return Ok(Err(denial));
        }
        if Color::ALL
            .iter()
            .any(|&color| core.game.seats()[color].is_open())
        {
            let text = "nobody sat down at the other side: there is nobody to play again with";
            return Ok(Err(RefusalMessage::new("no_rematch", text)));
        }
        let talk = self.talk(server).await?;
        let before = talk.locked().rematch;
        let now = match (before.game, before.offer) {
            (Some(_), _) => before,
            (None, Some(offer)) if offer != by => RematchState {
                offer: None,
                game: Some(self.play_again(server, &core).await?),
            },
            (None, _) => RematchState {
                offer: Some(by),
                game: None,
            },
        };
        talk.locked().rematch = now;
        drop(core);
        self.broadcast_rematch(server, now);
        self.broadcast(TableUpdate::other(Audience::All, message("rematch", now)));
        Ok(Ok(()))
    }

    /// A player declines the rematch.
    ///
    /// # Errors
    /// If the state cannot be read from the store.
    pub async fn decline_rematch(&self, server: &Server) -> Result<(), GameError> {
        let talk = self.talk(server).await?;
        let mut locked = talk.locked();
        if locked.rematch.offer.take().is_some() {
            let now = locked.rematch;
            drop(locked);
            self.broadcast_rematch(server, now);
            self.broadcast(TableUpdate::other(Audience::All, message("rematch", now)));
        }
        Ok(())
    }

    /// Creates the rematch, with colours swapped.
    async fn play_again(&self, server: &Arc<Server>, core: &LiveGame) -> Result<GameId, GameError> {
        let seated = |color: Color| {
            let holder = core.holders.of(seat(color))?;
            let name = match &core.game.seats()[color] {
                Seat::Taken(name) => name.clone(),
                Seat::Open => return None,
            };
            Some(SeatAssignment { name, holder })
        };
        let mut terms = core.game.terms().clone();
        let numbered = |setup: &Setup| setup.chess960_number().is_some();
        if terms.variant() == Variant::Chess960 && numbered(&terms.start.setup()) {
            terms.start = random_chess960_start().unwrap_or(terms.start);
        }
        let founding = NewGameSpec {
            terms,
            seats: ByColor {
                white: seated(Color::Black),
                black: seated(Color::White),
            },
            is_public: core.is_public,
            source: "rematch",
        };
        let id = server.keys.rematch_id(self.id());
        let game = founding.game(id, server.now());
        let game = game.map_err(|_| GameError::NoGame)?;
        match server.store.create_game(game).await? {
            // Another node or request created the same rematch.
            CreateResult::Written | CreateResult::Already | CreateResult::IdTaken => Ok(id),
        }
    }
}
