//! The one trait that every store has. What stands behind it, and how, is not said here.

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

/// What a store answers, when it does. Nothing happens before it is polled, and it may be polled on
/// any runtime. A write whose answer nobody waits for any more may have been done or not.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + Send + 'a>>;

/// A sign of life.
///
/// ```
/// use touchmove_store::{Heartbeat, Moment};
///
/// let beat = Heartbeat { at: Moment(60_000), before: Some(Moment(5_000)) };
/// assert_eq!(beat.gap(), 55_000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heartbeat {
    /// When this one was.
    pub at: Moment,
    /// When the one before was, by whichever node.
    pub before: Option<Moment>,
}

impl Heartbeat {
    /// For how many milliseconds nobody gave a sign of life.
    #[must_use]
    pub fn gap(&self) -> i64 {
        self.before
            .map_or(0, |before| self.at.0.saturating_sub(before.0).max(0))
    }
}

/// A silence longer than this is an outage, in milliseconds: a house that gave no sign of life for so long
/// could not serve anybody.
pub const OUTAGE_THRESHOLD_MILLIS: i64 = 3_000;

/// A time in which no node gave a sign of life.
///
/// ```
/// use touchmove_store::{Moment, HeartbeatGap};
///
/// let silence = HeartbeatGap { number: 1, from: Moment(5_000), until: Moment(60_000) };
/// assert!(silence.until > silence.from);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeartbeatGap {
    /// Its number: they count up.
    pub number: u64,
    /// The last sign of life before it.
    pub from: Moment,
    /// The first one after it.
    pub until: Moment,
}

