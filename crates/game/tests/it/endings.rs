//! The 115 endings and the 132 games of simple Atomic in `tests/data`, each with the ending that the data
//! says. Independent programs agreed on the cases; nothing is skipped.

use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};

use serde_json::Value;
use touchmove_game::position_status;
use touchmove_game::position_status::DeadPositionStatus;
use touchmove_game::{
    Budget, Command, DeadLaw, Draws, FlagLaw, Game, Players, Terms, Timestamp, Verdict,
};
use touchmove_rules::{AnyPosition, Color, Fen, Square, UciMove, Variant, material, with_position};

fn cases(file: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(file).expect("the data is JSON");
    data["cases"]
        .as_array()
        .expect("the data has cases")
        .clone()
}

/// Checks every case and reports all that fail.
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
    let usual = match text(&case["start_fen"]) {
        "startpos" => Terms::of(variant),
        fen => {
            let Fen(setup) = fen.parse().unwrap();
            let position = AnyPosition::from_setup(&setup, variant);
            Terms::from(position.unwrap_or_else(|faults| panic!("{}: {faults}", case["id"])))
        }
    };
    let dead = match BY_THE_LIST.contains(&text(&case["id"])) {
        true => DeadLaw::Material,
        false => DeadLaw::Exact,
    };
    Terms { dead, ..usual }
}

/// The cases that are drawn only by the servers' list of material (A9), not by what can happen: White's own
/// bishops may block their king in on a2 and b1, and the black one then mates it.
const BY_THE_LIST: [&str; 1] = ["AT51"];

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
        let dead_by_material = with_position!(&position, p => material::is_insufficient(p));
        assert_eq!(
            dead_by_material, properties["insufficient_material"],
            "{id}"
        );
        let over = position_status::decided_on_the_board(&position).is_some();
        let deadness = position_status::deadness(&position, terms.dead, Budget::default());
        let dead = !over && matches!(deadness, DeadPositionStatus::Dead(_));
        assert_eq!(dead, properties["dead"], "{id}");
    }
    let legal = |text: &str| position.read_uci(text).is_ok();
    for text in texts(&case["must_be_legal"]) {
        assert!(legal(text), "{id}: {text}");
    }
    for text in texts(&case["must_be_illegal"]) {
        assert!(!legal(text), "{id}: {text}");
    }
    if case["legal_uci"].is_array() && position_status::decided_on_the_board(&position).is_none() {
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
    game.evolve_all(&game.tick(Timestamp(5_000)));
    assert_eq!(game.flag(), Some(game.turn()), "{id}: no flag fell");
    game.settle_flag(Budget::default());
    assert_eq!(game.latest(), Timestamp(1_000), "{id}");
    assert_eq!(
        game.ending().map(|ending| ending.result()),
        Some(result),
        "{id}"
    );
}

#[test]
fn every_ending_is_what_independent_programs_agreed_on() {
    let cases = cases(include_str!("../data/endings.json"));
    assert_eq!(cases.len(), 115);
    check_each(&cases, |case| match text(&case["group"]) {
        "flag_fall" => check_flag_fall(case),
        _ => check_ending(case),
    });
}

#[test]
fn what_rests_on_the_list_alone_is_not_dead_exactly() {
    for case in cases(include_str!("../data/endings.json")) {
        let id = text(&case["id"]);
        if !BY_THE_LIST.contains(&id) {
            continue;
        }
        let by_the_list = Verdict::of(terms(&case), &[], None);
        assert_eq!(by_the_list.status, "dead_position", "{id}");
        assert!(by_the_list.explanation.contains("by the list of material"));
        let exact = Terms {
            dead: DeadLaw::Exact,
            ..terms(&case)
        };
        let exact = Verdict::of(exact, &[], None);
        assert_eq!((exact.status, exact.proved), ("ongoing", true), "{id}");
    }
}

#[test]
fn bishops_that_never_meet_may_mate_in_atomic() {
    let fen = "8/8/8/8/8/4B3/b7/kb5K w - - 0 1";
    let start = AnyPosition::from_fen(fen, Variant::Atomic).unwrap();
    let law = |dead| Terms {
        dead,
        ..Terms::from(start)
    };
    for (dead, flagged, status) in [
        (DeadLaw::Exact, None, "ongoing"),
        (DeadLaw::Off, None, "ongoing"),
        (DeadLaw::Material, None, "dead_position"),
        // White can still mate; Black cannot: White has no second bishop to block the king in.
        (DeadLaw::Exact, Some(Color::Black), "flag_fall"),
        (DeadLaw::Exact, Some(Color::White), "flag_fall_draw"),
        (DeadLaw::Off, Some(Color::Black), "flag_fall"),
        (DeadLaw::Material, Some(Color::Black), "dead_position"),
    ] {
        let verdict = Verdict::of(law(dead), &[], flagged);
        assert_eq!(verdict.status, status, "{dead} {flagged:?}");
        assert!(verdict.proved, "{dead} {flagged:?}");
    }
    let mate = Verdict::of(law(DeadLaw::Exact), &["Bd4"], None);
    assert_eq!(mate.status, "checkmate");
    let mut game = Game::begin(law(DeadLaw::Exact), Players::default(), Timestamp(0));
    let command = Command::from(UciMove::new(Square::E3, Square::D4));
    assert!(game.submit(Timestamp(0), Color::White, command).accepted());
    assert_eq!(game.ending().unwrap().status(), "checkmate");
    let game = Game::begin(law(DeadLaw::Material), Players::default(), Timestamp(0));
    assert_eq!(game.ending().unwrap().status(), "dead_position");
}

