//! OAuth 2 for programs that ask a person for a token in his browser: the code flow with PKCE (RFC 7636),
//! for clients without a secret of their own. A code is good for a few minutes, and once.

use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use touchmove_people::{Scopes, Secret};
use touchmove_store::{Digest, Holder, PersonId, Session};

use super::asked::Fields;
use super::person;
use super::refused::Refused;
use crate::chance;
use crate::house::House;
use crate::http::sent::Sought;
use crate::http::{Problem, Shared};
use crate::{page, who};

/// How long a code can be exchanged, in milliseconds.
const CODE_LASTS: i64 = 600_000;
/// How long a token of this kind lasts: a year.
const TOKEN_LASTS: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// What somebody has granted to a program that has not come for it yet.
///
/// It is kept where sessions are, under the code and for a few minutes: so any node can exchange it, a restart
/// does not lose it, it is used once, and it ends with the person's other sessions. No cookie opens it, since a
/// code is hashed in a way of its own.
#[derive(Serialize, Deserialize)]
struct Grant {
    scopes: String,
    client: String,
    redirect: String,
    challenge: String,
}

/// The place of a code among the sessions.
fn place(code: &str) -> Digest {
    let mut hash = Sha256::new_with_prefix(b"a code for a program: ");
    hash.update(code);
    Digest(hash.finalize().into())
}

impl Grant {
    /// Keeps it, and gives the code for it.
    async fn keep(&self, house: &House, person: PersonId) -> Result<String, Problem> {
        let code = chance::text(32);
        let now = house.pulse.moment();
        let session = Session {
            hash: place(&code),
            holder: Holder::Person(person),
            name: Some(json!(self).to_string()),
            created: now,
            expires: now.plus_millis(CODE_LASTS),
        };
        house.store.add_session(session).await?;
        Ok(code)
    }

    /// What this code is for, to the first who asks.
    async fn take(house: &House, code: &str) -> Result<Option<(PersonId, Grant)>, Problem> {
        let now = house.pulse.moment();
        let found = house.store.session(place(code), now).await?;
        let is_first = found.is_some() && house.store.end_session(place(code)).await?;
        Ok(found.filter(|_| is_first).and_then(|session| {
            let Holder::Person(person) = session.holder else {
                return None;
            };
            let grant = serde_json::from_str(session.name.as_deref()?).ok()?;
            Some((person, grant))
        }))
    }
}

/// What a program asks for, in the address that it sends a browser to.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Request {
    response_type: String,
    client_id: String,
    redirect_uri: String,
    code_challenge_method: String,
    code_challenge: String,
    scope: String,
    state: String,
}

impl Request {
    fn of(fields: &Fields) -> Request {
        let text = |key| fields.get(key).unwrap_or_default().to_owned();
        Request {
            response_type: text("response_type"),
            client_id: text("client_id"),
            redirect_uri: text("redirect_uri"),
            code_challenge_method: text("code_challenge_method"),
            code_challenge: text("code_challenge"),
            scope: text("scope"),
            state: text("state"),
        }
    }

    /// What it asks for, if it is sound: nobody is sent to an address that is none of a program.
    fn check(&self) -> Result<Scopes, Problem> {
        let wrong = |text: &str| Err(Problem::unreadable(text));
        if self.response_type != "code" {
            return wrong("response_type must be code");
        }
        if self.code_challenge_method != "S256" {
            return wrong("code_challenge_method must be S256");
        }
        let is_digest = self.code_challenge.len() == 43
            && self
                .code_challenge
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        if !is_digest {
            return wrong("code_challenge is 43 characters of base64url: a SHA-256");
        }
        if !(1..=100).contains(&self.client_id.len()) {
            return wrong("client_id says which program asks, in up to 100 bytes");
        }
        if !is_redirect(&self.redirect_uri) {
            return wrong(
                "redirect_uri is https, http on this machine, or a scheme of the program's own with a \
                 dot, as org.example.app",
            );
        }
        // Clients ask for what they may need elsewhere; what is not there is not allowed.
        Ok(Scopes::known_in(&self.scope))
    }

    /// Where the browser goes with the answer.
    fn back(&self, answer: &str) -> String {
        let mark = if self.redirect_uri.contains('?') {
            '&'
        } else {
            '?'
        };
        let state = encoded(&self.state);
        format!("{}{mark}{answer}&state={state}", self.redirect_uri)
    }

