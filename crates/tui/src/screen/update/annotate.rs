//! Annotating a game of a file: variations entered on the board or typed, comments, glyphs; and saving, which
//! leaves everything else in the file as it was.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use touchmove_game::{Game, move_text};
use touchmove_rules::{Role, Square, UciMove};
use touchmove_text::display_path;

use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::study::Study;
use crate::screen::update::game;

/// The prefix of a comment, and of a move, in the input line.
const COMMENT_PREFIX: &str = "comment ";
const ADD_MOVE_PREFIX: &str = "add ";

/// The longest comment that can be edited in the input line.
const MAX_COMMENT_CHARS: usize = 1_900;

/// Handles a key that annotates or types; `None` if it does neither.
pub(super) fn on_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let ActiveScreen::Table(table) = &mut model.scene else {
        return None;
    };
    let plies = table.plies_shown();
    if !table.line.is_empty() {
        type_on(table, key);
        return Some(vec![Effect::Draw]);
    }
    let study = table.study.as_mut()?;
    match key.code {
        KeyCode::Char('v') => match study.next_variation(plies) {
            Some(game) => show(table, game, plies + 1),
            None => table.set_notice(Tone::Plain, "There is no variation here."),
        },
        KeyCode::Char('m') => {
            let common = study.common();
            match study.to_main_line() {
                Some(game) => show(table, game, plies.min(common)),
                None => return None,
            }
        }
        KeyCode::Char('c') => {
            let words = study.note(plies).map(|note| note.comment.clone());
            let words = words.unwrap_or_default();
            if words.chars().count() > MAX_COMMENT_CHARS {
                let sentence = "This comment is too long to be edited here.";
                table.set_notice(Tone::Plain, sentence);
            } else {
                table.line.begin(&format!("{COMMENT_PREFIX}{words}"));
            }
        }
        KeyCode::Char('a') => table.line.begin(ADD_MOVE_PREFIX),
        KeyCode::Char('g') => match study.sign(plies) {
            Some(game) => show(table, game, plies),
            None => table.set_notice(Tone::Plain, "A sign stands on a move: step to one."),
        },
        KeyCode::Char('u') => match study.undo() {
            Some(game) => show(table, game, plies),
            None => table.set_notice(Tone::Plain, "There is nothing to undo."),
        },
        KeyCode::Char('s') => return Some(save(model)),
        _ => return None,
    }
    Some(vec![Effect::Draw])
}

/// Shows a line of the study after so many plies.
fn show(table: &mut GameScreen, game: Game, plies: usize) {
    let shown = plies.min(game.plies().len());
    table.game = game;
    table.clear_transient();
    table.shown = Some(shown);
}

/// Handles a key while a comment or a move is typed.
fn type_on(table: &mut GameScreen, key: KeyEvent) {
    let is_plain = !key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Enter => enter(table),
        KeyCode::Esc => table.line.clear(),
        KeyCode::Backspace => table.line.pop(),
        KeyCode::Char(letter) if is_plain => table.line.push(letter),
        _ => {}
    }
}

fn enter(table: &mut GameScreen) {
    let plies = table.plies_shown();
    let text = table.line.take();
    let Some(study) = &mut table.study else {
        return;
    };
    if let Some(words) = text.strip_prefix(COMMENT_PREFIX) {
        if let Some(game) = study.comment(plies, words) {
            show(table, game, plies);
        }
        return;
    }
    let typed = text.strip_prefix(ADD_MOVE_PREFIX).unwrap_or(&text).trim();
    match table.position().read_input(typed) {
        Ok(mv) => {
            let san = table.position().san(mv).to_string();
            add(table, &san);
        }
        Err(misread) => {
            let words = move_text::move_input_text(table.position(), typed, &misread);
            table.line.begin(&text);
            table.set_notice(Tone::Alarm, words);
        }
    }
}

/// Adds a move after the position on the board.
fn add(table: &mut GameScreen, san: &str) {
    let plies = table.plies_shown();
    let Some(study) = &mut table.study else {
        return;
    };
    if let Some(game) = study.add(plies, san) {
        show(table, game, plies + 1);
    }
}

/// Handles a touched square: selects a piece, or moves the selected one.
pub(super) fn touch(table: &mut GameScreen, square: Square) -> Vec<Effect> {
    let position = *table.position();
    let is_own = position.board().color_at(square) == Some(position.turn());
    match table.hand {
        Some(hand) if hand == square => table.clear_transient(),
        Some(hand) if !is_own || position.find_uci(UciMove::new(hand, square)).is_some() => {
            attempt(table, UciMove::new(hand, square));
        }
        _ if is_own => {
            table.clear_transient();
            table.hand = Some(square);
        }
        _ => table.clear_transient(),
    }
    vec![Effect::Draw]
}

/// Makes a move on the board of a study. Pawns promote to queens; other promotions are typed.
pub(super) fn attempt(table: &mut GameScreen, attempt: UciMove) {
    let position = table.position();
    let found = position
        .find_uci(attempt)
        .or_else(|| position.find_uci(attempt.promoting(Role::Queen)));
    match found {
        Some(mv) => {
            let san = position.san(mv).to_string();
            add(table, &san);
        }
        None => {
            let words = position
                .judge(attempt)
                .err()
                .map(|reason| reason.to_string());
            table.clear_transient();
            table.set_notice(
                Tone::Alarm,
                move_text::sentence(&words.unwrap_or_else(|| "that is no legal move".to_owned())),
            );
        }
    }
}

/// Saves the changes: into the file of the game, or if that cannot be changed, into the library.
pub(super) fn save(model: &mut Model) -> Vec<Effect> {
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let Some(study) = &table.study else {
        return Vec::new();
    };
    let file = study
        .contents
        .chosen()
        .and_then(|(_, listed)| listed.file.clone());
    match file {
        Some(_) if !study.is_changed => {
            table.set_notice(Tone::Plain, "There is nothing new to save.");
            vec![Effect::Draw]
        }
        Some(path) => vec![Effect::Change {
            path,
            game: study.in_file(),
            text: Some(written(study).into_bytes()),
        }],
        None => game::save(model),
    }
}

/// The PGN of the game, with the line ends of its file.
fn written(study: &Study) -> String {
    let text = study.pgn().trim_end().to_owned();
    let has_returns = study.in_file().windows(2).any(|pair| pair == b"\r\n");
    match has_returns {
        true => text.replace('\n', "\r\n"),
        false => text,
    }
}

/// Handles the success of saving into a file.
pub(super) fn saved(table: &mut GameScreen, path: &std::path::Path) {
    if let Some(study) = &mut table.study {
        let text = written(study);
        study.saved(&text);
    }
    table.set_notice(Tone::Good, format!("Saved in {}.", display_path(path)));
}

/// Whether the players may leave the game; unsaved changes are warned of once.
pub(super) fn may_leave(table: &mut GameScreen) -> bool {
    let Some(study) = &mut table.study else {
        return true;
    };
    if !study.is_changed || study.is_warned {
        return true;
    }
    study.is_warned = true;
    table.set_notice(
        Tone::Alarm,
        "What you added is not saved: s saves it; the same key again leaves without it.",
    );
    false
}
