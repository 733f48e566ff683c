//! The start screen: navigating the form, filling it in, and starting a game.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::Position;
use touchmove_game::Game;

use crate::screen::appearance::Appearance;
use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::key_bindings::Action;
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::start_screen::{StartItem, StartScreen};
use crate::screen::update::{game, network};
use crate::screen::view;
use touchmove_game::move_text::sentence;

/// The longest text of a field: more than any FEN or sensible path.
const MAX_FIELD_CHARS: usize = 400;

/// Handles a key on the start screen.
pub(super) fn on_key(model: &mut Model, key: KeyEvent, action: Option<Action>) -> Vec<Effect> {
    let luck = model.random_u32();
    let ActiveScreen::Start(start) = &mut model.scene else {
        return Vec::new();
    };
    start.engines.clone_from(&model.customs.engines);
    if let Some(action @ (Action::Help | Action::Theme | Action::Quit)) = action
        && !(action == Action::Help && start.item.is_text() && key.code == KeyCode::Char('?'))
    {
        return game::run_action(model, action);
    }
    match key.code {
        KeyCode::Up | KeyCode::BackTab => start.go(-1),
        KeyCode::Down | KeyCode::Tab => start.go(1),
        KeyCode::Left => turn(start, &mut model.look, false, luck),
        KeyCode::Right => turn(start, &mut model.look, true, luck),
        KeyCode::Enter => return enter(model),
        KeyCode::Delete if start.item == StartItem::Resume => return discard(start),
        KeyCode::Esc => match start.text_mut() {
            Some(text) if !text.is_empty() => text.clear(),
            _ => start.go_to(start.items()[0]),
        },
        KeyCode::Backspace => {
            start.unseat_computer();
            start.is_fresh = false;
            start.text_mut().map(String::pop);
        }
        KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => {
            start.text_mut().map(String::clear);
        }
        KeyCode::Char(letter) if key.modifiers.difference(KeyModifiers::SHIFT).is_empty() => {
            type_letter(start, &mut model.look, letter, luck);
        }
        _ => return Vec::new(),
    }
    vec![Effect::Draw]
}

/// Changes to the next or previous value, in the form or the appearance.
fn turn(start: &mut StartScreen, look: &mut Appearance, forward: bool, luck: u64) {
    match start.item {
        StartItem::Theme => look.cycle_theme(forward),
        StartItem::Pieces => look.cycle_pieces(forward),
        _ => start.turn(forward, luck),
    }
}

fn type_letter(start: &mut StartScreen, look: &mut Appearance, letter: char, luck: u64) {
    start.notice = None;
    start.faults.clear();
    start.unseat_computer();
    let is_fresh = std::mem::take(&mut start.is_fresh);
    if let Some(text) = start.text_mut() {
        if is_fresh {
            text.clear();
        }
        if text.chars().count() < MAX_FIELD_CHARS && !letter.is_control() {
            text.push(letter);
        }
        return;
    }
    match letter {
        'j' => start.go(1),
        'k' => start.go(-1),
        'h' => turn(start, look, false, luck),
        'l' | ' ' => turn(start, look, true, luck),
        'q' => start.go_to(StartItem::Quit),
        _ => {}
    }
}

/// Pastes a text into the field that it belongs to: paths and positions are recognised, anything else goes into the
/// selected field.
pub(super) fn paste(start: &mut StartScreen, text: &str) {
    let bare = text.strip_prefix("file://").unwrap_or(text);
    let bare = bare.trim_matches(['\'', '"']);
    let is_fen = bare
        .split(' ')
        .next()
        .unwrap_or_default()
        .matches('/')
        .count()
        == 7;
    let is_link = ["http://", "https://"]
        .iter()
        .any(|scheme| bare.to_ascii_lowercase().starts_with(scheme));
    if is_link {
        start.item = StartItem::Join;
    } else if bare.to_ascii_lowercase().ends_with(".pgn") {
        start.item = StartItem::Open;
    } else if is_fen || !start.item.is_text() {
        start.item = StartItem::Position;
    }
    start.is_fresh = false;
    if let Some(field) = start.text_mut() {
        bare.clone_into(field);
    }
}

