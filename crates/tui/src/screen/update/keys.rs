//! Keys on the game screen: the cursor, the input line, and the actions. The game decides about moves.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use touchmove_rules::{Bitboard, Color, MoveInputError, UciMove};

use crate::screen::feedback;
use crate::screen::game_screen::{Dialog, GameScreen, Tone};
use crate::screen::key_bindings::Action;
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::typed_command::TypedCommand;
use crate::screen::update::{board, coach, dialog, game, game_list, network, start};
use crate::screen::view;
use touchmove_game::move_text;
use touchmove_game::move_text::sentence;
use touchmove_game::{Intent, Timestamp};

/// Handles a key.
pub(super) fn on_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    if key.kind == KeyEventKind::Release {
        return Vec::new();
    }
    let action = model.keys.action(key).filter(|_| !is_said(model, key));
    let action = action.filter(|_| !is_noted(model, key));
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    if action.is_none() && is_control && key.code == KeyCode::Char('z') {
        return vec![Effect::Suspend];
    }
    if model.help.is_some() {
        return strike_help(model, key, action);
    }
    let table = match &mut model.scene {
        ActiveScreen::Start(_) => return start::on_key(model, key, action),
        ActiveScreen::Contents(_) => return game_list::on_list_key(model, key, action),
        ActiveScreen::Table(table) => table,
    };
    if table.coaching.is_open && action != Some(Action::Quit) {
        return coach::on_key(model, key);
    }
    let mut effects = Vec::new();
    if table.blast.take().is_some() {
        effects.push(Effect::Draw);
        if table.dialog.is_some() {
            // The dialog was not visible yet.
            return effects;
        }
    }
    if action != Some(Action::Quit)
        && let Some(open) = table.dialog
        && !(matches!(open, Dialog::Over { .. }) && action.is_some())
    {
        effects.extend(dialog::on_key(model, open, key));
        return effects;
    }
    effects.extend(match action {
        Some(action) => game::run_action(model, action),
        None if table.study.is_some() => game_list::on_study_key(model, key),
        None => strike_table(model, key),
    });
    effects
}

/// Whether a key is a letter of a chat message, not a key binding.
fn is_said(model: &Model, key: KeyEvent) -> bool {
    let is_remark = |table: &GameScreen| table.line.text().starts_with("say ");
    let is_letter = matches!(key.code, KeyCode::Char(_))
        && !key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    is_letter && model.table().is_some_and(is_remark)
}

/// Whether a key is part of an annotation, not a key binding.
fn is_noted(model: &Model, key: KeyEvent) -> bool {
    let is_typed = |table: &GameScreen| table.study.is_some() && !table.line.is_empty();
    let is_letter =
        matches!(key.code, KeyCode::Char(_)) && !key.modifiers.contains(KeyModifiers::CONTROL);
    is_letter && model.table().is_some_and(is_typed)
}

/// Handles a key while the help page is open: scrolls or closes it.
fn strike_help(model: &mut Model, key: KeyEvent, action: Option<Action>) -> Vec<Effect> {
    let farthest = view::farthest_help(model);
    let scrolled = model.help.unwrap_or_default().min(farthest);
    model.help = match (key.code, action) {
        (KeyCode::Down | KeyCode::Char('j') | KeyCode::PageDown, _) => {
            Some((scrolled + 1).min(farthest))
        }
        (KeyCode::Up | KeyCode::Char('k') | KeyCode::PageUp, _) => Some(scrolled.saturating_sub(1)),
        (_, Some(Action::Quit)) => {
            model.help = None;
            return game::run_action(model, Action::Quit);
        }
        _ => None,
    };
    vec![Effect::Draw]
}

fn strike_table(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    if !matches!(key.code, KeyCode::Backspace | KeyCode::Enter | KeyCode::Esc)
        && !matches!(key.code, KeyCode::Char(letter) if feedback::goes_on(table, letter))
    {
        table.line.make_way();
    }
    if key
        .modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
    {
        if key.code == KeyCode::Char('u') {
            table.line.clear();
        }
        return vec![Effect::Draw];
    }
    match key.code {
        KeyCode::Enter => return enter(model),
        KeyCode::Esc => escape(table),
        KeyCode::Backspace => table.line.pop(),
        KeyCode::Tab => return board::cycle(table, true),
        KeyCode::BackTab => return board::cycle(table, false),
        KeyCode::Left => step(table, -1, 0),
        KeyCode::Right => step(table, 1, 0),
        KeyCode::Up => step(table, 0, 1),
        KeyCode::Down => step(table, 0, -1),
        KeyCode::Char(' ') if table.line.is_empty() => return enter(model),
        KeyCode::Char('y') if table.line.is_empty() && table.is_offered() => {
            return game::run_action(model, Action::Accept);
        }
        KeyCode::Char('c') if table.line.is_empty() && table.can_claim() => {
            // It may turn out to be the beginning of c4.
            table.clear_transient();
            table.line.push('c');
            table.dialog = Some(Dialog::Claim);
        }
        KeyCode::Char(letter) => type_letter(table, letter),
        _ => return Vec::new(),
    }
    vec![Effect::Draw]
}

/// Undoes one step: clears the typed text, deselects the piece, or returns to the current position.
fn escape(table: &mut GameScreen) {
    // Drops an undecided step, visible or not.
    table.line.settle();
    if table.line.is_refused() {
        table.line.clear();
        table.clear_transient();
    } else if !table.line.is_empty() {
        table.line.clear();
    } else if table.hand.is_some() || table.notice.is_some() || table.evidence.any() {
        table.clear_transient();
    } else {
        game::look_at(table, usize::MAX);
    }
}

