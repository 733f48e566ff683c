//! What a client says, and what it is answered.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;
use tokio::time::sleep_until;
use touchmove_game::protocol::{Asked, Denial};
use touchmove_game::{CommandId, Timestamp};

use crate::api::ws::game::{Gone, Guest};
use crate::games::state_message::view;
use crate::games::table::{Arrival, News, Place, Reply, Table, Trouble, message};
use crate::security::Errand;

/// What is not about the game itself.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
enum Aside {
    /// To say something.
    Chat { text: String, id: Option<CommandId> },
    /// To play again.
    Rematch { id: Option<CommandId> },
    /// Not to play again.
    DeclineRematch { id: Option<CommandId> },
    /// To know how long the way is.
    Ping { id: Option<CommandId> },
}

impl Aside {
    fn id(&self) -> Option<&CommandId> {
        match self {
            Aside::Chat { id, .. }
            | Aside::Rematch { id }
            | Aside::DeclineRematch { id }
            | Aside::Ping { id } => id.as_ref(),
        }
    }
}

/// The name of a command, whatever else it has.
#[derive(Deserialize)]
struct Named {
    command: String,
}

/// What a message is.
enum Said {
    Asked(Asked),
    Aside(Aside),
}

/// Reads a message; the error is a sentence.
fn read(text: &str) -> Result<Said, String> {
    let unread = match Asked::read(text) {
        Ok(asked) => return Ok(Said::Asked(asked)),
        Err(problem) => problem,
    };
    let named = serde_json::from_str::<Named>(text);
    let is_aside = |name: &str| matches!(name, "chat" | "rematch" | "decline_rematch" | "ping");
    match named {
        Ok(named) if is_aside(&named.command) => {
            let aside = serde_json::from_str(text).map_err(|error| error.to_string())?;
            Ok(Said::Aside(aside))
        }
        _ => Err(unread),
    }
}

/// Reads a message and throws it away; whether it asks for something that is part of the game.
pub(crate) fn read_message(text: &str) -> Result<bool, String> {
    let read = read(text).map(|said| matches!(said, Said::Asked(_)));
    read.inspect_err(|_| drop(id_in(text)))
}

#[derive(Serialize)]
struct Granted<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a CommandId>,
    accepted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    repeated: bool,
}

#[derive(Serialize)]
struct Denied<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a CommandId>,
    accepted: bool,
    #[serde(flatten)]
    denial: &'a Denial,
}

#[derive(Serialize)]
struct Pong<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a CommandId>,
    at: Timestamp,
    trip: Option<u64>,
}

fn in_trouble(trouble: &Trouble) -> Denial {
    let text = format!("{trouble}: nothing has happened; send it again with the same id");
    Denial::new("try_again", text)
}

/// The id of a message that cannot be read otherwise.
fn id_in(text: &str) -> Option<CommandId> {
    #[derive(Deserialize)]
    struct Identified {
        id: CommandId,
    }
    let said: Identified = serde_json::from_str(text).ok()?;
    Some(said.id)
}

impl Guest {
    /// Whether the rate limit for new games allows one more from this address.
    fn may_begin_game(&self) -> bool {
        let guard = &self.house.guard;
        guard.let_pass(self.client, Errand::Create).is_ok()
    }

    /// Whether the rate limit for reads allows one more from this address: how everything stands is long in a long game,
    /// and nobody needs to ask, for it is told to whoever comes.
    fn may_read(&self) -> bool {
        let guard = &self.house.guard;
        guard.let_pass(self.client, Errand::Read).is_ok()
    }

    async fn deny(&mut self, id: Option<&CommandId>, denial: &Denial) -> Result<(), Gone> {
        let denied = Denied {
            id,
            accepted: false,
            denial,
        };
        self.say(message("answer", denied)).await
    }

    /// Grants what is not part of the game.
    async fn grant(&mut self, id: Option<&CommandId>, repeated: bool) -> Result<(), Gone> {
        let granted = Granted {
            id,
            accepted: true,
            seq: None,
            repeated,
        };
        self.say(message("answer", granted)).await
    }

    /// Answers a message that cannot be text.
    pub(super) async fn refuse_bytes(&mut self) -> Result<(), Gone> {
        let denial = Denial::unreadable("messages are text, not bytes");
        self.deny(None, &denial).await
    }

    /// Answers a message.
    pub(super) async fn answer(
        &mut self,
        text: &str,
        arrival: Arrival,
        news: &mut Receiver<Arc<News>>,
    ) -> Result<(), Gone> {
        match read(text) {
            Ok(Said::Asked(asked)) => self.answer_asked(&asked, arrival, news).await,
            Ok(Said::Aside(aside)) => self.answer_aside(&aside, news).await,
            Err(problem) => {
                let id = id_in(text);
                self.deny(id.as_ref(), &Denial::unreadable(problem)).await
            }
        }
    }

