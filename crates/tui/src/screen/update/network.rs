//! Network games: server events change the screen, and commands of the player are sent to the server. Only moves
//! that the law book calls illegal are refused at once.

use std::time::Duration;

use touchmove_client::{
    ClientCommand, JoinedTable, PresenceSummary, RematchState, ServerEvent, TableLink,
};
use touchmove_game::move_text;
use touchmove_game::move_text::sentence;
use touchmove_game::{Event, EventKind, Intent, Submission, Timestamp};
use touchmove_rules::{Bitboard, Color};

use crate::screen::game_screen::{Dialog, GameScreen, Notice, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::network_table::NetworkTable;
use crate::screen::update::game;

/// The refusal of a chat message where there is nobody to read it.
pub(super) const NO_CHAT_TEXT: &str = "This game is played at one keyboard.";

/// The message that a player has disconnected.
const PLAYER_AWAY_TEXT: &str = " is away.";
const PLAYER_BACK_TEXT: &str = " is there.";

/// Handles a server event.
pub(super) fn on_server_event(model: &mut Model, told: ServerEvent) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    if let ServerEvent::Arrived(arrival) = told {
        return arrive(model, *arrival);
    }
    let table = match &mut model.scene {
        ActiveScreen::Table(table) if table.live.is_some() => table,
        _ => {
            if let ServerEvent::Over(why) = told {
                crate::screen::update::say(model, Tone::Alarm, sentence(&why));
            }
            return vec![Effect::Draw];
        }
    };
    match told {
        ServerEvent::Decided { events, at } => {
            let was_over = table.game.ending().is_some();
            follow(table, &events, at, now, animation);
            return put_in(table, was_over);
        }
        ServerEvent::LeftOpen(text) => table.set_notice(Tone::Plain, text),
        ServerEvent::Answered { said, denied } => {
            if let Some(live) = &mut table.live {
                let known = live.unanswered.iter();
                let at = known.clone().position(|say| Some(say) == said.as_ref());
                if let Some(at) = at.or((said.is_none() && known.len() > 0).then_some(0)) {
                    live.unanswered.remove(at);
                }
            }
            if let Some(denied) = denied {
                table.evidence = denied.evidence();
                table.set_notice(Tone::Alarm, sentence(&denied.text));
            }
        }
        ServerEvent::Presence(attendance) => on_presence(table, attendance),
        ServerEvent::Chat(remark) => {
            table.set_notice(Tone::Plain, format!("{}: {}", remark.name, remark.text));
            if let Some(live) = &mut table.live {
                live.add_chat_message(remark);
            }
        }
        ServerEvent::Rematch(rematch) => return play_again(table, rematch, now),
        ServerEvent::Lost(why) => lose(table, format!("The line is lost, and tried again: {why}.")),
        ServerEvent::Over(why) => lose(table, format!("The line is lost for good: {why}.")),
        ServerEvent::Arrived(_) | ServerEvent::Text(_) | ServerEvent::Parted { .. } => {
            return Vec::new();
        }
    }
    vec![Effect::Draw]
}

/// Handles the loss of the connection; the sentence says so.
fn lose(table: &mut GameScreen, sentence: String) {
    if let Some(live) = &mut table.live {
        live.lost = Some(sentence);
    }
}

/// Handles joining a table, or reconnecting to it.
fn arrive(model: &mut Model, arrival: JoinedTable) -> Vec<Effect> {
    let now = model.now;
    if let ActiveScreen::Table(table) = &mut model.scene
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
            table.clear_transient();
        }
        table.set_time(now, arrival.at);
        if was_lost {
            table.set_notice(Tone::Good, "The line is back.");
        }
        return put_in(table, was_over);
    }
    let pace = match &model.scene {
        ActiveScreen::Table(table) => table.live.as_ref().map(|live| live.pace),
        _ => None,
    };
    let live = NetworkTable {
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
    let table = GameScreen::on_network(arrival.game, arrival.at, live, now);
    model.scene = ActiveScreen::Table(Box::new(table));
    vec![Effect::Draw]
}

