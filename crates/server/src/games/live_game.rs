//! A live game: the game folded from its journal, and what the server knows beside it, such as seat holders and
//! visibility.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use thiserror::Error;
use touchmove_game::protocol::State;
use touchmove_game::{AnalysisResult, Event, EventKind, Game, ImpossibleEvent, Opening, Timestamp};
use touchmove_rules::Color;
use touchmove_store::{
    GameId, GameRow, Holder, Moment, SeatColor, SeatHolders, StoredDecision, StoredGame,
};

use crate::games::history::History;
use crate::games::stream_state::MovesText;
use crate::games::terms_request::SideRequest;

/// The budget for dead positions before a move is answered: the material and nothing else. Deeper analysis runs while
/// the players think.
const MOVE_ANALYSIS_BUDGET: touchmove_game::Budget = touchmove_game::Budget::of_positions(0);

/// A stored game that cannot be read.
#[derive(Debug, Error)]
#[error("the record of game {game} is damaged at event {seq}: {problem}")]
pub struct CorruptGame {
    game: GameId,
    seq: u64,
    problem: String,
}

/// A game with its seat holders.
pub struct LiveGame {
    /// The game.
    pub game: Game,
    /// The seat holders.
    pub holders: SeatHolders,
    /// Whether it is shown in public lists.
    pub is_public: bool,
    /// How it was created.
    pub source: String,
    /// How many outages of the server are part of it.
    pub(super) outages: usize,
    /// The result of the latest analysis.
    pub(super) finding: Option<AnalysisResult>,
    /// When the store has the game as due, where that is known: then a later time is not written.
    pub(super) due: Option<Moment>,
    /// The moves played, in UCI.
    pub(super) moves: MovesText,
    /// The plies as JSON for clients.
    pub(super) history: History,
    /// A hash of the latest decision, to compare memory with the store.
    latest_text: u64,
    id: GameId,
}

impl LiveGame {
    /// Folds a stored game.
    pub(crate) fn open(stored: &StoredGame) -> Result<LiveGame, CorruptGame> {
        let mut core = LiveGame::begin(&stored.row, &stored.opening, stored.seats)?;
        for decision in &stored.decisions {
            core.fold(decision)?;
        }
        Ok(core)
    }

    /// A stored game before its first decision.
    pub(crate) fn begin(
        row: &GameRow,
        opening: &str,
        holders: SeatHolders,
    ) -> Result<LiveGame, CorruptGame> {
        let opening: Opening = serde_json::from_str(opening).map_err(|error| CorruptGame {
            game: row.id,
            seq: 0,
            problem: error.to_string(),
        })?;
        Ok(LiveGame {
            game: Game::open(opening).with_analysis_budget(MOVE_ANALYSIS_BUDGET),
            holders,
            is_public: row.summary.public,
            source: row.summary.source.clone(),
            outages: 0,
            finding: None,
            due: None,
            moves: MovesText::default(),
            history: History::default(),
            latest_text: 0,
            id: row.id,
        })
    }

    /// Applies a stored decision; returns its events.
    pub(crate) fn fold(&mut self, decision: &StoredDecision) -> Result<Vec<Event>, CorruptGame> {
        let events = read(decision).map_err(|error| CorruptGame {
            game: self.id,
            seq: decision.first,
            problem: error.to_string(),
        })?;
        self.evolve(&events)?;
        self.note_text(&decision.text);
        Ok(events)
    }

    /// Remembers the text of the latest decision.
    pub(super) fn note_text(&mut self, text: &str) {
        self.latest_text = hash(text);
    }

    /// Whether this is the text of the latest decision.
    pub(super) fn is_latest_text(&self, text: &str) -> bool {
        self.latest_text == hash(text)
    }

    /// Applies events to the game.
    pub(super) fn evolve(&mut self, events: &[Event]) -> Result<(), CorruptGame> {
        for event in events {
            self.game
                .evolve(event)
                .map_err(|impossible: ImpossibleEvent| CorruptGame {
                    game: self.id,
                    seq: event.seq,
                    problem: impossible.to_string(),
                })?;
            self.note_move(event);
        }
        Ok(())
    }

    /// Updates the text of the moves after an event.
    fn note_move(&mut self, event: &Event) {
        match &event.deed {
            EventKind::Moved { .. } => {
                let plies = self.game.plies();
                let before = self.game.position_after(plies.len().saturating_sub(1));
                if let (Some(ply), Some(before)) = (plies.last(), before) {
                    self.moves.push(before.uci(ply.mv));
                }
            }
            EventKind::TakenBack { plies } => {
                self.moves.remove_last(*plies);
                self.history.truncate(self.game.plies().len());
            }
            _ => {}
        }
    }

    /// The id of the game.
    #[must_use]
    pub const fn id(&self) -> GameId {
        self.id
    }

    /// Forgets the due time, because another node is about to set it.
    pub(crate) const fn forget_due(&mut self) {
        self.due = None;
    }

    /// The state of the game; it says so if an analysis could not decide whether the position is dead.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> State {
        State::of(&self.game, now).with_analysis(&self.game, self.finding.as_ref())
    }

    /// The seat of a holder.
    #[must_use]
    pub fn seat_of(&self, holder: Holder) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.holders.of(seat(color)) == Some(holder))
    }

    /// The open seat for a player who wants this side, if it is open; random where both are.
    #[must_use]
    pub(crate) fn open_seat_for(&self, side: SideRequest) -> Option<Color> {
        let is_open = |color: &Color| self.game.seats()[*color].is_open();
        let first = Some(side.color()).filter(is_open);
        match side {
            SideRequest::White | SideRequest::Black => first,
            SideRequest::Random => first.or_else(|| self.open_seat()),
        }
    }

    /// An open seat, if there is one.
    #[must_use]
    pub fn open_seat(&self) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.game.seats()[color].is_open())
    }
}

/// A short hash of a decision's text.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Parses the events of a stored decision: one per line.
pub(crate) fn read(decision: &StoredDecision) -> Result<Vec<Event>, serde_json::Error> {
    decision.text.lines().map(serde_json::from_str).collect()
}

/// The store's name of a seat.
#[must_use]
pub const fn seat(color: Color) -> SeatColor {
    match color {
        Color::White => SeatColor::White,
        Color::Black => SeatColor::Black,
    }
}
