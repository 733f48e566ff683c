//! Games as they are stored: opening, decisions, a summary for lists, and when they are due. The store does not
//! read the texts of events.

use crate::{GameCursor, GameId, Holder, Moment, PersonId, SeatColor, SeatHolders, WriteId};

/// The phase of a game, for lists.
///
/// ```
/// use touchmove_store::GamePhase;
///
/// assert!(GamePhase::ALL.contains(&GamePhase::Running));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GamePhase {
    /// A seat is open: the game waits for a player.
    Waiting,
    /// The game is being played.
    Running,
    /// The game is over.
    Finished,
}

impl GamePhase {
    /// All phases.
    pub const ALL: [GamePhase; 3] = [GamePhase::Waiting, GamePhase::Running, GamePhase::Finished];
}

/// A player as lists show them: a guest has only a name, an open seat not even that.
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
    /// The account, if there is one.
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

/// What lists show of a game, stored so that its journal need not be read. The texts are the caller's.
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
    /// The player of White.
    pub white: PlayerSummary,
    /// The player of Black.
    pub black: PlayerSummary,
    /// The phase.
    pub phase: GamePhase,
    /// The status or how the game ended, in one word.
    pub status: String,
    /// The result, if it is over.
    pub result: Option<String>,
    /// How many plies were played.
    pub plies: u32,
    /// When the last event happened.
    pub last_activity: Moment,
    /// Whether it is listed publicly.
    pub public: bool,
    /// Where the game comes from: the lobby, a challenge, a link.
    pub source: String,
}

impl GameSummary {
    /// The summary of a private game without players that has just begun.
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

/// Changes of the summary by a decision; `None` leaves a field as it is.
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
///     ..GameChanges::default()
/// };
/// assert_eq!(mated.white, None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameChanges {
    /// The player of White.
    pub white: Option<PlayerSummary>,
    /// The player of Black.
    pub black: Option<PlayerSummary>,
    /// The phase.
    pub phase: Option<GamePhase>,
    /// The status or how the game ended.
    pub status: Option<String>,
    /// The result.
    pub result: Option<String>,
    /// How many plies were played. A change of this alone is stored in the decision's row and costs no second
    /// write.
    pub plies: Option<u32>,
    /// When the last event happened.
    pub last_activity: Option<Moment>,
    /// Whether it is listed publicly.
    pub public: Option<bool>,
}

impl GameChanges {
    /// Whether the game's row must be written. The plies alone are stored in the decision's row.
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

/// A new game.
///
/// ```
/// use touchmove_store::{Digest, Holder, WriteId, Moment, NewGame, SeatHolders, GameSummary};
///
/// let game = NewGame {
///     id: "q7LmZx04".parse()?,
///     mark: WriteId(1),
///     created: Moment(1_000),
///     opening: "the first line of its journal".to_owned(),
///     summary: GameSummary::of("chess", "friend"),
///     seats: SeatHolders { white: Some(Holder::Guest(Digest([1; 32]))), black: None },
///     due: Some(Moment(31_000)),
/// };
/// # let _ = game;
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGame {
    /// Its id.
    pub id: GameId,
    /// The write id, by which a repeat of this write is recognised.
    pub mark: WriteId,
    /// When it began; lists are sorted by this.
    pub created: Moment,
    /// The opening: event number 0.
    pub opening: String,
    /// What lists show.
    pub summary: GameSummary,
    /// Who holds the seats.
    pub seats: SeatHolders,
    /// When a node must look at the game, if nothing happens before.
    pub due: Option<Moment>,
}

/// The result of creating a game.
///
/// ```
/// use touchmove_store::CreateResult;
///
/// assert!(CreateResult::Already.is_stored() && !CreateResult::IdTaken.is_stored());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreateResult {
    /// The game is created.
    Written,
    /// The same write created it before.
    Already,
    /// Another game has this id: retry with another one.
    IdTaken,
}

impl CreateResult {
    /// Whether the game is stored.
    #[must_use]
    pub const fn is_stored(self) -> bool {
        matches!(self, CreateResult::Written | CreateResult::Already)
    }
}

/// The events of one decision, as one row.
///
/// ```
/// use touchmove_store::{StoredDecision, WriteId};
///
/// let decision = StoredDecision { first: 8, last: 9, mark: WriteId(4), text: "two lines".to_owned() };
/// assert_eq!(decision.last - decision.first + 1, 2);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredDecision {
    /// The number of its first event.
    pub first: u64,
    /// The number of its last event.
    pub last: u64,
    /// The write id, by which a repeat of this write is recognised.
    pub mark: WriteId,
    /// Its events, in the caller's format.
    pub text: String,
}

