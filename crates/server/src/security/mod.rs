//! Security: rate limits, CSRF, CORS, host checks, client addresses, the security log, and the middleware that every
//! request passes.
//!
//! Moves in a game that is in memory are never refused by a rate limit: a player may play as fast as the overall rate
//! of their address (`pace`) allows. What never lives here: who a client is (see [`auth`](crate::auth)), what a
//! handler does, and limits on the size of what a request says (`api::bounds`). Connection limits are in
//! `listener`.

mod client_ip;
pub(crate) mod cors;
mod csrf;
mod fair_queue;
mod forwarded;
mod host;
mod limits;
mod middleware;
mod rate_limit;
mod route_limits;
mod security_log;
mod sign_in_limits;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode, Uri};
use tokio::sync::Semaphore;

pub use client_ip::{Client, ClientAddress, IpNetwork, ParseIpNetworkError};
pub use csrf::{has_own_origin_header, is_cross_site, is_same_origin};
pub use host::HostNames;
pub use limits::{LimitSettingError, Limits};
pub(crate) use middleware::check_host;
pub use middleware::stand;
pub use rate_limit::{KeyedRateLimiter, PerClient, Rate, TokenBucket};
pub use route_limits::{RouteLimit, list as list_route_limits};
pub use security_log::{SecurityEvent, SecurityLog};
pub use sign_in_limits::SignInLimits;

use crate::api::ApiError;
use crate::config::ServerConfig;
use crate::listener::connections::Connections;
use crate::listener::paced_stream::ReceiveShare;

/// The longest that a request or a message waits for its turn.
const MAX_TURN_WAIT: Duration = Duration::from_secs(2);
/// The most requests, of all addresses, that wait before they are refused.
const MAX_WAITING_REFUSALS: usize = 256;
/// How many lookups in one request count as one read.
const LOOK_UPS_PER_READ: usize = 10;
/// The rate limit of health probes.
const PROBE_RATE: Rate = Rate::new(60, 600);

/// The rate limits of the server.
#[derive(Debug)]
pub struct RateLimits {
    creating: PerClient,
    registering: PerClient,
    asking: PerClient,
    reading: PerClient,
    naming: PerClient,
    connecting: PerClient,
    chatting: PerClient,
    requesting: PerClient,
    /// The rate of all requests; what exceeds it waits.
    pacing: PerClient,
    /// The same for probes.
    probing: PerClient,
    /// Refusals are delayed too: a client that is refused at once retries at once.
    refusals: Semaphore,
    /// Received data, in KiB.
    receiving: Arc<PerClient>,
    /// The limits of sign-in attempts.
    pub sign_in: SignInLimits,
    /// The security log.
    pub log: SecurityLog,
    /// The names that this server answers to.
    hosts: HostNames,
    /// The number of open WebSockets and streams.
    streams: Arc<Connections>,
    /// Whether the log has warned of an untrusted proxy.
    has_warned: AtomicBool,
}

/// What is rate limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RateLimit {
    /// Creating a table, an offer or a token.
    Create,
    /// Creating an account.
    Register,
    /// Asking the arbiter something that takes a search.
    Ask,
    /// A read that costs more than a lookup: an export, a journal, a list, a diagram, a game that is not in memory.
    Read,
    /// Setting a guest's name. A whole class may do so at once.
    Name,
    /// Opening a WebSocket or a stream.
    Socket,
    /// A chat line of a spectator.
    SpectatorChat,
    /// Anything else.
    Request,
}

impl RateLimit {
    /// The name of the limit in the settings.
    #[must_use]
    pub const fn limit_name(self) -> &'static str {
        match self {
            RateLimit::Create => "create",
            RateLimit::Register => "register",
            RateLimit::Ask => "ask",
            RateLimit::Read => "read",
            RateLimit::Name => "name",
            RateLimit::Socket => "socket",
            RateLimit::SpectatorChat => "spectator_chat",
            RateLimit::Request => "request",
        }
    }
}

impl RateLimits {
    /// The rate limits from the settings.
    #[must_use]
    pub fn new(settings: &ServerConfig) -> RateLimits {
        let limits = &settings.limits;
        let max = limits.remembered_addresses as usize;
        let per_client = |rate| PerClient::new(rate, limits.network_factor, max);
        RateLimits {
            creating: per_client(limits.create),
            registering: per_client(limits.register),
            asking: per_client(limits.ask),
            reading: per_client(limits.read),
            naming: per_client(limits.name),
            connecting: per_client(limits.socket),
            chatting: per_client(limits.spectator_chat),
            requesting: per_client(limits.request),
            pacing: per_client(limits.pace),
            probing: per_client(PROBE_RATE),
            refusals: Semaphore::new(MAX_WAITING_REFUSALS),
            receiving: Arc::new(per_client(limits.receive)),
            sign_in: SignInLimits::new(limits),
            log: SecurityLog::new(limits),
            hosts: HostNames::new(settings, host::machine_name().as_deref()),
            streams: Connections::per_address(limits.connections_per_address as usize),
            has_warned: AtomicBool::new(false),
        }
    }

    /// Counts an action of a client against its rate limit.
    ///
    /// # Errors
    /// If the limit is exceeded.
    pub fn check(&self, client: Client, errand: RateLimit) -> Result<(), ApiError> {
        self.let_pass_many(client, errand, 1)
    }

    /// Counts further lookups of a request that was counted as one read already.
    ///
    /// # Errors
    /// If the limit is exceeded.
    pub fn let_look_up(&self, client: Client, count: usize) -> Result<(), ApiError> {
        let reads = u32::try_from(count / LOOK_UPS_PER_READ).unwrap_or(u32::MAX);
        self.let_pass_many(client, RateLimit::Read, reads)
    }

