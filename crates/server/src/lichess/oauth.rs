//! OAuth 2 for programs that ask an account's owner for a token: the authorization code flow with PKCE (RFC 7636),
//! for public clients. A code is valid for two minutes, and once; if it is used again, the token it was exchanged for
//! is revoked.

use std::borrow::Cow;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use touchmove_accounts::{Scopes, Secret};
use touchmove_store::{Digest, Grant, Redemption};
use touchmove_text::sanitize_line;

use crate::api::extract::QueryParams;
use crate::api::{ApiError, ServerState};
use crate::auth::identity;
use crate::lichess::error::LichessError;
use crate::lichess::params::Params;
use crate::lichess::person;
use crate::lichess::redirect::{RedirectUri, Target};
use crate::live_connections::REVOKED_REASON;
use crate::random;
use crate::web;

/// How long a code can be exchanged, in milliseconds.
pub(crate) const CODE_LIFETIME_MS: i64 = 120_000;
/// The lifetime of an OAuth token: a year.
const TOKEN_LIFETIME_MILLIS: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// The longest `client_id`, in bytes.
const MAX_CLIENT_BYTES: usize = 100;

/// The hash under which a code is stored: no other secret is hashed like this.
fn code_digest(code: &str) -> Digest {
    let mut hash = Sha256::new_with_prefix(b"a code for a program: ");
    hash.update(code);
    Digest(hash.finalize().into())
}

/// The query parameters of an authorization request.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct AuthorizeParams {
    response_type: String,
    client_id: String,
    redirect_uri: String,
    code_challenge_method: String,
    code_challenge: String,
    scope: String,
    state: String,
}

impl AuthorizeParams {
    fn of(fields: &Params) -> AuthorizeParams {
        let text = |key| fields.get(key).unwrap_or_default().to_owned();
        AuthorizeParams {
            response_type: text("response_type"),
            client_id: text("client_id"),
            redirect_uri: text("redirect_uri"),
            code_challenge_method: text("code_challenge_method"),
            code_challenge: text("code_challenge"),
            scope: text("scope"),
            state: text("state"),
        }
    }

    /// The requested scopes and the redirect URI, if valid: a browser is never redirected to an unsafe address.
    fn check(&self) -> Result<(Scopes, RedirectUri), ApiError> {
        let wrong = |text: &str| Err(ApiError::unreadable(text));
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
        if !(1..=MAX_CLIENT_BYTES).contains(&self.client_id.len()) {
            return wrong("client_id says which program asks, in up to 100 bytes");
        }
        let Some(redirect) = RedirectUri::parse(&self.redirect_uri) else {
            return wrong(
                "redirect_uri is https, http on this machine (localhost, 127.0.0.1, [::1]), or a scheme of the \
                 program's own with a dot, as org.example.app; without user info or a fragment, and with \
                 the host in lower case",
            );
        };
        // Clients also request scopes that they need elsewhere; unknown ones are not granted.
        Ok((Scopes::known_in(&self.scope), redirect))
    }

    /// The redirect with the answer.
    fn back(&self, redirect: &RedirectUri, answer: &str) -> String {
        let state = encoded(&self.state);
        redirect.with_answer(&format!("{answer}&state={state}"))
    }

    /// The path and query of this request.
    fn address(&self) -> String {
        let pairs = self
            .pairs()
            .map(|(key, value)| format!("{key}={}", encoded(value)));
        format!("/oauth?{}", pairs.join("&"))
    }

    /// The request as keys and values.
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

    /// The name that the program gives itself.
    fn client_name(&self) -> Cow<'_, str> {
        sanitize_line(&self.client_id)
    }
}

/// Percent-encodes text for a URL.
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

/// Escapes text for HTML.
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

/// The receiver of the answer, for the consent page. A program chooses its scheme, which may look like a host.
fn answered_where(target: &Target) -> String {
    match target {
        Target::Host(host) => format!("at <strong>{}</strong>", escaped(host)),
        Target::ThisMachine => "by a program on <strong>this machine</strong>".to_owned(),
        Target::Scheme(scheme) => format!(
            "by whichever program on <strong>this machine</strong> opens addresses that begin with \
             <code>{}:</code>, which is no web site",
            escaped(scheme)
        ),
    }
}

