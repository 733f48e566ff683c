//! Conformance tests of deadlines, leases, heartbeats and the store's time.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::conformance::sample::{append, game, game_id};
use crate::conformance::{StoreFixture, at_once};
use crate::{AppendResult, DueChange, DueGame, Moment, SetDueResult, Store};

const LEASE: Duration = Duration::from_millis(100);

async fn begin(store: &dyn Store, n: u64, due: Option<i64>) {
    let mut new = game(n);
    new.due = due.map(Moment);
    assert!(store.create_game(new).await.unwrap().is_stored());
}

async fn sweep(store: &dyn Store, now: i64) -> Vec<u64> {
    let due = store.lease_due_games(Moment(now), LEASE, 10).await.unwrap();
    due.iter()
        .map(|due| due.game.as_str().parse().unwrap())
        .collect()
}

async fn decide(store: &dyn Store, n: u64, first: u64, due: DueChange) {
    let mut deed = append(game_id(n), first, u128::from(first));
    deed.due = due;
    assert_eq!(store.append_decision(deed).await, Ok(AppendResult::Written));
}

/// [`Store::lease_due_games`].
pub async fn games_are_due_in_order_and_each_is_given_to_one(ground: &dyn StoreFixture) {
    let store = ground.open();
    begin(&*store, 1, Some(300)).await;
    begin(&*store, 2, Some(100)).await;
    begin(&*store, 3, None).await;
    begin(&*store, 4, Some(200)).await;
    begin(&*store, 5, Some(900)).await;
    assert_eq!(sweep(&*store, 99).await, []);
    let first = store.lease_due_games(Moment(500), LEASE, 2).await.unwrap();
    let due = |n, at| DueGame {
        game: game_id(n),
        at: Moment(at),
    };
    assert_eq!(first, [due(2, 100), due(4, 200)]);
    assert_eq!(sweep(&*store, 500).await, [1]);
    assert_eq!(sweep(&*store, 500).await, []);
}

/// [`DueChange`].
pub async fn a_deadline_is_written_only_when_it_comes_nearer(ground: &dyn StoreFixture) {
    let store = ground.open();
    begin(&*store, 1, Some(500)).await;
    decide(&*store, 1, 1, DueChange::By(Moment(800))).await;
    assert_eq!(sweep(&*store, 499).await, []);
    assert_eq!(sweep(&*store, 500).await, [1], "not put off");
    decide(&*store, 1, 2, DueChange::By(Moment(300))).await;
    decide(&*store, 1, 3, DueChange::Keep).await;
    assert_eq!(sweep(&*store, 299).await, []);
    assert_eq!(sweep(&*store, 300).await, [1]);
    // Called too early, the node sets the due time that it has read.
    let later = Some(Moment(700));
    assert_eq!(
        store.set_due(game_id(1), 3, later).await,
        Ok(SetDueResult::Done)
    );
    assert_eq!(sweep(&*store, 699).await, []);
    assert_eq!(sweep(&*store, 700).await, [1]);
    decide(&*store, 1, 4, DueChange::Never).await;
    assert_eq!(sweep(&*store, 100_000).await, []);
    decide(&*store, 1, 5, DueChange::By(Moment(9_000))).await;
    assert_eq!(sweep(&*store, 9_000).await, [1]);
    assert_eq!(
        store.set_due(game_id(1), 5, None).await,
        Ok(SetDueResult::Done)
    );
    assert_eq!(sweep(&*store, 100_000).await, []);
}

/// The lease of [`Store::lease_due_games`].
pub async fn who_dies_over_a_game_does_not_keep_it(ground: &dyn StoreFixture) {
    let store = ground.open();
    begin(&*store, 1, Some(100)).await;
    assert_eq!(sweep(&*store, 100).await, [1]);
    assert_eq!(sweep(&*store, 199).await, []);
    assert_eq!(sweep(&*store, 200).await, [1]);
    // A nearer deadline does not wait for the end of a lease.
    decide(&*store, 1, 1, DueChange::By(Moment(50))).await;
    assert_eq!(sweep(&*store, 201).await, [1]);
}

/// [`Store::set_due`].
pub async fn who_has_not_seen_the_newest_decision_cannot_arm_the_game(ground: &dyn StoreFixture) {
    let store = ground.open();
    begin(&*store, 1, Some(100)).await;
    assert_eq!(sweep(&*store, 100).await, [1]);
    // A move arrives meanwhile, with a nearer deadline than the node knows.
    decide(&*store, 1, 1, DueChange::By(Moment(150))).await;
    let believed = Some(Moment(5_000));
    assert_eq!(
        store.set_due(game_id(1), 0, believed).await,
        Ok(SetDueResult::Behind)
    );
    assert_eq!(
        store.set_due(game_id(1), 2, believed).await,
        Ok(SetDueResult::Behind)
    );
    assert_eq!(sweep(&*store, 250).await, [1], "the deadline is not lost");
    assert_eq!(
        store.set_due(game_id(9), 0, None).await,
        Ok(SetDueResult::NoGame)
    );
    // The same with many callers: whoever is last, the game is due at the newest deadline at the latest.
    for round in 0..20 {
        let n = 10 + round;
        begin(&*store, n, Some(100)).await;
        at_once(2, |caller| {
            let store = Arc::clone(&store);
            async move {
                if caller == 0 {
                    decide(&*store, n, 1, DueChange::By(Moment(300))).await;
                } else {
                    store.set_due(game_id(n), 0, believed).await.unwrap();
                }
            }
        })
        .await;
        let due = store
            .lease_due_games(Moment(300), LEASE, 500)
            .await
            .unwrap();
        assert!(
            due.iter().any(|due| due.game == game_id(n)),
            "round {round}"
        );
    }
}

/// [`Store::lease_due_games`] by several nodes at once.
pub async fn sweepers_at_the_same_moment_get_different_games(ground: &dyn StoreFixture) {
    let store = ground.open();
    for n in 0..60 {
        begin(&*store, n, Some(100)).await;
    }
    let answers = at_once(8, |_| {
        let store = Arc::clone(&store);
        async move { store.lease_due_games(Moment(200), LEASE, 10).await.unwrap() }
    })
    .await;
    let all: Vec<_> = answers.iter().flatten().map(|due| due.game).collect();
    let different: BTreeSet<_> = all.iter().copied().collect();
    assert_eq!((all.len(), different.len()), (60, 60));
}

/// [`Store::heartbeat`] and [`Store::now`].
pub async fn a_sign_of_life_tells_of_the_one_before(ground: &dyn StoreFixture) {
    let store = ground.open();
    let now = store.now().await.unwrap();
    assert!(now > Moment(1_700_000_000_000), "milliseconds since 1970");
    let first = store.heartbeat().await.unwrap();
    assert_eq!(first.before, None);
    let second = store.heartbeat().await.unwrap();
    assert_eq!(second.before, Some(first.at));
    drop(store);
    let store = ground.open();
    let third = store.heartbeat().await.unwrap();
    assert_eq!(third.before, Some(second.at));
}
