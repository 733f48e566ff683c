//! Actions of players in their games: moves, offers, claims, chat.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use touchmove_accounts::Scope;
use touchmove_game::protocol::{ClientMessage, ClientRequest, RefusalMessage};
use touchmove_game::{DrawClaim, Intent, Millis};
use touchmove_rules::UciMove;

use crate::api::extract::{PathParam, QueryParams};
use crate::api::{ApiError, ServerState};
use crate::games::table::{ChatSender, CommandReply, MessageTiming, ViewerRole};
use crate::lichess::error::LichessError;
use crate::lichess::json::ply_from_end;
use crate::lichess::params::{Params, is_true};
use crate::lichess::{PlayerInGame, ok};
use crate::security::{Client, RateLimit};

/// The refusals of a repeated command, which counts as granted.
const ALREADY_DONE_REASONS: [&str; 2] = ["draw_already_offered", "takeback_already_offered"];
/// The refusals of declining when there is no offer.
const NOTHING_TO_DECLINE_REASONS: [&str; 2] = ["no_draw_offer", "no_takeback_offer"];

impl PlayerInGame {
    /// Submits a command; returns the refusal, if any.
    async fn wish(&self, wish: Intent) -> Result<Option<RefusalMessage>, LichessError> {
        let server = &self.server;
        // The network delay of an HTTP request is not measured, so it is not compensated.
        let arrival = MessageTiming {
            at: server.now(),
            lag: Millis::ZERO,
        };
        let asked = ClientMessage {
            ask: ClientRequest::Wish(wish),
            id: None,
            seen: None,
        };
        match self
            .table
            .submit(server, self.color, &asked, arrival)
            .await?
        {
            CommandReply::Denied(denial) => Ok(Some(denial)),
            CommandReply::Granted { .. } | CommandReply::Query => Ok(None),
        }
    }

    /// Submits a command that must be granted, or have been granted before.
    pub(super) async fn submit_required(&self, wish: Intent) -> Result<Response, LichessError> {
        match self.wish(wish).await? {
            Some(denial) if !ALREADY_DONE_REASONS.contains(&denial.reason) => {
                Err(LichessError::Denied(denial))
            }
            Some(_) | None => Ok(ok()),
        }
    }

    /// Whether a move is the last one that this player has made.
    async fn is_last_move(&self, text: &str) -> bool {
        let core = self.table.lock().await;
        let back = usize::from(core.game.turn() == self.color);
        ply_from_end(&core.game, back).as_deref() == Some(text)
    }

    /// The draw claims that this player may make now.
    async fn claims(&self) -> Vec<DrawClaim> {
        let core = self.table.lock().await;
        match core.game.turn() == self.color {
            true => core.game.claims(),
            false => Vec::new(),
        }
    }
}

/// The query parameters of a move.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct MoveParams {
    #[serde(rename = "offeringDraw")]
    draw: Option<String>,
}

/// `POST …/game/{id}/move/{move}`
pub(super) async fn play(
    sitting: PlayerInGame,
    PathParam((_, text)): PathParam<(String, String)>,
    QueryParams(offering): QueryParams<MoveParams>,
) -> Result<Response, LichessError> {
    let text = text.to_ascii_lowercase();
    let attempt: UciMove = text.parse().map_err(|error| {
        LichessError::Denied(RefusalMessage::new("unreadable", format!("{error}")))
    })?;
    let offers = offering.draw.as_deref().is_some_and(is_true);
    if offers {
        // A draw offer with a move also accepts the opponent's, and claims a draw that the move allows.
        let is_offered = sitting.table.lock().await.game.draw_offer() == Some(!sitting.color);
        let wish = match is_offered {
            true => Intent::OfferDraw,
            false => Intent::ClaimDraw(Some(attempt)),
        };
        if sitting.wish(wish).await?.is_none() {
            return Ok(ok());
        }
    }
    if let Some(denial) = sitting.wish(Intent::Move(attempt)).await? {
        // A client that has lost the answer sends its move again.
        return match sitting.is_last_move(&text).await {
            true => Ok(ok()),
            false => Err(LichessError::Denied(denial)),
        };
    }
    if offers {
        // If a draw cannot be offered yet, the move stands without the offer.
        let _ = sitting.wish(Intent::OfferDraw).await?;
    }
    Ok(ok())
}

/// `POST …/game/{id}/abort`
pub(super) async fn abort(sitting: PlayerInGame) -> Result<Response, LichessError> {
    sitting.submit_required(Intent::Abort).await
}

/// `POST …/game/{id}/resign`
pub(super) async fn resign(sitting: PlayerInGame) -> Result<Response, LichessError> {
    sitting.submit_required(Intent::Resign).await
}

/// Parses `yes` or `no`, and synonyms that clients send.
fn parse_yes_no(answer: &str) -> Result<bool, ApiError> {
    match answer {
        "yes" | "true" | "1" => Ok(true),
        "no" | "false" | "0" => Ok(false),
        _ => Err(ApiError::not_found("the answer is yes or no")),
    }
}

