//! Cookies: their names, and how they are read and set.
//!
//! Under an https address their names begin with `__Host-`: a browser accepts such a cookie only over https and from
//! this very host, so that no neighbouring site can plant one.

use axum::http::{HeaderMap, header};

/// The lifetime of a cookie, in seconds: a year.
const MAX_AGE_SECONDS: u32 = 31_536_000;

/// The cookies of this server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CookieName {
    /// The secret of a login session, or of a guest.
    Identity,
    /// In earlier versions, the secret of the guest that an account was before signing in.
    EarlierGuest,
}

impl CookieName {
    /// The name over http, and the only one of earlier versions.
    const fn plain(self) -> &'static str {
        match self {
            CookieName::Identity => "touchmove",
            CookieName::EarlierGuest => "touchmove_guest",
        }
    }

    const fn secure(self) -> &'static str {
        match self {
            CookieName::Identity => "__Host-touchmove",
            CookieName::EarlierGuest => "__Host-touchmove_guest",
        }
    }
}

/// How cookies are named and set, which depends on whether the public URL is https.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CookiePolicy {
    pub(crate) is_https: bool,
}

impl CookiePolicy {
    /// The policy for a public address.
    pub(crate) fn of(public_url: Option<&str>) -> CookiePolicy {
        let is_https = public_url.is_some_and(|url| url.starts_with("https:"));
        CookiePolicy { is_https }
    }

    const fn name(self, cookie: CookieName) -> &'static str {
        match self.is_https {
            true => cookie.secure(),
            false => cookie.plain(),
        }
    }

    const fn attributes(self) -> &'static str {
        match self.is_https {
            true => "HttpOnly; SameSite=Lax; Secure",
            false => "HttpOnly; SameSite=Lax",
        }
    }

    /// The value of a cookie.
    pub(crate) fn read(self, headers: &HeaderMap, cookie: CookieName) -> Option<&str> {
        value(headers, self.name(cookie))
    }

    /// The value under the name of earlier versions, where it differs.
    pub(crate) fn read_old(self, headers: &HeaderMap, cookie: CookieName) -> Option<&str> {
        self.is_https
            .then(|| value(headers, cookie.plain()))
            .flatten()
    }

    /// The header that sets a cookie.
    pub(crate) fn set(self, cookie: CookieName, value: &str) -> String {
        let (name, attributes) = (self.name(cookie), self.attributes());
        format!("{name}={value}; Path=/; Max-Age={MAX_AGE_SECONDS}; {attributes}")
    }

    /// The headers that set a cookie and clear the one under the name of earlier versions.
    pub(crate) fn replace_old(self, cookie: CookieName, value: &str) -> Vec<String> {
        let mut set = vec![self.set(cookie, value)];
        set.extend(self.is_https.then(|| self.expire(cookie.plain())));
        set
    }

    /// The headers that delete a cookie, under every name it has had.
    pub(crate) fn clear(self, cookie: CookieName) -> Vec<String> {
        let mut set = vec![self.expire(self.name(cookie))];
        set.extend(self.is_https.then(|| self.expire(cookie.plain())));
        set
    }

    fn expire(self, name: &str) -> String {
        let attributes = self.attributes();
        format!("{name}=; Path=/; Max-Age=0; {attributes}")
    }
}

/// Whether a request carries a cookie of this server, under any name.
pub(crate) fn has_any(headers: &HeaderMap) -> bool {
    let names = [CookieName::Identity, CookieName::EarlierGuest];
    pairs(headers).any(|(found, _)| {
        names
            .iter()
            .any(|name| found == name.plain() || found == name.secure())
    })
}

/// The value of the cookie with this name; `None` where two differ, since one of them was planted.
fn value<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = pairs(headers).filter_map(|(found, value)| (found == name).then_some(value));
    let first = values.next()?;
    values.all(|other| other == first).then_some(first)
}

fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTTP: CookiePolicy = CookiePolicy { is_https: false };

    fn headers(cookies: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        headers
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let headers = headers("a=b; touchmove=secret; c=d");
        assert_eq!(HTTP.read(&headers, CookieName::Identity), Some("secret"));
        assert_eq!(HTTP.read(&headers, CookieName::EarlierGuest), None);
        assert_eq!(HTTP.read_old(&headers, CookieName::Identity), None);
        assert!(has_any(&headers));
    }

    #[test]
    fn under_https_a_cookie_is_bound_to_the_host() {
        let policy = CookiePolicy::of(Some("https://chess.example"));
        let set = policy.set(CookieName::Identity, "secret");
        assert!(
            set.starts_with("__Host-touchmove=secret; Path=/; "),
            "{set}"
        );
        assert!(
            set.ends_with("; HttpOnly; SameSite=Lax; Secure") && !set.contains("Domain"),
            "{set}"
        );
        let planted = headers("touchmove=planted");
        assert_eq!(policy.read(&planted, CookieName::Identity), None);
        assert_eq!(
            policy.read_old(&planted, CookieName::Identity),
            Some("planted")
        );
        assert_eq!(policy.clear(CookieName::Identity).len(), 2);
        assert_eq!(CookiePolicy::of(Some("http://chess.example")), HTTP);
        assert_eq!(CookiePolicy::of(None), HTTP);
    }

    #[test]
    fn of_two_cookies_with_one_name_neither_counts() {
        let two = headers("touchmove=planted; touchmove=mine");
        assert_eq!(HTTP.read(&two, CookieName::Identity), None);
        let same = headers("touchmove=mine; touchmove=mine");
        assert_eq!(HTTP.read(&same, CookieName::Identity), Some("mine"));
    }
}