    fn let_pass_many(&self, client: Client, errand: RateLimit, count: u32) -> Result<(), ApiError> {
        // A local client is the host and not limited, except in chat, which others have to read.
        if client.is_local && errand != RateLimit::SpectatorChat {
            return Ok(());
        }
        let buckets = match errand {
            RateLimit::Create => &self.creating,
            RateLimit::Register => &self.registering,
            RateLimit::Ask => &self.asking,
            RateLimit::Read => &self.reading,
            RateLimit::Name => &self.naming,
            RateLimit::Socket => &self.connecting,
            RateLimit::SpectatorChat => &self.chatting,
            RateLimit::Request => &self.requesting,
        };
        buckets
            .try_take_many(client.address, count)
            .map_err(|wait| self.refuse(client, errand.limit_name(), wait, None))
    }

    /// Waits until the overall rate of this client allows a request: every response has a cost, also a refusal.
    /// Probes wait only for other probes.
    ///
    /// # Errors
    /// If too many requests of this client wait already.
    pub(crate) async fn wait_for_turn(
        &self,
        client: Client,
        is_probe: bool,
    ) -> Result<(), ApiError> {
        let buckets = match is_probe {
            true => &self.probing,
            false => &self.pacing,
        };
        match reserve_turn(buckets, client) {
            Ok(Duration::ZERO) => Ok(()),
            Ok(wait) => {
                tokio::time::sleep(wait).await;
                Ok(())
            }
            Err(_) => {
                let limit = SecurityEvent::Limited("pace");
                self.log.write(limit, client, None);
                if let Ok(_place) = self.refusals.try_acquire() {
                    tokio::time::sleep(MAX_TURN_WAIT).await;
                }
                // Not 429: a program that plays would wait for a minute before its next move.
                Err(ApiError::busy("your address asks too much at once"))
            }
        }
    }

    /// How long to wait after a message of this client before the next is read.
    pub(crate) fn message_delay(&self, client: Client) -> Duration {
        reserve_turn(&self.pacing, client).unwrap_or(MAX_TURN_WAIT)
    }

    /// The share of received data of this address's connections.
    pub(crate) fn receive_share(&self, address: ClientAddress) -> ReceiveShare {
        ReceiveShare::new(address, Arc::clone(&self.receiving))
    }

    /// Logs that a rate limit was exceeded, and returns the error.
    pub(crate) fn refuse(
        &self,
        client: Client,
        limit: &'static str,
        wait: Duration,
        account: Option<&str>,
    ) -> ApiError {
        self.log
            .write(SecurityEvent::Limited(limit), client, account);
        ApiError::too_often(wait)
    }

    /// Refuses and logs a request for another host. `local` is the local address of the connection.
    ///
    /// # Errors
    /// If it is for another host.
    pub(crate) fn check_host(
        &self,
        client: Client,
        uri: &Uri,
        headers: &HeaderMap,
        local: IpAddr,
    ) -> Result<(), ApiError> {
        if self.hosts.accept(uri, headers, local) {
            return Ok(());
        }
        self.log.write(SecurityEvent::WrongHost, client, None);
        Err(ApiError::new(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong_host",
            "this server does not answer to that name: use its own address, or have its host allow the name with \
             --allowed-host",
        ))
    }

    /// Logs, once, that an untrusted proxy forwards requests.
    fn warn_of_proxy(&self, peer: IpAddr) {
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                %peer,
                "requests come through a proxy that is not trusted, so all its clients are counted as one: \
                 if it is yours, set --trusted-proxy to its address"
            );
        }
    }
}

/// How long until it is this client's turn; the error is that this is too long.
fn reserve_turn(buckets: &PerClient, client: Client) -> Result<Duration, Duration> {
    match client.is_local {
        true => Ok(Duration::ZERO),
        false => buckets.reserve(client.address, 1, MAX_TURN_WAIT),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::time::Instant;

    use super::*;

    /// Limits that allow each address one question a minute, and a client.
    fn strict() -> (RateLimits, Client) {
        let mut settings = ServerConfig::default();
        settings.limits.pace = Rate::new(1, 1);
        let address = ClientAddress::Known([192, 0, 2, 1].into());
        let client = Client {
            address,
            is_local: false,
        };
        (RateLimits::new(&settings), client)
    }

    #[tokio::test(start_paused = true)]
    async fn who_is_refused_waits_unless_too_many_do() {
        let (guard, client) = strict();
        assert!(guard.wait_for_turn(client, false).await.is_ok());
        let begun = Instant::now();
        let all = (0..MAX_WAITING_REFUSALS).map(|_| guard.wait_for_turn(client, false));
        let mut all = Box::pin(futures_util::future::join_all(all));
        assert!((&mut all).now_or_never().is_none());
        assert!(guard.wait_for_turn(client, false).await.is_err());
        assert_eq!(begun.elapsed(), Duration::ZERO);
        assert!(all.await.iter().all(Result::is_err));
        assert!(begun.elapsed() >= MAX_TURN_WAIT);
    }

    #[tokio::test(start_paused = true)]
    async fn probes_wait_for_other_probes_alone() {
        let (guard, client) = strict();
        assert!(guard.wait_for_turn(client, false).await.is_ok());
        let begun = Instant::now();
        let mut count = 0;
        while begun.elapsed().is_zero() && count < 10_000 {
            assert!(guard.wait_for_turn(client, true).await.is_ok());
            count += 1;
        }
        assert!((PROBE_RATE.burst..10_000).contains(&count), "{count}");
    }
}