/// Where a chess server keeps what must not be lost.
///
/// Every write is answered when it is on the disk, is done wholly or not at all, and is as if all writes
/// came one after another. What is answered is seen by every later question.
///
/// Texts and lists have bounds ([`limits`](crate::limits)); a `limit` beyond
/// [`limits::ROWS`](crate::limits::ROWS) counts as that.
///
/// ```
/// use std::sync::Arc;
/// use touchmove_store::{AddPersonResult, Error, Kind, Person, Store};
///
/// /// A server knows only this of its store.
/// async fn register(store: Arc<dyn Store>, name: &str, id: &str) -> Result<AddPersonResult, Error> {
///     let person = Person {
///         id: id.parse().expect("made by us"),
///         name: name.to_owned(),
///         skeleton: name.to_lowercase(),
///         kind: Kind::Human,
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

    /// Begins a game, with its seats.
    fn create_game(&self, game: NewGame) -> StoreFuture<'_, CreateResult>;

    /// Writes a decision, if it begins with the next number of its game.
    fn append_decision(&self, append: AppendDecision) -> StoreFuture<'_, AppendResult>;

    /// Whole games, in the order asked for; those that there are not are left out.
    fn load_games(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<StoredGame>>;

    /// The same without their decisions.
    fn heads(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<GameHead>>;

    /// The decisions of a game that begin after this number, in order: a part of its journal. Of a game that there is
    /// not there are none.
    fn decisions(
        &self,
        game: GameId,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'_, Vec<StoredDecision>>;

    /// The decisions of several games that have an event after this number, in the order asked for.
    fn decisions_after(
        &self,
        games: Vec<(GameId, u64)>,
    ) -> StoreFuture<'_, Vec<Vec<StoredDecision>>>;

    /// Takes a free seat.
    fn sit(&self, game: GameId, seat: SeatColor, holder: Holder) -> StoreFuture<'_, SitResult>;

    /// Gives the seats of a guest to a person who was this guest until now, those of at most so many games; the games in
    /// which a seat has changed hands. If they are as many as `limit`, ask again: there may be more. Both seats of a game
    /// change hands together. Where the person has a seat himself, the guest keeps his. Each time it is a
    /// [revocation](Store::revocations) of the guest's secret.
    fn move_seats(
        &self,
        guest: Digest,
        person: PersonId,
        limit: usize,
    ) -> StoreFuture<'_, Vec<GameId>>;

    /// Games, newest first, after this place in the list.
    fn list_games(
        &self,
        query: GameQuery,
        after: Option<GameCursor>,
        limit: usize,
    ) -> StoreFuture<'_, GamePage>;

    // ---- time

    /// The store's own time: the one that games are told in.
    fn now(&self) -> StoreFuture<'_, Moment>;

    /// Gives a sign of life, and tells when the last one was. A server that starts learns from its first
    /// how long the house was dark.
    fn heartbeat(&self) -> StoreFuture<'_, Heartbeat>;

    /// The same at a moment of the caller's, who counts the time on a clock that nobody can set: so the
    /// next one to start learns how far that time had come. A moment before the last sign changes nothing. A
    /// store that keeps one time for many nodes goes by its own.
    fn heartbeat_at(&self, _at: Moment) -> StoreFuture<'_, Heartbeat> {
        self.heartbeat()
    }

    /// The silences after this number that were longer than [`OUTAGE_THRESHOLD_MILLIS`], in order, where several nodes share
    /// a store: the beat that ends one writes it down, so that each node learns of it. A store that has one
    /// node at a time keeps none; that node knows by its own beats.
    fn heartbeat_gaps(&self, _after: u64) -> StoreFuture<'_, Vec<HeartbeatGap>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Games that are due, the longest first. Each is given to one caller only, until the lease is over
    /// or the game is armed again: a node that dies over one does not keep it.
    fn lease_due_games(
        &self,
        now: Moment,
        lease: Duration,
        limit: usize,
    ) -> StoreFuture<'_, Vec<DueGame>>;

    /// Says when a game is due next, by somebody who knows it up to the event `seen`.
    fn set_due(
        &self,
        game: GameId,
        seen: u64,
        due: Option<Moment>,
    ) -> StoreFuture<'_, SetDueResult>;

    // ---- people

    /// Adds a person.
    fn add_person(&self, person: Person) -> StoreFuture<'_, AddPersonResult>;

    /// The person with this id.
    fn person(&self, id: PersonId) -> StoreFuture<'_, Option<Person>>;

    /// The person whose name has this skeleton.
    fn person_named(&self, skeleton: String) -> StoreFuture<'_, Option<Person>>;

    /// People in the order of the bytes of their skeletons, after this skeleton.
    fn list_people(&self, after: Option<String>, limit: usize) -> StoreFuture<'_, Vec<Person>>;

    /// Changes a person; whether there is one. Closing an account is a [revocation](Store::revocations), and cancels the
    /// open offers by and to that person.
    fn change_person(&self, id: PersonId, changes: PersonChanges) -> StoreFuture<'_, bool>;

    /// Adds a token; whether its person is known. The same token again changes nothing. Of his tokens that are over
    /// by then, [the last](crate::limits::ENDED_TOKENS_OF_PERSON) are kept.
    fn add_token(&self, token: Token) -> StoreFuture<'_, bool>;

    /// The token with this hash, valid or not.
    fn token(&self, hash: Digest) -> StoreFuture<'_, Option<Token>>;

    /// The tokens of a person, newest first, valid or not.
    fn tokens_of(&self, person: PersonId) -> StoreFuture<'_, Vec<Token>>;

    /// Notes that a token is used; written only if the last use that is known is ten minutes old.
    fn use_token(&self, hash: Digest, now: Moment) -> StoreFuture<'_, ()>;

    /// Revokes a token; whether it was not revoked before. It is a [revocation](Store::revocations).
    fn revoke_token(&self, hash: Digest, now: Moment) -> StoreFuture<'_, bool>;

    /// Begins a session, or changes it. Where a person has [more than so
    /// many](crate::limits::SESSIONS_OF_PERSON), the oldest others end, each as a [revocation](Store::revocations).
    fn add_session(&self, session: LoginSession) -> StoreFuture<'_, ()>;

    /// Has a session last until this moment; whether there is one. One that has ended does not begin again, and none
    /// becomes shorter.
    fn renew_session(&self, hash: Digest, expires: Moment) -> StoreFuture<'_, bool>;

    /// The session with this hash, unless it has expired.
    fn session(&self, hash: Digest, now: Moment) -> StoreFuture<'_, Option<LoginSession>>;

    /// Ends a session; whether there was one. That of a person is a [revocation](Store::revocations), and codes of his
    /// that nobody has exchanged end too.
    fn end_session(&self, hash: Digest) -> StoreFuture<'_, bool>;

    /// Ends all sessions of a person, and says how many. Each is a [revocation](Store::revocations).
    /// Codes that nobody has exchanged end too.
    fn end_sessions_of(&self, person: PersonId) -> StoreFuture<'_, u64>;

    /// Revokes all tokens of a person that are not revoked, and says how many. Each is a
    /// [revocation](Store::revocations). Codes that nobody has exchanged end too, and those that were exchanged count as
    /// [replayed](Store::is_grant_replayed): their tokens may not have been added yet.
    fn revoke_tokens_of(&self, person: PersonId, now: Moment) -> StoreFuture<'_, u64>;

    /// Keeps what a person has allowed a program. The same code again changes nothing.
    fn add_grant(&self, grant: Grant) -> StoreFuture<'_, ()>;

    /// Exchanges a code for the token with this hash, once. The caller adds the token himself, and asks then
    /// whether the code [was replayed](Store::is_grant_replayed) meanwhile.
    fn redeem_grant(
        &self,
        code: Digest,
        new_token: Digest,
        now: Moment,
    ) -> StoreFuture<'_, Redemption>;

    /// Whether a code was brought again after it had been exchanged, or all tokens of its person were revoked.
    fn is_grant_replayed(&self, code: Digest) -> StoreFuture<'_, bool>;

    /// The rights that have ended after this number, in order: sessions that were ended by hand, tokens that
    /// were revoked and accounts that were closed, each written together with its end. Who asks again and
    /// again misses none.
    fn revocations(&self, after: u64, limit: usize) -> StoreFuture<'_, Vec<Revocation>>;

    /// The number of the newest revocation that is kept; 0 if there is none.
    fn newest_revocation(&self) -> StoreFuture<'_, u64>;

    // ---- offers

    /// Makes an offer.
    fn create_offer(&self, offer: Offer) -> StoreFuture<'_, MakeOfferResult>;

    /// The offer with this id, whatever became of it.
    fn find_offer(&self, id: OfferId) -> StoreFuture<'_, Option<Offer>>;

    /// Open offers to whoever comes first, oldest first.
    fn open_seeks(&self, now: Moment, limit: usize) -> StoreFuture<'_, Vec<Offer>>;

    /// Open challenges that a person has made, newest first.
    fn challenges_by(
        &self,
        person: PersonId,
        now: Moment,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Offer>>;

    /// Open challenges to a person, newest first: many old ones hide no new one.
    fn challenges_to(
        &self,
        person: PersonId,
        now: Moment,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Offer>>;

    /// Takes an offer and begins its game, if it is still open.
    fn take_offer(&self, take: TakeOffer) -> StoreFuture<'_, TakeOfferResult>;

    /// Declines or cancels an offer, if it is still open.
    fn close_offer(&self, offer: OfferId, close: CloseOffer) -> StoreFuture<'_, CloseOfferResult>;

    // ---- chat

    /// Says a line, and tells its number; `None` if there is no such game.
    fn add_chat_line(&self, line: NewChatLine) -> StoreFuture<'_, Option<u64>>;

    /// The lines of a room after this number, in order.
    fn chat_lines(
        &self,
        game: GameId,
        room: ChatRoom,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'_, Vec<ChatLine>>;

    // ---- maintenance

    /// Deletes rows of one kind that were over before this moment, at most so many; says how many. What
    /// counts as over is said at each [kind](ExpiredKind).
    fn delete_expired(
        &self,
        kind: ExpiredKind,
        before: Moment,
        limit: usize,
    ) -> StoreFuture<'_, u64>;

    /// The key of the server for this purpose, the same for all nodes; `new` is kept if there is none yet.
    fn server_key(&self, purpose: &'static str, new: ServerKey) -> StoreFuture<'_, ServerKey>;
}
