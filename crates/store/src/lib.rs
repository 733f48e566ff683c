//! Where a chess server keeps what must not be lost: decisions of games, people, seats, offers and
//! chat. It knows no rules of chess and no network; events of games are text to it.
//!
//! [`Store`] is the one trait. Behind it stand [`Sqlite`]: one file, one process, nothing to set up; and
//! `Postgres` (a feature of this crate): a database for as many nodes as are wanted. What every store
//! promises is written down as tests in `conformance` (a feature too).
//!
//! The promises, in short:
//!
//! - **An answered write is on the disk.** A write is answered after its commit, never before; writes
//!   that come at the same time share a commit.
//! - **One decision per number.** [`Store::append_decision`] writes exactly when the decision begins with the
//!   next number of its game. Who lost the race is told what is newer, folds it, and decides again.
//! - **A repeat is recognised.** An answer may get lost on its way, not only a write. The same write with
//!   the same [`Mark`] (or the same id) a second time is answered as the first was, and changes nothing.
//! - **Exactly once** are seats taken, and offers taken, declined or cancelled.
//!
//! ```
//! use touchmove_store::{
//!     AppendDecision, AppendResult, GameChanges, Decision, Due, GameId, Mark, Moment, NewGame, Seats, Sqlite, Store,
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
//!     .create(NewGame {
//!         id,
//!         mark: Mark(1),
//!         created: now,
//!         opening: r#"{"v":1,"seq":0,"event":"started"}"#.to_owned(),
//!         summary: GameSummary::of("chess", "friend"),
//!         seats: Seats::default(),
//!         due: None,
//!     })
//!     .await?;
//!
//! let append = AppendDecision {
//!     game: id,
//!     decision: Decision {
//!         first: 1,
//!         last: 1,
//!         mark: Mark(2),
//!         text: r#"{"v":1,"seq":1,"event":"moved","move":"e2e4"}"#.to_owned(),
//!     },
//!     seat: None,
//!     changes: GameChanges::default(),
//!     due: Due::Keep,
//! };
//! assert_eq!(store.append(append.clone()).await?, AppendResult::Written);
//! // The answer got lost, and the same write comes again:
//! assert_eq!(store.append(append.clone()).await?, AppendResult::Already);
//! // Somebody else has decided number 1 too, and learns what was faster:
//! let mut late = append.clone();
//! late.decision.mark = Mark(3);
//! let newer = vec![append.decision];
//! assert_eq!(store.append(late).await?, AppendResult::Behind { last: 1, newer });
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
