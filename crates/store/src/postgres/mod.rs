//! A store in PostgreSQL, for any number of nodes. This module dispatches to the thread that runs the queries;
//! the modules below have the SQL.

mod accounts;
mod append;
mod batch_writer;
mod cleanup;
mod columns;
mod connection_pool;
mod dump;
mod games;
mod grants;
mod lists;
mod migrate;
mod notify;
mod offers;
mod open;
mod revocations;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_postgres::Config;

pub use dump::DumpError;
pub use notify::{NotificationListener, StoreNotification};
pub use open::ConnectError;

use crate::{
    AddPersonResult, AppendAttempt, AppendDecision, AppendResult, ChatLine, ChatRoom, CloseOffer,
    CloseOfferResult, CreateResult, Digest, DueGame, Error, ExpiredKind, GameCursor, GameHead,
    GameId, GamePage, GameQuery, Grant, Heartbeat, HeartbeatGap, Holder, LoginSession,
    MakeOfferResult, Moment, NewChatLine, NewGame, Offer, OfferId, Person, PersonChanges, PersonId,
    Redemption, Revocation, SeatColor, ServerKey, SetDueResult, SitResult, Store, StoreFuture,
    StoredDecision, StoredGame, TakeOffer, TakeOfferResult, Token, limits,
};
use batch_writer::BatchWriter;
use connection_pool::{ConnectionFuture, ConnectionJob, Db, with_connection};
use notify::NotificationQueue;

/// A store in a PostgreSQL database.
///
/// It has a thread of its own with the connections. Its answers may be awaited on any runtime, and only
/// [`open`](Postgres::open) blocks. Concurrent appends of decisions and of chat lines share a commit;
/// everything else is a transaction of its own. The statements of a transaction are sent together with its
/// commit, so that a node that stops in the middle holds no lock.
///
/// If the database cannot be reached, every call fails within seconds, and the store reconnects by itself. A
/// write that was under way may turn out to be done: repeat it with the same write id or id.
///
/// ```no_run
/// use touchmove_store::{Postgres, Store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Postgres::open("postgres://touchmove:sesame@127.0.0.1/touchmove")?;
/// let beat = store.heartbeat().await?;
/// println!("the house was dark for {} ms", beat.gap());
/// # Ok(())
/// # }
/// ```
pub struct Postgres {
    address_for_display: String,
    handle: Handle,
    pool: Pool,
    appends: BatchWriter<AppendDecision>,
    lines: BatchWriter<NewChatLine>,
    desk: Arc<NotificationQueue>,
    /// How and where to listen for notifications: used once there is a first listener.
    news: (Config, String),
    /// Ends the thread when the store is dropped.
    close: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some((close, thread)) = self.close.take() {
            drop(close);
            // A thread that panicked has reported that itself.
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres")
            .field("place", &self.address_for_display)
            .finish_non_exhaustive()
    }
}

impl Postgres {
    /// Subscribes to the writes and messages of other nodes, which arrive as one `NOTIFY` of PostgreSQL per
    /// batch. The first call also makes this node notify the others; turn that off with
    /// [`set_notify`](Postgres::set_notify) if they are notified by other means.
    ///
    /// ```no_run
    /// # async fn hear(store: touchmove_store::Postgres) {
    /// use touchmove_store::StoreNotification;
    ///
    /// let mut listener = store.listen();
    /// while let Some(news) = listener.next().await {
    ///     match news {
    ///         StoreNotification::Written { game, last } => println!("{game} has event {last}"),
    ///         StoreNotification::Said(text) => println!("another node says {text}"),
    ///         StoreNotification::Gap => println!("something may have been missed: read what matters"),
    ///     }
    /// }
    /// # }
    /// ```
    pub fn listen(&self) -> NotificationListener {
        let (listener, is_first) = self.desk.listen();
        if is_first {
            let (config, channel) = self.news.clone();
            drop(
                self.handle
                    .spawn(notify::run(config, channel, Arc::clone(&self.desk))),
            );
        }
        listener
    }

    /// A name of this store that no other store on the same servers has: the database and the schema, in
    /// letters, digits and underscores.
    #[must_use]
    pub fn name(&self) -> String {
        let database = self.news.0.get_dbname().unwrap_or("postgres");
        let name = format!("{database}_{}", self.news.1);
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        name.chars().map(plain).collect()
    }

