//! The licences of everything linked into touchmove on all platforms, banned crates and sources, by the lists in
//! `deny.toml`. `.ci/run` checks the same with cargo-deny where that is installed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn deny() -> toml::Table {
    let text = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    text.parse().expect("deny.toml is TOML")
}

/// The output of cargo. Crates for other platforms may not have been downloaded: then cargo runs again with the
/// network, and at last for this platform only, whose crates were needed to build this test.
fn cargo(arguments: &[&str], all_platforms: &[&str], this_platform: &str) -> String {
    let version = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let version = String::from_utf8(version.stdout).expect("text");
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("a host");
    let ask = |more: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .arg("--locked")
            .args(more)
            .current_dir(root())
            .output()
            .expect("cargo runs");
        let is_answered = output.status.success();
        is_answered.then(|| String::from_utf8(output.stdout).expect("text"))
    };
    ask(&[all_platforms, &["--offline"]].concat())
        .or_else(|| ask(all_platforms))
        .or_else(|| ask(&[this_platform, host, "--offline"]))
        .unwrap_or_else(|| panic!("cargo does not answer {arguments:?}"))
}

/// What ships: the workspace members with their normal and build dependencies, without dev-dependencies. `cargo
/// tree` knows which optional crates are really used; `cargo metadata`, which lists some more, has their details.
fn shipping() -> Vec<Value> {
    let tree = [
        "tree",
        "--workspace",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ];
    let tree = cargo(&tree, &["--target", "all"], "--target");
    let used: BTreeSet<(&str, &str)> = tree
        .lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, words.next()?.strip_prefix('v')?))
        })
        .collect();
    let metadata = cargo(
        &["metadata", "--format-version", "1"],
        &[],
        "--filter-platform",
    );
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let shipping: Vec<Value> = packages
        .filter(|package| {
            let (name, version) = (text(&package["name"]), text(&package["version"]));
            used.contains(&(&name, &version))
        })
        .cloned()
        .collect();
    assert_eq!(
        shipping.len(),
        used.len(),
        "cargo tells of the same crates twice"
    );
    shipping
}

/// A parser of SPDX expressions, from left to right: `OR` binds least, then `AND`, then `WITH`. The slash in old
/// manifests means `OR`.
struct Expression<'a> {
    words: Vec<&'a str>,
    at: usize,
}

impl<'a> Expression<'a> {
    /// Whether the expression can be satisfied with these licences.
    fn is_allowed(text: &'a str, allowed: &BTreeSet<&str>) -> Result<bool, String> {
        let mut words = Vec::new();
        for part in text.split_whitespace() {
            let mut rest = part;
            while let Some(at) = rest.find(['(', ')', '/']) {
                words.push(&rest[..at]);
                words.push(&rest[at..=at]);
                rest = &rest[at + 1..];
            }
            words.push(rest);
        }
        words.retain(|word| !word.is_empty());
        let mut expression = Expression { words, at: 0 };
        let is_allowed = expression.any(allowed)?;
        match expression.next() {
            None => Ok(is_allowed),
            Some(word) => Err(format!("{text:?}: {word:?} is too much")),
        }
    }

    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word
    }

    fn takes(&mut self, words: &[&str]) -> bool {
        let is_next = self
            .words
            .get(self.at)
            .is_some_and(|word| words.contains(word));
        self.at += usize::from(is_next);
        is_next
    }

    fn any(&mut self, allowed: &BTreeSet<&str>) -> Result<bool, String> {
        let mut is_allowed = self.all(allowed)?;
        while self.takes(&["OR", "/"]) {
            is_allowed |= self.all(allowed)?;
        }
        Ok(is_allowed)
    }

    fn all(&mut self, allowed: &BTreeSet<&str>) -> Result<bool, String> {
        let mut is_allowed = self.one(allowed)?;
        while self.takes(&["AND"]) {
            is_allowed &= self.one(allowed)?;
        }
        Ok(is_allowed)
    }

    fn one(&mut self, allowed: &BTreeSet<&str>) -> Result<bool, String> {
        let is_name = |word: &&'a str| !["(", ")", "/", "AND", "OR", "WITH"].contains(word);
        if self.takes(&["("]) {
            let is_allowed = self.any(allowed)?;
            return if self.takes(&[")"]) {
                Ok(is_allowed)
            } else {
                Err("a bracket is left open".to_owned())
            };
        }
        let name = self.next().filter(is_name).ok_or("a licence is missing")?;
        if !self.takes(&["WITH"]) {
            return Ok(allowed.contains(name));
        }
        let exception = self
            .next()
            .filter(is_name)
            .ok_or("an exception is missing")?;
        Ok(allowed.contains(format!("{name} WITH {exception}").as_str()))
    }
}

#[test]
fn expressions_of_licences_are_read_as_spdx_means_them() {
    let allowed = BTreeSet::from(["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
    for (text, expected) in [
        ("MIT", true),
        ("GPL-3.0-or-later", false),
        ("MIT OR GPL-3.0-only", true),
        ("GPL-3.0-only OR MIT", true),
        ("MIT AND GPL-3.0-only", false),
        ("MIT AND Zlib", true),
        ("GPL-3.0-only/MIT", true),
        ("MIT / GPL-3.0-only", true),
        ("GPL-2.0-only OR MIT AND Zlib", true),
        ("(GPL-2.0-only OR MIT) AND ISC", false),
        ("(GPL-2.0-only OR MIT) AND Zlib", true),
        ("MIT OR ISC AND GPL-2.0-only", true),
        ("Apache-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0", true),
        ("((MIT))", true),
        ("mit", false),
    ] {
        assert_eq!(
            Expression::is_allowed(text, &allowed),
            Ok(expected),
            "{text}"
        );
    }
    for text in [
        "", "MIT OR", "(MIT", "MIT)", "MIT Zlib", "WITH MIT", "AND", "MIT WITH",
    ] {
        assert!(Expression::is_allowed(text, &allowed).is_err(), "{text:?}");
    }
}

#[test]
fn everything_that_ships_is_under_an_allowed_licence_and_from_the_registry() {
    let deny = deny();
    let names = |value: &toml::Value| -> BTreeSet<String> {
        let list = value.as_array().expect("a list").iter();
        list.map(|name| name.as_str().expect("a name").to_owned())
            .collect()
    };
    let allowed = names(&deny["licenses"]["allow"]);
    let allowed: BTreeSet<&str> = allowed.iter().map(String::as_str).collect();
    let banned: BTreeSet<&str> = deny["bans"]["deny"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| entry["crate"].as_str().expect("a crate"))
        .collect();
    assert!(banned.contains("shakmaty"), "the copyleft peers are banned");

    let shipping = shipping();
    assert!(shipping.len() > 50, "only {} crates ship", shipping.len());
    let mut wrong = Vec::new();
    for package in shipping {
        let name = package["name"].as_str().expect("a name");
        let licence = package["license"].as_str().unwrap_or_default();
        match Expression::is_allowed(licence, &allowed) {
            Ok(true) => {}
            Ok(false) => wrong.push(format!("{name} is under {licence}")),
            Err(error) => wrong.push(format!("{name}: {licence:?}: {error}")),
        }
        if banned.contains(name) {
            wrong.push(format!("{name} is banned"));
        }
        let source = package["source"].as_str();
        if source.is_some_and(|source| source != REGISTRY) {
            wrong.push(format!("{name} comes from {source:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
