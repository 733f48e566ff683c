//! Conformance tests of accounts, tokens and sessions.

use crate::conformance::StoreFixture;
use crate::conformance::sample::{digest, guest, person, person_id};
use crate::{
    AddPersonResult, Holder, LoginSession, Moment, PersonChanges, PersonKind, RevocationTarget,
    Token, limits,
};

fn token(n: u64, person: u64) -> Token {
    Token {
        hash: digest(n),
        person: person_id(person),
        label: format!("token {n}"),
        scopes: "bot:play board:play".to_owned(),
        created: Moment(n.cast_signed()),
        last_used: None,
        expires: Some(Moment(9_000)),
        revoked: None,
    }
}

/// [`Store::add_person`](crate::Store::add_person) and
/// [`Store::change_person`](crate::Store::change_person).
pub async fn people_come_back_and_change(ground: &dyn StoreFixture) {
    let store = ground.open();
    let mut anna = person(1);
    anna.password = Some("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned());
    assert_eq!(
        store.add_person(anna.clone()).await,
        Ok(AddPersonResult::Written)
    );
    assert_eq!(store.person(anna.id).await, Ok(Some(anna.clone())));
    let named = store.person_named("person1".to_owned()).await;
    assert_eq!(named, Ok(Some(anna.clone())));
    assert_eq!(store.person(person_id(2)).await, Ok(None));
    assert_eq!(store.person_named("Person1".to_owned()).await, Ok(None));
    let steps = [
        PersonChanges::default(),
        PersonChanges {
            name: Some("PERSON 1".to_owned()),
            kind: Some(PersonKind::Bot),
            ..PersonChanges::default()
        },
        PersonChanges {
            disabled: Some(Some(Moment(77))),
            ..PersonChanges::default()
        },
        PersonChanges {
            password: Some(None),
            disabled: Some(None),
            ..PersonChanges::default()
        },
    ];
    for changes in steps {
        let done = store.change_person(anna.id, changes.clone()).await;
        assert_eq!(done, Ok(true));
        anna.name = changes.name.unwrap_or(anna.name);
        anna.kind = changes.kind.unwrap_or(anna.kind);
        anna.password = changes.password.unwrap_or(anna.password);
        anna.disabled = changes.disabled.unwrap_or(anna.disabled);
        assert_eq!(store.person(anna.id).await, Ok(Some(anna.clone())));
    }
    let nobody = store.change_person(person_id(2), PersonChanges::default());
    assert_eq!(nobody.await, Ok(false));
}

/// [`Person::skeleton`](crate::Person::skeleton).
pub async fn names_that_look_alike_are_refused(ground: &dyn StoreFixture) {
    let store = ground.open();
    assert_eq!(
        store.add_person(person(1)).await,
        Ok(AddPersonResult::Written)
    );
    assert_eq!(
        store.add_person(person(1)).await,
        Ok(AddPersonResult::Already)
    );
    let mut alike = person(2);
    alike.skeleton = person(1).skeleton;
    assert_eq!(
        store.add_person(alike).await,
        Ok(AddPersonResult::NameTaken)
    );
    let mut same_id = person(3);
    same_id.id = person_id(1);
    assert_eq!(
        store.add_person(same_id).await,
        Ok(AddPersonResult::IdTaken)
    );
    let (mut later, mut renamed) = (person(1), person(1));
    later.created = person(2).created;
    renamed.skeleton = person(2).skeleton;
    for other in [later, renamed] {
        assert_eq!(store.add_person(other).await, Ok(AddPersonResult::IdTaken));
    }
    assert_eq!(store.person(person_id(1)).await, Ok(Some(person(1))));
    assert_eq!(store.person(person_id(2)).await, Ok(None));
}

/// [`Store::list_people`](crate::Store::list_people).
pub async fn people_are_listed_by_their_skeletons(ground: &dyn StoreFixture) {
    let store = ground.open();
    assert_eq!(store.list_people(None, 10).await, Ok(Vec::new()));
    // In the order of bytes, whatever a language's collation is.
    let skeletons = ["Zoe", "anna", "anna-2", "bert", "zoe", "äva", "анна"];
    for (n, skeleton) in (0_u32..7).zip(skeletons).rev() {
        let mut new = person(n.into());
        new.skeleton = skeleton.to_owned();
        store.add_person(new).await.unwrap();
    }
    for limit in 1..=8 {
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let page = store.list_people(after.clone(), limit).await.unwrap();
            assert!(page.len() <= limit);
            after = page.last().map(|person| person.skeleton.clone());
            if after.is_none() {
                break;
            }
            seen.extend(page.into_iter().map(|person| person.skeleton));
        }
        assert_eq!(seen, skeletons, "{limit} on a page");
    }
    let from = store.list_people(Some("b".to_owned()), 1).await.unwrap();
    assert_eq!(from[0].id, person_id(3), "nobody need have the skeleton");
    assert_eq!(store.list_people(None, 0).await, Ok(Vec::new()));
}

