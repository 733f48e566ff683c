//! The trait [`Store`], which every implementation has.

use std::pin::Pin;
use std::time::Duration;

use crate::{
    AddPersonResult, AppendDecision, AppendResult, ChatLine, ChatRoom, CloseOffer,
    CloseOfferResult, CreateResult, Digest, DueGame, Error, ExpiredKind, GameCursor, GameHead,
    GameId, GamePage, GameQuery, Grant, Holder, LoginSession, MakeOfferResult, Moment, NewChatLine,
    NewGame, Offer, OfferId, Person, PersonChanges, PersonId, Redemption, Revocation, SeatColor,
    ServerKey, SetDueResult, SitResult, StoredDecision, StoredGame, TakeOffer, TakeOfferResult,
    Token,
};

/// The future of an answer. Nothing happens before it is polled, and it may be polled on any runtime. If it is
/// dropped, the write may or may not have been done.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// A heartbeat of a server, and the one before it.
///
/// ```
/// use touchmove_store::{Heartbeat, Moment};
///
/// let beat = Heartbeat { at: Moment(60_000), before: Some(Moment(5_000)) };
/// assert_eq!(beat.gap(), 55_000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heartbeat {
    /// The time of this heartbeat.
    pub at: Moment,
    /// The time of the previous heartbeat, from whichever node.
    pub before: Option<Moment>,
}

impl Heartbeat {
    /// The milliseconds since the previous heartbeat; 0 without one.
    #[must_use]
    pub fn gap(&self) -> i64 {
        self.before
            .map_or(0, |before| self.at.0.saturating_sub(before.0).max(0))
    }
}

/// A heartbeat gap longer than this, in milliseconds, is an outage: no node could serve anybody.
pub const OUTAGE_THRESHOLD_MILLIS: i64 = 3_000;

/// A time without a heartbeat from any node.
///
/// ```
/// use touchmove_store::{Moment, HeartbeatGap};
///
/// let silence = HeartbeatGap { number: 1, from: Moment(5_000), until: Moment(60_000) };
/// assert!(silence.until > silence.from);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeartbeatGap {
    /// The number of this gap; numbers count up.
    pub number: u64,
    /// The last heartbeat before the gap.
    pub from: Moment,
    /// The first heartbeat after the gap.
    pub until: Moment,
}

