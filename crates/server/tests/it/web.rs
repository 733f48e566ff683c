//! The files and paths of the web page, and the computer as an opponent. What people see is tested in a browser, by
//! `.ci/browser`.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Open, guest, open_to_all};

/// The raw head and body of a response.
async fn fetch(open: &Open, path: &str, headers: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(open.address).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}Connection: close\r\n\r\n",
        open.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    (head.to_lowercase(), answer[end + 4..].to_vec())
}

#[tokio::test]
async fn pages_are_safe_and_their_files_are_kept() {
    let open = Open::new().await;
    for path in ["/", "/arbiter", "/connect", "/rules", "/rules/atomic"] {
        let (head, body) = fetch(&open, path, "").await;
        let html = String::from_utf8(body).unwrap();
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        for header in ["default-src 'self'", "frame-ancestors 'none'", "nosniff"] {
            assert!(head.contains(header), "{path}: {head}");
        }
        for inline in ["<style", "style=\"", " onclick", "javascript:", "{{"] {
            assert!(!html.contains(inline), "{path} has {inline}");
        }
        let stylesheet = html.split('"').find(|part| part.ends_with("/style.css"));
        let stylesheet = stylesheet.unwrap().to_owned();
        let (head, plain) = fetch(&open, &stylesheet, "").await;
        assert!(
            head.contains("immutable") && head.contains("text/css"),
            "{head}"
        );
        let (head, small) = fetch(&open, &stylesheet, "Accept-Encoding: br, gzip\r\n").await;
        assert!(head.contains("content-encoding: gzip"), "{head}");
        assert!(small.len() * 2 < plain.len());
        let etag = head.split("etag: ").nth(1).unwrap().lines().next().unwrap();
        let (head, nothing) =
            fetch(&open, &stylesheet, &format!("If-None-Match: {etag}\r\n")).await;
        assert!(
            head.starts_with("http/1.1 304") && nothing.is_empty(),
            "{head}"
        );
    }
    for path in [
        "/assets/0/nothing.js",
        "/assets/0/table.html",
        "/assets/0/..%2fCargo.toml",
    ] {
        let (head, _) = fetch(&open, path, "").await;
        assert!(head.starts_with("http/1.1 404"), "{path}: {head}");
    }
    open.close().await;
}

#[tokio::test]
async fn looking_at_a_link_takes_no_seat_and_names_stay_text() {
    let open = Open::new().await;
    let new = r#"{"terms":{"time":"5+3"},"side":"white","name":"<b>{{state}}</script>"}"#;
    let (status, made) = open.ask(&guest("anna"), "POST", "/v1/tables", new).await;
    let made: serde_json::Value = serde_json::from_str(&made).unwrap();
    // The server may refuse such a name; then an ordinary one must work.
    let made = match status {
        201 => made,
        _ => {
            open.json(
                &guest("anna"),
                "POST",
                "/v1/tables",
                r#"{"name":"Anna & Co","side":"white"}"#,
            )
            .await
        }
    };
    let game = made["game"].as_str().unwrap();
    let (head, body) = fetch(&open, &format!("/{game}"), "").await;
    let html = String::from_utf8(body).unwrap();
    assert!(
        head.starts_with("http/1.1 200") && head.contains("no-store"),
        "{head}"
    );
    assert!(!head.contains("set-cookie"), "{head}");
    assert!(!html.contains("<b>") && html.contains("<svg class=\"still\""));
    let state = html.split("id=\"state\">").nth(1).unwrap();
    let state = state.split("</script>").next().unwrap();
    let state: serde_json::Value = serde_json::from_str(state).unwrap();
    assert_eq!(
        (&state["open"]["black"], &state["you"]),
        (&true.into(), &serde_json::Value::Null)
    );
    let (head, _) = fetch(&open, "/nosuchtb", "").await;
    assert!(
        head.starts_with("http/1.1 404") && head.contains("text/html"),
        "{head}"
    );
    open.close().await;
}

