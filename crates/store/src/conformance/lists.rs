//! Conformance tests of lists of games.

use std::sync::Arc;

use crate::conformance::StoreFixture;
use crate::conformance::sample::{append, game, game_id, game_of, guest, person_id};
use crate::{
    GameChanges, GameCursor, GamePhase, GameQuery, GameRow, Holder, Moment, SeatColor, SeatHolders,
    Store,
};

async fn all(store: &dyn Store, query: GameQuery, limit: usize) -> Vec<u64> {
    let mut numbers = Vec::new();
    let mut after = None;
    loop {
        let page = store.list_games(query.clone(), after, limit).await.unwrap();
        assert!(page.games.len() <= limit);
        numbers.extend(page.games.iter().map(number));
        match page.next {
            Some(next) => {
                assert_eq!(page.games.len(), limit, "only the last page is short");
                // Through its text form, as in a link.
                after = Some(next.to_string().parse().unwrap());
            }
            None => return numbers,
        }
    }
}

fn number(row: &GameRow) -> u64 {
    row.id.as_str().parse().unwrap()
}

async fn finish(store: &dyn Store, n: u64) {
    finish_after(store, n, 1).await;
}

async fn finish_after(store: &dyn Store, n: u64, first: u64) {
    let mut deed = append(game_id(n), first, u128::from(first));
    deed.changes = GameChanges {
        phase: Some(GamePhase::Finished),
        ..GameChanges::default()
    };
    assert!(store.append_decision(deed).await.unwrap().is_stored());
}

/// [`GameQuery::live`](crate::GameQuery::live).
pub async fn live_games_are_those_that_are_public_and_played(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 1..=9 {
        let mut new = game(n);
        new.summary.public = n % 3 != 0;
        if n == 8 {
            new.summary.phase = GamePhase::Waiting;
        }
        store.create_game(new).await.unwrap();
    }
    finish(&*store, 4).await;
    for limit in 1..=6 {
        let live = all(&*store, GameQuery::live(), limit).await;
        assert_eq!(live, [7, 5, 2, 1], "newest first, {limit} on a page");
    }
    let first = store.list_games(GameQuery::live(), None, 1).await.unwrap();
    assert_eq!(first.games[0].summary.variant, "chess");
    let none = store.list_games(GameQuery::live(), None, 0).await.unwrap();
    assert_eq!(none.games, []);
}

/// [`GameChanges::plies`].
pub async fn how_far_a_running_game_is_stands_in_lists(ground: &dyn StoreFixture) {
    let store = ground.open();
    store.create_game(game_of(1, 10, 20)).await.unwrap();
    let said = [None, Some(1), Some(2), None, Some(1), None];
    let (mut expected, running) = (0, GameQuery::live());
    let held = GameQuery {
        holder: Some(Holder::Person(person_id(10))),
        ..GameQuery::default()
    };
    for (first, plies) in (1..).zip(said) {
        let mut deed = append(game_id(1), first, u128::from(first));
        deed.changes.plies = plies;
        store.append_decision(deed).await.unwrap();
        expected = plies.unwrap_or(expected);
        for query in [&running, &held, &GameQuery::default()] {
            let page = store.list_games(query.clone(), None, 5).await.unwrap();
            assert_eq!(page.games[0].summary.plies, expected, "{first} {query:?}");
        }
        let head = store.heads(vec![game_id(1)]).await.unwrap().remove(0);
        assert_eq!(head.row.summary.plies, expected);
    }
    // The plies stay when the game is over, even if the last decision does not repeat them.
    finish_after(&*store, 1, 7).await;
    let page = store.list_games(held, None, 5).await.unwrap();
    assert_eq!(page.games[0].summary.phase, GamePhase::Finished);
    assert_eq!(page.games[0].summary.plies, expected);
}

/// [`GameQuery::person`](crate::GameQuery::person).
pub async fn games_of_a_player_are_found_on_both_sides_of_the_board(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 1..=30 {
        let new = match n % 5 {
            0 => game_of(n, 1, 2),
            1 => game_of(n, 2, 1),
            2 => game_of(n, 1, 1),
            3 => game_of(n, 2, 3),
            _ => game(n),
        };
        store.create_game(new).await.unwrap();
        if n % 2 == 0 {
            finish(&*store, n).await;
        }
    }
    let of = |person: u64, phase| GameQuery {
        person: Some(person_id(person)),
        phase,
        ..GameQuery::default()
    };
    let expected = |keep: fn(u64) -> bool| (1..=30).rev().filter(|n| keep(*n)).collect::<Vec<_>>();
    for limit in [1, 2, 3, 7, 100] {
        let ones = all(&*store, of(1, None), limit).await;
        assert_eq!(ones, expected(|n| n % 5 < 3));
        let finished = all(&*store, of(1, Some(GamePhase::Finished)), limit).await;
        assert_eq!(finished, expected(|n| n % 5 < 3 && n % 2 == 0));
        let running = all(&*store, of(1, Some(GamePhase::Running)), limit).await;
        assert_eq!(running, expected(|n| n % 5 < 3 && n % 2 == 1));
        let threes = all(&*store, of(3, None), limit).await;
        assert_eq!(threes, expected(|n| n % 5 == 3));
        assert_eq!(all(&*store, of(4, None), limit).await, [0; 0]);
    }
}

