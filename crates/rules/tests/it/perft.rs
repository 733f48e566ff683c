//! Perft: counts of move sequences that other programs have confirmed, on every code path.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

use std::path::{Path, PathBuf};
use std::process::Command;

use touchmove_rules::{
    AnyPosition, Fen, Processor, Variant, perft, perft_making_every_leaf, with_position,
};

/// Counts up to this size are checked on every run; `touchmove perft --file` checks all of them.
const MAX_NODES: u64 = 100_000;

fn variant_of(file: &Path) -> Variant {
    let name = file.file_stem().unwrap().to_str().unwrap();
    match name {
        _ if name.starts_with("chess960") => Variant::Chess960,
        _ if name.starts_with("simple_atomic") => Variant::SimpleAtomic,
        _ if name.starts_with("atomic") => Variant::Atomic,
        _ => Variant::Chess,
    }
}

/// Checks a file, and returns how many counts it has.
fn check(file: &Path, max_nodes: u64, count: fn(&AnyPosition, u32) -> u64) -> usize {
    let text = std::fs::read_to_string(file).unwrap();
    let mut checked = 0;
    for (index, line) in text.lines().enumerate() {
        let mut parts = line.split('#').next().unwrap().split(';').map(str::trim);
        let fen = parts.next().unwrap();
        if fen.is_empty() {
            continue;
        }
        let setup = Fen::read_short(fen).unwrap().0;
        let position = AnyPosition::from_setup(&setup, variant_of(file))
            .unwrap_or_else(|faults| panic!("{file:?} line {}: {faults}", index + 1));
        for part in parts {
            let (depth, nodes) = part[1..].split_once(' ').unwrap();
            let (depth, nodes): (u32, u64) =
                (depth.parse().unwrap(), nodes.trim().parse().unwrap());
            if nodes <= max_nodes {
                let found = count(&position, depth);
                assert_eq!(
                    found,
                    nodes,
                    "{file:?} line {}: depth {depth}: {fen}",
                    index + 1
                );
                checked += 1;
            }
        }
    }
    checked
}

fn counted(position: &AnyPosition, depth: u32) -> u64 {
    with_position!(position, position => perft(position, depth))
}

fn made(position: &AnyPosition, depth: u32) -> u64 {
    with_position!(position, position => perft_making_every_leaf(position, depth))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "perft")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The code path is chosen for a whole process, so this test starts itself again in a new process for each.
#[test]
fn every_known_count_is_right_on_every_code_path() {
    if std::env::var_os("IS_ALONE").is_none() {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["perft::every_known_count_is_right_on_every_code_path"])
            .args(["--exact", "--nocapture"])
            .env("IS_ALONE", "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        print!("{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && said.contains("1 passed"));
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    for processor in Processor::ALL {
        if Processor::choose(processor) != processor {
            println!("skipped: this machine has no {}", processor.name());
            continue;
        }
        for file in files(&folder) {
            let checked = check(&file, MAX_NODES, counted) + check(&file, MAX_NODES / 10, made);
            println!("{}: {checked} counts of {file:?}", processor.name());
            assert!(checked > 0, "{file:?} has no count");
        }
        assert_eq!(Processor::current(), processor, "it stays as chosen");
    }
}

/// The files above have samples of these collections, which are not part of this repository. Run with
/// `cargo test -p touchmove-rules --test it -- --ignored perft::`.
#[test]
#[ignore = "needs the public collections in TOUCHMOVE_DATA"]
fn every_count_of_the_public_collections_is_right() {
    let data = std::env::var_os("TOUCHMOVE_DATA")
        .expect("TOUCHMOVE_DATA must name the folder with the public collections");
    for file in files(&Path::new(&data).join("perft")) {
        let checked = check(&file, MAX_NODES / 5, counted);
        println!("{checked} counts of {file:?}");
        assert!(checked > 0, "{file:?} has no count");
    }
}
