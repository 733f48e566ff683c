//! PGN export: one game, or all games of a player, streamed as they are read.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::TryStreamExt as _;
use touchmove_game::{Seat, pgn_record};
use touchmove_rules::Color;
use touchmove_store::{GameId, GameQuery};

use crate::Server;
use crate::api::extract::PathParam;
use crate::api::game_stream;
use crate::api::game_stream::{GameWriter, Reader};
use crate::api::{ApiError, ServerState};
use crate::games::new_game::CHALLENGE_SOURCE;
use crate::games::table::LiveGame;
use crate::lobby;
use crate::security::{Client, RateLimit};

/// The media type of PGN.
const PGN_CONTENT_TYPE: &str = "application/x-chess-pgn; charset=utf-8";

/// `GET /v1/tables/{id}/pgn`
pub(crate) async fn show(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
) -> Result<Response, ApiError> {
    let id: GameId = id.parse().map_err(|_| ApiError::no_game())?;
    server.guard.check(client, RateLimit::Read)?;
    let written = server.write_game(client.into(), id, &writer("")).await?;
    let text = written.ok_or_else(ApiError::no_game)?;
    Ok(([(header::CONTENT_TYPE, PGN_CONTENT_TYPE)], text).into_response())
}

/// A writer of games as PGN, each followed by `after`.
fn writer(after: &'static str) -> GameWriter {
    Arc::new(move |server, _, core| Some(text(server, core.id(), core) + after))
}

/// A game as PGN, with its site and date.
pub(crate) fn text(server: &Server, id: GameId, core: &LiveGame) -> String {
    let game = &core.game;
    let event = match core.source.as_str() {
        "lobby" => "Lobby game",
        CHALLENGE_SOURCE => "Challenge",
        "rematch" => "Rematch",
        _ => "Casual game",
    };
    let started = game.started();
    let mut heading = vec![
        ("Event", event.to_owned()),
        ("Site", server.url(&format!("/{id}"))),
        ("Date", started.date()),
        ("Round", "-".to_owned()),
        ("UTCDate", started.date()),
        ("UTCTime", started.time_of_day()),
        ("GameId", id.to_string()),
    ];
    for (name, color) in [("White", Color::White), ("Black", Color::Black)] {
        if let Seat::Taken(player) = &game.seats()[color] {
            let shown = lobby::PersonJson::new(player, None);
            heading.push((name, shown.name().to_owned()));
        }
    }
    if game.terms().time.is_none() {
        heading.push(("TimeControl", "-".to_owned()));
    }
    pgn_record::document_under(game, &heading).to_string()
}

/// Streams all games that a query finds, newest first.
pub(crate) fn stream(server: &Arc<Server>, reader: Reader, query: GameQuery) -> Response {
    let pages = game_stream::pages(Arc::clone(server), query);
    let ids = pages.map_ok(|page| page.iter().map(|row| row.id).collect());
    let ids = game_stream::ids(ids);
    game_stream::response(server, reader, PGN_CONTENT_TYPE, ids, writer("\n"))
}