/// A blocked pawn wall with too many ways along it to be solved within a move.
const HARD: &str = "3k1b2/2p1pBp1/KpP1P1P1/1P6/4B3/8/8/8 w - - 0 1";

#[test]
fn nothing_is_said_more_surely_than_it_is_proved() {
    let start = AnyPosition::from_fen(HARD, Variant::Chess).unwrap();
    let terms = Terms::from(start);
    let at_a_glance = Budget::of_positions(1);
    let verdict = Verdict::by(at_a_glance, terms.clone(), &[], None);
    assert_eq!((verdict.status, verdict.proved), ("ongoing", false));
    assert!(
        verdict.explanation.ends_with(
            "Whether the position is dead was not decided in time: the game goes on as long as it \
             is not."
        ),
        "{}",
        verdict.explanation
    );
    let verdict = Verdict::by(at_a_glance, terms.clone(), &[], Some(Color::White));
    assert_eq!((verdict.status, verdict.proved), ("flag_fall", false));
    assert_eq!(
        verdict.explanation,
        "White's flag has fallen; whether Black could still win was not decided in time: Black wins \
         as long as it is not."
    );
    // With a larger budget, both are decided.
    let verdict = Verdict::of(terms.clone(), &[], Some(Color::White));
    assert_eq!((verdict.status, verdict.proved), ("flag_fall_draw", true));
    // If the terms do not ask, nothing is left undecided.
    for dead in [DeadLaw::Material, DeadLaw::Off] {
        let terms = Terms {
            dead,
            ..terms.clone()
        };
        let verdict = Verdict::by(at_a_glance, terms, &[], None);
        assert_eq!((verdict.status, verdict.proved), ("ongoing", true));
    }
    // A counted draw stands, whether the position is dead or not.
    let dance = ["Bd5", "Kc8", "Be4", "Kd8", "Bd5", "Kc8", "Be4", "Kd8"];
    let verdict = Verdict::by(at_a_glance, terms, &dance, None);
    assert_eq!(
        (verdict.status, verdict.proved),
        ("threefold_repetition", true),
        "{}",
        verdict.explanation
    );
}

#[test]
fn a_journal_is_not_called_right_where_that_was_not_decided() {
    use touchmove_game::{Opening, journal};
    let start = AnyPosition::from_fen(HARD, Variant::Chess).unwrap();
    let timed = Terms {
        time: Some("0:01".parse().unwrap()),
        dead: DeadLaw::Off,
        ..Terms::from(start)
    };
    let mut game = Game::begin(timed.clone(), Players::default(), Timestamp(0));
    let mut events = game.tick(Timestamp(5_000));
    game.evolve_all(&events);
    events.extend(game.settle_flag(Budget::of_positions(1)));
    assert!(!game.conclusion().unwrap().is_proved());
    let opening = Opening::of(timed, Players::default(), Timestamp(0));
    let hasty = journal::audit(&opening, &events, Budget::of_positions(1));
    assert_eq!(hasty.objections, []);
    assert_eq!(hasty.left_open.len(), 1, "{hasty:?}");
    assert!(
        hasty.left_open[0]
            .text
            .contains("whether Black could still win")
    );
    let patient = journal::audit(&opening, &events, Budget::default());
    assert_eq!(patient.objections.len(), 1, "it is a draw");
    assert_eq!(patient.left_open, []);
    // The position alone, without a fallen flag.
    let exact = Opening::of(Terms::from(start), Players::default(), Timestamp(0));
    let hasty = journal::audit(&exact, &[], Budget::of_positions(1));
    assert_eq!((hasty.objections.len(), hasty.left_open.len()), (0, 1));
}

#[test]
fn every_game_of_simple_atomic_goes_as_its_players_found() {
    let cases = cases(include_str!("../data/simple_atomic_games.json"));
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
                let command = Command::from(UciMove::new(from, to));
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

/// The squares in the interface of that course: lower case, nothing else.
fn strict_square(text: &str) -> Option<Square> {
    text.parse()
        .ok()
        .filter(|square: &Square| square.to_string() == text)
}