    /// The address of the database without the password, for display.
    #[must_use]
    pub fn address_for_display(&self) -> &str {
        &self.address_for_display
    }

    /// Sends a message to the nodes that listen: one line of at most [`limits::MAX_NODE_MESSAGE_BYTES`] bytes.
    /// A longer text is dropped, and so is everything while this node has no listener.
    pub fn notify_nodes(&self, text: String) {
        self.desk.queue_message(text);
    }

    /// Whether notifications of other nodes can be received now.
    #[must_use]
    pub fn is_listening(&self) -> bool {
        self.desk.is_connected()
    }

    /// Sets whether other nodes are notified of writes by other means; `true` turns the notifications of this
    /// store off.
    pub fn set_notify(&self, is_quiet: bool) {
        self.desk.set_quiet(is_quiet);
    }

    /// Runs a job with a connection, on the thread of the store, and returns its answer.
    async fn ask<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(Db<'a>) -> ConnectionFuture<'a, T> + Send + 'static,
    {
        let answer = Arc::new(Mutex::new(None));
        let left = Arc::clone(&answer);
        let work: ConnectionJob = Box::new(move |db| {
            Box::pin(async move {
                let found = work(db).await?;
                *left.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
                Ok(())
            })
        });
        self.work(work).await?;
        let mut answer = answer.lock().unwrap_or_else(PoisonError::into_inner);
        answer.take().ok_or(Error::Closed)
    }

    /// Runs a boxed job: without a type parameter, so that the runtime's code for it is compiled once.
    async fn work(&self, work: ConnectionJob) -> Result<(), Error> {
        let pool = self.pool.clone();
        let task = self
            .handle
            .spawn(async move { with_connection(&pool, work).await });
        Ok(task.await.map_err(|_| Error::Closed)??)
    }

    /// Notifies other nodes that a game was created.
    fn note_begun(&self, game: GameId, has_begun: bool) {
        self.desk.queue_write(has_begun.then_some((game, 0)));
    }
}

impl Store for Postgres {
    fn create_game(&self, game: NewGame) -> StoreFuture<'_, CreateResult> {
        Box::pin(async move {
            limits::new_game(&game)?;
            let id = game.id;
            let created = self
                .ask(move |db| Box::pin(async move { games::create(db, &game).await }))
                .await?;
            self.note_begun(id, created == CreateResult::Written);
            Ok(created)
        })
    }

