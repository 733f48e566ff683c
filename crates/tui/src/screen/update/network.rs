//! A table on the network: what is told there changes the screen, and what the player wants is said there.
//! Nothing is decided here but what the law book refuses at once.

use std::time::Duration;

use touchmove_client::{Arrival, Attendance, Link, Rematch, Say, Told};
use touchmove_game::move_text;
use touchmove_game::move_text::sentence;
use touchmove_game::{Deed, Event, Request, Timestamp, Wish};
use touchmove_rules::{Color, SquareSet};

use crate::screen::game_screen::{Dialog, Notice, Table, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{Model, Scene};
use crate::screen::network_table::Live;
use crate::screen::update::game;

/// Said to whoever talks where nobody hears it.
pub(super) const AT_ONE_KEYBOARD: &str = "This game is played at one keyboard.";

/// What is said about players who go and come.
const AWAY: &str = " is away.";
const THERE: &str = " is there.";

/// A table on the network tells something.
pub(super) fn hear(model: &mut Model, told: Told) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    if let Told::Arrived(arrival) = told {
        return arrive(model, *arrival);
    }
    let table = match &mut model.scene {
        Scene::Table(table) if table.live.is_some() => table,
        _ => {
            if let Told::Over(why) = told {
                crate::screen::update::say(model, Tone::Alarm, sentence(&why));
            }
            return vec![Effect::Draw];
        }
    };
    match told {
        Told::Decided { events, at } => {
            let was_over = table.game.ending().is_some();
            follow(table, &events, at, now, animation);
            return put_in(table, was_over);
        }
        Told::LeftOpen(text) => table.say(Tone::Plain, text),
        Told::Answered { said, denied } => {
            if let Some(live) = &mut table.live {
                let known = live.unanswered.iter();
                let at = known.clone().position(|say| Some(say) == said.as_ref());
                if let Some(at) = at.or((said.is_none() && known.len() > 0).then_some(0)) {
                    live.unanswered.remove(at);
                }
            }
            if let Some(denied) = denied {
                table.evidence = denied.evidence();
                table.say(Tone::Alarm, sentence(&denied.text));
            }
        }
        Told::Attendance(attendance) => attend(table, attendance),
        Told::Remark(remark) => {
            table.say(Tone::Plain, format!("{}: {}", remark.name, remark.text));
            if let Some(live) = &mut table.live {
                live.hear(remark);
            }
        }
        Told::Rematch(rematch) => return play_again(table, rematch, now),
        Told::Lost(why) => lose(table, format!("The line is lost, and tried again: {why}.")),
        Told::Over(why) => lose(table, format!("The line is lost for good: {why}.")),
        Told::Arrived(_) | Told::Text(_) | Told::Parted { .. } => return Vec::new(),
    }
    vec![Effect::Draw]
}

/// The line is lost; the sentence says so.
fn lose(table: &mut Table, sentence: String) {
    if let Some(live) = &mut table.live {
        live.lost = Some(sentence);
    }
}

/// Somebody comes to a table, or is back at it.
fn arrive(model: &mut Model, arrival: Arrival) -> Vec<Effect> {
    let now = model.now;
    if let Scene::Table(table) = &mut model.scene
        && let Some(live) = &mut table.live
        && live.link == arrival.link
    {
        let was_lost = live.lost.take().is_some();
        live.you = arrival.you;
        live.attendance = arrival.attendance;
        live.remarks = arrival.remarks;
        live.rematch = arrival.rematch;
        let was_over = table.game.ending().is_some();
        if table.game.seq() != arrival.game.seq() {
            table.game = arrival.game;
            table.shown = None;
            table.tidy();
        }
        table.set_time(now, arrival.at);
        if was_lost {
            table.say(Tone::Good, "The line is back.");
        }
        return put_in(table, was_over);
    }
    let pace = match &model.scene {
        Scene::Table(table) => table.live.as_ref().map(|live| live.pace),
        _ => None,
    };
    let live = Live {
        link: arrival.link,
        you: arrival.you,
        attendance: arrival.attendance,
        remarks: arrival.remarks,
        rematch: arrival.rematch,
        unanswered: Vec::new(),
        lost: None,
        hosts: model.hosts,
        pace: pace.unwrap_or_default(),
    };
    let table = Table::on_network(arrival.game, arrival.at, live, now);
    model.scene = Scene::Table(Box::new(table));
    vec![Effect::Draw]
}

