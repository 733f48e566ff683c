//! Conformance tests of OAuth grants, tokens revoked together, and server keys.

use crate::conformance::sample::{digest, person, person_id};
use crate::conformance::{StoreFixture, at_once};
use crate::{
    Digest, Error, Grant, Holder, LoginSession, Moment, Redemption, ServerKey, Token, limits,
};

fn grant(n: u64) -> Grant {
    Grant {
        code: digest(n),
        person: person_id(1),
        client: "a board".to_owned(),
        redirect: "https://board.example/done".to_owned(),
        challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".to_owned(),
        scopes: "board:play".to_owned(),
        created: Moment(10),
        expires: Moment(100),
    }
}

/// [`Store::redeem_grant`](crate::Store::redeem_grant).
pub async fn a_code_is_exchanged_once_and_in_time(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.add_person(person(1)).await.unwrap();
    store.add_grant(grant(1)).await.unwrap();
    store.add_grant(grant(2)).await.unwrap();
    let redeem = |code, token, now| store.redeem_grant(digest(code), digest(token), Moment(now));
    assert_eq!(redeem(9, 50, 20).await, Ok(Redemption::Unknown));
    assert_eq!(redeem(2, 50, 100).await, Ok(Redemption::Unknown), "late");
    assert_eq!(redeem(1, 51, 99).await, Ok(Redemption::First(grant(1))));
    assert_eq!(store.is_grant_replayed(digest(1)).await, Ok(false));
    let replayed = Redemption::Replayed { token: digest(51) };
    // A later replay is noticed too, and adding the code again does not reopen it.
    store.add_grant(grant(1)).await.unwrap();
    for now in [99, 5_000] {
        assert_eq!(redeem(1, 52, now).await, Ok(replayed.clone()));
    }
    assert_eq!(store.is_grant_replayed(digest(1)).await, Ok(true));
    assert_eq!(store.is_grant_replayed(digest(2)).await, Ok(false));
    assert_eq!(store.is_grant_replayed(digest(9)).await, Ok(false));
}

/// [`Redemption`].
pub async fn of_many_who_bring_a_code_at_once_one_is_the_first(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.add_person(person(1)).await.unwrap();
    store.add_grant(grant(1)).await.unwrap();
    let answers = at_once(16, |n| {
        let store = std::sync::Arc::clone(&store);
        async move {
            let token = digest(100 + n);
            (
                token,
                store.redeem_grant(digest(1), token, Moment(20)).await,
            )
        }
    })
    .await;
    let is_first = |answer: &Redemption| matches!(answer, Redemption::First(_));
    let first: Vec<Digest> = answers
        .iter()
        .filter(|(_, answer)| is_first(answer.as_ref().unwrap()))
        .map(|(token, _)| *token)
        .collect();
    assert_eq!(first.len(), 1);
    for (_, answer) in answers {
        let answer = answer.unwrap();
        assert!(is_first(&answer) || answer == Redemption::Replayed { token: first[0] });
    }
}

/// [`Store::end_sessions_of`](crate::Store::end_sessions_of).
pub async fn codes_that_nobody_has_exchanged_end_with_the_sessions(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.add_person(person(1)).await.unwrap();
    for n in [1, 2] {
        store.add_grant(grant(n)).await.unwrap();
    }
    let session = LoginSession {
        hash: digest(3),
        holder: Holder::Person(person_id(1)),
        name: None,
        created: Moment(1),
        expires: Moment(1_000),
    };
    store.add_session(session.clone()).await.unwrap();
    let redeem = |code| store.redeem_grant(digest(code), digest(50), Moment(20));
    redeem(1).await.unwrap();
    assert_eq!(store.end_sessions_of(person_id(1)).await, Ok(1));
    assert_eq!(redeem(2).await, Ok(Redemption::Unknown));
    let replayed = Redemption::Replayed { token: digest(50) };
    assert_eq!(redeem(1).await, Ok(replayed), "a replay is still found out");
    store.add_grant(grant(3)).await.unwrap();
    store.add_session(session.clone()).await.unwrap();
    assert_eq!(store.end_session(session.hash).await, Ok(true));
    assert_eq!(redeem(3).await, Ok(Redemption::Unknown));
}

