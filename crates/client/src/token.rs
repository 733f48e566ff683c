//! The token of an account, bound to the one server that it may be sent to.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use crate::{GuestSecret, TableLink};

/// The token of an account. It is bound to the origin (scheme, host and port) of one server and is sent to no
/// other: a link from a stranger must not steal it.
///
/// ```
/// use touchmove_client::{AccountToken, TableLink};
///
/// let token = AccountToken::new("tm_secret", Some("https://chess.example"), false)?;
/// let own: TableLink = "https://chess.example/Ab3dE6gH".parse().unwrap();
/// let other: TableLink = "https://evil.example/Ab3dE6gH".parse().unwrap();
/// assert!(token.for_server(&own)?.is_some());
/// assert!(token.for_server(&other)?.is_none());
/// # Ok::<(), touchmove_client::TokenError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AccountToken {
    secret: String,
    origin: Option<String>,
    /// Whether it may be sent unencrypted to a private address.
    allows_private_http: bool,
}

/// Why a token is not used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TokenError {
    /// The origin is invalid.
    #[error(
        "the origin of the token is the address of its server, https://HOST or http://HOST:PORT, \
         without a path: set TOUCHMOVE_TOKEN_ORIGIN to it"
    )]
    Origin,
    /// The token is not bound to a server.
    #[error(
        "the token is not sent to {0}, because it is not known whether it is that server's: if it is, set \
         TOUCHMOVE_TOKEN_ORIGIN={0} (or --token-origin); if not, unset TOUCHMOVE_TOKEN to come as a guest"
    )]
    Unbound(String),
    /// The connection is not encrypted, so others could read the token.
    #[error(
        "the token is not sent to {0}, because everybody on the way could read it: use https://, or on a private \
         network an address like http://192.168.1.5:8000 with --insecure"
    )]
    Unencrypted(String),
}

impl AccountToken {
    /// A token of the server with this origin. `allows_private_http` lets it go unencrypted to a private address.
    ///
    /// # Errors
    /// If the origin is invalid.
    pub fn new(
        secret: impl Into<String>,
        origin: Option<&str>,
        allows_private_http: bool,
    ) -> Result<AccountToken, TokenError> {
        let origin = origin.filter(|origin| !origin.is_empty());
        Ok(AccountToken {
            secret: secret.into(),
            origin: origin.map(read_origin).transpose()?,
            allows_private_http,
        })
    }

    /// The owner of the token, for the server of a link; `None` if the token belongs to another server.
    ///
    /// # Errors
    /// If the token is not bound to a server, or must not be sent unencrypted to this host.
    pub fn for_server(&self, link: &TableLink) -> Result<Option<GuestSecret>, TokenError> {
        let server = link.origin();
        match &self.origin {
            Some(origin) if *origin == server => {}
            Some(_) => return Ok(None),
            // Not even to loopback: another port may be another user's server, or a tunnel.
            None => return Err(TokenError::Unbound(server)),
        }
        let is_allowed = link.is_secure()
            || is_loopback(link.host())
            || (self.allows_private_http && is_private(link.host()));
        match is_allowed {
            true => Ok(Some(GuestSecret::bearing(self.secret.clone()))),
            false => Err(TokenError::Unencrypted(server)),
        }
    }
}

impl fmt::Debug for AccountToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the secret.
        f.debug_struct("AccountToken")
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// Parses and normalises an origin, so that origins can be compared as texts.
fn read_origin(text: &str) -> Result<String, TokenError> {
    let text = text.trim().trim_end_matches('/');
    let link: TableLink = format!("{text}/x")
        .parse()
        .map_err(|_| TokenError::Origin)?;
    // A path, query or fragment would have been parsed as the table.
    match link.server() == link.origin() && link.game() == "x" {
        true => Ok(link.origin()),
        false => Err(TokenError::Origin),
    }
}

/// The host as an IP address; `None` for a name, which may resolve to anything.
fn address(host: &str) -> Option<IpAddr> {
    host.parse()
        .ok()
        .map(|address: IpAddr| address.to_canonical())
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || address(host).is_some_and(|address| address.is_loopback())
}

fn is_private(host: &str) -> bool {
    match address(host) {
        Some(IpAddr::V4(address)) => address.is_private() || address.is_link_local(),
        Some(IpAddr::V6(address)) => is_private_v6(address),
        None => false,
    }
}

const fn is_private_v6(address: Ipv6Addr) -> bool {
    address.is_unique_local() || address.is_unicast_link_local()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(origin: Option<&str>, is_insecure: bool, link: &str) -> Result<bool, TokenError> {
        let token = AccountToken::new("tm_secret", origin, is_insecure)?;
        let link: TableLink = link.parse().expect(link);
        Ok(token.for_server(&link)?.is_some())
    }

    #[test]
    fn a_token_goes_to_its_origin_and_to_no_other() {
        let own = Some("https://Chess.Example/");
        assert_eq!(sent(own, false, "https://chess.example/Ab3dE6gH"), Ok(true));
        assert_eq!(
            sent(own, false, "https://chess.example:443/x/Ab3dE6gH"),
            Ok(true)
        );
        for link in [
            "https://chess.example:8443/Ab3dE6gH",
            "http://chess.example/Ab3dE6gH",
            "https://chess.example.evil.example/Ab3dE6gH",
            "https://evil.example/Ab3dE6gH",
            "http://127.0.0.1:8000/Ab3dE6gH",
        ] {
            assert_eq!(sent(own, true, link), Ok(false), "{link}");
        }
    }

    #[test]
    fn a_token_without_an_origin_goes_nowhere() {
        for link in [
            "http://127.0.0.1:8000/a",
            "http://[::1]:8000/a",
            "http://LOCALHOST/a",
            "https://chess.example/a",
            "http://192.168.1.5:8000/a",
            "http://127.0.0.1.evil.example/a",
            "http://localhost.evil.example/a",
            "http://2130706433/a",
            "http://0.0.0.0/a",
        ] {
            let refused = sent(None, true, link);
            assert!(matches!(refused, Err(TokenError::Unbound(_))), "{link}");
        }
    }

    #[test]
    fn a_token_goes_unencrypted_only_to_private_addresses_and_only_when_told_so() {
        let private = "http://192.168.1.5:8000";
        let link = "http://192.168.1.5:8000/a";
        assert_eq!(sent(Some(private), true, link), Ok(true));
        assert!(matches!(
            sent(Some(private), false, link),
            Err(TokenError::Unencrypted(_))
        ));
        for host in [
            "chess.example",
            "8.8.8.8",
            "intranet",
            "0.0.0.0",
            "[2001:db8::1]",
        ] {
            let (origin, link) = (format!("http://{host}"), format!("http://{host}/a"));
            let refused = sent(Some(&origin), true, &link);
            assert!(matches!(refused, Err(TokenError::Unencrypted(_))), "{host}");
        }
        assert_eq!(
            sent(Some("http://[fd00::1]"), true, "http://[fd00::1]/a"),
            Ok(true)
        );
    }

    #[test]
    fn an_origin_is_an_origin() {
        for text in [
            "chess.example",
            "ftp://chess.example",
            "https://chess.example/chess",
            "https://a@chess.example",
            "https://",
            "https://chess.example?x",
            "https://chess.example#x",
        ] {
            let refused = AccountToken::new("tm_secret", Some(text), false);
            assert_eq!(refused, Err(TokenError::Origin), "{text}");
        }
    }
}
