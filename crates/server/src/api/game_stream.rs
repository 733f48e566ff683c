//! Streams many games as one response. Each game is read when the client has taken the one before: a slow client
//! holds one game in memory, and a disconnect ends the work.

use std::sync::Arc;
use std::time::Duration;

use axum::BoxError;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};
use tokio::runtime::Handle;
use touchmove_store::{GameCursor, GameId, GameQuery, GameRow};

use crate::Server;
use crate::api::ApiError;
use crate::games::table::{GameError, LiveGame};
use crate::live_connections::{Connection, REVOKED_REASON};
use crate::security::Client;
use crate::work_queue::{WorkError, WorkOwner};

/// Games that are looked up at once.
const GAMES_PER_PAGE: usize = 100;
/// How long a stream waits before it retries its next game when its address's share of the queue is full.
const BUSY_DELAY: Duration = Duration::from_millis(100);

/// Renders a game on a worker thread; `None` if it cannot be rendered.
pub(crate) type GameWriter =
    Arc<dyn Fn(&Server, &Handle, &LiveGame) -> Option<String> + Send + Sync>;

/// Streams pages of the games that a query finds, newest first.
pub(crate) fn pages(
    server: Arc<Server>,
    query: GameQuery,
) -> impl Stream<Item = Result<Vec<GameRow>, GameError>> + Send {
    // Where the next page begins; `None` after the last one.
    let first: Option<Option<GameCursor>> = Some(None);
    stream::try_unfold(first, move |next| {
        let (server, query) = (Arc::clone(&server), query.clone());
        async move {
            let Some(after) = next else { return Ok(None) };
            let page = server
                .store
                .list_games(query, after, GAMES_PER_PAGE)
                .await?;
            Ok(Some((page.games, page.next.map(Some))))
        }
    })
}

/// Streams ids from a stream of pages.
pub(crate) fn ids(
    parts: impl Stream<Item = Result<Vec<GameId>, GameError>> + Send,
) -> impl Stream<Item = Result<GameId, GameError>> + Send {
    parts
        .map_ok(|part| stream::iter(part.into_iter().map(Ok)))
        .try_flatten()
}

/// The client that reads games.
pub(crate) struct Reader {
    /// Its address.
    pub(crate) client: Client,
    /// The identity that gives access to private games.
    pub(crate) connection: Connection,
}

impl Reader {
    /// A reader of public games.
    pub(crate) const fn anonymous(client: Client) -> Reader {
        Reader {
            client,
            connection: Connection::anonymous(),
        }
    }
}

/// Streams the games with these ids. The response breaks off when the identity is revoked.
pub(crate) fn response(
    server: &Arc<Server>,
    reader: Reader,
    kind: &'static str,
    ids: impl Stream<Item = Result<GameId, GameError>> + Send + 'static,
    write: GameWriter,
) -> Response {
    let server = Arc::clone(server);
    let Reader { client, connection } = reader;
    let texts = ids.try_filter_map(move |id| {
        let (server, write) = (Arc::clone(&server), Arc::clone(&write));
        async move { server.export_game(client.into(), id, write).await }
    });
    let texts = stream::unfold(
        (texts.boxed(), connection),
        |(mut texts, connection)| async {
            let text = tokio::select! {
                biased;
                () = connection.revoked() => Err(BoxError::from(REVOKED_REASON)),
                text = texts.next() => text?.map_err(BoxError::from),
            };
            Some((text, (texts, connection)))
        },
    );
    let head = [
        (header::CONTENT_TYPE, kind),
        // Proxies must not buffer the stream.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (head, Body::from_stream(texts)).into_response()
}

impl Server {
    /// The reader for a query: with the client's identity if the query finds private games.
    pub(crate) async fn reader_of(
        &self,
        query: &GameQuery,
        client: Client,
        headers: &HeaderMap,
    ) -> Result<Reader, ApiError> {
        if query.public {
            return Ok(Reader::anonymous(client));
        }
        let who = self.identify(headers).await?;
        let connection = self.open_connection(headers, who.as_ref()).await?;
        Ok(Reader { client, connection })
    }

    /// Reads and renders one game of many. One that cannot be read is skipped.
    async fn export_game(
        self: &Arc<Server>,
        owner: WorkOwner,
        id: GameId,
        write: GameWriter,
    ) -> Result<Option<String>, GameError> {
        loop {
            if *self.shutdown_signal().borrow() {
                return Err(touchmove_store::Error::Closed.into());
            }
            match self.write_game(owner, id, &write).await {
                Err(GameError::Work(WorkError::Busy(_))) => tokio::time::sleep(BUSY_DELAY).await,
                Err(GameError::Torn(torn)) => {
                    tracing::error!(%torn, "a game was left out");
                    return Ok(None);
                }
                written => return written,
            }
        }
    }

    /// Renders a game on the worker thread that reads it.
    pub(crate) async fn write_game(
        self: &Arc<Server>,
        owner: WorkOwner,
        id: GameId,
        write: &GameWriter,
    ) -> Result<Option<String>, GameError> {
        let (server, runtime) = (Arc::clone(self), Handle::current());
        let write = Arc::clone(write);
        let written = self.read_game(owner, id, move |core| write(&server, &runtime, &core));
        Ok(written.await?.flatten())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use touchmove_game::Terms;
    use touchmove_rules::{ByColor, Variant};
    use touchmove_store::Sqlite;

    use super::*;
    use crate::games::new_game::NewGameSpec;
    use crate::{Backend, ServerConfig};

    #[tokio::test]
    async fn no_game_is_read_before_the_client_has_taken_the_one_before() {
        let folder = std::env::temp_dir().join(format!("touchmove-stream-{}", std::process::id()));
        let store = Arc::new(Sqlite::open(folder.join("touchmove.db")).unwrap());
        let ground: Backend = store.into();
        let server = Server::open(ground, ServerConfig::default()).await.unwrap();
        let founding = NewGameSpec {
            terms: Terms::of(Variant::Chess),
            seats: ByColor {
                white: None,
                black: None,
            },
            is_public: false,
            source: "link",
        };
        let game = server.create_game(&founding).await.unwrap();
        let begun = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&begun);
        let ids = stream::repeat(game).map(move |id| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(id)
        });
        let write: GameWriter = Arc::new(|_, _, _| Some("a game\n".to_owned()));
        let client = Client::from(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let reader = Reader::anonymous(client);
        let response = response(&server, reader, "text/plain", ids, write);
        assert_eq!(
            begun.load(Ordering::Relaxed),
            0,
            "nobody has taken anything"
        );
        let mut texts = response.into_body().into_data_stream();
        for taken in 1..=3 {
            let text = texts.next().await.unwrap().unwrap();
            assert_eq!(text.as_ref(), b"a game\n");
            assert_eq!(begun.load(Ordering::Relaxed), taken);
        }
        // The stream is endless; hanging up ends it.
        drop(texts);
        assert_eq!(begun.load(Ordering::Relaxed), 3);
        server.shut_down();
        drop(server);
        let _ = std::fs::remove_dir_all(folder);
    }
}
