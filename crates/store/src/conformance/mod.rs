//! The conformance suite: tests of what every store promises. A [`StoreFixture`] sets up the store under test.
//!
//! A crate with its own store turns on the feature `conformance` and writes in a test:
//!
//! ```no_run
//! use std::sync::Arc;
//! use touchmove_store::conformance::StoreFixture;
//! use touchmove_store::{Sqlite, Store};
//!
//! struct Folder(std::path::PathBuf);
//!
//! impl StoreFixture for Folder {
//!     fn open(&self) -> Arc<dyn Store> {
//!         Arc::new(Sqlite::open(self.0.join("touchmove.db")).unwrap())
//!     }
//! }
//!
//! touchmove_store::conformance!(|name| Folder(std::env::temp_dir().join(name)));
//! ```

pub mod accounts;
pub mod chat;
pub mod cleanup;
pub mod due;
pub mod games;
pub mod grants;
pub mod lists;
pub mod offers;
pub mod races;
pub mod revocations;
pub mod sample;

use std::sync::Arc;

use tokio::sync::Barrier;

use crate::Store;

/// Creates the store for one test, and deletes it when dropped.
pub trait StoreFixture {
    /// Opens the store: empty the first time, later with everything that was answered before. The store opened
    /// before has been dropped.
    fn open(&self) -> Arc<dyn Store>;

    /// Whether the database that the store needs is missing, so that the test is skipped. The fixture has
    /// printed why.
    fn is_missing(&self) -> bool {
        false
    }
}

/// Runs one test with a fixture, on a runtime with several threads.
///
/// # Panics
/// If the store breaks a promise.
pub fn run<G: StoreFixture>(ground: &G, check: impl AsyncFnOnce(&dyn StoreFixture)) {
    if ground.is_missing() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(check(ground));
}

/// Calls `deed` concurrently, `count` times, and returns the results.
pub(crate) async fn at_once<T, F>(count: u64, deed: impl Fn(u64) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let start = Arc::new(Barrier::new(usize::try_from(count).unwrap()));
    let tasks: Vec<_> = (0..count)
        .map(|number| {
            let (start, deed) = (Arc::clone(&start), deed(number));
            tokio::spawn(async move {
                start.wait().await;
                deed.await
            })
        })
        .collect();
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}

/// Expands to one test for each promise. The argument makes the [`StoreFixture`] of a test from its name.
#[macro_export]
macro_rules! conformance {
    ($ground:expr) => {
        $crate::conformance! { $ground;
            games: [
                a_game_comes_back_as_it_was_begun,
                the_same_game_again_changes_nothing_and_another_with_its_id_is_refused,
                decisions_come_back_in_order,
                a_retry_after_a_lost_answer_is_recognised,
                a_gap_and_the_middle_of_a_decision_are_refused,
                what_changes_for_lists_changes_and_the_rest_stays,
                a_long_game_with_long_texts_comes_back_whole,
                several_games_are_read_at_once,
                a_head_and_a_part_of_a_journal_come_without_the_rest,
                texts_in_every_script_come_back_byte_for_byte,
                what_is_too_large_is_refused_and_nothing_is_written,
                after_a_restart_everything_is_there,
            ],
            races: [
                of_many_who_decide_the_same_number_one_wins_and_the_others_learn_what_is_newer,
                the_same_write_many_times_at_once_is_written_once,
                many_games_are_played_at_once_without_a_gap,
                who_decides_again_after_a_lost_race_loses_nothing,
                a_failure_in_a_batch_is_nobody_elses,
                a_question_that_was_given_up_leaves_all_or_nothing,
                a_seat_is_taken_by_one_of_many,
                the_seats_of_a_guest_are_given_to_a_person,
                many_seats_of_a_guest_are_given_to_a_person_in_batches,
                a_seat_and_its_event_are_written_together_or_not,
                a_game_is_begun_by_one_of_many,
                a_name_is_taken_by_one_of_many,
                an_offer_is_taken_declined_or_cancelled_by_one_of_many,
                a_token_is_revoked_by_one_of_many,
            ],
            due: [
                games_are_due_in_order_and_each_is_given_to_one,
                a_deadline_is_written_only_when_it_comes_nearer,
                who_dies_over_a_game_does_not_keep_it,
                who_has_not_seen_the_newest_decision_cannot_arm_the_game,
                sweepers_at_the_same_moment_get_different_games,
                a_sign_of_life_tells_of_the_one_before,
            ],
            accounts: [
                people_come_back_and_change,
                names_that_look_alike_are_refused,
                people_are_listed_by_their_skeletons,
                tokens_come_back_and_are_revoked_once,
                the_use_of_a_token_is_noted_coarsely,
                sessions_end_by_time_and_by_hand,
                a_session_that_has_ended_is_not_renewed,
                nobody_has_sessions_without_end,
                tokens_that_are_over_are_not_kept_without_end,
            ],
            revocations: [
                every_end_of_a_right_is_noted_in_order,
                what_ends_no_right_is_not_noted,
                revocations_of_many_at_once_are_all_read_by_who_polls,
                old_revocations_are_deleted_and_their_numbers_are_not_used_again,
                tokens_that_are_revoked_together_are_all_noted,
            ],
            offers: [
                an_offer_comes_back_as_it_was_made,
                an_offer_that_is_taken_has_its_game_and_nobody_elses,
                an_offer_that_has_expired_cannot_be_taken,
                an_offer_is_closed_once,
                seeks_and_challenges_are_listed_apart_while_they_are_open,
                an_account_that_is_closed_has_no_open_offers,
            ],
            grants: [
                a_code_is_exchanged_once_and_in_time,
                of_many_who_bring_a_code_at_once_one_is_the_first,
                codes_that_nobody_has_exchanged_end_with_the_sessions,
                codes_end_with_the_tokens_and_what_was_exchanged_counts_as_replayed,
                a_grant_with_long_texts_comes_back_whole_and_a_longer_one_is_refused,
                all_tokens_of_a_person_are_revoked_together,
                the_key_of_a_server_is_made_once,
            ],
            cleanup: [
                what_is_over_is_deleted_and_what_is_open_is_not,
                rows_are_deleted_in_batches,
                aborted_games_are_deleted_whole_and_others_stay,
            ],
            chat: [
                lines_are_numbered_in_each_room,
                only_the_newest_lines_are_kept,
                many_speak_at_once_and_every_line_has_its_number,
            ],
            lists: [
                live_games_are_those_that_are_public_and_played,
                how_far_a_running_game_is_stands_in_lists,
                games_of_a_player_are_found_on_both_sides_of_the_board,
                games_of_a_holder_are_those_where_he_has_a_seat,
                games_are_found_by_variant_and_phase,
                pages_neither_repeat_nor_miss_a_game_while_others_begin,
            ],
        }
    };
    ($ground:expr; $($module:ident: [$($check:ident),* $(,)?]),* $(,)?) => {
        $($(
            #[test]
            fn $check() {
                let ground = ($ground)(stringify!($check));
                $crate::conformance::run(&ground, $crate::conformance::$module::$check);
            }
        )*)*
    };
}
