//! A collection of games: selecting one from the list, and stepping through it ply by ply.

use std::path::{Path, PathBuf};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::Position;
use touchmove_text::display_path;

use crate::library;
use crate::screen::game_list::{GameCollection, GameList, ReturnTo};
use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::key_bindings::Action;
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::{annotate, game};
use crate::screen::view;

/// The longest search text.
const MAX_SEARCH_CHARS: usize = 60;

/// The magic bytes of gzip, Zstandard and bzip2.
const COMPRESSION_MAGICS: [&[u8]; 3] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh"];

/// Shows a file opened from the start screen: the list of its games, or its only game.
pub(super) fn show(model: &mut Model, path: PathBuf, text: Vec<u8>) -> Vec<Effect> {
    let name = display_path(&path).to_string();
    if COMPRESSION_MAGICS.iter().any(|head| text.starts_with(head)) {
        let sentence = format!("{name} is compressed; touchmove pgn show opens it.");
        crate::screen::update::say(model, Tone::Alarm, sentence);
        return vec![Effect::Draw];
    }
    let collection = GameCollection::read(name, text).in_file(path);
    match collection.list().len() {
        0 => {
            let sentence = format!("{}: there is no game in it.", collection.name());
            crate::screen::update::say(model, Tone::Alarm, sentence);
        }
        1 => open(model, GameList::new(collection, ReturnTo::Start)),
        _ => {
            let contents = GameList::new(collection, ReturnTo::Start);
            model.scene = ActiveScreen::Contents(Box::new(contents));
        }
    }
    vec![Effect::Draw]
}

/// Shows the library.
pub(super) fn show_library(model: &mut Model, files: Vec<(PathBuf, Vec<u8>)>) -> Vec<Effect> {
    let collection = GameCollection::of_files(library::LIBRARY_FOLDER, files);
    if collection.list().is_empty() && !matches!(model.scene, ActiveScreen::Contents(_)) {
        let sentence = "The library is empty: games go there by themselves when they are over.";
        crate::screen::update::say(model, Tone::Plain, sentence.to_owned());
        return vec![Effect::Draw];
    }
    let mut contents = GameList::new(collection, ReturnTo::Start);
    if let ActiveScreen::Contents(before) = &model.scene {
        contents.way_back = before.way_back;
        contents.look_for(before.wanted());
        contents.go(before.place().cast_signed());
    }
    model.scene = ActiveScreen::Contents(Box::new(contents));
    vec![Effect::Draw]
}

/// Handles a change to a game of a file, or its deletion from the library.
pub(super) fn changed(model: &mut Model, path: &Path) -> Vec<Effect> {
    match &mut model.scene {
        ActiveScreen::Table(table) => annotate::saved(table, path),
        _ => return vec![Effect::OpenSaved, Effect::Draw],
    }
    vec![Effect::Draw]
}

/// Opens the selected game, or shows the error.
fn open(model: &mut Model, contents: GameList) {
    match contents.open() {
        Ok((game, study)) => {
            let mut table = GameScreen::for_study(game, study, model.now);
            if let Some(before) = model.table() {
                table.near = before.near;
            }
            model.scene = ActiveScreen::Table(Box::new(table));
        }
        Err(sentence) => crate::screen::update::say(model, Tone::Alarm, sentence),
    }
}

/// Leaves the list for the screen that it was opened from.
fn leave(model: &mut Model, way_back: ReturnTo) -> Vec<Effect> {
    match way_back {
        ReturnTo::Start => crate::screen::update::to_start(model),
        ReturnTo::Out => vec![Effect::Quit],
    }
}

/// Handles a key on the list.
pub(super) fn on_list_key(model: &mut Model, key: KeyEvent, action: Option<Action>) -> Vec<Effect> {
    if let ActiveScreen::Contents(contents) = &mut model.scene
        && let Some(effects) = strike_library(contents, key, action)
    {
        return effects;
    }
    if let Some(action @ (Action::Help | Action::Theme | Action::Quit)) = action {
        return game::run_action(model, action);
    }
    let page = view::games_shown(model.size);
    let ActiveScreen::Contents(contents) = &mut model.scene else {
        return Vec::new();
    };
    contents.notice = None;
    match key.code {
        KeyCode::Up | KeyCode::BackTab => drop(contents.go(-1)),
        KeyCode::Down | KeyCode::Tab => drop(contents.go(1)),
        KeyCode::PageUp => drop(contents.go(-page)),
        KeyCode::PageDown => drop(contents.go(page)),
        KeyCode::Home => drop(contents.go(isize::MIN)),
        KeyCode::End => drop(contents.go(isize::MAX)),
        KeyCode::Enter | KeyCode::Right => {
            let contents = (**contents).clone();
            open(model, contents);
        }
        KeyCode::Esc if !contents.wanted().is_empty() => contents.look_for(""),
        KeyCode::Esc | KeyCode::Left => {
            let way_back = contents.way_back;
            return leave(model, way_back);
        }
        KeyCode::Backspace => {
            let mut wanted = contents.wanted().to_owned();
            wanted.pop();
            contents.look_for(&wanted);
        }
        KeyCode::Char(letter) if key.modifiers.difference(KeyModifiers::SHIFT).is_empty() => {
            if contents.wanted().chars().count() < MAX_SEARCH_CHARS && !letter.is_control() {
                let wanted = format!("{}{letter}", contents.wanted());
                contents.look_for(&wanted);
            }
        }
        _ => return Vec::new(),
    }
    vec![Effect::Draw]
}

