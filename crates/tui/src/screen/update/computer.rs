//! Computers in the game: they are asked when it is their turn, and their commands are submitted to the game like a
//! person's.

use touchmove_game::move_text::sentence;
use touchmove_game::{Decision, Event, Submission, Timestamp};
use touchmove_rules::Bitboard;

use crate::opponents::{ComputerReply, ComputerSeats, NextStep, ReplyEffect};
use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::{game, saving};

/// Carries out what computers do at once, and asks them the next question.
pub(super) fn next_computer_task(model: &mut Model) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let is_new =
        |table: &GameScreen| !table.has_met && table.study.is_none() && table.live.is_none();
    let seed = match (model.table().is_some_and(is_new), model.customs.seed) {
        (true, None) => (model.random_u32() << 32) | model.random_u32(),
        (_, seed) => seed.unwrap_or_default(),
    };
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    if table.study.is_some() || table.live.is_some() {
        return Vec::new();
    }
    let mut effects = Vec::new();
    if !table.has_met {
        let rivals = ComputerSeats::of(&table.game, &model.customs, seed);
        table.seat_computers(rivals, model.customs.hints);
        if table.rivals.are_there() {
            effects.push(Effect::Draw);
        }
    }
    let at = table.game_time(now);
    while let Some(due) = table.rivals.next(&table.game, at) {
        let (who, command) = match due {
            NextStep::Ask(task) => {
                effects.push(Effect::Think(task));
                break;
            }
            NextStep::Command(who, command) => (who, command),
        };
        match table.game.decide(&Submission::new(at, who, command)) {
            Ok(decision) => {
                let events = decision.events();
                effects.extend(accept(table, &events, now, animation));
            }
            Err(_) => break,
        }
    }
    effects
}

/// Handles a computer's answer.
pub(super) fn on_computer_reply(model: &mut Model, reply: &ComputerReply) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let at = table.game_time(now);
    let decided = match table.rivals.on_reply(&table.game, reply) {
        None => return Vec::new(),
        Some(ReplyEffect::Note(text)) => {
            table.set_notice(Tone::Alarm, sentence(&text));
            return vec![Effect::Draw];
        }
        Some(ReplyEffect::Order(order)) => table.game.order(at, &order),
        Some(ReplyEffect::Command(who, command)) => {
            let decision = table.game.decide(&Submission::new(at, who, command));
            decision.map(Decision::events)
        }
    };
    match decided {
        Ok(events) => accept(table, &events, now, animation),
        Err(refusal) => {
            table.set_notice(Tone::Alarm, sentence(&refusal.to_string()));
            vec![Effect::Draw]
        }
    }
}

/// Applies the events of a computer's command; the person's selection and view stay.
fn accept(
    table: &mut GameScreen,
    events: &[Event],
    now: Timestamp,
    animation: bool,
) -> Vec<Effect> {
    let (cursor, line) = (table.cursor, table.line.clone());
    if table.game.ending().is_none() {
        table.notice = None;
        table.evidence = Bitboard::EMPTY;
    }
    game::apply_events(table, events, now, animation);
    table.calls |= table.rivals.only_human().is_some();
    if table.game.ending().is_none() {
        table.cursor = cursor;
        table.line = line;
    }
    saving::record(table, events)
}