#[tokio::test]
async fn a_game_is_found_where_clients_of_lichess_say_it_is() {
    let open = Open::new().await;
    let game = open.table(&guest("anna"), &guest("bea"), "{}").await;
    let heard = open
        .request("GET", &format!("/{game}/black"), &[], "")
        .await;
    assert_eq!(heard.status, 303);
    let place = format!("location: /{game}?color=black\r\n");
    assert!(heard.head.contains(&place), "{}", heard.head);
    for path in ["/%2Fevil.example/white", "/no-game/black"] {
        assert_eq!(open.request("GET", path, &[], "").await.status, 404);
    }
    open.close().await;
}

#[tokio::test]
async fn positions_are_drawn_and_nonsense_is_refused() {
    let open = Open::new().await;
    let fen = "4k3/8/8/8/8/8/8/4K3%20w%20-%20-%200%201";
    let (head, svg) = fetch(
        &open,
        &format!("/diagram.svg?fen={fen}&side=black&last=e1e2"),
        "",
    )
    .await;
    assert!(
        head.contains("image/svg+xml") && svg.starts_with(b"<svg"),
        "{head}"
    );
    let (head, png) = fetch(&open, &format!("/diagram.png?fen={fen}&side_px=99999"), "").await;
    assert!(
        head.contains("image/png") && png.starts_with(b"\x89PNG"),
        "{head}"
    );
    for path in [
        "/diagram.svg",
        "/diagram.svg?fen=xyz",
        "/diagram.png?fen=8/8&side_px=1",
    ] {
        let (head, _) = fetch(&open, path, "").await;
        assert!(head.starts_with("http/1.1 400"), "{path}: {head}");
    }
    open.close().await;
}

