//! `touchmove judge --journal`: a journal of a game judged by today's laws. Replaying one believes what
//! it says; this asks whether it would be decided so today.

use std::io::{self, Read as _, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::json;
use touchmove_game::journal::{self, Journal, Objection};
use touchmove_game::protocol::State;
use touchmove_game::{Budget, record};

use crate::cli::{Answer, Refused};

/// Judges a journal; the answer is no if it cannot have happened, or was decided otherwise than the
/// laws decide today.
pub(super) fn run(path: &Path, json: bool) -> Result<Answer> {
    let name = path.display();
    let text = read(path).with_context(|| format!("{name} cannot be read"))?;
    let journal =
        journal::read(&text).map_err(|torn| Refused(format!("{name} is not a game: {torn}")))?;
    let Journal {
        opening,
        events,
        game,
    } = &journal;
    let objections = journal::audit(opening, events, Budget::default());
    let mut out = io::stdout().lock();
    if json {
        let told = |objection: &Objection| json!({"seq": objection.seq, "text": objection.text});
        let answer = json!({
            "valid": objections.is_empty(),
            "objections": objections.iter().map(told).collect::<Vec<_>>(),
            "state": State::of(game, game.latest()),
            "pgn": record::document(game).to_string(),
        });
        writeln!(out, "{answer}")?;
    } else {
        writeln!(out, "{} events: {}", events.len(), game.sentence())?;
        for objection in &objections {
            writeln!(out, "By today's laws, {objection}.")?;
        }
        if objections.is_empty() {
            writeln!(out, "Today's laws decide all of it in the same way.")?;
        }
    }
    Ok(match objections.is_empty() {
        true => Answer::Yes,
        false => Answer::No,
    })
}

fn read(path: &Path) -> io::Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    std::fs::read_to_string(path)
}
