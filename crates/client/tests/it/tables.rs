//! Connections to tables of a real server: whole games, lost connections, lost answers, and the events when
//! connecting fails.

use std::time::Duration;

use touchmove_client::{ClientCommand, ConnectOptions, Connection, ServerEvent, TableLink};
use touchmove_game::{EventKind, Intent};
use touchmove_rules::Color;

use crate::support::test_server::{Guest, House, Program, Proxy, visit};

#[test]
fn a_game_is_played_to_mate_and_both_are_told_the_same() {
    let house = House::open();
    let (mut anna, mut bea) = house.table(r#"{"time":"5+3"}"#);
    for (number, text) in ["f3", "e5", "g4", "Qh4"].into_iter().enumerate() {
        let mover = if number % 2 == 0 { &mut anna } else { &mut bea };
        mover.play(text);
        anna.sees_plies(number + 1);
        bea.sees_plies(number + 1);
    }
    for guest in [&anna, &bea] {
        let ending = guest.game.ending().expect("an end");
        assert_eq!(ending.result(), "0-1");
    }
    assert_eq!(anna.game, bea.game);
    assert_eq!(
        (anna.you, bea.you),
        (Some(Color::White), Some(Color::Black))
    );
}

#[test]
fn what_is_refused_is_told_with_its_reason_and_its_squares() {
    let house = House::open();
    let (mut anna, _bea) = house.table("{}");
    let e5 =
        touchmove_rules::UciMove::new(touchmove_rules::Square::E2, touchmove_rules::Square::E5);
    anna.say(ClientCommand::Wish(Intent::Move(e5)));
    let denied = anna.answer().expect("a refusal");
    assert!(
        denied.text.contains("e2") || denied.text.contains("pawn"),
        "{denied:?}"
    );
    assert!(denied.evidence().any(), "{denied:?}");
    anna.say(ClientCommand::Wish(Intent::ClaimDraw(None)));
    assert!(anna.answer().is_some());
}

#[test]
fn a_move_that_is_said_while_the_server_is_away_is_played_once_when_it_is_back() {
    let mut house = House::open();
    let (mut anna, mut bea) = house.table(r#"{"time":"5+3"}"#);
    anna.play("e4");
    bea.sees_plies(1);
    house.close();
    anna.sees_lost();
    bea.sees_lost();
    bea.say_move("e5");
    std::thread::sleep(Duration::from_millis(300));
    house.again();
    bea.sees_plies(2);
    anna.sees_plies(2);
    assert!(bea.answer().is_none(), "it is granted");
    anna.play("Nf3");
    bea.sees_plies(3);
    assert_eq!(anna.game, bea.game);
}

#[test]
fn a_lost_answer_is_asked_for_again_and_nothing_happens_twice() {
    let house = House::open();
    let proxy = Proxy::to(house.port());
    let (link, anna, bea) = house.seats("{}");
    let through = TableLink::of("127.0.0.1", proxy.port(), link.game()).unwrap();
    let mut anna = Guest::come(visit(through, &anna));
    let mut bea = Guest::come(visit(link, &bea));
    proxy.lose_answers();
    anna.say_move("e4");
    bea.sees_plies(1);
    anna.sees_lost();
    assert!(anna.answer().is_none(), "it is granted");
    anna.sees_plies(1);
    bea.play("e5");
    anna.sees_plies(2);
    let moves = |guest: &Guest| {
        let events = guest.events.iter();
        events
            .filter(|event| matches!(event.deed, EventKind::Moved { .. }))
            .count()
    };
    assert_eq!((moves(&anna), moves(&bea)), (2, 2));
    assert_eq!(anna.game.seq(), bea.game.seq());
}

#[test]
fn who_finds_no_seat_watches_and_who_comes_again_sits_where_he_sat() {
    let house = House::open();
    let (link, anna, bea) = house.seats("{}");
    let first = Guest::come(visit(link.clone(), &anna));
    drop(first);
    let mut again = Guest::come(visit(link.clone(), &anna));
    assert_eq!(again.you, Some(Color::White));
    let mut other = Guest::come(visit(link.clone(), &bea));
    let mut third = Guest::come(ConnectOptions::as_guest(link.clone()));
    let watching = ConnectOptions {
        only_watches: true,
        ..ConnectOptions::as_guest(link)
    };
    let fourth = Guest::come(watching);
    assert_eq!(
        (other.you, third.you, fourth.you),
        (Some(Color::Black), None, None)
    );
    again.play("d4");
    third.sees_plies(1);
    third.say(ClientCommand::Wish(Intent::Resign));
    assert_eq!(third.answer().expect("a refusal").reason, "no_seat");
    other.say(ClientCommand::Wish(Intent::Resign));
    assert!(other.answer().is_none());
    third.hears(|guest| guest.game.ending().is_some());
}

#[test]
fn players_are_told_who_comes_and_goes() {
    let house = House::open();
    let (mut anna, bea) = house.table("{}");
    anna.hears(|guest| guest.attendance.away(Color::Black).is_none());
    drop(bea);
    anna.hears(|guest| guest.attendance.away(Color::Black).is_some());
}

#[test]
fn where_there_is_no_way_that_is_told_at_once() {
    let house = House::open();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    for (link, says) in [
        (
            TableLink::of("127.0.0.1", port, "Ab3dE6gH").unwrap(),
            "cannot be reached",
        ),
        (
            TableLink::of("127.0.0.1", house.port(), "Ab3dE6gH").unwrap(),
            "no game with this id",
        ),
        (
            format!("https://127.0.0.1:{}/Ab3dE6gH", house.port())
                .parse()
                .unwrap(),
            "127.0.0.1",
        ),
    ] {
        let (sender, told) = std::sync::mpsc::channel();
        let connection = Connection::open(ConnectOptions::as_guest(link), move |told| {
            let _ = sender.send(told);
        });
        match told.recv_timeout(Duration::from_secs(30)) {
            Ok(ServerEvent::Over(why)) => assert!(why.contains(says), "{why}"),
            other => panic!("{other:?}"),
        }
        drop(connection);
    }
}

#[test]
fn who_leaves_waits_for_his_answers() {
    let house = House::open();
    let (mut anna, mut bea) = house.table("{}");
    anna.say_move("e4");
    anna.connection.close();
    anna.hears(|guest| guest.has_parted);
    assert_eq!(anna.game.plies().len(), 1);
    bea.sees_plies(1);
}

#[test]
fn every_message_of_a_program_is_answered_before_it_leaves_under_an_id_or_not() {
    let house = House::open();
    let (link, anna, bea) = house.seats("{}");
    let _bea = Guest::come(visit(link.clone(), &bea));
    let mut program = Program::come(visit(link, &anna));
    for text in [
        r#"{"move":"e4"}"#,
        "Nf3",
        r#"{"command":"state"}"#,
        r#"{"command":"ping"}"#,
        r#"{"command":"chat","text":"good luck","id":null}"#,
        r#"{"command":"dance"}"#,
        r#"{"move":"d4","move":"d5"}"#,
        "{",
        r#"{"move":"e4","id":7}"#,
        r#"{"command":"state","id":"s1"}"#,
        r#"{"command":"resign","id":"r1"}"#,
    ] {
        program.connection.send_raw(text.to_owned());
    }
    program.connection.close();
    assert_eq!(program.leaves(), 0, "{:?}", program.said);
    let of = |kind: &str| -> Vec<_> {
        let said = program.said.iter();
        said.filter(|message| message["type"] == kind).collect()
    };
    let answers = of("answer");
    let reasons: Vec<_> = answers
        .iter()
        .map(|answer| answer["reason"].as_str().unwrap_or("granted"))
        .collect();
    let unreadable = ["unreadable"; 4];
    assert_eq!(
        reasons,
        [
            &["granted", "not_your_turn", "granted"][..],
            &unreadable,
            &["granted"]
        ]
        .concat()
    );
    assert_eq!((of("state").len(), of("pong").len()), (3, 1));
    // Messages with an id keep it, and the others are delivered without one.
    let named: Vec<_> = program
        .said
        .iter()
        .filter_map(|message| message.get("id"))
        .collect();
    assert_eq!(named, ["r1"]);
    assert_eq!(of("decided")[0]["events"][0].get("id"), None);
    assert_eq!(of("decided")[1]["events"][0]["id"], "r1");
}

#[test]
fn a_message_without_an_id_whose_answer_is_lost_happens_once() {
    let house = House::open();
    let proxy = Proxy::to(house.port());
    let (link, anna, bea) = house.seats("{}");
    let through = TableLink::of("127.0.0.1", proxy.port(), link.game()).unwrap();
    let _bea = Guest::come(visit(link, &bea));
    let mut program = Program::come(visit(through, &anna));
    program.hears(|said| said["type"] == "state");
    proxy.lose_answers();
    program.connection.send_raw(r#"{"move":"e4"}"#.to_owned());
    program.hears(|said| said["type"] == "answer");
    let answer = program.said.last().expect("an answer");
    assert_eq!(answer["accepted"], true, "{answer}");
    assert_eq!(answer.get("id"), None);
    program.connection.close();
    assert_eq!(program.leaves(), 0);
    let state = program.said.iter().rfind(|said| said["type"] == "state");
    let state = state.expect("a state");
    assert_eq!(state["history"].as_array().map(Vec::len), Some(1));
    assert_eq!(state["events"][0].get("id"), None, "{state}");
}

#[test]
fn more_than_a_server_hears_at_once_is_answered_all_the_same() {
    let house = House::open();
    let (link, anna, _) = house.seats("{}");
    let mut program = Program::come(visit(link, &anna));
    for _ in 0..900 {
        program.connection.send_raw(r#"{"move":"e5"}"#.to_owned());
    }
    program.connection.close();
    assert_eq!(program.leaves(), 0);
    let said = program.said.iter();
    let answers = said.filter(|message| message["type"] == "answer");
    assert_eq!(answers.count(), 900);
}

#[test]
fn who_leaves_a_server_that_does_not_answer_is_told_how_much_is_open() {
    let house = House::open();
    let proxy = Proxy::to(house.port());
    let (link, anna, _) = house.seats("{}");
    let through = TableLink::of("127.0.0.1", proxy.port(), link.game()).unwrap();
    let mut program = Program::come(visit(through, &anna));
    program.hears(|said| said["type"] == "state");
    proxy.lose_questions();
    program.connection.send_raw("e4".to_owned());
    program.connection.send_raw("e5".to_owned());
    program.connection.close();
    assert_eq!(program.leaves(), 2);
}
