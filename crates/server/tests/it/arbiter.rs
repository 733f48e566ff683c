//! The arbiter endpoints.

use touchmove_arbiter::{Request, RequestKind};
use touchmove_server::arbiter_pool::ArbiterPool;
use touchmove_server::security::{Client, Limits};

use crate::support::{Open, guest};

#[tokio::test]
async fn the_arbiter_judges_explains_and_reads_the_law_to_anybody() {
    let open = Open::new().await;
    let nobody = guest("nobody");
    let mated = r#"{"position":{"moves":"f3 e5 g4 Qh4"}}"#;
    let verdict = open.json(&nobody, "POST", "/arbiter/judge", mated).await;
    assert_eq!(
        (&verdict["status"], &verdict["winner"]),
        (&"checkmate".into(), &"black".into())
    );
    let start = open.request("POST", "/arbiter/judge/", &[], "").await;
    assert_eq!(start.json()["status"], "ongoing", "no body is the start");
    let explained = open
        .json(&nobody, "POST", "/arbiter/explain", r#"{"move":"Bc4"}"#)
        .await;
    let sentence = explained["text"].as_str().unwrap();
    assert!(
        sentence.contains("the pawn on e2 is in the way"),
        "{sentence}"
    );
    let bare = r#"{"position":{"fen":"4k3/8/8/8/8/8/8/4K2N w - - 0 1"}}"#;
    let chances = open.json(&nobody, "POST", "/arbiter/winnable", bare).await;
    assert_eq!(chances["dead"], true);
    let read = open
        .json(
            &nobody,
            "GET",
            "/arbiter/rules?variant=atomic&piece=king",
            "",
        )
        .await;
    let asked = r#"{"variant":"atomic","piece":"king"}"#;
    let posted = open.json(&nobody, "POST", "/arbiter/rules", asked).await;
    assert_eq!(read, posted);
    for (path, body) in [
        ("judge", "[]"),
        ("judge", "{"),
        ("judge", r#"{"position":{"fen":"8/8"}}"#),
        ("explain", "{}"),
        ("winnable", r#"{"position":{"fen":"startpos","start":5}}"#),
        ("rules", r#"{"variant":"go"}"#),
    ] {
        let (status, text) = open
            .ask(&nobody, "POST", &format!("/arbiter/{path}"), body)
            .await;
        assert!(
            status == 400 && text.contains("\"reason\""),
            "{path} {body}: {status} {text}"
        );
    }
    let huge = format!("{{\"move\":\"{}\"}}", "x".repeat(200_000));
    assert_eq!(
        open.request("POST", "/arbiter/explain", &[], &huge)
            .await
            .status,
        413
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_finds_the_desk_full_is_told_so() {
    let desk = ArbiterPool::of(1, &Limits::default());
    // A question that takes long enough for the others to arrive meanwhile.
    let hard = br#"{"position":{"fen":"k1b5/1p1p4/pPpPp3/P1P1P3/8/4B3/8/K7 w - - 0 1"}}"#;
    let request = Request::read(RequestKind::Winnable, hard).unwrap();
    let from = |host: u8| Client::from(std::net::IpAddr::from([10, 0, 0, host])).into();
    let asked = (0..20).map(|host| desk.answer(from(host), request.clone()));
    let answers = futures_util::future::join_all(asked).await;
    let busy = answers.iter().filter(|answer| answer.is_err()).count();
    // One is answered and eight wait; a place may become free while the last ones arrive.
    assert!((1..=11).contains(&busy), "{busy}");
}
