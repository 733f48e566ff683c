//! How games begin: a table with one seat taken and a link for the other, or one at which two people sit
//! down at once.

use std::sync::Arc;

use touchmove_game::{Game, Opening, Seat, Seats, Terms, Timestamp, journal, position_status};
use touchmove_rules::{ByColor, Color};
use touchmove_store::{Created, GameId, Holder, NewGame, Phase, Player, Seats as Holders, Summary};

use crate::clock::moment;
use crate::games::table::{GRACE, Trouble};
use crate::{House, random};

/// How long an open seat waits for somebody, in milliseconds.
pub const WAITS: u64 = 7 * 24 * 60 * 60 * 1000;

/// The source of a game that was a challenge; one that still waits is open to those who have its links.
pub const CHALLENGE: &str = "challenge";

/// Somebody who has a seat from the beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seated {
    /// What he is called.
    pub name: String,
    /// Who it is.
    pub holder: Holder,
}

/// A game that is to begin.
#[derive(Clone, Debug)]
pub struct Founding {
    /// What is played.
    pub terms: Terms,
    /// Who sits where; a seat may be open.
    pub seats: ByColor<Option<Seated>>,
    /// Whether everybody may see it in lists.
    pub is_public: bool,
    /// Where it comes from: a link, the lobby, a challenge, a rematch.
    pub source: &'static str,
}

impl Founding {
    /// The game as the store takes it; the error is a sentence.
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
        let (game, decided) = Game::start(opening.clone(), position_status::AT_THE_TABLE);
        if !decided.is_empty() {
            return Err("the start: the game would be over before its first move".to_owned());
        }
        let is_waiting = Color::ALL
            .into_iter()
            .any(|color| self.seats[color].is_none());
        let due = match is_waiting {
            true => Some(moment(Timestamp(now.0.saturating_add(WAITS)))),
            false => game
                .deadline()
                .map(|deadline| moment(Timestamp(deadline.0.saturating_add(GRACE)))),
        };
        let player = |color: Color| match &self.seats[color] {
            None => Player::default(),
            Some(seated) => Player {
                name: Some(seated.name.clone()),
                person: match seated.holder {
                    Holder::Person(person) => Some(person),
                    Holder::Guest(_) => None,
                },
            },
        };
        let holder = |color: Color| self.seats[color].as_ref().map(|seated| seated.holder);
        let (phase, status) = match is_waiting {
            true => (Phase::Waiting, "waiting"),
            false => (Phase::Running, "started"),
        };
        Ok(NewGame {
            id,
            mark: random::mark(),
            created: moment(now),
            opening: journal::line(&opening).trim_end().to_owned(),
            summary: Summary {
                white: player(Color::White),
                black: player(Color::Black),
                phase,
                status: status.to_owned(),
                last_activity: moment(now),
                public: self.is_public,
                ..Summary::of(&self.terms.variant().to_string(), self.source)
            },
            seats: Holders {
                white: holder(Color::White),
                black: holder(Color::Black),
            },
            due,
        })
    }
}

/// Why a game did not begin.
#[derive(Debug, thiserror::Error)]
pub enum FoundError {
    /// It makes no sense.
    #[error("{0}")]
    Senseless(String),
    /// It could not be written down.
    #[error("{0}")]
    Trouble(#[from] Trouble),
}

impl House {
    /// Begins a game, and says its id.
    ///
    /// # Errors
    /// If the game makes no sense, or could not be written down.
    pub async fn found(self: &Arc<House>, founding: &Founding) -> Result<GameId, FoundError> {
        loop {
            let id = new_id();
            let game = founding
                .game(id, self.now())
                .map_err(FoundError::Senseless)?;
            match self.store.create(game).await.map_err(Trouble::from)? {
                Created::Written | Created::Already => return Ok(id),
                Created::IdTaken => {}
            }
        }
    }
}

/// An id for a game.
#[must_use]
pub fn new_id() -> GameId {
    loop {
        if let Ok(id) = random::text(8).parse() {
            return id;
        }
    }
}
