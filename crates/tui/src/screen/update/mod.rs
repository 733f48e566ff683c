//! The update: a model and a message give the next model, and effects for the event loop. Pure: it reads no clock,
//! no file and no terminal.

mod annotate;
mod board;
mod coach;
mod computer;
mod dialog;
mod game;
mod game_list;
mod keys;
mod mouse;
mod network;
mod paste;
mod saving;
mod start;

pub(super) use dialog::{DialogAnswer, answers};
pub(super) use saving::unsaved_pgn;
use touchmove_game::{AnalysisResult, Millis, Timestamp, journal};

use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::message::{Effect, Message};
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::new_game_form::NewGameForm;
use crate::screen::start_screen::StartScreen;

/// Applies a message received at `now` to the model.
///
/// ```
/// use ratatui::layout::Size;
/// use touchmove_game::Timestamp;
/// use touchmove_tui::screen::{Effect, NewGameForm, Message, Model, ActiveScreen, StartScreen, update};
///
/// let start = StartScreen::new(NewGameForm::default(), None);
/// let mut model = Model::new(Size::new(80, 24), ActiveScreen::Start(Box::new(start)));
/// let effects = update(&mut model, Timestamp(0), Message::Resize(120, 40));
/// assert_eq!(effects, [Effect::Draw]);
/// ```
pub fn update(model: &mut Model, now: Timestamp, message: Message) -> Vec<Effect> {
    model.now = now.max(model.now);
    let mut effects = let_time_pass(model);
    match message {
        Message::Time => {}
        Message::Resize(columns, rows) => {
            model.size = (columns, rows).into();
            effects.push(Effect::Draw);
        }
        Message::Key(key) => effects.extend(keys::on_key(model, key)),
        Message::Mouse(event) => effects.extend(mouse::on_mouse(model, event)),
        Message::Paste(text) => effects.extend(paste::paste(model, &text)),
        Message::Saved(path) => effects.extend(saving::saved(model, &path)),
        Message::Unsaved { path, why } => effects.extend(saving::not_saved(model, &path, why)),
        Message::Opened(path, bytes) => {
            effects.extend(game_list::show(model, path, bytes));
        }
        Message::Changed(path) => effects.extend(game_list::changed(model, &path)),
        Message::Library(files) => effects.extend(game_list::show_library(model, files)),
        Message::Found(waiting) => {
            if let ActiveScreen::Start(start) = &mut model.scene {
                start.offer(waiting);
                effects.push(Effect::Draw);
            }
        }
        Message::Resumed(game, warning) => effects.extend(start::resume(model, *game, warning)),
        Message::Unkept(why) => effects.extend(saving::on_save_failed(model, why)),
        Message::Kept => effects.extend(saving::on_save_recovered(model)),
        Message::Shelved(path) => effects.extend(saving::on_archived(model, &path)),
        Message::Told(told) => effects.extend(network::on_server_event(model, *told)),
        Message::Hosting => model.hosts = true,
        Message::Answered(reply) => effects.extend(computer::on_computer_reply(model, &reply)),
        Message::Advised(said) => effects.extend(coach::on_coach_reply(model, *said)),
        Message::LookedInto(finding) => effects.extend(conclude(model, &finding)),
        Message::Failed(sentence) => {
            say(model, Tone::Alarm, sentence);
            effects.push(Effect::Draw);
        }
    }
    effects.extend(computer::next_computer_task(model));
    effects.extend(doubt(model));
    effects.extend(alert_players(model));
    effects
}

/// Alerts the players if something has happened for which they asked.
fn alert_players(model: &mut Model) -> Vec<Effect> {
    let (now, call) = (model.now, model.call);
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    table.look_at_clock(now);
    if !std::mem::take(&mut table.calls) {
        return Vec::new();
    }
    if call.flash {
        model.flash = Some(now + FLASH_DURATION);
    }
    let ring = call.bell.then_some(Effect::Ring);
    ring.into_iter().chain([Effect::Draw]).collect()
}

/// Requests the analysis of each new question of the game, which may take longer than a move.
fn doubt(model: &mut Model) -> Option<Effect> {
    let ActiveScreen::Table(table) = &mut model.scene else {
        return None;
    };
    // On the network the server analyses.
    let looks = table.study.is_none() && table.live.is_none();
    let question = table.game.pending_analysis().filter(|_| looks);
    let is_new = question != table.doubted;
    table.doubted = question;
    let question = question.filter(|_| is_new)?;
    Some(Effect::LookLonger(Box::new(question)))
}

/// Applies the result of an analysis: it may end the game, if that has not gone on since. Says so if it was
/// undecided.
fn conclude(model: &mut Model, finding: &AnalysisResult) -> Vec<Effect> {
    let now = model.now;
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let is_about_this = table.game.pending_analysis() == Some(finding.question);
    if !is_about_this || table.study.is_some() || table.live.is_some() {
        return Vec::new();
    }
    if let Some(left_open) = finding.left_open() {
        table.set_notice(Tone::Plain, left_open);
        return vec![Effect::Draw];
    }
    let events = table.game.conclude(table.game_time(now), finding);
    if events.is_empty() {
        return Vec::new();
    }
    game::apply_events(table, &events, now, false);
    saving::record(table, &events)
}

/// Advances clocks and animations; a flag may fall.
fn let_time_pass(model: &mut Model) -> Vec<Effect> {
    let now = model.now;
    let mut effects = Vec::new();
    // The players may have left the screen meanwhile.
    if model.flash.is_some_and(|until| until <= now) {
        model.flash = None;
        effects.push(Effect::Draw);
    }
    let ActiveScreen::Table(table) = &mut model.scene else {
        return effects;
    };
    let fallen = table.game.tick(table.game_time(now));
    if !fallen.is_empty() && table.study.is_none() && table.live.is_none() {
        game::apply_events(table, &fallen, now, false);
        effects.extend(saving::record(table, &fallen));
    }
    // A finished explosion must still be cleared.
    if table.next_wakeup(now).is_some() {
        effects.push(Effect::Draw);
    }
    table.blast = table.blast.filter(|blast| blast.at(now).is_some());
    effects
}

fn say(model: &mut Model, tone: Tone, text: String) {
    match &mut model.scene {
        ActiveScreen::Table(table) => table.set_notice(tone, text),
        ActiveScreen::Start(start) => start.notice = Some(text),
        ActiveScreen::Contents(contents) => contents.notice = Some(text),
    }
}

/// The duration of a flash.
const FLASH_DURATION: Millis = Millis(400);

/// Shows a game that has just begun.
fn begin(model: &mut Model, mut table: GameScreen) -> Vec<Effect> {
    saving::leave_game(model);
    table.auto_flip = model.auto_flip;
    let opening = journal::rewrite(&table.game);
    model.scene = ActiveScreen::Table(Box::new(table));
    vec![Effect::Begin(opening), Effect::Draw]
}

/// Returns to the start screen, where an unfinished game may be resumed.
fn to_start(model: &mut Model) -> Vec<Effect> {
    if let Some(table) = model.table().filter(|table| table.study.is_none()) {
        model.form = NewGameForm::from_game(&table.game);
    }
    saving::leave_game(model);
    let was_live = model.table().is_some_and(|table| table.live.is_some());
    model.hosts = false;
    model.scene = ActiveScreen::Start(Box::new(StartScreen::new(model.form.clone(), None)));
    let part = was_live.then_some(Effect::Part);
    part.into_iter()
        .chain([Effect::Seek, Effect::Draw])
        .collect()
}
