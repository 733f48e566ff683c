//! A store in one SQLite file, for one server, with nothing to set up. This module queues jobs for the threads
//! that run them; the modules below have the SQL.

mod accounts;
mod cleanup;
mod columns;
mod games;
mod grants;
mod lists;
mod maintenance;
mod migrate;
mod offers;
mod open;
mod revocations;
mod threads;
mod write_lock;

#[cfg(test)]
mod tests;

use std::fs::File;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

pub use open::OpenError;
pub(crate) use open::private_permissions;

use crate::{
    AddPersonResult, AppendAttempt, AppendDecision, AppendResult, ChatLine, ChatRoom, CloseOffer,
    CloseOfferResult, CreateResult, Digest, DueGame, Error, ExpiredKind, GameCursor, GameHead,
    GameId, GamePage, GameQuery, Grant, Heartbeat, Holder, LoginSession, MakeOfferResult, Moment,
    NewChatLine, NewGame, Offer, OfferId, Person, PersonChanges, PersonId, Redemption, Revocation,
    SeatColor, ServerKey, SetDueResult, SitResult, Store, StoreFuture, StoredDecision, StoredGame,
    TakeOffer, TakeOfferResult, Token, limits,
};
use threads::{PendingWrite, ReadJob, WriteJob};

/// How long to wait for a lock on the file; only another program could hold one for long.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A store in one SQLite file.
///
/// It has threads of its own: one that writes, some that read, and one that checkpoints the write-ahead log.
/// Its answers may be awaited on any runtime; only [`open`](Sqlite::open) and `drop` block, the latter until
/// everything in the queues is done.
///
/// ```
/// use touchmove_store::{Sqlite, Store};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("touchmove-sqlite-{}", std::process::id()));
/// let store = Sqlite::open(folder.join("touchmove.db"))?;
/// assert_eq!(store.heartbeat().await?.before, None);
///
/// // A second one is refused, from this process or another.
/// let refusal = Sqlite::open(folder.join("touchmove.db")).unwrap_err();
/// assert!(refusal.to_string().contains("is in use"));
/// # drop(store);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(())
/// # }
/// ```
pub struct Sqlite {
    path: PathBuf,
    /// Taken when the store is dropped, which ends the threads.
    queues: Option<Queues>,
    threads: Vec<JoinHandle<()>>,
    /// Locked as long as the store is open; `None` after [`open_shared`](Sqlite::open_shared).
    _lock: Option<File>,
}

struct Queues {
    writes: mpsc::Sender<Box<dyn WriteJob>>,
    reads: mpsc::Sender<ReadJob>,
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.queues = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has reported that itself.
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sqlite")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl Sqlite {
    /// Queues a write and waits for its commit.
    async fn write<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnMut(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let queues = self.queues.as_ref().ok_or(Error::Closed)?;
        let (sender, answer) = oneshot::channel();
        let write: Box<dyn WriteJob> = Box::new(PendingWrite::new(work, sender));
        // A full queue is waited for (backpressure): callers cannot write faster than the disk.
        queues.writes.send(write).await.map_err(|_| Error::Closed)?;
        answer.await.map_err(|_| Error::Closed)?
    }

    /// Queues a read and waits for its answer.
    async fn read<T, F>(&self, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    {
        let queues = self.queues.as_ref().ok_or(Error::Closed)?;
        let (sender, answer) = oneshot::channel();
        let read: ReadJob = Box::new(move |db| {
            // The caller may have gone.
            let _ = sender.send(work(db).map_err(Error::from));
        });
        queues.reads.send(read).await.map_err(|_| Error::Closed)?;
        answer.await.map_err(|_| Error::Closed)?
    }
}

/// The system clock.
fn now() -> Moment {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let millis = since.map_or(0, |since| since.as_millis());
    Moment(i64::try_from(millis).unwrap_or(i64::MAX))
}

impl Store for Sqlite {
    fn create_game(&self, game: NewGame) -> StoreFuture<'_, CreateResult> {
        Box::pin(async move {
            limits::new_game(&game)?;
            self.write(move |db| games::create(db, &game)).await
        })
    }

