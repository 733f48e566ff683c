//! Keys at the table: the cursor, the line in which moves and words are typed, and the actions. What
//! a move means is asked of the game.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use touchmove_rules::{Attempt, Color, Misread, SquareSet};

use super::{board, coach, collection, dialog, live, start, wish};
use crate::screen::action::Action;
use crate::screen::feedback;
use crate::screen::message::Effect;
use crate::screen::model::{Model, Scene};
use crate::screen::phrase::Phrase;
use crate::screen::table::{Dialog, Table, Tone};
use crate::screen::view;
use touchmove_game::words;
use touchmove_game::words::sentence;
use touchmove_game::{Timestamp, Wish};

/// A key is struck.
pub(super) fn strike(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
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
        Scene::Start(_) => return start::strike(model, key, action),
        Scene::Contents(_) => return collection::strike_list(model, key, action),
        Scene::Table(table) => table,
    };
    if table.coaching.is_open && action != Some(Action::Quit) {
        return coach::strike(model, key);
    }
    let mut effects = Vec::new();
    if table.blast.take().is_some() {
        effects.push(Effect::Draw);
        if table.dialog.is_some() {
            // The question was not to be seen yet.
            return effects;
        }
    }
    if action != Some(Action::Quit)
        && let Some(open) = table.dialog
        && !(matches!(open, Dialog::Over { .. }) && action.is_some())
    {
        effects.extend(dialog::strike(model, open, key));
        return effects;
    }
    effects.extend(match action {
        Some(action) => wish::act(model, action),
        None if table.study.is_some() => collection::strike_study(model, key),
        None => strike_table(model, key),
    });
    effects
}

/// Whether a key is a letter of a remark: then it asks for nothing.
fn is_said(model: &Model, key: KeyEvent) -> bool {
    let is_remark = |table: &Table| table.line.text().starts_with("say ");
    let is_letter = matches!(key.code, KeyCode::Char(_))
        && !key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    is_letter && model.table().is_some_and(is_remark)
}

/// Whether a key is part of a note on a game of a file: then it asks for nothing.
fn is_noted(model: &Model, key: KeyEvent) -> bool {
    let is_typed = |table: &Table| table.study.is_some() && !table.line.is_empty();
    let is_letter =
        matches!(key.code, KeyCode::Char(_)) && !key.modifiers.contains(KeyModifiers::CONTROL);
    is_letter && model.table().is_some_and(is_typed)
}

/// While the help page lies over the screen, keys scroll it or take it away.
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
            return wish::act(model, Action::Quit);
        }
        _ => None,
    };
    vec![Effect::Draw]
}

fn strike_table(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Scene::Table(table) = &mut model.scene else {
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
            return wish::act(model, Action::Accept);
        }
        KeyCode::Char('c') if table.line.is_empty() && table.can_claim() => {
            // It may yet turn out to be the beginning of c4.
            table.tidy();
            table.line.push('c');
            table.dialog = Some(Dialog::Claim);
        }
        KeyCode::Char(letter) => type_letter(table, letter),
        _ => return Vec::new(),
    }
    vec![Effect::Draw]
}

/// Takes one thing back: what is typed, the man in hand, the look at an earlier position.
fn escape(table: &mut Table) {
    // A step that could have become text is forgotten, seen or not.
    table.line.settle();
    if table.line.is_refused() {
        table.line.clear();
        table.tidy();
    } else if !table.line.is_empty() {
        table.line.clear();
    } else if table.hand.is_some() || table.notice.is_some() || table.evidence.any() {
        table.tidy();
    } else {
        wish::look_at(table, usize::MAX);
    }
}

/// The cursor goes this many files to the right and ranks up, as the near player sees it. Where
/// nothing can be moved, it is the game that is gone through.
fn step(table: &mut Table, right: i8, up: i8) {
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
        return wish::look_at(table, plies);
    }
    table.hover = None;
    if let Some(square) = table.cursor.offset(sign * right, sign * up) {
        table.cursor = square;
    }
}

fn type_letter(table: &mut Table, letter: char) {
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
    table.evidence = SquareSet::EMPTY;
    table.line.push(letter);
}

