//! Files with one kind of fault each: games, plies and findings are what the manifest expects, however the
//! file is split into batches.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

use std::path::Path;

use serde::Deserialize;
use touchmove_pgn::{AuditReport, Severity};

use crate::support::examine;

#[derive(Deserialize)]
struct Oddity {
    file: String,
    games: u64,
    plies: Vec<u32>,
    verdict: String,
    expect: String,
}

/// How a report differs from what the manifest expects.
fn complaints(oddity: &Oddity, report: &AuditReport) -> Vec<String> {
    let mut complaints = Vec::new();
    let plies: Vec<u32> = report.records.iter().map(|record| record.plies).collect();
    if report.totals.games != oddity.games || plies != oddity.plies {
        complaints.push(format!(
            "{} games of {plies:?} plies instead of {} of {:?}",
            report.totals.games, oddity.games, oddity.plies
        ));
    }
    let count = |severity| report.totals.count(severity);
    let worst = report.findings.iter().map(|finding| finding.severity).max();
    let fits = match oddity.verdict.as_str() {
        "ok" | "ok-or-depth-error" | "ok-or-unsupported" => worst.is_none(),
        "warn" => worst == Some(Severity::Warning),
        "error" | "mixed" | "error-or-4" => count(Severity::Error) > 0,
        "info" => worst == Some(Severity::Info),
        other => panic!("the manifest has the unknown verdict {other}"),
    };
    if !fits {
        complaints.push(format!(
            "the verdict should be {}: {}",
            oddity.verdict, oddity.expect
        ));
    }
    complaints
}

#[test]
fn every_oddity_is_judged_as_the_manifest_expects() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/oddities");
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
    let oddities: Vec<Oddity> = serde_json::from_str(&manifest).expect("the manifest is JSON");
    assert_eq!(oddities.len(), 91);
    let mut failures = String::new();
    for oddity in &oddities {
        let text = std::fs::read(folder.join(&oddity.file)).expect("the file is there");
        let whole = examine(&text, 1 << 20);
        for complaint in complaints(oddity, &whole) {
            failures += &format!("{}: {complaint}\n", oddity.file);
            for finding in &whole.findings {
                failures += &format!("    {finding}\n");
            }
        }
        let parts = examine(&text, 40);
        if (&parts.findings, &parts.totals) != (&whole.findings, &whole.totals) {
            failures += &format!("{}: small batches change the findings\n", oddity.file);
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}
