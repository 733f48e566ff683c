//! Messages from clients at a table, and the answers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;
use tokio::time::sleep_until;
use touchmove_game::protocol::{ClientMessage, RefusalMessage};
use touchmove_game::{CommandId, Timestamp};

use crate::api::ws::game::{GameSocket, SocketClosed};
use crate::games::state_message::view;
use crate::games::table::{
    CommandReply, GameError, MessageTiming, Table, TableUpdate, ViewerRole, message,
};
use crate::security::RateLimit;

/// A command that is not part of the game.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
enum SideCommand {
    /// To post a chat line.
    Chat { text: String, id: Option<CommandId> },
    /// To offer a rematch.
    Rematch { id: Option<CommandId> },
    /// To decline a rematch.
    DeclineRematch { id: Option<CommandId> },
    /// To measure the round trip.
    Ping { id: Option<CommandId> },
}

impl SideCommand {
    fn id(&self) -> Option<&CommandId> {
        match self {
            SideCommand::Chat { id, .. }
            | SideCommand::Rematch { id }
            | SideCommand::DeclineRematch { id }
            | SideCommand::Ping { id } => id.as_ref(),
        }
    }
}

/// The name of a command; other fields are ignored.
#[derive(Deserialize)]
struct CommandName {
    command: String,
}

/// A parsed message.
enum SocketMessage {
    Asked(ClientMessage),
    SideCommand(SideCommand),
}

/// Parses a message; the error is a sentence.
fn read(text: &str) -> Result<SocketMessage, String> {
    let unread = match ClientMessage::read(text) {
        Ok(asked) => return Ok(SocketMessage::Asked(asked)),
        Err(problem) => problem,
    };
    let named = serde_json::from_str::<CommandName>(text);
    let is_aside = |name: &str| matches!(name, "chat" | "rematch" | "decline_rematch" | "ping");
    match named {
        Ok(named) if is_aside(&named.command) => {
            let aside = serde_json::from_str(text).map_err(|error| error.to_string())?;
            Ok(SocketMessage::SideCommand(aside))
        }
        _ => Err(unread),
    }
}

/// Parses a message and drops it; returns whether it is a game command.
pub(crate) fn read_message(text: &str) -> Result<bool, String> {
    let read = read(text).map(|said| matches!(said, SocketMessage::Asked(_)));
    read.inspect_err(|_| drop(id_in(text)))
}

#[derive(Serialize)]
struct AcceptedMessage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a CommandId>,
    accepted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
}

#[derive(Serialize)]
struct RefusedMessage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a CommandId>,
    accepted: bool,
    #[serde(flatten)]
    denial: &'a RefusalMessage,
}

#[derive(Serialize)]
struct PongMessage<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a CommandId>,
    at: Timestamp,
    trip: Option<u64>,
}

fn in_trouble(trouble: &GameError) -> RefusalMessage {
    let text = format!("{trouble}: nothing has happened; send it again with the same id");
    RefusalMessage::new("try_again", text)
}

/// The id of a message that cannot be parsed otherwise.
fn id_in(text: &str) -> Option<CommandId> {
    #[derive(Deserialize)]
    struct Identified {
        id: CommandId,
    }
    let said: Identified = serde_json::from_str(text).ok()?;
    Some(said.id)
}

impl GameSocket {
    /// Counts a new game against the rate limit of this address.
    fn may_begin_game(&self) -> bool {
        let guard = &self.server.guard;
        guard.check(self.client, RateLimit::Create).is_ok()
    }

    /// Counts a read against the rate limit of this address: the state of a long game is a large answer, and clients
    /// get it anyway when they connect.
    fn may_read(&self) -> bool {
        let guard = &self.server.guard;
        guard.check(self.client, RateLimit::Read).is_ok()
    }

    async fn deny(
        &mut self,
        id: Option<&CommandId>,
        denial: &RefusalMessage,
    ) -> Result<(), SocketClosed> {
        let denied = RefusedMessage {
            id,
            accepted: false,
            denial,
        };
        self.send_text(message("answer", denied)).await
    }

    /// Grants a command that is not part of the game.
    async fn grant(&mut self, id: Option<&CommandId>, repeated: bool) -> Result<(), SocketClosed> {
        let granted = AcceptedMessage {
            id,
            accepted: true,
            seq: None,
            repeated,
        };
        self.send_text(message("answer", granted)).await
    }

    /// Refuses a binary message.
    pub(super) async fn refuse_bytes(&mut self) -> Result<(), SocketClosed> {
        let denial = RefusalMessage::unreadable("messages are text, not bytes");
        self.deny(None, &denial).await
    }

    /// Answers a message.
    pub(super) async fn answer(
        &mut self,
        text: &str,
        arrival: MessageTiming,
        news: &mut Receiver<Arc<TableUpdate>>,
    ) -> Result<(), SocketClosed> {
        match read(text) {
            Ok(SocketMessage::Asked(asked)) => self.answer_asked(&asked, arrival, news).await,
            Ok(SocketMessage::SideCommand(aside)) => self.answer_aside(&aside, news).await,
            Err(problem) => {
                let id = id_in(text);
                self.deny(id.as_ref(), &RefusalMessage::unreadable(problem))
                    .await
            }
        }
    }

