//! Tables over HTTP: creation, state, seats, commands and journals, for clients without a WebSocket.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use touchmove_accounts::Scope;
use touchmove_game::protocol::{Answer, ClientMessage};
use touchmove_rules::{ByColor, Color};
use touchmove_store::GameId;

use crate::Server;
use crate::api::extract::{FormOrJson, PathParam, RawBody};
use crate::api::{ApiError, ServerState};
use crate::auth::identity::Identity;
use crate::games::computer;
use crate::games::computer::ComputerStyle;
use crate::games::loader::TableUse;
use crate::games::new_game::{NewGameSpec, SeatAssignment};
use crate::games::state_message::view;
use crate::games::table::{CommandReply, MessageTiming, Table, ViewerRole};
use crate::games::terms_request::{SideRequest, TermsRequest, check_lobby_terms};
use crate::lobby::LobbyNotice;
use crate::security::{Client, RateLimit};

/// The decisions of a journal that are held in memory for a client at once.
const JOURNAL_PART: usize = 100;

/// The body of a request for a new table.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct NewTable {
    /// The terms of the game.
    terms: TermsRequest,
    /// The side of the client.
    side: SideRequest,
    /// The name of the client.
    name: Option<String>,
    /// Whether the game is shown in public lists.
    public: bool,
    /// The level of the computer, if it takes the other seat.
    computer: Option<computer::LevelRequest>,
    /// The seed of its random choices; random if left out.
    seed: Option<u32>,
    /// Whether it resigns hopeless games.
    resigns: Option<bool>,
}

/// A seat that was taken, at a new or an existing table.
#[derive(Serialize)]
pub(crate) struct SeatTaken {
    game: String,
    url: String,
    seat: Color,
    #[serde(skip)]
    id: GameId,
}

impl SeatTaken {
    /// The id of the game.
    pub(crate) const fn game(&self) -> GameId {
        self.id
    }

    /// A seat in a game.
    pub(crate) fn new(server: &Server, game: GameId, seat: Color) -> SeatTaken {
        SeatTaken {
            url: server.url(&format!("/{game}")),
            game: game.to_string(),
            seat,
            id: game,
        }
    }
}

/// The table with the id in the path, for this client.
pub(crate) async fn table(
    server: &Arc<Server>,
    asker: (Client, Option<&Identity>),
    id: &str,
    usage: TableUse,
) -> Result<Arc<Table>, ApiError> {
    let id: GameId = id.parse().map_err(|_| ApiError::no_game())?;
    let table = server.table_for(id, asker, usage).await?;
    table.ok_or_else(ApiError::no_game)
}

