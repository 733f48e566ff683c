//! Creates games: a table with one seat taken and a link for the other, or a game whose two players are known.

use std::sync::Arc;

use touchmove_game::{Game, Opening, Seat, Seats, Terms, Timestamp, journal, position_status};
use touchmove_rules::{ByColor, Color};
use touchmove_store::{
    CreateResult, GameId, GamePhase, GameSummary, Holder, NewGame, PlayerSummary,
    SeatHolders as Holders,
};

use crate::clock::to_moment;
use crate::games::table::{DUE_GRACE_MILLIS, GameError};
use crate::{Server, random};

/// How long an open seat waits for a player, in milliseconds.
pub const OPEN_SEAT_TTL_MILLIS: u64 = 7 * 24 * 60 * 60 * 1000;

/// The source of a game created by a challenge. While a seat is open, only those who have its links see it.
pub const CHALLENGE_SOURCE: &str = "challenge";

/// A player who has a seat from the beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatAssignment {
    /// The player's name.
    pub name: String,
    /// The account or guest.
    pub holder: Holder,
}

/// The specification of a new game.
#[derive(Clone, Debug)]
pub struct NewGameSpec {
    /// The terms.
    pub terms: Terms,
    /// The players; a seat may be open.
    pub seats: ByColor<Option<SeatAssignment>>,
    /// Whether it is shown in public lists.
    pub is_public: bool,
    /// How it was created: by a link, the lobby, a challenge, a rematch.
    pub source: &'static str,
}

impl NewGameSpec {
    /// The game's row for the store; the error is a sentence.
    ///
    /// # Errors
    /// If the game would be over before its first move.
    pub fn game(&self, id: GameId, now: Timestamp) -> Result<NewGame, String> {
        let seat = |color: Color| match &self.seats[color] {
            Some(seated) => Seat::taken(seated.name.clone()),
            None => Seat::Open,
        };
        let opening = Opening {
            at: now,
            seats: Seats {
                white: seat(Color::White),
                black: seat(Color::Black),
            },
            terms: self.terms.clone(),
        };
        let (game, decided) = Game::start(opening.clone(), position_status::MOVE_ANALYSIS_BUDGET);
        if !decided.is_empty() {
            return Err("the start: the game would be over before its first move".to_owned());
        }
        let is_waiting = Color::ALL
            .into_iter()
            .any(|color| self.seats[color].is_none());
        let due = match is_waiting {
            true => Some(to_moment(Timestamp(
                now.0.saturating_add(OPEN_SEAT_TTL_MILLIS),
            ))),
            false => game
                .deadline()
                .map(|deadline| to_moment(Timestamp(deadline.0.saturating_add(DUE_GRACE_MILLIS)))),
        };
        let player = |color: Color| match &self.seats[color] {
            None => PlayerSummary::default(),
            Some(seated) => PlayerSummary {
                name: Some(seated.name.clone()),
                person: match seated.holder {
                    Holder::Person(person) => Some(person),
                    Holder::Guest(_) => None,
                },
            },
        };
        let holder = |color: Color| self.seats[color].as_ref().map(|seated| seated.holder);
        let (phase, status) = match is_waiting {
            true => (GamePhase::Waiting, "waiting"),
            false => (GamePhase::Running, "started"),
        };
        Ok(NewGame {
            id,
            mark: random::write_id(),
            created: to_moment(now),
            opening: journal::line(&opening).trim_end().to_owned(),
            summary: GameSummary {
                white: player(Color::White),
                black: player(Color::Black),
                phase,
                status: status.to_owned(),
                last_activity: to_moment(now),
                public: self.is_public,
                ..GameSummary::of(&self.terms.variant().to_string(), self.source)
            },
            seats: Holders {
                white: holder(Color::White),
                black: holder(Color::Black),
            },
            due,
        })
    }
}

/// Why a game could not be created.
#[derive(Debug, thiserror::Error)]
pub enum NewGameError {
    /// The specification is invalid.
    #[error("{0}")]
    Senseless(String),
    /// It could not be stored.
    #[error("{0}")]
    Trouble(#[from] GameError),
}

impl Server {
    /// Creates a game; returns its id.
    ///
    /// # Errors
    /// If the specification is invalid, or the game could not be stored.
    pub async fn create_game(
        self: &Arc<Server>,
        founding: &NewGameSpec,
    ) -> Result<GameId, NewGameError> {
        loop {
            let id = new_game_id();
            let game = founding
                .game(id, self.now())
                .map_err(NewGameError::Senseless)?;
            match self
                .store
                .create_game(game)
                .await
                .map_err(GameError::from)?
            {
                CreateResult::Written | CreateResult::Already => return Ok(id),
                CreateResult::IdTaken => {}
            }
        }
    }
}

/// A random game id.
#[must_use]
pub fn new_game_id() -> GameId {
    loop {
        if let Ok(id) = random::random_base62(8).parse() {
            return id;
        }
    }
}
