//! The rate limit of each route. A test fails for a route that is missing in this list.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::http::Method;

use crate::security::RateLimit;

/// How a route is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RouteLimit {
    /// Not limited: players play as fast as they like, and probes come as often as they like.
    Unlimited,
    /// Each request is counted before its handler runs.
    Counted(RateLimit),
    /// It is counted as a request, and its handler counts expensive work against the limit of this name.
    ByHandler(&'static str),
}

use RouteLimit::{ByHandler, Counted, Unlimited};

/// A method, a path, and its limit.
type Row = (&'static str, &'static str, RouteLimit);

const REQUEST: RouteLimit = Counted(RateLimit::Request);
const READ: RouteLimit = Counted(RateLimit::Read);
const CREATE: RouteLimit = Counted(RateLimit::Create);
/// The handler knows whether the request is more than a lookup, and whether a player with a seat sent it.
const MAY_READ: RouteLimit = ByHandler("read");
const ASK: RouteLimit = Counted(RateLimit::Ask);
const SOCKET: RouteLimit = Counted(RateLimit::Socket);

/// Every route.
const ROUTES: &[Row] = &[
    ("GET", "/healthz", Unlimited),
    ("GET", "/readyz", Unlimited),
    ("GET", "/openapi.json", REQUEST),
    // Identity.
    ("GET", "/v1/me", REQUEST),
    ("POST", "/v1/me", Counted(RateLimit::Name)),
    ("POST", "/v1/session", ByHandler("sign_in")),
    ("DELETE", "/v1/session", REQUEST),
    ("POST", "/v1/account", ByHandler("register")),
    ("POST", "/v1/account/password", ByHandler("sign_in")),
    ("GET", "/v1/account/tokens", REQUEST),
    ("POST", "/v1/account/tokens", CREATE),
    ("DELETE", "/v1/account/tokens", REQUEST),
    ("DELETE", "/v1/account/tokens/{id}", REQUEST),
    // Tables.
    ("GET", "/v1/tables", MAY_READ),
    ("POST", "/v1/tables", CREATE),
    ("GET", "/v1/tables/{id}", MAY_READ),
    ("POST", "/v1/tables/{id}/seat", MAY_READ),
    ("POST", "/v1/tables/{id}/commands", Unlimited),
    ("POST", "/v1/tables/{id}/ask", Unlimited),
    ("GET", "/v1/tables/{id}/pgn", MAY_READ),
    ("POST", "/v1/tables/{id}/review", ByHandler("ask")),
    ("GET", "/v1/tables/{id}/journal", MAY_READ),
    ("GET", "/v1/tables/{id}/live", SOCKET),
    // The lobby.
    ("GET", "/v1/lobby/live", SOCKET),
    ("GET", "/v1/seeks", READ),
    ("POST", "/v1/seeks", CREATE),
    ("GET", "/v1/seeks/{id}", REQUEST),
    ("DELETE", "/v1/seeks/{id}", REQUEST),
    ("POST", "/v1/seeks/{id}/take", CREATE),
    ("GET", "/v1/challenges", READ),
    ("POST", "/v1/challenges", CREATE),
    ("GET", "/v1/challenges/{id}", REQUEST),
    ("DELETE", "/v1/challenges/{id}", REQUEST),
    ("POST", "/v1/challenges/{id}/accept", CREATE),
    ("POST", "/v1/challenges/{id}/decline", REQUEST),
    ("GET", "/v1/players/{name}", MAY_READ),
    ("GET", "/v1/players/{name}/games", MAY_READ),
    ("GET", "/v1/players/{name}/pgn", MAY_READ),
    // The arbiter.
    ("POST", "/arbiter/judge", ASK),
    ("POST", "/arbiter/explain", ASK),
    ("POST", "/arbiter/winnable", ASK),
    ("GET", "/arbiter/rules", ASK),
    ("POST", "/arbiter/rules", ASK),
    // The web page.
    ("GET", "/", REQUEST),
    ("GET", "/arbiter", REQUEST),
    ("GET", "/connect", REQUEST),
    ("GET", "/rules", REQUEST),
    ("GET", "/rules/{variant}", REQUEST),
    ("GET", "/assets/{version}/{name}", REQUEST),
    ("GET", "/diagram.svg", READ),
    ("GET", "/diagram.png", MAY_READ),
    ("GET", "/favicon.ico", REQUEST),
    ("GET", "/robots.txt", REQUEST),
    ("GET", "/{game}", MAY_READ),
    ("GET", "/{game}/white", REQUEST),
    ("GET", "/{game}/black", REQUEST),
    // The Lichess API.
    ("GET", "/oauth", REQUEST),
    ("POST", "/oauth", CREATE),
    ("POST", "/api/token", CREATE),
    ("DELETE", "/api/token", REQUEST),
    ("POST", "/api/token/test", MAY_READ),
    ("GET", "/api/account", MAY_READ),
    ("GET", "/api/account/email", REQUEST),
    ("GET", "/api/account/kid", REQUEST),
    ("GET", "/api/account/preferences", REQUEST),
    ("GET", "/api/account/playing", MAY_READ),
    ("POST", "/api/bot/account/upgrade", REQUEST),
    ("GET", "/api/bot/online", MAY_READ),
    ("GET", "/api/user/{id}", MAY_READ),
    ("GET", "/@/{id}", REQUEST),
    ("GET", "/api/user/{id}/current-game", MAY_READ),
    ("POST", "/api/users", MAY_READ),
    ("GET", "/api/users/status", MAY_READ),
    ("GET", "/api/stream/event", SOCKET),
    ("GET", "/api/challenge", READ),
    ("POST", "/api/challenge/open", CREATE),
    ("POST", "/api/challenge/ai", CREATE),
    ("POST", "/api/challenge/{id}", CREATE),
    ("GET", "/api/challenge/{id}/show", REQUEST),
    ("POST", "/api/challenge/{id}/accept", CREATE),
    ("POST", "/api/challenge/{id}/decline", REQUEST),
    ("POST", "/api/challenge/{id}/cancel", REQUEST),
    ("POST", "/api/board/seek", CREATE),
    ("POST", "/api/round/{id}/add-time/{seconds}", Unlimited),
    ("GET", "/game/export/{id}", MAY_READ),
    ("GET", "/api/games/user/{id}", MAY_READ),
    ("POST", "/api/games/export/_ids", MAY_READ),
    ("GET", "/api/stream/game/{id}", SOCKET),
    ("GET", "/api/tv/channels", MAY_READ),
    ("GET", "/api/tv/feed", SOCKET),
    ("GET", "/api/tv/{id}", MAY_READ),
    ("GET", "/api/tv/{id}/feed", SOCKET),
];

