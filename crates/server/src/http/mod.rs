//! The doors of the house: what is asked over HTTP, and what is answered.

mod live;
mod problem;
pub(crate) mod tables;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

pub use problem::Problem;

use crate::{House, page};

/// What handlers share.
pub(crate) type Shared = axum::extract::State<Arc<House>>;

/// Every door.
pub fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/v1/tables", post(tables::create))
        .route("/v1/tables/{id}", get(tables::show))
        .route("/v1/tables/{id}/seat", post(tables::sit))
        .route("/v1/tables/{id}/ask", post(tables::ask))
        .route("/v1/tables/{id}/pgn", get(tables::pgn))
        .route("/v1/tables/{id}/journal", get(tables::journal))
        .route("/v1/tables/{id}/live", get(live::join))
        .merge(page::routes())
        .fallback(async || Problem::not_found("there is nothing here"))
        .with_state(house)
}

/// Whether the program runs at all.
async fn healthz() -> &'static str {
    "ok\n"
}
