//! Reviews of finished games over HTTP.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};

use crate::api::extract::PathParam;
use crate::api::tables::table;
use crate::api::{ApiError, ServerState};
use crate::games::loader::TableUse;
use crate::games::reviews::ReviewStatusJson;
use crate::security::{Client, RateLimit};

/// `POST /v1/tables/{id}/review`
pub(crate) async fn review(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<Json<ReviewStatusJson>, ApiError> {
    server.guard.check(client, RateLimit::Ask)?;
    let known = id.parse().ok().and_then(|id| server.known_review(id));
    if let Some(known) = known {
        return Ok(Json(known));
    }
    let who = server.identify(&headers).await?;
    let table = table(&server, (client, who.as_ref()), &id, TableUse::Read).await?;
    let core = table.lock().await;
    Ok(Json(server.review(
        client.into(),
        table.id(),
        &core.game,
    )?))
}