/// Handles a key that only the library has, or that answers its question.
fn strike_library(
    contents: &mut GameList,
    key: KeyEvent,
    action: Option<Action>,
) -> Option<Vec<Effect>> {
    if let Some(scrolled) = contents.statistics {
        contents.statistics = match key.code {
            KeyCode::Down => Some(scrolled.saturating_add(1)),
            KeyCode::Up => Some(scrolled.saturating_sub(1)),
            _ if action == Some(Action::Quit) => return None,
            _ => None,
        };
        return Some(vec![Effect::Draw]);
    }
    if let Some(path) = &mut contents.export {
        match key.code {
            KeyCode::Esc => contents.export = None,
            KeyCode::Backspace => drop(path.pop()),
            KeyCode::Enter => {
                let path = std::mem::take(path);
                contents.export = None;
                let numbers: Vec<usize> = contents.found().map(|(number, _)| number).collect();
                let text = contents.collection().text_of(numbers);
                let pgn = touchmove_pgn::decode(&text).into_owned();
                return Some(vec![Effect::SaveAs { path, pgn }, Effect::Draw]);
            }
            KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
                path.push(letter);
            }
            _ if action == Some(Action::Quit) => return None,
            _ => {}
        }
        return Some(vec![Effect::Draw]);
    }
    if !contents.collection().is_library() {
        return None;
    }
    let doomed = contents.doomed.take();
    match key.code {
        KeyCode::F(2) => contents.statistics = Some(0),
        KeyCode::Delete => {
            let (number, listed) = contents.chosen()?;
            if doomed != Some(number) {
                contents.doomed = Some(number);
                contents.notice = Some("Delete again takes this game out for good.".to_owned());
                return Some(vec![Effect::Draw]);
            }
            let game = contents.collection().pgn(number)?.to_vec();
            let files = listed.file.iter().chain(&listed.copies);
            let take_out = |path: &PathBuf| Effect::Change {
                path: path.clone(),
                game: game.clone(),
                text: None,
            };
            return Some(files.map(take_out).collect());
        }
        _ if action == Some(Action::Save) => {
            contents.notice = None;
            contents.export = Some(DEFAULT_EXPORT_PATH.to_owned());
        }
        _ => return None,
    }
    Some(vec![Effect::Draw])
}

/// The default path for exporting games of the library.
const DEFAULT_EXPORT_PATH: &str = "touchmove-games.pgn";

/// Handles the mouse on the list: a click selects a game, a click on the selected one opens it.
pub(super) fn on_mouse(model: &mut Model, kind: MouseEventKind, cell: Position) -> Vec<Effect> {
    let size = model.size;
    let ActiveScreen::Contents(contents) = &mut model.scene else {
        return Vec::new();
    };
    match kind {
        MouseEventKind::Down(MouseButton::Left) => match view::game_at(contents, size, cell) {
            Some(place) if place == contents.place() => {
                let contents = (**contents).clone();
                open(model, contents);
            }
            Some(place) => drop(contents.go(place.cast_signed() - contents.place().cast_signed())),
            None => return Vec::new(),
        },
        MouseEventKind::ScrollDown => drop(contents.go(1)),
        MouseEventKind::ScrollUp => drop(contents.go(-1)),
        _ => return Vec::new(),
    }
    vec![Effect::Draw]
}

/// Handles a key while stepping through a game; nothing is typed there, so letters are key bindings.
pub(super) fn on_study_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if let Some(effects) = annotate::on_key(model, key) {
        return effects;
    }
    let step = match key.code {
        KeyCode::Left | KeyCode::Char('h' | 'k') | KeyCode::Backspace => Action::Back,
        KeyCode::Right | KeyCode::Char('l' | 'j' | ' ') | KeyCode::Enter => Action::Forward,
        KeyCode::Up => Action::First,
        KeyCode::Down => Action::Last,
        KeyCode::Char('f') => Action::Flip,
        KeyCode::Char('n') => return turn_to(model, 1),
        KeyCode::Char('p') => return turn_to(model, -1),
        KeyCode::Esc | KeyCode::Char('q') => return close(model),
        _ => return Vec::new(),
    };
    game::run_action(model, step)
}

/// Opens the game so many places further in the list.
fn turn_to(model: &mut Model, on: isize) -> Vec<Effect> {
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    if !annotate::may_leave(table) {
        return vec![Effect::Draw];
    }
    let Some(study) = &table.study else {
        return Vec::new();
    };
    let mut contents = study.contents.clone();
    if contents.go(on) {
        open(model, contents);
    } else {
        let end = if on > 0 { "last" } else { "first" };
        table.set_notice(Tone::Plain, format!("This is the {end} game."));
    }
    vec![Effect::Draw]
}

/// Leaves a game for the list, or if it is the only game, for the screen before.
fn close(model: &mut Model) -> Vec<Effect> {
    if let ActiveScreen::Table(table) = &mut model.scene
        && !annotate::may_leave(table)
    {
        return vec![Effect::Draw];
    }
    let Some(study) = model.table().and_then(|table| table.study.as_ref()) else {
        return Vec::new();
    };
    let contents = study.contents.clone();
    let collection = contents.collection();
    if collection.list().len() == 1 && !collection.is_library() {
        return leave(model, contents.way_back);
    }
    model.scene = ActiveScreen::Contents(Box::new(contents));
    vec![Effect::Draw]
}