/// `GET /oauth`: the consent page.
pub(super) async fn show(
    State(server): ServerState,
    QueryParams(request): QueryParams<AuthorizeParams>,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    let (scopes, redirect) = request.check()?;
    let who = server.identify(&headers).await?;
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
         <p>A program that calls itself <strong>{}</strong> asks, and will be answered {}. \
         Anybody can choose such a name: allow it only if you have just \
         started this program yourself.</p>\n\
         {wants}\n{body}\n</main>\n</html>\n",
        web::stylesheet(),
        escaped(&request.client_name()),
        answered_where(redirect.target()),
    );
    // The form is answered with a redirect, which the policy must allow, or browsers block it.
    let policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], Html(page)).into_response())
}

/// `POST /oauth`: the owner's decision, from the consent page.
pub(super) async fn grant(
    State(server): ServerState,
    headers: HeaderMap,
    fields: Params,
) -> Result<Response, LichessError> {
    let request = AuthorizeParams::of(&fields);
    let (scopes, redirect) = request.check()?;
    let (who, person) = person(&server, &headers).await?;
    if !who.by_cookie {
        return Err(ApiError::forbidden("this takes a signed-in browser").into());
    }
    let location = match fields.get("answer") {
        Some("yes") => {
            let code = random::random_base62(32);
            let now = server.pulse.to_moment();
            let grant = Grant {
                code: code_digest(&code),
                person,
                client: request.client_id.clone(),
                redirect: redirect.as_str().to_owned(),
                challenge: request.code_challenge.clone(),
                scopes: scopes.to_string(),
                created: now,
                expires: now.plus_millis(CODE_LIFETIME_MS),
            };
            server.store.add_grant(grant).await?;
            // If all sessions of the account have ended since it was authenticated, so have its codes; this one may
            // have been created later.
            if server.store.session(who.secret, now).await?.is_none() {
                return Err(ApiError::unknown(REVOKED_REASON).into());
            }
            request.back(&redirect, &format!("code={code}"))
        }
        _ => request.back(&redirect, "error=access_denied"),
    };
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response())
}

/// `POST /api/token`: exchanges a code for a token.
pub(super) async fn exchange(
    State(server): ServerState,
    fields: Params,
) -> Result<Response, LichessError> {
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
    let (code, secret) = (code_digest(text("code")), Secret::token());
    let secret = secret.map_err(touchmove_accounts::Error::from)?;
    let now = server.pulse.to_moment();
    let redeemed = server.store.redeem_grant(code, secret.digest(), now);
    let grant = match redeemed.await? {
        Redemption::First(grant) => grant,
        Redemption::Replayed { token } => {
            // The code was used twice, so it was stolen; the thief may have been first.
            server.revoke_token(token).await?;
            return wrong();
        }
        Redemption::Unknown => return wrong(),
    };
    let is_his = grant.challenge == base64url(&Sha256::digest(text("code_verifier").as_bytes()))
        && grant.redirect == text("redirect_uri")
        && grant.client == text("client_id");
    let person = server.store.person(grant.person).await?;
    let Some(person) = person.filter(|person| is_his && person.disabled.is_none()) else {
        return wrong();
    };
    let Ok(scopes) = grant.scopes.parse() else {
        return wrong();
    };
    let label = sanitize_line(&grant.client);
    let people = &server.people;
    people
        .issue_as(
            &secret,
            &person,
            &label,
            scopes,
            Some(TOKEN_LIFETIME_MILLIS),
        )
        .await?;
    if server.store.is_grant_replayed(code).await? {
        server.revoke_token(secret.digest()).await?;
        return wrong();
    }
    let told = json!({
        "token_type": "Bearer",
        "access_token": secret.reveal(),
        "expires_in": TOKEN_LIFETIME_MILLIS.as_secs(),
    });
    Ok(([(header::CACHE_CONTROL, "no-store")], axum::Json(told)).into_response())
}

/// `DELETE /api/token`: revokes the token of the request.
pub(super) async fn revoke(
    State(server): ServerState,
    headers: HeaderMap,
) -> Result<Response, LichessError> {
    person(&server, &headers).await?;
    let secret = identity::bearer(&headers).and_then(Secret::read);
    let secret =
        secret.ok_or_else(|| ApiError::unknown("this takes the token: Authorization: Bearer"))?;
    server.revoke_token(secret.digest()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Base64url without padding.
fn base64url(bytes: &[u8]) -> String {
    const BASE64_ALPHABET: &[u8; 64] =
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| {
            bits << 8 | u32::from(*three.get(i).unwrap_or(&0))
        });
        for letter in 0..=three.len() {
            let index = bits >> (18 - 6 * letter) & 63;
            text.push(char::from(BASE64_ALPHABET[index as usize]));
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
}
