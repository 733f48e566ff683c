//! The live protocol as docs/LIVE.md shows it: every example there is played against a server, and the messages must
//! match. `"…"` stands for any value, and as a key for further keys.

use std::collections::HashMap;

use serde_json::Value;

use crate::support::{Client, Open, guest};

const DOCUMENT: &str = include_str!("../../../../docs/LIVE.md");
const WHATEVER: &str = "…";

/// The examples: blocks fenced as `live`, with the terms of the game after it.
fn examples() -> Vec<(&'static str, Vec<&'static str>)> {
    let blocks = DOCUMENT.split("```live").skip(1);
    let example = |block: &'static str| {
        let body = block.split("```").next().unwrap();
        let (terms, lines) = body.split_once('\n').unwrap();
        (terms.trim(), lines.lines().collect())
    };
    blocks.map(example).collect()
}

/// Whether a message matches the document.
fn fits(shown: &Value, heard: &Value) -> bool {
    match (shown, heard) {
        (Value::String(text), _) if text == WHATEVER => true,
        (Value::Object(shown), Value::Object(heard)) => {
            let fits = |(key, value): (&String, &Value)| {
                key == WHATEVER || heard.get(key).is_some_and(|heard| fits(value, heard))
            };
            let is_whole = heard.keys().all(|key| shown.contains_key(key));
            shown.iter().all(fits) && (is_whole || shown.contains_key(WHATEVER))
        }
        (Value::Array(shown), Value::Array(heard)) => {
            let is_cut = shown.last().is_some_and(|last| last == WHATEVER);
            let all = shown
                .iter()
                .zip(heard)
                .all(|(shown, heard)| fits(shown, heard));
            all && (is_cut || shown.len() == heard.len())
        }
        _ => shown == heard,
    }
}

async fn follow(open: &Open, terms: &str, lines: &[&str]) {
    let game = open.table(&guest("Anna"), &guest("Bea"), terms).await;
    let mut clients: HashMap<&str, Client> = HashMap::new();
    for line in lines {
        let (name, rest) = line.split_once(' ').expect(line);
        if let Some(query) = rest.strip_prefix("comes") {
            let client = open.come_back(&guest(name), &game, query.trim()).await;
            clients.insert(name, client);
            continue;
        }
        let client = clients.get_mut(name).expect(line);
        match rest.trim_start().split_once(' ').expect(line) {
            (">", text) => client.say(text).await,
            ("<", text) => {
                let shown: Value = serde_json::from_str(text).expect(line);
                let heard = client.hear().await;
                assert!(fits(&shown, &heard), "{line}\nreally: {heard}");
            }
            _ => panic!("{line} is no line of an example"),
        }
    }
}

#[tokio::test]
async fn every_example_of_the_document_comes_out_as_it_is_written() {
    let examples = examples();
    assert!(examples.len() >= 4, "{} examples", examples.len());
    let open = Open::new().await;
    for (terms, lines) in examples {
        follow(&open, terms, &lines).await;
    }
    open.close().await;
}
