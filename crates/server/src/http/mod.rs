//! The doors of the house: what is asked over HTTP, and what is answered.

mod account;
mod arbiter;
pub(crate) mod bounds;
mod challenges;
pub(crate) mod form;
pub(crate) mod game_stream;
mod lists;
pub(crate) mod live;
pub(crate) mod lobby;
mod me;
pub(crate) mod method;
mod panics;
pub(crate) mod pgn;
mod ping;
pub(crate) mod players;
mod problem;
pub(crate) mod request_checks;
mod reviews;
pub(crate) mod route;
pub(crate) mod seeks;
pub(crate) mod sent;
mod socket_pace;
pub(crate) mod tables;
mod ways;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware;

pub use problem::Problem;
pub use ways::{list, list_described};

use crate::{House, guard, lichess, meters, page};

/// The most bytes of a request's body.
pub(crate) const LARGEST: usize = 64 * 1024;

/// What handlers share.
pub(crate) type Shared = State<Arc<House>>;

/// Every door.
pub fn router(house: Arc<House>) -> Router {
    route::router_with_slashes(ways::routes())
        .merge(route::router(page::routes()))
        .merge(lichess::router())
        .fallback(async || Problem::not_found("there is nothing here"))
        .method_not_allowed_fallback(async || {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "wrong_method",
                "this cannot be done here: the header Allow says what can",
            )
        })
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
    let page = async |State(house): Shared| meters::page(&house);
    route::router([route::get("/metrics", page)])
        .layer(middleware::from_fn_with_state(
            Arc::clone(&house),
            guard::check_host,
        ))
        .with_state(house)
}