/// Adds a game that has just ended to the library of the players, not of spectators.
fn put_in(table: &GameScreen, was_over: bool) -> Vec<Effect> {
    let plays = table.live.as_ref().is_some_and(|live| live.you.is_some());
    match plays && !was_over && table.game.ending().is_some() {
        true => vec![Effect::PutIn(Box::new(table.game.clone())), Effect::Draw],
        false => vec![Effect::Draw],
    }
}

/// Applies events of the game.
fn follow(
    table: &mut GameScreen,
    events: &[Event],
    at: Timestamp,
    now: Timestamp,
    animation: bool,
) {
    table.set_time(now, at);
    let known = table.game.seq();
    let new: Vec<Event> = events
        .iter()
        .filter(|event| event.seq > known)
        .cloned()
        .collect();
    if new.first().is_some_and(|event| event.seq != known + 1) {
        // The server sends the whole state soon.
        return;
    }
    let changes_board = |event: &Event| {
        matches!(
            event.deed,
            EventKind::Moved { .. } | EventKind::TakenBack { .. }
        )
    };
    if new.iter().any(changes_board) {
        table.notice = None;
        table.evidence = Bitboard::EMPTY;
        table.hand = None;
        table.dialog = table
            .dialog
            .filter(|dialog| !matches!(dialog, Dialog::Promotion { .. } | Dialog::Claim));
    }
    game::apply_events(table, &new, now, animation);
    for event in &new {
        // A move that was made is not under way any more, even if its reply was lost.
        if let (EventKind::Moved { .. }, Some(live)) = (&event.deed, &mut table.live)
            && event.by.player() == live.you
        {
            live.unanswered
                .retain(|say| !matches!(say, ClientCommand::Wish(Intent::Move(_))));
        }
        if let (EventKind::Seated { .. }, Some(by)) = (&event.deed, event.by.player()) {
            let name = move_text::name(&table.game, by);
            table.set_notice(Tone::Good, format!("{name} sits down."));
        }
    }
}

/// Handles a change of presence.
fn on_presence(table: &mut GameScreen, attendance: PresenceSummary) {
    let Some(live) = &mut table.live else {
        return;
    };
    let before = std::mem::replace(&mut live.attendance, attendance);
    let you = live.you;
    // Presence is reported only where no other message is shown.
    let is_quiet = |notice: &Option<Notice>| match notice {
        Some(notice) => {
            notice.text.ends_with(PLAYER_AWAY_TEXT) || notice.text.ends_with(PLAYER_BACK_TEXT)
        }
        None => true,
    };
    if table.game.ending().is_some() || !is_quiet(&table.notice) {
        return;
    }
    for player in Color::ALL.into_iter().filter(|&player| Some(player) != you) {
        let name = move_text::name(&table.game, player);
        match (before.away(player), attendance.away(player)) {
            (None, Some(_)) => table.set_notice(Tone::Plain, name + PLAYER_AWAY_TEXT),
            (Some(_), None) => table.set_notice(Tone::Plain, name + PLAYER_BACK_TEXT),
            _ => {}
        }
    }
}

