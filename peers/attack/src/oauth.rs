//! OAuth: addresses to which no code may be sent.

use touchmove_load::net::NodeAddress;

use crate::accounts::Account;
use crate::report::Report;
use crate::wire::Request;

/// Addresses that name another host than they seem to, or none, or go over a network in clear.
const REDIRECTS: &[&str] = &[
    "http://localhost:80@evil.example/cb",
    "http://127.0.0.1:1@evil.example/cb",
    "http://[::1]@evil.example/",
    "http://[::1].evil.example/",
    "http:/localhost:1@evil.example/",
    "http://localhost.evil.example/",
    "http://127.0.0.1.evil.example/",
    "http://localhost%2eevil.example/",
    "http://localhost\\@evil.example/",
    "http://localhost#@evil.example/",
    "http://evil.example/cb",
    "http://0x7f.evil/",
    "https://good.example@evil.example/",
    "https://user:pass@evil.example/",
    "https:///evil",
    "https://",
    "https:evil.example",
    "//evil.example/",
    "/\\evil.example",
    "javascript:alert(1)",
    "data:text/html,hello",
    "file:///etc/passwd",
    "https://evil.example/\r\nSet-Cookie: a=b",
    "https://evil.example/ cb",
    "https://evil\u{202e}.example/",
    "",
];

/// What must go on working.
const GOOD: &[&str] = &[
    "http://localhost:8000/cb",
    "http://127.0.0.1:34567/",
    "https://client.example/callback",
];

fn encoded(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric();
    let each = |byte: u8| match plain(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(each).collect()
}

/// The verifier of the challenge that is sent (RFC 7636, appendix B).
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// A code is exchanged once, wherever it is sent; who brings it again ends the token that it gave.
pub async fn codes(
    way: &NodeAddress,
    account: &Account,
    report: &mut Report,
) -> anyhow::Result<()> {
    let redirect = format!("https://client.example/{}", "x".repeat(600));
    let form = format!(
        "answer=yes&response_type=code&client_id=attack&scope=board%3Aplay%20challenge%3Aread%20challenge%3Awrite&\
         state=s&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&\
         redirect_uri={}",
        encoded(&redirect)
    );
    let kind = "application/x-www-form-urlencoded";
    let granted = account.request(way, "POST", "/oauth").body(kind, form);
    let granted = granted.send(way).await.answer()?;
    let location = granted
        .values("location")
        .next()
        .unwrap_or_default()
        .to_owned();
    let code = location
        .split_once("code=")
        .map(|(_, rest)| rest.split('&').next());
    let Some(Some(code)) = code else {
        report.fail(
            &format!("a long redirect got no code: {}", granted.status),
            b"",
        );
        return Ok(());
    };
    let exchange = format!(
        "grant_type=authorization_code&code={code}&code_verifier={VERIFIER}&client_id=attack&redirect_uri={}",
        encoded(&redirect)
    );
    let exchange = || Request::new("POST", "/api/token").body(kind, exchange.clone());
    let told = exchange().send(way).await.answer()?;
    let token = told.text("access_token").unwrap_or_default();
    let me = || Request::new("GET", "/api/account").bearer(&token);
    let works = me().send(way).await.status() == Some(200);
    report.must(works, || {
        format!("a code of a long redirect gave no token: {}", told.body)
    });
    let again = exchange().send(way).await.status();
    report.must(matches!(again, Some(400..=499)), || {
        format!("a code that comes again is answered {again:?}")
    });
    let status = me().send(way).await.status();
    report.must(status == Some(401), || {
        format!("the token of a code that came twice is answered {status:?}")
    });
    Ok(())
}

/// Asks for codes at each address.
pub async fn attack(
    way: &NodeAddress,
    account: &Account,
    report: &mut Report,
) -> anyhow::Result<()> {
    for (redirects, is_good) in [(REDIRECTS, false), (GOOD, true)] {
        for redirect in redirects {
            let form = format!(
                "answer=yes&response_type=code&client_id=attack&scope=board%3Aplay&state=s&\
                 code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&\
                 redirect_uri={}",
                encoded(redirect)
            );
            let answer = account
                .request(way, "POST", "/oauth")
                .body("application/x-www-form-urlencoded", form.clone())
                .send(way)
                .await
                .answer()?;
            let gets_code = answer.values("location").any(|to| to.contains("code="));
            report.must(gets_code == is_good, || {
                format!(
                    "the redirect {redirect:?} got {} with a code: {gets_code}",
                    answer.status
                )
            });
            let page = Request::new("GET", &format!("/oauth?{form}"))
                .header("Cookie", &account.cookies)
                .send(way)
                .await
                .answer()?;
            report.must(is_good || page.status >= 400, || {
                format!(
                    "the redirect {redirect:?} is shown to be agreed to: {}",
                    page.status
                )
            });
        }
    }
    Ok(())
}
