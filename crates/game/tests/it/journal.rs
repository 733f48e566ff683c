//! Journals of every version can be read for ever and are replayed as they were recorded; impossible events
//! are refused with their line and number, and the game before them is kept.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use touchmove_game::journal::{self, JournalError};
use touchmove_game::protocol::State;
use touchmove_game::{
    Budget, Command, CommandEnvelope, Conclusion, Draw, Ending, Event, EventKind, Game, Opening,
    Players, Snapshot, Terms, Timestamp, Victory,
};
use touchmove_rules::{AnyPosition, Color, Variant};

fn folder(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/journals")
        .join(version)
}

/// The stored journals of a version with their expected states.
fn kept(version: &str) -> Vec<(String, String, Value)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder(version))
        .expect("journals are kept")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    paths.sort();
    let read = |path: &Path| fs::read_to_string(path).expect("text");
    let journals = paths.iter().map(|path| {
        let name = path.file_stem().expect("a name").display().to_string();
        let state = read(&path.with_extension("json"));
        (
            name,
            read(path),
            serde_json::from_str(&state).expect("JSON"),
        )
    });
    journals.collect()
}

/// Keys that were added to states since these were stored: programs ignore keys that they do not know.
const SINCE: [&str; 2] = ["danger", "no_show"];

/// A state without the keys that were added since.
fn as_kept(game: &Game) -> Value {
    let mut state = serde_json::to_value(State::of(game, game.latest())).expect("JSON");
    let keys = state.as_object_mut().expect("an object");
    keys.retain(|key, _| !SINCE.contains(&key.as_str()));
    state
}

/// Replaying runs no search: the games have a budget of zero, and are over before a search could begin.
#[test]
fn every_kept_journal_of_version_1_adds_up_to_its_state() {
    let kept = kept("version-1");
    assert!(kept.len() >= 40, "only {} journals", kept.len());
    let (mut events, mut endings) = (BTreeSet::new(), BTreeSet::new());
    for (name, text, state) in kept {
        let journal = journal::read(&text).unwrap_or_else(|torn| panic!("{name}: {torn}"));
        let game = journal.game.with_analysis_budget(Budget::of_positions(0));
        assert_eq!(as_kept(&game), state, "{name}");
        let again = journal::write(&journal.opening, &journal.events);
        assert_eq!(again, text, "{name}: it is written as it was");
        events.extend(journal.events.iter().map(|event| event.deed.name()));
        endings.extend(game.ending().map(Ending::status));
        let snapshot = serde_json::to_value(Snapshot::of(&game)).expect("JSON");
        let snapshot: Snapshot = serde_json::from_value(snapshot).expect("a snapshot");
        let restored = snapshot.restore().expect("a game");
        assert_eq!(
            restored.with_analysis_budget(Budget::of_positions(0)),
            game,
            "{name}"
        );
    }
    assert_eq!(
        events.into_iter().collect::<Vec<_>>(),
        [
            "absence_claimed",
            "clocks_held",
            "clocks_released",
            "draw_claimed",
            "draw_declined",
            "draw_offered",
            "ended",
            "flag_fell",
            "moved",
            "seated",
            "takeback_declined",
            "takeback_offered",
            "takeback_withdrawn",
            "taken_back",
            "time_given",
        ]
    );
    assert_eq!(
        endings.into_iter().collect::<Vec<_>>(),
        [
            "abandonment",
            "abandonment_draw",
            "aborted",
            "agreement",
            "checkmate",
            "dead_position",
            "fifty_moves",
            "fivefold_repetition",
            "flag_fall",
            "flag_fall_draw",
            "forfeit",
            "king_exploded",
            "no_show",
            "resignation",
            "seventyfive_moves",
            "stalemate",
            "threefold_repetition",
        ]
    );
}

/// Journals from before there were versions; their states were written by the program of that time.
#[test]
fn every_kept_journal_without_a_version_adds_up_to_what_its_program_said() {
    let kept = kept("version-0");
    assert!(kept.len() >= 20, "only {} journals", kept.len());
    for (name, text, state) in kept {
        let game = journal::replay(&text).unwrap_or_else(|torn| panic!("{name}: {torn}"));
        let left = |player| game.time_left(player, game.latest()).map(|time| time.0);
        let word = |side: Option<Color>| side.map_or_else(String::new, |side| side.to_string());
        let found = json!({
            "fen": game.position().fen().to_string(),
            "status": game.ending().map_or("ongoing", Ending::status),
            "winner": game.ending().and_then(Ending::winner),
            "plies": game.plies().len(),
            "white": left(Color::White),
            "black": left(Color::Black),
            "draw": word(game.draw_offer()).to_lowercase(),
            "takeback": word(game.takeback_offer()).to_lowercase(),
        });
        assert_eq!(found, state, "{name}");
    }
}

