//! The sentences of the audit, its names of endings, and how many findings it keeps. Which fault has which
//! code is in the tables of the other tests.

use std::num::NonZeroUsize;

use touchmove_pgn::{
    AuditReport, Batch, FindingCode, RecordedEnding, Severity, audit, audit_stream,
};
use touchmove_rules::{Color, Ending, Victory};

fn examined(text: &str, mut report: AuditReport) -> AuditReport {
    let batch = Batch {
        text: text.as_bytes().to_vec(),
        offset: 0,
        line: 1,
    };
    audit(&batch, &mut report);
    report
}

#[test]
fn a_finding_says_what_is_wrong_and_how_it_should_be() {
    for (text, code, says) in [
        (
            "1. e4 e5 2. g1f3 *\n",
            FindingCode::CoordinateMove,
            "2. g1f3 should be written Nf3",
        ),
        (
            "[TimeControl \"300+2\"]\n\n1. e4 {[%clk 0:05:00]} e5 2. Nf3 {[%clk 0:09:00.5]} *\n",
            FindingCode::ClockGained,
            "White's clock went up from 300 s to 540.5 s, but the time control gives no more than 2 s in \
             between",
        ),
        (
            "[TimeControl \"300\"]\n\n1. e4 {[%clk 0:09:00]} *\n",
            FindingCode::ClockAboveControl,
            "White's clock shows 540 s, but the game is played with 300 s",
        ),
    ] {
        let report = examined(text, AuditReport::default().only(vec![code]));
        let said: Vec<&str> = report
            .findings
            .iter()
            .map(|finding| finding.message.as_str())
            .collect();
        assert_eq!(said, [says]);
    }
}

#[test]
fn letters_of_other_languages_are_told_what_they_are_in_english() {
    for (san, hint) in [
        ("Sf3", "S is the knight in German, PGN writes N"),
        ("Lc4", "L is the bishop in German, PGN writes B"),
        (
            "Tg1",
            "T is the rook in German, French and Spanish, PGN writes R",
        ),
    ] {
        let report = examined(&format!("1. e4 e5 2. {san} *\n"), AuditReport::default());
        let is_said = report
            .findings
            .iter()
            .any(|finding| finding.message.ends_with(hint));
        assert!(is_said, "{:?}", report.findings);
    }
}

#[test]
fn a_win_that_the_board_does_not_show_is_named_by_its_tag_and_its_moves() {
    for (termination, moves, by) in [
        ("normal", "1. e4 e5 ", Victory::Resignation),
        ("normal", "", Victory::NoShow),
        ("time forfeit", "1. e4 e5 ", Victory::FlagFall),
        ("abandoned", "1. e4 e5 ", Victory::Abandonment),
        ("abandoned", "", Victory::NoShow),
        ("rules infraction", "1. e4 e5 ", Victory::Forfeit),
    ] {
        let text = format!("[Termination \"{termination}\"]\n[Result \"1-0\"]\n\n{moves}1-0\n");
        let report = examined(&text, AuditReport::with_records());
        let winner = Color::White;
        let expected = RecordedEnding::Ended(Ending::Win { winner, by });
        assert_eq!(report.records[0].conclusion, expected, "{text}");
    }
}

#[test]
fn no_more_findings_are_kept_than_asked_for_and_all_are_counted() {
    let text = "1. e5 *\n\n1. e5 *\n\n1. e5 *\n";
    for most in 0..5 {
        let wanted = AuditReport::default().only(vec![FindingCode::IllegalMove]);
        let report = examined(text, wanted.at_most(most));
        assert_eq!(report.findings.len(), most.min(3));
        assert_eq!(report.totals.count(Severity::Error), 3);
    }
}

#[test]
fn any_number_of_threads_finds_the_same_in_the_same_order() {
    let text = "1. e5 *\n\n1. e4 *\n\n1. d5 *\n\n";
    for threads in 1..4 {
        let threads = NonZeroUsize::new(threads).expect("at least one");
        let mut found = Vec::new();
        let wanted = AuditReport::default().only(vec![FindingCode::IllegalMove]);
        audit_stream(text.as_bytes(), threads, &wanted, |part| {
            found.extend(part.findings.iter().map(|finding| finding.game));
            Ok(())
        })
        .expect("memory can be read");
        assert_eq!(found, [1, 3]);
    }
}