/// A game that has just ended goes into the library of those who have played it.
fn put_in(table: &Table, was_over: bool) -> Vec<Effect> {
    let plays = table.live.as_ref().is_some_and(|live| live.you.is_some());
    match plays && !was_over && table.game.ending().is_some() {
        true => vec![Effect::PutIn(Box::new(table.game.clone())), Effect::Draw],
        false => vec![Effect::Draw],
    }
}

/// Something happened in the game.
fn follow(table: &mut Table, events: &[Event], at: Timestamp, now: Timestamp, animation: bool) {
    table.set_time(now, at);
    let known = table.game.seq();
    let new: Vec<Event> = events
        .iter()
        .filter(|event| event.seq > known)
        .cloned()
        .collect();
    if new.first().is_some_and(|event| event.seq != known + 1) {
        // How everything stands is told before long.
        return;
    }
    let changes_board =
        |event: &Event| matches!(event.deed, Deed::Moved { .. } | Deed::TakenBack { .. });
    if new.iter().any(changes_board) {
        table.notice = None;
        table.evidence = SquareSet::EMPTY;
        table.hand = None;
        table.dialog = table
            .dialog
            .filter(|dialog| !matches!(dialog, Dialog::Promotion { .. } | Dialog::Claim));
    }
    game::follow(table, &new, now, animation);
    for event in &new {
        // A move that has happened is not on its way, even if its answer was lost.
        if let (Deed::Moved { .. }, Some(live)) = (&event.deed, &mut table.live)
            && event.by.player() == live.you
        {
            live.unanswered
                .retain(|say| !matches!(say, Say::Wish(Wish::Move(_))));
        }
        if let (Deed::Seated { .. }, Some(by)) = (&event.deed, event.by.player()) {
            let name = move_text::name(&table.game, by);
            table.say(Tone::Good, format!("{name} sits down."));
        }
    }
}

/// Players come and go.
fn attend(table: &mut Table, attendance: Attendance) {
    let Some(live) = &mut table.live else {
        return;
    };
    let before = std::mem::replace(&mut live.attendance, attendance);
    let you = live.you;
    // Comings and goings are told where nothing else is.
    let is_quiet = |notice: &Option<Notice>| match notice {
        Some(notice) => notice.text.ends_with(AWAY) || notice.text.ends_with(THERE),
        None => true,
    };
    if table.game.ending().is_some() || !is_quiet(&table.notice) {
        return;
    }
    for player in Color::ALL.into_iter().filter(|&player| Some(player) != you) {
        let name = move_text::name(&table.game, player);
        match (before.away(player), attendance.away(player)) {
            (None, Some(_)) => table.say(Tone::Plain, name + AWAY),
            (Some(_), None) => table.say(Tone::Plain, name + THERE),
            _ => {}
        }
    }
}

/// Another game is wanted, or has begun: players follow to it, spectators are told.
fn play_again(table: &mut Table, rematch: Rematch, now: Timestamp) -> Vec<Effect> {
    let is_over = table.game.ending().is_some();
    let Some(live) = &mut table.live else {
        return Vec::new();
    };
    live.rematch = rematch;
    let follows = is_over && live.you.is_some();
    match live.rematch.game.clone() {
        Some(game) if follows && live.pace.may_follow(Duration::from_millis(now.0)) => {
            join(live, &game)
                .into_iter()
                .chain([Effect::Draw])
                .collect()
        }
        _ => vec![Effect::Draw],
    }
}

/// Goes to another table of the same server, under the same name.
fn join(live: &Live, game: &str) -> Option<Effect> {
    let link = live.link.with_game(game).ok()?;
    let name = String::new();
    Some(Effect::Join { link, name })
}

