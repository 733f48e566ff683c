//! Diagrams of positions, for links, downloads and browsers without scripts. PNGs are rendered on a work queue of
//! their own, and the latest are cached.

use std::sync::Mutex;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use lru::LruCache;
use serde::Deserialize;
use touchmove_diagram::{Diagram, PngError};
use touchmove_rules::{Board, Color, Fen, Square};

use crate::api::extract::QueryParams;
use crate::api::{ApiError, ServerState};
use crate::lock_ext::LockExt as _;
use crate::security::{Client, Limits, RateLimit};
use crate::work_queue::{WorkLimits, WorkOwner, WorkQueue, processors};

/// The largest PNG, in pixels per side.
pub(crate) const MAX_SIDE_PX: u32 = 800;
/// The size of the cache, in bytes.
pub(crate) const MAX_CACHE_BYTES: usize = 4 << 20;
/// The longest FEN that is parsed.
const MAX_FEN_BYTES: usize = 200;
/// The caching of a diagram, which never changes.
const CACHE_ONE_DAY: &str = "public, max-age=86400";

/// The cache key of a PNG.
#[derive(Clone, PartialEq, Eq, Hash)]
struct PictureKey {
    board: Board,
    seen_from: Color,
    last_move: Option<(Square, Square)>,
    side_px: u32,
}

impl PictureKey {
    fn diagram(&self) -> Diagram {
        let diagram = Diagram::new(&self.board).seen_from(self.seen_from);
        match self.last_move {
            Some((from, to)) => diagram.last_move(from, to),
            None => diagram,
        }
    }
}

/// The latest PNGs, bounded by their bytes.
struct PictureCache {
    pictures: LruCache<PictureKey, Bytes>,
    bytes: usize,
}

impl PictureCache {
    fn get(&mut self, key: &PictureKey) -> Option<Bytes> {
        self.pictures.get(key).cloned()
    }

    fn insert(&mut self, key: PictureKey, png: Bytes) {
        self.bytes += png.len();
        if let Some(before) = self.pictures.put(key, png) {
            self.bytes -= before.len();
        }
        while self.bytes > MAX_CACHE_BYTES
            && let Some((_, oldest)) = self.pictures.pop_lru()
        {
            self.bytes -= oldest.len();
        }
    }
}

/// Renders and caches PNGs.
pub(crate) struct Pictures {
    queue: WorkQueue,
    cache: Mutex<PictureCache>,
}

impl Pictures {
    pub(crate) fn new(limits: &Limits) -> Pictures {
        let limits = WorkLimits {
            threads: processors(limits.work_percent),
            waiting: limits.waiting_pictures as usize,
            per_owner: limits.waiting_pictures_per_address as usize,
            is_low_priority: true,
        };
        Pictures {
            queue: WorkQueue::new(
                "pictures",
                "too many pictures are asked for at once",
                limits,
            ),
            cache: Mutex::new(PictureCache {
                pictures: LruCache::unbounded(),
                bytes: 0,
            }),
        }
    }
}

impl Pictures {
    /// A PNG from the cache, or a new one.
    async fn png(&self, owner: WorkOwner, key: PictureKey) -> Result<Bytes, ApiError> {
        if let Some(known) = self.cache.locked().get(&key) {
            return Ok(known);
        }
        let wanted = key.clone();
        let painted = self
            .queue
            .run(owner, move |_| wanted.diagram().png(wanted.side_px));
        let unpaintable = |error: PngError| ApiError::unreadable(format!("side_px: {error}"));
        let png = Bytes::from(painted.await?.map_err(unpaintable)?);
        self.cache.locked().insert(key, png.clone());
        Ok(png)
    }
}

/// The query parameters of a diagram.
#[derive(Deserialize)]
pub(super) struct DiagramParams {
    fen: String,
    /// The side at the bottom.
    side: Option<Color>,
    /// The last move, such as `e2e4`.
    last: Option<String>,
    /// The size of a PNG, in pixels per side.
    side_px: Option<u32>,
}

/// The query of the arbiter page, as far as its diagram needs it.
#[derive(Deserialize)]
pub(super) struct ArbiterPageParams {
    fen: Option<String>,
    /// Pasted text, which may be a FEN.
    q: Option<String>,
}

