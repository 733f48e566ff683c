//! The routes of the API, from which the router is built and against which docs/openapi.json is checked, and the list
//! of all routes for tests that call each of them.

use axum::http::header;

use crate::api::route::{Route, delete, get, post};
use crate::api::ws::{game, lobby};
use crate::api::{
    account, arbiter, challenges, game_lists, healthz, me, pgn, players, readyz, reviews, seeks,
    tables,
};
use crate::{lichess, web};

/// The OpenAPI description.
const OPENAPI_JSON: &str = include_str!("../openapi.json");

/// The routes of the API. A trailing slash makes no difference.
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/healthz", healthz),
        get("/readyz", readyz),
        get("/openapi.json", description),
        get("/v1/me", me::show),
        post("/v1/me", me::set_name),
        post("/v1/session", account::sign_in),
        delete("/v1/session", account::sign_out),
        post("/v1/account", account::create),
        post("/v1/account/password", account::password),
        get("/v1/account/tokens", account::tokens),
        post("/v1/account/tokens", account::issue),
        delete("/v1/account/tokens", account::revoke_all),
        delete("/v1/account/tokens/{id}", account::revoke),
        get("/v1/tables", game_lists::tables),
        post("/v1/tables", tables::create),
        get("/v1/tables/{id}", tables::show),
        post("/v1/tables/{id}/seat", tables::sit),
        post("/v1/tables/{id}/commands", tables::submit_command),
        get("/v1/tables/{id}/pgn", pgn::show),
        post("/v1/tables/{id}/review", reviews::review),
        get("/v1/tables/{id}/journal", tables::journal),
        get("/v1/tables/{id}/live", game::connect),
        get("/v1/lobby/live", lobby::connect),
        get("/v1/seeks", seeks::list),
        post("/v1/seeks", seeks::create),
        get("/v1/seeks/{id}", seeks::show),
        delete("/v1/seeks/{id}", seeks::withdraw),
        post("/v1/seeks/{id}/take", seeks::take_offer),
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

/// Routes under their former names. They are answered, but no longer described.
pub(super) fn former_routes() -> Vec<Route> {
    vec![post("/v1/tables/{id}/ask", tables::submit_command)]
}

/// The methods and paths that docs/openapi.json describes.
#[must_use]
pub fn list_described() -> Vec<(&'static str, String)> {
    names(routes())
}

/// Every method and path of the server: the API, the web page, and Lichess's API.
#[must_use]
pub fn route_list() -> Vec<(&'static str, String)> {
    let api = routes().into_iter().chain(former_routes());
    names(api.chain(web::routes()).chain(lichess::routes()))
}

fn names(routes: impl IntoIterator<Item = Route>) -> Vec<(&'static str, String)> {
    let name = |route: Route| (route.method, route.path.into_owned());
    routes.into_iter().map(name).collect()
}

/// `GET /openapi.json`
async fn description() -> ([(header::HeaderName, &'static str); 1], &'static str) {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI_JSON)
}
