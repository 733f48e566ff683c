//! The `redirect_uri` of an OAuth client: parsed strictly, so that no browser is redirected to a script, over
//! unencrypted http to a network, or to another host than the consent page shows.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::http::Uri;

/// The longest redirect URI, in bytes.
const MAX_REDIRECT_BYTES: usize = 1_000;
/// Characters that no URI needs and that some programs parse in their own way.
const UNSAFE_CHARACTERS: &[u8] = b"<>\"'`\\^{|}#";

/// A valid redirect URI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RedirectUri {
    /// The URI, byte for byte as it was sent.
    text: String,
    target: Target,
}

/// The receiver of the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// This host, over https.
    Host(String),
    /// A program that listens on this machine (loopback).
    ThisMachine,
    /// A program on this machine with this custom scheme, which any program can claim.
    Scheme(String),
}

impl RedirectUri {
    /// Parses a redirect URI; `None` if a browser must not be redirected there.
    pub(super) fn parse(text: &str) -> Option<RedirectUri> {
        let is_plain = text.len() <= MAX_REDIRECT_BYTES
            && text
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && !UNSAFE_CHARACTERS.contains(&byte));
        if !is_plain {
            return None;
        }
        let (scheme, rest) = text.split_once(':')?;
        let target = match scheme {
            "https" => Target::of_host(web_host(text)?),
            "http" => Target::of_host(web_host(text).filter(|host| is_loopback(host))?),
            // A custom scheme is a reversed domain name, such as org.example.app.
            own => Target::Scheme(own_scheme(own, rest)?),
        };
        Some(RedirectUri {
            text: text.to_owned(),
            target,
        })
    }

    /// The URI as it was sent.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The receiver of the answer, for the consent page.
    pub(super) const fn target(&self) -> &Target {
        &self.target
    }

    /// The URI with an answer added to its query.
    pub(super) fn with_answer(&self, answer: &str) -> String {
        let mark = if self.text.contains('?') { '&' } else { '?' };
        format!("{}{mark}{answer}", self.text)
    }
}

impl Target {
    fn of_host(host: String) -> Target {
        match is_loopback(&host) {
            true => Target::ThisMachine,
            false => Target::Host(host),
        }
    }
}

/// The host of an http or https URI, if all programs parse it alike.
fn web_host(text: &str) -> Option<String> {
    let uri: Uri = text.parse().ok()?;
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
    let (host, whole) = (authority.host(), authority.as_str());
    // No user info, and no port or a numeric one.
    let is_whole = match authority.port() {
        None => whole == host,
        Some(port) => port.as_u16() > 0 && whole == format!("{host}:{}", port.as_u16()),
    };
    let rest = text.strip_prefix(&format!("{scheme}://{whole}"))?;
    let ends_there = rest.is_empty() || rest.starts_with(['/', '?']);
    (is_whole && ends_there && is_canonical_host(host)).then(|| host.to_owned())
}

/// Whether a host can be read in only one way: a name in lower case, or an IP address in its canonical form.
fn is_canonical_host(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[') {
        let inner = inner.strip_suffix(']').unwrap_or_default();
        let address = inner.parse::<Ipv6Addr>();
        return address.is_ok_and(|address| address.to_string() == inner);
    }
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    // A host that ends in a number is an IP address to browsers, in one of many notations.
    let is_number = last.starts_with(|c: char| c.is_ascii_digit());
    host.len() <= 253
        && host.split('.').all(is_label)
        && (!is_number || host.parse::<Ipv4Addr>().is_ok())
}

/// Whether a canonical host is this machine (loopback).
fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host == "[::1]"
        || host
            .parse::<Ipv4Addr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Validates a custom scheme.
fn own_scheme(scheme: &str, rest: &str) -> Option<String> {
    let is_scheme = scheme.contains('.')
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".+-".contains(&byte));
    let authority = rest.strip_prefix("//").unwrap_or_default();
    let authority = authority.split(['/', '?']).next().unwrap_or_default();
    (is_scheme && !authority.contains('@')).then(|| scheme.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_answered_over_https_on_this_machine_or_by_their_own_scheme() {
        let host = |name: &str| Target::Host(name.to_owned());
        let scheme = |name: &str| Target::Scheme(name.to_owned());
        for (uri, target) in [
            ("https://bot.example/back", host("bot.example")),
            ("https://bot.example", host("bot.example")),
            ("https://bot.example?x=1", host("bot.example")),
            ("https://bot.example:8443/a@b", host("bot.example")),
            ("https://192.0.2.7/x", host("192.0.2.7")),
            ("https://127.0.0.1/x", Target::ThisMachine),
            ("http://localhost:8123/", Target::ThisMachine),
            ("http://127.0.0.1:9/x?y=1", Target::ThisMachine),
            ("http://127.8.9.10/", Target::ThisMachine),
            ("http://[::1]:9/", Target::ThisMachine),
            ("org.example.app:/done", scheme("org.example.app")),
            ("bank.example://done/x", scheme("bank.example")),
        ] {
            let parsed = RedirectUri::parse(uri);
            let parsed = parsed.unwrap_or_else(|| panic!("{uri} is refused"));
            assert_eq!((parsed.target(), parsed.as_str()), (&target, uri));
        }
        let asked = RedirectUri::parse("https://bot.example/back?x=1").unwrap();
        assert_eq!(
            asked.with_answer("code=7"),
            "https://bot.example/back?x=1&code=7"
        );
    }

    #[test]
    fn nobody_is_sent_to_a_script_in_clear_over_a_network_or_to_a_hidden_host() {
        for uri in [
            "",
            "nothing",
            "app:/done",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            // User info in front of another host.
            "http://localhost:80@evil.example/cb",
            "http://127.0.0.1:1@evil.example/",
            "http://[::1]@evil.example/",
            "https://good.example@evil.example/",
            "https://good.example:443@evil.example/",
            "https://@evil.example/",
            "https://good.example%40evil.example/",
            "org.example.app://good@evil/",
            // Hosts that look like loopback.
            "http://evil.example/",
            "http://localhost.evil.example/",
            "http://[::1].evil.example/",
            "http://localhost./",
            "http://LOCALHOST/",
            "http://127.1/",
            "http://0x7f.0.0.1/",
            "http://0177.0.0.1/",
            "http://2130706433/",
            "http://[::ffff:127.0.0.1]/",
            "http://[0:0:0:0:0:0:0:1]/",
            "http://10.0.0.1/",
            // No host, or one that programs parse differently.
            "https://",
            "https:///evil",
            "https:evil",
            "https:/evil.example/",
            "http:/localhost:1@evil.example/",
            "http:localhost/",
            "https://evil..example/",
            "https://-evil.example/",
            "https://evil.example./",
            "https://Evil.Example/",
            "HTTPS://evil.example/",
            "https://0x7f000001/",
            "https://evil.example:/",
            "https://evil.example:0/",
            "https://evil.example:99999/",
            "https://evil.example:+80/",
            "https://evil.example\\@good.example/",
            "https://evil.example;good.example/",
            "https://b\u{fc}cher.example/",
            // Fragments, and characters that a header or a page cannot contain.
            "https://a.example/#x",
            "https://a.example/\r\nSet-Cookie: x",
            "https://a.example/\t",
            " https://a.example/",
            "https://a.example/\u{0}",
            "https://a.example/\"><script>",
        ] {
            assert_eq!(RedirectUri::parse(uri), None, "{uri}");
        }
        let long = format!("https://a.example/{}", "x".repeat(1_000));
        assert_eq!(RedirectUri::parse(&long), None);
    }
}
