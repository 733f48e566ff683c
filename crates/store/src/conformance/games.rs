//! Conformance tests of games with one caller at a time. `races` has those with many.

use crate::conformance::StoreFixture;
use crate::conformance::sample::{
    append, decision, game, game_id, game_of, guest, person, person_id,
};
use crate::{
    AddPersonResult, AppendDecision, AppendResult, CreateResult, DueChange, Error, GameChanges,
    GamePhase, GameSummary, Holder, Moment, PlayerSummary, SeatColor, SitResult, Store,
    StoredDecision, StoredGame, WriteId, limits,
};

/// Loads the whole game with this number, which must exist.
pub(super) async fn whole(store: &dyn Store, n: u64) -> StoredGame {
    let mut found = store.load_games(vec![game_id(n)]).await.unwrap();
    assert_eq!(found.len(), 1, "game {n} is there");
    found.remove(0)
}

/// [`Store::create_game`] and [`Store::load_games`].
pub async fn a_game_comes_back_as_it_was_begun(ground: &dyn StoreFixture) {
    let store = ground.open();
    let mut new = game_of(1, 10, 20);
    new.seats.black = Some(guest(5));
    new.summary = GameSummary {
        variant: "simple-atomic".to_owned(),
        white: PlayerSummary::person("Anna", person_id(10)),
        black: PlayerSummary::guest("Ben"),
        phase: GamePhase::Waiting,
        status: "created".to_owned(),
        result: Some("*".to_owned()),
        plies: 3,
        last_activity: Moment(-5),
        public: false,
        source: "friend".to_owned(),
    };
    assert_eq!(
        store.create_game(new.clone()).await,
        Ok(CreateResult::Written)
    );
    let found = whole(&*store, 1).await;
    assert_eq!(found.row.id, new.id);
    assert_eq!(found.row.created, new.created);
    assert_eq!(found.row.summary, new.summary);
    assert_eq!(found.seats, new.seats);
    assert_eq!(found.opening, new.opening);
    assert_eq!((found.decisions.len(), found.last()), (0, 0));
    assert_eq!(store.load_games(vec![game_id(2)]).await, Ok(Vec::new()));
}

/// [`Store::create_game`] twice.
pub async fn the_same_game_again_changes_nothing_and_another_with_its_id_is_refused(
    ground: &dyn StoreFixture,
) {
    let store = ground.open();
    let new = game_of(1, 10, 20);
    assert_eq!(
        store.create_game(new.clone()).await,
        Ok(CreateResult::Written)
    );
    store.append_decision(append(new.id, 1, 1)).await.unwrap();
    let before = whole(&*store, 1).await;
    assert_eq!(
        store.create_game(new.clone()).await,
        Ok(CreateResult::Already)
    );
    let mut other = game(1);
    other.mark = WriteId(99);
    assert_eq!(store.create_game(other).await, Ok(CreateResult::IdTaken));
    assert_eq!(whole(&*store, 1).await, before);
    // Ids are case-sensitive.
    let mut lower = game(2);
    lower.id = "aaaaaaaa".parse().unwrap();
    let mut upper = game(3);
    upper.id = "AAAAAAAA".parse().unwrap();
    assert_eq!(store.create_game(lower).await, Ok(CreateResult::Written));
    assert_eq!(store.create_game(upper).await, Ok(CreateResult::Written));
}

/// [`Store::append_decision`] and [`Store::decisions_after`].
pub async fn decisions_come_back_in_order(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    let mut first = 1;
    let mut written = Vec::new();
    for round in 0..40 {
        let last = first + round % 4;
        let mut deed = append(game_id(1), first, u128::from(round));
        deed.decision = decision(first, last, u128::from(round));
        written.push(deed.decision.clone());
        assert_eq!(store.append_decision(deed).await, Ok(AppendResult::Written));
        first = last + 1;
    }
    assert_eq!(whole(&*store, 1).await.decisions, written);
    for after in 0..=first + 1 {
        let newer = store
            .decisions_after(vec![(game_id(1), after)])
            .await
            .unwrap();
        let expected: Vec<_> = written
            .iter()
            .filter(|decision| decision.last > after)
            .cloned()
            .collect();
        assert_eq!(newer, [expected], "after {after}");
    }
    let newer = store
        .decisions_after(vec![(game_id(1), u64::MAX)])
        .await
        .unwrap();
    assert_eq!(newer, [Vec::new()]);
}

