//! Extractors: bodies, queries, paths and WebSocket upgrades, parsed tolerantly (JSON, a form, or nothing at all).
//! Errors are answered in JSON like all others.

use std::time::Duration;

use axum::body::{self, Bytes};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout;

use crate::api::bounds::{check_json, check_query};
use crate::api::form::read_form;
use crate::api::{ApiError, MAX_BODY_BYTES};
use crate::security::Limits;

/// The timeout for the body of a request; an extension of the request, so that the body's reader knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyTimeout(Duration);

impl BodyTimeout {
    pub(crate) fn new(limits: &Limits) -> BodyTimeout {
        BodyTimeout(Duration::from_secs(limits.body_timeout_seconds.into()))
    }
}

/// A body: JSON, or a form in which dots open objects (`terms.time=5+3`). Without a body all fields have their
/// defaults.
pub(crate) struct FormOrJson<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for FormOrJson<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<FormOrJson<T>, ApiError> {
        let RawBody(text) = RawBody::from_request(request, state).await?;
        Ok(FormOrJson(object(&text)?))
    }
}

/// A body as unparsed JSON, or as plain text.
pub(crate) struct RawBody(pub(crate) String);

impl<S: Send + Sync> FromRequest<S> for RawBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<RawBody, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let is_form = kind.starts_with("application/x-www-form-urlencoded");
        let bytes = read_body(request, MAX_BODY_BYTES).await?;
        let text = String::from_utf8(bytes.into())
            .map_err(|_| ApiError::unreadable("the request is not UTF-8"))?;
        // Some tools label JSON or a bare move as a form by default.
        match is_form && text.contains('=') && !text.trim_start().starts_with('{') {
            true => Ok(RawBody(Value::Object(read_form(&text)?).to_string())),
            false => {
                check_json(text.as_bytes())?;
                Ok(RawBody(text))
            }
        }
    }
}

/// Reads the whole body of a request, within its timeout.
pub(crate) async fn read_body(request: Request, most: usize) -> Result<Bytes, ApiError> {
    let limit = request.extensions().get::<BodyTimeout>().copied();
    let BodyTimeout(slowest) = limit.unwrap_or_else(|| BodyTimeout::new(&Limits::default()));
    let body = request.into_body();
    let Ok(sent) = timeout(slowest, body::to_bytes(body, most)).await else {
        return Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            format!(
                "the request was not all there after {} s",
                slowest.as_secs()
            ),
        ));
    };
    match sent {
        Ok(bytes) => Ok(bytes),
        Err(error) => {
            let is_large = std::error::Error::source(&error)
                .is_some_and(|source| source.is::<http_body_util::LengthLimitError>());
            Err(match is_large {
                true => ApiError::too_large(most),
                false => ApiError::unreadable("the request ended before its body did"),
            })
        }
    }
}

/// Parses a JSON object; an empty text is an empty object.
fn object<T: DeserializeOwned + Default>(text: &str) -> Result<T, ApiError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(T::default());
    }
    if !text.starts_with('{') {
        return Err(ApiError::unreadable("the request is not a JSON object"));
    }
    serde_json::from_str(text).map_err(|error| ApiError::unreadable(error.to_string()))
}

/// The query parameters.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<QueryParams<T>, ApiError> {
        read_query(&parts.uri).map(|Query(sought)| QueryParams(sought))
    }
}

/// Parses the query of a URI, within the limits.
pub(crate) fn read_query<T: DeserializeOwned>(uri: &Uri) -> Result<Query<T>, ApiError> {
    check_query(uri.query().unwrap_or_default())?;
    Query::try_from_uri(uri).map_err(|error| {
        let text = error.body_text();
        // What is wrong with it comes after the first colon.
        let problem = text.split_once(": ");
        ApiError::unreadable(problem.map_or(text.as_str(), |(_, rest)| rest))
    })
}

/// A parameter of the path.
pub(crate) struct PathParam<T = String>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathParam<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathParam<T>, ApiError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(PathParam(name)),
            // No resource has a name that is not UTF-8.
            Err(_) => Err(ApiError::not_found("there is nothing here")),
        }
    }
}

/// The longest WebSocket message of a client, in bytes.
pub(crate) const MAX_WS_MESSAGE_BYTES: usize = 4 * 1024;
/// The size of the write buffer, in bytes.
const WS_WRITE_BUFFER_BYTES: usize = 16 * 1024;
/// The most buffered data, in bytes: the state of the longest game fits.
const WS_MAX_BUFFERED_BYTES: usize = 4 * 1024 * 1024;

/// A WebSocket upgrade, with bounded buffers.
pub(crate) struct WsUpgrade(pub(crate) WebSocketUpgrade);

impl<S: Send + Sync> FromRequestParts<S> for WsUpgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<WsUpgrade, ApiError> {
        match WebSocketUpgrade::from_request_parts(parts, state).await {
            Ok(upgrade) => Ok(WsUpgrade(
                upgrade
                    .read_buffer_size(2 * 1024)
                    .write_buffer_size(WS_WRITE_BUFFER_BYTES)
                    .max_write_buffer_size(WS_MAX_BUFFERED_BYTES)
                    .max_message_size(MAX_WS_MESSAGE_BYTES)
                    .max_frame_size(MAX_WS_MESSAGE_BYTES),
            )),
            Err(_) => Err(ApiError::new(
                StatusCode::UPGRADE_REQUIRED,
                "no_socket",
                "this is for WebSockets: docs/LIVE.md says how to come here",
            )),
        }
    }
}