/// [`Token`].
pub async fn tokens_come_back_and_are_revoked_once(ground: &dyn StoreFixture) {
    let store = ground.open();
    assert_eq!(store.add_token(token(1, 1)).await, Ok(false), "of nobody");
    store.add_person(person(1)).await.unwrap();
    store.add_person(person(2)).await.unwrap();
    for n in 1..=3 {
        assert_eq!(store.add_token(token(n, 1)).await, Ok(true));
    }
    assert_eq!(store.add_token(token(4, 2)).await, Ok(true));
    let found = store.token(digest(2)).await.unwrap().unwrap();
    assert_eq!(found, token(2, 1));
    assert!(found.is_valid_at(Moment(8_999)) && !found.is_valid_at(Moment(9_000)));
    assert_eq!(store.token(digest(9)).await, Ok(None));
    let all = store.tokens_of(person_id(1)).await.unwrap();
    assert_eq!(all, [3, 2, 1].map(|n| token(n, 1)), "newest first");
    assert_eq!(store.revoke_token(digest(2), Moment(50)).await, Ok(true));
    assert_eq!(store.revoke_token(digest(2), Moment(60)).await, Ok(false));
    assert_eq!(store.revoke_token(digest(9), Moment(60)).await, Ok(false));
    // Adding the same token again does not reopen it.
    assert_eq!(store.add_token(token(2, 1)).await, Ok(true));
    let found = store.token(digest(2)).await.unwrap().unwrap();
    assert_eq!(found.revoked, Some(Moment(50)));
    assert!(!found.is_valid_at(Moment(51)));
}

/// [`Store::use_token`](crate::Store::use_token).
pub async fn the_use_of_a_token_is_noted_coarsely(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.add_person(person(1)).await.unwrap();
    store.add_token(token(1, 1)).await.unwrap();
    let minute = 60_000;
    let uses = [
        (1_000, 1_000),
        (1_000 + 9 * minute, 1_000),
        (1_000 + 10 * minute, 1_000 + 10 * minute),
        (1_000 + 11 * minute, 1_000 + 10 * minute),
        (500, 1_000 + 10 * minute),
    ];
    for (at, noted) in uses {
        store.use_token(digest(1), Moment(at)).await.unwrap();
        let found = store.token(digest(1)).await.unwrap().unwrap();
        assert_eq!(found.last_used, Some(Moment(noted)), "used at {at}");
    }
}

/// [`LoginSession`](crate::LoginSession).
pub async fn sessions_end_by_time_and_by_hand(ground: &dyn StoreFixture) {
    let store = ground.open();
    let session = |n: u64, holder| LoginSession {
        hash: digest(n),
        holder,
        name: Some("Anna".to_owned()),
        created: Moment(1),
        expires: Moment(1_000),
    };
    let anna = Holder::Person(person_id(1));
    for new in [session(1, anna), session(2, anna), session(3, guest(3))] {
        store.add_session(new.clone()).await.unwrap();
        let found = store.session(new.hash, Moment(999)).await;
        assert_eq!(found, Ok(Some(new.clone())));
        assert_eq!(store.session(new.hash, Moment(1_000)).await, Ok(None));
    }
    // It is extended, and a guest becomes a person.
    let mut longer = session(3, anna);
    longer.expires = Moment(2_000);
    longer.name = None;
    store.add_session(longer.clone()).await.unwrap();
    let found = store.session(digest(3), Moment(1_500)).await;
    assert_eq!(found, Ok(Some(longer)));
    assert_eq!(store.end_session(digest(1)).await, Ok(true));
    assert_eq!(store.end_session(digest(1)).await, Ok(false));
    assert_eq!(store.session(digest(1), Moment(5)).await, Ok(None));
    assert_eq!(store.end_sessions_of(person_id(1)).await, Ok(2));
    assert_eq!(store.session(digest(3), Moment(5)).await, Ok(None));
}

