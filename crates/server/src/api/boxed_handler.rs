//! Boxes handlers, so that axum's generics are instantiated once and not for each of a hundred handlers; saves
//! compile time.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;

use crate::Server;
use crate::api::panics::answer_panics;

/// A boxed future of a response.
pub(crate) type BoxResponse = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler with any extractors.
pub(crate) trait BoxableHandler<T>: Handler<T, Arc<Server>, Future = BoxResponse> {}

impl<H: Handler<T, Arc<Server>, Future = BoxResponse>, T> BoxableHandler<T> for H {}

/// A boxed handler.
#[derive(Clone)]
pub(crate) struct BoxedHandler(Arc<dyn Fn(Request, Arc<Server>) -> BoxResponse + Send + Sync>);

impl Handler<(), Arc<Server>> for BoxedHandler {
    type Future = BoxResponse;

    fn call(self, request: Request, server: Arc<Server>) -> BoxResponse {
        (self.0)(request, server)
    }
}

/// Boxes a handler, and answers for it if it panics.
pub(crate) fn boxed<T>(to: impl BoxableHandler<T>) -> BoxedHandler {
    BoxedHandler(Arc::new(move |request, server| {
        Box::pin(answer_panics(to.clone().call(request, server)))
    }))
}
