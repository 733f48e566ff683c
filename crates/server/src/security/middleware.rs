//! The middleware that every request passes before its handler.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::{Body, HttpBody as _};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use touchmove_store::GameId;
use tracing::Instrument as _;

use crate::api::ApiError;
use crate::api::extract::BodyTimeout;
use crate::auth::{cookies, identity};
use crate::games::loader::seat_in;
use crate::listener::connections::ConnectionPlace;
use crate::security::client_ip::Client;
use crate::security::cors;
use crate::security::forwarded::has_proxy_header;
use crate::security::route_limits::{RouteLimit, limit_of, may_stream};
use crate::security::{RateLimit, SecurityEvent, is_cross_site, is_same_origin};
use crate::{Peer, Server};

/// The request number, for the log.
static REQUESTS: AtomicU64 = AtomicU64::new(1);

/// The content security policy: a page may load only from this server.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The paths of health probes, which are answered under any host name.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];

/// The most segments of a path that are tried as the id of a game.
const MAX_IDS_IN_PATH: usize = 2;

/// The middleware of every request: finds the client, refuses what is for another host, what another site made a
/// browser send and what exceeds a rate limit, and adds security headers to the response.
pub async fn stand(
    State(server): State<Arc<Server>>,
    mut request: Request,
    next: Next,
) -> Response {
    let number = REQUESTS.fetch_add(1, Ordering::Relaxed);
    let span = tracing::info_span!(
        "request",
        number,
        method = %request.method(),
        path = request.uri().path(),
    );
    let mut response = match admit(&server, &mut request).await {
        Err(problem) => refuse(&request, problem),
        Ok(stream) => {
            let client = request.extensions().get().copied();
            let response = next.run(request).instrument(span).await;
            hold_while_sent(&server, client, response, stream)
        }
    };
    server.meters.count_response(response.status().as_u16());
    add_safe_headers(response.headers_mut(), server.cookies().is_https);
    response
}

/// The headers of every response, unless its handler has set them. Most responses depend on who asks: no cache may
/// store them unless a handler allows it.
const SAFE_HEADERS: [(HeaderName, &str); 7] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), payment=(), usb=()",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

