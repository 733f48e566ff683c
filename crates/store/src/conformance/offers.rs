//! Conformance tests of offers with one caller at a time. `races` has those with many.

use crate::conformance::StoreFixture;
use crate::conformance::sample::{game, game_id, guest, offer_id, person, person_id, seek};
use crate::{
    CloseOffer, CloseOfferResult, Holder, MakeOfferResult, Moment, Offer, OfferStatus,
    PersonChanges, Store, TakeOffer, TakeOfferResult,
};

fn take(offer: u64, game_number: u64, now: i64) -> TakeOffer {
    TakeOffer {
        offer: offer_id(offer),
        now: Moment(now),
        game: game(game_number),
    }
}

async fn numbers(store: &dyn Store, now: i64) -> Vec<u64> {
    let seeks = store.open_seeks(Moment(now), 100).await.unwrap();
    seeks.iter().map(number).collect()
}

fn number(offer: &Offer) -> u64 {
    offer.id.as_str()[1..].parse().unwrap()
}

/// [`Store::create_offer`].
pub async fn an_offer_comes_back_as_it_was_made(ground: &dyn StoreFixture) {
    let store = ground.open();
    let challenge = Offer {
        by: Holder::Person(person_id(1)),
        to: Some(person_id(2)),
        expires: Some(Moment(99)),
        ..seek(2)
    };
    for offer in [seek(1), challenge] {
        assert_eq!(
            store.create_offer(offer.clone()).await,
            Ok(MakeOfferResult::Written)
        );
        assert_eq!(
            store.create_offer(offer.clone()).await,
            Ok(MakeOfferResult::Already)
        );
        assert_eq!(store.find_offer(offer.id).await, Ok(Some(offer.clone())));
        let other = Offer {
            by: guest(77),
            ..offer
        };
        assert_eq!(
            store.create_offer(other).await,
            Ok(MakeOfferResult::IdTaken)
        );
    }
    assert_eq!(store.find_offer(offer_id(3)).await, Ok(None));
}

/// [`Store::take_offer`].
pub async fn an_offer_that_is_taken_has_its_game_and_nobody_elses(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(5)).await.unwrap();
    store.create_offer(seek(1)).await.unwrap();
    let mut other = take(1, 5, 10);
    other.game.mark = crate::WriteId(99);
    assert_eq!(store.take_offer(other).await, Ok(TakeOfferResult::IdTaken));
    assert_eq!(numbers(&*store, 10).await, [1], "it is still open");
    assert_eq!(
        store.take_offer(take(1, 6, 10)).await,
        Ok(TakeOfferResult::Written)
    );
    assert_eq!(
        store.take_offer(take(1, 6, 10)).await,
        Ok(TakeOfferResult::Already)
    );
    let taken = Offer {
        status: OfferStatus::Taken { game: game_id(6) },
        ..seek(1)
    };
    let late = store.take_offer(take(1, 7, 11)).await;
    assert_eq!(late, Ok(TakeOfferResult::Gone(taken)));
    assert_eq!(store.load_games(vec![game_id(7)]).await, Ok(Vec::new()));
    assert_eq!(store.load_games(vec![game_id(6)]).await.unwrap().len(), 1);
    assert_eq!(
        store.take_offer(take(9, 8, 11)).await,
        Ok(TakeOfferResult::NoOffer)
    );
    // An offer that is created again after it was taken stays taken.
    assert_eq!(
        store.create_offer(seek(1)).await,
        Ok(MakeOfferResult::Already)
    );
    assert_eq!(numbers(&*store, 10).await, []);
}

/// [`Offer::expires`].
pub async fn an_offer_that_has_expired_cannot_be_taken(ground: &dyn StoreFixture) {
    let store = ground.open();
    let offer = Offer {
        expires: Some(Moment(100)),
        ..seek(1)
    };
    store.create_offer(offer.clone()).await.unwrap();
    assert_eq!(numbers(&*store, 99).await, [1]);
    assert_eq!(numbers(&*store, 100).await, []);
    let late = store.take_offer(take(1, 1, 100)).await;
    assert_eq!(late, Ok(TakeOfferResult::Gone(offer)));
    assert_eq!(store.load_games(vec![game_id(1)]).await, Ok(Vec::new()));
    assert_eq!(
        store.take_offer(take(1, 1, 99)).await,
        Ok(TakeOfferResult::Written)
    );
}

