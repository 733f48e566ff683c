//! The OpenAPI description lists every route, and real responses match it.

use std::collections::BTreeSet;

use crate::support::openapi_schema::Description;
use crate::support::{self, Open, open_to_all};

#[test]
fn every_way_is_described_and_nothing_else() {
    let description = Description::read();
    let described: BTreeSet<_> = description.operations().into_iter().collect();
    let ways = touchmove_server::api::list_described();
    let listed: BTreeSet<_> = ways
        .iter()
        .map(|(method, path)| (method.to_string(), path.to_string()))
        .collect();
    assert_eq!(ways.len(), listed.len(), "nothing is listed twice");
    assert_eq!(listed, described);
}

#[test]
fn the_list_of_all_routes_has_the_page_and_the_api_of_lichess_too() {
    let all = touchmove_server::api::route_list();
    let distinct: BTreeSet<_> = all.iter().collect();
    assert_eq!(all.len(), distinct.len(), "nothing is listed twice");
    for described in touchmove_server::api::list_described() {
        assert!(distinct.contains(&described), "{described:?}");
    }
    for (method, path) in [
        ("GET", "/diagram.png"),
        ("POST", "/oauth"),
        ("OPTIONS", "/api/token"),
        ("POST", "/api/bot/game/{id}/move/{move}"),
    ] {
        let route = (method, path.to_owned());
        assert!(distinct.contains(&route), "{route:?}");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_example_fits() {
    let description = Description::read();
    description.check_references();
    let count = description.check_examples();
    assert!(count > 40, "{count} examples");
}

#[tokio::test]
async fn real_answers_are_as_described() {
    let description = Description::read();
    let open = Open::with(open_to_all()).await;
    let (anna, bea) = (open.account("Anna").await, open.account("Bea").await);
    let mut seen = BTreeSet::new();
    let mut check = |method: &str, path: &str, heard: &support::Heard| {
        let way = description.check(method, path, heard.status, &heard.head, &heard.body);
        seen.insert((way, heard.status));
    };
    let made = open
        .browse(
            &anna,
            "POST",
            "/v1/tables",
            r#"{"public":true,"terms":{"time":"5+3"},"side":"white"}"#,
        )
        .await;
    check("POST", "/v1/tables", &made);
    let game = made.json()["game"].as_str().unwrap().to_owned();
    let seek = open
        .browse(
            &anna,
            "POST",
            "/v1/seeks",
            r#"{"terms":{"variant":"chess960"}}"#,
        )
        .await;
    check("POST", "/v1/seeks", &seek);
    let seek = seek.json()["id"].as_str().unwrap().to_owned();
    let challenge = open
        .browse(&anna, "POST", "/v1/challenges", r#"{"to":"Bea"}"#)
        .await;
    check("POST", "/v1/challenges", &challenge);
    let challenge = challenge.json()["id"].as_str().unwrap().to_owned();
    let token = open
        .browse(&anna, "POST", "/v1/account/tokens", r#"{"label":"board"}"#)
        .await;
    check("POST", "/v1/account/tokens", &token);
    let token = token.json()["id"].as_str().unwrap().to_owned();
    let zoe = open.guest_cookie().await;
    let table = format!("/v1/tables/{game}");
    for (who, method, path, body) in [
        (&bea, "POST", format!("{table}/seat"), ""),
        (&zoe, "POST", format!("{table}/seat"), ""),
        (
            &anna,
            "POST",
            format!("{table}/commands"),
            r#"{"move":"e4"}"#,
        ),
        (
            &anna,
            "POST",
            format!("{table}/commands"),
            r#"{"move":"Ke2"}"#,
        ),
        (
            &zoe,
            "POST",
            format!("{table}/commands"),
            r#"{"move":"e5"}"#,
        ),
        (
            &bea,
            "POST",
            format!("{table}/commands"),
            r#"{"command":"moves"}"#,
        ),
        (&bea, "GET", table.clone(), ""),
        (&zoe, "GET", format!("{table}/pgn"), ""),
        (&zoe, "GET", format!("{table}/journal"), ""),
        (&zoe, "GET", format!("{table}/live"), ""),
        (&zoe, "GET", "/v1/lobby/live".to_owned(), ""),
        (&zoe, "GET", "/v1/tables".to_owned(), ""),
        (
            &zoe,
            "GET",
            "/v1/tables?phase=running&mine=true".to_owned(),
            "",
        ),
        (&zoe, "GET", "/v1/tables?phase=soon".to_owned(), ""),
        (&zoe, "GET", "/v1/seeks".to_owned(), ""),
        (&anna, "GET", format!("/v1/seeks/{seek}"), ""),
        (&bea, "POST", format!("/v1/seeks/{seek}/take"), ""),
        (&zoe, "POST", format!("/v1/seeks/{seek}/take"), ""),
        (&anna, "DELETE", format!("/v1/seeks/{seek}"), ""),
        (&bea, "GET", "/v1/challenges".to_owned(), ""),
        (&bea, "GET", format!("/v1/challenges/{challenge}"), ""),
        (
            &bea,
            "POST",
            format!("/v1/challenges/{challenge}/accept"),
            "",
        ),
        (
            &bea,
            "POST",
            format!("/v1/challenges/{challenge}/decline"),
            "",
        ),
        (&anna, "DELETE", format!("/v1/challenges/{challenge}"), ""),
        (&zoe, "GET", "/v1/challenges".to_owned(), ""),
        (&zoe, "POST", format!("/v1/tables/{game}/review"), ""),
        (&zoe, "GET", "/v1/players/Anna".to_owned(), ""),
        (&zoe, "GET", "/v1/players/Anna/games".to_owned(), ""),
        (&zoe, "GET", "/v1/players/Anna/pgn".to_owned(), ""),
        (&zoe, "GET", "/v1/players/Nemo".to_owned(), ""),
        (&anna, "GET", "/v1/account/tokens".to_owned(), ""),
        (&anna, "DELETE", format!("/v1/account/tokens/{token}"), ""),
        (&anna, "DELETE", "/v1/account/tokens".to_owned(), ""),
        (&zoe, "GET", "/v1/me".to_owned(), ""),
        (&zoe, "POST", "/v1/me".to_owned(), r#"{"name":"Zoë"}"#),
        (
            &anna,
            "POST",
            "/v1/account/password".to_owned(),
            r#"{"old":"no","new":"1. e4 e5 2. f4"}"#,
        ),
        (
            &zoe,
            "POST",
            "/v1/session".to_owned(),
            r#"{"name":"Anna","password":"a secret of Anna"}"#,
        ),
        (
            &zoe,
            "POST",
            "/v1/account".to_owned(),
            r#"{"name":"Carl","password":"short"}"#,
        ),
        (&anna, "DELETE", "/v1/session".to_owned(), ""),
        (
            &zoe,
            "POST",
            "/arbiter/judge".to_owned(),
            r#"{"position":{"moves":"e4 e5 Ke3"}}"#,
        ),
        (
            &zoe,
            "POST",
            "/arbiter/judge".to_owned(),
            r#"{"flagged":"white"}"#,
        ),
        (
            &zoe,
            "POST",
            "/arbiter/explain".to_owned(),
            r#"{"move":"Bc4"}"#,
        ),
        (
            &zoe,
            "POST",
            "/arbiter/explain".to_owned(),
            r#"{"move":"Nf3"}"#,
        ),
        (&zoe, "POST", "/arbiter/winnable".to_owned(), ""),
        (&zoe, "POST", "/arbiter/rules".to_owned(), ""),
        (&zoe, "GET", "/arbiter/rules?variant=atomic".to_owned(), ""),
        (&zoe, "GET", "/arbiter/rules?variant=go".to_owned(), ""),
        (&zoe, "GET", "/healthz".to_owned(), ""),
        (&zoe, "GET", "/readyz".to_owned(), ""),
        (&zoe, "GET", "/openapi.json".to_owned(), ""),
    ] {
        let heard = open.browse(who, method, &path, body).await;
        assert!(heard.status < 500, "{method} {path}: {}", heard.body);
        check(method, &path, &heard);
    }
    // Every operation was called, and most of them with success.
    let ways: BTreeSet<_> = seen.iter().map(|(way, _)| way.clone()).collect();
    let all: BTreeSet<_> = description.operations().into_iter().collect();
    assert_eq!(ways, all);
    let granted = seen.iter().filter(|(_, status)| *status < 300).count();
    assert!(granted >= 33, "{granted} of {}: {seen:?}", all.len());
    open.close().await;
}