/// A program of the same journal version may have proved more, or less, than this one: what it recorded
/// stands.
#[test]
fn a_recorded_ending_stands_whatever_a_solver_would_say_today() {
    // Bare kings: today's solver says draw. The journal says win.
    let start = AnyPosition::from_fen("8/8/8/4k3/8/4K3/8/8 w - - 0 1", Variant::Chess).unwrap();
    let terms = Terms {
        time: Some("1".parse().unwrap()),
        ..Terms::from(start)
    };
    let opening = Opening::of(terms, Players::default(), Timestamp(0));
    let ending = Ending::Win {
        winner: Color::Black,
        by: Victory::FlagFall,
    };
    let by_arbiter = |seq, deed| Event {
        seq,
        at: Timestamp(60_000),
        by: touchmove_game::Actor::Arbiter,
        id: None,
        deed,
    };
    let flag = by_arbiter(
        1,
        EventKind::FlagFell {
            player: Color::White,
        },
    );
    let ended = by_arbiter(2, EventKind::Ended(Conclusion::new(ending, "It was so.")));
    let text = journal::write(&opening, &[flag.clone(), ended.clone()]);
    let game = journal::replay(&text).unwrap();
    assert_eq!(game.ending(), Some(ending));
    assert_eq!(State::of(&game, Timestamp(0)).explanation, "It was so.");
    // Only the audit objects: the start was dead, and the flag meant a draw.
    let objections = journal::audit(&opening, &[flag, ended], Budget::default()).objections;
    assert_eq!(objections.len(), 2, "{objections:?}");
    for (objection, ending) in objections.iter().zip(["dead", "Black cannot win"]) {
        assert!(objection.text.contains("had to follow"), "{objection}");
        assert!(objection.text.contains(ending), "{objection}");
    }
}

/// The background search comes too late for players who move every few milliseconds.
#[test]
fn an_end_that_came_late_is_objected_to_once_and_what_followed_is_judged_for_itself() {
    // After Qg2+ the king must capture, and a knight alone cannot mate.
    let start = AnyPosition::from_fen("7k/8/8/8/8/6q1/7N/7K b - - 0 1", Variant::Chess);
    let terms = Terms::from(start.unwrap());
    let opening = Opening::of(terms, Players::default(), Timestamp(0));
    let lines = [
        r#"{"v":1,"seq":1,"at":5,"by":"black","event":"moved","move":"g3g2","san":"Qg2+"}"#,
        r#"{"v":1,"seq":2,"at":6,"by":"white","event":"moved","move":"h1g2","san":"Kxg2"}"#,
        concat!(
            r#"{"v":1,"seq":3,"at":6,"by":"white","event":"ended","status":"dead_position","#,
            r#""winner":null,"result":"1/2-1/2","text":"Dead."}"#,
        ),
        r#"{"v":1,"seq":3,"at":7,"by":"black","event":"moved","move":"h8h7","san":"Kh7"}"#,
        r#"{"v":1,"seq":4,"at":8,"by":"white","event":"moved","move":"g2g3","san":"Kg3"}"#,
    ];
    let objections_to = |lines: &[&str]| {
        let text = format!("{}{}\n", journal::line(&opening), lines.join("\n"));
        let journal = journal::read(&text).unwrap();
        journal::audit(&opening, &journal.events, Budget::default()).objections
    };
    let [first, second, end, third, fourth] = lines;
    for lines in [
        &[first, second, end][..],
        &[first, second],
        &[first, second, third, fourth],
    ] {
        let objections = objections_to(lines);
        assert_eq!(objections.len(), 1, "{objections:?}");
        assert_eq!(objections[0].seq, 2);
        assert!(
            objections[0].text.contains("had to follow"),
            "{objections:?}"
        );
    }
}

#[test]
fn a_game_that_went_on_from_a_start_now_proved_dead_goes_on() {
    let start = AnyPosition::from_fen("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", Variant::Chess);
    let opening = Opening::of(
        Terms::from(start.unwrap()),
        Players::default(),
        Timestamp(0),
    );
    let moved = r#"{"v":1,"seq":1,"at":5,"by":"white","event":"moved","move":"e1e2","san":"Ke2"}"#;
    let text = format!("{}{moved}\n", journal::line(&opening));
    let journal = journal::read(&text).unwrap();
    assert_eq!(journal.game.plies().len(), 1);
    assert_eq!(journal.game.ending(), None);
    let objections = journal::audit(&opening, &journal.events, Budget::default()).objections;
    assert!(!objections.is_empty(), "a dead start had to end the game");
    assert_eq!(
        Game::begin(opening.terms, Players::default(), Timestamp(0)).ending(),
        Some(Ending::Draw(Draw::DeadPosition)),
        "a game that begins today is over at once"
    );
}

