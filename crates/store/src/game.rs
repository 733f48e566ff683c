//! What is kept of a game: its opening, its decisions, a summary for lists, when it is due. What the
//! texts say is the game's business.

use crate::{GameCursor, GameId, Holder, Moment, PersonId, SeatColor, SeatHolders, WriteId};

/// How far a game is, as lists see it.
///
/// ```
/// use touchmove_store::GamePhase;
///
/// assert!(GamePhase::ALL.contains(&GamePhase::Running));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GamePhase {
    /// A seat is open.
    Waiting,
    /// It is played.
    Running,
    /// It is over.
    Finished,
}

impl GamePhase {
    /// All three.
    pub const ALL: [GamePhase; 3] = [GamePhase::Waiting, GamePhase::Running, GamePhase::Finished];
}

/// A player, as lists show him: a guest has only a name, an open seat not even that.
///
/// ```
/// use touchmove_store::PlayerSummary;
///
/// assert_eq!(PlayerSummary::guest("Anna").name.as_deref(), Some("Anna"));
/// assert_eq!(PlayerSummary::default().name, None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerSummary {
    /// The name.
    pub name: Option<String>,
    /// Who it is, if he has an account.
    pub person: Option<PersonId>,
}

impl PlayerSummary {
    /// A player without an account.
    #[must_use]
    pub fn guest(name: &str) -> PlayerSummary {
        PlayerSummary {
            name: Some(name.to_owned()),
            person: None,
        }
    }

    /// A player with an account.
    #[must_use]
    pub fn person(name: &str, person: PersonId) -> PlayerSummary {
        PlayerSummary {
            name: Some(name.to_owned()),
            person: Some(person),
        }
    }
}

/// What lists show of a game without reading it. The words are the caller's.
///
/// ```
/// use touchmove_store::{GamePhase, GameSummary};
///
/// let summary = GameSummary::of("atomic", "lobby");
/// assert_eq!(summary.phase, GamePhase::Running);
/// assert!(!summary.public);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// The variant.
    pub variant: String,
    /// Who has White.
    pub white: PlayerSummary,
    /// Who has Black.
    pub black: PlayerSummary,
    /// How far it is.
    pub phase: GamePhase,
    /// How it stands or ended, in one word.
    pub status: String,
    /// The result, if it is over.
    pub result: Option<String>,
    /// How many plies were played.
    pub plies: u32,
    /// When something happened last.
    pub last_activity: Moment,
    /// Whether everybody may see it in lists.
    pub public: bool,
    /// Where it comes from: a lobby, a challenge, a link.
    pub source: String,
}

impl GameSummary {
    /// The summary of a private game of nobody that has just begun.
    #[must_use]
    pub fn of(variant: &str, source: &str) -> GameSummary {
        GameSummary {
            variant: variant.to_owned(),
            white: PlayerSummary::default(),
            black: PlayerSummary::default(),
            phase: GamePhase::Running,
            status: "started".to_owned(),
            result: None,
            plies: 0,
            last_activity: Moment(0),
            public: false,
            source: source.to_owned(),
        }
    }
}

/// What a decision changes in the summary; `None` leaves it as it is.
///
/// ```
/// use touchmove_store::{GameChanges, Moment, GamePhase};
///
/// let mated = GameChanges {
///     phase: Some(GamePhase::Finished),
///     status: Some("mate".to_owned()),
///     result: Some("1-0".to_owned()),
///     plies: Some(71),
///     last_activity: Some(Moment(1_000)),
///     ..Changes::default()
/// };
/// assert_eq!(mated.white, None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameChanges {
    /// Who has White.
    pub white: Option<PlayerSummary>,
    /// Who has Black.
    pub black: Option<PlayerSummary>,
    /// How far it is.
    pub phase: Option<GamePhase>,
    /// How it stands or ended.
    pub status: Option<String>,
    /// The result.
    pub result: Option<String>,
    /// How many plies were played. This alone is written with the decision and costs no second write.
    pub plies: Option<u32>,
    /// When something happened last.
    pub last_activity: Option<Moment>,
    /// Whether everybody may see it.
    pub public: Option<bool>,
}

impl GameChanges {
    /// Whether the row of the game is written: the plies alone stand beside the decision.
    pub(crate) const fn touches_row(&self) -> bool {
        let GameChanges {
            white,
            black,
            phase,
            status,
            result,
            plies: _,
            last_activity,
            public,
        } = self;
        let is_about_players = white.is_some() || black.is_some();
        let is_about_end = phase.is_some() || status.is_some() || result.is_some();
        is_about_players || is_about_end || last_activity.is_some() || public.is_some()
    }
}

