//! Requests from clients: parsed strictly, limited in size, and refused with a sentence and a code.

use std::time::Duration;

use serde_json::{Value, json};
use touchmove_arbiter::{
    BudgetCap, Error, MAX_FEN_BYTES, MAX_PGN_BYTES, MAX_PLIES, MAX_REQUEST_BYTES, MAX_TEXT_BYTES,
    Request, RequestKind, answer,
};

/// Answers a request with a stopped clock.
fn ask(question: RequestKind, request: &Value) -> Result<Value, Error> {
    let cap = BudgetCap {
        positions: 50_000,
        time: Duration::from_secs(1),
        clock: &|| Duration::ZERO,
    };
    let request = Request::read(question, request.to_string().as_bytes())?;
    Ok(serde_json::to_value(answer(&request, &cap)?).unwrap())
}

#[track_caller]
fn refused(question: RequestKind, request: &Value, code: &str, sentence: &str) {
    let trouble = ask(question, request).unwrap_err();
    let written = serde_json::to_value(&trouble).unwrap();
    assert_eq!(written["code"], code, "{written}");
    let said = written["error"].as_str().unwrap();
    assert!(said.contains(sentence), "{said:?} lacks {sentence:?}");
}

/// The smallest valid request of each kind.
fn least(question: RequestKind) -> Value {
    match question {
        RequestKind::Explain => json!({"move": "e4"}),
        RequestKind::Judge | RequestKind::Winnable | RequestKind::Rules => json!({}),
    }
}

#[test]
fn the_least_that_can_be_asked_is_about_the_start() {
    for question in RequestKind::ALL {
        assert_eq!(RequestKind::named(question.name()), Some(question));
        let answer = ask(question, &least(question)).unwrap();
        if question != RequestKind::Rules {
            let fen = answer["fen"].as_str().unwrap();
            assert!(fen.starts_with("rnbqkbnr/pppppppp/8/8"), "{answer}");
        }
    }
}

#[test]
fn unknown_fields_are_refused_by_name() {
    for question in RequestKind::ALL {
        let mut request = least(question);
        request["colour"] = "blue".into();
        refused(question, &request, "unreadable", "unknown field `colour`");
    }
    for question in [
        RequestKind::Judge,
        RequestKind::Explain,
        RequestKind::Winnable,
    ] {
        let mut request = least(question);
        request["position"] = json!({"epd": "x"});
        refused(question, &request, "unreadable", "unknown field `epd`");
    }
    let request = json!({"budget": {"hours": 7}});
    refused(RequestKind::Winnable, &request, "unreadable", "`hours`");
    refused(RequestKind::Judge, &request, "unreadable", "`hours`");
}

#[test]
fn values_of_the_wrong_type_are_refused() {
    let wrong = [
        (
            RequestKind::Judge,
            json!({"position": "startpos"}),
            "an object with a position",
        ),
        (
            RequestKind::Judge,
            json!({"position": {"fen": 7}}),
            "string",
        ),
        (
            RequestKind::Judge,
            json!({"position": {"moves": ["e4"]}}),
            "string",
        ),
        (
            RequestKind::Judge,
            json!({"position": {"start": -1}}),
            "u16",
        ),
        (
            RequestKind::Judge,
            json!({"position": {"start": 70_000}}),
            "u16",
        ),
        (
            RequestKind::Judge,
            json!({"position": {"variant": "go"}}),
            "go",
        ),
        (RequestKind::Judge, json!({"flagged": "red"}), "red"),
        (
            RequestKind::Judge,
            json!({"draws": "never"}),
            "`auto` or `claim`",
        ),
        (RequestKind::Judge, json!({"flag": true}), "line 1 column 9"),
        (RequestKind::Judge, json!({"dead": 1}), "1"),
        (RequestKind::Judge, json!({"budget": {"millis": -5}}), "-5"),
        (
            RequestKind::Judge,
            json!({"budget": {"positions": 1.5}}),
            "1.5",
        ),
        (RequestKind::Explain, json!({}), "missing field `move`"),
        (RequestKind::Explain, json!({"move": null}), "null"),
        (
            RequestKind::Explain,
            json!({"move": ["e2", "e4"]}),
            "sequence",
        ),
        (RequestKind::Winnable, json!({"side": "neither"}), "neither"),
        (RequestKind::Rules, json!({"piece": "wizard"}), "wizard"),
        (RequestKind::Rules, json!({"search": 5}), "5"),
    ];
    for (question, request, sentence) in wrong {
        refused(question, &request, "unreadable", sentence);
    }
    for question in RequestKind::ALL {
        for text in [
            "",
            "{",
            "null",
            "7",
            "\"fen\"",
            "{} {}",
            "\u{0}",
            "{\"move\":\"e4\",}",
        ] {
            let trouble = Request::read(question, text.as_bytes()).unwrap_err();
            assert_eq!(trouble.code(), "unreadable", "{question:?} {text:?}");
        }
        let trouble = Request::read(question, b"{\"move\":\"\xff\"}").unwrap_err();
        assert_eq!(trouble.code(), "unreadable");
        let deep = "[".repeat(100_000);
        let trouble = Request::read(question, deep.as_bytes()).unwrap_err();
        assert_eq!(trouble.code(), "unreadable");
    }
}