const OPENING: &str = concat!(
    r#"{"v":1,"seq":0,"at":0,"event":"started","white":"Anna","black":"Ben","terms":{"#,
    r#""variant":"chess","start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","#,
    r#""draws":"auto","flag":"fide","dead":"exact","time":"0:10","clock_start":"at-once","#,
    r#""lag":{"per_move":0,"per_game":0},"takebacks":true,"gifts":true,"no_show":null,"#,
    r#""absence":null}}"#,
);
const E4: &str = concat!(
    r#"{"v":1,"seq":1,"at":1000,"by":"white","event":"moved","move":"e2e4","san":"e4","#,
    r#""clock":9000}"#,
);

fn replay(lines: &[&str]) -> Result<Game, JournalError> {
    journal::replay(&[&[OPENING], lines].concat().join("\n"))
}

#[test]
fn a_line_that_cannot_have_happened_is_named() {
    let event = |rest: &str| format!(r#"{{"v":1,"seq":2,"at":2000,{rest}}}"#);
    let moved = |by: &str, uci: &str| {
        event(&format!(
            r#""by":"{by}","event":"moved","move":"{uci}","san":"x""#
        ))
    };
    let resigned = concat!(
        r#""by":"black","event":"ended","status":"resignation","winner":"white","#,
        r#""result":"1-0","text":"Black has resigned; White wins.""#
    );
    for (line, says) in [
        (
            E4.to_owned(),
            "event 1 (moved) cannot have happened: event 2 comes next",
        ),
        (
            moved("white", "d2d4"),
            "event 2 (moved) cannot have happened: it was not for them",
        ),
        (moved("arbiter", "e7e5"), "it was not for them to do it"),
        (moved("black", "e7e4"), "e7e4 is not a legal move"),
        (
            moved("black", "e7e5").replace("2000", "999"),
            "it goes back in time",
        ),
        (moved("black", "e7e9"), "cannot be read"),
        (moved("green", "e7e5"), "unknown variant `green`"),
        (
            moved("black", "e7e5").replace("\"san\"", "\"sna\""),
            "unknown field `sna`",
        ),
        (
            moved("black", "e7e5").replace("\"v\":1", "\"v\":7"),
            "written in version 7",
        ),
        (
            event(r#""by":"black","event":"exploded""#),
            "unknown variant `exploded`",
        ),
        (
            event(r#""by":"black","event":"draw_offered","loudly":true"#),
            "unknown field `loudly`",
        ),
        (
            event(r#""by":"black","event":"draw_declined""#),
            "nothing of the kind was offered",
        ),
        (
            event(r#""by":"black","event":"takeback_declined""#),
            "nothing of the kind was offered",
        ),
        (
            event(r#""by":"black","event":"takeback_withdrawn""#),
            "nothing of the kind",
        ),
        (
            event(r#""by":"black","event":"taken_back","plies":1"#),
            "nothing of the kind",
        ),
        (
            event(r#""by":"black","event":"seated","name":"Cleo""#),
            "the seat was taken",
        ),
        (
            event(r#""by":"arbiter","event":"clocks_released""#),
            "the clocks were not held",
        ),
        (
            event(r#""by":"arbiter","event":"flag_fell","player":"white""#),
            "no such clock ran",
        ),
        (
            event(&resigned.replace("1-0", "0-1")),
            "resignation leads to 1-0, not to 0-1",
        ),
        (
            event(&resigned.replace("resignation", "boredom")),
            "no game ends by \"boredom\"",
        ),
        ("{\"v\":1,\"seq\":2".to_owned(), "cannot be read: EOF"),
        ("junk".to_owned(), "cannot be read: expected value"),
        (OPENING.to_owned(), "begins the game a second time"),
    ] {
        let torn = replay(&[E4, &line]).expect_err(says);
        let said = torn.to_string();
        assert!(said.starts_with("line 3 of the journal "), "{said}");
        assert!(said.contains(says), "{said}, not {says}");
        let game = torn.game.expect("the game had begun");
        assert_eq!(game.plies().len(), 1, "{said}");
    }
    let over = event(resigned);
    let after = moved("black", "e7e5").replace("\"seq\":2", "\"seq\":3");
    let said = replay(&[E4, &over, &after]).unwrap_err().to_string();
    assert!(
        said.contains("event 3 (moved) cannot have happened: the game had ended"),
        "{said}"
    );
}

#[test]
fn a_journal_without_an_opening_tells_no_game() {
    for text in ["", "\n\n", E4] {
        let torn = journal::replay(text).unwrap_err();
        assert_eq!(
            torn.to_string(),
            "line 1 of the journal should tell how the game began"
        );
        assert_eq!(torn.game, None);
    }
    for (from, to, says) in [
        ("\"0:10\"", "\"soon\"", "\"soon\" is not a time control"),
        ("\"chess\"", "\"draughts\"", "the variant"),
        (" w KQkq", " x KQkq", "the start"),
        ("\"gifts\":true,", "", "missing field `gifts`"),
        (
            "\"gifts\":true,",
            "\"gifts\":true,\"tea\":1,",
            "unknown field `tea`",
        ),
        (
            "\"white\":\"Anna\",",
            "\"white\":\"Anna\",\"tea\":1,",
            "unknown field `tea`",
        ),
        (
            "\"v\":1",
            "\"v\":2",
            "written in version 2, and this program reads version 1",
        ),
    ] {
        let torn = journal::replay(&OPENING.replacen(from, to, 1)).unwrap_err();
        assert!(torn.to_string().contains(says), "{torn}, not {says}");
    }
}

#[test]
fn a_journal_cut_after_the_mating_move_owes_the_end() {
    let mut game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    let mut text = journal::line(game.opening());
    for san in ["f3", "e5", "g4", "Qh4"] {
        let attempt = game.position().uci(game.read_move(san).unwrap());
        let answer = game.submit(Timestamp(0), game.turn(), Command::from(attempt));
        text += &journal::line(&answer.events[0]);
    }
    let mut cut = journal::replay(&text).unwrap();
    assert_eq!(cut.ending(), None);
    cut.evolve_all(&cut.pending_ending());
    assert_eq!(cut.ending(), game.ending());
    assert_eq!(cut.sentence(), game.sentence());
}

#[test]
fn a_record_of_another_kind_becomes_a_journal() {
    let terms = Terms {
        time: Some("1+1".parse().unwrap()),
        ..Terms::of(Variant::Atomic)
    };
    let mut game = Game::begin(terms, Players::default(), Timestamp(0));
    for (at, san) in [(1, "Nf3"), (2, "d5"), (3, "Ng5"), (4, "d4"), (5, "Nxf7")] {
        let attempt = game.position().uci(game.read_move(san).unwrap());
        let at = Timestamp(at * 1_000);
        assert!(
            game.submit(at, game.turn(), Command::from(attempt))
                .accepted()
        );
    }
    let told = journal::replay(&journal::rewrite(&game)).unwrap();
    assert_eq!(told, game);
}

#[test]
fn commands_are_written_and_read_strictly() {
    let sent = |line: &str| serde_json::from_str::<CommandEnvelope>(line);
    for line in [
        r#"{"v":1,"command":"sit","name":"Cleo"}"#,
        r#"{"v":1,"command":"move","move":"e7e8q"}"#,
        r#"{"v":1,"command":"offer_draw"}"#,
        r#"{"v":1,"command":"accept_draw"}"#,
        r#"{"v":1,"command":"decline_draw"}"#,
        r#"{"v":1,"command":"claim_draw","announced":null}"#,
        r#"{"v":1,"command":"claim_draw","announced":"g1f3"}"#,
        r#"{"v":1,"id":"a.b:c-d_9","seen":3,"command":"resign"}"#,
        r#"{"v":1,"command":"offer_takeback"}"#,
        r#"{"v":1,"command":"accept_takeback"}"#,
        r#"{"v":1,"command":"decline_takeback"}"#,
        r#"{"v":1,"command":"abort"}"#,
        r#"{"v":1,"command":"give_time","time":15000}"#,
        r#"{"v":1,"command":"claim_no_show"}"#,
        r#"{"v":1,"command":"claim_absence","draw":true}"#,
    ] {
        let read = sent(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(serde_json::to_string(&read).unwrap(), line);
    }
    for (line, says) in [
        (r#"{"command":"resign"}"#, "does not say its version"),
        (r#"{"v":3,"command":"resign"}"#, "written in version 3"),
        (
            r#"{"v":1,"command":"resign","by":"white"}"#,
            "unknown field `by`",
        ),
        (
            r#"{"v":1,"command":"move","move":"e2e4","at":3}"#,
            "unknown field `at`",
        ),
        (r#"{"v":1,"command":"move","move":"e2"}"#, "e2"),
        (r#"{"v":1,"command":"fly"}"#, "unknown variant `fly`"),
        (r#"{"v":1,"id":"","command":"resign"}"#, "a command's id is"),
    ] {
        let error = sent(line).expect_err(line).to_string();
        assert!(error.contains(says), "{line}: {error}");
    }
}

#[test]
fn the_example_of_the_document_is_a_journal() {
    let document = include_str!("../../../../docs/JOURNAL.md");
    let block = document.split("```text\n").nth(1).expect("an example");
    let text = block.split("```").next().expect("an example");
    let journal = journal::read(text).unwrap_or_else(|torn| panic!("{torn}"));
    assert_eq!(journal::write(&journal.opening, &journal.events), text);
    let objections =
        journal::audit(&journal.opening, &journal.events, Budget::default()).objections;
    assert_eq!(objections, []);
}