/// A game that begins.
///
/// ```
/// use touchmove_store::{Digest, Holder, Mark, Moment, NewGame, Seats, GameSummary};
///
/// let game = NewGame {
///     id: "q7LmZx04".parse()?,
///     mark: Mark(1),
///     created: Moment(1_000),
///     opening: "the first line of its journal".to_owned(),
///     summary: GameSummary::of("chess", "friend"),
///     seats: Seats { white: Some(Holder::Guest(Digest([1; 32]))), black: None },
///     due: Some(Moment(31_000)),
/// };
/// # let _ = game;
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGame {
    /// Its id.
    pub id: GameId,
    /// What tells this write from another one.
    pub mark: WriteId,
    /// When it began; lists are in this order.
    pub created: Moment,
    /// The opening: event number 0.
    pub opening: String,
    /// What lists show.
    pub summary: GameSummary,
    /// Who holds the seats.
    pub seats: SeatHolders,
    /// When somebody must look at it, if nobody does before.
    pub due: Option<Moment>,
}

/// The answer to a new game.
///
/// ```
/// use touchmove_store::CreateResult;
///
/// assert!(CreateResult::Already.is_there() && !CreateResult::IdTaken.is_there());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreateResult {
    /// It is kept.
    Written,
    /// It was kept before, by the same write.
    Already,
    /// Another game has this id: take another one.
    IdTaken,
}

impl CreateResult {
    /// Whether the game is kept.
    #[must_use]
    pub const fn is_stored(self) -> bool {
        matches!(self, CreateResult::Written | CreateResult::Already)
    }
}

/// What was decided at once: a few events of a game.
///
/// ```
/// use touchmove_store::{StoredDecision, Mark};
///
/// let decision = StoredDecision { first: 8, last: 9, mark: Mark(4), text: "two lines".to_owned() };
/// assert_eq!(decision.last - decision.first + 1, 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredDecision {
    /// The number of its first event.
    pub first: u64,
    /// The number of its last event.
    pub last: u64,
    /// What tells this write from another one.
    pub mark: WriteId,
    /// Its events.
    pub text: String,
}

/// When somebody must look at a game, as far as a decision changes it.
///
/// ```
/// use touchmove_store::{DueChange, Moment};
///
/// assert_ne!(DueChange::By(Moment(1)), DueChange::Never);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DueChange {
    /// As before.
    #[default]
    Keep,
    /// At this moment at the latest. What is due earlier stays so: whoever is called too early looks,
    /// and arms the game again ([`Store::set_due`](crate::Store::rearm)). So a game costs no second write
    /// per move.
    By(Moment),
    /// The game is over or has no clocks.
    Never,
}

/// A decision on its way into a game.
///
/// ```
/// use touchmove_store::{AppendDecision, GameChanges, StoredDecision, DueChange, Mark, Moment};
///
/// let append = AppendDecision {
///     game: "q7LmZx04".parse()?,
///     decision: StoredDecision { first: 1, last: 1, mark: Mark(4), text: "e4".to_owned() },
///     seat: None,
///     changes: GameChanges { plies: Some(1), ..Changes::default() },
///     due: DueChange::By(Moment(60_000)),
/// };
/// # let _ = append;
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppendDecision {
    /// The game.
    pub game: GameId,
    /// What was decided.
    pub decision: StoredDecision,
    /// A seat that is taken with it: both are written, or nothing.
    pub seat: Option<(SeatColor, Holder)>,
    /// What changes for lists.
    pub changes: GameChanges,
    /// What changes about when it is due.
    pub due: DueChange,
}

/// The answer to a decision.
///
/// ```
/// use touchmove_store::AppendResult;
///
/// assert!(AppendResult::Already.is_there());
/// assert!(!AppendResult::Behind { last: 3, newer: Vec::new() }.is_there());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AppendResult {
    /// It is kept.
    Written,
    /// It was kept before, by the same write.
    Already,
    /// The game has another next number: nothing was written.
    Behind {
        /// The number of the game's last event.
        last: u64,
        /// The decisions that the caller did not know: all that have an event with the number of his
        /// first or a later one. It is empty where he was ahead.
        newer: Vec<StoredDecision>,
    },
    /// Somebody else holds the seat: nothing was written.
    SeatHeld,
    /// There is no such game.
    NoGame,
}

