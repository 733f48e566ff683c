//! Malformed files, one kind of fault to a line: the plies that can be replayed, and all findings. The games
//! after the fault are never affected.

use crate::support::examine;

const DIRT: &str = include_str!("../data/dirt.tsv");

/// The tags that every game should have.
fn seven_tags(result: &str) -> String {
    format!(
        "[Event \"x\"]\n[Site \"?\"]\n[Date \"2026.11.15\"]\n[Round \"1\"]\n[White \"W\"]\n\
         [Black \"B\"]\n[Result \"{result}\"]\n"
    )
}

/// The bytes of a text with escapes and with placeholders for the seven tags, followed by a correct game.
fn unfold(text: &str) -> Vec<u8> {
    let mut text = text.to_owned();
    for result in ["*", "1-0", "0-1", "1/2-1/2"] {
        let tags = seven_tags(result).replace('\n', "\\n");
        text = text.replace(&format!("<{result}>"), &tags);
    }
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'\\' {
            bytes.push(first);
            continue;
        }
        let (&kind, after) = rest.split_first().expect("an escape goes on");
        rest = after;
        bytes.push(match kind {
            b'n' => b'\n',
            b't' => b'\t',
            b'x' => {
                let digits = std::str::from_utf8(&rest[..2]).expect("two digits");
                rest = &rest[2..];
                u8::from_str_radix(digits, 16).expect("two digits")
            }
            other => other,
        });
    }
    bytes.extend_from_slice(b"\n");
    bytes.extend_from_slice(seven_tags("*").as_bytes());
    bytes.extend_from_slice(b"\n1. d4 d5 *\n");
    bytes
}

#[test]
fn every_kind_of_dirt_is_read_or_named_and_harms_no_other_game() {
    let mut failures = String::new();
    for line in DIRT.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, plies, codes, text] = fields[..] else {
            panic!("four fields: {line}")
        };
        let text = unfold(text);
        let whole = examine(&text, 1 << 20);
        let replayed: Vec<String> = whole
            .records
            .iter()
            .map(|record| record.plies.to_string())
            .collect();
        let mut found: Vec<&str> = Vec::new();
        for finding in &whole.findings {
            if !found.contains(&finding.code.as_str()) {
                found.push(finding.code.as_str());
            }
        }
        let found = if found.is_empty() {
            "-".to_owned()
        } else {
            found.join(",")
        };
        let expected = format!("{plies},2");
        if replayed.join(",") != expected || found != codes {
            let replayed = replayed.join(",");
            failures +=
                &format!("{name}: plies {replayed}, not {expected}; {found}, not {codes}\n");
            for finding in &whole.findings {
                failures += &format!("    {finding}\n");
            }
        }
        for size in [1, 30, 200] {
            let parts = examine(&text, size);
            if (&parts.findings, &parts.totals) != (&whole.findings, &whole.totals) {
                failures += &format!("{name}: batches of {size} change the findings\n");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}
