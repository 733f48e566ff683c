//! Runs every story in `tests/stories`. This module knows no chess.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

use std::fs;
use std::path::Path;

use crate::support::story::{self, Coverage};

fn all() -> Coverage {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stories");
    let mut coverage = Coverage::default();
    let mut wrong = 0;
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        wrong += story::check(&name, &fs::read_to_string(&path).unwrap(), &mut coverage);
    }
    assert_eq!(wrong, 0, "stories came out wrong");
    coverage
}

/// Stores the journals of stories with an event that no stored journal has, and of stories for players at
/// different boards. Run by hand after a new version or a new event. A stored journal is never written again.
#[test]
#[ignore = "it adds to the kept journals; `journal.rs` reads them"]
fn keep_the_journals_of_stories() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals/version-1");
    fs::create_dir_all(&folder).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for (place, journal, _) in all().journals {
        let kinds = journal.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{}{}", line["event"], line["status"])
        });
        let is_new = kinds.filter(|kind| seen.insert(kind.clone())).count() > 0;
        let title = place.split(" (").nth(1).unwrap().trim_end_matches(')');
        let name: String = title
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == ' ')
            .map(|c| {
                if c == ' ' {
                    '-'
                } else {
                    c.to_ascii_lowercase()
                }
            })
            .collect();
        let path = folder.join(format!("{name}.jsonl"));
        if (is_new || place.starts_with("network")) && !path.exists() {
            fs::write(path, journal).unwrap();
        }
    }
    // Writes a missing state from its stored journal.
    for path in fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
    {
        let state = path.with_extension("json");
        if !state.exists() {
            let text = fs::read_to_string(&path).unwrap();
            let game = touchmove_game::journal::replay(&text).unwrap();
            let shown = touchmove_game::protocol::State::of(&game, game.latest());
            fs::write(state, serde_json::to_string_pretty(&shown).unwrap() + "\n").unwrap();
        }
    }
}

#[test]
fn every_story_comes_out_as_told_and_together_they_tell_everything() {
    let coverage = all();
    assert!(coverage.stories >= 60, "only {} stories", coverage.stories);

    let refusals: Vec<&str> = coverage.refusals.into_iter().collect();
    assert_eq!(
        refusals,
        [
            "absence_not_yet",
            "absence_off",
            "bad_gift",
            "bad_name",
            "claim_needless",
            "claim_off_turn",
            "claim_unfounded",
            "clocks_held",
            "clocks_not_held",
            "draw_already_offered",
            "draw_offer_too_early",
            "flag_fallen",
            "game_over",
            "gifts_off",
            "illegal",
            "no_clocks",
            "no_draw_offer",
            "no_no_show",
            "no_show_not_yet",
            "no_show_off",
            "no_takeback_offer",
            "not_yet_seen",
            "not_your_turn",
            "nothing_to_take_back",
            "opponent_present",
            "seat_open",
            "seat_taken",
            "takeback_already_offered",
            "takebacks_off",
            "too_late",
            "too_late_to_abort",
            "too_many_offers",
            "too_often",
        ]
    );
    let endings: Vec<&str> = coverage.endings.into_iter().collect();
    assert_eq!(
        endings,
        [
            "abandonment",
            "abandonment_draw",
            "aborted",
            "agreement",
            "checkmate",
            "dead_position",
            "fifty_moves",
            "fivefold_repetition",
            "flag_fall",
            "flag_fall_draw",
            "forfeit",
            "king_exploded",
            "no_show",
            "resignation",
            "seventyfive_moves",
            "stalemate",
            "threefold_repetition",
        ]
    );
    let events: Vec<String> = coverage.events.into_iter().collect();
    assert_eq!(
        events,
        [
            "absence_claimed",
            "clocks_held",
            "clocks_released",
            "draw_claimed",
            "draw_declined",
            "draw_offered",
            "ended",
            "flag_fell",
            "moved",
            "seated",
            "takeback_declined",
            "takeback_offered",
            "takeback_withdrawn",
            "taken_back",
            "time_given",
        ]
    );
}
