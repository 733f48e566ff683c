//! Chat: players with each other, and spectators with each other.

use std::collections::VecDeque;

use serde::Serialize;
use touchmove_game::protocol::RefusalMessage;
use touchmove_game::{CommandId, Timestamp, is_invisible};
use touchmove_store::{ChatLine, ChatRoom, NewChatLine};
use touchmove_text::{REPLACEMENT, sanitize_line, sanitize_line_to};

use crate::Server;
use crate::clock::{to_moment, to_timestamp};
use crate::cluster::ClusterMessage;
use crate::games::rematch::RematchState;
use crate::games::table::{ChatSender, GameError, Table, TableUpdate, ViewerRole};
use crate::lock_ext::LockExt as _;

/// How many chat lines a new connection is shown.
const SHOWN_LINES: usize = 50;
/// The longest chat line, in characters.
pub(crate) const MAX_LINE_CHARS: usize = 300;
/// Chat lines that are read from the store at once.
const CHAT_PAGE_SIZE: usize = 500;

/// The chat of a table.
#[derive(Default, Debug)]
pub(super) struct ChatLog {
    players: VecDeque<ChatMessage>,
    spectators: VecDeque<ChatMessage>,
    pub(super) rematch: RematchState,
}

/// A chat line as its room is sent it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChatMessage {
    pub(crate) room: &'static str,
    number: u64,
    at: Timestamp,
    pub(crate) name: String,
    pub(crate) text: String,
}

const fn word(room: ChatRoom) -> &'static str {
    match room {
        ChatRoom::Players => "players",
        ChatRoom::Spectators => "spectators",
    }
}

const fn room(place: ViewerRole) -> ChatRoom {
    match place {
        ViewerRole::Seat(_) => ChatRoom::Players,
        ViewerRole::Watching => ChatRoom::Spectators,
    }
}

impl ChatLog {
    fn lines(&mut self, room: ChatRoom) -> &mut VecDeque<ChatMessage> {
        match room {
            ChatRoom::Players => &mut self.players,
            ChatRoom::Spectators => &mut self.spectators,
        }
    }

    /// Inserts a line in order; returns whether it is new.
    fn add(&mut self, room: ChatRoom, said: ChatMessage) -> bool {
        let lines = self.lines(room);
        let place = lines.partition_point(|known| known.number < said.number);
        if lines
            .get(place)
            .is_some_and(|known| known.number == said.number)
        {
            return false;
        }
        lines.insert(place, said);
        if lines.len() > SHOWN_LINES {
            lines.pop_front();
        }
        true
    }
}

/// A stored line as it is shown, cleaned again in case an older version or another node did not.
fn said(room: ChatRoom, line: &ChatLine) -> ChatMessage {
    ChatMessage {
        room: word(room),
        number: line.number,
        at: to_timestamp(line.at),
        name: sanitize_line(&line.name).into_owned(),
        text: sanitize_line(&line.text).into_owned(),
    }
}

/// Cleans a line for the store: no control characters, not empty, not too long.
fn clean_line(text: &str) -> Result<String, RefusalMessage> {
    let text = sanitize_line_to(text.trim(), usize::MAX).into_owned();
    let is_nothing = |c: char| c.is_whitespace() || c == REPLACEMENT || is_invisible(c);
    if text.chars().all(is_nothing) {
        return Err(RefusalMessage::new("empty", "there is nothing to say"));
    }
    if text.chars().count() > MAX_LINE_CHARS {
        let text = format!("a line has {MAX_LINE_CHARS} characters at most");
        return Err(RefusalMessage::new("too_long", text));
    }
    Ok(text)
}

impl Table {
    /// The chat log, read from the store once.
    pub(super) async fn talk(
        &self,
        server: &Server,
    ) -> Result<&std::sync::Mutex<ChatLog>, GameError> {
        self.talk
            .get_or_try_init(|| async {
                let mut talk = ChatLog::default();
                for room in [ChatRoom::Players, ChatRoom::Spectators] {
                    let mut after = 0;
                    loop {
                        let lines = server
                            .store
                            .chat_lines(self.id(), room, after, CHAT_PAGE_SIZE)
                            .await?;
                        let is_last = lines.len() < CHAT_PAGE_SIZE;
                        after = lines.last().map_or(after, |line| line.number);
                        for line in lines {
                            talk.add(room, said(room, &line));
                        }
                        if is_last {
                            break;
                        }
                    }
                }
                let again = server.keys.rematch_id(self.id());
                let is_there = !server.store.load_games(vec![again]).await?.is_empty();
                talk.rematch.game = is_there.then_some(again);
                Ok(std::sync::Mutex::new(talk))
            })
            .await
    }