    async fn answer_asked(
        &mut self,
        asked: &Asked,
        arrival: Arrival,
        news: &mut Receiver<Arc<News>>,
    ) -> Result<(), Gone> {
        let id = asked.id.as_ref();
        let table = Arc::clone(&self.table);
        if asked.is_telling() && !self.may_read() {
            let text = "that was too often from your address: what happens is told anyway";
            return self.deny(id, &Denial::new("too_often", text)).await;
        }
        let reply = match self.place {
            Place::Seat(by) => table.ask(&self.house, by, asked, arrival).await,
            Place::Watching if asked.is_telling() => Ok(Reply::Telling),
            Place::Watching => {
                let denial = Denial::new("no_seat", "you watch this game: only its players move");
                return self.deny(id, &denial).await;
            }
        };
        match reply {
            Ok(Reply::Granted { seq, repeated }) => {
                self.pass_on_all(news).await?;
                let granted = Granted {
                    id,
                    accepted: true,
                    seq: Some(seq),
                    repeated,
                };
                self.say(message("answer", granted)).await
            }
            Ok(Reply::Telling) => match self.view(&table).await {
                Ok(text) => self.say(text).await,
                Err(trouble) => self.deny(id, &in_trouble(&trouble)).await,
            },
            Ok(Reply::Denied(denial)) => {
                self.pass_on_all(news).await?;
                self.deny(id, &denial).await
            }
            Err(trouble) => self.deny(id, &in_trouble(&trouble)).await,
        }
    }

    /// Whether spectators at this address may say one more line: a guest's secret is his own to choose, so that a limit
    /// for each of them is none. Players are two, and their own pace is enough.
    fn may_chat(&self) -> bool {
        let errand = Errand::SpectatorChat;
        matches!(self.place, Place::Seat(_))
            || self.house.guard.let_pass(self.client, errand).is_ok()
    }

    async fn answer_aside(
        &mut self,
        aside: &Aside,
        news: &mut Receiver<Arc<News>>,
    ) -> Result<(), Gone> {
        let id = aside.id();
        let table = Arc::clone(&self.table);
        let is_ping = matches!(aside, Aside::Ping { .. });
        if !is_ping && table.is_granted(self.speaker, id) {
            return self.grant(id, true).await;
        }
        let done = match aside {
            Aside::Ping { .. } => {
                let trip = self.trip.map(|trip| trip.as_millis());
                let pong = Pong {
                    id,
                    at: self.house.now(),
                    trip: trip.and_then(|trip| u64::try_from(trip).ok()),
                };
                return self.say(message("pong", pong)).await;
            }
            Aside::Chat { .. } if !self.may_chat() => {
                let text = "slowly: there were many lines from your address";
                Ok(Err(Denial::new("too_fast", text)))
            }
            Aside::Chat { text, .. } => {
                let name = self.called().await;
                let speaker = (self.speaker, name.as_str());
                table.say(&self.house, self.place, speaker, text).await
            }
            Aside::Rematch { .. } => match self.place {
                Place::Seat(_) if table.is_short().await && !self.may_begin_game() => {
                    let text =
                        "that was too often from your address: wait a minute, or play longer games";
                    Ok(Err(Denial::new("too_often", text)))
                }
                Place::Seat(by) => table.rematch(&self.house, by).await,
                Place::Watching => Ok(Err(no_seat())),
            },
            Aside::DeclineRematch { .. } => match self.place {
                Place::Seat(_) => table.decline_rematch(&self.house).await.map(Ok),
                Place::Watching => Ok(Err(no_seat())),
            },
        };
        match done {
            Ok(Ok(())) => {
                table.note_granted(self.speaker, id);
                self.pass_on_all(news).await?;
                self.grant(id, false).await
            }
            Ok(Err(denial)) => self.deny(id, &denial).await,
            Err(trouble) => self.deny(id, &in_trouble(&trouble)).await,
        }
    }

    /// What somebody is called at this table.
    async fn called(&mut self) -> String {
        match self.place {
            Place::Seat(color) => {
                let core = self.table.core().await;
                core.game.seats()[color].name().to_owned()
            }
            Place::Watching => self.name.clone().unwrap_or_else(|| "Guest".to_owned()),
        }
    }

    /// How everything stands, for who asks.
    async fn view(&mut self, table: &Arc<Table>) -> Result<String, Trouble> {
        table.write_history(&self.house, self.client.into()).await?;
        let mut core = table.core().await;
        view(table, &mut core, self.place, &self.house, None).await
    }

    /// Passes on what has been told meanwhile: what happened comes before what was asked for is called
    /// done.
    async fn pass_on_all(&mut self, news: &mut Receiver<Arc<News>>) -> Result<(), Gone> {
        while !self.is_behind {
            match news.try_recv() {
                Ok(told) => self.pass_on(Ok(told)).await?,
                Err(TryRecvError::Lagged(_)) => self.is_behind = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return Ok(()),
            }
        }
        sleep_until(self.next_view).await;
        *news = self.greet(None).await?;
        Ok(())
    }
}

fn no_seat() -> Denial {
    Denial::new(
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
            Ok(Said::Aside(_))
        ));
        assert!(matches!(
            read(r#"{"command":"resign"}"#),
            Ok(Said::Asked(_))
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