/// Adds cookies to a response.
pub(crate) fn with_cookies(
    cookies: impl IntoIterator<Item = String>,
    response: impl IntoResponse,
) -> Response {
    let mut response = response.into_response();
    for cookie in cookies {
        if let Ok(cookie) = cookie.parse() {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

/// `POST /v1/tables`
pub(crate) async fn create(
    State(server): ServerState,
    headers: HeaderMap,
    FormOrJson(new): FormOrJson<NewTable>,
) -> Result<Response, ApiError> {
    let mut terms = new.terms.terms().map_err(ApiError::unreadable)?;
    if new.public && new.computer.is_none() {
        check_lobby_terms(&terms).map_err(ApiError::unreadable)?;
    }
    let (who, cookies) = server.identify_or_create_guest(&headers).await?;
    who.require_scope(Scope::Host)?;
    let color = new.side.color();
    let name = server.name_at_table(&who, new.name.as_deref()).await?;
    let mut seats = ByColor {
        white: None,
        black: None,
    };
    seats[color] = Some(SeatAssignment {
        name,
        holder: who.holder,
    });
    if let Some(computer::LevelRequest(level)) = new.computer {
        let manner = ComputerStyle {
            level,
            seed: new.seed,
            resigns: new.resigns.unwrap_or(true),
        };
        seats[!color] = Some(server.seated_computer(manner)?);
        // The computer is never absent while a player is present.
        (terms.no_show, terms.absence) = (None, None);
    }
    let founding = NewGameSpec {
        terms,
        seats,
        is_public: new.public,
        source: match new.computer {
            Some(_) => "computer",
            None => "link",
        },
    };
    let id = server.create_game(&founding).await?;
    server.keep_guest_name(&who).await;
    server.lobby.send_notice(who.holder, LobbyNotice::Changed);
    let taken = SeatTaken::new(&server, id, color);
    Ok(with_cookies(
        cookies,
        (StatusCode::CREATED, axum::Json(taken)),
    ))
}

/// `GET /v1/tables/{id}`
pub(crate) async fn show(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let who = server.identify(&headers).await?;
    let table = table(&server, (client, who.as_ref()), &id, TableUse::Read).await?;
    table.write_history(&server, client.into()).await?;
    let mut core = table.lock().await;
    let you = who
        .filter(Identity::may_see_games)
        .and_then(|who| core.seat_of(who.holder));
    let place = you.map_or(ViewerRole::Watching, ViewerRole::Seat);
    let text = view(&table, &mut core, place, &server, None).await?;
    drop(core);
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// The body of a request for a seat.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SeatRequest {
    name: Option<String>,
    /// The side, where both seats are open.
    side: SideRequest,
}

/// `POST /v1/tables/{id}/seat`
pub(crate) async fn sit(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
    headers: HeaderMap,
    FormOrJson(sitting): FormOrJson<SeatRequest>,
) -> Result<Response, ApiError> {
    let who = server.identify(&headers).await?;
    let table = table(&server, (client, who.as_ref()), &id, TableUse::Join).await?;
    let (who, cookies) = server.identify_or_create_guest(&headers).await?;
    who.require_play_scope()?;
    let core = table.lock().await;
    let held = core.seat_of(who.holder);
    let (open, is_full) = (core.open_seat_for(sitting.side), core.open_seat().is_none());
    drop(core);
    let taken = |seat| SeatTaken::new(&server, table.id(), seat);
    if let Some(seat) = held {
        return Ok(with_cookies(cookies, axum::Json(taken(seat))));
    }
    let Some(color) = open else {
        return Err(ApiError::conflict(
            "seat_taken",
            match is_full {
                true => "both seats at this table are taken: you can watch",
                false => "this seat is taken: the other one is open",
            },
        ));
    };
    let name = server.name_at_table(&who, sitting.name.as_deref()).await?;
    let sat = table.sit(&server, color, &name, who.holder, who.person());
    match sat.await? {
        CommandReply::Denied(denial) => Err(denial.into()),
        CommandReply::Granted { .. } | CommandReply::Query => {
            table.note_address(color, client);
            server.keep_guest_name(&who).await;
            let holders = table.lock().await.holders;
            for holder in [holders.white, holders.black].into_iter().flatten() {
                server
                    .lobby
                    .send_notice(holder, LobbyNotice::Game(table.id()));
            }
            Ok(with_cookies(cookies, axum::Json(taken(color))))
        }
    }
}

/// `POST /v1/tables/{id}/ask`
pub(crate) async fn submit_command(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
    headers: HeaderMap,
    RawBody(text): RawBody,
) -> Result<Response, ApiError> {
    let arrival = MessageTiming {
        at: server.now(),
        lag: touchmove_game::Millis::ZERO,
    };
    let asked = ClientMessage::read(&text).map_err(ApiError::unreadable)?;
    if asked.is_query() {
        // Answers with a whole game can be long.
        server.guard.check(client, RateLimit::Read)?;
    }
    let who = server.require_identity(&headers).await?;
    let table = table(&server, (client, Some(&who)), &id, TableUse::Join).await?;
    who.require_play_scope()?;
    let seat = table.seat_of(who.holder).await;
    let seat = seat.ok_or_else(|| ApiError::forbidden("you have no seat at this table"))?;
    table.note_address(seat, client);
    server.seat_computer(&table, Some(client)).await;
    match table.submit(&server, seat, &asked, arrival).await? {
        CommandReply::Denied(denial) => Err(denial.into()),
        CommandReply::Granted { .. } | CommandReply::Query => {
            let core = table.lock().await;
            let answer = Answer::query(&core.game, server.now(), Vec::new(), &asked.ask);
            Ok(axum::Json(answer).into_response())
        }
    }
}

/// `GET /v1/tables/{id}/journal`: streamed as it is read.
pub(crate) async fn journal(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
) -> Result<Response, ApiError> {
    let id: GameId = id.parse().map_err(|_| ApiError::no_game())?;
    server.guard.check(client, RateLimit::Read)?;
    let head = server.store.heads(vec![id]).await?.pop();
    let opening = head.ok_or_else(ApiError::no_game)?.opening;
    let decisions = stream::try_unfold(Some(0), move |after| {
        let server = Arc::clone(&server);
        async move {
            let Some(after) = after else { return Ok(None) };
            let part = server.store.decisions(id, after, JOURNAL_PART).await?;
            let next = part.last().filter(|_| part.len() == JOURNAL_PART);
            let next = next.map(|decision| decision.last);
            let lines = part.into_iter().map(|decision| decision.text + "\n");
            Ok::<_, touchmove_store::Error>(Some((lines.collect::<String>(), next)))
        }
    });
    let body = stream::once(async { Ok(opening + "\n") }).chain(decisions);
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(body)).into_response())
}
