//! Reviews of finished games over HTTP.

use axum::extract::State;
use axum::{Extension, Json};

use super::sent::Named;
use super::tables::table;
use super::{Problem, Shared};
use crate::guard::{Client, Errand};
use crate::reviews::Answered;

/// `POST /v1/tables/{id}/review`
pub(crate) async fn review(
    State(house): Shared,
    Extension(client): Extension<Client>,
    Named(id): Named,
) -> Result<Json<Answered>, Problem> {
    house.guard.let_pass(client, Errand::Ask)?;
    let table = table(&house, &id).await?;
    let core = table.core().await;
    Ok(Json(house.review(table.id(), &core.game)?))
}