/// Moves the cursor this many files right and ranks up, as seen by the near player. Where nothing can be moved,
/// steps through the game instead.
fn step(table: &mut GameScreen, right: i8, up: i8) {
    let sign = if table.near == Color::White { 1 } else { -1 };
    table.line.settle();
    if !(table.is_current() && table.is_played()) {
        let shown = table.plies_shown();
        let plies = match (right, up) {
            (-1, _) => shown.saturating_sub(1),
            (1, _) => shown + 1,
            (_, 1) => 0,
            _ => usize::MAX,
        };
        return game::look_at(table, plies);
    }
    table.hover = None;
    if let Some(square) = table.cursor.offset(sign * right, sign * up) {
        table.cursor = square;
    }
}

fn type_letter(table: &mut GameScreen, letter: char) {
    if table.line.step(letter) {
        let undecided = table.line.clone();
        match letter {
            'h' => step(table, -1, 0),
            'j' => step(table, 0, -1),
            'k' => step(table, 0, 1),
            _ => step(table, 1, 0),
        }
        table.line = undecided;
        return;
    }
    table.notice = None;
    table.evidence = Bitboard::EMPTY;
    table.line.push(letter);
}

/// Handles Enter: runs the typed text, or touches the square under the cursor.
fn enter(model: &mut Model) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    table.line.settle();
    if table.line.is_empty() {
        let square = table.focus();
        return board::touch(table, now, animation, square);
    }
    let text = table.line.take();
    match TypedCommand::read(&text) {
        None => {}
        Some(Ok(phrase)) => return run_typed_command(model, phrase),
        Some(Err(usage)) => {
            table.line.begin(&text);
            table.set_notice(Tone::Plain, format!("Type {usage}."));
            return vec![Effect::Draw];
        }
    }
    let actions = feedback::actions(table, &text);
    let completions = feedback::completions(table, &text);
    match (table.read(&text), &actions[..]) {
        (Err(_), _) if completions.len() == 1 => {
            let meant = table.game.position().uci(completions[0]);
            submit_move(table, now, animation, meant, &text)
        }
        (Err(MoveInputError::Invalid { .. }), _) if !completions.is_empty() => {
            // Incomplete: its completions are shown beside it.
            table.line.begin(&text);
            vec![Effect::Draw]
        }
        (Err(MoveInputError::Invalid { .. } | MoveInputError::NoSuchCapture { .. }), &[action]) => {
            game::run_action(model, action)
        }
        (Err(MoveInputError::Invalid { .. } | MoveInputError::NoSuchCapture { .. }), [_, ..]) => {
            let words: Vec<&str> = actions.iter().map(|action| action.word()).collect();
            table.line.begin(&text);
            table.set_notice(
                Tone::Plain,
                format!("{text} can be {}.", words.join(" or ")),
            );
            vec![Effect::Draw]
        }
        _ if !table.is_playable() => {
            if table.is_played() && table.game.ending().is_none() {
                // It stays in the line until it can be played.
                table.line.begin(&text);
            }
            match table.is_current() && table.is_played() {
                true => vec![Effect::Draw],
                false => board::touch(table, now, animation, table.cursor),
            }
        }
        (Ok(mv), _) => {
            let meant = table.game.position().uci(mv);
            submit_move(table, now, animation, meant, &text)
        }
        (Err(MoveInputError::PromotionMissing { attempt, .. }), _) => {
            board::attempt(table, now, animation, attempt)
        }
        (Err(misread), _) => {
            table.clear_transient();
            table.line.refuse(&text);
            table.evidence = feedback::evidence(&misread);
            let words = move_text::move_input_text(table.game.position(), &text, &misread);
            table.set_notice(Tone::Alarm, words);
            vec![Effect::Draw]
        }
    }
}

/// Submits a typed move. While a seat is still open the text stays in the line, so that Enter plays it once the
/// opponent has sat down.
fn submit_move(
    table: &mut GameScreen,
    now: Timestamp,
    animation: bool,
    meant: UciMove,
    text: &str,
) -> Vec<Effect> {
    let effects = game::submit(table, now, animation, Intent::Move(meant));
    if Color::ALL
        .iter()
        .any(|&color| table.game.seats()[color].is_open())
    {
        table.line.refuse(text);
    }
    effects
}

/// Runs a typed command.
fn run_typed_command(model: &mut Model, phrase: TypedCommand) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let runs = table.game.ending().is_none() && table.is_played();
    match phrase {
        TypedCommand::Act(action) => game::run_action(model, action),
        TypedCommand::Claim(announced) => claim_with(model, &announced),
        TypedCommand::Say(remark) => network::send_chat(table, &remark),
        TypedCommand::Save(path) => game::save_as(model, &path),
        TypedCommand::Resign(by) if runs && table.live.is_none() => {
            table.clear_transient();
            game::ask_whether_resigns(table, by)
        }
        TypedCommand::Resign(by) => {
            game::submit_as(table, now, animation, Intent::Resign, Some(by))
        }
        TypedCommand::Draw(by) => {
            game::submit_as(table, now, animation, Intent::OfferDraw, Some(by))
        }
        TypedCommand::Takeback(by) => {
            game::submit_as(table, now, animation, Intent::Takeback, Some(by))
        }
        TypedCommand::Answer { offer, accepts } => {
            game::submit(table, now, animation, game::answer(offer, accepts))
        }
    }
}

/// Claims a draw with a move that is announced and not played (FIDE 9.2.1, 9.3.1).
fn claim_with(model: &mut Model, announced: &str) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    match table.read(announced) {
        Ok(mv) => {
            let meant = table.game.position().uci(mv);
            game::submit(table, now, animation, Intent::ClaimDraw(Some(meant)))
        }
        Err(misread) => {
            table.set_notice(Tone::Alarm, sentence(&misread.to_string()));
            vec![Effect::Draw]
        }
    }
}