/// The diagram of the position in the query, or of the start position.
pub(super) fn of(asked: &ArbiterPageParams) -> Diagram {
    let fen = asked.q.as_ref().or(asked.fen.as_ref());
    let fen = fen.filter(|fen| fen.len() <= MAX_FEN_BYTES);
    let found = fen.and_then(|fen| Fen::read_short(fen).ok());
    Diagram::new(&found.map_or(Board::START, |Fen(setup)| setup.board))
}

impl DiagramParams {
    fn key(&self) -> Result<PictureKey, ApiError> {
        if self.fen.len() > MAX_FEN_BYTES {
            return Err(ApiError::unreadable("fen: it is too long"));
        }
        let fen = Fen::read_short(&self.fen);
        let fen = fen.map_err(|error| ApiError::unreadable(format!("fen: {error}")))?;
        let last_move = self.last.as_deref().and_then(|last| {
            let square = |part: Option<&str>| part?.parse::<Square>().ok();
            Some((square(last.get(0..2))?, square(last.get(2..4))?))
        });
        Ok(PictureKey {
            board: fen.0.board,
            seen_from: self.side.unwrap_or(Color::White),
            last_move,
            side_px: self.side_px.unwrap_or(MAX_SIDE_PX).min(MAX_SIDE_PX),
        })
    }
}

/// `GET /diagram.svg?fen=…`
pub(super) async fn svg(
    QueryParams(wanted): QueryParams<DiagramParams>,
) -> Result<Response, ApiError> {
    let svg = wanted.key()?.diagram().svg();
    let head = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, CACHE_ONE_DAY),
    ];
    Ok((head, svg).into_response())
}

/// `GET /diagram.png?fen=…`
pub(super) async fn png(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    QueryParams(wanted): QueryParams<DiagramParams>,
) -> Result<Response, ApiError> {
    let key = wanted.key()?;
    server.guard.check(client, RateLimit::Read)?;
    let png = server.pictures.png(client.into(), key).await?;
    let head = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, CACHE_ONE_DAY),
    ];
    Ok((head, png).into_response())
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn key(side_px: u32) -> PictureKey {
        PictureKey {
            board: Board::START,
            seen_from: Color::White,
            last_move: None,
            side_px,
        }
    }

    #[test]
    fn the_cache_is_bounded_by_bytes_and_forgets_the_oldest() {
        let mut cache = Pictures::new(&Limits::default())
            .cache
            .into_inner()
            .unwrap();
        let picture = Bytes::from(vec![0; MAX_CACHE_BYTES / 4]);
        for side_px in 100..110 {
            cache.insert(key(side_px), picture.clone());
            assert!(cache.bytes <= MAX_CACHE_BYTES);
        }
        assert_eq!(cache.pictures.len(), 4);
        assert!(cache.get(&key(109)).is_some() && cache.get(&key(100)).is_none());
        cache.insert(key(109), Bytes::new());
        assert_eq!(
            cache.bytes,
            3 * (MAX_CACHE_BYTES / 4),
            "what is replaced is not counted"
        );
    }

    #[test]
    fn no_picture_is_larger_than_the_largest() {
        let wanted = DiagramParams {
            fen: "4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(),
            side: None,
            last: None,
            side_px: Some(1600),
        };
        assert_eq!(wanted.key().unwrap().side_px, MAX_SIDE_PX);
    }

    #[tokio::test]
    async fn three_hundred_pictures_for_one_address_do_not_keep_another_waiting() {
        let pictures = Pictures::new(&Limits::default());
        let from = |host: u8| WorkOwner::from(Client::from(IpAddr::from([10, 0, 0, host])));
        let many = (64..364).map(|side_px| pictures.png(from(1), key(side_px)));
        let many = futures_util::future::join_all(many);
        // It is queued after all the others.
        let one = pictures.png(from(2), key(64));
        let (many, one) = tokio::join!(many, one);
        let painted = many.iter().filter(|png| png.is_ok()).count();
        assert!(
            painted <= 16 + processors(50),
            "{painted} of 300 were painted"
        );
        assert!(one.unwrap().starts_with(b"\x89PNG"));
    }
}
