//! Authentication: guests, accounts, sessions, tokens and their scopes.

use crate::support::{self, Open, guest, open_to_all};

#[tokio::test]
async fn a_server_opens_no_accounts_unless_its_host_says_so() {
    let open = Open::new().await;
    let new = r#"{"name":"Anna","password":"1. e4 e5 2. f4"}"#;
    let heard = open.request("POST", "/v1/account", &[], new).await;
    assert_eq!(heard.status, 403);
    assert!(
        heard.json()["error"]
            .as_str()
            .unwrap()
            .contains("no accounts")
    );
    assert_eq!(
        open.request("GET", "/v1/me", &[], "").await.json()["kind"],
        "nobody"
    );
    open.close().await;
}

#[tokio::test]
async fn a_person_signs_up_out_and_in_again() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let me = open.browse(&cookie, "GET", "/v1/me", "").await.json();
    assert_eq!(
        (&me["kind"], &me["name"]),
        (&"human".into(), &"Anna".into())
    );

    let again = r#"{"name":"ANNA","password":"1. e4 e5 2. f4"}"#;
    let taken = open.request("POST", "/v1/account", &[], again).await;
    assert_eq!(
        (taken.status, &taken.json()["reason"]),
        (409, &"name_taken".into())
    );

    let out = open.browse(&cookie, "DELETE", "/v1/session", "").await;
    assert_eq!(out.status, 204);
    assert!(out.head.contains("Max-Age=0"), "{}", out.head);
    let me = open.browse(&cookie, "GET", "/v1/me", "").await.json();
    assert_eq!(me["kind"], "nobody", "at once, cache or not");

    // A form works too; and the error does not reveal whether name or password was wrong.
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    let mut answers = Vec::new();
    for body in [
        "name=Anna&password=not+hers",
        "name=Zoltan&password=not+his",
        "name=Anna",
        "",
    ] {
        let heard = open.request("POST", "/v1/session", &form, body).await;
        answers.push((heard.status, heard.body));
    }
    assert_eq!(answers[0].0, 401);
    assert!(
        answers.iter().all(|answer| answer == &answers[0]),
        "{answers:?}"
    );
    let body = "name=anna&password=a+secret+of+Anna";
    let heard = open.request("POST", "/v1/session/", &form, body).await;
    assert_eq!(heard.status, 200, "{}", heard.body);
    assert!(
        heard.head.contains("HttpOnly; SameSite=Lax"),
        "{}",
        heard.head
    );
    let cookie = heard.cookie().unwrap();
    let me = open.browse(&cookie, "GET", "/v1/me", "").await.json();
    assert_eq!(me["name"], "Anna");
    open.close().await;
}

#[tokio::test]
async fn a_new_password_ends_every_other_session() {
    let open = Open::with(open_to_all()).await;
    let first = open.account("Anna").await;
    let path = "/v1/account/password";
    let wrong = r#"{"old":"guessed it","new":"1. d4 d5 2. c4"}"#;
    assert_eq!(open.browse(&first, "POST", path, wrong).await.status, 401);
    let short = r#"{"old":"a secret of Anna","new":"short"}"#;
    assert_eq!(open.browse(&first, "POST", path, short).await.status, 400);
    let right = r#"{"old":"a secret of Anna","new":"1. d4 d5 2. c4"}"#;
    let changed = open.browse(&first, "POST", path, right).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let second = changed.cookie().unwrap();
    assert_eq!(
        open.browse(&first, "GET", "/v1/me", "").await.json()["kind"],
        "nobody"
    );
    assert_eq!(
        open.browse(&second, "GET", "/v1/me", "").await.json()["kind"],
        "human"
    );
    open.close().await;
}

#[tokio::test]
async fn a_token_is_shown_once_and_opens_doors_until_it_is_revoked() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let token = open.token(&cookie, "board:play account:read").await;
    let listed = open.browse(&cookie, "GET", "/v1/account/tokens", "").await;
    assert!(
        !listed.body.contains(&token[3..]),
        "the secret is not shown again"
    );
    let id = listed.json()["tokens"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();

    let me = open.json(&token, "GET", "/v1/me", "").await;
    assert_eq!(
        (&me["name"], &me["scopes"][0]),
        (&"Anna".into(), &"board:play".into())
    );
    // The token allows exactly its scopes, and cannot create other tokens.
    for (method, path, status) in [
        ("GET", "/v1/tables?mine=true", 200),
        ("POST", "/v1/seeks", 201),
        ("POST", "/v1/tables", 403),
        ("POST", "/v1/account/tokens", 403),
        ("GET", "/v1/challenges", 403),
    ] {
        let (heard, body) = open.ask(&token, method, path, "").await;
        assert_eq!(heard, status, "{method} {path}: {body}");
    }
    let path = format!("/v1/account/tokens/{id}");
    let forged = open
        .request("DELETE", &path, &[("Cookie", &cookie)], "")
        .await;
    assert_eq!(forged.status, 403, "another site cannot do it");
    assert_eq!(open.browse(&cookie, "DELETE", &path, "").await.status, 204);
    assert_eq!(
        open.ask(&token, "GET", "/v1/me", "").await.0,
        401,
        "at once"
    );
    assert_eq!(open.browse(&cookie, "DELETE", &path, "").await.status, 404);
    open.close().await;
}