/// Says something at the table.
fn say(table: &mut Table, say: Say) -> Vec<Effect> {
    let seen = table.game.seq();
    if let Some(live) = &mut table.live {
        live.unanswered.push(say.clone());
    }
    vec![Effect::Say { say, seen }, Effect::Draw]
}

/// The player wants something of the game.
pub(super) fn ask(table: &mut Table, wish: Wish) -> Vec<Effect> {
    let you = table.live.as_ref().and_then(|live| live.you);
    let Some(you) = you else {
        table.say(Tone::Plain, "You watch this game: only its players move.");
        return vec![Effect::Draw];
    };
    if let Wish::Move(attempt) = wish {
        if table.live.as_ref().is_some_and(|live| live.is_moving()) {
            table.say(Tone::Plain, "Your move is on its way.");
            return vec![Effect::Draw];
        }
        // What the law book refuses needs no way to the server.
        let request = Request::new(table.game.latest(), you, attempt.into());
        if let Err(refusal) = table.game.decide(&request) {
            table.tidy();
            table.evidence = refusal.squares();
            table.say(Tone::Alarm, sentence(&refusal.to_string()));
            return vec![Effect::Draw];
        }
    }
    table.tidy();
    say(table, Say::Wish(wish))
}

/// The player says something to the others.
pub(super) fn remark(table: &mut Table, text: &str) -> Vec<Effect> {
    match text.trim() {
        _ if table.live.is_none() => table.say(Tone::Plain, AT_ONE_KEYBOARD),
        "" => table.say(Tone::Plain, "Say what: say good luck."),
        text => return say(table, Say::Remark(text.to_owned())),
    }
    vec![Effect::Draw]
}

/// The player claims the game of an opponent who has left, or has not come.
pub(super) fn claim_absence(table: &mut Table) -> Vec<Effect> {
    let Some(live) = &table.live else {
        table.say(Tone::Plain, AT_ONE_KEYBOARD);
        return vec![Effect::Draw];
    };
    let is_away = live
        .you
        .is_some_and(|you| live.attendance.away(!you).is_some());
    match is_away && !table.game.plies().is_empty() {
        true => ask(table, Wish::ClaimAbsence { draw: false }),
        false => ask(table, Wish::ClaimNoShow),
    }
}

/// The link goes to the clipboard.
pub(super) fn invite(table: &mut Table) -> Vec<Effect> {
    let Some(live) = &table.live else {
        table.say(Tone::Plain, AT_ONE_KEYBOARD);
        return vec![Effect::Draw];
    };
    let link = live.link.to_string();
    table.say(Tone::Good, format!("{link} is on the clipboard."));
    vec![Effect::Copy(link), Effect::Draw]
}

/// The player wants another game, or follows to the one that has begun.
pub(super) fn rematch(table: &mut Table) -> Vec<Effect> {
    let Some(live) = &table.live else {
        return Vec::new();
    };
    match (&live.rematch.game, live.you) {
        (Some(game), _) => join(live, game).into_iter().chain([Effect::Draw]).collect(),
        (None, Some(_)) => say(table, Say::Rematch),
        (None, None) => {
            table.say(
                Tone::Plain,
                "You watch this game: only its players play again.",
            );
            vec![Effect::Draw]
        }
    }
}

/// The answer to an offer of another game, if that is what there is to answer.
pub(super) fn answer_rematch(table: &mut Table, accepts: bool) -> Option<Vec<Effect>> {
    let live = table.live.as_ref()?;
    let by = live.rematch.offer?;
    let is_over = table.game.ending().is_some();
    if !is_over || live.you.is_none() || (accepts && live.you == Some(by)) {
        return None;
    }
    let answer = if accepts {
        Say::Rematch
    } else {
        Say::NoRematch
    };
    Some(say(table, answer))
}

/// The link that was typed, or why it is none.
pub(super) fn read_link(text: &str) -> Result<Link, String> {
    text.parse::<Link>()
        .map_err(|error| sentence(&error.to_string()))
}
