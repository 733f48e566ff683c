//! Conformance tests of concurrent calls.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::task::{Context, Waker};

use crate::conformance::games::whole;
use crate::conformance::sample::{
    append, decision, digest, game, game_id, guest, offer_id, person, person_id, seek,
};
use crate::conformance::{StoreFixture, at_once};
use crate::{
    AddPersonResult, AppendResult, CloseOffer, CloseOfferResult, CreateResult, Error, GameQuery,
    Holder, Moment, OfferStatus, RevocationTarget, SeatColor, SitResult, StoredDecision, TakeOffer,
    TakeOfferResult, Token, WriteId, limits,
};

/// [`Store::append_decision`](crate::Store::append_decision) by many callers.
pub async fn of_many_who_decide_the_same_number_one_wins_and_the_others_learn_what_is_newer(
    ground: &dyn StoreFixture,
) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    let mut first = 1;
    for round in 0..20 {
        let answers = at_once(32, |caller| {
            let store = Arc::clone(&store);
            let mark = u128::from(round * 100 + caller + 1);
            let mut deed = append(game_id(1), first, mark);
            deed.decision = decision(first, first + caller % 3, mark);
            async move {
                (
                    deed.decision.clone(),
                    store.append_decision(deed).await.unwrap(),
                )
            }
        })
        .await;
        let winners: Vec<&StoredDecision> = answers
            .iter()
            .filter(|(_, answer)| *answer == AppendResult::Written)
            .map(|(decision, _)| decision)
            .collect();
        let [winner] = winners[..] else {
            panic!("round {round}: {} have won", winners.len());
        };
        for (_, answer) in answers.iter().filter(|(mine, _)| mine != winner) {
            let expected = AppendResult::Behind {
                last: winner.last,
                newer: vec![winner.clone()],
            };
            assert_eq!(*answer, expected, "round {round}");
        }
        first = winner.last + 1;
    }
    let found = whole(&*store, 1).await;
    assert_eq!((found.decisions.len(), found.last()), (20, first - 1));
}

/// A client that retries before it was answered.
pub async fn the_same_write_many_times_at_once_is_written_once(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    for first in 1..=10 {
        let answers = at_once(16, |_| {
            let store = Arc::clone(&store);
            let deed = append(game_id(1), first, u128::from(first));
            async move { store.append_decision(deed).await.unwrap() }
        })
        .await;
        let count = |wanted| answers.iter().filter(|answer| **answer == wanted).count();
        let counts = (count(AppendResult::Written), count(AppendResult::Already));
        assert_eq!(counts, (1, 15));
    }
    assert_eq!(whole(&*store, 1).await.decisions.len(), 10);
}

/// 64 games with 25 decisions each.
pub async fn many_games_are_played_at_once_without_a_gap(ground: &dyn StoreFixture) {
    let store = ground.open();
    at_once(64, |n| {
        let store = Arc::clone(&store);
        async move {
            store.create_game(game(n)).await.unwrap();
            for first in 1..=25 {
                let deed = append(game_id(n), first, u128::from(first));
                assert_eq!(store.append_decision(deed).await, Ok(AppendResult::Written));
                // What was answered is visible at once.
                let seen = store
                    .decisions_after(vec![(game_id(n), first - 1)])
                    .await
                    .unwrap();
                assert_eq!(seen[0].len(), 1);
            }
        }
    })
    .await;
    let loaded = store
        .load_games((0..64).map(game_id).collect())
        .await
        .unwrap();
    assert_eq!(loaded.len(), 64);
    for game in loaded {
        let numbers: Vec<_> = game
            .decisions
            .iter()
            .map(|decision| decision.first)
            .collect();
        assert_eq!(numbers, (1..=25).collect::<Vec<u64>>());
    }
}