    /// The address at which this is asked.
    fn address(&self) -> String {
        let pairs = self
            .pairs()
            .map(|(key, value)| format!("{key}={}", encoded(value)));
        format!("/oauth?{}", pairs.join("&"))
    }

    /// What it asks, as keys and values.
    fn pairs(&self) -> [(&'static str, &str); 7] {
        [
            ("response_type", &self.response_type),
            ("client_id", &self.client_id),
            ("redirect_uri", &self.redirect_uri),
            ("code_challenge_method", &self.code_challenge_method),
            ("code_challenge", &self.code_challenge),
            ("scope", &self.scope),
            ("state", &self.state),
        ]
    }

    /// Who is answered: a host, or a program with a scheme of its own.
    fn host(&self) -> &str {
        let (scheme, rest) = self.redirect_uri.split_once(':').unwrap_or_default();
        if scheme.contains('.') {
            return scheme;
        }
        rest.trim_start_matches('/')
            .split(['/', '?'])
            .next()
            .unwrap_or_default()
    }
}

/// Whether a browser may be sent there: no script, no page in clear over a network, nothing that a header
/// cannot hold.
fn is_redirect(uri: &str) -> bool {
    let Some((scheme, rest)) = uri.split_once(':') else {
        return false;
    };
    let is_plain = uri.len() <= 500
        && uri
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"<>\"'`\\".contains(&byte))
        && !uri.contains('#');
    let host = rest.trim_start_matches('/').split(['/', '?', ':']).next();
    let fits = match scheme.to_ascii_lowercase().as_str() {
        "https" => rest.starts_with("//"),
        "http" => matches!(host, Some("localhost" | "127.0.0.1")) || rest.starts_with("//[::1]"),
        "javascript" | "data" | "vbscript" | "file" | "blob" | "about" => false,
        // A scheme of a program's own is a domain's turned round.
        own => {
            own.contains('.')
                && own
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b".+-".contains(&b))
        }
    };
    is_plain && fits
}

/// A text for the address of a page.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b if b.is_ascii_alphanumeric() || b"-_.~".contains(&b) => out.push(char::from(b)),
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

/// A text for a page.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// `GET /oauth`: a page that asks whether the program may.
pub(super) async fn show(
    State(house): Shared,
    Sought(request): Sought<Request>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let scopes = request.check()?;
    let who = house.who(&headers).await?;
    let name = who
        .filter(|who| who.person().is_some() && who.by_cookie)
        .and_then(|who| who.name);
    let hidden = request
        .pairs()
        .map(|(key, value)| {
            format!(
                "<input type=\"hidden\" name=\"{key}\" value=\"{}\">\n",
                escaped(value)
            )
        })
        .concat();
    let wants: String = match scopes.iter().next() {
        None => "<p>It only wants to know who you are.</p>".to_owned(),
        Some(_) => {
            let rows = scopes
                .iter()
                .map(|scope| format!("<li><code>{}</code></li>", scope.word()));
            format!(
                "<p>It wants to be allowed:</p>\n<ul>{}</ul>",
                rows.collect::<String>()
            )
        }
    };
    let body = match name {
        Some(name) => format!(
            "<p>You are <strong>{}</strong>.</p>\n<form class=\"row\" method=\"post\" action=\"/oauth\">\n{hidden}\
             <button class=\"main\" name=\"answer\" value=\"yes\">Allow</button>\n\
             <button name=\"answer\" value=\"no\">Do not allow</button>\n</form>",
            escaped(&name)
        ),
        None => format!(
            "<p>Nobody is signed in here. <a href=\"/connect?next={}\">Sign in</a> first, and you \
             will be asked again.</p>",
            encoded(&request.address())
        ),
    };
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Allow a program?</title>\n\
         <link rel=\"stylesheet\" href=\"{}\">\n<main class=\"page book\">\n\
         <h1>Allow a program to act for you?</h1>\n\
         <p>The program <strong>{}</strong> asks, and will be answered at <strong>{}</strong>.</p>\n\
         {wants}\n{body}\n</main>\n</html>\n",
        page::stylesheet(),
        escaped(&request.client_id),
        escaped(request.host()),
    );
    // The form's answer leads away from here: that must be allowed, or browsers stop it.
    let policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
}