/// Storage of a chess server.
///
/// Every write is atomic and is answered after it is on the disk. Writes are serializable: the result is as if
/// they had run one after another. A read sees every write that was answered before it.
///
/// Texts and lists are bounded by [`limits`](crate::limits); a `limit` above
/// [`limits::MAX_ROWS`](crate::limits::MAX_ROWS) counts as that.
///
/// ```
/// use std::sync::Arc;
/// use touchmove_store::{AddPersonResult, Error, PersonKind, Person, Store};
///
/// /// A server knows only this of its store.
/// async fn register(store: Arc<dyn Store>, name: &str, id: &str) -> Result<AddPersonResult, Error> {
///     let person = Person {
///         id: id.parse().expect("made by us"),
///         name: name.to_owned(),
///         skeleton: name.to_lowercase(),
///         kind: PersonKind::Human,
///         password: None,
///         created: store.now().await?,
///         disabled: None,
///     };
///     store.add_person(person).await
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("touchmove-trait-{}", std::process::id()));
/// let store: Arc<dyn Store> = Arc::new(touchmove_store::Sqlite::open(folder.join("touchmove.db"))?);
/// assert_eq!(register(Arc::clone(&store), "Anna", "0000Anna").await?, AddPersonResult::Written);
/// assert_eq!(register(Arc::clone(&store), "ANNA", "0001Anna").await?, AddPersonResult::NameTaken);
/// # drop(store);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(())
/// # }
/// ```
pub trait Store: Send + Sync + 'static {
    // ---- games

    /// Creates a game, with its seats.
    fn create_game(&self, game: NewGame) -> StoreFuture<'_, CreateResult>;

    /// Appends a decision, if it begins with the next event number of its game.
    fn append_decision(&self, append: AppendDecision) -> StoreFuture<'_, AppendResult>;

    /// Loads whole games, in the order of the ids. Unknown ids are left out.
    fn load_games(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<StoredGame>>;

    /// Loads games without their decisions, in the order of the ids. Unknown ids are left out.
    fn heads(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<GameHead>>;

    /// The decisions of a game that begin after this event number, in order: a part of its journal. Empty if
    /// there is no such game.
    fn decisions(
        &self,
        game: GameId,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'_, Vec<StoredDecision>>;

    /// For each game, the decisions with an event after its number, in the order of the games.
    fn decisions_after(
        &self,
        games: Vec<(GameId, u64)>,
    ) -> StoreFuture<'_, Vec<Vec<StoredDecision>>>;

    /// Takes a free seat.
    fn sit(&self, game: GameId, seat: SeatColor, holder: Holder) -> StoreFuture<'_, SitResult>;

    /// Transfers the seats of a guest to the account of the same person, in at most `limit` games; returns the
    /// games in which a seat was transferred. If there are `limit` of them, call again: there may be more. Both
    /// seats of a game are transferred together. In a game where the account has a seat already, the guest
    /// keeps theirs. Each call is a [revocation](Store::revocations) of the guest's
    /// secret.
    fn move_seats(
        &self,
        guest: Digest,
        person: PersonId,
        limit: usize,
    ) -> StoreFuture<'_, Vec<GameId>>;

    /// Lists games, newest first, after this cursor.
    fn list_games(
        &self,
        query: GameQuery,
        after: Option<GameCursor>,
        limit: usize,
    ) -> StoreFuture<'_, GamePage>;

    // ---- time

    /// The current time of the store. All moments of games are on this time line.
    fn now(&self) -> StoreFuture<'_, Moment>;

    /// Sends a heartbeat and returns the time of the previous one. The first heartbeat of a server that starts
    /// returns how long the outage was.
    fn heartbeat(&self) -> StoreFuture<'_, Heartbeat>;

    /// Sends a heartbeat dated `at`, which the caller counts on a monotonic clock; so the next server to start
    /// knows how far that clock had come. If `at` is before the previous heartbeat, nothing changes. A store
    /// with one clock for many nodes ignores `at` and uses its own.
    fn heartbeat_at(&self, _at: Moment) -> StoreFuture<'_, Heartbeat> {
        self.heartbeat()
    }

    /// The heartbeat gaps after this number that were longer than [`OUTAGE_THRESHOLD_MILLIS`], in order. A
    /// store that several nodes share records a gap with the heartbeat that ends it, so that every node learns
    /// of it. A store with one node at a time records none: that node knows the gap from its own heartbeats.
    fn heartbeat_gaps(&self, _after: u64) -> StoreFuture<'_, Vec<HeartbeatGap>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Leases games that are due, the most overdue first. A game is given to one caller only until the lease
    /// expires or [`set_due`](Store::set_due) is called, so that a node that crashes does not block it.
    fn lease_due_games(
        &self,
        now: Moment,
        lease: Duration,
        limit: usize,
    ) -> StoreFuture<'_, Vec<DueGame>>;

    /// Sets when a game is due next, decided by a caller that knows the game up to the event `seen`.
    fn set_due(
        &self,
        game: GameId,
        seen: u64,
        due: Option<Moment>,
    ) -> StoreFuture<'_, SetDueResult>;

    // ---- people

    /// Adds an account.
    fn add_person(&self, person: Person) -> StoreFuture<'_, AddPersonResult>;

    /// The person with this id.
    fn person(&self, id: PersonId) -> StoreFuture<'_, Option<Person>>;

    /// The person whose name has this skeleton.
    fn person_named(&self, skeleton: String) -> StoreFuture<'_, Option<Person>>;

    /// Lists people after this skeleton, in the byte order of their skeletons.
    fn list_people(&self, after: Option<String>, limit: usize) -> StoreFuture<'_, Vec<Person>>;

    /// Changes a person; returns whether there is one. Closing an account is a
    /// [revocation](Store::revocations), and cancels the open offers by and to that person.
    fn change_person(&self, id: PersonId, changes: PersonChanges) -> StoreFuture<'_, bool>;

    /// Adds a token; returns whether its person exists. Adding the same token again changes nothing. Of the
    /// person's tokens that are revoked or expired, only [the newest](crate::limits::ENDED_TOKENS_OF_PERSON)
    /// are kept.
    fn add_token(&self, token: Token) -> StoreFuture<'_, bool>;

    /// The token with this hash, valid or not.
    fn token(&self, hash: Digest) -> StoreFuture<'_, Option<Token>>;

    /// The tokens of a person, newest first, valid or not.
    fn tokens_of(&self, person: PersonId) -> StoreFuture<'_, Vec<Token>>;

    /// Records that a token is used. Written only if the last recorded use is at least ten minutes old.
    fn use_token(&self, hash: Digest, now: Moment) -> StoreFuture<'_, ()>;

    /// Revokes a token; returns whether this call revoked it. It is a [revocation](Store::revocations).
    fn revoke_token(&self, hash: Digest, now: Moment) -> StoreFuture<'_, bool>;

    /// Adds or replaces a session. If a person then has more than
    /// [`SESSIONS_OF_PERSON`](crate::limits::SESSIONS_OF_PERSON), the oldest others are ended, each as a
    /// [revocation](Store::revocations).
    fn add_session(&self, session: LoginSession) -> StoreFuture<'_, ()>;

    /// Extends a session to this moment; returns whether there is one. An ended session is not revived, and
    /// none becomes shorter.
    fn renew_session(&self, hash: Digest, expires: Moment) -> StoreFuture<'_, bool>;

    /// The session with this hash, unless it has expired.
    fn session(&self, hash: Digest, now: Moment) -> StoreFuture<'_, Option<LoginSession>>;

    /// Ends a session; returns whether there was one. Ending the session of a person is a
    /// [revocation](Store::revocations), and also deletes the person's OAuth codes that are not exchanged yet.
    fn end_session(&self, hash: Digest) -> StoreFuture<'_, bool>;

    /// Ends all sessions of a person and returns their number. Each is a [revocation](Store::revocations). The
    /// person's OAuth codes that are not exchanged yet are deleted too.
    fn end_sessions_of(&self, person: PersonId) -> StoreFuture<'_, u64>;

    /// Revokes all tokens of a person and returns how many were not revoked before. Each is a
    /// [revocation](Store::revocations). The person's OAuth codes that are not exchanged yet are deleted;
    /// exchanged ones count as [replayed](Store::is_grant_replayed), because their tokens may not have been
    /// added yet.
    fn revoke_tokens_of(&self, person: PersonId, now: Moment) -> StoreFuture<'_, u64>;

    /// Adds an OAuth grant. Adding the same code again changes nothing.
    fn add_grant(&self, grant: Grant) -> StoreFuture<'_, ()>;

    /// Exchanges a code for the token with this hash, once. The caller then adds the token, and afterwards
    /// checks whether the code [was replayed](Store::is_grant_replayed) meanwhile.
    fn redeem_grant(
        &self,
        code: Digest,
        new_token: Digest,
        now: Moment,
    ) -> StoreFuture<'_, Redemption>;

    /// Whether a code was presented again after its exchange, or all tokens of its person were revoked.
    fn is_grant_replayed(&self, code: Digest) -> StoreFuture<'_, bool>;

    /// The revocations after this number, in order: sessions ended before they expired, tokens that were revoked and
    /// accounts that were closed. Each is written in the transaction of what it records, so a caller that polls
    /// misses none.
    fn revocations(&self, after: u64, limit: usize) -> StoreFuture<'_, Vec<Revocation>>;

    /// The number of the newest revocation that is stored; 0 if there is none.
    fn newest_revocation(&self) -> StoreFuture<'_, u64>;

    // ---- offers

    /// Creates an offer.
    fn create_offer(&self, offer: Offer) -> StoreFuture<'_, MakeOfferResult>;

    /// The offer with this id, whatever its status.
    fn find_offer(&self, id: OfferId) -> StoreFuture<'_, Option<Offer>>;

    /// Open seeks, oldest first.
    fn open_seeks(&self, now: Moment, limit: usize) -> StoreFuture<'_, Vec<Offer>>;

    /// Open challenges that a person has made, newest first.
    fn challenges_by(
        &self,
        person: PersonId,
        now: Moment,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Offer>>;

    /// Open challenges to a person, newest first, so that many old ones cannot hide a new one.
    fn challenges_to(
        &self,
        person: PersonId,
        now: Moment,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Offer>>;

    /// Takes an offer and creates its game, if the offer is still open.
    fn take_offer(&self, take: TakeOffer) -> StoreFuture<'_, TakeOfferResult>;

    /// Declines or cancels an offer, if it is still open.
    fn close_offer(&self, offer: OfferId, close: CloseOffer) -> StoreFuture<'_, CloseOfferResult>;

    // ---- chat

    /// Adds a line of chat and returns its number; `None` if there is no such game.
    fn add_chat_line(&self, line: NewChatLine) -> StoreFuture<'_, Option<u64>>;

    /// The lines of a chat room after this number, in order.
    fn chat_lines(
        &self,
        game: GameId,
        room: ChatRoom,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'_, Vec<ChatLine>>;

    // ---- maintenance

    /// Deletes at most `limit` rows of one kind that had expired before this moment; returns how many. Each
    /// [kind](ExpiredKind) says what counts as expired.
    fn delete_expired(
        &self,
        kind: ExpiredKind,
        before: Moment,
        limit: usize,
    ) -> StoreFuture<'_, u64>;

    /// The server key for this purpose, the same for all nodes. If there is none yet, `new` is stored.
    fn server_key(&self, purpose: &'static str, new: ServerKey) -> StoreFuture<'_, ServerKey>;
}
