//! Handlers under their methods. Their types are forgotten here: the router's machinery is compiled once, not
//! again for each of a hundred handlers.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;

use crate::House;
use crate::api::panics::answer_panics;

/// An answer that is on its way.
pub(crate) type Coming = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A function that answers requests, with whatever it takes out of them.
pub(crate) trait Answers<T>: Handler<T, Arc<House>, Future = Coming> {}

impl<H: Handler<T, Arc<House>, Future = Coming>, T> Answers<T> for H {}

/// Such a function, whatever its type.
#[derive(Clone)]
pub(crate) struct Answering(Arc<dyn Fn(Request, Arc<House>) -> Coming + Send + Sync>);

impl Handler<(), Arc<House>> for Answering {
    type Future = Coming;

    fn call(self, request: Request, house: Arc<House>) -> Coming {
        (self.0)(request, house)
    }
}

/// Forgets the type of a function that answers, and answers for it if it panics.
pub(crate) fn answering<T>(to: impl Answers<T>) -> Answering {
    Answering(Arc::new(move |request, house| {
        Box::pin(answer_panics(to.clone().call(request, house)))
    }))
}
