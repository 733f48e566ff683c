//! The fold of a game with what the house knows beside it: who holds the seats, who may see it.

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

/// What is looked at before a move is answered, to see whether the game is dead: the material and nothing
/// else. Everything deeper is looked into while the players think.
const MOVE_ANALYSIS_BUDGET: touchmove_game::Budget = touchmove_game::Budget::of_positions(0);

/// A kept game that is none.
#[derive(Debug, Error)]
#[error("the record of game {game} is damaged at event {seq}: {problem}")]
pub struct CorruptGame {
    game: GameId,
    seq: u64,
    problem: String,
}

/// A game, and who holds its seats.
pub struct LiveGame {
    /// The game.
    pub game: Game,
    /// Who holds the seats.
    pub holders: SeatHolders,
    /// Whether everybody may see it in lists.
    pub is_public: bool,
    /// Where it comes from.
    pub source: String,
    /// How many outages of the house are part of it.
    pub(super) outages: usize,
    /// What the longer look found that was taken last.
    pub(super) finding: Option<AnalysisResult>,
    /// When the store will have somebody look at it, where that is known: then a later moment is not written.
    pub(super) due: Option<Moment>,
    /// The moves that stand.
    pub(super) moves: MovesText,
    /// The plies as clients are shown them.
    pub(super) history: History,
    /// What the latest decision says, as a hash: by this what is in memory is compared with the store.
    latest_text: u64,
    id: GameId,
}

impl LiveGame {
    /// Folds a game as it is kept.
    pub(crate) fn open(stored: &StoredGame) -> Result<LiveGame, CorruptGame> {
        let mut core = LiveGame::begin(&stored.row, &stored.opening, stored.seats)?;
        for decision in &stored.decisions {
            core.fold(decision)?;
        }
        Ok(core)
    }

    /// A game as it is kept, before its first decision.
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

    /// Makes a decision that is kept part of the game, and says what happened.
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

    /// Notes what the latest decision says.
    pub(super) fn note_text(&mut self, text: &str) {
        self.latest_text = hash(text);
    }

    /// Whether this is what the latest decision says.
    pub(super) fn is_latest_text(&self, text: &str) -> bool {
        self.latest_text == hash(text)
    }

    /// Makes events part of the game.
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

    /// Keeps the text of the moves as an event of the game left them.
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

    /// Somebody else is about to set when the store will have somebody look at it.
    pub(crate) const fn forget_due(&mut self) {
        self.due = None;
    }

    /// How the game stands, with a word on whether the position is dead where that was looked into and not
    /// found out.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> State {
        State::of(&self.game, now).with_analysis(&self.game, self.finding.as_ref())
    }

    /// The seat that somebody holds.
    #[must_use]
    pub fn seat_of(&self, holder: Holder) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|&color| self.holders.of(seat(color)) == Some(holder))
    }

    /// The open seat that somebody gets who wants this side, if it is open; the lot is drawn where both are.
    #[must_use]
    pub(crate) fn open_seat_for(&self, side: SideRequest) -> Option<Color> {
        let is_open = |color: &Color| self.game.seats()[*color].is_open();
        let first = Some(side.color()).filter(is_open);
        match side {
            SideRequest::White | SideRequest::Black => first,
            SideRequest::Random => first.or_else(|| self.open_seat()),
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

/// A short hash of what a decision says.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The events of a decision as the store keeps it: one per line.
pub(crate) fn read(decision: &StoredDecision) -> Result<Vec<Event>, serde_json::Error> {
    decision.text.lines().map(serde_json::from_str).collect()
}

/// A seat as the store calls it.
#[must_use]
pub const fn seat(color: Color) -> SeatColor {
    match color {
        Color::White => SeatColor::White,
        Color::Black => SeatColor::Black,
    }
}
