//! The link of a table, as a server prints it and players send it.

use std::fmt;
use std::str::FromStr;

/// The link of a table: `http://host:port/GAME` or `https://host/GAME`.
///
/// ```
/// use touchmove_client::TableLink;
///
/// let link: TableLink = "http://192.168.1.5:8000/Ab3dE6gH".parse().unwrap();
/// assert_eq!((link.game(), link.port()), ("Ab3dE6gH", 8000));
/// assert_eq!(link.to_string(), "http://192.168.1.5:8000/Ab3dE6gH");
/// assert!("ftp://192.168.1.5/Ab3dE6gH".parse::<TableLink>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableLink {
    is_secure: bool,
    /// A name, or an address without brackets.
    host: String,
    port: u16,
    /// The path before the game, if the server is not at the root: `/chess`.
    folder: String,
    game: String,
}

/// The error for a text that is not the link of a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseLinkError {
    /// The scheme is not `http` or `https`.
    #[error("{0:?} is not the link of a table: a link begins with http:// or https://")]
    Scheme(String),
    /// It has no host.
    #[error("{0:?} is not the link of a table: it names no host")]
    Host(String),
    /// The port is invalid.
    #[error("{0:?} is not the link of a table: a port is a number up to 65535")]
    Port(String),
    /// It has no game id.
    #[error(
        "the link names no table: it ends with the game, as in http://192.168.1.5:8000/Ab3dE6gH; \
         to set up a table at a server, say touchmove host --at URL"
    )]
    Game,
}

/// The longest game id that is accepted.
const MAX_GAME_ID_CHARS: usize = 32;

/// Whether a text can be a game id.
pub(crate) fn is_game(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric();
    !text.is_empty() && text.len() <= MAX_GAME_ID_CHARS && text.bytes().all(fits)
}

impl TableLink {
    /// The link of a game on a server at this host and port.
    ///
    /// # Errors
    /// If the game id is invalid.
    pub fn of(host: impl fmt::Display, port: u16, game: &str) -> Result<TableLink, ParseLinkError> {
        format!("http://{host}:{port}/{game}").parse()
    }

    /// The id of the game.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The link of another game on the same server.
    ///
    /// # Errors
    /// If the game id is invalid.
    pub fn with_game(&self, game: &str) -> Result<TableLink, ParseLinkError> {
        match is_game(game) {
            true => Ok(TableLink {
                game: game.to_owned(),
                ..self.clone()
            }),
            false => Err(ParseLinkError::Game),
        }
    }

    /// The origin of the server, scheme, host and port: `https://chess.example`. A default port is left out.
    #[must_use]
    pub fn origin(&self) -> String {
        let scheme = if self.is_secure { "https" } else { "http" };
        format!("{scheme}://{}", self.authority())
    }

    /// The URL of the server without the game: `http://192.168.1.5:8000`.
    #[must_use]
    pub fn server(&self) -> String {
        format!("{}{}", self.origin(), self.folder)
    }

    /// The name or address of the host.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Whether the connection is encrypted.
    #[must_use]
    pub const fn is_secure(&self) -> bool {
        self.is_secure
    }

    const fn usual_port(is_secure: bool) -> u16 {
        if is_secure { 443 } else { 80 }
    }

    /// Host and port as in the `Host` header.
    pub(crate) fn authority(&self) -> String {
        let host = match self.host.contains(':') {
            true => format!("[{}]", self.host),
            false => self.host.clone(),
        };
        match self.port == TableLink::usual_port(self.is_secure) {
            true => host,
            false => format!("{host}:{}", self.port),
        }
    }

    /// A path below the server's root.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("{}/v1/tables{rest}", self.folder)
    }

    /// A path below the table.
    pub(crate) fn table(&self, rest: &str) -> String {
        self.path(&format!("/{}{rest}", self.game))
    }
}

impl fmt::Display for TableLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.server(), self.game)
    }
}

impl FromStr for TableLink {
    type Err = ParseLinkError;

    fn from_str(text: &str) -> Result<TableLink, ParseLinkError> {
        let text = text.trim();
        let shown = || text.chars().take(80).collect::<String>();
        let (is_secure, rest) = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => (false, rest),
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("https") => (true, rest),
            _ => return Err(ParseLinkError::Scheme(shown())),
        };
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (host, port) = match authority.strip_prefix('[') {
            Some(rest) => rest
                .split_once(']')
                .ok_or_else(|| ParseLinkError::Host(shown()))
                .map(|(host, port)| (host, port.strip_prefix(':')))?,
            None => match authority.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (authority, None),
            },
        };
        let fits = |letter: char| letter.is_alphanumeric() || ".-_:".contains(letter);
        if host.is_empty() || !host.chars().all(fits) {
            return Err(ParseLinkError::Host(shown()));
        }
        let port = match port {
            None => TableLink::usual_port(is_secure),
            Some(port) => port
                .parse()
                .ok()
                .filter(|&port| port > 0)
                .ok_or_else(|| ParseLinkError::Port(shown()))?,
        };
        let path = path.trim_end_matches('/');
        let (folder, game) = path.rsplit_once('/').unwrap_or(("", path));
        if !is_game(game) {
            return Err(ParseLinkError::Game);
        }
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
        if !folder.bytes().all(fits) {
            return Err(ParseLinkError::Game);
        }
        let folder = match folder {
            "" => String::new(),
            folder => format!("/{folder}"),
        };
        Ok(TableLink {
            is_secure,
            host: host.to_ascii_lowercase(),
            port,
            folder,
            game: game.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_as_servers_print_them_and_people_paste_them() {
        for (text, shown, path) in [
            (
                "http://127.0.0.1:8000/Ab3dE6gH",
                "http://127.0.0.1:8000/Ab3dE6gH",
                "/v1/tables/Ab3dE6gH/live",
            ),
            (
                "  HTTPS://chess.example.org/Ab3dE6gH/?from=mail#x ",
                "https://chess.example.org/Ab3dE6gH",
                "/v1/tables/Ab3dE6gH/live",
            ),
            (
                "https://example.org:443/chess/Ab3dE6gH",
                "https://example.org/chess/Ab3dE6gH",
                "/chess/v1/tables/Ab3dE6gH/live",
            ),
            (
                "http://[::1]:8000/Ab3dE6gH",
                "http://[::1]:8000/Ab3dE6gH",
                "/v1/tables/Ab3dE6gH/live",
            ),
        ] {
            let link: TableLink = text.parse().expect(text);
            assert_eq!(link.to_string(), shown);
            assert_eq!(link.table("/live"), path);
        }
    }

    #[test]
    fn what_is_no_link_is_told_why() {
        for (text, says) in [
            ("", "begins with http://"),
            ("Ab3dE6gH", "begins with http://"),
            ("ws://host/Ab3dE6gH", "begins with http://"),
            ("http:///Ab3dE6gH", "names no host"),
            ("http://a b/Ab3dE6gH", "names no host"),
            ("http://anna:secret@host/Ab3dE6gH", "a port is a number"),
            ("http://[::1/Ab3dE6gH", "names no host"),
            ("http://host:99999/Ab3dE6gH", "a port is a number"),
            ("http://host:0/Ab3dE6gH", "a port is a number"),
            ("http://host:8000/", "names no table"),
            ("http://host:8000", "names no table"),
            ("http://host/a%20b", "names no table"),
            ("http://host/\u{7f}x/Ab3dE6gH", "names no table"),
        ] {
            let error = text.parse::<TableLink>().expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
