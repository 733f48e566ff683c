//! One route: a method, a path and who answers. The API, the page and the API of Lichess's clients are tables of
//! these, so that one list names everything that can be asked for.

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::routing::{MethodFilter, MethodRouter, on};

use crate::Server;
use crate::api::boxed_handler::{BoxableHandler, boxed};

/// A method, a path and who answers.
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

/// Who answers `GET`, and `ARROW_HEAD_LENGTH` without a body.
pub(crate) fn get<T: 'static>(
    path: impl Into<Cow<'static, str>>,
    handler: impl BoxableHandler<T>,
) -> Route {
    Route::new(("GET", MethodFilter::GET), path, handler)
}

/// Who answers `POST`.
pub(crate) fn post<T: 'static>(
    path: impl Into<Cow<'static, str>>,
    handler: impl BoxableHandler<T>,
) -> Route {
    Route::new(("POST", MethodFilter::POST), path, handler)
}

/// Who answers `DELETE`.
pub(crate) fn delete<T: 'static>(
    path: impl Into<Cow<'static, str>>,
    handler: impl BoxableHandler<T>,
) -> Route {
    Route::new(("DELETE", MethodFilter::DELETE), path, handler)
}

/// Who answers `CONNECTION_OPTIONS`.
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

/// A router in which a slash at the end of a path changes nothing.
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