/// `POST /oauth`: the person's answer, from his own browser.
pub(super) async fn grant(
    State(house): Shared,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Refused> {
    let request = Request::of(&fields);
    let scopes = request.check()?;
    let (who, id) = person(&house, &headers).await?;
    if !who.by_cookie {
        return Err(Problem::forbidden("this takes a signed-in browser").into());
    }
    let location = match fields.get("answer") {
        Some("yes") => {
            let grant = Grant {
                scopes: scopes.to_string(),
                client: request.client_id.clone(),
                redirect: request.redirect_uri.clone(),
                challenge: request.code_challenge.clone(),
            };
            let code = grant.keep(&house, id).await?;
            request.back(&format!("code={code}"))
        }
        _ => request.back("error=access_denied"),
    };
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response())
}

/// `POST /api/token`: a program comes for what was granted.
pub(super) async fn exchange(State(house): Shared, fields: Fields) -> Result<Response, Refused> {
    let wrong = || {
        let told = json!({
            "error": "invalid_grant",
            "error_description": "this code is not valid, or is not for who brings it",
        });
        Ok((StatusCode::BAD_REQUEST, axum::Json(told)).into_response())
    };
    let text = |key| fields.get(key).unwrap_or_default();
    if text("grant_type") != "authorization_code" {
        let told = json!({ "error": "unsupported_grant_type" });
        return Ok((StatusCode::BAD_REQUEST, axum::Json(told)).into_response());
    }
    let Some((person, grant)) = Grant::take(&house, text("code")).await? else {
        return wrong();
    };
    let is_his = grant.challenge == base64url(&Sha256::digest(text("code_verifier").as_bytes()))
        && grant.redirect == text("redirect_uri")
        && grant.client == text("client_id");
    let person = house.store.person(person).await?;
    let Some(person) = person.filter(|person| is_his && person.disabled.is_none()) else {
        return wrong();
    };
    let Ok(scopes) = grant.scopes.parse() else {
        return wrong();
    };
    let label: String = grant.client.chars().filter(|c| !c.is_control()).collect();
    let issued = house
        .people
        .issue(&person, &label, scopes, Some(TOKEN_LASTS));
    let (secret, _) = issued.await?;
    let told = json!({
        "token_type": "Bearer",
        "access_token": secret.reveal(),
        "expires_in": TOKEN_LASTS.as_secs(),
    });
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(told)).into_response())
}

/// `DELETE /api/token`: a token is given back by who shows it.
pub(super) async fn revoke(State(house): Shared, headers: HeaderMap) -> Result<Response, Refused> {
    person(&house, &headers).await?;
    let secret = who::bearer(&headers).and_then(Secret::read);
    let secret =
        secret.ok_or_else(|| Problem::unknown("this takes the token: Authorization: Bearer"))?;
    let now = house.pulse.moment();
    house.store.revoke_token(secret.digest(), now).await?;
    house.known.forget(&secret.digest());
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Bytes in base64 for addresses, without padding.
fn base64url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| {
            bits << 8 | u32::from(*three.get(i).unwrap_or(&0))
        });
        for letter in 0..=three.len() {
            let index = bits >> (18 - 6 * letter) & 63;
            text.push(char::from(LETTERS[index as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_the_hash_of_its_verifier() {
        // The example of RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert_eq!(base64url(&Sha256::digest(verifier.as_bytes())), challenge);
        assert_eq!(base64url(b"f"), "Zg");
        assert_eq!(base64url(b"fo"), "Zm8");
    }

    #[test]
    fn nobody_is_sent_to_a_script_or_in_clear_over_a_network() {
        for uri in [
            "https://bot.example/back",
            "http://localhost:8123/",
            "http://127.0.0.1:9/x?y=1",
            "http://[::1]:9/",
            "org.example.app:/done",
        ] {
            assert!(is_redirect(uri), "{uri}");
        }
        for uri in [
            "",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "data:text/html,x",
            "http://evil.example/",
            "http://localhost.evil.example/",
            "https:evil",
            "https://a.example/\r\nSet-Cookie: x",
            "https://a.example/#x",
            "app:/done",
            "nothing",
        ] {
            assert!(!is_redirect(uri), "{uri}");
        }
    }
}
