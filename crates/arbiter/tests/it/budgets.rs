//! Budgets: the cap on positions and time, what clients ask for, and answers that stay undecided.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use touchmove_arbiter::{BudgetCap, Request, RequestKind, answer};
use touchmove_rules::{AnyPosition, Variant};

/// A blocked pawn wall that takes some thousand positions to prove.
const HARD: &str = "3k1b2/2p1pBp1/KpP1P1P1/1P6/4B3/8/8/8 w - - 0 1";

/// Answers a request with a clock that advances by `step` on each reading.
fn ask(question: RequestKind, request: &Value, positions: u64, time: u64, step: u64) -> Value {
    let now = AtomicU64::new(0);
    let clock = || Duration::from_millis(now.fetch_add(step, Ordering::Relaxed));
    let cap = BudgetCap {
        positions,
        time: Duration::from_millis(time),
        clock: &clock,
    };
    let request = Request::read(question, request.to_string().as_bytes()).unwrap();
    serde_json::to_value(answer(&request, &cap).unwrap()).unwrap()
}

#[test]
fn an_undecided_verdict_is_an_answer() {
    let request = json!({"position": {"fen": HARD}, "side": "black"});
    let decided = ask(RequestKind::Winnable, &request, 1_000_000, 1_000, 0);
    assert_eq!(decided["black"], "unwinnable");
    assert!(decided["proof_black"].is_string() && decided["white"].is_null());

    let few = ask(RequestKind::Winnable, &request, 50, 1_000, 0);
    assert_eq!(
        (&few["black"], &few["dead"]),
        (&"undecided".into(), &Value::Null)
    );
    assert!(few["proof_black"].is_null() && few["line_black"].is_null());
    let short = ask(RequestKind::Winnable, &request, 1_000_000, 0, 1);
    assert_eq!(short["black"], "undecided", "the time is over at once");
}

#[test]
fn the_asker_may_ask_for_less_and_not_for_more() {
    let less = json!({"position": {"fen": HARD}, "side": "black", "budget": {"positions": 50}});
    let answer = ask(RequestKind::Winnable, &less, 1_000_000, 1_000, 0);
    assert_eq!(answer["black"], "undecided");
    let less = json!({"position": {"fen": HARD}, "side": "black", "budget": {"millis": 0}});
    let answer = ask(RequestKind::Winnable, &less, 1_000_000, 1_000, 1);
    assert_eq!(answer["black"], "undecided");
    let budget = json!({"positions": u64::MAX, "millis": u64::MAX});
    let more = json!({"position": {"fen": HARD}, "side": "black", "budget": budget});
    let answer = ask(RequestKind::Winnable, &more, 50, 1_000, 0);
    assert_eq!(answer["black"], "undecided");
    let answer = ask(RequestKind::Winnable, &more, 1_000_000, 3, 1);
    assert_eq!(answer["black"], "undecided");
}

#[test]
fn a_judge_without_time_says_what_everybody_sees() {
    let wall = json!({"position": {"fen": "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1"}});
    let verdict = ask(RequestKind::Judge, &wall, 1_000_000, 1_000, 0);
    assert_eq!(verdict["status"], "dead_position");
    let hard = json!({"position": {"fen": HARD}, "flagged": "white"});
    let verdict = ask(RequestKind::Judge, &hard, 1_000_000, 1_000, 0);
    assert_eq!(verdict["result"], "1/2-1/2");
    let verdict = ask(RequestKind::Judge, &hard, 1_000_000, 0, 1);
    assert_eq!(verdict["result"], "0-1", "nothing was proved: {verdict}");
    let mate = json!({"position": {"moves": "f3 e5 g4 Qh4"}});
    let verdict = ask(RequestKind::Judge, &mate, 0, 0, 1);
    assert_eq!(verdict["status"], "checkmate");
}

#[test]
fn both_sides_share_the_time() {
    // Each reading of the clock costs a millisecond, so that the first side cannot use up all of the time.
    let request = json!({"position": {"fen": HARD}});
    let answer = ask(RequestKind::Winnable, &request, 16_000_000, 40, 1);
    let spent = answer["micros"].as_u64().unwrap();
    assert!(spent <= 50_000, "{answer}");
}

#[test]
fn every_variant_is_looked_at_with_a_line_that_can_be_played() {
    for variant in Variant::ALL {
        let request = json!({"position": {"variant": variant.name()}});
        let answer = ask(RequestKind::Winnable, &request, 200_000, 1_000, 0);
        assert_eq!(
            (&answer["variant"], &answer["dead"]),
            (&variant.name().into(), &false.into())
        );
        for side in ["white", "black"] {
            assert_eq!(answer[side], "winnable", "{answer}");
            let mut position = AnyPosition::start(variant);
            for word in answer[format!("line_{side}")].as_str().unwrap().split(' ') {
                let mv = position.read_uci(word).unwrap();
                position.play(mv);
            }
            assert!(position.outcome().is_some(), "{answer}");
        }
        let verdict = ask(RequestKind::Judge, &request, 200_000, 1_000, 0);
        assert_eq!(
            (&verdict["variant"], &verdict["status"]),
            (&variant.name().into(), &"ongoing".into())
        );
        let mut request = request.clone();
        request["move"] = "e2 e5".into();
        let explained = ask(RequestKind::Explain, &request, 0, 0, 0);
        assert_eq!(
            (&explained["legal"], &explained["reason"]),
            (&false.into(), &"wrong_way".into())
        );
        let rules = ask(
            RequestKind::Rules,
            &json!({"variant": variant.name()}),
            0,
            0,
            0,
        );
        let sections = rules["sections"].as_array().unwrap();
        assert!(
            sections.len() > 15
                && sections
                    .iter()
                    .all(|part| part["variant"] == variant.name())
        );
    }
}

#[test]
fn laws_are_found_by_their_words() {
    let search = |words: &str| {
        let found = ask(RequestKind::Rules, &json!({ "search": words }), 0, 0, 0);
        found["sections"].as_array().unwrap().clone()
    };
    let found = search("PASSANT two steps");
    assert!(
        found.iter().any(|part| part["title"] == "Left En Passant"),
        "{found:?}"
    );
    assert!(search("wizard").is_empty());
    let fide = search("FIDE 9.2");
    assert!(!fide.is_empty() && fide.len() < 5, "{fide:?}");
    let all = search("  ");
    assert_eq!(
        all.len(),
        ask(RequestKind::Rules, &json!({}), 0, 0, 0)["sections"]
            .as_array()
            .unwrap()
            .len()
    );
    let king = ask(
        RequestKind::Rules,
        &json!({"piece": "king", "variant": "atomic"}),
        0,
        0,
        0,
    );
    assert_eq!(king["title"], "Atomic: the king");
}