/// [`Store::append_decision`] with the same write id.
pub async fn a_retry_after_a_lost_answer_is_recognised(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    let mut first = append(game_id(1), 1, 100);
    first.seat = Some((SeatColor::White, guest(1)));
    assert_eq!(
        store.append_decision(first.clone()).await,
        Ok(AppendResult::Written)
    );
    assert_eq!(
        store.append_decision(first.clone()).await,
        Ok(AppendResult::Already)
    );
    // The opponent has moved on meanwhile.
    for number in 2..9 {
        let next = append(game_id(1), number, u128::from(number));
        assert_eq!(store.append_decision(next).await, Ok(AppendResult::Written));
    }
    let before = whole(&*store, 1).await;
    assert_eq!(
        store.append_decision(first).await,
        Ok(AppendResult::Already)
    );
    assert_eq!(whole(&*store, 1).await, before, "a repeat changes nothing");
}

/// [`Store::append_decision`] with a number that is not the next.
pub async fn a_gap_and_the_middle_of_a_decision_are_refused(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    let behind = |last, newer| Ok(AppendResult::Behind { last, newer });
    let ahead = store.append_decision(append(game_id(1), 2, 1)).await;
    assert_eq!(ahead, behind(0, Vec::new()));
    let mut three = append(game_id(1), 1, 1);
    three.decision = decision(1, 3, 1);
    store.append_decision(three.clone()).await.unwrap();
    for first in 1..=3 {
        let deed = append(game_id(1), first, 77);
        let answer = store.append_decision(deed).await;
        assert_eq!(answer, behind(3, vec![three.decision.clone()]), "{first}");
    }
    let answer = store.append_decision(append(game_id(1), 5, 77)).await;
    assert_eq!(answer, behind(3, Vec::new()));
    let nowhere = store.append_decision(append(game_id(2), 1, 1)).await;
    assert_eq!(nowhere, Ok(AppendResult::NoGame));
    let found = whole(&*store, 1).await;
    assert_eq!(found.decisions, [three.decision]);
    assert_eq!(found.row.summary.plies, 1, "a refusal changes no summary");
}

/// [`GameChanges`].
pub async fn what_changes_for_lists_changes_and_the_rest_stays(ground: &dyn StoreFixture) {
    let store = ground.open();
    let new = game_of(1, 10, 20);
    store.create_game(new.clone()).await.unwrap();
    let mut expected = new.summary;
    let steps = [
        GameChanges::default(),
        GameChanges {
            plies: Some(1),
            last_activity: Some(Moment(500)),
            ..GameChanges::default()
        },
        GameChanges {
            white: Some(PlayerSummary::guest("Clara")),
            ..GameChanges::default()
        },
        GameChanges {
            black: Some(PlayerSummary::person("Dora", person_id(30))),
            public: Some(false),
            ..GameChanges::default()
        },
        GameChanges {
            phase: Some(GamePhase::Finished),
            status: Some("resign".to_owned()),
            result: Some("0-1".to_owned()),
            ..GameChanges::default()
        },
    ];
    for (first, changes) in (1..).zip(steps) {
        let deed = AppendDecision {
            changes: changes.clone(),
            ..append(game_id(1), first, u128::from(first))
        };
        store.append_decision(deed).await.unwrap();
        let GameChanges {
            white,
            black,
            phase,
            status,
            result,
            plies,
            last_activity,
            public,
        } = changes;
        expected.white = white.unwrap_or(expected.white);
        expected.black = black.unwrap_or(expected.black);
        expected.phase = phase.unwrap_or(expected.phase);
        expected.status = status.unwrap_or(expected.status);
        expected.result = result.or(expected.result);
        expected.plies = plies.unwrap_or(expected.plies);
        expected.last_activity = last_activity.unwrap_or(expected.last_activity);
        expected.public = public.unwrap_or(expected.public);
        assert_eq!(whole(&*store, 1).await.row.summary, expected);
    }
}

