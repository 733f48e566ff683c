//! A store in PostgreSQL: for as many nodes as are wanted. The statements are in the modules beside; here
//! they are given to the thread that talks with the database.

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
pub use notify::{Listener, News};
pub use open::ConnectError;

use crate::{
    Added, Answer, Append, Appended, Attempted, Beat, Close, Closed, Created, Cursor, Decision,
    Digest, DueGame, Error, ExpiredKind, GameHead, GameId, Grant, Holder, Line, Made, Moment,
    NewGame, NewLine, Offer, OfferId, Page, Person, PersonChanges, PersonId, Query, Rearmed,
    Redemption, Revocation, Room, Seat, Seated, ServerKey, Session, Silence, Store, StoredGame,
    Take, Taken, Token, limits,
};
use batch_writer::Group;
use connection_pool::{Db, Deed, Work, lend};
use notify::Desk;

/// A store in a PostgreSQL database.
///
/// It has a thread of its own that talks with the database. Its answers may be awaited on any runtime, and
/// nothing blocks there but [`open`](Postgres::open). Appended decisions and lines of chat that come at the
/// same time share a commit; everything else is a transaction of its own. All of them travel at once with
/// their commit, so that a node that stops in the middle holds no lock.
///
/// Where the database cannot be reached, everything is answered with an error within seconds, and the
/// connections are made again when it can be. A write that was on its way then may turn out to be there:
/// repeat it with the same mark or id.
///
/// ```no_run
/// use touchmove_store::{Postgres, Store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Postgres::open("postgres://touchmove:sesame@127.0.0.1/touchmove")?;
/// let beat = store.beat().await?;
/// println!("the house was dark for {} ms", beat.gap());
/// # Ok(())
/// # }
/// ```
pub struct Postgres {
    place: String,
    handle: Handle,
    pool: Pool,
    appends: Group<Append>,
    lines: Group<NewLine>,
    desk: Arc<Desk>,
    /// What the messenger needs, once somebody listens: how to connect, and where to listen.
    news: (Config, String),
    /// Ends the thread when the store is dropped.
    close: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if let Some((close, thread)) = self.close.take() {
            drop(close);
            // A thread that panicked has said so itself.
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

impl Postgres {
    /// Hears what other nodes write and say, by one notification of the database for each batch. The first
    /// listener makes this node tell the others too; [`hush`](Postgres::hush) where another messenger does.
    ///
    /// ```no_run
    /// # async fn hear(store: touchmove_store::Postgres) {
    /// use touchmove_store::News;
    ///
    /// let mut listener = store.listen();
    /// while let Some(news) = listener.next().await {
    ///     match news {
    ///         News::Written { game, last } => println!("{game} has event {last}"),
    ///         News::Said(text) => println!("another node says {text}"),
    ///         News::Gap => println!("something may have been missed: read what matters"),
    ///     }
    /// }
    /// # }
    /// ```
    pub fn listen(&self) -> Listener {
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

    /// What tells this store from others on the same servers: the database and the schema, in letters,
    /// digits and underscores.
    #[must_use]
    pub fn name(&self) -> String {
        let database = self.news.0.get_dbname().unwrap_or("postgres");
        let name = format!("{database}_{}", self.news.1);
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        name.chars().map(plain).collect()
    }

    /// The database as it may be shown: without the password.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Says something to the nodes that listen: one line, of at most [`limits::MESSAGE`] bytes. What is longer
    /// is not said, and nothing is said as long as nobody listens here.
    pub fn say_to_nodes(&self, text: String) {
        self.desk.say(text);
    }

    /// Whether other nodes can tell us something now.
    #[must_use]
    pub fn is_listening(&self) -> bool {
        self.desk.is_connected()
    }

    /// Whether other nodes are told elsewhere what is written here, so that it need not be told twice.
    pub fn hush(&self, is_quiet: bool) {
        self.desk.hush(is_quiet);
    }

    /// Does something with a connection, on the thread of the store.
    async fn ask<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(Db<'a>) -> Deed<'a, T> + Send + 'static,
    {
        let answer = Arc::new(Mutex::new(None));
        let left = Arc::clone(&answer);
        let work: Work = Box::new(move |db| {
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

    /// Does something whose type is forgotten: what the runtime does for it is compiled once.
    async fn work(&self, work: Work) -> Result<(), Error> {
        let pool = self.pool.clone();
        let task = self.handle.spawn(async move { lend(&pool, work).await });
        Ok(task.await.map_err(|_| Error::Closed)??)
    }

    /// Tells other nodes that a game has begun.
    fn note_begun(&self, game: GameId, has_begun: bool) {
        self.desk.note(has_begun.then_some((game, 0)));
    }
}

impl Store for Postgres {
    fn create(&self, game: NewGame) -> Answer<'_, Created> {
        Box::pin(async move {
            limits::new_game(&game)?;
            let id = game.id;
            let created = self
                .ask(move |db| Box::pin(async move { games::create(db, &game).await }))
                .await?;
            self.note_begun(id, created == Created::Written);
            Ok(created)
        })
    }

    fn append(&self, append: Append) -> Answer<'_, Appended> {
        Box::pin(async move {
            limits::append(&append)?;
            let known = vec![(append.game, append.decision.first - 1)];
            let attempted = self.appends.write(append).await?;
            let newer = match attempted {
                Attempted::Behind { .. } => self.newer(known).await?,
                _ => Vec::new(),
            };
            Ok(attempted.with(newer.into_iter().flatten().collect()))
        })
    }

    fn load(&self, games: Vec<GameId>) -> Answer<'_, Vec<StoredGame>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.ask(move |db| Box::pin(async move { games::load(db, &games).await }))
                .await
        })
    }

    fn heads(&self, games: Vec<GameId>) -> Answer<'_, Vec<GameHead>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.ask(move |db| Box::pin(async move { games::heads(db, &games).await }))
                .await
        })
    }

    fn decisions(&self, game: GameId, after: u64, limit: usize) -> Answer<'_, Vec<Decision>> {
        let limit = limit.min(limits::ROWS);
        Box::pin(self.ask(move |db| Box::pin(games::decisions(db, game, after, limit))))
    }

    fn newer(&self, games: Vec<(GameId, u64)>) -> Answer<'_, Vec<Vec<Decision>>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.ask(move |db| Box::pin(async move { games::newer(db, &games).await }))
                .await
        })
    }

    fn sit(&self, game: GameId, seat: Seat, holder: Holder) -> Answer<'_, Seated> {
        Box::pin(
            self.ask(move |db| Box::pin(async move { games::sit(db, game, seat, &holder).await })),
        )
    }

    fn move_seats(&self, guest: Digest, person: PersonId, limit: usize) -> Answer<'_, Vec<GameId>> {
        let limit = limit.min(limits::ROWS);
        Box::pin(self.ask(move |db| Box::pin(games::move_seats(db, guest, person, limit))))
    }

    fn games(&self, query: Query, after: Option<Cursor>, limit: usize) -> Answer<'_, Page> {
        Box::pin(async move {
            limits::query(&query)?;
            let limit = limit.min(limits::ROWS);
            if limit == 0 {
                let games = Vec::new();
                return Ok(Page { games, next: after });
            }
            self.ask(move |db| {
                Box::pin(async move { lists::games(db, &query, after, limit).await })
            })
            .await
        })
    }

    fn now(&self) -> Answer<'_, Moment> {
        Box::pin(self.ask(|db| Box::pin(lists::now(db))))
    }

    fn beat(&self) -> Answer<'_, Beat> {
        Box::pin(self.ask(|db| Box::pin(lists::beat(db))))
    }

    fn silences(&self, after: u64) -> Answer<'_, Vec<Silence>> {
        Box::pin(self.ask(move |db| Box::pin(lists::silences(db, after))))
    }

    fn due(&self, now: Moment, lease: Duration, limit: usize) -> Answer<'_, Vec<DueGame>> {
        let limit = limit.min(limits::ROWS);
        Box::pin(self.ask(move |db| Box::pin(games::due(db, now, lease, limit))))
    }

    fn rearm(&self, game: GameId, seen: u64, due: Option<Moment>) -> Answer<'_, Rearmed> {
        Box::pin(self.ask(move |db| Box::pin(games::rearm(db, game, seen, due))))
    }

    fn add_person(&self, person: Person) -> Answer<'_, Added> {
        Box::pin(async move {
            limits::person(&person)?;
            self.ask(move |db| Box::pin(async move { accounts::add_person(db, &person).await }))
                .await
        })
    }

    fn person(&self, id: PersonId) -> Answer<'_, Option<Person>> {
        Box::pin(self.ask(move |db| Box::pin(accounts::person(db, id))))
    }

    fn person_named(&self, skeleton: String) -> Answer<'_, Option<Person>> {
        Box::pin(async move {
            limits::skeleton(&skeleton)?;
            self.ask(move |db| Box::pin(async move { accounts::person_named(db, &skeleton).await }))
                .await
        })
    }

    fn people(&self, after: Option<String>, limit: usize) -> Answer<'_, Vec<Person>> {
        Box::pin(async move {
            after.as_deref().map_or(Ok(()), limits::skeleton)?;
            let limit = limit.min(limits::ROWS);
            self.ask(move |db| {
                Box::pin(async move { accounts::people(db, after.as_deref(), limit).await })
            })
            .await
        })
    }

    fn change_person(&self, id: PersonId, changes: PersonChanges) -> Answer<'_, bool> {
        Box::pin(async move {
            limits::person_changes(&changes)?;
            self.ask(move |db| {
                Box::pin(async move { accounts::change_person(db, id, &changes).await })
            })
            .await
        })
    }

    fn add_token(&self, token: Token) -> Answer<'_, bool> {
        Box::pin(async move {
            limits::token(&token)?;
            self.ask(move |db| Box::pin(async move { accounts::add_token(db, &token).await }))
                .await
        })
    }

    fn token(&self, hash: Digest) -> Answer<'_, Option<Token>> {
        Box::pin(self.ask(move |db| Box::pin(accounts::token(db, hash))))
    }

    fn tokens_of(&self, person: PersonId) -> Answer<'_, Vec<Token>> {
        Box::pin(self.ask(move |db| Box::pin(accounts::tokens_of(db, person))))
    }

    fn use_token(&self, hash: Digest, now: Moment) -> Answer<'_, ()> {
        Box::pin(self.ask(move |db| Box::pin(accounts::use_token(db, hash, now))))
    }

    fn revoke_token(&self, hash: Digest, now: Moment) -> Answer<'_, bool> {
        Box::pin(self.ask(move |db| Box::pin(accounts::revoke_token(db, hash, now))))
    }

    fn add_session(&self, session: Session) -> Answer<'_, ()> {
        Box::pin(async move {
            limits::session(&session)?;
            self.ask(move |db| Box::pin(async move { accounts::add_session(db, &session).await }))
                .await
        })
    }

    fn session(&self, hash: Digest, now: Moment) -> Answer<'_, Option<Session>> {
        Box::pin(self.ask(move |db| Box::pin(accounts::session(db, hash, now))))
    }

    fn renew_session(&self, hash: Digest, expires: Moment) -> Answer<'_, bool> {
        Box::pin(self.ask(move |db| Box::pin(accounts::renew_session(db, hash, expires))))
    }

    fn end_session(&self, hash: Digest) -> Answer<'_, bool> {
        Box::pin(self.ask(move |db| Box::pin(accounts::end_session(db, hash))))
    }

    fn end_sessions_of(&self, person: PersonId) -> Answer<'_, u64> {
        Box::pin(self.ask(move |db| Box::pin(accounts::end_sessions_of(db, person))))
    }

    fn revocations(&self, after: u64, limit: usize) -> Answer<'_, Vec<Revocation>> {
        let limit = limit.min(limits::ROWS);
        Box::pin(self.ask(move |db| Box::pin(revocations::after(db, after, limit))))
    }

    fn newest_revocation(&self) -> Answer<'_, u64> {
        Box::pin(self.ask(|db| Box::pin(revocations::newest(db))))
    }

    fn revoke_tokens_of(&self, person: PersonId, now: Moment) -> Answer<'_, u64> {
        Box::pin(self.ask(move |db| Box::pin(accounts::revoke_tokens_of(db, person, now))))
    }

    fn add_grant(&self, grant: Grant) -> Answer<'_, ()> {
        Box::pin(async move {
            limits::grant(&grant)?;
            self.ask(move |db| Box::pin(async move { grants::add(db, &grant).await }))
                .await
        })
    }

    fn redeem_grant(&self, code: Digest, new_token: Digest, now: Moment) -> Answer<'_, Redemption> {
        Box::pin(self.ask(move |db| Box::pin(grants::redeem(db, code, new_token, now))))
    }

    fn is_grant_replayed(&self, code: Digest) -> Answer<'_, bool> {
        Box::pin(self.ask(move |db| Box::pin(grants::is_replayed(db, code))))
    }

    fn offer(&self, offer: Offer) -> Answer<'_, Made> {
        Box::pin(async move {
            limits::offer(&offer)?;
            self.ask(move |db| Box::pin(async move { offers::make(db, &offer).await }))
                .await
        })
    }

    fn find_offer(&self, id: OfferId) -> Answer<'_, Option<Offer>> {
        Box::pin(self.ask(move |db| Box::pin(offers::find(db, id))))
    }

    fn seeks(&self, now: Moment, limit: usize) -> Answer<'_, Vec<Offer>> {
        let limit = limit.min(limits::ROWS);
        Box::pin(self.ask(move |db| Box::pin(offers::seeks(db, now, limit))))
    }

    fn challenges_by(&self, person: PersonId, now: Moment, limit: usize) -> Answer<'_, Vec<Offer>> {
        let limit = limit.min(limits::ROWS);
        Box::pin(
            self.ask(move |db| Box::pin(offers::challenges(db, "by_person", person, now, limit))),
        )
    }

    fn challenges_to(&self, person: PersonId, now: Moment, limit: usize) -> Answer<'_, Vec<Offer>> {
        let limit = limit.min(limits::ROWS);
        Box::pin(
            self.ask(move |db| Box::pin(offers::challenges(db, "to_person", person, now, limit))),
        )
    }

    fn take(&self, take: Take) -> Answer<'_, Taken> {
        Box::pin(async move {
            limits::new_game(&take.game)?;
            let id = take.game.id;
            let taken = self
                .ask(move |db| Box::pin(async move { offers::take(db, &take).await }))
                .await?;
            self.note_begun(id, taken == Taken::Written);
            Ok(taken)
        })
    }

    fn close(&self, offer: OfferId, close: Close) -> Answer<'_, Closed> {
        Box::pin(async move {
            if let Close::Decline { reason } = &close {
                limits::reason(reason)?;
            }
            self.ask(move |db| Box::pin(async move { offers::close(db, offer, &close).await }))
                .await
        })
    }

    fn say(&self, line: NewLine) -> Answer<'_, Option<u64>> {
        Box::pin(async move {
            limits::line(&line)?;
            self.lines.write(line).await
        })
    }

    fn chat(&self, game: GameId, room: Room, after: u64, limit: usize) -> Answer<'_, Vec<Line>> {
        let limit = limit.min(limits::ROWS);
        Box::pin(self.ask(move |db| Box::pin(lists::chat(db, game, room, after, limit))))
    }

    fn delete_expired(&self, kind: ExpiredKind, before: Moment, limit: usize) -> Answer<'_, u64> {
        let limit = limit.min(limits::ROWS);
        Box::pin(self.ask(move |db| Box::pin(cleanup::delete_expired(db, kind, before, limit))))
    }

    fn server_key(&self, purpose: &'static str, new: ServerKey) -> Answer<'_, ServerKey> {
        Box::pin(self.ask(move |db| Box::pin(grants::server_key(db, purpose, new))))
    }
}