    /// The latest lines of a viewer's room, and the state of the rematch.
    pub(crate) async fn recent_chat(
        &self,
        server: &Server,
        place: ViewerRole,
    ) -> Result<(Vec<ChatMessage>, RematchState), GameError> {
        let mut talk = self.talk(server).await?.locked();
        let lines = talk.lines(room(place)).iter().cloned().collect();
        Ok((lines, talk.rematch))
    }

    /// Whether a chat or rematch command with this id was granted before.
    pub(crate) fn is_done(&self, speaker: ChatSender, id: Option<&CommandId>) -> bool {
        id.is_some_and(|id| self.asides.contains(speaker, id))
    }

    /// Remembers that it was granted.
    pub(crate) fn mark_done(&self, speaker: ChatSender, id: Option<&CommandId>) {
        if let Some(id) = id {
            self.asides.insert(speaker, id);
        }
    }

    /// Posts a chat line.
    ///
    /// # Errors
    /// If it could not be stored.
    pub async fn post_chat(
        &self,
        server: &Server,
        place: ViewerRole,
        (speaker, name): (ChatSender, &str),
        text: &str,
    ) -> Result<Result<(), RefusalMessage>, GameError> {
        let text = match clean_line(text) {
            Ok(text) => text,
            Err(denial) => return Ok(Err(denial)),
        };
        if !self.asides.allow_chat(speaker, server.settings.limits.chat) {
            let denial = RefusalMessage::new("too_fast", "slowly: wait a moment between lines");
            return Ok(Err(denial));
        }
        let (room, at) = (room(place), server.now());
        let talk = self.talk(server).await?;
        let line = NewChatLine {
            game: self.id(),
            room,
            at: to_moment(at),
            name: name.to_owned(),
            person: speaker.person(),
            text: text.clone(),
        };
        let number = server
            .store
            .add_chat_line(line)
            .await?
            .ok_or(GameError::NoGame)?;
        let line = ChatLine {
            number,
            at: to_moment(at),
            name: name.to_owned(),
            person: speaker.person(),
            text,
        };
        let said = said(room, &line);
        if let Some(bus) = &server.bus {
            bus.publish(&ClusterMessage::Chat {
                game: self.id(),
                is_players: room == ChatRoom::Players,
                number,
                at,
                name: said.name.clone(),
                text: said.text.clone(),
            });
        }
        if talk.locked().add(room, said.clone()) {
            self.broadcast(TableUpdate::chat(room, said));
        }
        Ok(Ok(()))
    }

    /// Applies a chat line from another node. If the log has not been read here yet, the line will be read with it
    /// from the store.
    pub(crate) fn receive_chat(&self, is_players: bool, line: &ChatLine) {
        let Some(talk) = self.talk.get() else { return };
        let room = match is_players {
            true => ChatRoom::Players,
            false => ChatRoom::Spectators,
        };
        let said = said(room, line);
        if talk.locked().add(room, said.clone()) {
            self.broadcast(TableUpdate::chat(room, said));
        }
    }

    /// Reads chat lines whose cluster messages may have been lost.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn read_lines(&self, server: &Server) -> Result<(), GameError> {
        let Some(talk) = self.talk.get() else {
            return Ok(());
        };
        for room in [ChatRoom::Players, ChatRoom::Spectators] {
            let last = talk
                .locked()
                .lines(room)
                .back()
                .map_or(0, |last| last.number);
            let after = last.saturating_sub(SHOWN_LINES as u64);
            for line in server
                .store
                .chat_lines(self.id(), room, after, CHAT_PAGE_SIZE)
                .await?
            {
                self.receive_chat(room == ChatRoom::Players, &line);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_visible_and_not_too_long() {
        assert_eq!(
            clean_line(" good\nluck\u{7}! ").unwrap(),
            "good luck\u{fffd}!"
        );
        assert_eq!(clean_line("\u{7}\n").unwrap_err().reason, "empty");
        assert_eq!(clean_line("\u{200b}\u{2060}").unwrap_err().reason, "empty");
        assert_eq!(clean_line("a\u{202e}b").unwrap(), "a\u{fffd}b");
        assert_eq!(clean_line("\u{200d}").unwrap_err().reason, "empty");
        assert_eq!(clean_line("می\u{200c}خواهم").unwrap(), "می\u{200c}خواهم");
        assert_eq!(clean_line(&"x".repeat(301)).unwrap_err().reason, "too_long");
    }
}
