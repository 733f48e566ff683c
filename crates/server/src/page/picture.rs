//! Positions as pictures, for links, downloads and those without scripts.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use touchmove_diagram::Diagram;
use touchmove_rules::{Board, Color, Fen, Square};

use crate::http::Problem;
use crate::http::sent::Sought;

/// The largest PNG, in pixels.
const LARGEST: u32 = 1600;
/// The longest position that is read.
const LONGEST: usize = 200;
/// What a picture of a position may be kept for: it never changes.
const A_DAY: &str = "public, max-age=86400";

/// Which picture.
#[derive(Deserialize)]
pub(super) struct Wanted {
    fen: String,
    /// Whose side is at the bottom.
    side: Option<Color>,
    /// The last move, as `e2e4`.
    last: Option<String>,
    /// How many pixels a PNG has on a side.
    side_px: Option<u32>,
}

/// What the desk is asked about, as far as it can be drawn.
#[derive(Deserialize)]
pub(super) struct Asked {
    fen: Option<String>,
    /// What somebody has pasted, which may be a FEN.
    q: Option<String>,
}

/// The position that is asked about, or the start of a game.
pub(super) fn of(asked: &Asked) -> Diagram {
    let fen = asked.q.as_ref().or(asked.fen.as_ref());
    let fen = fen.filter(|fen| fen.len() <= LONGEST);
    let found = fen.and_then(|fen| Fen::read_short(fen).ok());
    Diagram::new(&found.map_or(Board::START, |Fen(setup)| setup.board))
}

impl Wanted {
    fn diagram(&self) -> Result<Diagram, Problem> {
        if self.fen.len() > LONGEST {
            return Err(Problem::unreadable("fen: it is too long"));
        }
        let fen = Fen::read_short(&self.fen);
        let fen = fen.map_err(|error| Problem::unreadable(format!("fen: {error}")))?;
        let mut diagram = Diagram::new(&fen.0.board);
        diagram = diagram.seen_from(self.side.unwrap_or(Color::White));
        let squares = self.last.as_deref().and_then(|last| {
            let square = |part: Option<&str>| part?.parse::<Square>().ok();
            Some((square(last.get(0..2))?, square(last.get(2..4))?))
        });
        if let Some((from, to)) = squares {
            diagram = diagram.last_move(from, to);
        }
        Ok(diagram)
    }
}

/// `GET /diagram.svg?fen=…`
pub(super) async fn svg(Sought(wanted): Sought<Wanted>) -> Result<Response, Problem> {
    let svg = wanted.diagram()?.svg();
    let head = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, A_DAY),
    ];
    Ok((head, svg).into_response())
}

/// `GET /diagram.png?fen=…`
pub(super) async fn png(Sought(wanted): Sought<Wanted>) -> Result<Response, Problem> {
    let diagram = wanted.diagram()?;
    let side = wanted.side_px.unwrap_or(800).min(LARGEST);
    // Painting takes some milliseconds: others must not wait for it.
    let painted = tokio::task::spawn_blocking(move || diagram.png(side)).await;
    let busy = |_| Problem::unreadable("the picture could not be painted");
    let png = painted.map_err(busy)?;
    let png = png.map_err(|error| Problem::unreadable(format!("side_px: {error}")))?;
    let head = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, A_DAY),
    ];
    Ok((head, png).into_response())
}
