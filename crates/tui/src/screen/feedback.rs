//! What is said about a text while it is being typed: which move it is, why not, what it may yet
//! become, or which action it names.

use touchmove_rules::{AnyPosition, Misread, Move, Role, SquareSet};

use super::action::Action;
use super::table::{Notice, Table, Tone};
use touchmove_game::words;

/// How many completions are shown.
const SHOWN: usize = 8;

/// The actions that a text can name here.
#[must_use]
pub fn actions(table: &Table, text: &str) -> Vec<Action> {
    let runs = table.game.ending().is_none() && table.is_played();
    let named = Action::beginning_with(text.trim());
    let exact = named.len() == 1;
    named
        .into_iter()
        .filter(|action| match action {
            Action::Accept | Action::Decline => exact || table.is_offered(),
            Action::Rematch => exact || !runs,
            Action::Say | Action::Invite | Action::Gone => exact || table.live.is_some(),
            Action::Resign | Action::Abort | Action::Draw | Action::Claim | Action::Takeback => {
                exact || runs
            }
            _ => true,
        })
        .collect()
}

/// The squares that a misread move is about.
#[must_use]
pub fn evidence(misread: &Misread) -> SquareSet {
    match misread {
        Misread::Illegal { reason, .. } => reason.squares(),
        _ => SquareSet::EMPTY,
    }
}

/// What to say about the text that is typed at this table.
#[must_use]
pub fn on(table: &Table) -> Option<Notice> {
    let text = table.line.text().trim();
    if text.is_empty() {
        return None;
    }
    let position = table.game.position();
    let notice = |tone, text| Some(Notice { tone, text });
    if text.starts_with("say ") {
        return table
            .live
            .as_ref()
            .and(notice(Tone::Plain, "Enter says it".to_owned()));
    }
    let actions = actions(table, text);
    let read = match table.is_playable() {
        true => table.read(text),
        false => Err(Misread::Invalid {
            text: String::new(),
            variant: position.variant(),
        }),
    };
    match read {
        Ok(mv) => notice(Tone::Good, meaning(position, mv)),
        Err(misread) => {
            let completions = match table.is_playable() {
                true => completions(position, text),
                false => Vec::new(),
            };
            if !completions.is_empty() {
                return notice(Tone::Plain, completions.join("  "));
            }
            match (&actions[..], &misread) {
                ([action], _) => notice(Tone::Good, format!("Enter: {}", action.help())),
                ([_, ..], _) => {
                    let words: Vec<&str> = actions.iter().map(|action| action.word()).collect();
                    notice(Tone::Plain, words.join("  "))
                }
                ([], Misread::Invalid { .. }) if text.starts_with("claim ") => notice(
                    Tone::Plain,
                    "the move that is announced and not played".to_owned(),
                ),
                ([], Misread::Invalid { .. })
                    if table.is_current() && table.is_played() && !table.is_playable() =>
                {
                    notice(Tone::Plain, "it waits for your turn".to_owned())
                }
                ([], Misread::Invalid { .. }) if !table.is_playable() => {
                    notice(Tone::Alarm, "no such word; ? lists them".to_owned())
                }
                ([], misread) => notice(Tone::Alarm, words::misread(position, text, misread)),
            }
        }
    }
}

/// The move in words: "knight g1 to f3", "pawn e4 takes the pawn on d5".
#[must_use]
pub fn meaning(position: &AnyPosition, mv: Move) -> String {
    let (role, from, to) = (mv.role(), mv.from(), mv.to());
    let mut words = match (mv.wing(), mv.captured_square()) {
        (Some(wing), _) => format!("castling, {}", wing.notation()),
        (None, Some(square)) => {
            let taken = position.board().role_at(square).map_or("man", Role::name);
            format!("{role} {from} takes the {taken} on {square}")
        }
        (None, None) => format!("{role} {from} to {to}"),
    };
    if let Some(role) = mv.promotes_to() {
        words += &format!(" and becomes a {role}");
    }
    if let Some(dead) = words::casualties(position, mv) {
        words += &format!("; it blows up {dead}");
    }
    words + ". Enter plays it."
}

/// Legal moves that the text is the beginning of, in SAN.
fn completions(position: &AnyPosition, text: &str) -> Vec<String> {
    let text = text.to_ascii_lowercase();
    let mut fitting: Vec<String> = position
        .legal_moves()
        .iter()
        .filter_map(|&mv| {
            let san = position.san(mv).to_string();
            let uci = position.uci(mv).to_string();
            let begins = san.to_ascii_lowercase().starts_with(&text) || uci.starts_with(&text);
            begins.then_some(san)
        })
        .collect();
    fitting.sort();
    if fitting.len() > SHOWN {
        fitting.truncate(SHOWN);
        fitting.push("…".to_owned());
    }
    fitting
}