/// [`Store::renew_session`](crate::Store::renew_session).
pub async fn a_session_that_has_ended_is_not_renewed(ground: &dyn StoreFixture) {
    let store = ground.open();
    let mut session = LoginSession {
        hash: digest(1),
        holder: Holder::Person(person_id(1)),
        name: None,
        created: Moment(1),
        expires: Moment(1_000),
    };
    store.add_session(session.clone()).await.unwrap();
    for (expires, lasts_until) in [(2_000, 2_000), (1_500, 2_000)] {
        let renewed = store.renew_session(digest(1), Moment(expires)).await;
        assert_eq!(renewed, Ok(true));
        session.expires = Moment(lasts_until);
        let found = store.session(digest(1), Moment(5)).await;
        assert_eq!(found, Ok(Some(session.clone())));
    }
    assert_eq!(store.end_session(digest(1)).await, Ok(true));
    let renewed = store.renew_session(digest(1), Moment(3_000)).await;
    assert_eq!(renewed, Ok(false));
    assert_eq!(store.session(digest(1), Moment(5)).await, Ok(None));
}

/// The limit of [`Store::add_session`](crate::Store::add_session).
pub async fn nobody_has_sessions_without_end(ground: &dyn StoreFixture) {
    let store = ground.open();
    let most = limits::SESSIONS_OF_PERSON as u64;
    let session = |n: u64, holder| LoginSession {
        hash: digest(n),
        holder,
        name: None,
        created: Moment(n.cast_signed()),
        expires: Moment(9_000),
    };
    let (anna, bea) = (Holder::Person(person_id(1)), Holder::Person(person_id(2)));
    let others = [session(901, bea), session(902, guest(1))];
    for new in others.clone() {
        store.add_session(new).await.unwrap();
    }
    for n in 1..=most {
        store.add_session(session(n, anna)).await.unwrap();
    }
    // Extending a session ends nothing.
    store.add_session(session(1, anna)).await.unwrap();
    assert_eq!(store.newest_revocation().await, Ok(0));
    store.add_session(session(most + 2, anna)).await.unwrap();
    // The newest stays, even if the clock has gone back.
    store.add_session(session(0, anna)).await.unwrap();
    let mut open = Vec::new();
    for n in 0..=most + 2 {
        if store.session(digest(n), Moment(5)).await.unwrap().is_some() {
            open.push(n);
        }
    }
    let left: Vec<u64> = [0].into_iter().chain(3..=most).chain([most + 2]).collect();
    assert_eq!(open, left);
    for other in others {
        let found = store.session(other.hash, Moment(5)).await;
        assert_eq!(found, Ok(Some(other)));
    }
    // Each ended session is a revocation, so that its connections are closed.
    let noted = store.revocations(0, 10).await.unwrap();
    let noted: Vec<_> = noted.iter().map(|one| one.target).collect();
    assert_eq!(noted, [1, 2].map(|n| RevocationTarget::Secret(digest(n))));
}

/// The limit of [`Store::add_token`](crate::Store::add_token).
pub async fn tokens_that_are_over_are_not_kept_without_end(ground: &dyn StoreFixture) {
    let store = ground.open();
    let most = limits::ENDED_TOKENS_OF_PERSON as u64;
    store.add_person(person(1)).await.unwrap();
    store.add_person(person(2)).await.unwrap();
    let other = Token {
        revoked: Some(Moment(1)),
        ..token(901, 2)
    };
    store.add_token(other.clone()).await.unwrap();
    let first = token(1, 1);
    store.add_token(first.clone()).await.unwrap();
    // An expired token counts like a revoked one.
    let expired = Token {
        expires: Some(Moment(2)),
        ..token(2, 1)
    };
    store.add_token(expired).await.unwrap();
    for n in 3..=2 * most {
        store.add_token(token(n, 1)).await.unwrap();
        let now = Moment(n.cast_signed());
        assert_eq!(store.revoke_token(digest(n), now).await, Ok(true));
    }
    let last = token(2 * most + 1, 1);
    store.add_token(last.clone()).await.unwrap();
    let listed = store.tokens_of(person_id(1)).await.unwrap();
    let listed: Vec<_> = listed.iter().map(|token| token.hash).collect();
    let ended = (most + 1..=2 * most).rev().map(digest);
    let left: Vec<_> = [last.hash].into_iter().chain(ended).collect();
    assert_eq!(listed.len() as u64, most + 2);
    assert_eq!(listed[..listed.len() - 1], left);
    assert_eq!(listed.last(), Some(&first.hash));
    assert_eq!(store.tokens_of(person_id(2)).await, Ok(vec![other]));
}
