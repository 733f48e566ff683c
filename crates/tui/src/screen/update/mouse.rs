//! The mouse: pieces are clicked or dragged; moves of the list, key hints of the footer and answers of dialogs can
//! be clicked too.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;
use touchmove_rules::UciMove;

use crate::screen::key_bindings::Action;
use crate::screen::layout::Layout;
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::{annotate, board, dialog, game, game_list, keys, start};
use crate::screen::view;

/// Handles a mouse event.
pub(super) fn on_mouse(model: &mut Model, event: MouseEvent) -> Vec<Effect> {
    let cell = Position::new(event.column, event.row);
    let Some(layout) = Layout::of(model.size) else {
        return Vec::new();
    };
    if model.help.is_some() {
        return match event.kind {
            MouseEventKind::Down(_) => game::run_action(model, Action::Help),
            _ => Vec::new(),
        };
    }
    match model.scene {
        ActiveScreen::Start(_) => return start::on_mouse(model, event.kind, cell),
        ActiveScreen::Contents(_) => return game_list::on_mouse(model, event.kind, cell),
        ActiveScreen::Table(_) => {}
    }
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => press(model, &layout, cell),
        MouseEventKind::Up(MouseButton::Left) => release(model, &layout, cell),
        MouseEventKind::Moved | MouseEventKind::Drag(_) => hover(model, &layout, cell),
        MouseEventKind::ScrollUp => game::run_action(model, Action::Back),
        MouseEventKind::ScrollDown => game::run_action(model, Action::Forward),
        _ => Vec::new(),
    }
}

fn press(model: &mut Model, layout: &Layout, cell: Position) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    if let Some(key) = view::footer_at(model, layout, cell) {
        return keys::on_key(model, key.from_event());
    }
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    if table.blast.take().is_some() && table.dialog.is_some() {
        return vec![Effect::Draw];
    }
    if let Some(open) = table.dialog {
        return match view::answer_at(model, layout, open, cell) {
            Some(answer) => dialog::apply_answer(model, open, answer),
            None => Vec::new(),
        };
    }
    let (beside_talk, _) = view::make_room(table, layout);
    if let Some(plies) = view::ply_at(table, &beside_talk, cell) {
        game::look_at(table, plies);
        return vec![Effect::Draw];
    }
    let Some(square) = layout.board(table.near).square_at(cell) else {
        return Vec::new();
    };
    table.line.clear();
    table.hover = Some(square);
    if table.study.is_some() {
        let effects = annotate::touch(table, square);
        table.dragged = table.hand.filter(|&hand| hand == square);
        return effects;
    }
    let effects = board::touch(table, now, animation, square);
    table.dragged = table.hand.filter(|&hand| hand == square);
    effects
}

/// Handles the release of the button: over another square than it was pressed on, it makes a move.
fn release(model: &mut Model, layout: &Layout, cell: Position) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let dragged = table.dragged.take();
    match (dragged, layout.board(table.near).square_at(cell)) {
        (Some(from), Some(to)) if from != to && table.study.is_some() => {
            annotate::attempt(table, UciMove::new(from, to));
            vec![Effect::Draw]
        }
        (Some(from), Some(to)) if from != to => {
            board::attempt(table, now, animation, UciMove::new(from, to))
        }
        _ => Vec::new(),
    }
}

/// Handles the mouse over a square, which is visible only while a piece is selected.
fn hover(model: &mut Model, layout: &Layout, cell: Position) -> Vec<Effect> {
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let square = layout.board(table.near).square_at(cell);
    if table.hand.is_none() || table.dialog.is_some() || square == table.hover {
        return Vec::new();
    }
    table.hover = square;
    vec![Effect::Draw]
}
