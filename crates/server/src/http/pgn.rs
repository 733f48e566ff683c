//! Games as PGN: one, or all of a player's, one after the other as they are read.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use touchmove_game::{Seat, record};
use touchmove_rules::Color;
use touchmove_store::{Cursor, GameId, Query};

use super::sent::Named;
use super::tables::table;
use super::{Problem, Shared};
use crate::House;
use crate::found::CHALLENGE;
use crate::lobby;
use crate::table::{Core, Table, Trouble};

/// Games that are looked up at once.
const PAGE: usize = 100;

const KIND: [(header::HeaderName, &str); 1] = [(
    header::CONTENT_TYPE,
    "application/x-chess-pgn; charset=utf-8",
)];

/// `GET /v1/tables/{id}/pgn`
pub(crate) async fn show(State(house): Shared, Named(id): Named) -> Result<Response, Problem> {
    let table = table(&house, &id).await?;
    let text = text(&house, table.id(), &*table.core().await);
    Ok((KIND, text).into_response())
}

/// A game as PGN, with where and when it was played.
pub(crate) fn text(house: &House, id: GameId, core: &Core) -> String {
    let game = &core.game;
    let event = match core.source.as_str() {
        "lobby" => "Lobby game",
        CHALLENGE => "Challenge",
        "rematch" => "Rematch",
        _ => "Casual game",
    };
    let started = game.started();
    let mut heading = vec![
        ("Event", event.to_owned()),
        ("Site", house.url(&format!("/{id}"))),
        ("Date", started.date()),
        ("Round", "-".to_owned()),
        ("UTCDate", started.date()),
        ("UTCTime", started.time_of_day()),
        ("GameId", id.to_string()),
    ];
    for (name, color) in [("White", Color::White), ("Black", Color::Black)] {
        if let Seat::Taken(player) = &game.seats()[color] {
            let shown = lobby::Named::new(player, None);
            heading.push((name, shown.name().to_owned()));
        }
    }
    if game.terms().time.is_none() {
        heading.push(("TimeControl", "-".to_owned()));
    }
    record::document_under(game, &heading).to_string()
}

/// Where somebody is who reads one game after the other.
struct Reading {
    house: Arc<House>,
    query: Query,
    /// The games of this page that come next.
    page: VecDeque<GameId>,
    /// Where the next page begins; none if this is the last one.
    next: Option<Option<Cursor>>,
}

impl Reading {
    /// The next game, and whether there was one.
    async fn game(&mut self) -> Result<Option<String>, Trouble> {
        loop {
            if *self.house.closing().borrow() {
                return Err(touchmove_store::Error::Closed.into());
            }
            if let Some(id) = self.page.pop_front() {
                let stored = self.house.store.load(vec![id]).await?;
                let table = stored
                    .first()
                    .map(|game| Table::open(game, self.house.now()));
                match table {
                    Some(Ok(table)) => {
                        let core = table.core().await;
                        return Ok(Some(text(&self.house, id, &core) + "\n"));
                    }
                    // One that cannot be read does not keep the others from being read.
                    Some(Err(torn)) => tracing::error!(%torn, "a game was left out"),
                    None => {}
                }
                continue;
            }
            let Some(after) = self.next.take() else {
                return Ok(None);
            };
            let games = self.house.store.games(self.query.clone(), after, PAGE);
            let page = games.await?;
            self.page.extend(page.games.iter().map(|row| row.id));
            self.next = page.next.map(Some);
        }
    }
}

/// All games that a query finds, newest first. No more than one is held at a time.
pub(crate) fn stream(house: Arc<House>, query: Query) -> Response {
    let reading = Reading {
        house,
        query,
        page: VecDeque::new(),
        next: Some(None),
    };
    let games = stream::try_unfold(reading, |mut reading| async {
        let game = reading.game().await;
        Ok::<_, Trouble>(game?.map(|game| (game, reading)))
    });
    (KIND, Body::from_stream(games)).into_response()
}
