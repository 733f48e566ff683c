//! Handlers under their methods. Their types are forgotten here: the router's machinery is compiled once, not
//! again for each of a hundred handlers.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;

use crate::Server;
use crate::api::panics::answer_panics;

/// An answer that is on its way.
pub(crate) type BoxResponse = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A function that answers requests, with whatever it takes out of them.
pub(crate) trait BoxableHandler<T>: Handler<T, Arc<Server>, Future = BoxResponse> {}

impl<H: Handler<T, Arc<Server>, Future = BoxResponse>, T> BoxableHandler<T> for H {}

/// Such a function, whatever its type.
#[derive(Clone)]
pub(crate) struct BoxedHandler(Arc<dyn Fn(Request, Arc<Server>) -> BoxResponse + Send + Sync>);

impl Handler<(), Arc<Server>> for BoxedHandler {
    type Future = BoxResponse;

    fn call(self, request: Request, house: Arc<Server>) -> BoxResponse {
        (self.0)(request, house)
    }
}

/// Forgets the type of a function that answers, and answers for it if it panics.
pub(crate) fn boxed<T>(to: impl BoxableHandler<T>) -> BoxedHandler {
    BoxedHandler(Arc::new(move |request, house| {
        Box::pin(answer_panics(to.clone().call(request, house)))
    }))
}