#[test]
fn what_is_too_long_is_refused_before_it_is_looked_at() {
    for question in RequestKind::ALL {
        let request = vec![b' '; MAX_REQUEST_BYTES + 1];
        let trouble = Request::read(question, &request).unwrap_err();
        assert_eq!(trouble.code(), "too_large");
    }
    let long = |bytes: usize| "x".repeat(bytes + 1);
    let too_long = [
        (json!({"fen": long(MAX_FEN_BYTES)}), "fen has 201 bytes"),
        (
            json!({"moves": long(MAX_PGN_BYTES)}),
            "moves has 65537 bytes",
        ),
        (json!({"pgn": long(MAX_PGN_BYTES)}), "pgn has 65537 bytes"),
        (
            json!({"moves": long(MAX_TEXT_BYTES)}),
            "a move has 201 bytes",
        ),
        (
            json!({"pgn": format!("1. {} *", long(MAX_TEXT_BYTES))}),
            "a move has 201 bytes",
        ),
    ];
    for (position, sentence) in too_long {
        for question in [
            RequestKind::Judge,
            RequestKind::Explain,
            RequestKind::Winnable,
        ] {
            let mut request = least(question);
            request["position"] = position.clone();
            refused(question, &request, "too_long", sentence);
        }
    }
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(MAX_PLIES / 4);
    let request = json!({"position": {"moves": moves}});
    assert!(ask(RequestKind::Judge, &request).is_ok());
    let request = json!({"position": {"moves": format!("{moves} e4")}});
    refused(RequestKind::Judge, &request, "too_many_plies", "1201 plies");
    let request = json!({"move": long(MAX_TEXT_BYTES)});
    refused(
        RequestKind::Explain,
        &request,
        "too_long",
        "move has 201 bytes",
    );
    let request = json!({"search": long(MAX_TEXT_BYTES)});
    refused(
        RequestKind::Rules,
        &request,
        "too_long",
        "search has 201 bytes",
    );
}

#[test]
fn one_position_is_asked_about() {
    let pgn = "1. e4 *";
    let twice = [
        json!({"fen": "startpos", "start": 5}),
        json!({"fen": "startpos", "pgn": pgn}),
        json!({"start": 5, "pgn": pgn}),
        json!({"variant": "atomic", "pgn": pgn}),
        json!({"moves": "e5", "pgn": pgn}),
    ];
    for position in twice {
        let request = json!({ "position": position });
        refused(
            RequestKind::Judge,
            &request,
            "two_positions",
            "cannot be given together",
        );
    }
}

#[test]
fn an_illegal_position_is_judged_and_for_other_questions_trouble() {
    let position = json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"});
    for variant in ["chess", "chess960", "atomic", "simple-atomic"] {
        let mut position = position.clone();
        position["variant"] = variant.into();
        let verdict = ask(RequestKind::Judge, &json!({ "position": position })).unwrap();
        assert_eq!(verdict["valid"], false, "{verdict}");
        assert!(verdict["error"].as_str().unwrap().contains("no king"));
        let request = json!({"position": position, "move": "Ke7"});
        refused(
            RequestKind::Explain,
            &request,
            "illegal_position",
            "no king",
        );
        let request = json!({ "position": position });
        refused(
            RequestKind::Winnable,
            &request,
            "illegal_position",
            "no king",
        );
    }
    let request = json!({"position": {"fen": "eight by eight"}});
    for question in [RequestKind::Judge, RequestKind::Winnable] {
        refused(question, &request, "bad_fen", "fen: ");
    }
    let request = json!({"position": {"start": 960}});
    refused(RequestKind::Judge, &request, "no_such_start", "0 to 959");
}

