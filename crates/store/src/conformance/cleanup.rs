//! Conformance tests of the deletion of expired rows.

use crate::conformance::StoreFixture;
use crate::conformance::sample::{
    append, digest, game, game_id, guest, line, offer_id, person, person_id, seek,
};
use crate::{
    ChatRoom, CloseOffer, ExpiredKind, GameChanges, GamePhase, GameQuery, Grant, LoginSession,
    Moment, Offer, Redemption, Store, Token,
};

fn offer(n: u64, expires: Option<i64>) -> Offer {
    Offer {
        expires: expires.map(Moment),
        ..seek(n)
    }
}

fn session(n: u64, expires: i64) -> LoginSession {
    LoginSession {
        hash: digest(n),
        holder: guest(n),
        name: None,
        created: Moment(1),
        expires: Moment(expires),
    }
}

fn token(n: u64, expires: Option<i64>, revoked: Option<i64>) -> Token {
    Token {
        hash: digest(n),
        person: person_id(1),
        label: String::new(),
        scopes: "bot:play".to_owned(),
        created: Moment(1),
        last_used: None,
        expires: expires.map(Moment),
        revoked: revoked.map(Moment),
    }
}

/// [`Store::delete_expired`].
pub async fn what_is_over_is_deleted_and_what_is_open_is_not(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.add_person(person(1)).await.unwrap();
    for (n, expires) in [(1, None), (2, None), (3, Some(50)), (4, Some(500))] {
        store.create_offer(offer(n, expires)).await.unwrap();
    }
    store
        .close_offer(offer_id(2), CloseOffer::Cancel)
        .await
        .unwrap();
    store.add_session(session(1, 100)).await.unwrap();
    store.add_session(session(2, 101)).await.unwrap();
    for new in [
        token(1, None, None),
        token(2, Some(100), None),
        token(3, None, Some(100)),
        token(4, Some(101), Some(101)),
    ] {
        store.add_token(new).await.unwrap();
    }
    for (n, expires) in [(1, 100), (2, 101)] {
        let grant = Grant {
            code: digest(n),
            person: person_id(1),
            client: String::new(),
            redirect: String::new(),
            challenge: String::new(),
            scopes: String::new(),
            created: Moment(1),
            expires: Moment(expires),
        };
        store.add_grant(grant).await.unwrap();
    }
    for (kind, count) in [
        (ExpiredKind::Sessions, 1),
        (ExpiredKind::Grants, 1),
        (ExpiredKind::Offers, 2),
        (ExpiredKind::Tokens, 2),
        (ExpiredKind::AbortedGames, 0),
        (ExpiredKind::Revocations, 0),
    ] {
        let deleted = store.delete_expired(kind, Moment(100), 100).await;
        assert_eq!(deleted, Ok(count), "{kind:?}");
        let again = store.delete_expired(kind, Moment(100), 100).await;
        assert_eq!(again, Ok(0), "{kind:?}");
    }
    let open = store.open_seeks(Moment(10), 10).await.unwrap();
    assert_eq!(open.len(), 2);
    assert_eq!(store.find_offer(offer_id(2)).await, Ok(None));
    assert!(
        store
            .session(digest(2), Moment(100))
            .await
            .unwrap()
            .is_some()
    );
    let left = store.tokens_of(person_id(1)).await.unwrap();
    assert_eq!(left.len(), 2);
    let late = store.redeem_grant(digest(1), digest(9), Moment(5)).await;
    assert_eq!(late, Ok(Redemption::Unknown));
    let open = store.redeem_grant(digest(2), digest(9), Moment(5)).await;
    assert!(matches!(open, Ok(Redemption::First(_))));
}

/// The limit of [`Store::delete_expired`].
pub async fn rows_are_deleted_in_batches(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 1..=25 {
        store.add_session(session(n, 50)).await.unwrap();
    }
    for count in [10, 10, 5, 0] {
        let deleted = store.delete_expired(ExpiredKind::Sessions, Moment(100), 10);
        assert_eq!(deleted.await, Ok(count));
    }
}

/// Ends a game with this status after so many plies.
async fn end(store: &dyn Store, n: u64, status: &str, plies: u32) {
    let mut last = append(game_id(n), 1, 1);
    last.changes = GameChanges {
        phase: Some(GamePhase::Finished),
        status: Some(status.to_owned()),
        plies: Some(plies),
        ..GameChanges::default()
    };
    store.append_decision(last).await.unwrap();
    store
        .add_chat_line(line(game_id(n), ChatRoom::Players, "hello"))
        .await
        .unwrap();
}

/// [`ExpiredKind::AbortedGames`].
pub async fn aborted_games_are_deleted_whole_and_others_stay(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 1..=6 {
        let mut new = game(n);
        new.created = Moment(if n == 5 { 100 } else { 10 });
        new.due = Some(Moment(50));
        new.seats.white = Some(guest(7));
        store.create_game(new).await.unwrap();
    }
    end(&*store, 1, "aborted", 0).await;
    end(&*store, 2, "aborted", 1).await;
    end(&*store, 3, "resigned", 0).await;
    end(&*store, 4, "aborted", 2).await;
    end(&*store, 5, "aborted", 0).await;
    let deleted = store.delete_expired(ExpiredKind::AbortedGames, Moment(100), 100);
    assert_eq!(deleted.await, Ok(2));
    let left = store
        .load_games((1..=6).map(game_id).collect())
        .await
        .unwrap();
    let left: Vec<_> = left.iter().map(|game| game.row.id).collect();
    assert_eq!(left, [3, 4, 5, 6].map(game_id));
    let mine = GameQuery {
        holder: Some(guest(7)),
        ..GameQuery::default()
    };
    let mine = store.list_games(mine, None, 10).await.unwrap();
    assert_eq!(mine.games.len(), 4, "no seat is left behind");
    let lines = store.chat_lines(game_id(1), ChatRoom::Players, 0, 10).await;
    assert_eq!(lines, Ok(Vec::new()));
    // The id can be used again, and nothing of the old game comes back with it.
    let mut again = game(1);
    again.created = Moment(200);
    store.create_game(again).await.unwrap();
    let found = store.load_games(vec![game_id(1)]).await.unwrap();
    assert_eq!(found[0].decisions.len(), 0);
}
