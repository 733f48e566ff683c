//! The web page: its files and its paths. What it shows comes from the [API](crate::api) that every program may use.

mod assets;
pub(crate) mod diagram;
mod templates;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use flate2::Compression;
use touchmove_diagram::Diagram;
use touchmove_rules::{Board, Variant};
use touchmove_store::GameId;

use crate::api::extract::{PathParam, QueryParams};
use crate::api::route::{Route, get};
use crate::api::{ApiError, ServerState};
use crate::security::Client;

pub(crate) use diagram::Pictures;
pub(crate) use templates::in_query;

/// The routes of the page.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        get("/", home),
        get("/arbiter", arbiter),
        get("/connect", connect),
        get("/rules", rules),
        get("/rules/{variant}", rules_of),
        get("/assets/{version}/{name}", asset),
        get("/diagram.svg", diagram::svg),
        get("/diagram.png", diagram::png),
        get("/favicon.ico", icon),
        get("/robots.txt", async || "User-agent: *\nDisallow: /v1/\n"),
        get("/{game}", table),
        get("/{game}/white", from_white),
        get("/{game}/black", from_black),
    ]
}

/// The path of the style sheet, for pages rendered elsewhere.
pub(crate) fn stylesheet() -> String {
    format!("{}/style.css", assets::assets().place())
}

/// An HTML response with its headers.
fn page(status: StatusCode, html: String, headers: &HeaderMap) -> Response {
    let zipped = assets::takes_gzip(headers)
        .then(|| assets::compressed(html.as_bytes(), Compression::fast()))
        .flatten();
    let is_zipped = zipped.is_some();
    let mut response = match zipped {
        Some(zipped) => (status, zipped).into_response(),
        None => (status, html).into_response(),
    };
    let head = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "accept-encoding, cookie"),
    ] {
        head.insert(name, HeaderValue::from_static(value));
    }
    if is_zipped {
        head.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    // Rendering waits for the style sheet, so it is fetched before the page is parsed.
    let style = format!("<{}>; rel=preload; as=style", stylesheet());
    if let Ok(style) = HeaderValue::from_str(&style) {
        head.insert(header::LINK, style);
    }
    response
}

/// `GET /`
async fn home(State(server): ServerState, headers: HeaderMap) -> Response {
    let html = assets::assets().template("home.html");
    let html = templates::with_levels(&html, &server.settings.levels);
    let drawn = Diagram::new(&Board::START).svg();
    page(
        StatusCode::OK,
        templates::with_picture(&html, &drawn, ""),
        &headers,
    )
}

/// `GET /arbiter`: with a diagram of the position in the query, if there is one.
async fn arbiter(
    QueryParams(asked): QueryParams<diagram::ArbiterPageParams>,
    headers: HeaderMap,
) -> Response {
    let html = assets::assets().template("arbiter.html");
    let drawn = diagram::of(&asked).svg();
    let html = templates::with_picture(&html, &drawn, "The position");
    page(StatusCode::OK, html, &headers)
}

/// `GET /connect`
async fn connect(headers: HeaderMap) -> Response {
    let html = assets::assets().template("connect.html");
    page(StatusCode::OK, html, &headers)
}

/// `GET /rules/{variant}`
async fn rules_of(PathParam(variant): PathParam, headers: HeaderMap) -> Response {
    match variant.parse::<Variant>() {
        Ok(_) => rules(headers).await,
        Err(_) => missing(StatusCode::NOT_FOUND, &headers),
    }
}

/// `GET /rules`
async fn rules(headers: HeaderMap) -> Response {
    let html = assets::assets().template("rules.html");
    page(StatusCode::OK, html, &headers)
}

/// `GET /{game}`: shows a table. Reading changes nothing: a seat is taken by a POST.
async fn table(
    State(server): ServerState,
    Extension(client): Extension<Client>,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Response {
    match templates::table(&server, client, &id, &headers).await {
        Ok(html) => page(StatusCode::OK, html, &headers),
        // An open challenge has no table yet: the home page shows it to the challenged player.
        Err(_) if server.find_offer(&id).await.is_ok() => {
            Redirect::to(&format!("/?challenge={}", in_query(&id))).into_response()
        }
        Err(problem) => missing(problem.into_response().status(), &headers),
    }
}

/// `GET /{game}/white`: clients of Lichess link to a game from one side like this.
async fn from_white(PathParam(id): PathParam, headers: HeaderMap) -> Response {
    seen_from(&id, "white", &headers)
}

/// `GET /{game}/black`
async fn from_black(PathParam(id): PathParam, headers: HeaderMap) -> Response {
    seen_from(&id, "black", &headers)
}

fn seen_from(id: &str, color: &str, headers: &HeaderMap) -> Response {
    match id.parse::<GameId>() {
        Ok(id) => Redirect::to(&format!("/{id}?color={color}")).into_response(),
        Err(_) => missing(StatusCode::NOT_FOUND, headers),
    }
}

/// The page for a missing resource.
fn missing(status: StatusCode, headers: &HeaderMap) -> Response {
    page(status, assets::assets().template("missing.html"), headers)
}

/// `GET /assets/{version}/{name}`
async fn asset(
    PathParam((version, name)): PathParam<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let sent = assets::assets().send(&version, &name, &headers);
    sent.ok_or_else(|| ApiError::not_found("the page has no such file"))
}

/// `GET /favicon.ico`
async fn icon(headers: HeaderMap) -> Result<Response, ApiError> {
    asset(PathParam((String::new(), "icon.svg".to_owned())), headers).await
}
