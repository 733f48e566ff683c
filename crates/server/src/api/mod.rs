//! The HTTP API: handlers, extractors, errors and the router. Handlers read a request, call the domain (`games`,
//! `lobby`, `auth`) and render the result; they decide nothing about games themselves.

pub(crate) mod account;
pub(crate) mod arbiter;
pub(crate) mod bounds;
pub(crate) mod boxed_handler;
pub(crate) mod challenges;
mod error;
pub(crate) mod extract;
pub(crate) mod form;
pub(crate) mod game_lists;
pub(crate) mod game_stream;
pub(crate) mod me;
mod panics;
pub(crate) mod pgn;
pub(crate) mod players;
pub(crate) mod request_checks;
pub(crate) mod reviews;
pub(crate) mod route;
pub(crate) mod seeks;
pub(crate) mod tables;
pub mod ws;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware;

pub use crate::routes::{list_described, route_list};
pub use error::ApiError;

use crate::{Server, lichess, metrics, security, web};

/// The maximum size of a request body, in bytes.
pub(crate) const MAX_BODY_BYTES: usize = 64 * 1024;

/// The state that handlers extract.
pub(crate) type ServerState = State<Arc<Server>>;

/// The router of the whole server: API, web page and Lichess's API.
pub fn router(server: Arc<Server>) -> Router {
    route::router_with_slashes(
        crate::routes::routes()
            .into_iter()
            .chain(crate::routes::former_routes()),
    )
    .merge(route::router(web::routes()))
    .merge(lichess::router())
    .fallback(async || ApiError::not_found("there is nothing here"))
    .method_not_allowed_fallback(async || {
        ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "wrong_method",
            "this cannot be done here: the header Allow says what can",
        )
    })
    .layer(middleware::from_fn_with_state(
        Arc::clone(&server),
        security::stand,
    ))
    .with_state(server)
}

/// Liveness probe.
pub(crate) async fn healthz() -> &'static str {
    "ok\n"
}

/// Readiness probe.
pub(crate) async fn readyz(State(server): ServerState) -> Result<&'static str, ApiError> {
    match server.is_ready() {
        true => Ok("ok\n"),
        false => Err(ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "not_ready",
            "the server closes, or cannot write moves down",
        )),
    }
}

/// The router of the metrics listener, which only the host can reach.
pub(crate) fn metrics_router(server: Arc<Server>) -> Router {
    let page = async |State(server): ServerState| metrics::render(&server);
    route::router([route::get("/metrics", page)])
        .layer(middleware::from_fn_with_state(
            Arc::clone(&server),
            security::check_host,
        ))
        .with_state(server)
}