/// Activates the selected item. Enter on an item of the terms starts the game as well.
fn enter(model: &mut Model) -> Vec<Effect> {
    let ActiveScreen::Start(start) = &mut model.scene else {
        return Vec::new();
    };
    match start.item {
        StartItem::Quit => vec![Effect::Quit],
        StartItem::Help => game::run_action(model, Action::Help),
        StartItem::Open if start.path.trim().is_empty() => vec![Effect::OpenSaved],
        StartItem::Open => vec![Effect::Open(start.path.trim().into())],
        StartItem::Join => match network::read_link(&start.link) {
            Ok(link) => {
                start.notice = Some(format!("Going to {link} ..."));
                let name = start.form.white.trim().to_owned();
                vec![Effect::Join { link, name }, Effect::Draw]
            }
            Err(error) => {
                start.notice = Some(error);
                vec![Effect::Draw]
            }
        },
        StartItem::Host => host(model),
        StartItem::Resume => match start.resumable() {
            Some(resumable) => vec![Effect::Resume(resumable.path.clone())],
            None => Vec::new(),
        },
        _ => begin(model),
    }
}

/// Resumes an unfinished game.
pub(super) fn resume(model: &mut Model, game: Game, warning: Option<String>) -> Vec<Effect> {
    let mut table = GameScreen::new(game, model.now);
    table.auto_flip = model.auto_flip;
    if model.auto_flip {
        table.near = table.game.turn();
    }
    if let Some(warning) = warning {
        table.set_notice(Tone::Alarm, warning);
    }
    model.scene = ActiveScreen::Table(Box::new(table));
    vec![Effect::Draw]
}

/// Deletes the unfinished game, on the second request.
fn discard(start: &mut StartScreen) -> Vec<Effect> {
    let Some(path) = start.resumable().map(|resumable| resumable.path.clone()) else {
        return Vec::new();
    };
    if start.discards.as_ref() != Some(&path) {
        start.discards = Some(path);
        start.notice = Some("Delete again throws this unfinished game away for good.".to_owned());
        return vec![Effect::Draw];
    }
    start.discards = None;
    vec![Effect::Discard(path), Effect::Seek, Effect::Draw]
}

fn begin(model: &mut Model) -> Vec<Effect> {
    let swap = model.random_bool();
    let (now, luck) = (model.now, model.random_u32());
    let ActiveScreen::Start(start) = &mut model.scene else {
        return Vec::new();
    };
    match start.form.terms(luck) {
        Ok(terms) => {
            model.form = start.form.clone();
            let players = start.form.players(swap);
            crate::screen::update::begin(
                model,
                GameScreen::new(Game::begin(terms, players, now), now),
            )
        }
        Err(error) => {
            start.notice = Some(sentence(&error));
            vec![Effect::Draw]
        }
    }
}

/// Hosts a table on the network, with the terms of the form.
fn host(model: &mut Model) -> Vec<Effect> {
    let ActiveScreen::Start(start) = &mut model.scene else {
        return Vec::new();
    };
    match start.form.new_table() {
        Ok(proposal) => {
            model.form = start.form.clone();
            start.notice = Some("Opening a table ...".to_owned());
            vec![Effect::Host(Box::new(proposal)), Effect::Draw]
        }
        Err(error) => {
            start.notice = Some(sentence(&error));
            vec![Effect::Draw]
        }
    }
}

/// Handles the mouse on the start screen: a click selects an item, a click on the selected one activates it.
pub(super) fn on_mouse(model: &mut Model, kind: MouseEventKind, cell: Position) -> Vec<Effect> {
    let size = model.size;
    let luck = model.random_u32();
    let ActiveScreen::Start(start) = &mut model.scene else {
        return Vec::new();
    };
    match kind {
        MouseEventKind::Down(MouseButton::Left) => match view::item_at(start, size, cell) {
            Some(item) if item == start.item && !item.is_text() => match item {
                StartItem::Play
                | StartItem::Resume
                | StartItem::Host
                | StartItem::Help
                | StartItem::Quit => {
                    return enter(model);
                }
                _ => turn(start, &mut model.look, true, luck),
            },
            Some(item @ (StartItem::Play | StartItem::Resume)) => {
                start.go_to(item);
                return enter(model);
            }
            Some(item) => start.go_to(item),
            None => return Vec::new(),
        },
        MouseEventKind::ScrollDown => start.go(1),
        MouseEventKind::ScrollUp => start.go(-1),
        _ => return Vec::new(),
    }
    vec![Effect::Draw]
}