/// [`Store::revoke_tokens_of`](crate::Store::revoke_tokens_of).
pub async fn codes_end_with_the_tokens_and_what_was_exchanged_counts_as_replayed(
    ground: &dyn StoreFixture,
) {
    let store = ground.open();
    for n in [1, 2] {
        store.add_person(person(n)).await.unwrap();
    }
    let of_another = Grant {
        person: person_id(2),
        ..grant(3)
    };
    for new in [grant(1), grant(2), of_another.clone()] {
        store.add_grant(new).await.unwrap();
    }
    let redeem = |code| store.redeem_grant(digest(code), digest(50), Moment(20));
    assert_eq!(redeem(1).await, Ok(Redemption::First(grant(1))));
    // The token of the first code is not added yet.
    assert_eq!(store.revoke_tokens_of(person_id(1), Moment(9)).await, Ok(0));
    assert_eq!(store.is_grant_replayed(digest(1)).await, Ok(true));
    assert_eq!(redeem(2).await, Ok(Redemption::Unknown));
    assert_eq!(redeem(3).await, Ok(Redemption::First(of_another)));
    assert_eq!(store.is_grant_replayed(digest(3)).await, Ok(false));
}

/// [`limits::GRANT_TEXT`].
pub async fn a_grant_with_long_texts_comes_back_whole_and_a_longer_one_is_refused(
    ground: &dyn StoreFixture,
) {
    let store = ground.open();
    store.add_person(person(1)).await.unwrap();
    let mut long = grant(1);
    long.redirect = format!(
        "https://board.example/{}",
        "x".repeat(limits::GRANT_TEXT - 22)
    );
    store.add_grant(long.clone()).await.unwrap();
    let answer = store.redeem_grant(digest(1), digest(50), Moment(20)).await;
    assert_eq!(answer, Ok(Redemption::First(long.clone())));
    long.redirect.push('x');
    let refused = store.add_grant(long).await;
    assert!(matches!(refused, Err(Error::TooLong { .. })), "{refused:?}");
}

/// [`Store::revoke_tokens_of`](crate::Store::revoke_tokens_of).
pub async fn all_tokens_of_a_person_are_revoked_together(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in [1, 2] {
        store.add_person(person(n)).await.unwrap();
    }
    for (n, owner) in [(1, 1), (2, 1), (3, 2)] {
        let token = Token {
            hash: digest(n),
            person: person_id(owner),
            label: String::new(),
            scopes: "bot:play".to_owned(),
            created: Moment(1),
            last_used: None,
            expires: None,
            revoked: None,
        };
        store.add_token(token).await.unwrap();
    }
    store.revoke_token(digest(1), Moment(5)).await.unwrap();
    assert_eq!(store.revoke_tokens_of(person_id(1), Moment(9)).await, Ok(1));
    assert_eq!(store.revoke_tokens_of(person_id(1), Moment(9)).await, Ok(0));
    for (n, revoked) in [(1, Some(Moment(5))), (2, Some(Moment(9))), (3, None)] {
        let token = store.token(digest(n)).await.unwrap().unwrap();
        assert_eq!(token.revoked, revoked);
    }
}

/// [`Store::server_key`](crate::Store::server_key).
pub async fn the_key_of_a_server_is_made_once(ground: &dyn StoreFixture) {
    let key = |byte: u8| ServerKey {
        bytes: [byte; 32],
        created: Moment(byte.into()),
    };
    let store = ground.open();
    let answers = at_once(8, |n| {
        let store = std::sync::Arc::clone(&store);
        let new = key(u8::try_from(n).unwrap() + 1);
        async move { store.server_key("guests", new).await.unwrap() }
    })
    .await;
    let first = answers[0];
    assert!(answers.iter().all(|kept| *kept == first), "{answers:?}");
    assert_eq!(store.server_key("others", key(77)).await, Ok(key(77)));
    drop(store);
    let store = ground.open();
    assert_eq!(store.server_key("guests", key(99)).await, Ok(first));
}