/// A game of 600 decisions, some of the largest.
pub async fn a_long_game_with_long_texts_comes_back_whole(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    let mut written = Vec::new();
    for first in 1..=600 {
        let mut deed = append(game_id(1), first, u128::from(first));
        if first % 50 == 0 {
            deed.decision.text = "♞".repeat(limits::MAX_DECISION_BYTES / 3);
        }
        written.push(deed.decision.clone());
        assert_eq!(store.append_decision(deed).await, Ok(AppendResult::Written));
    }
    assert_eq!(whole(&*store, 1).await.decisions, written);
    let late = store
        .append_decision(append(game_id(1), 1, 9_999))
        .await
        .unwrap();
    let newer = written;
    assert_eq!(late, AppendResult::Behind { last: 600, newer });
}

/// [`Store::load_games`] and [`Store::decisions_after`] of many games.
pub async fn several_games_are_read_at_once(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 0..20 {
        store.create_game(game(n)).await.unwrap();
        for first in 1..=n {
            let deed = append(game_id(n), first, u128::from(first));
            store.append_decision(deed).await.unwrap();
        }
    }
    let asked = [7, 99, 3, 19, 0];
    let loaded = store.load_games(asked.map(game_id).to_vec()).await.unwrap();
    let ids: Vec<_> = loaded.iter().map(|game| game.row.id).collect();
    assert_eq!(ids, [7, 3, 19, 0].map(game_id));
    let lasts: Vec<_> = loaded.iter().map(StoredGame::last).collect();
    assert_eq!(lasts, [7, 3, 19, 0]);
    let newer = store
        .decisions_after(asked.map(|n| (game_id(n), 5)).to_vec())
        .await
        .unwrap();
    let counts: Vec<_> = newer.iter().map(Vec::len).collect();
    assert_eq!(counts, [2, 0, 0, 14, 0]);
    let too_many = vec![game_id(1); limits::MAX_ROWS + 1];
    let answer = store.load_games(too_many).await;
    assert!(matches!(answer, Err(Error::TooMany { .. })), "{answer:?}");
}

/// Texts are not case-folded, trimmed or normalised.
pub async fn texts_in_every_script_come_back_byte_for_byte(ground: &dyn StoreFixture) {
    let store = ground.open();
    let texts = [
        "Магнус",
        "棋手",
        "e\u{301} is not é",
        "עַיִן",
        "👩‍💻♟️",
        " spaces ",
        "it's \"quoted\"; -- DROP TABLE games",
        "line\nline\r\n\ttab",
        "\u{feff}\u{200b}\u{202e}",
        "\u{10ffff}",
        "",
    ];
    for (n, text) in (0..).zip(texts) {
        let mut new = game(n);
        new.opening = text.to_owned();
        new.summary.white = PlayerSummary::guest(text);
        store.create_game(new.clone()).await.unwrap();
        let mut deed = append(game_id(n), 1, 1);
        deed.decision.text = text.to_owned();
        store.append_decision(deed.clone()).await.unwrap();
        let mut who = person(n);
        who.name = text.to_owned();
        who.skeleton = text.to_owned();
        assert_eq!(
            store.add_person(who.clone()).await,
            Ok(AddPersonResult::Written)
        );
        let found = whole(&*store, n).await;
        assert_eq!(found.opening, text);
        assert_eq!(
            found.row.summary,
            GameSummary {
                plies: 1,
                ..new.summary
            }
        );
        assert_eq!(found.decisions, [deed.decision]);
        assert_eq!(store.person_named(text.to_owned()).await, Ok(Some(who)));
    }
}