    fn append_decision(&self, append: AppendDecision) -> StoreFuture<'_, AppendResult> {
        Box::pin(async move {
            limits::append(&append)?;
            let known = vec![(append.game, append.decision.first - 1)];
            let attempted = self.appends.write(append).await?;
            let newer = match attempted {
                AppendAttempt::Behind { .. } => self.decisions_after(known).await?,
                _ => Vec::new(),
            };
            Ok(attempted.with(newer.into_iter().flatten().collect()))
        })
    }

    fn load_games(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<StoredGame>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.ask(move |db| Box::pin(async move { games::load(db, &games).await }))
                .await
        })
    }

    fn heads(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<GameHead>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.ask(move |db| Box::pin(async move { games::heads(db, &games).await }))
                .await
        })
    }

    fn decisions(
        &self,
        game: GameId,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'_, Vec<StoredDecision>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.ask(move |db| Box::pin(games::decisions(db, game, after, limit))))
    }

    fn decisions_after(
        &self,
        games: Vec<(GameId, u64)>,
    ) -> StoreFuture<'_, Vec<Vec<StoredDecision>>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.ask(move |db| Box::pin(async move { games::newer(db, &games).await }))
                .await
        })
    }

    fn sit(&self, game: GameId, seat: SeatColor, holder: Holder) -> StoreFuture<'_, SitResult> {
        Box::pin(
            self.ask(move |db| Box::pin(async move { games::sit(db, game, seat, &holder).await })),
        )
    }

    fn move_seats(
        &self,
        guest: Digest,
        person: PersonId,
        limit: usize,
    ) -> StoreFuture<'_, Vec<GameId>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.ask(move |db| Box::pin(games::move_seats(db, guest, person, limit))))
    }

    fn list_games(
        &self,
        query: GameQuery,
        after: Option<GameCursor>,
        limit: usize,
    ) -> StoreFuture<'_, GamePage> {
        Box::pin(async move {
            limits::query(&query)?;
            let limit = limit.min(limits::MAX_ROWS);
            if limit == 0 {
                let games = Vec::new();
                return Ok(GamePage { games, next: after });
            }
            self.ask(move |db| {
                Box::pin(async move { lists::games(db, &query, after, limit).await })
            })
            .await
        })
    }

    fn now(&self) -> StoreFuture<'_, Moment> {
        Box::pin(self.ask(|db| Box::pin(lists::now(db))))
    }

    fn heartbeat(&self) -> StoreFuture<'_, Heartbeat> {
        Box::pin(self.ask(|db| Box::pin(lists::beat(db))))
    }

    fn heartbeat_gaps(&self, after: u64) -> StoreFuture<'_, Vec<HeartbeatGap>> {
        Box::pin(self.ask(move |db| Box::pin(lists::silences(db, after))))
    }

    fn lease_due_games(
        &self,
        now: Moment,
        lease: Duration,
        limit: usize,
    ) -> StoreFuture<'_, Vec<DueGame>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.ask(move |db| Box::pin(games::due(db, now, lease, limit))))
    }

    fn set_due(
        &self,
        game: GameId,
        seen: u64,
        due: Option<Moment>,
    ) -> StoreFuture<'_, SetDueResult> {
        Box::pin(self.ask(move |db| Box::pin(games::rearm(db, game, seen, due))))
    }

    fn add_person(&self, person: Person) -> StoreFuture<'_, AddPersonResult> {
        Box::pin(async move {
            limits::person(&person)?;
            self.ask(move |db| Box::pin(async move { accounts::add_person(db, &person).await }))
                .await
        })
    }

    fn person(&self, id: PersonId) -> StoreFuture<'_, Option<Person>> {
        Box::pin(self.ask(move |db| Box::pin(accounts::person(db, id))))
    }

    fn person_named(&self, skeleton: String) -> StoreFuture<'_, Option<Person>> {
        Box::pin(async move {
            limits::skeleton(&skeleton)?;
            self.ask(move |db| Box::pin(async move { accounts::person_named(db, &skeleton).await }))
                .await
        })
    }

    fn list_people(&self, after: Option<String>, limit: usize) -> StoreFuture<'_, Vec<Person>> {
        Box::pin(async move {
            after.as_deref().map_or(Ok(()), limits::skeleton)?;
            let limit = limit.min(limits::MAX_ROWS);
            self.ask(move |db| {
                Box::pin(async move { accounts::people(db, after.as_deref(), limit).await })
            })
            .await
        })
    }

    fn change_person(&self, id: PersonId, changes: PersonChanges) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            limits::person_changes(&changes)?;
            self.ask(move |db| {
                Box::pin(async move { accounts::change_person(db, id, &changes).await })
            })
            .await
        })
    }

    fn add_token(&self, token: Token) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            limits::token(&token)?;
            self.ask(move |db| Box::pin(async move { accounts::add_token(db, &token).await }))
                .await
        })
    }

    fn token(&self, hash: Digest) -> StoreFuture<'_, Option<Token>> {
        Box::pin(self.ask(move |db| Box::pin(accounts::token(db, hash))))
    }

    fn tokens_of(&self, person: PersonId) -> StoreFuture<'_, Vec<Token>> {
        Box::pin(self.ask(move |db| Box::pin(accounts::tokens_of(db, person))))
    }

    fn use_token(&self, hash: Digest, now: Moment) -> StoreFuture<'_, ()> {
        Box::pin(self.ask(move |db| Box::pin(accounts::use_token(db, hash, now))))
    }

    fn revoke_token(&self, hash: Digest, now: Moment) -> StoreFuture<'_, bool> {
        Box::pin(self.ask(move |db| Box::pin(accounts::revoke_token(db, hash, now))))
    }

    fn add_session(&self, session: LoginSession) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            limits::session(&session)?;
            self.ask(move |db| Box::pin(async move { accounts::add_session(db, &session).await }))
                .await
        })
    }

    fn session(&self, hash: Digest, now: Moment) -> StoreFuture<'_, Option<LoginSession>> {
        Box::pin(self.ask(move |db| Box::pin(accounts::session(db, hash, now))))
    }

    fn renew_session(&self, hash: Digest, expires: Moment) -> StoreFuture<'_, bool> {
        Box::pin(self.ask(move |db| Box::pin(accounts::renew_session(db, hash, expires))))
    }

    fn end_session(&self, hash: Digest) -> StoreFuture<'_, bool> {
        Box::pin(self.ask(move |db| Box::pin(accounts::end_session(db, hash))))
    }

    fn end_sessions_of(&self, person: PersonId) -> StoreFuture<'_, u64> {
        Box::pin(self.ask(move |db| Box::pin(accounts::end_sessions_of(db, person))))
    }

    fn revocations(&self, after: u64, limit: usize) -> StoreFuture<'_, Vec<Revocation>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.ask(move |db| Box::pin(revocations::after(db, after, limit))))
    }

    fn newest_revocation(&self) -> StoreFuture<'_, u64> {
        Box::pin(self.ask(|db| Box::pin(revocations::newest(db))))
    }

    fn revoke_tokens_of(&self, person: PersonId, now: Moment) -> StoreFuture<'_, u64> {
        Box::pin(self.ask(move |db| Box::pin(accounts::revoke_tokens_of(db, person, now))))
    }

    fn add_grant(&self, grant: Grant) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            limits::grant(&grant)?;
            self.ask(move |db| Box::pin(async move { grants::add(db, &grant).await }))
                .await
        })
    }

    fn redeem_grant(
        &self,
        code: Digest,
        new_token: Digest,
        now: Moment,
    ) -> StoreFuture<'_, Redemption> {
        Box::pin(self.ask(move |db| Box::pin(grants::redeem(db, code, new_token, now))))
    }

    fn is_grant_replayed(&self, code: Digest) -> StoreFuture<'_, bool> {
        Box::pin(self.ask(move |db| Box::pin(grants::is_replayed(db, code))))
    }

    fn create_offer(&self, offer: Offer) -> StoreFuture<'_, MakeOfferResult> {
        Box::pin(async move {
            limits::offer(&offer)?;
            self.ask(move |db| Box::pin(async move { offers::make(db, &offer).await }))
                .await
        })
    }

    fn find_offer(&self, id: OfferId) -> StoreFuture<'_, Option<Offer>> {
        Box::pin(self.ask(move |db| Box::pin(offers::find(db, id))))
    }

    fn open_seeks(&self, now: Moment, limit: usize) -> StoreFuture<'_, Vec<Offer>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.ask(move |db| Box::pin(offers::seeks(db, now, limit))))
    }

    fn challenges_by(
        &self,
        person: PersonId,
        now: Moment,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Offer>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(
            self.ask(move |db| Box::pin(offers::challenges(db, "by_person", person, now, limit))),
        )
    }

    fn challenges_to(
        &self,
        person: PersonId,
        now: Moment,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Offer>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(
            self.ask(move |db| Box::pin(offers::challenges(db, "to_person", person, now, limit))),
        )
    }

    fn take_offer(&self, take: TakeOffer) -> StoreFuture<'_, TakeOfferResult> {
        Box::pin(async move {
            limits::new_game(&take.game)?;
            let id = take.game.id;
            let taken = self
                .ask(move |db| Box::pin(async move { offers::take(db, &take).await }))
                .await?;
            self.note_begun(id, taken == TakeOfferResult::Written);
            Ok(taken)
        })
    }

    fn close_offer(&self, offer: OfferId, close: CloseOffer) -> StoreFuture<'_, CloseOfferResult> {
        Box::pin(async move {
            if let CloseOffer::Decline { reason } = &close {
                limits::reason(reason)?;
            }
            self.ask(move |db| Box::pin(async move { offers::close(db, offer, &close).await }))
                .await
        })
    }

    fn add_chat_line(&self, line: NewChatLine) -> StoreFuture<'_, Option<u64>> {
        Box::pin(async move {
            limits::line(&line)?;
            self.lines.write(line).await
        })
    }

    fn chat_lines(
        &self,
        game: GameId,
        room: ChatRoom,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'_, Vec<ChatLine>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.ask(move |db| Box::pin(lists::chat(db, game, room, after, limit))))
    }

    fn delete_expired(
        &self,
        kind: ExpiredKind,
        before: Moment,
        limit: usize,
    ) -> StoreFuture<'_, u64> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.ask(move |db| Box::pin(cleanup::delete_expired(db, kind, before, limit))))
    }

    fn server_key(&self, purpose: &'static str, new: ServerKey) -> StoreFuture<'_, ServerKey> {
        Box::pin(self.ask(move |db| Box::pin(grants::server_key(db, purpose, new))))
    }
}
