//! A table as somebody sees who comes to it: everything that there is to know, in one message.

use serde::Serialize;
use touchmove_game::protocol::State;
use touchmove_game::{Event, Terms, Timestamp};
use touchmove_rules::{ByColor, Color};

use crate::House;
use crate::games::chat::{Rematch, Said};
use crate::games::table::{Attendance, Core, Place, Table, Trouble};
use crate::games::update::{insert, message, moves};

#[derive(Serialize)]
struct View<'a> {
    game: String,
    you: Option<Color>,
    terms: &'a Terms,
    started: Timestamp,
    /// What happened since the reader was here.
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<&'a [Event]>,
    state: State,
    presence: Attendance,
    /// Which seats are still open.
    open: ByColorOpen,
    /// What was said in the reader's room.
    chat: &'a [Said],
    rematch: Rematch,
}

#[derive(Serialize)]
struct ByColorOpen {
    white: bool,
    black: bool,
}

/// The table as somebody in this place sees it, as a message of type `state`.
pub(crate) async fn view(
    table: &Table,
    core: &mut Core,
    place: Place,
    house: &House,
    since: Option<&[Event]>,
) -> Result<String, Trouble> {
    let (chat, rematch) = table.latest_talk(house, place).await?;
    let said = (chat.as_slice(), rematch);
    Ok(view_at(table, core, place, house.now(), (since, said)))
}

fn view_at(
    table: &Table,
    core: &mut Core,
    place: Place,
    now: Timestamp,
    (since, (chat, rematch)): (Option<&[Event]>, (&[Said], Rematch)),
) -> String {
    let history = core.history.list(&core.game);
    let game = &core.game;
    let you = place.color();
    let seats: &ByColor<_> = game.seats();
    let is_over = game.ending().is_some();
    let view = View {
        game: table.id().to_string(),
        you,
        terms: game.terms(),
        started: game.started(),
        events: since,
        state: core.state(now),
        presence: table.presence(),
        open: ByColorOpen {
            white: seats.white.is_open() && !is_over,
            black: seats.black.is_open() && !is_over,
        },
        chat,
        rematch,
    };
    let mut text = message("state", view);
    insert(&mut text, "history", &history);
    if you == Some(game.turn()) {
        insert(&mut text, "moves", &moves(game));
    }
    text
}