/// How a decision changes when its game is due.
///
/// ```
/// use touchmove_store::{DueChange, Moment};
///
/// assert_ne!(DueChange::By(Moment(1)), DueChange::Never);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DueChange {
    /// No change.
    #[default]
    Keep,
    /// Due at this moment at the latest. An earlier due time stays as it is: the node that is called too early
    /// looks at the game and calls [`Store::set_due`](crate::Store::set_due). So most moves cost no second
    /// write.
    By(Moment),
    /// Never due: the game is over or has no clocks.
    Never,
}

/// A write that appends a decision to a game.
///
/// ```
/// use touchmove_store::{AppendDecision, GameChanges, StoredDecision, DueChange, WriteId, Moment};
///
/// let append = AppendDecision {
///     game: "q7LmZx04".parse()?,
///     decision: StoredDecision { first: 1, last: 1, mark: WriteId(4), text: "e4".to_owned() },
///     seat: None,
///     changes: GameChanges { plies: Some(1), ..GameChanges::default() },
///     due: DueChange::By(Moment(60_000)),
/// };
/// # let _ = append;
/// # Ok::<(), touchmove_store::ParseIdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppendDecision {
    /// The game.
    pub game: GameId,
    /// The decision.
    pub decision: StoredDecision,
    /// A seat that is taken with it; either both are written, or nothing.
    pub seat: Option<(SeatColor, Holder)>,
    /// Changes of the summary.
    pub changes: GameChanges,
    /// How the due time changes.
    pub due: DueChange,
}

/// The result of appending a decision.
///
/// ```
/// use touchmove_store::AppendResult;
///
/// assert!(AppendResult::Already.is_stored());
/// assert!(!AppendResult::Behind { last: 3, newer: Vec::new() }.is_stored());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AppendResult {
    /// The decision is stored.
    Written,
    /// The same write stored it before.
    Already,
    /// The game has another next event number. Nothing was written.
    Behind {
        /// The number of the game's last event.
        last: u64,
        /// The decisions that the caller did not know: all with an event numbered like the caller's first event
        /// or later. Empty if the caller was ahead.
        newer: Vec<StoredDecision>,
    },
    /// Somebody else holds the seat: nothing was written.
    SeatHeld,
    /// There is no such game.
    NoGame,
}

impl AppendResult {
    /// Whether the decision is stored.
    #[must_use]
    pub const fn is_stored(&self) -> bool {
        matches!(self, AppendResult::Written | AppendResult::Already)
    }
}

/// The result of an append without the newer decisions. They are read elsewhere, so that a caller that is far
/// behind does not block the writer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum AppendAttempt {
    Written,
    Already,
    Behind { last: u64 },
    SeatHeld,
    NoGame,
}

impl AppendAttempt {
    /// The result, with the decisions that the caller did not know.
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

/// The result of taking a seat.
///
/// ```
/// use touchmove_store::SitResult;
///
/// assert_ne!(SitResult::Taken, SitResult::Held);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SitResult {
    /// The seat is taken by the caller.
    Taken,
    /// The caller held the seat before.
    Already,
    /// Somebody else holds the seat.
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
    /// Its cursor in every list.
    #[must_use]
    pub const fn cursor(&self) -> GameCursor {
        GameCursor {
            created: self.created,
            id: self.id,
        }
    }
}

/// A whole game as it is stored.
///
/// ```
/// use touchmove_store::{GameRow, Moment, SeatHolders, StoredGame, GameSummary};
///
/// let row = GameRow {
///     id: "q7LmZx04".parse()?,
///     created: Moment(1_000),
///     summary: GameSummary::of("chess", "lobby"),
/// };
/// let game = StoredGame {
///     row,
///     opening: "started".to_owned(),
///     seats: SeatHolders::default(),
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
    /// All decisions, in order.
    pub decisions: Vec<StoredDecision>,
}

impl StoredGame {
    /// The number of the last event.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.decisions.last().map_or(0, |decision| decision.last)
    }
}

/// A stored game without its decisions, for callers that need only the seats and the summary.
///
/// ```
/// use touchmove_store::{GameHead, GameRow, Moment, SeatHolders, GameSummary};
///
/// let row = GameRow {
///     id: "q7LmZx04".parse()?,
///     created: Moment(1_000),
///     summary: GameSummary::of("chess", "lobby"),
/// };
/// let head = GameHead { row, opening: "started".to_owned(), seats: SeatHolders::default() };
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

/// A game that is due: a node must look at it.
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
    /// When it became due.
    pub at: Moment,
}

/// The result of setting when a game is due.
///
/// ```
/// use touchmove_store::SetDueResult;
///
/// assert_ne!(SetDueResult::Done, SetDueResult::Behind);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetDueResult {
    /// It is set.
    Done,
    /// The game has newer events than the caller knew: read them and call again.
    Behind,
    /// There is no such game.
    NoGame,
}