fn add_safe_headers(headers: &mut HeaderMap, is_https: bool) {
    let https = (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    for (name, value) in SAFE_HEADERS.into_iter().chain(is_https.then_some(https)) {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
}

/// Refuses a request, and closes its connection where the place is needed for others.
fn refuse(request: &Request, problem: ApiError) -> Response {
    let mut response = problem.into_response();
    if request
        .extensions()
        .get::<Peer>()
        .is_some_and(Peer::is_reserved)
    {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    cors::show(request, &mut response);
    response
}

/// The place of a stream.
type StreamPlace = Arc<ConnectionPlace>;

/// Checks a request and records its client in it.
async fn admit(
    server: &Arc<Server>,
    request: &mut Request,
) -> Result<Option<StreamPlace>, ApiError> {
    let nowhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let peer = request.extensions().get::<Peer>();
    let (address, local, is_reserved) = peer.map_or((nowhere, nowhere, false), |peer| {
        (peer.address.ip(), peer.local, peer.is_reserved())
    });
    let client = Client::new(address, request.headers(), &server.settings);
    request.extensions_mut().insert(client);
    let body_timeout = BodyTimeout::new(&server.settings.limits);
    request.extensions_mut().insert(body_timeout);
    let guard = &server.guard;
    let is_probe = PROBES.contains(&request.uri().path());
    guard.wait_for_turn(client, is_probe).await?;
    if !is_probe {
        guard.check_host(client, request.uri(), request.headers(), local)?;
    }
    let trusted = &server.settings.trusted_proxies;
    if !trusted.iter().any(|network| network.contains(address))
        && has_proxy_header(request.headers())
    {
        guard.warn_of_proxy(address);
    }
    if is_forged(server, request) {
        guard.log.write(SecurityEvent::Forged, client, None);
        return Err(ApiError::forbidden(
            "this did not come from our own page: nothing was done",
        ));
    }
    let path = request.uri().path();
    if is_reserved && !is_probe && !has_seat(server, path, request.headers()).await {
        return Err(ApiError::busy(
            "the server has as many visitors as it can have: try again later",
        ));
    }
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map(MatchedPath::as_str);
    let limit = limit_of(request.method(), route);
    let may_stream = may_stream(request.method(), route);
    match limit {
        RouteLimit::Unlimited => {}
        RouteLimit::ByHandler(_) => guard.check(client, RateLimit::Request)?,
        RouteLimit::Counted(errand) => guard.check(client, errand)?,
    }
    match may_stream {
        true => open_stream(server, client, request).map(Some),
        false => Ok(None),
    }
}

/// Refuses a metrics request that names another host: a page of another site can make its own name resolve to this
/// machine.
pub(crate) async fn check_host(
    State(server): State<Arc<Server>>,
    request: Request,
    next: Next,
) -> Response {
    let nowhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let peer = request.extensions().get::<Peer>();
    let (address, local) = peer.map_or((nowhere, nowhere), |peer| (peer.address.ip(), peer.local));
    let client = Client::from(address);
    let guard = &server.guard;
    match guard.check_host(client, request.uri(), request.headers(), local) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Whether a request is for a game in which its sender has a seat, or for a file of the page that shows it.
async fn has_seat(server: &Arc<Server>, path: &str, headers: &HeaderMap) -> bool {
    if path.starts_with("/assets/") {
        return true;
    }
    let Ok(Some(who)) = server.identify(headers).await else {
        return false;
    };
    let games = path
        .split('/')
        .filter_map(|part| part.parse::<GameId>().ok());
    for game in games.take(MAX_IDS_IN_PATH) {
        // No game is loaded for a client who may have no seat.
        let seat = match server.tables.get(game) {
            Some(table) => table.seat_of(who.holder).await,
            None => match server.store.heads(vec![game]).await.as_deref() {
                Ok([head, ..]) => seat_in(&head.seats, who.holder),
                _ => None,
            },
        };
        if seat.is_some() {
            return true;
        }
    }
    false
}

/// Takes a place for a stream or a WebSocket, which holds it as long as it lasts.
fn open_stream(
    server: &Server,
    client: Client,
    request: &mut Request,
) -> Result<StreamPlace, ApiError> {
    let place = take_stream_place(server, client)?;
    if let Some(peer) = request.extensions_mut().get_mut::<Peer>() {
        peer.stream = Some(Arc::clone(&place));
    }
    Ok(place)
}

fn take_stream_place(server: &Server, client: Client) -> Result<StreamPlace, ApiError> {
    let address = (!client.is_local).then_some(client.address);
    let place = server.guard.streams.enter(address).map_err(|_| {
        let log = &server.guard.log;
        log.write(SecurityEvent::ConnectionsLimited, client, None);
        ApiError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_many",
            "there are too many open connections from your address: close some first",
        )
    })?;
    Ok(Arc::new(place))
}

/// Makes a stream hold its place until everything is sent. Every response without a known length is a stream: where
/// its route has taken no place before, it takes one now.
fn hold_while_sent(
    server: &Server,
    client: Option<Client>,
    response: Response,
    place: Option<StreamPlace>,
) -> Response {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    let client = client.unwrap_or(Client::UNKNOWN);
    let taken = place.map_or_else(|| take_stream_place(server, client), Ok);
    let place = match taken {
        Ok(place) => place,
        Err(problem) => {
            let mut refusal = problem.into_response();
            cors::copy_marks(&response, &mut refusal);
            return refusal;
        }
    };
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            // The closure owns the place, and lives as long as the body.
            let _ = &place;
            frame
        }))
    })
}

/// Whether another site may have made a browser send this (CSRF): the request acts, has no secret that only its owner
/// knows, and is not from our page. A request without a cookie is refused only where the browser says that it is
/// cross-site: the response could set a cookie in place of the one that the browser did not send. A program on
/// another site's page may request its token.
fn is_forged(server: &Server, request: &Request) -> bool {
    let headers = request.headers();
    let acts = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let public_url = server.settings.public_url.as_deref();
    let is_foreign = || match cookies::has_any(headers) {
        true => !is_same_origin(headers, public_url),
        false => is_cross_site(headers, public_url) && !cors::is_allowed(request),
    };
    acts && identity::bearer(headers).is_none() && is_foreign()
}
