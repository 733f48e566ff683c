//! Conformance tests of revocations: each is recorded once, in order, in the transaction of what it records.

use std::sync::Arc;

use crate::conformance::sample::{digest, guest, person, person_id};
use crate::conformance::{StoreFixture, at_once};
use crate::{
    Digest, ExpiredKind, Holder, LoginSession, Moment, PersonChanges, PersonId, Revocation,
    RevocationTarget, Store, Token,
};

async fn add_person_with_session(store: &dyn Store, number: u64) -> (PersonId, Digest) {
    store.add_person(person(number)).await.unwrap();
    let session = LoginSession {
        hash: digest(number),
        holder: Holder::Person(person_id(number)),
        name: None,
        created: Moment(1),
        expires: Moment(i64::MAX),
    };
    store.add_session(session).await.unwrap();
    (person_id(number), digest(number))
}

async fn add_token(store: &dyn Store, number: u64, person: PersonId) -> Digest {
    let token = Token {
        hash: digest(number),
        person,
        label: String::new(),
        scopes: "board:play".to_owned(),
        created: Moment(1),
        last_used: None,
        expires: None,
        revoked: None,
    };
    assert_eq!(store.add_token(token).await, Ok(true));
    digest(number)
}

const fn disable() -> PersonChanges {
    PersonChanges {
        name: None,
        kind: None,
        password: None,
        disabled: Some(Some(Moment(50))),
    }
}

fn targets(revocations: &[Revocation]) -> Vec<RevocationTarget> {
    revocations.iter().map(|one| one.target).collect()
}

/// [`Store::revocations`](crate::Store::revocations).
pub async fn every_end_of_a_right_is_noted_in_order(ground: &dyn StoreFixture) {
    let store = ground.open();
    assert_eq!(store.newest_revocation().await, Ok(0));
    assert_eq!(store.revocations(0, 10).await, Ok(Vec::new()));
    let (anna, first) = add_person_with_session(&*store, 1).await;
    let (bea, second) = add_person_with_session(&*store, 2).await;
    let token = add_token(&*store, 11, anna).await;
    assert_eq!(store.end_session(first).await, Ok(true));
    assert_eq!(store.revoke_token(token, Moment(9)).await, Ok(true));
    assert_eq!(store.change_person(anna, disable()).await, Ok(true));
    assert_eq!(store.end_sessions_of(bea).await, Ok(1));
    let found = store.revocations(0, 10).await.unwrap();
    let expected = [
        RevocationTarget::Secret(first),
        RevocationTarget::Secret(token),
        RevocationTarget::Person(anna),
        RevocationTarget::Secret(second),
    ];
    assert_eq!(targets(&found), expected);
    assert!(found.is_sorted_by(|a, b| a.number < b.number));
    let newest = store.newest_revocation().await.unwrap();
    assert_eq!(Some(newest), found.last().map(|one| one.number));
    let page = store.revocations(found[1].number, 1).await.unwrap();
    assert_eq!(page, [found[2]]);
    drop(store);
    let again = ground.open();
    assert_eq!(again.revocations(0, 10).await, Ok(found));
}

/// Repeated or empty calls, and calls that take nothing away.
pub async fn what_ends_no_right_is_not_noted(ground: &dyn StoreFixture) {
    let store = ground.open();
    let (anna, session) = add_person_with_session(&*store, 1).await;
    let token = add_token(&*store, 11, anna).await;
    store.revoke_token(token, Moment(9)).await.unwrap();
    store.end_session(session).await.unwrap();
    let before = store.newest_revocation().await.unwrap();
    assert_eq!(store.revoke_token(token, Moment(10)).await, Ok(false));
    assert_eq!(store.end_session(session).await, Ok(false));
    assert_eq!(store.end_sessions_of(anna).await, Ok(0));
    assert_eq!(
        store.change_person(person_id(7), disable()).await,
        Ok(false)
    );
    let enable = PersonChanges {
        disabled: Some(None),
        password: Some(None),
        ..PersonChanges::default()
    };
    assert_eq!(store.change_person(anna, enable).await, Ok(true));
    let name_of_guest = LoginSession {
        hash: digest(3),
        holder: guest(3),
        name: Some("Carla".to_owned()),
        created: Moment(1),
        expires: Moment(i64::MAX),
    };
    store.add_session(name_of_guest).await.unwrap();
    assert_eq!(store.end_session(digest(3)).await, Ok(true));
    assert_eq!(store.newest_revocation().await, Ok(before));
}

/// Numbers become visible in order: a poller misses none, whichever commits first.
pub async fn revocations_of_many_at_once_are_all_read_by_who_polls(ground: &dyn StoreFixture) {
    const COUNT: u64 = 24;
    let store = ground.open();
    for number in 1..=COUNT {
        add_person_with_session(&*store, number).await;
    }
    let polling = Arc::clone(&store);
    let polled = tokio::spawn(async move {
        let (mut seen, mut after) = (Vec::new(), 0);
        while seen.len() < usize::try_from(COUNT).unwrap() {
            let found = polling.revocations(after, 5).await.unwrap();
            after = found.last().map_or(after, |one| one.number);
            seen.extend(targets(&found));
            tokio::task::yield_now().await;
        }
        seen
    });
    let ending = Arc::clone(&store);
    at_once(COUNT, move |number| {
        let store = Arc::clone(&ending);
        async move { store.end_session(digest(number + 1)).await.unwrap() }
    })
    .await;
    let seen = tokio::time::timeout(std::time::Duration::from_secs(20), polled);
    let seen = seen.await.expect("none is missed").unwrap();
    for number in 1..=COUNT {
        assert!(seen.contains(&RevocationTarget::Secret(digest(number))));
    }
}

/// [`ExpiredKind::Revocations`].
pub async fn old_revocations_are_deleted_and_their_numbers_are_not_used_again(
    ground: &dyn StoreFixture,
) {
    let store = ground.open();
    let (_, session) = add_person_with_session(&*store, 1).await;
    store.end_session(session).await.unwrap();
    let number = store.newest_revocation().await.unwrap();
    let now = store.now().await.unwrap();
    let delete = |before| store.delete_expired(ExpiredKind::Revocations, before, 10);
    assert_eq!(delete(now.plus_millis(-60_000)).await, Ok(0));
    assert_eq!(store.newest_revocation().await, Ok(number));
    assert_eq!(delete(now.plus_millis(60_000)).await, Ok(1));
    assert_eq!(store.revocations(0, 10).await, Ok(Vec::new()));
    // Otherwise a poller would miss the revocation with a reused number.
    let (_, session) = add_person_with_session(&*store, 2).await;
    store.end_session(session).await.unwrap();
    assert!(store.newest_revocation().await.unwrap() > number);
}

/// [`Store::revoke_tokens_of`](crate::Store::revoke_tokens_of).
pub async fn tokens_that_are_revoked_together_are_all_noted(ground: &dyn StoreFixture) {
    let store = ground.open();
    let (person, _) = add_person_with_session(&*store, 1).await;
    for n in [50, 51] {
        add_token(&*store, n, person).await;
    }
    assert_eq!(store.revoke_tokens_of(person, Moment(5)).await, Ok(2));
    let noted = store.revocations(0, 10).await.unwrap();
    for n in [50, 51] {
        let target = RevocationTarget::Secret(digest(n));
        assert!(noted.iter().any(|noted| noted.target == target));
    }
}
