//! `touchmove judge --journal`: checks the journal of a game against today's laws. Replaying a journal trusts its
//! decisions; this command decides them again.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::json;
use touchmove_game::journal::{self, Audit, AuditFinding, Journal};
use touchmove_game::protocol::State;
use touchmove_game::{Budget, pgn_record};
use touchmove_text::display_path;
use touchmove_tui::bounded_file;

use crate::cli::{AnswerStatus, NegativeAnswer};
use crate::output;

/// The largest journal that is read, in bytes: more than four times the journal of the longest game.
const MAX_JOURNAL_BYTES: u64 = 16 * 1024 * 1024;

/// Judges a journal; the answer is no if it is impossible or a decision differs from today's laws, and unanswered
/// if something was not decided in time.
pub(super) fn run(path: &Path, time: Duration, json: bool) -> Result<AnswerStatus> {
    let name = display_path(path);
    let text = bounded_file::read_or_input(path, MAX_JOURNAL_BYTES).and_then(bounded_file::text);
    let text = text.with_context(|| format!("{name} cannot be read"))?;
    let text = text.trim_start_matches('\u{feff}');
    let journal = journal::read(text)
        .map_err(|torn| NegativeAnswer(format!("{name} is not a game: {torn}")))?;
    let Journal {
        opening,
        events,
        game,
    } = &journal;
    let Audit {
        objections,
        left_open,
    } = journal::audit(opening, events, budget(time));
    let mut out = output::answer(json);
    if json {
        let told = |objection: &AuditFinding| json!({"seq": objection.seq, "text": objection.text});
        let answer = json!({
            "valid": objections.is_empty(),
            "objections": objections.iter().map(told).collect::<Vec<_>>(),
            "proved": left_open.is_empty(),
            "left_open": left_open.iter().map(told).collect::<Vec<_>>(),
            "state": State::of(game, game.latest()),
            "pgn": pgn_record::document(game).to_string(),
        });
        writeln!(out, "{answer}")?;
    } else {
        writeln!(out, "{} events: {}", events.len(), game.sentence())?;
        for objection in &objections {
            writeln!(out, "By today's laws, {objection}.")?;
        }
        for open in &left_open {
            writeln!(out, "By today's laws, {open}.")?;
        }
        match (objections.is_empty(), left_open.is_empty()) {
            (true, true) => writeln!(out, "Today's laws decide all of it in the same way.")?,
            (true, false) => writeln!(out, "Today's laws decide the rest in the same way.")?,
            (false, _) => {}
        }
    }
    Ok(match (objections.is_empty(), left_open.is_empty()) {
        (false, _) => AnswerStatus::No,
        (true, false) => AnswerStatus::Unanswered,
        (true, true) => AnswerStatus::Yes,
    })
}

/// The number of positions usually searched in that time: the default is about a second's.
fn budget(time: Duration) -> Budget {
    let in_a_second = Budget::default().positions as f64;
    Budget::of_positions((time.as_secs_f64() * in_a_second) as u64)
}
