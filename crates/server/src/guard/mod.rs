//! Who is let in, how often, and from where. Moves are never counted: whoever has a seat may play as fast as
//! he likes.

mod address;
mod bucket;
mod origin;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tracing::Instrument as _;

pub use address::{BadNetwork, Network, client};
pub use bucket::{Bucket, Buckets, PerAddress, Rate};
pub use origin::{has_our_origin, is_elsewhere, is_ours};

use crate::http::Problem;
use crate::lichess::abroad;
use crate::{House, Peer, who};

/// The most addresses that are remembered.
const ADDRESSES: usize = 50_000;

/// How often an address may do what costs others something.
#[derive(Debug)]
pub struct Guard {
    creating: PerAddress,
    signing_in: PerAddress,
    asking: PerAddress,
}

impl Default for Guard {
    fn default() -> Guard {
        let rate = |burst, per_minute| PerAddress::new(Rate { burst, per_minute }, ADDRESSES);
        Guard {
            creating: rate(30, 20),
            signing_in: rate(10, 5),
            asking: rate(60, 120),
        }
    }
}

/// What an address may do only so often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Errand {
    /// Make a table, an offer, an account, a token.
    Create,
    /// Prove who one is by a password.
    SignIn,
    /// Ask the arbiter something that takes a search.
    Ask,
}

impl Guard {
    /// Lets an address go on an errand, or says that it has been too often.
    ///
    /// # Errors
    /// If it has been too often.
    pub fn let_pass(&self, client: Client, errand: Errand) -> Result<(), Problem> {
        // Whoever sits at the machine itself is its host.
        if client.0.is_loopback() {
            return Ok(());
        }
        let buckets = match errand {
            Errand::Create => &self.creating,
            Errand::SignIn => &self.signing_in,
            Errand::Ask => &self.asking,
        };
        match buckets.take(client.0) {
            true => Ok(()),
            false => Err(Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_often",
                "that was too often from your address: wait a minute",
            )),
        }
    }
}

/// Where a request comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client(pub IpAddr);

/// The number of a request, for the log.
static REQUESTS: AtomicU64 = AtomicU64::new(1);

/// What a page of ours may load: only what is ours.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Stands at the door: finds out where a request comes from, refuses what another site has a browser send,
/// and tells browsers to be careful with what they get.
pub async fn stand(State(house): State<Arc<House>>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.address.ip());
    let client = Client(client(
        peer,
        request.headers(),
        &house.settings.trusted_proxies,
    ));
    request.extensions_mut().insert(client);
    let number = REQUESTS.fetch_add(1, Ordering::Relaxed);
    let span = tracing::info_span!(
        "request",
        number,
        method = %request.method(),
        path = request.uri().path(),
    );
    let mut response = match is_forged(&house, &request) {
        true => Problem::forbidden("this did not come from our own page: nothing was done")
            .into_response(),
        false => next.run(request).instrument(span).await,
    };
    house.meters.answered(response.status().as_u16());
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Whether a browser may have been made to send this: it acts, without a secret that only its owner knows, and
/// not from our page. What comes without a cookie is refused only where the browser says that it comes from
/// elsewhere: the answer could set a cookie, in the place of the one that the browser did not send. A program on
/// another page may come for its token.
fn is_forged(house: &House, request: &Request) -> bool {
    let headers = request.headers();
    let acts = !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let public_url = house.settings.public_url.as_deref();
    let is_foreign = || match who::cookie(headers) {
        Some(_) => !is_ours(headers, public_url),
        None => is_elsewhere(headers, public_url) && !abroad::is_shown(request),
    };
    acts && who::bearer(headers).is_none() && is_foreign()
}
