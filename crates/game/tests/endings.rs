//! The 115 endings and the 132 games of simple Atomic in `tests/data`, each as the data says. The
//! cases were agreed on by independent programs; nothing is skipped.

use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};

use serde_json::Value;
use touchmove_game::arbiter;
use touchmove_game::{
    Budget, Command, DeadLaw, Draws, FlagLaw, Game, Players, Terms, Timestamp, Verdict,
};
use touchmove_rules::{AnyPosition, Attempt, Color, Fen, Square, Variant, material, with_position};

fn cases(file: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(file).expect("the data is JSON");
    data["cases"]
        .as_array()
        .expect("the data has cases")
        .clone()
}

/// Checks every case, and names all that are wrong.
fn check_each(cases: &[Value], check: impl Fn(&Value) + UnwindSafe + RefUnwindSafe) {
    let wrong = cases
        .iter()
        .filter(|case| catch_unwind(|| check(case)).is_err());
    let wrong: Vec<&str> = wrong.map(|case| text(&case["id"])).collect();
    assert!(
        wrong.is_empty(),
        "{} cases are wrong: {}",
        wrong.len(),
        wrong.join(" ")
    );
}

fn terms(case: &Value) -> Terms {
    let variant: Variant = match text(&case["variant"]) {
        "standard" => Variant::Chess,
        name => name.parse().unwrap(),
    };
    match text(&case["start_fen"]) {
        "startpos" => Terms::of(variant),
        fen => {
            let Fen(setup) = fen.parse().unwrap();
            let position = AnyPosition::from_setup(&setup, variant);
            Terms::from(position.unwrap_or_else(|faults| panic!("{}: {faults}", case["id"])))
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(text).collect()
}

fn check_ending(case: &Value) {
    let id = text(&case["id"]);
    let moves = texts(&case["moves"]);
    let claim = Terms {
        draws: Draws::Claim,
        ..terms(case)
    };
    let verdict = Verdict::of(claim.clone(), &moves, None);
    assert!(verdict.valid, "{id}: {:?}", verdict.faults);

    let status = text(&case["status"]);
    let expected = match status {
        "draw_fivefold_automatic" => "fivefold_repetition",
        "draw_75move_automatic" => "seventyfive_moves",
        "draw_claimable" => "ongoing",
        "stalemate_draw" => "stalemate",
        "black_won" => "king_exploded",
        other => other,
    };
    assert_eq!(verdict.status, expected, "{id}: {}", verdict.explanation);
    let winner = serde_json::to_value(verdict.winner).unwrap();
    assert_eq!(winner, case["winner"], "{id}");

    let auto = Verdict::of(
        Terms {
            draws: Draws::Auto,
            ..claim.clone()
        },
        &moves,
        None,
    );
    if status == "draw_claimable" {
        assert!(!verdict.claims.is_empty(), "{id}");
        assert_eq!(auto.status, verdict.claims[0], "{id}");
        assert_eq!(auto.result, "1/2-1/2", "{id}");
    } else {
        assert!(verdict.claims.is_empty(), "{id}");
        assert_eq!(auto.status, verdict.status, "{id}");
    }
    check_position(case, &verdict, &claim);
}

fn check_position(case: &Value, verdict: &Verdict, terms: &Terms) {
    let id = text(&case["id"]);
    let properties = &case["properties"];
    let position = AnyPosition::from_fen(&verdict.fen, terms.variant())
        .unwrap_or_else(|error| panic!("{id}: {error}"));
    if properties.is_object() {
        assert_eq!(verdict.fen, text(&properties["fen"]), "{id}");
        assert_eq!(verdict.check, properties["in_check"], "{id}");
        assert_eq!(verdict.legal_moves, properties["legal_moves"], "{id}");
        assert_eq!(verdict.halfmove_clock, properties["halfmove_clock"], "{id}");
        assert_eq!(verdict.repetitions, properties["repetition_count"], "{id}");
        let dead_by_material = with_position!(&position, p => material::is_dead(p));
        assert_eq!(
            dead_by_material, properties["insufficient_material"],
            "{id}"
        );
        let over = arbiter::decided_on_the_board(&position).is_some();
        let dead =
            !over && arbiter::dead_proof(&position, DeadLaw::Exact, Budget::default()).is_some();
        assert_eq!(dead, properties["dead"], "{id}");
    }
    let legal = |text: &str| position.read_uci(text).is_ok();
    for text in texts(&case["must_be_legal"]) {
        assert!(legal(text), "{id}: {text}");
    }
    for text in texts(&case["must_be_illegal"]) {
        assert!(!legal(text), "{id}: {text}");
    }
    if case["legal_uci"].is_array() && arbiter::decided_on_the_board(&position).is_none() {
        let mut found: Vec<String> = position
            .legal_moves()
            .iter()
            .map(|&mv| position.uci(mv).to_string())
            .collect();
        found.sort();
        assert_eq!(found, texts(&case["legal_uci"]), "{id}");
    }
    if case["final_placement"].is_string() {
        assert!(
            verdict.fen.starts_with(text(&case["final_placement"])),
            "{id}"
        );
    }
}

fn check_flag_fall(case: &Value) {
    let id = text(&case["id"]);
    let flagged: Color = text(&case["flagged"]).parse().unwrap();
    let result = match text(&case["result"]) {
        "draw" => "1/2-1/2",
        "black wins" => "0-1",
        "white wins" => "1-0",
        other => panic!("{id}: {other}"),
    };
    let terms = terms(case);
    let verdict = Verdict::of(terms.clone(), &[], Some(flagged));
    assert_eq!(verdict.result, result, "{id}: {}", verdict.explanation);
    let loses = Terms {
        flag: FlagLaw::Loses,
        ..terms.clone()
    };
    let verdict = Verdict::of(loses, &[], Some(flagged));
    assert_eq!(verdict.winner, Some(!flagged), "{id}");

    let timed = Terms {
        time: Some("0:01".parse().unwrap()),
        dead: DeadLaw::Off,
        ..terms
    };
    let mut game = Game::begin(timed, Players::default(), Timestamp(0));
    game.follow(&game.tick(Timestamp(5_000)));
    assert_eq!(game.flag(), Some(game.turn()), "{id}: no flag fell");
    game.settle(Budget::default());
    assert_eq!(game.latest(), Timestamp(1_000), "{id}");
    assert_eq!(
        game.ending().map(|ending| ending.result()),
        Some(result),
        "{id}"
    );
}

#[test]
fn every_ending_is_what_independent_programs_agreed_on() {
    let cases = cases(include_str!("data/endings.json"));
    assert_eq!(cases.len(), 115);
    check_each(&cases, |case| match text(&case["group"]) {
        "flag_fall" => check_flag_fall(case),
        _ => check_ending(case),
    });
}

#[test]
fn every_game_of_simple_atomic_goes_as_its_players_found() {
    let cases = cases(include_str!("data/simple_atomic_games.json"));
    assert_eq!(cases.len(), 132);
    check_each(&cases, check_simple_atomic);
}

fn check_simple_atomic(case: &Value) {
    let id = text(&case["id"]);
    let terms = Terms {
        draws: Draws::Claim,
        dead: DeadLaw::Off,
        ..Terms::of(Variant::SimpleAtomic)
    };
    let mut game = Game::begin(terms, Players::default(), Timestamp(0));
    let tries = case["moves"].as_array().unwrap();
    for (ply, squares) in tries.iter().enumerate() {
        let [from, to] = [&squares[0], &squares[1]].map(|square| strict_square(text(square)));
        let accepted = match (from, to) {
            (Some(from), Some(to)) => {
                let command = Command::from(Attempt::new(from, to));
                game.submit(Timestamp(0), game.turn(), command).accepted()
            }
            _ => false,
        };
        assert_eq!(accepted, case["expect"][ply], "{id}: {squares}");
        let state = match game.ending().and_then(|ending| ending.winner()) {
            None => "UNFINISHED",
            Some(Color::White) => "WHITE_WON",
            Some(Color::Black) => "BLACK_WON",
        };
        assert_eq!(state, text(&case["states"][ply]), "{id}: {squares}");
    }
    let fen = game.position().fen().to_string();
    let mut fields = fen.split(' ');
    assert_eq!(fields.next(), case["final_placement"].as_str(), "{id}");
    assert_eq!(fields.next(), case["side_to_move"].as_str(), "{id}");
}

/// The squares of that course's interface: lower case, nothing else.
fn strict_square(text: &str) -> Option<Square> {
    text.parse()
        .ok()
        .filter(|square: &Square| square.to_string() == text)
}
