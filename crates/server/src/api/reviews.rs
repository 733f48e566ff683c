//! Reviews of finished games over HTTP.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};

use crate::api::extract::Named;
use crate::api::tables::table;
use crate::api::{Problem, Shared};
use crate::games::loader::TableUse;
use crate::games::reviews::Answered;
use crate::security::{Client, Errand};

/// `POST /v1/tables/{id}/review`
pub(crate) async fn review(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(id): Named,
    headers: HeaderMap,
) -> Result<Json<Answered>, Problem> {
    house.guard.let_pass(client, Errand::Ask)?;
    let known = id.parse().ok().and_then(|id| house.known_review(id));
    if let Some(known) = known {
        return Ok(Json(known));
    }
    let who = house.who(&headers).await?;
    let table = table(&house, (client, who.as_ref()), &id, TableUse::Read).await?;
    let core = table.core().await;
    Ok(Json(house.review(client.into(), table.id(), &core.game)?))
}