/// [`Store::close_offer`].
pub async fn an_offer_is_closed_once(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_offer(seek(1)).await.unwrap();
    store.create_offer(seek(2)).await.unwrap();
    let decline = CloseOffer::Decline {
        reason: "später".to_owned(),
    };
    let cancelled = store.close_offer(offer_id(1), CloseOffer::Cancel).await;
    assert_eq!(cancelled, Ok(CloseOfferResult::Written));
    let again = store.close_offer(offer_id(1), CloseOffer::Cancel).await;
    assert_eq!(again, Ok(CloseOfferResult::Already));
    let gone = Offer {
        status: OfferStatus::Cancelled,
        ..seek(1)
    };
    let late = store.close_offer(offer_id(1), decline.clone()).await;
    assert_eq!(late, Ok(CloseOfferResult::Gone(gone.clone())));
    assert_eq!(
        store.take_offer(take(1, 1, 5)).await,
        Ok(TakeOfferResult::Gone(gone))
    );
    let declined = store.close_offer(offer_id(2), decline.clone()).await;
    assert_eq!(declined, Ok(CloseOfferResult::Written));
    let found = store.find_offer(offer_id(2)).await.unwrap().unwrap();
    let reason = "später".to_owned();
    assert_eq!(found.status, OfferStatus::Declined { reason });
    assert_eq!(
        store.close_offer(offer_id(9), decline).await,
        Ok(CloseOfferResult::NoOffer)
    );
}

/// [`Store::open_seeks`], [`Store::challenges_by`] and [`Store::challenges_to`].
pub async fn seeks_and_challenges_are_listed_apart_while_they_are_open(ground: &dyn StoreFixture) {
    let store = ground.open();
    let challenge = |n, by, to| Offer {
        by: Holder::Person(person_id(by)),
        to: Some(person_id(to)),
        expires: Some(Moment(1_000)),
        ..seek(n)
    };
    for offer in [
        seek(3),
        seek(1),
        challenge(2, 10, 20),
        challenge(4, 20, 10),
        challenge(5, 20, 30),
        challenge(6, 10, 10),
    ] {
        store.create_offer(offer).await.unwrap();
    }
    assert_eq!(numbers(&*store, 50).await, [1, 3], "oldest first");
    assert_eq!(store.open_seeks(Moment(50), 1).await.unwrap().len(), 1);
    // Challenges by and to a person, newest first.
    let of = async |person, now, limit| {
        let (person, now) = (person_id(person), Moment(now));
        let by = store.challenges_by(person, now, limit).await.unwrap();
        let to = store.challenges_to(person, now, limit).await.unwrap();
        let numbers = |offers: &[Offer]| offers.iter().map(number).collect::<Vec<_>>();
        (numbers(&by), numbers(&to))
    };
    assert_eq!(of(10, 50, 100).await, (vec![6, 2], vec![6, 4]));
    assert_eq!(of(20, 50, 100).await, (vec![5, 4], vec![2]));
    assert_eq!(of(30, 50, 100).await, (vec![], vec![5]));
    assert_eq!(of(10, 50, 1).await, (vec![6], vec![6]));
    assert_eq!(of(10, 1_000, 100).await, (vec![], vec![]));
    store
        .close_offer(offer_id(4), CloseOffer::Cancel)
        .await
        .unwrap();
    assert_eq!(of(20, 50, 100).await, (vec![5], vec![2]));
}

/// [`Store::change_person`]: nobody can take an offer of a closed account.
pub async fn an_account_that_is_closed_has_no_open_offers(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.add_person(person(10)).await.unwrap();
    let offer = |n, by, to: Option<u64>| Offer {
        by: Holder::Person(person_id(by)),
        to: to.map(person_id),
        ..seek(n)
    };
    let [other, others, elsewhere] = [offer(4, 20, None), offer(5, 20, Some(30)), seek(6)];
    let closed = [
        offer(1, 10, None),
        offer(2, 10, Some(20)),
        offer(3, 20, Some(10)),
    ];
    let open = [other, others, elsewhere];
    for offer in closed.iter().chain(&open) {
        store.create_offer(offer.clone()).await.unwrap();
    }
    store.create_offer(offer(7, 10, None)).await.unwrap();
    store.take_offer(take(7, 1, 5)).await.unwrap();
    let disabled = |at| PersonChanges {
        disabled: Some(at),
        ..PersonChanges::default()
    };
    let close = store.change_person(person_id(10), disabled(Some(Moment(50))));
    assert_eq!(close.await, Ok(true));
    let open_again = store.change_person(person_id(10), disabled(None));
    assert_eq!(open_again.await, Ok(true));
    let status = async |offer: &Offer| {
        let found = store.find_offer(offer.id).await.unwrap();
        found.unwrap().status
    };
    for offer in &closed {
        assert_eq!(status(offer).await, OfferStatus::Cancelled, "{offer:?}");
    }
    for offer in &open {
        assert_eq!(status(offer).await, OfferStatus::Open, "{offer:?}");
    }
    let game = game_id(1);
    let taken = status(&offer(7, 10, None)).await;
    assert_eq!(taken, OfferStatus::Taken { game });
    let late = store.take_offer(take(1, 2, 60)).await;
    assert!(matches!(late, Ok(TakeOfferResult::Gone(_))), "{late:?}");
}