/// What is typed is done; with nothing typed, the square under the cursor is touched.
fn enter(model: &mut Model) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let Scene::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    table.line.settle();
    if table.line.is_empty() {
        let square = table.focus();
        return board::touch(table, now, animation, square);
    }
    let text = table.line.take();
    match Phrase::read(&text) {
        None => {}
        Some(Ok(phrase)) => return say_phrase(model, phrase),
        Some(Err(usage)) => {
            table.line.begin(&text);
            table.say(Tone::Plain, format!("Type {usage}."));
            return vec![Effect::Draw];
        }
    }
    let actions = feedback::actions(table, &text);
    let completions = feedback::completions(table, &text);
    match (table.read(&text), &actions[..]) {
        (Err(_), _) if completions.len() == 1 => {
            let meant = table.game.position().uci(completions[0]);
            ask_move(table, now, animation, meant, &text)
        }
        (Err(Misread::Invalid { .. }), _) if !completions.is_empty() => {
            // It is not finished; what it can become is shown beside it.
            table.line.begin(&text);
            vec![Effect::Draw]
        }
        (Err(Misread::Invalid { .. } | Misread::NoSuchCapture { .. }), &[action]) => {
            wish::act(model, action)
        }
        (Err(Misread::Invalid { .. } | Misread::NoSuchCapture { .. }), [_, ..]) => {
            let words: Vec<&str> = actions.iter().map(|action| action.word()).collect();
            table.line.begin(&text);
            table.say(
                Tone::Plain,
                format!("{text} can be {}.", words.join(" or ")),
            );
            vec![Effect::Draw]
        }
        _ if !table.is_playable() => {
            if table.is_played() && table.game.ending().is_none() {
                // It waits in the line until it can be played.
                table.line.begin(&text);
            }
            match table.is_current() && table.is_played() {
                true => vec![Effect::Draw],
                false => board::touch(table, now, animation, table.cursor),
            }
        }
        (Ok(mv), _) => {
            let meant = table.game.position().uci(mv);
            ask_move(table, now, animation, meant, &text)
        }
        (Err(Misread::PromotionMissing { attempt, .. }), _) => {
            board::attempt(table, now, animation, attempt)
        }
        (Err(misread), _) => {
            table.tidy();
            table.line.refuse(&text);
            table.evidence = feedback::evidence(&misread);
            let words = words::misread(table.game.position(), &text, &misread);
            table.say(Tone::Alarm, words);
            vec![Effect::Draw]
        }
    }
}

/// Asks for a move that was typed. At a table where a seat is still open the text stays: whoever comes may sit
/// down already, and then Enter plays it.
fn ask_move(
    table: &mut Table,
    now: Timestamp,
    animation: bool,
    meant: Attempt,
    text: &str,
) -> Vec<Effect> {
    let effects = wish::ask(table, now, animation, Wish::Move(meant));
    if Color::ALL
        .iter()
        .any(|&color| table.game.seats()[color].is_open())
    {
        table.line.refuse(text);
    }
    effects
}

/// Does what words ask for.
fn say_phrase(model: &mut Model, phrase: Phrase) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let Scene::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let runs = table.game.ending().is_none() && table.is_played();
    match phrase {
        Phrase::Act(action) => wish::act(model, action),
        Phrase::Claim(announced) => claim_with(model, &announced),
        Phrase::Say(remark) => live::remark(table, &remark),
        Phrase::Save(path) => wish::save_as(model, &path),
        Phrase::Resign(by) if runs && table.live.is_none() => {
            table.tidy();
            wish::ask_whether_resigns(table, by)
        }
        Phrase::Resign(by) => wish::ask_as(table, now, animation, Wish::Resign, Some(by)),
        Phrase::Draw(by) => wish::ask_as(table, now, animation, Wish::OfferDraw, Some(by)),
        Phrase::Takeback(by) => wish::ask_as(table, now, animation, Wish::Takeback, Some(by)),
        Phrase::Answer { offer, accepts } => {
            wish::ask(table, now, animation, wish::answer(offer, accepts))
        }
    }
}

/// A draw is claimed with a move that is announced and not played (FIDE 9.2.1, 9.3.1).
fn claim_with(model: &mut Model, announced: &str) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let Scene::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    match table.read(announced) {
        Ok(mv) => {
            let meant = table.game.position().uci(mv);
            wish::ask(table, now, animation, Wish::ClaimDraw(Some(meant)))
        }
        Err(misread) => {
            table.say(Tone::Alarm, sentence(&misread.to_string()));
            vec![Effect::Draw]
        }
    }
}