#[tokio::test]
async fn a_closed_account_opens_nothing() {
    let open = Open::with(open_to_all()).await;
    let cookie = open.account("Anna").await;
    let token = open.token(&cookie, "board:play").await;
    let anna = open.server.people.find("Anna").await.unwrap().unwrap();
    // As `touchmove accounts disable` does, in another process.
    open.server.people.disable(anna.id).await.unwrap();
    let (status, body) = open.ask(&token, "GET", "/v1/me", "").await;
    assert!(
        status == 403 && body.contains("disabled"),
        "{status} {body}"
    );
    let sign_in = r#"{"name":"Anna","password":"a secret of Anna"}"#;
    let heard = open.request("POST", "/v1/session", &[], sign_in).await;
    assert_eq!(heard.status, 403);
    open.close().await;
}

#[tokio::test]
async fn what_is_no_secret_is_nobodys() {
    let open = Open::new().await;
    for bearer in ["guest_short", "tm_0123456789012345678901234567", "x"] {
        let (status, body) = open.ask(bearer, "GET", "/v1/me", "").await;
        assert_eq!(status, 401, "{bearer}: {body}");
    }
    let cookie = "touchmove=0123456789012345678901";
    let me = open.browse(cookie, "GET", "/v1/me", "").await;
    assert_eq!(me.json()["kind"], "nobody", "a session that is over");
    open.close().await;
}

#[tokio::test]
async fn guests_have_names_that_are_nobodys() {
    let open = Open::with(open_to_all()).await;
    open.account("Anna").await;
    let zoe = guest("zoe");
    for (name, status, reason) in [
        ("Anna", 409, "name_taken"),
        ("АNNА", 409, "name_taken"),
        ("admin", 400, "bad_name"),
        ("a\\u202eb", 400, "bad_name"),
        ("a name that is far too long for anybody", 400, "bad_name"),
    ] {
        let body = format!(r#"{{"name":"{name}"}}"#);
        for path in ["/v1/me", "/v1/tables", "/v1/seeks"] {
            let (heard, text) = open.ask(&zoe, "POST", path, &body).await;
            assert_eq!(heard, status, "{path} {name}: {text}");
            assert!(text.contains(reason), "{path} {name}: {text}");
        }
    }
    let called = open.json(&zoe, "POST", "/v1/me", r#"{"name":"Zoë"}"#).await;
    assert_eq!(
        (&called["kind"], &called["name"]),
        (&"guest".into(), &"Zoë".into())
    );
    // The guest's name is shown at the table.
    let made = open
        .json(&zoe, "POST", "/v1/tables", r#"{"side":"white"}"#)
        .await;
    let path = format!("/v1/tables/{}", made["game"].as_str().unwrap());
    let table = open.json(&zoe, "GET", &path, "").await;
    assert_eq!(table["state"]["players"]["white"], "Zoë");
    // A new client gets a cookie, and is identified by it.
    let heard = open
        .request("POST", "/v1/me", &[], r#"{"name":"Max"}"#)
        .await;
    let cookie = heard.cookie().unwrap();
    let me = open.browse(&cookie, "GET", "/v1/me", "").await.json();
    assert_eq!((&me["kind"], &me["name"]), (&"guest".into(), &"Max".into()));
    open.close().await;
}

#[tokio::test]
async fn who_signs_in_takes_the_seats_of_the_guest_that_he_was_with_him() {
    let open = Open::with(open_to_all()).await;
    let new = r#"{"terms":{},"side":"white"}"#;
    let made = open.browse("", "POST", "/v1/tables", new).await;
    let (guest, game) = (made.cookie().unwrap(), made.json()["game"].clone());
    let game = game.as_str().unwrap();
    let path = format!("/v1/tables/{game}/seat");
    open.json(&support::guest("Bea"), "POST", &path, "{}").await;

    let anna = r#"{"name":"Anna","password":"1. e4 e5 2. f4"}"#;
    let signed_up = open.browse(&guest, "POST", "/v1/account", anna).await;
    let (session, cookies) = (signed_up.cookie().unwrap(), signed_up.cookies());
    assert_eq!(cookies, [session.as_str()], "{}", signed_up.head);
    let path = format!("/v1/tables/{game}/ask");
    let stale = open.browse(&guest, "POST", &path, r#"{"move":"e4"}"#).await;
    assert_eq!(stale.status, 403, "nobody is that guest: {}", stale.body);
    let moved = open
        .browse(&session, "POST", &path, r#"{"move":"e4"}"#)
        .await;
    assert_eq!(moved.status, 200, "{}", moved.body);
    let seat = open
        .browse(&session, "POST", &format!("/v1/tables/{game}/seat"), "{}")
        .await;
    assert_eq!(seat.json()["seat"], "white");
    let mine = open
        .browse(&session, "GET", "/v1/tables?mine=true", "")
        .await;
    assert!(mine.body.contains(game), "{}", mine.body);
    // It is stored.
    let open = open.again_with(open_to_all()).await;
    let other = r#"{"name":"Anna","password":"1. e4 e5 2. f4"}"#;
    let elsewhere = open.request("POST", "/v1/session", &[], other).await;
    let elsewhere = elsewhere.cookie().unwrap();
    let seat = open
        .browse(&elsewhere, "POST", &format!("/v1/tables/{game}/seat"), "{}")
        .await;
    assert_eq!(seat.json()["seat"], "white");

    // Signing out leaves nothing: the next person at this browser does not have the seat.
    let out = open.browse(&session, "DELETE", "/v1/session", "").await;
    assert_eq!(out.cookies(), ["touchmove=", "touchmove_guest="]);
    assert_eq!(out.head.matches("Max-Age=0").count(), 2, "{}", out.head);
    open.close().await;
}
