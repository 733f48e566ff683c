//! Conformance tests of chat.

use std::sync::Arc;

use crate::conformance::sample::{game, game_id, line, person_id};
use crate::conformance::{StoreFixture, at_once};
use crate::{ChatRoom, Error, Moment, limits};

/// [`Store::add_chat_line`](crate::Store::add_chat_line) and [`Store::chat_lines`](crate::Store::chat_lines).
pub async fn lines_are_numbered_in_each_room(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    for number in 1..=5 {
        for room in [ChatRoom::Players, ChatRoom::Spectators] {
            let mut new = line(game_id(1), room, &format!("{room:?} {number} ♜"));
            new.person = Some(person_id(number));
            assert_eq!(store.add_chat_line(new).await, Ok(Some(number)));
        }
    }
    let lines = store
        .chat_lines(game_id(1), ChatRoom::Players, 2, 2)
        .await
        .unwrap();
    let texts: Vec<_> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["Players 3 ♜", "Players 4 ♜"]);
    assert_eq!((lines[0].number, lines[0].at), (3, Moment(7)));
    assert_eq!(lines[0].person, Some(person_id(3)));
    let all = store
        .chat_lines(game_id(1), ChatRoom::Spectators, 0, 100)
        .await;
    assert_eq!(all.unwrap().len(), 5);
    let none = store
        .chat_lines(game_id(1), ChatRoom::Players, u64::MAX, 100)
        .await;
    assert_eq!(none, Ok(Vec::new()));
    let nowhere = line(game_id(2), ChatRoom::Players, "hello?");
    assert_eq!(store.add_chat_line(nowhere).await, Ok(None));
    let nothing = store
        .chat_lines(game_id(2), ChatRoom::Players, 0, 100)
        .await;
    assert_eq!(nothing, Ok(Vec::new()));
    let long = line(
        game_id(1),
        ChatRoom::Players,
        &"x".repeat(limits::MAX_CHAT_LINE_BYTES + 1),
    );
    let answer = store.add_chat_line(long).await;
    assert!(matches!(answer, Err(Error::TooLong { .. })), "{answer:?}");
}

/// [`limits::MAX_CHAT_LINES`].
pub async fn only_the_newest_lines_are_kept(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    let quiet = line(game_id(1), ChatRoom::Players, "still here");
    store.add_chat_line(quiet).await.unwrap();
    at_once(limits::MAX_CHAT_LINES + 20, |_| {
        let store = Arc::clone(&store);
        let new = line(game_id(1), ChatRoom::Spectators, "spam");
        async move { store.add_chat_line(new).await.unwrap() }
    })
    .await;
    let mut seen = Vec::new();
    loop {
        let after = seen.last().copied().unwrap_or(0);
        let page = store.chat_lines(game_id(1), ChatRoom::Spectators, after, 400);
        let page = page.await.unwrap();
        if page.is_empty() {
            break;
        }
        seen.extend(page.iter().map(|line| line.number));
    }
    let expected: Vec<u64> = (21..=limits::MAX_CHAT_LINES + 20).collect();
    assert_eq!(seen, expected);
    let players = store.chat_lines(game_id(1), ChatRoom::Players, 0, 10).await;
    assert_eq!(players.unwrap().len(), 1);
}

/// Numbers of concurrent lines.
pub async fn many_speak_at_once_and_every_line_has_its_number(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game(1)).await.unwrap();
    let mut numbers = at_once(64, |_| {
        let store = Arc::clone(&store);
        let new = line(game_id(1), ChatRoom::Players, "gg");
        async move { store.add_chat_line(new).await.unwrap().unwrap() }
    })
    .await;
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=64).collect::<Vec<u64>>());
}
