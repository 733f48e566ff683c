//! Feedback on a text while it is typed: the move it is, why it is none, its completions, or the action it names.

use touchmove_rules::{AnyPosition, Bitboard, Move, MoveInputError, Role};

use crate::screen::game_screen::{GameScreen, Notice, Tone};
use crate::screen::key_bindings::Action;
use crate::screen::typed_command::TypedCommand;
use touchmove_game::move_text;
use touchmove_game::move_text::sentence;

/// The largest number of completions that is shown.
const MAX_COMPLETIONS: usize = 8;

/// The actions that a text can name on this screen.
#[must_use]
pub fn actions(table: &GameScreen, text: &str) -> Vec<Action> {
    let runs = table.game.ending().is_none() && table.is_played();
    let named = Action::with_prefix(text.trim());
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

/// The squares that a rejected move is about.
#[must_use]
pub fn evidence(misread: &MoveInputError) -> Bitboard {
    match misread {
        MoveInputError::Illegal { reason, .. } => reason.squares(),
        _ => Bitboard::EMPTY,
    }
}

/// The feedback on the typed text.
#[must_use]
pub fn feedback_for(table: &GameScreen) -> Option<Notice> {
    let text = table.line.text().trim();
    if text.is_empty() {
        return None;
    }
    if table.study.is_some() {
        return Some(Notice {
            tone: Tone::Plain,
            text: "Enter writes it down; Esc does not".to_owned(),
        });
    }
    if table.line.is_refused() {
        // The reason is shown above it.
        return Some(Notice {
            tone: Tone::Plain,
            text: String::new(),
        });
    }
    let position = table.game.position();
    let notice = |tone, text| Some(Notice { tone, text });
    match TypedCommand::read(table.line.text()) {
        Some(Ok(TypedCommand::Say(_))) if table.live.is_none() => return None,
        Some(Ok(phrase)) => {
            return notice(Tone::Good, format!("Enter: {}", phrase.meaning()));
        }
        Some(Err(usage)) => return notice(Tone::Plain, usage.to_owned()),
        None => {}
    }
    let actions = actions(table, text);
    let read = match table.is_playable() {
        true => table.read(text),
        false => Err(MoveInputError::Invalid {
            text: String::new(),
            variant: position.variant(),
        }),
    };
    match read {
        Ok(mv) => notice(Tone::Good, meaning(position, mv)),
        Err(misread) => {
            let fitting = completions(table, text);
            if let [mv] = fitting[..] {
                let san = position.san(mv);
                return notice(Tone::Good, format!("{san}: {}", meaning(position, mv)));
            }
            if !fitting.is_empty() {
                return notice(Tone::Plain, listed(position, &fitting));
            }
            match (&actions[..], &misread) {
                ([action], _) => notice(Tone::Good, format!("Enter: {}", action.help())),
                ([_, ..], _) => {
                    let words: Vec<&str> = actions.iter().map(|action| action.word()).collect();
                    notice(Tone::Plain, words.join("  "))
                }
                ([], MoveInputError::Invalid { .. })
                    if table.is_current() && table.is_played() && !table.is_playable() =>
                {
                    notice(Tone::Plain, "it waits for your turn".to_owned())
                }
                ([], MoveInputError::Invalid { .. })
                    if table.shown.is_some() && table.is_played() =>
                {
                    notice(Tone::Plain, "End goes back to the game".to_owned())
                }
                ([], MoveInputError::Invalid { .. }) if !table.is_playable() => {
                    notice(Tone::Alarm, "no such word; ? lists them".to_owned())
                }
                ([], misread) => notice(
                    Tone::Alarm,
                    move_text::move_input_text(position, text, misread),
                ),
            }
        }
    }
}

/// The feedback as a full sentence, for where it is not next to the text. A move at its start is not capitalised: B
/// is a bishop, b a file.
#[must_use]
pub fn spoken_feedback(table: &GameScreen, notice: Notice) -> Notice {
    let first = notice.text.split([' ', ':']).next().unwrap_or_default();
    let is_move = completions(table, table.line.text())
        .into_iter()
        .any(|mv| table.game.position().san(mv).to_string() == first);
    match is_move {
        true => notice,
        false => Notice {
            text: sentence(&notice.text),
            ..notice
        },
    }
}

/// The move in words: "knight g1 to f3", "pawn e4 takes the pawn on d5".
#[must_use]
pub fn meaning(position: &AnyPosition, mv: Move) -> String {
    let (role, from, to) = (mv.role(), mv.from(), mv.to());
    let mut words = match (mv.castling_side(), mv.captured_square()) {
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
    if let Some(dead) = move_text::exploded_text(position, mv) {
        words += &format!("; it blows up {dead}");
    }
    words + ". Enter plays it."
}

/// The legal moves that the text may be completed to.
#[must_use]
pub fn completions(table: &GameScreen, text: &str) -> Vec<Move> {
    let text = text.trim().to_ascii_lowercase();
    if text.is_empty() || !table.is_playable() {
        return Vec::new();
    }
    let position = table.game.position();
    let begins = |mv: &&Move| {
        let san = position.san(**mv).to_string().to_ascii_lowercase();
        san.starts_with(&text) || position.uci(**mv).to_string().starts_with(&text)
    };
    let moves = position.legal_moves();
    moves.iter().filter(begins).copied().collect()
}

/// Moves in SAN, as many as are shown.
fn listed(position: &AnyPosition, moves: &[Move]) -> String {
    let mut sans: Vec<String> = moves
        .iter()
        .map(|&mv| position.san(mv).to_string())
        .collect();
    sans.sort();
    if sans.len() > MAX_COMPLETIONS {
        sans.truncate(MAX_COMPLETIONS);
        sans.push("…".to_owned());
    }
    sans.join("  ")
}

/// Whether a letter continues a text that was refused, instead of starting another.
#[must_use]
pub fn goes_on(table: &GameScreen, letter: char) -> bool {
    if !table.line.is_refused() {
        return true;
    }
    let text = format!("{}{letter}", table.line.text());
    if matches!(TypedCommand::read(&text), Some(Ok(TypedCommand::Save(_)))) {
        // A path is seldom wrong as a whole.
        return true;
    }
    let is_meant = matches!(
        table.read(&text),
        Ok(_) | Err(MoveInputError::Ambiguous { .. } | MoveInputError::PromotionMissing { .. })
    );
    is_meant || !completions(table, &text).is_empty()
}
