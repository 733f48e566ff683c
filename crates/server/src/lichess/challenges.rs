//! Challenges in Lichess's API: created, listed, accepted, declined, withdrawn; and open challenges, which are tables
//! with two open seats. They are the offers of the lobby.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use touchmove_accounts::Scope;
use touchmove_engine::Level;
use touchmove_game::Intent;
use touchmove_rules::ByColor;
use touchmove_store::{CloseOffer, GameId, Offer, OfferStatus, limits};

use crate::Server;
use crate::api::extract::{PathParam, QueryParams};
use crate::api::seeks::no_offer;
use crate::api::{ApiError, ServerState};
use crate::auth::identity::Identity;
use crate::games::computer::ComputerStyle;
use crate::games::loader::TableUse;
use crate::games::new_game::{CHALLENGE_SOURCE, NewGameSpec, SeatAssignment};
use crate::games::table::CommandReply;
use crate::lichess::challenge_json::reason;
use crate::lichess::error::LichessError;
use crate::lichess::json;
use crate::lichess::json::Speed;
use crate::lichess::params::{Params, side};
use crate::lichess::{PlayerInGame, challenge_stream, ok, person};
use crate::lobby::{LobbyNotice, OfferTerms, few};
use crate::security::Client;

/// `GET /api/challenge`
pub(super) async fn list(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    let (who, own) = person(&server, &headers).await?;
    who.require_scope(Scope::ChallengeRead)?;
    let now = server.pulse.to_moment();
    let to = server
        .store
        .challenges_to(own, now, limits::MAX_ROWS)
        .await?;
    let by = server
        .store
        .challenges_by(own, now, limits::MAX_ROWS)
        .await?;
    let (to, by) = (
        shown(&server, &who, &to).await?,
        shown(&server, &who, &by).await?,
    );
    Ok(axum::Json(json!({ "in": to, "out": by })).into_response())
}

async fn shown(
    server: &Arc<Server>,
    who: &Identity,
    offers: &[Offer],
) -> Result<Vec<Value>, LichessError> {
    let mut told = Vec::new();
    for offer in offers {
        if let Ok(deal) = OfferTerms::parse(&offer.terms) {
            told.push(server.challenge(offer, &deal, Some(who.holder)).await?);
        }
    }
    Ok(told)
}

/// `POST /api/challenge/{id}`, where the id is an account's.
pub(super) async fn create(
    State(server): ServerState,
    PathParam(name): PathParam,
    headers: HeaderMap,
    fields: Params,
) -> Result<Response, LichessError> {
    let (who, own) = person(&server, &headers).await?;
    who.require_scope(Scope::ChallengeWrite)?;
    let to = server.people.find_existing(&name).await?;
    if to.disabled.is_some() {
        return Err(touchmove_accounts::Error::Nobody { name: to.name }.into());
    }
    if to.id == own {
        return Err(ApiError::unreadable("nobody challenges himself").into());
    }
    let deal = OfferTerms {
        terms: fields.challenge_terms()?,
        side: fields.side()?,
        public: true,
    };
    let now = server.pulse.to_moment();
    few(server
        .store
        .challenges_by(own, now, limits::MAX_ROWS)
        .await?
        .len())?;
    let name = who.name.clone().unwrap_or_default();
    let connection = server.open_connection(&headers, Some(&who)).await?;
    let offer = server.create_offer(&who, name, Some(to.id), &deal).await?;
    let told = server.challenge(&offer, &deal, Some(who.holder)).await?;
    Ok(match fields.is_true("keepAliveStream") {
        true => challenge_stream::stream(server, who, connection, offer, told),
        false => axum::Json(told).into_response(),
    })
}

/// `POST /api/challenge/ai`: a game against the computer, which begins at once.
pub(super) async fn engine(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    fields: Params,
) -> Result<Response, LichessError> {
    if server.settings.bots.is_empty() {
        return Err(ApiError::unreadable(
            "the server itself does not play here: challenge the account of a bot by its name",
        )
        .into());
    }
    let (who, _) = person(&server, &headers).await?;
    who.require_scope(Scope::ChallengeWrite)?;
    let level = fields.get("level").unwrap_or("1").parse::<Level>();
    let level = level.map_err(|error| ApiError::unreadable(error.to_string()))?;
    let deal = OfferTerms {
        terms: fields.challenge_terms()?,
        side: fields.side()?,
        public: true,
    };
    let own = SeatAssignment {
        name: who.name.clone().unwrap_or_default(),
        holder: who.holder,
    };
    let computer = server.seated_computer(ComputerStyle::from(level))?;
    let id = server
        .create_game(&deal.to_new_game(own, computer, "computer"))
        .await?;
    server.lobby.send_notice(who.holder, LobbyNotice::Game(id));
    server.lobby.notify_changed();
    if let Some(table) = server.table(id).await? {
        server.seat_computer(&table, Some(client)).await;
    }
    let told = server.game_json_for(id, (client, who.holder)).await?;
    let mut told = told.unwrap_or_default();
    told["player"] = told["color"].clone();
    told["source"] = "ai".into();
    told["createdAt"] = server.now().0.into();
    Ok((StatusCode::CREATED, axum::Json(told)).into_response())
}

/// A challenge by or to the client.
async fn own(
    server: &Server,
    headers: &HeaderMap,
    id: &str,
) -> Result<(Identity, Offer, OfferTerms), LichessError> {
    let (who, own) = person(server, headers).await?;
    who.require_scope(Scope::ChallengeWrite)?;
    let (offer, deal) = server.find_offer(id).await?;
    match offer.to {
        Some(to) if to == own || offer.by == who.holder => Ok((who, offer, deal)),
        _ => Err(no_offer().into()),
    }
}

