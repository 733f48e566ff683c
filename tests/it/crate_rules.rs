//! Rules for all crates: allowed dependencies, a `//!` header in every file, and no clock or file access in pure
//! crates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates of the workspace, each with the workspace crates it may depend on. A crate that is missing here, or a
/// dependency that is not listed, fails the test.
const DOORS: &[(&str, &[&str])] = &[
    ("touchmove-rules", &[]),
    // May be used by every crate that shows foreign text; depends on none.
    ("touchmove-text", &[]),
    ("touchmove-diagram", &["touchmove-rules"]),
    // Checks winnability's proofs, and shares nothing with it but the rules.
    ("touchmove-certificate", &["touchmove-rules"]),
    // Its tests pass their proofs to the checker.
    (
        "touchmove-winnability",
        &["touchmove-rules", "touchmove-certificate"],
    ),
    ("touchmove-engine", &["touchmove-rules"]),
    (
        "touchmove-pgn",
        &["touchmove-rules", "touchmove-text", "touchmove-winnability"],
    ),
    (
        "touchmove-coach",
        &["touchmove-rules", "touchmove-engine", "touchmove-pgn"],
    ),
    (
        "touchmove-game",
        &[
            "touchmove-rules",
            "touchmove-text",
            "touchmove-winnability",
            "touchmove-pgn",
        ],
    ),
    (
        "touchmove-arbiter",
        &[
            "touchmove-rules",
            "touchmove-winnability",
            "touchmove-pgn",
            "touchmove-game",
        ],
    ),
    // Runs foreign engines, and uses the rules only to check their moves.
    (
        "touchmove-uci-client",
        &["touchmove-rules", "touchmove-text"],
    ),
    (
        "touchmove-engine-match",
        &[
            "touchmove-rules",
            "touchmove-engine",
            "touchmove-game",
            "touchmove-uci-client",
        ],
    ),
    // Stores texts, and knows no rules.
    ("touchmove-store", &[]),
    ("touchmove-accounts", &["touchmove-store", "touchmove-text"]),
    (
        "touchmove-server",
        &[
            "touchmove-text",
            "touchmove-rules",
            "touchmove-diagram",
            "touchmove-engine",
            "touchmove-coach",
            "touchmove-game",
            "touchmove-arbiter",
            "touchmove-store",
            "touchmove-accounts",
        ],
    ),
    // Connects to a server without depending on it; its tests start one.
    (
        "touchmove-client",
        &[
            "touchmove-text",
            "touchmove-rules",
            "touchmove-game",
            "touchmove-server",
            "touchmove-store",
        ],
    ),
    (
        "touchmove-tui",
        &[
            "touchmove-text",
            "touchmove-client",
            "touchmove-coach",
            "touchmove-engine",
            "touchmove-uci-client",
            "touchmove-rules",
            "touchmove-diagram",
            "touchmove-winnability",
            "touchmove-pgn",
            "touchmove-game",
        ],
    ),
    (
        "touchmove",
        &[
            "touchmove-text",
            "touchmove-engine-match",
            "touchmove-client",
            "touchmove-coach",
            "touchmove-rules",
            "touchmove-diagram",
            "touchmove-certificate",
            "touchmove-winnability",
            "touchmove-pgn",
            "touchmove-game",
            "touchmove-arbiter",
            "touchmove-tui",
            "touchmove-engine",
            "touchmove-store",
            "touchmove-server",
            "touchmove-accounts",
        ],
    ),
];

/// Crates without access to clocks, files and the environment; each has a `clippy.toml` that forbids them.
const PURE: &[&str] = &[
    "rules",
    "text",
    "diagram",
    "certificate",
    "winnability",
    "pgn",
    "game",
    "arbiter",
    "engine",
    "coach",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The output of `cargo metadata`.
fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn no_crate_depends_on_one_it_may_not_know() {
    let metadata = metadata();
    let doors: BTreeMap<_, _> = DOORS.iter().copied().collect();
    let mut seen = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let allowed = doors
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not in the plan of the house"));
        seen.insert(name.to_string());
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = dependency["name"].as_str().unwrap();
            let is_ours = other.starts_with("touchmove");
            assert!(
                !is_ours || allowed.contains(&other),
                "{name} may not depend on {other}"
            );
        }
    }
    let planned: BTreeSet<_> = doors.keys().map(ToString::to_string).collect();
    assert_eq!(seen, planned, "the plan and the workspace differ");
}

#[test]
fn every_crate_has_what_a_registry_asks_for() {
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        for field in ["description", "license", "readme", "rust_version"] {
            assert!(package[field].is_string(), "{name} has no {field}");
        }
        for field in ["keywords", "categories"] {
            let count = package[field].as_array().unwrap().len();
            assert!((1..=5).contains(&count), "{name} has {count} {field}");
        }
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let ours = std::fs::read(root().join(licence)).unwrap();
            let packed = std::fs::read(manifest.with_file_name(licence)).unwrap_or_default();
            assert!(ours == packed, "{name} has no {licence}, or another one");
        }
    }
}

#[test]
fn pure_crates_are_fenced() {
    for name in PURE {
        let fence = root().join("crates").join(name).join("clippy.toml");
        let text =
            std::fs::read_to_string(&fence).unwrap_or_else(|_| panic!("{name} has no clippy.toml"));
        for forbidden in [
            "std::time::Instant::now",
            "std::time::SystemTime::now",
            "std::env::var",
            "std::fs::read",
            "std::fs::write",
        ] {
            assert!(
                text.contains(forbidden),
                "the fence of {name} leaves out {forbidden}"
            );
        }
    }
}

#[test]
fn every_source_file_opens_with_what_it_is() {
    let mut files = Vec::new();
    for folder in ["src", "crates", "tests", "peers/src", "fuzz"] {
        collect(&root().join(folder), &mut files);
    }
    assert!(files.len() > 30);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//!"), "{file:?} does not say what it is");
    }
}

#[test]
fn unsafe_code_is_in_one_module_and_says_why_it_is_safe() {
    let mut files = Vec::new();
    collect(&root().join("crates"), &mut files);
    collect(&root().join("src"), &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let uses = text
            .lines()
            .filter(|line| line.contains("unsafe {"))
            .count();
        if file.ends_with("crates/rules/src/cpu.rs") {
            let reasons = text.lines().filter(|line| line.contains("SAFETY:")).count();
            assert!(reasons >= uses, "{uses} uses and {reasons} reasons");
        } else {
            assert_eq!(uses, 0, "{file:?} has unsafe code");
        }
    }
}

#[test]
fn subcommands_write_only_through_the_harmless_output() {
    let mut files = Vec::new();
    collect(&root().join("src"), &mut files);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        if file.ends_with("src/output.rs") || file.ends_with("src/serve/log.rs") {
            continue;
        }
        for line in text.lines() {
            let asks = line.contains("is_terminal()") || line.contains(".flush()");
            let writes = ["io::stdout()", "io::stderr()", "println!(", "print!("];
            let is_raw = writes.iter().any(|word| line.contains(word));
            assert!(
                asks || !is_raw,
                "{file:?} writes past src/output.rs: {line}"
            );
        }
    }
}

#[test]
fn paths_are_shown_as_one_harmless_line() {
    let mut files = Vec::new();
    for folder in ["src", "crates/tui/src", "crates/client/src"] {
        collect(&root().join(folder), &mut files);
    }
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
        let line = shipped.lines().find(|line| line.contains(".display()"));
        assert!(
            line.is_none(),
            "{file:?} shows a path, which may have newlines in it: use display_path: {line:?}"
        );
    }
}

/// All Rust files below a folder, except in `target` folders.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
