//! A route: a method, a path and a handler. The API, the web page and Lichess's API are tables of these, so that one
//! list names every route.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::routing::{MethodFilter, MethodRouter, on};

use crate::Server;
use crate::api::boxed_handler::{BoxableHandler, boxed};

/// A method, a path and a handler.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    pub(crate) path: Cow<'static, str>,
    pub(crate) handler: MethodRouter<Arc<Server>>,
}

impl Route {
    fn new<T: 'static>(
        (method, filter): (&'static str, MethodFilter),
        path: impl Into<Cow<'static, str>>,
        handler: impl BoxableHandler<T>,
    ) -> Route {
        Route {
            method,
            path: path.into(),
            handler: on(filter, boxed(handler)),
        }
    }
}

/// A handler for `GET`, and for `HEAD` without a body.
pub(crate) fn get<T: 'static>(
    path: impl Into<Cow<'static, str>>,
    handler: impl BoxableHandler<T>,
) -> Route {
    Route::new(("GET", MethodFilter::GET), path, handler)
}

/// A handler for `POST`.
pub(crate) fn post<T: 'static>(
    path: impl Into<Cow<'static, str>>,
    handler: impl BoxableHandler<T>,
) -> Route {
    Route::new(("POST", MethodFilter::POST), path, handler)
}

/// A handler for `DELETE`.
pub(crate) fn delete<T: 'static>(
    path: impl Into<Cow<'static, str>>,
    handler: impl BoxableHandler<T>,
) -> Route {
    Route::new(("DELETE", MethodFilter::DELETE), path, handler)
}

/// A handler for `OPTIONS`.
pub(crate) fn options<T: 'static>(
    path: impl Into<Cow<'static, str>>,
    handler: impl BoxableHandler<T>,
) -> Route {
    Route::new(("OPTIONS", MethodFilter::OPTIONS), path, handler)
}

/// A router of these routes.
pub(crate) fn router(routes: impl IntoIterator<Item = Route>) -> Router<Arc<Server>> {
    let add = |router: Router<_>, route: Route| router.route(&route.path, route.handler);
    routes.into_iter().fold(Router::new(), add)
}

/// A router in which a trailing slash makes no difference.
pub(crate) fn router_with_slashes(routes: impl IntoIterator<Item = Route>) -> Router<Arc<Server>> {
    router(routes.into_iter().flat_map(|route| {
        let with_slash = Route {
            method: route.method,
            path: format!("{}/", route.path).into(),
            handler: route.handler.clone(),
        };
        [route, with_slash]
    }))
}
