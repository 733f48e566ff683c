//! A game of a file is annotated: variations entered on the board or typed, comments, signs; and saved,
//! with everything else in its file as it was.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use touchmove_game::{Game, move_text};
use touchmove_rules::{Attempt, Role, Square};
use touchmove_text::display_path;

use crate::screen::game_screen::{Table, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{Model, Scene};
use crate::screen::study::Study;
use crate::screen::update::game;

/// What stands before the words of a comment, and before a move, in the line.
const COMMENT: &str = "comment ";
const ADD: &str = "add ";

/// The longest comment that can be edited in the line.
const LONGEST: usize = 1_900;

/// A key that annotates, or is part of what is typed; nothing if it is neither.
pub(super) fn strike(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let Scene::Table(table) = &mut model.scene else {
        return None;
    };
    let plies = table.plies_shown();
    if !table.line.is_empty() {
        type_on(table, key);
        return Some(vec![Effect::Draw]);
    }
    let study = table.study.as_mut()?;
    match key.code {
        KeyCode::Char('v') => match study.vary(plies) {
            Some(game) => show(table, game, plies + 1),
            None => table.say(Tone::Plain, "There is no variation here."),
        },
        KeyCode::Char('m') => {
            let common = study.common();
            match study.main() {
                Some(game) => show(table, game, plies.min(common)),
                None => return None,
            }
        }
        KeyCode::Char('c') => {
            let words = study.note(plies).map(|note| note.comment.clone());
            let words = words.unwrap_or_default();
            if words.chars().count() > LONGEST {
                let sentence = "This comment is too long to be edited here.";
                table.say(Tone::Plain, sentence);
            } else {
                table.line.begin(&format!("{COMMENT}{words}"));
            }
        }
        KeyCode::Char('a') => table.line.begin(ADD),
        KeyCode::Char('g') => match study.sign(plies) {
            Some(game) => show(table, game, plies),
            None => table.say(Tone::Plain, "A sign stands on a move: step to one."),
        },
        KeyCode::Char('u') => match study.undo() {
            Some(game) => show(table, game, plies),
            None => table.say(Tone::Plain, "There is nothing to undo."),
        },
        KeyCode::Char('s') => return Some(save(model)),
        _ => return None,
    }
    Some(vec![Effect::Draw])
}

/// Shows a line of the study after so many plies.
fn show(table: &mut Table, game: Game, plies: usize) {
    let shown = plies.min(game.plies().len());
    table.game = game;
    table.tidy();
    table.shown = Some(shown);
}

/// A key while a comment or a move is typed.
fn type_on(table: &mut Table, key: KeyEvent) {
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

fn enter(table: &mut Table) {
    let plies = table.plies_shown();
    let text = table.line.take();
    let Some(study) = &mut table.study else {
        return;
    };
    if let Some(words) = text.strip_prefix(COMMENT) {
        if let Some(game) = study.comment(plies, words) {
            show(table, game, plies);
        }
        return;
    }
    let typed = text.strip_prefix(ADD).unwrap_or(&text).trim();
    match table.position().read_typed(typed) {
        Ok(mv) => {
            let san = table.position().san(mv).to_string();
            add(table, &san);
        }
        Err(misread) => {
            let words = move_text::misread(table.position(), typed, &misread);
            table.line.begin(&text);
            table.say(Tone::Alarm, words);
        }
    }
}

/// Adds a move to what the file says, after the position that the board shows.
fn add(table: &mut Table, san: &str) {
    let plies = table.plies_shown();
    let Some(study) = &mut table.study else {
        return;
    };
    if let Some(game) = study.add(plies, san) {
        show(table, game, plies + 1);
    }
}

/// A square is touched on the board of a study: a man is taken in hand, or moved.
pub(super) fn touch(table: &mut Table, square: Square) -> Vec<Effect> {
    let position = *table.position();
    let is_own = position.board().color_at(square) == Some(position.turn());
    match table.hand {
        Some(hand) if hand == square => table.tidy(),
        Some(hand) if !is_own || position.find(Attempt::new(hand, square)).is_some() => {
            attempt(table, Attempt::new(hand, square));
        }
        _ if is_own => {
            table.tidy();
            table.hand = Some(square);
        }
        _ => table.tidy(),
    }
    vec![Effect::Draw]
}

/// A move is made on the board of a study. A pawn becomes a queen; what else it may become is typed.
pub(super) fn attempt(table: &mut Table, attempt: Attempt) {
    let position = table.position();
    let found = position
        .find(attempt)
        .or_else(|| position.find(attempt.promoting(Role::Queen)));
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
            table.tidy();
            table.say(
                Tone::Alarm,
                move_text::sentence(&words.unwrap_or_else(|| "that is no legal move".to_owned())),
            );
        }
    }
}

/// Saves what was added: into the file of the game, or if it has none that can be changed, into the
/// library.
pub(super) fn save(model: &mut Model) -> Vec<Effect> {
    let Scene::Table(table) = &mut model.scene else {
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
            table.say(Tone::Plain, "There is nothing new to save.");
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

/// The game as it will stand in its file, with the line ends of the file.
fn written(study: &Study) -> String {
    let text = study.pgn().trim_end().to_owned();
    let has_returns = study.in_file().windows(2).any(|pair| pair == b"\r\n");
    match has_returns {
        true => text.replace('\n', "\r\n"),
        false => text,
    }
}

/// The game was saved in its file.
pub(super) fn saved(table: &mut Table, path: &std::path::Path) {
    if let Some(study) = &mut table.study {
        let text = written(study);
        study.saved(&text);
    }
    table.say(Tone::Good, format!("Saved in {}.", display_path(path)));
}

/// Whether the players may leave the game: what was added and not saved is spoken of once.
pub(super) fn may_leave(table: &mut Table) -> bool {
    let Some(study) = &mut table.study else {
        return true;
    };
    if !study.is_changed || study.is_warned {
        return true;
    }
    study.is_warned = true;
    table.say(
        Tone::Alarm,
        "What you added is not saved: s saves it; the same key again leaves without it.",
    );
    false
}
