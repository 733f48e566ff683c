//! The list of everything that can be asked for, from which the router is made and against which its
//! description in docs/openapi.json is checked.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::routing::{MethodFilter, MethodRouter, on};

use super::method::{Answers, answering};
use super::{
    account, arbiter, challenges, healthz, lists, live, lobby, me, pgn, players, readyz, reviews,
    seeks, tables,
};
use crate::House;

/// What is said of all this in OpenAPI.
const DESCRIPTION: &str = include_str!("../../openapi.json");

/// One thing that can be asked for.
struct Way {
    method: &'static str,
    path: &'static str,
    to: MethodRouter<Arc<House>>,
}

fn get<T: 'static>(path: &'static str, to: impl Answers<T>) -> Way {
    let (method, to) = ("GET", on(MethodFilter::GET, answering(to)));
    Way { method, path, to }
}

fn post<T: 'static>(path: &'static str, to: impl Answers<T>) -> Way {
    let (method, to) = ("POST", on(MethodFilter::POST, answering(to)));
    Way { method, path, to }
}

fn delete<T: 'static>(path: &'static str, to: impl Answers<T>) -> Way {
    let (method, to) = ("DELETE", on(MethodFilter::DELETE, answering(to)));
    Way { method, path, to }
}

fn ways() -> Vec<Way> {
    vec![
        get("/healthz", healthz),
        get("/readyz", readyz),
        get("/openapi.json", description),
        get("/v1/me", me::show),
        post("/v1/me", me::call),
        post("/v1/session", account::sign_in),
        delete("/v1/session", account::sign_out),
        post("/v1/account", account::create),
        post("/v1/account/password", account::password),
        get("/v1/account/tokens", account::tokens),
        post("/v1/account/tokens", account::issue),
        delete("/v1/account/tokens/{id}", account::revoke),
        get("/v1/tables", lists::tables),
        post("/v1/tables", tables::create),
        get("/v1/tables/{id}", tables::show),
        post("/v1/tables/{id}/seat", tables::sit),
        post("/v1/tables/{id}/ask", tables::ask),
        get("/v1/tables/{id}/pgn", pgn::show),
        post("/v1/tables/{id}/review", reviews::review),
        get("/v1/tables/{id}/journal", tables::journal),
        get("/v1/tables/{id}/live", live::join),
        get("/v1/lobby/live", lobby::join),
        get("/v1/seeks", seeks::list),
        post("/v1/seeks", seeks::create),
        get("/v1/seeks/{id}", seeks::show),
        delete("/v1/seeks/{id}", seeks::withdraw),
        post("/v1/seeks/{id}/take", seeks::take),
        get("/v1/challenges", challenges::list),
        post("/v1/challenges", challenges::create),
        get("/v1/challenges/{id}", seeks::show),
        delete("/v1/challenges/{id}", seeks::withdraw),
        post("/v1/challenges/{id}/accept", challenges::accept),
        post("/v1/challenges/{id}/decline", challenges::decline),
        get("/v1/players/{name}", players::show),
        get("/v1/players/{name}/games", players::games),
        get("/v1/players/{name}/pgn", players::pgn),
        post("/arbiter/judge", arbiter::judge),
        post("/arbiter/explain", arbiter::explain),
        post("/arbiter/winnable", arbiter::winnable),
        get("/arbiter/rules", arbiter::read_rules),
        post("/arbiter/rules", arbiter::rules),
    ]
}

/// Every method and path that is answered.
#[must_use]
pub fn list() -> Vec<(&'static str, &'static str)> {
    let ways = ways().into_iter();
    ways.map(|way| (way.method, way.path)).collect()
}

/// All of it; a slash at the end changes nothing.
pub(super) fn router() -> Router<Arc<House>> {
    let mut router = Router::new();
    for way in ways() {
        let with_slash = format!("{}/", way.path);
        router = router
            .route(way.path, way.to.clone())
            .route(&with_slash, way.to);
    }
    router
}

/// `GET /openapi.json`
async fn description() -> ([(header::HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION)
}