#[test]
fn an_illegal_move_on_the_way_is_judged_and_for_other_questions_trouble() {
    let position = json!({"moves": "1. e4 e5 2. Ke3"});
    let verdict = ask(RequestKind::Judge, &json!({ "position": position })).unwrap();
    assert_eq!(verdict["valid"], false);
    assert!(
        verdict["error"]
            .as_str()
            .unwrap()
            .starts_with("moves, ply 3, Ke3: ")
    );
    let request = json!({"position": position, "move": "Nf3"});
    refused(
        RequestKind::Explain,
        &request,
        "illegal_move",
        "moves, ply 3: ",
    );
    let request = json!({"position": {"pgn": "1. e4 e5 2. Ke3 *"}});
    refused(
        RequestKind::Winnable,
        &request,
        "illegal_move",
        "pgn, ply 3: ",
    );
    for text in ["", " \t "] {
        refused(
            RequestKind::Explain,
            &json!({"move": text}),
            "no_move",
            "which move?",
        );
    }
}

#[test]
fn a_pgn_is_read_up_to_the_last_move_of_its_first_game() {
    let pgn = "[Event \"x\"]\n\n1. f3 {weak} (1. e4 e5) e5 2. g4 Qh4# 0-1\n\n1. d4 *";
    let verdict = ask(RequestKind::Judge, &json!({"position": {"pgn": pgn}})).unwrap();
    assert_eq!(
        (&verdict["status"], &verdict["winner"]),
        (&"checkmate".into(), &"black".into())
    );

    let pgn = "[Variant \"Atomic\"]\n\n1. Nf3 f6 2. Nd4 e5 3. Ne6 a6 *";
    let request = json!({"position": {"pgn": pgn}, "move": "Nxd8"});
    let verdict = ask(RequestKind::Explain, &request).unwrap();
    assert_eq!(
        (&verdict["variant"], &verdict["legal"]),
        (&"atomic".into(), &true.into())
    );
    assert!(
        verdict["evidence"]
            .as_array()
            .unwrap()
            .contains(&"e8".into()),
        "{verdict}"
    );

    for pgn in ["", " \n\n ", "; nothing but a remark"] {
        let request = json!({"position": {"pgn": pgn}});
        refused(RequestKind::Judge, &request, "no_game", "no game");
    }
    let request = json!({"position": {"pgn": "[Variant \"Crazyhouse\"]\n\n1. e4 *"}});
    refused(RequestKind::Judge, &request, "bad_pgn", "Crazyhouse");
    let request = json!({"position": {"pgn": "[FEN \"junk\"]\n\n1. e4 *"}});
    refused(RequestKind::Judge, &request, "bad_pgn", "pgn: ");
    let request = json!({"position": {"pgn": "[Draws \"never\"]\n\n1. e4 *"}});
    refused(RequestKind::Judge, &request, "bad_pgn", "never");
    let illegal = json!({"position": {"pgn": "[FEN \"8/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n*"}});
    let verdict = ask(RequestKind::Judge, &illegal).unwrap();
    assert_eq!(
        (&verdict["valid"], &verdict["status"]),
        (&false.into(), &"illegal_position".into())
    );
    refused(
        RequestKind::Winnable,
        &illegal,
        "illegal_position",
        "no king",
    );
    for junk in [
        "hello world",
        "1. -- *",
        &"(".repeat(60_000),
        &"{".repeat(60_000),
    ] {
        let answered = ask(RequestKind::Judge, &json!({"position": {"pgn": junk}}));
        assert!(
            answered.is_ok() || answered.unwrap_err().code() == "no_game",
            "{junk:.20}"
        );
    }
}

#[test]
fn the_laws_are_the_askers_then_those_of_the_game_then_the_usual() {
    let moves = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let usual = json!({"position": {"moves": moves}});
    let verdict = ask(RequestKind::Judge, &usual).unwrap();
    assert_eq!(verdict["status"], "threefold_repetition");
    let claim = json!({"position": {"moves": moves}, "draws": "claim"});
    let verdict = ask(RequestKind::Judge, &claim).unwrap();
    assert_eq!(verdict["claims"], json!(["threefold_repetition"]));

    let pgn = format!("[Draws \"claim\"]\n\n{moves} *");
    let verdict = ask(RequestKind::Judge, &json!({"position": {"pgn": pgn}})).unwrap();
    assert_eq!(verdict["status"], "ongoing");
    let request = json!({"position": {"pgn": pgn}, "draws": "auto"});
    let verdict = ask(RequestKind::Judge, &request).unwrap();
    assert_eq!(verdict["status"], "threefold_repetition");

    let flagged =
        json!({"position": {"fen": "8/8/8/3k4/8/3KQ3/8/8 w - - 0 1"}, "flagged": "white"});
    let verdict = ask(RequestKind::Judge, &flagged).unwrap();
    assert_eq!(verdict["result"], "1/2-1/2");
    let mut loses = flagged;
    loses["flag"] = "loses".into();
    assert_eq!(ask(RequestKind::Judge, &loses).unwrap()["result"], "0-1");
}
