//! The `state` message: everything that a client needs to know when it connects to a table.

use serde::Serialize;
use touchmove_game::protocol::State;
use touchmove_game::{Event, Terms, Timestamp};
use touchmove_rules::{ByColor, Color};

use crate::Server;
use crate::games::chat::ChatMessage;
use crate::games::rematch::RematchState;
use crate::games::table::{GameError, LiveGame, PresenceSummary, Table, ViewerRole};
use crate::games::update::{insert, message, moves};

#[derive(Serialize)]
struct StateMessage<'a> {
    game: String,
    you: Option<Color>,
    terms: &'a Terms,
    started: Timestamp,
    /// The events since the reader's last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<&'a [Event]>,
    state: State,
    presence: PresenceSummary,
    /// The open seats.
    open: OpenSeats,
    /// The chat of the reader's room.
    chat: &'a [ChatMessage],
    rematch: RematchState,
}

#[derive(Serialize)]
struct OpenSeats {
    white: bool,
    black: bool,
}

/// Builds the `state` message for a viewer in this role.
pub(crate) async fn view(
    table: &Table,
    core: &mut LiveGame,
    place: ViewerRole,
    server: &Server,
    since: Option<&[Event]>,
) -> Result<String, GameError> {
    let (chat, rematch) = table.recent_chat(server, place).await?;
    let said = (chat.as_slice(), rematch);
    Ok(view_at(table, core, place, server.now(), (since, said)))
}

fn view_at(
    table: &Table,
    core: &mut LiveGame,
    place: ViewerRole,
    now: Timestamp,
    (since, (chat, rematch)): (Option<&[Event]>, (&[ChatMessage], RematchState)),
) -> String {
    let history = core.history.list(&core.game);
    let game = &core.game;
    let you = place.color();
    let seats: &ByColor<_> = game.seats();
    let is_over = game.ending().is_some();
    let view = StateMessage {
        game: table.id().to_string(),
        you,
        terms: game.terms(),
        started: game.started(),
        events: since,
        state: core.state(now),
        presence: table.presence(),
        open: OpenSeats {
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