/// [`limits`].
pub async fn what_is_too_large_is_refused_and_nothing_is_written(ground: &dyn StoreFixture) {
    let store = ground.open();
    let mut new = game(1);
    new.opening = "x".repeat(limits::MAX_OPENING_BYTES + 1);
    let answer = store.create_game(new).await;
    let limit = limits::MAX_OPENING_BYTES;
    let too_long = Error::TooLong {
        what: "the opening of a game",
        length: limit + 1,
        limit,
    };
    assert_eq!(answer, Err(too_long));
    assert_eq!(store.load_games(vec![game_id(1)]).await, Ok(Vec::new()));
    store.create_game(game(1)).await.unwrap();
    let mut largest = append(game_id(1), 1, 1);
    largest.decision.text = "x".repeat(limits::MAX_DECISION_BYTES);
    largest.decision.last = limits::MAX_DECISION_EVENTS;
    let mut long = largest.clone();
    long.decision.text.push('x');
    let mut nul = largest.clone();
    nul.decision.text = "e4\0".to_owned();
    let mut many = largest.clone();
    many.decision.last += 1;
    let mut backwards = largest.clone();
    backwards.decision.last = 0;
    let mut none = largest.clone();
    none.decision.first = 0;
    let mut far = largest.clone();
    far.decision.first = u64::MAX;
    far.decision.last = u64::MAX;
    let mut name = largest.clone();
    name.changes.white = Some(PlayerSummary::guest(
        &"x".repeat(limits::MAX_NAME_BYTES + 1),
    ));
    for wrong in [long, nul, many, backwards, none, far, name] {
        let numbers = (wrong.decision.first, wrong.decision.last);
        let answer = store.append_decision(wrong).await;
        assert!(answer.is_err(), "{numbers:?}");
    }
    assert_eq!(whole(&*store, 1).await.last(), 0);
    assert_eq!(
        store.append_decision(largest).await,
        Ok(AppendResult::Written)
    );
    let mut who = person(1);
    who.name = "x".repeat(limits::MAX_NAME_BYTES + 1);
    assert!(store.add_person(who).await.is_err());
}

/// Everything is there after the store is closed and opened again.
pub async fn after_a_restart_everything_is_there(ground: &dyn StoreFixture) {
    let mut expected = Vec::new();
    for round in 0..3 {
        let store = ground.open();
        let ids: Vec<_> = (0..round).map(game_id).collect();
        assert_eq!(
            store.load_games(ids).await.unwrap(),
            expected,
            "round {round}"
        );
        let mut new = game_of(round, round, 100);
        new.due = Some(Moment(50));
        store.create_game(new).await.unwrap();
        store.add_person(person(round)).await.unwrap();
        for first in 1..=30 {
            let mut deed = append(game_id(round), first, u128::from(first));
            deed.due = DueChange::By(Moment(100 - first.cast_signed()));
            store.append_decision(deed).await.unwrap();
        }
        expected.push(whole(&*store, round).await);
    }
    let store = ground.open();
    let again = append(game_id(2), 30, 30);
    assert_eq!(
        store.append_decision(again).await,
        Ok(AppendResult::Already)
    );
    let holder = Holder::Person(person_id(2));
    let seated = store.sit(game_id(2), SeatColor::White, holder).await;
    assert_eq!(seated, Ok(SitResult::Already));
    let lease = std::time::Duration::from_secs(1);
    let due = store.lease_due_games(Moment(50), lease, 10).await.unwrap();
    assert_eq!(due.len(), 3);
    assert_eq!(
        store.add_person(person(1)).await,
        Ok(AddPersonResult::Already)
    );
}

/// [`Store::heads`] and [`Store::decisions`].
pub async fn a_head_and_a_part_of_a_journal_come_without_the_rest(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in [1, 2] {
        store.create_game(game_of(n, 10, 20)).await.unwrap();
    }
    let mut written = Vec::new();
    for first in [1, 3, 5, 7, 9] {
        let mut deed = append(game_id(1), first, u128::from(first));
        deed.decision = decision(first, first + 1, u128::from(first));
        written.push(deed.decision.clone());
        store.append_decision(deed).await.unwrap();
    }
    let ids = vec![game_id(2), game_id(9), game_id(1)];
    let heads = store.heads(ids.clone()).await.unwrap();
    let whole = store.load_games(ids).await.unwrap();
    assert_eq!(heads.len(), 2, "there is no game 9");
    for (head, whole) in heads.iter().zip(&whole) {
        assert_eq!((&head.row, &head.opening), (&whole.row, &whole.opening));
        assert_eq!(head.seats, whole.seats);
    }
    let mut read = Vec::new();
    loop {
        let after = read
            .last()
            .map_or(0, |decision: &StoredDecision| decision.last);
        let part = store.decisions(game_id(1), after, 2).await.unwrap();
        assert!(part.len() <= 2);
        if part.is_empty() {
            break;
        }
        read.extend(part);
    }
    assert_eq!(read, written);
    assert_eq!(store.decisions(game_id(9), 0, 2).await, Ok(Vec::new()));
    assert_eq!(store.decisions(game_id(1), 0, 0).await, Ok(Vec::new()));
}
