//! Refuses requests that two HTTP programs could parse differently (request smuggling), and sends `Connection: close`
//! where a body was not read.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, Version, header};
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Frame, SizeHint};

use crate::api::ApiError;
use crate::api::bounds::MAX_TARGET_BYTES;

/// Marks a request that had both `Content-Length` and `Transfer-Encoding`. Only the listener sees both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoLengths;

/// Checks the head of a request before anything else. The listener calls it directly, because each layer of a router
/// costs every request several allocations.
pub(crate) async fn check_request<F: Future<Output = Response>>(
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let checked = match request.extensions().get::<TwoLengths>() {
        Some(TwoLengths) => Err(ApiError::unreadable(
            "a request has Content-Length or Transfer-Encoding, not both",
        )),
        None => check_head(request.uri(), request.version(), request.headers()),
    };
    if let Err(problem) = checked {
        return close_after(problem.into_response());
    }
    if request.body().is_end_stream() {
        return next(request).await;
    }
    let is_read = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| {
        let is_read = Arc::clone(&is_read);
        Body::new(WatchedBody { body, is_read })
    });
    let response = next(request).await;
    match is_read.load(Ordering::Relaxed) {
        true => response,
        false => close_after(response),
    }
}

/// Tells the client that the connection ends with this response.
fn close_after(mut response: Response) -> Response {
    let close = HeaderValue::from_static("close");
    response.headers_mut().insert(header::CONNECTION, close);
    response
}

fn check_head(target: &Uri, version: Version, headers: &HeaderMap) -> Result<(), ApiError> {
    let length = target
        .path_and_query()
        .map_or(0, |path| path.as_str().len());
    if length > MAX_TARGET_BYTES {
        return Err(ApiError::new(
            StatusCode::URI_TOO_LONG,
            "too_large",
            format!("the address of a request has {MAX_TARGET_BYTES} bytes at most"),
        ));
    }
    if has_unknown_coding(headers) {
        return Err(ApiError::unreadable(
            "the body of a request has no Transfer-Encoding but chunked",
        ));
    }
    let mut hosts = headers.get_all(header::HOST).into_iter();
    let host = match (hosts.next(), hosts.next()) {
        (None, _) if version < Version::HTTP_11 => return Ok(()),
        (Some(host), None) => host,
        _ => return Err(ApiError::unreadable("a request has one header Host")),
    };
    match target.authority() {
        // Other programs may use either of the two.
        Some(authority)
            if !authority
                .as_str()
                .eq_ignore_ascii_case(host.to_str().unwrap_or_default()) =>
        {
            Err(ApiError::unreadable(
                "the address of the request and its header Host name different hosts",
            ))
        }
        _ => Ok(()),
    }
}

/// Whether the body has a transfer coding that is not supported.
fn has_unknown_coding(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).into_iter();
    match (codings.next(), codings.next()) {
        (None, _) => false,
        (Some(coding), None) => !coding.as_bytes().eq_ignore_ascii_case(b"chunked"),
        (Some(_), Some(_)) => true,
    }
}

/// A body that records whether it has been read to its end.
struct WatchedBody {
    body: Body,
    is_read: Arc<AtomicBool>,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.is_read.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
