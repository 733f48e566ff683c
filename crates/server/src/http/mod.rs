//! The doors of the house: what is asked over HTTP, and what is answered.

mod live;
mod problem;
mod tables;

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::{get, post};

pub use problem::Problem;

use crate::{House, guard, meters};

/// The most bytes of a request's body.
pub(crate) const LARGEST: usize = 64 * 1024;

/// What handlers share.
pub(crate) type Shared = State<Arc<House>>;

/// Every door.
pub fn router(house: Arc<House>) -> Router {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/v1/tables", post(tables::create))
        .route("/v1/tables/{id}", get(tables::show))
        .route("/v1/tables/{id}/seat", post(tables::sit))
        .route("/v1/tables/{id}/ask", post(tables::ask))
        .route("/v1/tables/{id}/pgn", get(tables::pgn))
        .route("/v1/tables/{id}/journal", get(tables::journal))
        .route("/v1/tables/{id}/live", get(live::join))
        .fallback(async || Problem::not_found("there is nothing here"))
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(middleware::from_fn_with_state(
            Arc::clone(&house),
            guard::stand,
        ))
        .with_state(house)
}

/// Whether the program runs at all.
async fn healthz() -> &'static str {
    "ok\n"
}

/// Whether people should be sent here.
async fn readyz(State(house): Shared) -> Result<&'static str, Problem> {
    match house.is_ready() {
        true => Ok("ok\n"),
        false => Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "not_ready",
            "the server closes, or cannot write moves down",
        )),
    }
}

/// The counts, for the listener that only the host reaches.
pub(crate) fn meters_router(house: Arc<House>) -> Router {
    Router::new()
        .route(
            "/metrics",
            get(async |State(house): Shared| meters::page(&house)),
        )
        .with_state(house)
}