    fn append_decision(&self, append: AppendDecision) -> StoreFuture<'_, AppendResult> {
        Box::pin(async move {
            limits::append(&append)?;
            let (game, known) = (append.game, append.decision.first - 1);
            let attempted = self.write(move |db| games::append(db, &append)).await?;
            let newer = match attempted {
                AppendAttempt::Behind { .. } => {
                    self.read(move |db| games::newer(db, &[(game, known)]))
                        .await?
                }
                _ => Vec::new(),
            };
            Ok(attempted.with(newer.into_iter().flatten().collect()))
        })
    }

    fn load_games(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<StoredGame>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.read(move |db| games::load(db, &games)).await
        })
    }

    fn heads(&self, games: Vec<GameId>) -> StoreFuture<'_, Vec<GameHead>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.read(move |db| games::heads(db, &games)).await
        })
    }

    fn decisions(
        &self,
        game: GameId,
        after: u64,
        limit: usize,
    ) -> StoreFuture<'_, Vec<StoredDecision>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.read(move |db| games::decisions(db, game, after, limit)))
    }

    fn decisions_after(
        &self,
        games: Vec<(GameId, u64)>,
    ) -> StoreFuture<'_, Vec<Vec<StoredDecision>>> {
        Box::pin(async move {
            limits::games(games.len())?;
            self.read(move |db| games::newer(db, &games)).await
        })
    }

    fn sit(&self, game: GameId, seat: SeatColor, holder: Holder) -> StoreFuture<'_, SitResult> {
        Box::pin(self.write(move |db| games::sit(db, game, seat, &holder)))
    }

    fn move_seats(
        &self,
        guest: Digest,
        person: PersonId,
        limit: usize,
    ) -> StoreFuture<'_, Vec<GameId>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.write(move |db| games::move_seats(db, guest, person, limit)))
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
            self.read(move |db| lists::games(db, &query, after, limit))
                .await
        })
    }

    fn now(&self) -> StoreFuture<'_, Moment> {
        Box::pin(async { Ok(now()) })
    }

    fn heartbeat(&self) -> StoreFuture<'_, Heartbeat> {
        self.heartbeat_at(now())
    }

    fn heartbeat_at(&self, at: Moment) -> StoreFuture<'_, Heartbeat> {
        Box::pin(self.write(move |db| lists::beat(db, at)))
    }

    fn lease_due_games(
        &self,
        now: Moment,
        lease: Duration,
        limit: usize,
    ) -> StoreFuture<'_, Vec<DueGame>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.write(move |db| games::due(db, now, lease, limit)))
    }

    fn set_due(
        &self,
        game: GameId,
        seen: u64,
        due: Option<Moment>,
    ) -> StoreFuture<'_, SetDueResult> {
        Box::pin(self.write(move |db| games::rearm(db, game, seen, due)))
    }

    fn add_person(&self, person: Person) -> StoreFuture<'_, AddPersonResult> {
        Box::pin(async move {
            limits::person(&person)?;
            self.write(move |db| accounts::add_person(db, &person))
                .await
        })
    }

    fn person(&self, id: PersonId) -> StoreFuture<'_, Option<Person>> {
        Box::pin(self.read(move |db| accounts::person(db, id)))
    }

    fn person_named(&self, skeleton: String) -> StoreFuture<'_, Option<Person>> {
        Box::pin(async move {
            limits::skeleton(&skeleton)?;
            self.read(move |db| accounts::person_named(db, &skeleton))
                .await
        })
    }

    fn list_people(&self, after: Option<String>, limit: usize) -> StoreFuture<'_, Vec<Person>> {
        Box::pin(async move {
            after.as_deref().map_or(Ok(()), limits::skeleton)?;
            let limit = limit.min(limits::MAX_ROWS);
            self.read(move |db| accounts::people(db, after.as_deref(), limit))
                .await
        })
    }

    fn change_person(&self, id: PersonId, changes: PersonChanges) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            limits::person_changes(&changes)?;
            self.write(move |db| accounts::change_person(db, id, &changes))
                .await
        })
    }

    fn add_token(&self, token: Token) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            limits::token(&token)?;
            self.write(move |db| accounts::add_token(db, &token)).await
        })
    }

    fn token(&self, hash: Digest) -> StoreFuture<'_, Option<Token>> {
        Box::pin(self.read(move |db| accounts::token(db, hash)))
    }

    fn tokens_of(&self, person: PersonId) -> StoreFuture<'_, Vec<Token>> {
        Box::pin(self.read(move |db| accounts::tokens_of(db, person)))
    }

    fn use_token(&self, hash: Digest, now: Moment) -> StoreFuture<'_, ()> {
        Box::pin(self.write(move |db| accounts::use_token(db, hash, now)))
    }

    fn revoke_token(&self, hash: Digest, now: Moment) -> StoreFuture<'_, bool> {
        Box::pin(self.write(move |db| accounts::revoke_token(db, hash, now)))
    }

    fn add_session(&self, session: LoginSession) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            limits::session(&session)?;
            self.write(move |db| accounts::add_session(db, &session))
                .await
        })
    }

    fn session(&self, hash: Digest, now: Moment) -> StoreFuture<'_, Option<LoginSession>> {
        Box::pin(self.read(move |db| accounts::session(db, hash, now)))
    }

    fn renew_session(&self, hash: Digest, expires: Moment) -> StoreFuture<'_, bool> {
        Box::pin(self.write(move |db| accounts::renew_session(db, hash, expires)))
    }

    fn end_session(&self, hash: Digest) -> StoreFuture<'_, bool> {
        Box::pin(self.write(move |db| accounts::end_session(db, hash)))
    }

    fn end_sessions_of(&self, person: PersonId) -> StoreFuture<'_, u64> {
        Box::pin(self.write(move |db| accounts::end_sessions_of(db, person)))
    }

    fn revocations(&self, after: u64, limit: usize) -> StoreFuture<'_, Vec<Revocation>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.read(move |db| revocations::after(db, after, limit)))
    }

    fn newest_revocation(&self) -> StoreFuture<'_, u64> {
        Box::pin(self.read(revocations::newest))
    }

    fn revoke_tokens_of(&self, person: PersonId, now: Moment) -> StoreFuture<'_, u64> {
        Box::pin(self.write(move |db| accounts::revoke_tokens_of(db, person, now)))
    }

    fn add_grant(&self, grant: Grant) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            limits::grant(&grant)?;
            self.write(move |db| grants::add(db, &grant)).await
        })
    }

    fn redeem_grant(
        &self,
        code: Digest,
        new_token: Digest,
        now: Moment,
    ) -> StoreFuture<'_, Redemption> {
        Box::pin(self.write(move |db| grants::redeem(db, code, new_token, now)))
    }

    fn is_grant_replayed(&self, code: Digest) -> StoreFuture<'_, bool> {
        Box::pin(self.read(move |db| grants::is_replayed(db, code)))
    }

    fn create_offer(&self, offer: Offer) -> StoreFuture<'_, MakeOfferResult> {
        Box::pin(async move {
            limits::offer(&offer)?;
            self.write(move |db| offers::make(db, &offer)).await
        })
    }

    fn find_offer(&self, id: OfferId) -> StoreFuture<'_, Option<Offer>> {
        Box::pin(self.read(move |db| offers::find(db, id)))
    }

    fn open_seeks(&self, now: Moment, limit: usize) -> StoreFuture<'_, Vec<Offer>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.read(move |db| offers::seeks(db, now, limit)))
    }

    fn challenges_by(
        &self,
        person: PersonId,
        now: Moment,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Offer>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.read(move |db| offers::challenges(db, "by_person", person, now, limit)))
    }

    fn challenges_to(
        &self,
        person: PersonId,
        now: Moment,
        limit: usize,
    ) -> StoreFuture<'_, Vec<Offer>> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.read(move |db| offers::challenges(db, "to_person", person, now, limit)))
    }

    fn take_offer(&self, take: TakeOffer) -> StoreFuture<'_, TakeOfferResult> {
        Box::pin(async move {
            limits::new_game(&take.game)?;
            self.write(move |db| offers::take(db, &take)).await
        })
    }

    fn close_offer(&self, offer: OfferId, close: CloseOffer) -> StoreFuture<'_, CloseOfferResult> {
        Box::pin(async move {
            if let CloseOffer::Decline { reason } = &close {
                limits::reason(reason)?;
            }
            self.write(move |db| offers::close(db, offer, &close)).await
        })
    }

    fn add_chat_line(&self, line: NewChatLine) -> StoreFuture<'_, Option<u64>> {
        Box::pin(async move {
            limits::line(&line)?;
            self.write(move |db| lists::say(db, &line)).await
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
        Box::pin(self.read(move |db| lists::chat(db, game, room, after, limit)))
    }

    fn delete_expired(
        &self,
        kind: ExpiredKind,
        before: Moment,
        limit: usize,
    ) -> StoreFuture<'_, u64> {
        let limit = limit.min(limits::MAX_ROWS);
        Box::pin(self.write(move |db| cleanup::delete_expired(db, kind, before, limit)))
    }

    fn server_key(&self, purpose: &'static str, new: ServerKey) -> StoreFuture<'_, ServerKey> {
        Box::pin(self.write(move |db| grants::server_key(db, purpose, new)))
    }
}