/// The routes below both `/api/bot/game/…` and `/api/board/game/…`.
const LICHESS_GAME_ROUTES: &[Row] = &[
    ("GET", "stream/{id}", SOCKET),
    ("POST", "{id}/move/{move}", Unlimited),
    ("POST", "{id}/abort", Unlimited),
    ("POST", "{id}/resign", Unlimited),
    ("POST", "{id}/draw/{answer}", Unlimited),
    ("POST", "{id}/takeback/{answer}", Unlimited),
    ("POST", "{id}/claim-victory", Unlimited),
    ("POST", "{id}/claim-draw", Unlimited),
    ("POST", "{id}/berserk", Unlimited),
    ("GET", "{id}/chat", REQUEST),
    ("POST", "{id}/chat", Unlimited),
];

/// Routes beside those of [`SOCKET`] whose handlers create something and may stream its result. The stream's place is
/// taken first, so that nothing is created in vain.
const STREAM_ROUTES: &[(&str, &str)] =
    &[("POST", "/api/board/seek"), ("POST", "/api/challenge/{id}")];

/// The limits of each path, by method.
static LIMITS: LazyLock<HashMap<String, Vec<(&'static str, RouteLimit)>>> = LazyLock::new(|| {
    let mut limits: HashMap<String, Vec<_>> = HashMap::new();
    for (method, path, limit) in list() {
        limits.entry(path).or_default().push((method, limit));
    }
    limits
});

/// Every route with its limit.
#[must_use]
pub fn list() -> Vec<(&'static str, String, RouteLimit)> {
    let own = ROUTES
        .iter()
        .map(|&(method, path, limit)| (method, path.to_owned(), limit));
    let games = ["bot", "board"].into_iter().flat_map(|api| {
        LICHESS_GAME_ROUTES
            .iter()
            .map(move |&(method, path, limit)| (method, format!("/api/{api}/game/{path}"), limit))
    });
    own.chain(games).collect()
}

/// The limit of a request with this method at this route. What matches no route is counted as any request.
#[must_use]
pub(super) fn limit_of(method: &Method, route: Option<&str>) -> RouteLimit {
    let method = match method {
        &Method::HEAD => &Method::GET,
        method => method,
    };
    let limits = route.and_then(|route| LIMITS.get(without_slash(route)));
    let limit = limits.and_then(|limits| limits.iter().find(|(name, _)| method == name));
    limit.map_or(REQUEST, |&(_, limit)| limit)
}

/// Whether a stream's place is taken before a request is handled at this route.
#[must_use]
pub(super) fn may_stream(method: &Method, route: Option<&str>) -> bool {
    let is_listed = |route| STREAM_ROUTES.contains(&(method.as_str(), without_slash(route)));
    limit_of(method, route) == SOCKET || route.is_some_and(is_listed)
}

/// A trailing slash makes no difference.
fn without_slash(route: &str) -> &str {
    match route {
        "/" => route,
        route => route.trim_end_matches('/'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_found_by_its_method_and_path() {
        let limit = |method, route| limit_of(&method, Some(route));
        assert_eq!(limit(Method::POST, "/v1/tables"), CREATE);
        assert_eq!(limit(Method::POST, "/v1/tables/"), CREATE);
        assert_eq!(limit(Method::HEAD, "/diagram.svg"), READ);
        assert_eq!(limit(Method::GET, "/"), REQUEST);
        assert_eq!(
            limit(Method::POST, "/api/board/game/{id}/move/{move}"),
            Unlimited
        );
        assert_eq!(limit(Method::OPTIONS, "/api/token"), REQUEST);
        assert_eq!(limit_of(&Method::GET, None), REQUEST);
    }

    #[test]
    fn the_routes_that_may_stream_are_routes() {
        let all = list();
        for row in STREAM_ROUTES {
            assert!(
                all.iter()
                    .any(|(method, path, _)| (*method, path.as_str()) == *row)
            );
        }
        assert!(may_stream(&Method::POST, Some("/api/board/seek/")));
        assert!(may_stream(&Method::GET, Some("/api/tv/feed")));
        assert!(!may_stream(&Method::GET, Some("/v1/seeks")));
    }
}