/// Handles a rematch offer or a rematch: players follow to the new game, spectators are told.
fn play_again(table: &mut GameScreen, rematch: RematchState, now: Timestamp) -> Vec<Effect> {
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

/// Joins another table of the same server, under the same name.
fn join(live: &NetworkTable, game: &str) -> Option<Effect> {
    let link = live.link.with_game(game).ok()?;
    let name = String::new();
    Some(Effect::Join { link, name })
}

/// Sends a command to the server.
fn send(table: &mut GameScreen, say: ClientCommand) -> Vec<Effect> {
    let seen = table.game.seq();
    if let Some(live) = &mut table.live {
        live.unanswered.push(say.clone());
    }
    vec![Effect::Say { say, seen }, Effect::Draw]
}

/// Sends an intent of the player to the server.
pub(super) fn send_intent(table: &mut GameScreen, wish: Intent) -> Vec<Effect> {
    let you = table.live.as_ref().and_then(|live| live.you);
    let Some(you) = you else {
        table.set_notice(Tone::Plain, "You watch this game: only its players move.");
        return vec![Effect::Draw];
    };
    if let Intent::Move(attempt) = wish {
        if table.live.as_ref().is_some_and(|live| live.is_moving()) {
            table.set_notice(Tone::Plain, "Your move is on its way.");
            return vec![Effect::Draw];
        }
        // A move that the law book refuses is not sent.
        let request = Submission::new(table.game.latest(), you, attempt.into());
        if let Err(refusal) = table.game.decide(&request) {
            table.clear_transient();
            table.evidence = refusal.squares();
            table.set_notice(Tone::Alarm, sentence(&refusal.to_string()));
            return vec![Effect::Draw];
        }
    }
    table.clear_transient();
    send(table, ClientCommand::Wish(wish))
}

/// Sends a chat message.
pub(super) fn send_chat(table: &mut GameScreen, text: &str) -> Vec<Effect> {
    match text.trim() {
        _ if table.live.is_none() => table.set_notice(Tone::Plain, NO_CHAT_TEXT),
        "" => table.set_notice(Tone::Plain, "Say what: say good luck."),
        text => return send(table, ClientCommand::Remark(text.to_owned())),
    }
    vec![Effect::Draw]
}

/// Claims the game against an opponent who has left, or has not come.
pub(super) fn claim_absence(table: &mut GameScreen) -> Vec<Effect> {
    let Some(live) = &table.live else {
        table.set_notice(Tone::Plain, NO_CHAT_TEXT);
        return vec![Effect::Draw];
    };
    let is_away = live
        .you
        .is_some_and(|you| live.attendance.away(!you).is_some());
    match is_away && !table.game.plies().is_empty() {
        true => send_intent(table, Intent::ClaimAbsence { draw: false }),
        false => send_intent(table, Intent::ClaimNoShow),
    }
}

/// Copies the link to the clipboard.
pub(super) fn invite(table: &mut GameScreen) -> Vec<Effect> {
    let Some(live) = &table.live else {
        table.set_notice(Tone::Plain, NO_CHAT_TEXT);
        return vec![Effect::Draw];
    };
    let link = live.link.to_string();
    table.set_notice(Tone::Good, format!("{link} is on the clipboard."));
    vec![Effect::Copy(link), Effect::Draw]
}

/// Offers a rematch, or follows to the one that has begun.
pub(super) fn rematch(table: &mut GameScreen) -> Vec<Effect> {
    let Some(live) = &table.live else {
        return Vec::new();
    };
    match (&live.rematch.game, live.you) {
        (Some(game), _) => join(live, game).into_iter().chain([Effect::Draw]).collect(),
        (None, Some(_)) => send(table, ClientCommand::Rematch),
        (None, None) => {
            table.set_notice(
                Tone::Plain,
                "You watch this game: only its players play again.",
            );
            vec![Effect::Draw]
        }
    }
}

/// Answers a rematch offer, if there is one.
pub(super) fn answer_rematch(table: &mut GameScreen, accepts: bool) -> Option<Vec<Effect>> {
    let live = table.live.as_ref()?;
    let by = live.rematch.offer?;
    let is_over = table.game.ending().is_some();
    if !is_over || live.you.is_none() || (accepts && live.you == Some(by)) {
        return None;
    }
    let answer = if accepts {
        ClientCommand::Rematch
    } else {
        ClientCommand::NoRematch
    };
    Some(send(table, answer))
}

/// Parses a typed link.
pub(super) fn read_link(text: &str) -> Result<TableLink, String> {
    text.parse::<TableLink>()
        .map_err(|error| sentence(&error.to_string()))
}
