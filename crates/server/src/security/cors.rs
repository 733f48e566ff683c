//! CORS: which responses pages of other sites may read. They may read what they request with a token, because a
//! browser never adds a token by itself, and the OAuth endpoints that lead to one. They may not read responses to
//! requests without a token: a server in a private network must not be readable by every page that its users open.

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::auth::identity;

/// Whether a page of another site may read the response.
pub(crate) fn is_allowed(request: &Request) -> bool {
    let path = request.uri().path().trim_end_matches('/');
    identity::bearer(request.headers()).is_some() || path == "/api/token"
}

/// `OPTIONS`: answers the preflight request of a browser.
pub(crate) async fn preflight() -> Response {
    let allowed = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "Authorization, Content-Type",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, allowed).into_response()
}

/// Adds CORS headers to responses that pages of other sites may read.
pub(crate) async fn add_headers(request: Request, next: Next) -> Response {
    let is_shown = is_allowed(&request);
    let mut response = next.run(request).await;
    if is_shown {
        mark_response(&mut response);
    }
    response
}

/// Adds CORS headers to a refusal before routing, if a page of another site may read it.
pub(crate) fn show(request: &Request, response: &mut Response) {
    if request.uri().path().starts_with("/api/") && is_allowed(request) {
        mark_response(response);
    }
}

/// Copies CORS headers to a response that replaces another one.
pub(crate) fn copy_marks(replaced: &Response, response: &mut Response) {
    if replaced
        .headers()
        .contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN)
    {
        mark_response(response);
    }
}

fn mark_response(response: &mut Response) {
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, "Retry-After"),
    ] {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
}