/// `GET /api/challenge/{id}/show`
pub(super) async fn show(
    State(server): ServerState,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    let (who, own) = person(&server, &headers).await?;
    let (offer, deal) = server.find_offer(&id).await?;
    if offer.to != Some(own) && offer.by != who.holder {
        return Err(no_offer().into());
    }
    who.require_scope(Scope::ChallengeRead)?;
    let told = server.challenge(&offer, &deal, Some(who.holder)).await?;
    Ok(axum::Json(told).into_response())
}

/// The query parameters of an acceptance.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct AcceptParams {
    color: Option<String>,
}

/// `POST /api/challenge/{id}/accept`
pub(super) async fn accept(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
    QueryParams(accepting): QueryParams<AcceptParams>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    let game: Option<GameId> = id.parse().ok();
    if let Some(game) = game
        && server.find_offer(&id).await.is_err()
    {
        return sit(&server, client, &headers, game, accepting.color.as_deref()).await;
    }
    let (who, offer, deal) = own(&server, &headers, &id).await?;
    if offer.by == who.holder {
        return Err(ApiError::unreadable(
            "this is your own challenge: somebody else has to accept it",
        )
        .into());
    }
    let name = who.name.clone().unwrap_or_default();
    let taken = server
        .take_offer(&offer, &deal, &who, name, CHALLENGE_SOURCE)
        .await;
    taken.map_err(ApiError::gone_is_missing)?;
    Ok(ok())
}

/// Takes an open seat at a table.
async fn sit(
    server: &Arc<Server>,
    client: Client,
    headers: &HeaderMap,
    game: GameId,
    color: Option<&str>,
) -> Result<Response, LichessError> {
    let who = server.require_identity(headers).await?;
    let found = server.table_for(game, (client, Some(&who)), TableUse::Join);
    let table = found.await?.ok_or_else(no_offer)?;
    who.require_play_scope()?;
    let core = table.lock().await;
    let is_seated = core.seat_of(who.holder).is_some();
    let seat = core.open_seat_for(side(color)?);
    drop(core);
    if is_seated {
        return Ok(ok());
    }
    let Some(seat) = seat else {
        return Err(ApiError::conflict("seat_taken", "this seat is taken").into());
    };
    let name = server.name_at_table(&who, None).await?;
    let sat = table.sit(server, seat, &name, who.holder, who.person());
    if let CommandReply::Denied(denial) = sat.await? {
        return Err(LichessError::Denied(denial));
    }
    let holders = table.lock().await.holders;
    for holder in [holders.white, holders.black].into_iter().flatten() {
        server.lobby.send_notice(holder, LobbyNotice::Game(game));
    }
    Ok(ok())
}

/// `POST /api/challenge/{id}/decline`
pub(super) async fn decline(
    State(server): ServerState,
    PathParam(id): PathParam,
    headers: HeaderMap,
    fields: Params,
) -> Result<Response, LichessError> {
    let (who, offer, _) = own(&server, &headers, &id).await?;
    if offer.by == who.holder {
        return Err(
            ApiError::unreadable("this is your own challenge: POST …/cancel withdraws it").into(),
        );
    }
    let reason = reason(fields.get("reason").unwrap_or("generic")).to_owned();
    let close = CloseOffer::Decline {
        reason: reason.clone(),
    };
    let closed = server.close_offer(&offer, close).await;
    closed.map_err(ApiError::gone_is_missing)?;
    let challenge = offer.id;
    server
        .lobby
        .send_notice(offer.by, LobbyNotice::Declined { challenge, reason });
    Ok(ok())
}

/// `POST /api/challenge/{id}/cancel`
pub(super) async fn cancel(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    let (who, offer, _) = own(&server, &headers, &id).await?;
    if offer.by != who.holder {
        return Err(ApiError::unreadable(
            "this is somebody else's challenge: POST …/decline declines it",
        )
        .into());
    }
    let OfferStatus::Taken { game } = offer.status else {
        let closed = server.close_offer(&offer, CloseOffer::Cancel).await;
        closed.map_err(ApiError::gone_is_missing)?;
        return Ok(ok());
    };
    // It was accepted meanwhile: the game is aborted, if that is still possible.
    let sitting = PlayerInGame::of(&server, (client, who), game.as_str()).await?;
    sitting.submit_required(Intent::Abort).await
}

/// `POST /api/challenge/open`
pub(super) async fn open(
    State(server): ServerState,
    headers: HeaderMap,
    fields: Params,
) -> Result<Response, LichessError> {
    if let Some(who) = server.identify(&headers).await? {
        who.require_scope(Scope::ChallengeWrite)?;
    }
    let founding = NewGameSpec {
        terms: fields.challenge_terms()?,
        seats: ByColor {
            white: None,
            black: None,
        },
        is_public: true,
        source: CHALLENGE_SOURCE,
    };
    let id = server.create_game(&founding).await?;
    let terms = &founding.terms;
    let url = server.url(&format!("/{id}"));
    let mut told: Value = json!({
        "id": id.to_string(),
        "url": url,
        "urlWhite": format!("{url}?color=white"),
        "urlBlack": format!("{url}?color=black"),
        "status": "created",
        "challenger": Value::Null,
        "destUser": Value::Null,
        "variant": json::variant(terms),
        "rated": false,
        "speed": Speed::of(terms.time.as_ref()).key(),
        "timeControl": json::time_control(terms),
        "color": "random",
        "finalColor": "white",
        "perf": { "icon": "", "name": json::perf(terms).1 },
        "open": { "userIds": [] },
    });
    if json::initial_fen(terms) != "startpos" {
        told["initialFen"] = json::initial_fen(terms).into();
    }
    Ok(axum::Json(told).into_response())
}