/// [`GameQuery::holder`](crate::GameQuery::holder).
pub async fn games_of_a_holder_are_those_where_he_has_a_seat(ground: &dyn StoreFixture) {
    let store = ground.open();
    let anna = Holder::Person(person_id(1));
    for n in 1..=30 {
        let mut new = game(n);
        let (white, black) = match n % 5 {
            0 => (Some(guest(1)), Some(anna)),
            1 => (Some(guest(2)), None),
            2 => (Some(guest(1)), Some(guest(1))),
            // The second seat is taken later, with a decision.
            3 => (Some(guest(2)), None),
            _ => (None, None),
        };
        new.seats = SeatHolders { white, black };
        new.summary.phase = GamePhase::Waiting;
        new.summary.public = n % 2 == 0;
        store.create_game(new).await.unwrap();
        let mut deed = append(game_id(n), 1, 1);
        deed.changes.phase = Some(GamePhase::Running);
        if n % 5 == 3 {
            deed.seat = Some((SeatColor::Black, guest(1)));
        }
        store.append_decision(deed).await.unwrap();
        if n % 5 == 4 {
            store.sit(game_id(n), SeatColor::White, anna).await.unwrap();
        }
        if n % 3 == 0 {
            let mut deed = append(game_id(n), 2, 2);
            deed.changes.phase = Some(GamePhase::Finished);
            store.append_decision(deed).await.unwrap();
        }
    }
    let of = |holder, phase| GameQuery {
        holder: Some(holder),
        phase,
        ..GameQuery::default()
    };
    let expected = |keep: fn(u64) -> bool| (1..=30).rev().filter(|n| keep(*n)).collect::<Vec<_>>();
    for limit in [1, 2, 3, 7, 100] {
        let ones = all(&*store, of(guest(1), None), limit).await;
        assert_eq!(ones, expected(|n| matches!(n % 5, 0 | 2 | 3)));
        let finished = all(&*store, of(guest(1), Some(GamePhase::Finished)), limit).await;
        assert_eq!(
            finished,
            expected(|n| matches!(n % 5, 0 | 2 | 3) && n % 3 == 0)
        );
        let waiting = all(&*store, of(guest(1), Some(GamePhase::Waiting)), limit).await;
        assert_eq!(waiting, [0; 0]);
        let annas = all(&*store, of(anna, Some(GamePhase::Running)), limit).await;
        assert_eq!(annas, expected(|n| matches!(n % 5, 0 | 4) && n % 3 != 0));
        assert_eq!(all(&*store, of(guest(9), None), limit).await, [0; 0]);
    }
    let public = GameQuery {
        public: true,
        ..of(guest(2), None)
    };
    let found = all(&*store, public, 2).await;
    assert_eq!(found, expected(|n| matches!(n % 5, 1 | 3) && n % 2 == 0));
    // The named player and the seat holder are separate filters.
    let named = GameQuery {
        person: Some(person_id(1)),
        ..of(anna, None)
    };
    assert_eq!(all(&*store, named.clone(), 2).await, [0; 0]);
    store.create_game(game_of(40, 1, 2)).await.unwrap();
    assert_eq!(all(&*store, named, 2).await, [40]);
}

/// [`GameQuery::variant`](crate::GameQuery::variant).
pub async fn games_are_found_by_variant_and_phase(ground: &dyn StoreFixture) {
    let store = ground.open();
    let variants = ["chess", "atomic", "chess960"];
    for n in 0..24 {
        let mut new = game_of(n, n % 2, 9);
        new.summary.variant = variants[usize::try_from(n % 3).unwrap()].to_owned();
        new.summary.public = n % 4 != 3;
        store.create_game(new).await.unwrap();
        if n >= 12 {
            finish(&*store, n).await;
        }
    }
    let expected = |keep: fn(u64) -> bool| (0..24).rev().filter(|n| keep(*n)).collect::<Vec<_>>();
    let atomic = GameQuery {
        variant: Some("atomic".to_owned()),
        ..GameQuery::default()
    };
    let found = all(&*store, atomic.clone(), 3).await;
    assert_eq!(found, expected(|n| n % 3 == 1));
    let over = GameQuery {
        phase: Some(GamePhase::Finished),
        ..atomic.clone()
    };
    let found = all(&*store, over.clone(), 2).await;
    assert_eq!(found, expected(|n| n % 3 == 1 && n >= 12));
    let ones = GameQuery {
        person: Some(person_id(1)),
        public: true,
        ..atomic
    };
    let found = all(&*store, ones, 2).await;
    assert_eq!(found, expected(|n| n % 3 == 1 && n % 2 == 1 && n % 4 != 3));
    let unknown = GameQuery {
        variant: Some("Atomic".to_owned()),
        ..GameQuery::default()
    };
    assert_eq!(all(&*store, unknown, 2).await, [0; 0]);
    assert_eq!(all(&*store, GameQuery::default(), 5).await.len(), 24);
}

/// [`GameCursor`].
pub async fn pages_neither_repeat_nor_miss_a_game_while_others_begin(ground: &dyn StoreFixture) {
    let store = ground.open();
    // Many begin in the same millisecond.
    for n in 1..=60 {
        let mut new = game_of(n, 1, 2);
        new.created = Moment(n.cast_signed() / 20);
        store.create_game(new).await.unwrap();
    }
    let busy = Arc::clone(&store);
    let others = tokio::spawn(async move {
        for n in 1_000..1_200 {
            let mut new = game_of(n, 1, 2);
            new.created = Moment(1_000);
            busy.create_game(new).await.unwrap();
        }
    });
    let query = GameQuery {
        person: Some(person_id(1)),
        ..GameQuery::default()
    };
    let mut seen = Vec::new();
    let mut after: Option<GameCursor> = None;
    loop {
        let page = store.list_games(query.clone(), after, 7).await.unwrap();
        seen.extend(page.games.iter().map(GameRow::cursor));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    others.await.unwrap();
    assert!(seen.is_sorted_by(|a, b| a > b), "newest first, none twice");
    let old = seen.iter().filter(|place| place.created < Moment(1_000));
    assert_eq!(old.count(), 60, "none is missing");
}