    async fn answer_asked(
        &mut self,
        asked: &ClientMessage,
        arrival: MessageTiming,
        news: &mut Receiver<Arc<TableUpdate>>,
    ) -> Result<(), SocketClosed> {
        let id = asked.id.as_ref();
        let table = Arc::clone(&self.table);
        if asked.is_query() && !self.may_read() {
            let text = "that was too often from your address: what happens is told anyway";
            return self.deny(id, &RefusalMessage::new("too_often", text)).await;
        }
        let reply = match self.place {
            ViewerRole::Seat(by) => table.submit(&self.server, by, asked, arrival).await,
            ViewerRole::Watching if asked.is_query() => Ok(CommandReply::Query),
            ViewerRole::Watching => {
                let denial =
                    RefusalMessage::new("no_seat", "you watch this game: only its players move");
                return self.deny(id, &denial).await;
            }
        };
        match reply {
            Ok(CommandReply::Granted { seq, repeated }) => {
                self.pass_on_all(news).await?;
                let granted = AcceptedMessage {
                    id,
                    accepted: true,
                    seq: Some(seq),
                    repeated,
                };
                self.send_text(message("answer", granted)).await
            }
            Ok(CommandReply::Query) => match self.view(&table).await {
                Ok(text) => self.send_text(text).await,
                Err(trouble) => self.deny(id, &in_trouble(&trouble)).await,
            },
            Ok(CommandReply::Denied(denial)) => {
                self.pass_on_all(news).await?;
                self.deny(id, &denial).await
            }
            Err(trouble) => self.deny(id, &in_trouble(&trouble)).await,
        }
    }

    /// Counts a spectator's chat line against the limit of this address: guests choose their own secrets, so a limit
    /// for each guest would be none. For the two players the limit per sender is enough.
    fn may_chat(&self) -> bool {
        let errand = RateLimit::SpectatorChat;
        matches!(self.place, ViewerRole::Seat(_))
            || self.server.guard.check(self.client, errand).is_ok()
    }

    async fn answer_aside(
        &mut self,
        aside: &SideCommand,
        news: &mut Receiver<Arc<TableUpdate>>,
    ) -> Result<(), SocketClosed> {
        let id = aside.id();
        let table = Arc::clone(&self.table);
        let is_ping = matches!(aside, SideCommand::Ping { .. });
        if !is_ping && table.is_done(self.speaker, id) {
            return self.grant(id, true).await;
        }
        let done = match aside {
            SideCommand::Ping { .. } => {
                let trip = self.trip.map(|trip| trip.as_millis());
                let pong = PongMessage {
                    id,
                    at: self.server.now(),
                    trip: trip.and_then(|trip| u64::try_from(trip).ok()),
                };
                return self.send_text(message("pong", pong)).await;
            }
            SideCommand::Chat { .. } if !self.may_chat() => {
                let text = "slowly: there were many lines from your address";
                Ok(Err(RefusalMessage::new("too_fast", text)))
            }
            SideCommand::Chat { text, .. } => {
                let name = self.display_name().await;
                let speaker = (self.speaker, name.as_str());
                table
                    .post_chat(&self.server, self.place, speaker, text)
                    .await
            }
            SideCommand::Rematch { .. } => match self.place {
                ViewerRole::Seat(_) if table.is_short().await && !self.may_begin_game() => {
                    let text =
                        "that was too often from your address: wait a minute, or play longer games";
                    Ok(Err(RefusalMessage::new("too_often", text)))
                }
                ViewerRole::Seat(by) => table.rematch(&self.server, by).await,
                ViewerRole::Watching => Ok(Err(no_seat())),
            },
            SideCommand::DeclineRematch { .. } => match self.place {
                ViewerRole::Seat(_) => table.decline_rematch(&self.server).await.map(Ok),
                ViewerRole::Watching => Ok(Err(no_seat())),
            },
        };
        match done {
            Ok(Ok(())) => {
                table.mark_done(self.speaker, id);
                self.pass_on_all(news).await?;
                self.grant(id, false).await
            }
            Ok(Err(denial)) => self.deny(id, &denial).await,
            Err(trouble) => self.deny(id, &in_trouble(&trouble)).await,
        }
    }

    /// The client's name at this table.
    async fn display_name(&mut self) -> String {
        match self.place {
            ViewerRole::Seat(color) => {
                let core = self.table.lock().await;
                core.game.seats()[color].name().to_owned()
            }
            ViewerRole::Watching => self.name.clone().unwrap_or_else(|| "Guest".to_owned()),
        }
    }

    /// The whole state, on request.
    async fn view(&mut self, table: &Arc<Table>) -> Result<String, GameError> {
        table
            .write_history(&self.server, self.client.into())
            .await?;
        let mut core = table.lock().await;
        view(table, &mut core, self.place, &self.server, None).await
    }

    /// Forwards pending updates: what happened is sent before the answer to the command that caused it.
    async fn pass_on_all(
        &mut self,
        news: &mut Receiver<Arc<TableUpdate>>,
    ) -> Result<(), SocketClosed> {
        while !self.is_behind {
            match news.try_recv() {
                Ok(told) => self.forward(Ok(told)).await?,
                Err(TryRecvError::Lagged(_)) => self.is_behind = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return Ok(()),
            }
        }
        sleep_until(self.next_view).await;
        *news = self.send_state(None).await?;
        Ok(())
    }
}

fn no_seat() -> RefusalMessage {
    RefusalMessage::new(
        "no_seat",
        "you watch this game: only its players play again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asides_are_read_strictly() {
        assert!(matches!(
            read(r#"{"command":"chat","text":"hi"}"#),
            Ok(SocketMessage::SideCommand(_))
        ));
        assert!(matches!(
            read(r#"{"command":"resign"}"#),
            Ok(SocketMessage::Asked(_))
        ));
        for (text, says) in [
            (r#"{"command":"chat"}"#, "missing field `text`"),
            (r#"{"command":"ping","loud":true}"#, "unknown field `loud`"),
            (r#"{"command":"dance"}"#, "is not a command"),
            (r#"{"command":7}"#, "expected a string"),
        ] {
            let error = read(text).err().expect(text);
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
