//! Answers a request whose handler has panicked with status 500; otherwise the connection would just end.

use std::panic::AssertUnwindSafe;

use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;

use crate::api::ApiError;
use crate::spawn::panic_text;

/// Runs a handler, and answers for it if it panics. Locks that it held stay usable (see
/// [`lock_ext`](crate::lock_ext)), and what it had not written to the store has not happened.
pub(super) async fn answer_panics(handled: impl Future<Output = Response>) -> Response {
    match AssertUnwindSafe(handled).catch_unwind().await {
        Ok(response) => response,
        Err(panic) => {
            tracing::error!(panic = panic_text(&*panic), "a request handler panicked");
            ApiError::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal_error",
                "the server made a mistake with this request: its log says more",
            )
            .into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    async fn handle(panics: bool) -> Response {
        assert!(!panics, "this handler panics");
        "ok".into_response()
    }

    #[tokio::test]
    async fn a_handler_that_panics_is_answered_with_a_500() {
        for (panics, status) in [(true, 500), (false, 200), (true, 500)] {
            let response = answer_panics(handle(panics)).await;
            assert_eq!(response.status().as_u16(), status);
            let body = response.into_body().collect().await.unwrap().to_bytes();
            assert_eq!(
                serde_json::from_slice::<serde_json::Value>(&body).is_ok(),
                status == 500
            );
        }
    }
}