impl AppendResult {
    /// Whether the decision is kept.
    #[must_use]
    pub const fn is_stored(&self) -> bool {
        matches!(self, AppendResult::Written | AppendResult::Already)
    }
}

/// What became of a decision, without what is newer: that is read elsewhere, so that who is far behind does
/// not keep the writer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum AppendAttempt {
    Written,
    Already,
    Behind { last: u64 },
    SeatHeld,
    NoGame,
}

impl AppendAttempt {
    /// The answer, with the decisions that the caller did not know.
    pub(crate) fn with(self, newer: Vec<StoredDecision>) -> AppendResult {
        match self {
            AppendAttempt::Written => AppendResult::Written,
            AppendAttempt::Already => AppendResult::Already,
            AppendAttempt::SeatHeld => AppendResult::SeatHeld,
            AppendAttempt::NoGame => AppendResult::NoGame,
            AppendAttempt::Behind { last } => {
                let last = newer.last().map_or(last, |decision| decision.last);
                AppendResult::Behind { last, newer }
            }
        }
    }
}

/// The answer to somebody who sits down.
///
/// ```
/// use touchmove_store::SitResult;
///
/// assert_ne!(SitResult::Taken, SitResult::Held);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SitResult {
    /// The seat is his.
    Taken,
    /// The seat was his before.
    Already,
    /// The seat is somebody else's.
    Held,
    /// There is no such game.
    NoGame,
}

/// A game as lists show it.
///
/// ```
/// use touchmove_store::{GameCursor, GameRow, Moment, GameSummary};
///
/// let row = GameRow {
///     id: "q7LmZx04".parse()?,
///     created: Moment(1_000),
///     summary: GameSummary::of("chess", "lobby"),
/// };
/// assert_eq!(row.cursor().to_string(), "1000-q7LmZx04");
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    /// Its id.
    pub id: GameId,
    /// When it began.
    pub created: Moment,
    /// What lists show.
    pub summary: GameSummary,
}

impl GameRow {
    /// Its place in every list.
    #[must_use]
    pub const fn cursor(&self) -> GameCursor {
        GameCursor {
            created: self.created,
            id: self.id,
        }
    }
}

/// A whole game as it is kept.
///
/// ```
/// use touchmove_store::{GameRow, Moment, Seats, StoredGame, GameSummary};
///
/// let row = GameRow {
///     id: "q7LmZx04".parse()?,
///     created: Moment(1_000),
///     summary: GameSummary::of("chess", "lobby"),
/// };
/// let game = StoredGame {
///     row,
///     opening: "started".to_owned(),
///     seats: Seats::default(),
///     decisions: Vec::new(),
/// };
/// assert_eq!(game.last(), 0);
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// What lists show.
    pub row: GameRow,
    /// The opening: event number 0.
    pub opening: String,
    /// Who holds the seats.
    pub seats: SeatHolders,
    /// Everything that was decided, in order.
    pub decisions: Vec<StoredDecision>,
}

impl StoredGame {
    /// The number of the last event.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.decisions.last().map_or(0, |decision| decision.last)
    }
}

/// A game as it is kept, without its decisions: who holds its seats and what is played is known without reading it all.
///
/// ```
/// use touchmove_store::{GameHead, GameRow, Moment, Seats, GameSummary};
///
/// let row = GameRow {
///     id: "q7LmZx04".parse()?,
///     created: Moment(1_000),
///     summary: GameSummary::of("chess", "lobby"),
/// };
/// let head = GameHead { row, opening: "started".to_owned(), seats: Seats::default() };
/// assert_eq!(head.seats.white, None);
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameHead {
    /// What lists show.
    pub row: GameRow,
    /// The opening: event number 0.
    pub opening: String,
    /// Who holds the seats.
    pub seats: SeatHolders,
}

/// A game that somebody must look at.
///
/// ```
/// use touchmove_store::{DueGame, Moment};
///
/// let due = DueGame { game: "q7LmZx04".parse()?, at: Moment(31_000) };
/// assert!(due.at <= Moment(31_500));
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DueGame {
    /// The game.
    pub game: GameId,
    /// Since when it is due.
    pub at: Moment,
}

/// The answer to arming a game again.
///
/// ```
/// use touchmove_store::SetDueResult;
///
/// assert_ne!(SetDueResult::Done, SetDueResult::Behind);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetDueResult {
    /// It is due as asked.
    Done,
    /// The game has gone on: read what is newer, and arm it by that.
    Behind,
    /// There is no such game.
    NoGame,
}
