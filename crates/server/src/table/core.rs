//! The fold of a game with what the house knows beside it: who holds the seats, who may see it.

use thiserror::Error;
use touchmove_game::protocol::State;
use touchmove_game::{Event, Finding, Game, Impossible, Opening, Timestamp};
use touchmove_rules::Color;
use touchmove_store::{Decision, GameId, Holder, Moment, Seat, Seats, StoredGame};

use crate::terms::Side;
use crate::who::Who;

/// What is looked at before a move is answered, to see whether the game is dead: the material and nothing
/// else. Everything deeper is looked into while the players think.
const GLANCE: touchmove_game::Budget = touchmove_game::Budget::of_positions(0);

/// A kept game that is none.
#[derive(Debug, Error)]
#[error("the record of game {game} is damaged at event {seq}: {problem}")]
pub struct Torn {
    game: GameId,
    seq: u64,
    problem: String,
}

/// A game, and who holds its seats.
pub struct Core {
    /// The game.
    pub game: Game,
    /// Who holds the seats.
    pub holders: Seats,
    /// Whether everybody may see it in lists.
    pub is_public: bool,
    /// Where it comes from.
    pub source: String,
    /// How many outages of the house are part of it.
    pub(super) outages: usize,
    /// What the longer look found that was taken last.
    pub(super) finding: Option<Finding>,
    /// When the store will have somebody look at it, where that is known: then a later moment is not written.
    pub(super) due: Option<Moment>,
    id: GameId,
}

impl Core {
    /// Folds a game as it is kept.
    pub(super) fn open(stored: &StoredGame) -> Result<Core, Torn> {
        let id = stored.row.id;
        let torn = |seq, problem| Torn {
            game: id,
            seq,
            problem,
        };
        let opening: Opening =
            serde_json::from_str(&stored.opening).map_err(|error| torn(0, error.to_string()))?;
        let mut core = Core {
            game: Game::open(opening).with_patience(GLANCE),
            holders: stored.seats,
            is_public: stored.row.summary.public,
            source: stored.row.summary.source.clone(),
            outages: 0,
            finding: None,
            due: None,
            id,
        };
        for decision in &stored.decisions {
            core.fold(decision)?;
        }
        Ok(core)
    }

    /// Makes a decision that is kept part of the game, and says what happened.
    pub(super) fn fold(&mut self, decision: &Decision) -> Result<Vec<Event>, Torn> {
        let events = read(decision).map_err(|error| Torn {
            game: self.id,
            seq: decision.first,
            problem: error.to_string(),
        })?;
        self.evolve(&events)?;
        Ok(events)
    }

    /// Makes events part of the game.
    pub(super) fn evolve(&mut self, events: &[Event]) -> Result<(), Torn> {
        for event in events {
            self.game
                .evolve(event)
                .map_err(|impossible: Impossible| Torn {
                    game: self.id,
                    seq: event.seq,
                    problem: impossible.to_string(),
                })?;
        }
        Ok(())
    }

    /// Somebody else is about to set when the store will have somebody look at it.
    pub(crate) const fn forget_due(&mut self) {
        self.due = None;
    }

    /// How the game stands, with a word on whether the position is dead where that was looked into and not
    /// found out.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> State {
        State::of(&self.game, now).knowing(&self.game, self.finding.as_ref())
    }

    /// The seat that somebody holds.
    #[must_use]
    pub fn seat_of(&self, holder: Holder) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.holders.of(seat(color)) == Some(holder))
    }

    /// The seat of somebody who came, also if he took it before he signed in.
    #[must_use]
    pub fn seat_for(&self, who: &Who) -> Option<Color> {
        let before = || self.seat_of(who.before?);
        self.seat_of(who.holder).or_else(before)
    }

    /// The open seat that somebody gets who wants this side, if it is open; the lot is drawn where both are.
    #[must_use]
    pub(crate) fn open_seat_for(&self, side: Side) -> Option<Color> {
        let is_open = |color: &Color| self.game.seats()[*color].is_open();
        let first = Some(side.color()).filter(is_open);
        match side {
            Side::White | Side::Black => first,
            Side::Random => first.or_else(|| self.open_seat()),
        }
    }

    /// Whether a seat is still open.
    #[must_use]
    pub fn open_seat(&self) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.game.seats()[color].is_open())
    }
}

/// The events of a decision as the store keeps it: one per line.
pub(crate) fn read(decision: &Decision) -> Result<Vec<Event>, serde_json::Error> {
    decision.text.lines().map(serde_json::from_str).collect()
}

/// A seat as the store calls it.
#[must_use]
pub const fn seat(color: Color) -> Seat {
    match color {
        Color::White => Seat::White,
        Color::Black => Seat::Black,
    }
}
