//! Only its holder can play from a seat, and every other way in is refused.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Open, guest};

#[tokio::test]
async fn nobody_else_plays_a_seat() {
    let open = Open::new().await;
    let (anna, bea, eve) = (guest("anna"), guest("bea"), guest("eve"));
    let game = open.table(&anna, &bea, "{}").await;
    let path = format!("/v1/tables/{game}/ask");
    let (status, text) = open.ask(&eve, "POST", &path, r#"{"move":"e4"}"#).await;
    assert_eq!(status, 403, "{text}");
    let (status, _) = open.ask("", "POST", &path, r#"{"move":"e4"}"#).await;
    assert_eq!(status, 401);
    let (status, _) = open
        .ask("guest_short", "POST", &path, r#"{"move":"e4"}"#)
        .await;
    assert_eq!(status, 401);
    let (status, text) = open.ask(&bea, "POST", &path, r#"{"move":"e4"}"#).await;
    assert!(status == 400 && text.contains("not_your_turn"), "{text}");
    let seat = format!("/v1/tables/{game}/seat");
    let (status, text) = open.ask(&eve, "POST", &seat, "").await;
    assert!(status == 409 && text.contains("seat_taken"), "{text}");
    let again = open
        .json(&bea, "POST", &seat, r#"{"name":"Mallory"}"#)
        .await;
    assert_eq!(again["seat"], "black", "who has a seat keeps it");
    let state = open
        .json(&eve, "GET", &format!("/v1/tables/{game}"), "")
        .await;
    assert_eq!(state["state"]["players"]["black"], "Bea");
    assert_eq!(state["state"]["plies"], 0);
    open.close().await;
}

#[tokio::test]
async fn a_bare_move_is_played_whatever_a_tool_calls_it() {
    let open = Open::new().await;
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, "{}").await;
    for (who, text) in [
        (&anna, "e4"),
        (&bea, "move=e5"),
        (&anna, r#"{"move":"Nf3"}"#),
    ] {
        let request = format!(
            "POST /v1/tables/{game}/ask HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer {who}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{text}",
            text.len()
        );
        let answer = raw(&open, &request).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{text}: {answer}");
    }
    open.close().await;
}

#[tokio::test]
async fn of_many_who_want_one_seat_one_gets_it() {
    let open = Open::new().await;
    let made = open
        .json(&guest("anna"), "POST", "/v1/tables", r#"{"side":"white"}"#)
        .await;
    let seat = format!("/v1/tables/{}/seat", made["game"].as_str().unwrap());
    let people: Vec<String> = (0..20).map(|number| guest(&format!("p{number}"))).collect();
    let asked = people.iter().map(|who| open.ask(who, "POST", &seat, ""));
    let answers = futures_util::future::join_all(asked).await;
    let granted = answers.iter().filter(|(status, _)| *status == 200).count();
    assert_eq!(granted, 1, "{answers:?}");
    open.close().await;
}

#[tokio::test]
async fn a_link_that_is_only_looked_at_takes_no_seat() {
    let open = Open::new().await;
    let made = open.json(&guest("anna"), "POST", "/v1/tables", "").await;
    let game = made["game"].as_str().unwrap();
    for path in [
        format!("/{game}"),
        format!("/v1/tables/{game}"),
        format!("/v1/tables/{game}/seat"),
    ] {
        open.ask(&guest("bot"), "GET", &path, "").await;
    }
    let seat = format!("/v1/tables/{game}/seat");
    let sat = open.json(&guest("bea"), "POST", &seat, "").await;
    assert!(sat["seat"].is_string());
    open.close().await;
}

#[tokio::test]
async fn where_both_seats_are_open_one_may_be_chosen() {
    let open = Open::new().await;
    let made = open
        .json(&guest("anna"), "POST", "/api/challenge/open", "")
        .await;
    let seat = format!("/v1/tables/{}/seat", made["id"].as_str().unwrap());
    let black = r#"{"side":"black"}"#;
    let sat = open.json(&guest("anna"), "POST", &seat, black).await;
    assert_eq!(sat["seat"], "black");
    let (status, text) = open.ask(&guest("bea"), "POST", &seat, black).await;
    assert!(
        status == 409 && text.contains("the other one is open"),
        "{text}"
    );
    let (status, _) = open
        .ask(&guest("bea"), "POST", &seat, r#"{"side":"green"}"#)
        .await;
    assert_eq!(status, 400);
    let sat = open.json(&guest("bea"), "POST", &seat, "").await;
    assert_eq!(sat["seat"], "white", "whichever is left");
    open.close().await;
}

/// Sends a raw request.
async fn raw(open: &Open, request: &str) -> String {
    let mut stream = TcpStream::connect(open.address).await.unwrap();
    let request = request.replace("HOST", &open.address.to_string());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    let _ = tokio::time::timeout(std::time::Duration::from_secs(5), read).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn what_another_site_has_a_browser_send_is_refused() {
    let open = Open::new().await;
    let made = open.json(&guest("anna"), "POST", "/v1/tables", "").await;
    let game = made["game"].as_str().unwrap();
    let bea = open.guest_cookie().await;
    let post = |extra: &str| {
        format!(
            "POST /v1/tables/{game}/seat HTTP/1.1\r\nHost: HOST\r\nCookie: {bea}\r\n{extra}\
             Content-Length: 0\r\nConnection: close\r\n\r\n"
        )
    };
    for extra in [
        "",
        "Origin: http://evil.example\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
        "Origin: null\r\n",
    ] {
        let answer = raw(&open, &post(extra)).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{extra:?}: {answer}");
    }
    let live = |extra: &str| {
        format!(
            "GET /v1/tables/{game}/live HTTP/1.1\r\nHost: HOST\r\nCookie: {bea}\r\n{extra}\
             Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
    };
    for extra in ["", "Origin: http://evil.example\r\n"] {
        let answer = raw(&open, &live(extra)).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{extra:?}: {answer}");
    }
    let answer = raw(&open, &live("Origin: http://HOST\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 101"), "{answer}");
    let answer = raw(&open, &post("Sec-Fetch-Site: same-origin\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("content-security-policy") && answer.contains("nosniff"));
    open.close().await;
}

#[tokio::test]
async fn no_other_site_has_a_browser_forget_who_it_is() {
    let open = Open::new().await;
    // A browser does not send its cookie with another site's request, but would store a new one.
    let post = |extra: &str| {
        format!(
            "POST /v1/tables HTTP/1.1\r\nHost: HOST\r\n{extra}Content-Length: 0\r\n\
             Connection: close\r\n\r\n"
        )
    };
    for extra in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\nOrigin: http://HOST\r\n",
    ] {
        let answer = raw(&open, &post(extra)).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{extra:?}: {answer}");
        assert!(!answer.contains("set-cookie"), "{answer}");
    }
    for extra in [
        "",
        "Origin: http://HOST\r\n",
        "Sec-Fetch-Site: same-origin\r\n",
        "Authorization: Bearer guest_aaaaaaaaaaaaaaaaaaaaaa\r\nOrigin: http://evil.example\r\n",
    ] {
        let answer = raw(&open, &post(extra)).await;
        assert!(answer.starts_with("HTTP/1.1 201"), "{extra:?}: {answer}");
    }
    open.close().await;
}

#[tokio::test]
async fn who_sends_a_request_too_slowly_is_told_and_let_go() {
    let open = Open::new().await;
    let mut stream = TcpStream::connect(open.address).await.unwrap();
    let half = "POST /v1/tables HTTP/1.1\r\nHost: HOST\r\nContent-Length: 10\r\n\r\n{";
    let half = half.replace("HOST", &open.address.to_string());
    stream.write_all(half.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer);
    let read = tokio::time::timeout(std::time::Duration::from_secs(30), read).await;
    assert!(read.is_ok(), "the connection is still there");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("too_slow"), "{answer}");
    open.close().await;
}

#[tokio::test]
async fn a_new_guest_is_given_a_cookie_that_scripts_cannot_read() {
    let open = Open::new().await;
    let request =
        "POST /v1/tables HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let answer = raw(&open, request).await;
    let cookie = answer
        .lines()
        .find(|line| line.starts_with("set-cookie: touchmove=browser_"))
        .unwrap_or_else(|| panic!("{answer}"));
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
    open.close().await;
}

#[tokio::test]
async fn junk_is_answered_with_a_sentence() {
    let open = Open::new().await;
    let anna = guest("anna");
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(1_000_000));
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    for (body, expected) in [
        ("{", 400),
        ("[]", 400),
        (r#"{"terms":7}"#, 400),
        (r#"{"side":"green"}"#, 400),
        (r#"{"terms":{"start":"8/8/8/8/8/8/8/8 w - - 0 1"}}"#, 400),
        (r#"{"terms":{"time":"999999999999999999+1"}}"#, 400),
        (long.as_str(), 413),
        (deep.as_str(), 400),
    ] {
        let (status, text) = open.ask(&anna, "POST", "/v1/tables", body).await;
        let start: String = body.chars().take(60).collect();
        assert_eq!(status, expected, "{start}: {text}");
        assert!(text.contains("\"error\""), "{start}: {text}");
    }
    for path in [
        "/v1/tables/short",
        "/v1/tables/notthere",
        "/v1/nothing",
        "/%ff%fe",
    ] {
        let (status, text) = open.ask(&anna, "GET", path, "").await;
        assert!(status == 404 || status == 400, "{path}: {status} {text}");
        assert!(text.contains("\"error\""), "{path}: {text}");
    }
    open.close().await;
}
