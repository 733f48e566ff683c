//! Tables over HTTP: made, shown, sat down at, asked; what is not live.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use touchmove_game::protocol::{Answer, Asked};
use touchmove_game::record;
use touchmove_rules::{ByColor, Color};
use touchmove_store::{GameId, Holder};

use super::{Problem, Shared};
use crate::found::{Founding, Seated};
use crate::guard::{Client, Errand};
use crate::table::{Arrival, Place, Reply, Table, view};
use crate::terms::{Side, Wanted};
use crate::who::{self, Who};
use crate::{House, chance};

/// What is asked for with a new table.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewTable {
    /// What is played.
    terms: Wanted,
    /// The side of who asks.
    side: Side,
    /// What who asks is called.
    name: Option<String>,
    /// Whether everybody may see it in lists.
    public: bool,
}

/// A table that was made, or sat down at.
#[derive(Serialize)]
pub(crate) struct Taken {
    game: String,
    url: String,
    seat: Color,
}

/// Reads a JSON body; no body is an empty object.
pub(crate) fn body<T: for<'de> Deserialize<'de> + Default>(text: &str) -> Result<T, Problem> {
    if text.trim().is_empty() {
        return Ok(T::default());
    }
    serde_json::from_str(text).map_err(|error| Problem::unreadable(error.to_string()))
}

/// Who asks; a guest without a secret is given one, with the cookie to send back.
pub(crate) fn known(house: &House, headers: &HeaderMap) -> (Who, Option<String>) {
    if let Some(who) = who::who(headers) {
        return (who, None);
    }
    let secret = who::new_guest();
    let who = Who {
        holder: Holder::Guest(who::digest(&secret)),
        name: None,
        by_cookie: true,
    };
    (who, Some(house.cookie(&secret)))
}

/// The table with the id in the path.
pub(crate) async fn table(house: &Arc<House>, id: &str) -> Result<Arc<Table>, Problem> {
    let id: GameId = id.parse().map_err(|_| Problem::no_game())?;
    house.table(id).await?.ok_or_else(Problem::no_game)
}

fn with_cookie(cookie: Option<String>, response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    if let Some(cookie) = cookie.and_then(|cookie| cookie.parse().ok()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// `POST /v1/tables`
pub(crate) async fn create(
    State(house): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    text: String,
) -> Result<Response, Problem> {
    house.guard.let_pass(client, Errand::Create)?;
    let new: NewTable = body(&text)?;
    let terms = new.terms.terms().map_err(Problem::unreadable)?;
    let (who, cookie) = known(&house, &headers);
    let color = match new.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
        Side::Random if chance::coin() => Color::White,
        Side::Random => Color::Black,
    };
    let name = new.name.or(who.name.clone()).unwrap_or_default();
    let mut seats = ByColor {
        white: None,
        black: None,
    };
    seats[color] = Some(Seated {
        name,
        holder: who.holder,
    });
    let founding = Founding {
        terms,
        seats,
        is_public: new.public,
        source: "link",
    };
    let id = house.found(&founding).await?;
    let taken = Taken {
        url: house.url(&format!("/{id}")),
        game: id.to_string(),
        seat: color,
    };
    Ok(with_cookie(
        cookie,
        (StatusCode::CREATED, axum::Json(taken)),
    ))
}

/// `GET /v1/tables/{id}`
pub(crate) async fn show(
    State(house): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let table = table(&house, &id).await?;
    let core = table.core().await;
    let you = who::who(&headers).and_then(|who| core.seat_of(who.holder));
    let place = you.map_or(Place::Watching, Place::Seat);
    let text = view(&table, &core, place, &house, None).await?;
    drop(core);
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// What is said when somebody sits down.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Sitting {
    name: Option<String>,
}

/// `POST /v1/tables/{id}/seat`
pub(crate) async fn sit(
    State(house): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    text: String,
) -> Result<Response, Problem> {
    let sitting: Sitting = body(&text)?;
    let table = table(&house, &id).await?;
    let (who, cookie) = known(&house, &headers);
    let core = table.core().await;
    let (held, open) = (core.seat_of(who.holder), core.open_seat());
    drop(core);
    let taken = |seat| Taken {
        url: house.url(&format!("/{id}")),
        game: id.clone(),
        seat,
    };
    if let Some(seat) = held {
        return Ok(with_cookie(cookie, axum::Json(taken(seat))));
    }
    let Some(color) = open else {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "seat_taken",
            "both seats at this table are taken: you can watch",
        ));
    };
    let name = sitting.name.or(who.name.clone()).unwrap_or_default();
    match table
        .sit(&house, color, &name, who.holder, who.person())
        .await?
    {
        Reply::Denied(denial) => Err(denial.into()),
        Reply::Granted { .. } | Reply::Telling => Ok(with_cookie(cookie, axum::Json(taken(color)))),
    }
}

/// `POST /v1/tables/{id}/ask`
pub(crate) async fn ask(
    State(house): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    text: String,
) -> Result<Response, Problem> {
    let arrival = Arrival {
        at: house.now(),
        lag: touchmove_game::Millis::ZERO,
    };
    let asked = Asked::read(&text).map_err(Problem::unreadable)?;
    let table = table(&house, &id).await?;
    let who = who::who(&headers).ok_or_else(|| Problem::unknown("say who you are"))?;
    let seat = table.seat_of(who.holder).await;
    let seat = seat.ok_or_else(|| Problem::forbidden("you have no seat at this table"))?;
    match table.ask(&house, seat, &asked, arrival).await? {
        Reply::Denied(denial) => Err(denial.into()),
        Reply::Granted { .. } | Reply::Telling => {
            let core = table.core().await;
            let answer = Answer::telling(&core.game, house.now(), Vec::new(), &asked.ask);
            Ok(axum::Json(answer).into_response())
        }
    }
}

/// `GET /v1/tables/{id}/pgn`
pub(crate) async fn pgn(State(house): Shared, Path(id): Path<String>) -> Result<Response, Problem> {
    let table = table(&house, &id).await?;
    let text = record::document(&table.core().await.game).to_string();
    Ok(([(header::CONTENT_TYPE, "application/x-chess-pgn")], text).into_response())
}

/// `GET /v1/tables/{id}/journal`
pub(crate) async fn journal(
    State(house): Shared,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let id: GameId = id.parse().map_err(|_| Problem::no_game())?;
    let stored = house.store.load(vec![id]).await?;
    let stored = stored.first().ok_or_else(Problem::no_game)?;
    let mut text = stored.opening.clone();
    for decision in &stored.decisions {
        text.push('\n');
        text.push_str(&decision.text);
    }
    text.push('\n');
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}
