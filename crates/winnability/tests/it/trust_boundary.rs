//! The trust boundary between the folders of this crate, checked by reading the sources: `search` makes no result, and
//! `proof` takes nothing from it but an order. The proofs themselves are not checked here.

#![allow(clippy::disallowed_methods)] // Tests read the sources; the library does not.

use std::fs;
use std::path::{Path, PathBuf};

/// The files in a folder of the sources, recursively.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(folder),
    ];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty());
    files
}

/// The lines of a file that are not comments.
fn code(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("it is text");
    let lines = text.lines().map(str::trim);
    let code = lines.filter(|line| !line.starts_with("//"));
    code.map(str::to_owned).collect()
}

#[test]
fn what_only_searches_makes_no_verdict() {
    for path in sources("search") {
        for line in code(&path) {
            let judges = line.contains("Proof") || line.contains("Winnability");
            assert!(!judges, "{}: {line}", path.display());
        }
    }
}

#[test]
fn what_proves_takes_only_an_order_from_what_searches() {
    let orders = [
        "king_distances::KingDistances;",
        "explosion_distance::NearestExplosion;",
        "heuristic::MAX_DISTANCE_SCORE;",
        "win_heuristic::SharedScoring;",
        "structure_visits::StructureVisits;",
    ]
    .map(|order| format!("use crate::search::{order}"));
    for path in sources("proof") {
        for line in code(&path).iter().filter(|line| line.contains("search::")) {
            let is_order = path.ends_with("closure.rs") && orders.contains(line);
            assert!(is_order, "{}: {line}", path.display());
        }
    }
}
