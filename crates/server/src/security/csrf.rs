//! CSRF protection: whether a request comes from our own page. A browser adds its cookie to whatever another site
//! makes it send, so only a request that proves its origin may act by a cookie.

use axum::http::{HeaderMap, header};

/// Whether the headers say that our own page sent this, or that the user typed the address. Where the public URL is
/// known, an `Origin` must equal it, whatever else the headers say.
#[must_use]
pub fn is_same_origin(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let says_origin = headers.contains_key(header::ORIGIN);
    match text(headers, "sec-fetch-site") {
        Some("same-origin" | "none") => {
            public_url.is_none() || !says_origin || has_own_origin_header(headers, public_url)
        }
        Some(_) => false,
        None => has_own_origin_header(headers, public_url),
    }
}

/// Whether the headers say that another site's page sent this. Programs other than browsers do not send such headers.
#[must_use]
pub fn is_cross_site(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let says = |name: &str| headers.contains_key(name);
    (says("sec-fetch-site") || says(header::ORIGIN.as_str()))
        && !is_same_origin(headers, public_url)
}

/// Whether there is an `Origin`, and it is ours: the public URL, or where none is known, the host of the request.
#[must_use]
pub fn has_own_origin_header(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let Some(origin) = text(headers, header::ORIGIN.as_str()) else {
        return false;
    };
    if let Some(url) = public_url {
        return origin_of(url).eq_ignore_ascii_case(origin_of(origin));
    }
    let host = text(headers, header::HOST.as_str());
    let said = origin.split_once("://").map(|(_, host)| host);
    host.zip(said)
        .is_some_and(|(host, said)| host.eq_ignore_ascii_case(said))
}

/// The origin of a URL: what is before its path, without the default port of its scheme.
fn origin_of(url: &str) -> &str {
    let after = url.find("://").map_or(0, |at| at + 3);
    let path = url[after..].find('/');
    let origin = path.map_or(url, |at| &url[..after + at]);
    let usual = match &url[..after] {
        "http://" => ":80",
        "https://" => ":443",
        _ => return origin,
    };
    origin.strip_suffix(usual).unwrap_or(origin)
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter();
        pairs
            .map(|&(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn our_own_page_is_known_by_the_host_or_the_public_url() {
        let at_home = [
            ("host", "localhost:8000"),
            ("origin", "http://localhost:8000"),
        ];
        assert!(is_same_origin(&headers(&at_home), None));
        let proxied = [
            ("host", "10.0.0.7:8000"),
            ("origin", "https://chess.example"),
        ];
        assert!(is_same_origin(
            &headers(&proxied),
            Some("https://chess.example/club")
        ));
        assert!(!is_same_origin(&headers(&proxied), None));
        assert!(is_same_origin(
            &headers(&proxied),
            Some("https://chess.example:443")
        ));
    }

    #[test]
    fn with_a_public_url_no_other_origin_is_ours() {
        let public = Some("https://chess.example");
        for pairs in [
            vec![("host", "a.example"), ("origin", "https://a.example")],
            vec![
                ("host", "chess.example"),
                ("origin", "http://chess.example"),
            ],
            vec![
                ("host", "a.example"),
                ("origin", "https://a.example"),
                ("sec-fetch-site", "same-origin"),
            ],
        ] {
            assert!(!is_same_origin(&headers(&pairs), public), "{pairs:?}");
        }
        let typed = [("host", "chess.example"), ("sec-fetch-site", "none")];
        assert!(is_same_origin(&headers(&typed), public));
    }

    #[test]
    fn other_sites_and_silence_are_not_ours() {
        for pairs in [
            vec![("host", "a.example"), ("origin", "http://b.example")],
            vec![("host", "a.example"), ("origin", "null")],
            vec![("host", "a.example")],
            vec![
                ("host", "a.example"),
                ("origin", "http://a.example"),
                ("sec-fetch-site", "cross-site"),
            ],
            vec![("host", "a.example"), ("sec-fetch-site", "same-site")],
        ] {
            assert!(!is_same_origin(&headers(&pairs), None), "{pairs:?}");
        }
        assert!(is_same_origin(
            &headers(&[("sec-fetch-site", "same-origin")]),
            None
        ));
    }
}
