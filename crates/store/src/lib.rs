//! Storage of a chess server: games with their decisions, accounts, sessions, seats, offers and chat. It knows
//! no rules of chess and no network; the events of games are text to it.
//!
//! [`Store`] is the trait. It has two implementations: [`Sqlite`], one file for one server with nothing to set
//! up, and `Postgres` (feature `postgres`), one database for any number of nodes. The feature `conformance` has
//! the tests that every store passes.
//!
//! What every store promises:
//!
//! - **Writes are durable.** A write is answered after its commit, never before; concurrent writes share a
//!   commit.
//! - **One decision per number.** [`Store::append_decision`] writes only if the decision begins with the next
//!   event number of its game. The caller that loses a race gets the newer decisions, applies them, and decides
//!   again.
//! - **Writes are idempotent.** A caller that got no answer repeats the write with the same [`WriteId`] (or the
//!   same id). If it was done before, the answer says so and nothing changes.
//! - **Exactly once**: a seat is taken once, and an offer is taken, declined or cancelled once.
//!
//! ```
//! use touchmove_store::{
//!     AppendDecision, AppendResult, GameChanges, StoredDecision, DueChange, GameId, WriteId, Moment, NewGame, SeatHolders, Sqlite, Store,
//!     GameSummary,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("touchmove-lib-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("touchmove.db");
//! let store = Sqlite::open(&path)?;
//! let id: GameId = "q7LmZx04".parse()?;
//! let now = store.now().await?;
//! store
//!     .create_game(NewGame {
//!         id,
//!         mark: WriteId(1),
//!         created: now,
//!         opening: r#"{"v":1,"seq":0,"event":"started"}"#.to_owned(),
//!         summary: GameSummary::of("chess", "friend"),
//!         seats: SeatHolders::default(),
//!         due: None,
//!     })
//!     .await?;
//!
//! let append = AppendDecision {
//!     game: id,
//!     decision: StoredDecision {
//!         first: 1,
//!         last: 1,
//!         mark: WriteId(2),
//!         text: r#"{"v":1,"seq":1,"event":"moved","move":"e2e4"}"#.to_owned(),
//!     },
//!     seat: None,
//!     changes: GameChanges::default(),
//!     due: DueChange::Keep,
//! };
//! assert_eq!(store.append_decision(append.clone()).await?, AppendResult::Written);
//! // The answer got lost, and the same write comes again:
//! assert_eq!(store.append_decision(append.clone()).await?, AppendResult::Already);
//! // Somebody else has decided number 1 too, and learns what was faster:
//! let mut late = append.clone();
//! late.decision.mark = WriteId(3);
//! let newer = vec![append.decision];
//! assert_eq!(store.append_decision(late).await?, AppendResult::Behind { last: 1, newer });
//! # drop(store);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok(())
//! # }
//! ```

mod account;
mod backup;
mod chat;
mod cleanup;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod error;
mod game;
mod game_list;
mod game_list_sql;
mod grant;
mod id;
pub mod limits;
mod offer;
#[cfg(feature = "postgres")]
mod postgres;
mod revocation;
mod sqlite;
mod store;

pub use account::{
    AddPersonResult, Holder, LoginSession, Person, PersonChanges, PersonKind, SeatColor,
    SeatHolders, Token,
};
pub use backup::{BackupError, Overwrite};
pub use chat::{ChatLine, ChatRoom, NewChatLine};
pub use cleanup::{ExpiredKind, ServerKey};
pub use error::Error;
pub(crate) use game::AppendAttempt;
pub use game::{
    AppendDecision, AppendResult, CreateResult, DueChange, DueGame, GameChanges, GameHead,
    GamePhase, GameRow, GameSummary, NewGame, PlayerSummary, SetDueResult, SitResult,
    StoredDecision, StoredGame,
};
pub use game_list::{GameCursor, GamePage, GameQuery, ParseCursorError};
pub use grant::{Grant, Redemption};
pub use id::{Digest, GameId, Moment, OfferId, ParseIdError, PersonId, WriteId};
pub use offer::{
    CloseOffer, CloseOfferResult, MakeOfferResult, Offer, OfferStatus, TakeOffer, TakeOfferResult,
};
#[cfg(feature = "postgres")]
pub use postgres::{ConnectError, DumpError, NotificationListener, Postgres, StoreNotification};
pub use revocation::{Revocation, RevocationTarget};
pub use sqlite::{OpenError, Sqlite};
pub use store::{Heartbeat, HeartbeatGap, OUTAGE_THRESHOLD_MILLIS, Store, StoreFuture};