/// Declines an offer; it is no error if there is none.
async fn decline(
    sitting: &PlayerInGame,
    offer: touchmove_game::OfferKind,
) -> Result<Response, LichessError> {
    match sitting.wish(Intent::Decline(Some(offer))).await? {
        Some(denial) if !NOTHING_TO_DECLINE_REASONS.contains(&denial.reason) => {
            Err(LichessError::Denied(denial))
        }
        Some(_) | None => Ok(ok()),
    }
}

/// `POST …/game/{id}/draw/{answer}`
pub(super) async fn draw(
    sitting: PlayerInGame,
    PathParam((_, answer)): PathParam<(String, String)>,
) -> Result<Response, LichessError> {
    if !parse_yes_no(&answer)? {
        return decline(&sitting, touchmove_game::OfferKind::Draw).await;
    }
    // A player who may claim the draw need not offer it.
    let wish = match sitting.claims().await.is_empty() {
        true => Intent::OfferDraw,
        false => Intent::ClaimDraw(None),
    };
    sitting.submit_required(wish).await
}

/// `POST …/game/{id}/takeback/{answer}`
pub(super) async fn takeback(
    sitting: PlayerInGame,
    PathParam((_, answer)): PathParam<(String, String)>,
) -> Result<Response, LichessError> {
    let offer = touchmove_game::OfferKind::Takeback;
    if !parse_yes_no(&answer)? {
        return decline(&sitting, offer).await;
    }
    let asked_by = sitting.table.lock().await.game.takeback_offer();
    let wish = match asked_by == Some(!sitting.color) {
        true => Intent::Accept(Some(offer)),
        false => Intent::Takeback,
    };
    sitting.submit_required(wish).await
}

/// `POST …/game/{id}/claim-victory`
pub(super) async fn claim_victory(sitting: PlayerInGame) -> Result<Response, LichessError> {
    match sitting.wish(Intent::ClaimAbsence { draw: false }).await? {
        None => Ok(ok()),
        Some(denial) => match sitting.wish(Intent::ClaimNoShow).await? {
            None => Ok(ok()),
            Some(_) => Err(LichessError::Denied(denial)),
        },
    }
}

/// `POST …/game/{id}/claim-draw`
pub(super) async fn claim_draw(sitting: PlayerInGame) -> Result<Response, LichessError> {
    let wish = match sitting.claims().await.is_empty() {
        true => Intent::ClaimAbsence { draw: true },
        false => Intent::ClaimDraw(None),
    };
    sitting.submit_required(wish).await
}

/// `POST …/game/{id}/berserk`
pub(super) async fn berserk(_: PlayerInGame) -> Result<Response, LichessError> {
    Err(LichessError::Denied(RefusalMessage::new(
        "no_berserk",
        "nobody goes berserk here: that is for tournaments, and there are none",
    )))
}

/// `POST /api/round/{id}/add-time/{seconds}`
pub(super) async fn add_time(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam((id, seconds)): PathParam<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    let seconds = seconds.parse();
    let seconds = seconds.map_err(|_| ApiError::unreadable("the time is a number of seconds"))?;
    let who = server.require_identity(&headers).await?;
    who.require_scope(Scope::ChallengeWrite)?;
    let sitting = PlayerInGame::of(&server, (client, who), &id).await?;
    sitting
        .submit_required(Intent::Give(Millis::seconds(seconds)))
        .await
}

/// `GET …/game/{id}/chat`
pub(super) async fn get_chat(sitting: PlayerInGame) -> Result<Response, LichessError> {
    let place = ViewerRole::Seat(sitting.color);
    let (lines, _) = sitting.table.recent_chat(&sitting.server, place).await?;
    let lines: Vec<Value> = lines
        .iter()
        .map(|line| json!({ "user": line.name, "text": line.text }))
        .collect();
    Ok(axum::Json(lines).into_response())
}

/// `POST …/game/{id}/chat`
pub(super) async fn post_chat(
    Extension(client): Extension<Client>,
    sitting: PlayerInGame,
    fields: Params,
) -> Result<Response, LichessError> {
    let place = match fields.get("room") {
        None | Some("player") => ViewerRole::Seat(sitting.color),
        Some("spectator") => ViewerRole::Watching,
        Some(_) => return Err(ApiError::unreadable("the room is player or spectator").into()),
    };
    if place == ViewerRole::Watching {
        // The player posts in the spectators' room, so the spectators' limit applies.
        let guard = &sitting.server.guard;
        guard.check(client, RateLimit::SpectatorChat)?;
    }
    let name = sitting
        .server
        .name_of(&sitting.who)
        .await?
        .unwrap_or_default();
    let text = fields.get("text").unwrap_or_default();
    let speaker = (ChatSender::Known(sitting.who.holder), name.as_str());
    let said = sitting
        .table
        .post_chat(&sitting.server, place, speaker, text)
        .await?;
    said.map_err(LichessError::Denied)?;
    Ok(ok())
}
