//! `touchmove judge --journal` as a shell sees it: unchanged journals are decided today as they were, and
//! differences are reported.

use std::path::{Path, PathBuf};

use crate::support::program::run;

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("crates/game/tests/journals")
        .join(name)
}

#[test]
fn kept_journals_are_decided_today_as_they_were() {
    for name in [
        "version-1/who-has-left-may-be-claimed-against-after-the-time-of-the-terms.jsonl",
        "version-1/a-fallen-flag-stops-the-game-before-it-is-known-what-it-means.jsonl",
        "version-0/in-simple-atomic-a-single-pawn-wins-on-time.jsonl",
    ] {
        let path = kept(name).display().to_string();
        let judged = run(&["judge", "--journal", &path], "");
        assert_eq!(judged.code, 0, "{name}: {}{}", judged.out, judged.err);
        assert!(judged.out.contains("in the same way"), "{}", judged.out);
    }
}

#[test]
fn what_today_s_laws_decide_otherwise_is_named() {
    let path =
        kept("version-1/a-fallen-flag-stops-the-game-before-it-is-known-what-it-means.jsonl");
    let text = std::fs::read_to_string(path).expect("a journal");
    // The flag is claimed to have fallen two seconds early, with a different result.
    let early = text.replace("\"at\":10000", "\"at\":8000");
    let judged = run(&["judge", "--journal", "-", "--json"], &early);
    assert_eq!(judged.code, 1, "{}{}", judged.out, judged.err);
    let answer: serde_json::Value = serde_json::from_str(&judged.out).expect("JSON");
    assert_eq!(answer["valid"], false);
    assert_eq!(
        answer["state"]["status"], "flag_fall",
        "it is believed all the same"
    );
    assert!(!answer["objections"].as_array().expect("a list").is_empty());
    let judged = run(&["judge", "--journal", "-"], &early);
    assert!(
        judged.out.contains("By today's laws, event 3:"),
        "{}",
        judged.out
    );
}

#[test]
fn a_journal_that_cannot_have_happened_is_refused() {
    let judged = run(&["judge", "--journal", "-"], "junk\n");
    assert_eq!(judged.code, 1);
    assert!(
        judged.err.contains("line 1 of the journal cannot be read"),
        "{}",
        judged.err
    );
    let judged = run(&["judge", "--journal", "nowhere.jsonl", "--json"], "");
    assert_eq!(judged.code, 2);
    assert!(judged.out.contains("cannot be read"), "{}", judged.out);
}