/// The loop of a server: lose a race, read, decide again.
pub async fn who_decides_again_after_a_lost_race_loses_nothing(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    at_once(8, |caller| {
        let store = Arc::clone(&store);
        async move {
            let mut known = 0;
            for deed in 0..10 {
                let mark = u128::from(caller * 1_000 + deed + 1);
                loop {
                    match store
                        .append_decision(append(game_id(1), known + 1, mark))
                        .await
                    {
                        Ok(AppendResult::Written) => break known += 1,
                        Ok(AppendResult::Behind { last, newer }) => {
                            assert_eq!(newer.first().map(|newer| newer.first), Some(known + 1));
                            assert_eq!(newer.last().map(|newer| newer.last), Some(last));
                            known = last;
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
        }
    })
    .await;
    let found = whole(&*store, 1).await;
    let marks: BTreeSet<_> = found.decisions.iter().map(|deed| deed.mark.0).collect();
    assert_eq!((found.last(), marks.len()), (80, 80));
}

/// Valid and invalid writes at the same time.
pub async fn a_failure_in_a_batch_is_nobody_elses(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 0..32 {
        store.create_game(game(n)).await.unwrap();
    }
    let answers = at_once(128, |caller| {
        let store = Arc::clone(&store);
        let mut deed = append(game_id(caller % 32), 1, u128::from(caller % 32));
        match caller / 32 {
            0 => {}
            1 => deed.game = game_id(1_000 + caller),
            2 => deed.decision.text = "x".repeat(limits::MAX_DECISION_BYTES + 1),
            _ => deed = append(game_id(caller % 32), 7, 1),
        }
        async move { (caller / 32, store.append_decision(deed).await) }
    })
    .await;
    for (kind, answer) in answers {
        match kind {
            0 => assert_eq!(answer, Ok(AppendResult::Written)),
            1 => assert_eq!(answer, Ok(AppendResult::NoGame)),
            2 => assert!(matches!(answer, Err(Error::TooLong { .. }))),
            _ => assert!(matches!(answer, Ok(AppendResult::Behind { .. }))),
        }
    }
}

/// A future that is dropped before it is ready.
pub async fn a_question_that_was_given_up_leaves_all_or_nothing(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    for first in 1..=50 {
        let deed = append(game_id(1), first, u128::from(first));
        let mut given_up = store.append_decision(deed.clone());
        let polled = given_up
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        drop(polled);
        drop(given_up);
        assert!(store.append_decision(deed).await.unwrap().is_stored());
    }
    assert_eq!(whole(&*store, 1).await.decisions.len(), 50);
}

/// [`Store::sit`](crate::Store::sit).
pub async fn a_seat_is_taken_by_one_of_many(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 0..10 {
        store.create_game(game(n)).await.unwrap();
        let answers = at_once(16, |caller| {
            let store = Arc::clone(&store);
            async move {
                let answer = store.sit(game_id(n), SeatColor::Black, guest(caller)).await;
                (caller, answer.unwrap())
            }
        })
        .await;
        let taken: Vec<_> = answers
            .iter()
            .filter(|(_, answer)| *answer == SitResult::Taken)
            .collect();
        let held = answers
            .iter()
            .filter(|(_, answer)| *answer == SitResult::Held)
            .count();
        assert_eq!((taken.len(), held), (1, 15));
        let winner = guest(taken[0].0);
        let seats = whole(&*store, n).await.seats;
        assert_eq!((seats.white, seats.black), (None, Some(winner)));
        let again = store.sit(game_id(n), SeatColor::Black, winner).await;
        assert_eq!(again, Ok(SitResult::Already));
        let other = store.sit(game_id(n), SeatColor::White, winner).await;
        assert_eq!(other, Ok(SitResult::Taken));
    }
    let nowhere = store.sit(game_id(99), SeatColor::White, guest(1)).await;
    assert_eq!(nowhere, Ok(SitResult::NoGame));
}

/// [`Store::move_seats`](crate::Store::move_seats).
pub async fn the_seats_of_a_guest_are_given_to_a_person(ground: &dyn StoreFixture) {
    let store = ground.open();
    let (anna, bea) = (Holder::Person(person_id(1)), guest(2));
    for n in 0..4 {
        store.create_game(game(n)).await.unwrap();
    }
    // One seat, both seats, a seat beside the person's own, and none.
    for (n, seat, holder) in [
        (0, SeatColor::White, guest(1)),
        (0, SeatColor::Black, bea),
        (1, SeatColor::White, guest(1)),
        (1, SeatColor::Black, guest(1)),
        (2, SeatColor::White, guest(1)),
        (2, SeatColor::Black, anna),
        (3, SeatColor::White, bea),
    ] {
        assert_eq!(
            store.sit(game_id(n), seat, holder).await,
            Ok(SitResult::Taken)
        );
    }
    let moving = store.move_seats(digest(1), person_id(1), 10);
    let mut moved = moving.await.unwrap();
    moved.sort();
    assert_eq!(moved, [game_id(0), game_id(1)]);
    let mut expected = vec![
        (Some(anna), Some(bea)),
        (Some(anna), Some(anna)),
        (Some(guest(1)), Some(anna)),
        (Some(bea), None),
    ];
    for (n, expected) in (0..).zip(expected.drain(..)) {
        let seats = whole(&*store, n).await.seats;
        assert_eq!((seats.white, seats.black), expected, "game {n}");
    }
    let found = store.revocations(0, 10).await.unwrap();
    let targets: Vec<_> = found.iter().map(|one| one.target).collect();
    assert_eq!(targets, [RevocationTarget::Secret(digest(1))]);
    // The person's lists contain them now.
    let query = GameQuery {
        holder: Some(anna),
        ..GameQuery::default()
    };
    let page = store.list_games(query, None, 10).await.unwrap();
    assert_eq!(page.games.len(), 3);
    let again = store.move_seats(digest(1), person_id(1), 10).await;
    assert_eq!(again, Ok(Vec::new()));
}

/// A transaction moves the seats of a bounded number of games, both seats of a game together.
pub async fn many_seats_of_a_guest_are_given_to_a_person_in_batches(ground: &dyn StoreFixture) {
    let store = ground.open();
    let anna = Holder::Person(person_id(1));
    for n in 0..7 {
        store.create_game(game(n)).await.unwrap();
        // In every second game the guest has both seats; in the last one the person has one.
        let other = match n {
            6 => Some(anna),
            _ => (n % 2 == 1).then_some(guest(1)),
        };
        for (seat, holder) in [
            (SeatColor::Black, Some(guest(1))),
            (SeatColor::White, other),
        ] {
            if let Some(holder) = holder {
                assert_eq!(
                    store.sit(game_id(n), seat, holder).await,
                    Ok(SitResult::Taken)
                );
            }
        }
    }
    let mut moved = Vec::new();
    for count in [4, 2, 0] {
        let batch = store.move_seats(digest(1), person_id(1), 4).await.unwrap();
        assert_eq!(batch.len(), count);
        for game in &batch {
            let seats = &store.heads(vec![*game]).await.unwrap()[0].seats;
            assert_ne!(seats.white, Some(guest(1)), "{game}");
            assert_eq!(seats.black, Some(anna), "{game}");
        }
        moved.extend(batch);
        let found = store.revocations(0, 10).await.unwrap();
        let target = RevocationTarget::Secret(digest(1));
        assert!(found.last().is_some_and(|last| last.target == target));
    }
    moved.sort();
    assert_eq!(moved, (0..6).map(game_id).collect::<Vec<_>>());
}

/// [`AppendDecision::seat`](crate::AppendDecision::seat).
pub async fn a_seat_and_its_event_are_written_together_or_not(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 0..10 {
        store.create_game(game(n)).await.unwrap();
        let answers = at_once(16, |caller| {
            let store = Arc::clone(&store);
            let mut deed = append(game_id(n), 1, u128::from(caller));
            deed.seat = Some((SeatColor::White, guest(caller)));
            async move { (caller, store.append_decision(deed).await.unwrap()) }
        })
        .await;
        let winners: Vec<_> = answers
            .iter()
            .filter(|(_, answer)| *answer == AppendResult::Written)
            .map(|(caller, _)| *caller)
            .collect();
        let [winner] = winners[..] else {
            panic!("{} have won", winners.len());
        };
        let found = whole(&*store, n).await;
        assert_eq!(found.seats.white, Some(guest(winner)));
        assert_eq!(found.decisions[0].mark, WriteId(u128::from(winner)));
        // A decision with the right number but a seat that is taken writes nothing.
        let mut late = append(game_id(n), 2, 99);
        late.seat = Some((SeatColor::White, guest(99)));
        assert_eq!(
            store.append_decision(late.clone()).await,
            Ok(AppendResult::SeatHeld)
        );
        assert_eq!(whole(&*store, n).await, found);
        // A decision with a free seat but the wrong number does not take the seat.
        late.seat = Some((SeatColor::Black, guest(99)));
        late.decision.first = 1;
        late.decision.last = 1;
        let answer = store.append_decision(late).await.unwrap();
        assert!(matches!(answer, AppendResult::Behind { .. }));
        assert_eq!(whole(&*store, n).await, found);
    }
}

/// [`Store::create_game`](crate::Store::create_game) by many callers.
pub async fn a_game_is_begun_by_one_of_many(ground: &dyn StoreFixture) {
    let store = ground.open();
    let answers = at_once(16, |caller| {
        let store = Arc::clone(&store);
        let mut new = game(1);
        new.mark = WriteId(u128::from(caller));
        new.seats.white = Some(guest(caller));
        async move { (caller, store.create_game(new).await.unwrap()) }
    })
    .await;
    let winners: Vec<_> = answers
        .iter()
        .filter(|(_, answer)| *answer == CreateResult::Written)
        .collect();
    assert_eq!(winners.len(), 1);
    let seats = whole(&*store, 1).await.seats;
    assert_eq!(seats.white, Some(guest(winners[0].0)));
}

/// [`Store::add_person`](crate::Store::add_person) by many callers.
pub async fn a_name_is_taken_by_one_of_many(ground: &dyn StoreFixture) {
    let store = ground.open();
    let answers = at_once(16, |caller| {
        let store = Arc::clone(&store);
        let mut new = person(caller);
        new.skeleton = "anna".to_owned();
        async move { store.add_person(new).await.unwrap() }
    })
    .await;
    let count = |wanted| answers.iter().filter(|answer| **answer == wanted).count();
    assert_eq!(
        (
            count(AddPersonResult::Written),
            count(AddPersonResult::NameTaken)
        ),
        (1, 15)
    );
}

/// [`Store::take_offer`](crate::Store::take_offer) and [`Store::close_offer`](crate::Store::close_offer).
pub async fn an_offer_is_taken_declined_or_cancelled_by_one_of_many(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 0..20 {
        store.create_offer(seek(n)).await.unwrap();
        let answers = at_once(12, |caller| {
            let store = Arc::clone(&store);
            let new = game(n * 100 + caller);
            let take = TakeOffer {
                offer: offer_id(n),
                now: Moment(5),
                game: new,
            };
            let reason = format!("no, says {caller}");
            async move {
                let is_done = match caller % 3 {
                    0 => {
                        store
                            .close_offer(offer_id(n), CloseOffer::Cancel)
                            .await
                            .unwrap()
                            == CloseOfferResult::Written
                    }
                    1 => {
                        let decline = CloseOffer::Decline { reason };
                        store.close_offer(offer_id(n), decline).await.unwrap()
                            == CloseOfferResult::Written
                    }
                    _ => store.take_offer(take).await.unwrap() == TakeOfferResult::Written,
                };
                (caller, is_done)
            }
        })
        .await;
        let done: Vec<_> = answers
            .iter()
            .filter(|(_, is_done)| *is_done)
            .map(|(caller, _)| *caller)
            .collect();
        let [winner] = done[..] else {
            panic!("{} have won", done.len());
        };
        let game = game_id(n * 100 + winner);
        let expected = match winner % 3 {
            0 => OfferStatus::Cancelled,
            1 => OfferStatus::Declined {
                reason: format!("no, says {winner}"),
            },
            _ => OfferStatus::Taken { game },
        };
        let offer = store.find_offer(offer_id(n)).await.unwrap().unwrap();
        assert_eq!(offer.status, expected);
        let ids = (0..12).map(|caller| game_id(n * 100 + caller)).collect();
        let games = store.load_games(ids).await.unwrap();
        let begun: Vec<_> = games.iter().map(|game| game.row.id).collect();
        let of_the_winner = if winner % 3 == 2 { vec![game] } else { vec![] };
        assert_eq!(begun, of_the_winner, "nobody else's game began");
    }
}

/// [`Store::revoke_token`](crate::Store::revoke_token).
pub async fn a_token_is_revoked_by_one_of_many(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.add_person(person(1)).await.unwrap();
    let token = Token {
        hash: digest(1),
        person: person_id(1),
        label: "bot".to_owned(),
        scopes: "bot:play".to_owned(),
        created: Moment(1),
        last_used: None,
        expires: None,
        revoked: None,
    };
    assert_eq!(store.add_token(token).await, Ok(true));
    let answers = at_once(16, |caller| {
        let store = Arc::clone(&store);
        async move {
            let at = Moment(caller.cast_signed());
            store.revoke_token(digest(1), at).await.unwrap()
        }
    })
    .await;
    assert_eq!(answers.iter().filter(|is_done| **is_done).count(), 1);
}