#[tokio::test]
async fn the_computer_answers_gives_way_and_comes_back() {
    let open = Open::new().await;
    let anna = guest("anna");
    let new = r#"{"side":"white","computer":"first-steps","terms":{"variant":"atomic"}}"#;
    let made = open.json(&anna, "POST", "/v1/tables", new).await;
    let game = made["game"].as_str().unwrap().to_owned();
    let mut white = open.come(&anna, &game).await;
    let state = white.hear_of("state").await;
    assert_eq!(state["state"]["players"]["black"], "Computer (First steps)");
    white.say(r#"{"move":"e4","id":"m1"}"#).await;
    while white.hear_of("decided").await["state"]["plies"] != 2 {}
    white.say(r#"{"command":"takeback","id":"t1"}"#).await;
    while white.hear_of("decided").await["state"]["plies"] != 0 {}
    drop(white);
    let open = open.again().await;
    let mut white = open.come(&anna, &game).await;
    white.say(r#"{"move":"d4","id":"m2"}"#).await;
    while white.hear_of("decided").await["state"]["plies"] != 2 {}
    white.say(r#"{"command":"resign","id":"r1"}"#).await;
    assert_eq!(white.hear_of("rematch").await["offer"], "black");
    let by_number = open
        .json(&anna, "POST", "/v1/tables", r#"{"computer":9}"#)
        .await;
    assert!(by_number["game"].is_string(), "{by_number}");
    for level in ["10", "0", "\"grandmaster\"", "true", "-1"] {
        let new = format!(r#"{{"computer":{level}}}"#);
        let (status, text) = open.ask(&anna, "POST", "/v1/tables", &new).await;
        assert!(
            status == 400 && text.contains("club-novice"),
            "{level}: {text}"
        );
    }
    open.close().await;
}

/// A text with characters that reverse, hide or cover others.
fn nasty() -> String {
    format!("x{}\u{200d}\u{202e}\u{200b}y", "\u{324}".repeat(150))
}

fn is_harmless(text: &str) -> bool {
    let mut marks = 0;
    text.chars().all(|c| {
        marks = if ('\u{300}'..='\u{36f}').contains(&c) {
            marks + 1
        } else {
            0
        };
        marks <= 8 && (c.is_whitespace() || !touchmove_text::is_invisible(c))
    })
}

#[tokio::test]
async fn text_of_strangers_covers_and_hides_nothing_on_a_page() {
    let open = Open::with(open_to_all()).await;
    let nasty = nasty();
    assert!(!is_harmless(&nasty) && is_harmless("e\u{301}"));
    let (anna, bea) = (guest("anna"), guest("bea"));
    let game = open.table(&anna, &bea, "{}").await;
    let mut player = open.come(&anna, &game).await;
    let said = serde_json::json!({"command": "chat", "text": nasty, "id": "c"});
    player.say(&said.to_string()).await;
    assert_eq!(player.answer("c").await["accepted"], true);
    // A line that an earlier version has stored uncleaned.
    let open = open.again_with(open_to_all()).await;
    let db = rusqlite::Connection::open(open.file()).unwrap();
    assert_eq!(
        db.execute("UPDATE chat SET text = ?1, name = ?1", [&nasty])
            .unwrap(),
        1
    );
    drop(db);
    let consent = format!(
        "/oauth?response_type=code&client_id=a{}&redirect_uri=https://a.example/\
         &code_challenge_method=S256&code_challenge={}",
        "%CC%81".repeat(45),
        "a".repeat(43)
    );
    let board = format!("/api/board/game/{game}/chat");
    for path in [
        &format!("/{game}"),
        &format!("/v1/tables/{game}"),
        &board,
        &consent,
    ] {
        let (status, body) = open.ask(&anna, "GET", path, "").await;
        assert_eq!(status, 200, "{path}: {body}");
        assert!(is_harmless(&body), "{path}: {body}");
        assert!(
            path == &consent || body.contains('\u{324}'),
            "{path}: {body}"
        );
    }
    let mut player = open.come(&anna, &game).await;
    assert!(is_harmless(
        &player.hear_of("state").await["chat"][0]["text"].to_string()
    ));
    let nothing = r#"{"command":"chat","text":"\u202e \u200b","id":"d"}"#;
    player.say(nothing).await;
    assert_eq!(player.answer("d").await["reason"], "empty");
    open.close().await;
}

#[tokio::test]
async fn the_reason_for_declining_a_challenge_covers_and_hides_nothing() {
    let open = Open::with(open_to_all()).await;
    let (anna, bea) = (open.account("Anna").await, open.account("Bea").await);
    let token = open.token(&anna, "challenge:read").await;
    let mut lobby = open.lobby(&token).await;
    let made = open
        .browse(&anna, "POST", "/v1/challenges", r#"{"to":"Bea"}"#)
        .await;
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/challenges/{id}");
    let reason = serde_json::json!({ "reason": nasty() }).to_string();
    let declined = open
        .browse(&bea, "POST", &format!("{path}/decline"), &reason)
        .await;
    assert_eq!(declined.status, 204, "{}", declined.body);
    let told = lobby.hear_of("declined").await["reason"].clone();
    assert!(is_harmless(told.as_str().unwrap()), "{told}");
    assert_eq!(
        told,
        open.browse(&anna, "GET", &path, "").await.json()["reason"]
    );
    // A line that an earlier version has stored uncleaned.
    let db = rusqlite::Connection::open(open.file()).unwrap();
    let count = db.execute("UPDATE offers SET reason = ?1", [nasty()]);
    assert_eq!(count.unwrap(), 1);
    drop(db);
    let show = format!("/api/challenge/{id}/show");
    for (path, field) in [(&path, "reason"), (&show, "declineReason")] {
        let (status, body) = open.ask(&token, "GET", path, "").await;
        assert_eq!(status, 200, "{path}: {body}");
        let shown: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(shown[field], told, "{path}");
    }
    open.close().await;
}
