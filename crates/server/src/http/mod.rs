//! The doors of the house: what is asked over HTTP, and what is answered.

mod live;
mod problem;
mod tables;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};

pub use problem::Problem;

use crate::{House, guard};

/// The most bytes of a request's body.
pub(crate) const LARGEST: usize = 64 * 1024;

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
