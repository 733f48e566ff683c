//! Games as PGN: one, or all of a player's, one after the other as they are read.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::TryStreamExt as _;
use touchmove_game::{Seat, pgn_record};
use touchmove_rules::Color;
use touchmove_store::{GameId, Query};

use crate::House;
use crate::api::extract::Named;
use crate::api::game_stream;
use crate::api::game_stream::{GameWriter, Reader};
use crate::api::{Problem, Shared};
use crate::games::new_game::CHALLENGE;
use crate::games::table::Core;
use crate::lobby;
use crate::security::{Client, Errand};

/// What PGN is called.
const KIND: &str = "application/x-chess-pgn; charset=utf-8";

/// `GET /v1/tables/{id}/pgn`
pub(crate) async fn show(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(id): Named,
) -> Result<Response, Problem> {
    let id: GameId = id.parse().map_err(|_| Problem::no_game())?;
    house.guard.let_pass(client, Errand::Read)?;
    let written = house.write_game(client.into(), id, &writer("")).await?;
    let text = written.ok_or_else(Problem::no_game)?;
    Ok(([(header::CONTENT_TYPE, KIND)], text).into_response())
}

/// Writes games as PGN, each with something after it.
fn writer(after: &'static str) -> GameWriter {
    Arc::new(move |house, _, core| Some(text(house, core.id(), core) + after))
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
    pgn_record::document_under(game, &heading).to_string()
}

/// All games that a query finds, newest first.
pub(crate) fn stream(house: &Arc<House>, reader: Reader, query: Query) -> Response {
    let pages = game_stream::pages(Arc::clone(house), query);
    let ids = pages.map_ok(|page| page.iter().map(|row| row.id).collect());
    let ids = game_stream::ids(ids);
    game_stream::response(house, reader, KIND, ids, writer("\n"))
}
