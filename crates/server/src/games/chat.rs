//! What is said at a table, and whether the two want to play again. Players talk to each other, and those
//! who watch to each other.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Serialize;
use touchmove_game::protocol::RefusalMessage;
use touchmove_game::{CommandId, Seat, Timestamp, is_invisible};
use touchmove_rules::{ByColor, Color, Setup, Variant};
use touchmove_store::{ChatLine, ChatRoom, CreateResult, GameId, NewChatLine};
use touchmove_text::{REPLACEMENT, sanitize_line, sanitize_line_to};

use crate::Server;
use crate::clock::{to_moment, to_timestamp};
use crate::cluster::ClusterMessage;
use crate::games::live_game::LiveGame;
use crate::games::new_game::{NewGameSpec, SeatAssignment};
use crate::games::table::{Audience, ChatSender, GameError, Table, TableUpdate, ViewerRole, seat};
use crate::games::terms_request::random_chess960_start;
use crate::games::update::message;
use crate::lock_ext::LockExt as _;

/// How many lines somebody is shown who comes.
const SHOWN_LINES: usize = 50;
/// The longest line, in characters.
pub(crate) const MAX_LINE_CHARS: usize = 300;
/// A game with fewer plies is so short that a rematch costs what a new table does: otherwise two who resign and
/// play again would make games without end.
const SHORT_GAME_PLIES: usize = 20;
/// Lines that are read from the store at once.
const CHAT_PAGE_SIZE: usize = 500;

/// What is said at a table.
#[derive(Default, Debug)]
pub(super) struct ChatLog {
    players: VecDeque<ChatMessage>,
    spectators: VecDeque<ChatMessage>,
    rematch: RematchState,
}

/// A line as everybody in its room is told.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ChatMessage {
    pub(crate) room: &'static str,
    number: u64,
    at: Timestamp,
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Whether the two want to play again.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub(crate) struct RematchState {
    offer: Option<Color>,
    #[serde(serialize_with = "as_text")]
    game: Option<GameId>,
}

fn as_text<S: serde::Serializer>(id: &Option<GameId>, serializer: S) -> Result<S::Ok, S::Error> {
    match id {
        Some(id) => serializer.collect_str(id),
        None => serializer.serialize_none(),
    }
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

    /// Adds a line at its place; whether it is new.
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

/// A line as it is shown, harmless also if an older version has kept it or another node tells of it.
fn said(room: ChatRoom, line: &ChatLine) -> ChatMessage {
    ChatMessage {
        room: word(room),
        number: line.number,
        at: to_timestamp(line.at),
        name: sanitize_line(&line.name).into_owned(),
        text: sanitize_line(&line.text).into_owned(),
    }
}

/// A line as it is kept: harmless, with something to see and not too long.
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
    /// What was said here before, read once.
    async fn talk(&self, house: &Server) -> Result<&std::sync::Mutex<ChatLog>, GameError> {
        self.talk
            .get_or_try_init(|| async {
                let mut talk = ChatLog::default();
                for room in [ChatRoom::Players, ChatRoom::Spectators] {
                    let mut after = 0;
                    loop {
                        let lines = house
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
                let again = house.keys.rematch_id(self.id());
                let is_there = !house.store.load_games(vec![again]).await?.is_empty();
                talk.rematch.game = is_there.then_some(again);
                Ok(std::sync::Mutex::new(talk))
            })
            .await
    }

    /// The latest lines of the room that somebody in this place is in, and whether the two play again.
    pub(crate) async fn recent_chat(
        &self,
        house: &Server,
        place: ViewerRole,
    ) -> Result<(Vec<ChatMessage>, RematchState), GameError> {
        let mut talk = self.talk(house).await?.locked();
        let lines = talk.lines(room(place)).iter().cloned().collect();
        Ok((lines, talk.rematch))
    }

    /// Whether somebody's aside with this id has been granted already.
    pub(crate) fn is_done(&self, speaker: ChatSender, id: Option<&CommandId>) -> bool {
        id.is_some_and(|id| self.asides.contains(speaker, id))
    }

    /// Remembers that it has.
    pub(crate) fn mark_done(&self, speaker: ChatSender, id: Option<&CommandId>) {
        if let Some(id) = id {
            self.asides.insert(speaker, id);
        }
    }

    /// Somebody says something.
    ///
    /// # Errors
    /// If it could not be written down.
    pub async fn post_chat(
        &self,
        house: &Server,
        place: ViewerRole,
        (speaker, name): (ChatSender, &str),
        text: &str,
    ) -> Result<Result<(), RefusalMessage>, GameError> {
        let text = match clean_line(text) {
            Ok(text) => text,
            Err(denial) => return Ok(Err(denial)),
        };
        if !self.asides.allow_chat(speaker, house.settings.limits.chat) {
            let denial = RefusalMessage::new("too_fast", "slowly: wait a moment between lines");
            return Ok(Err(denial));
        }
        let (room, at) = (room(place), house.now());
        let talk = self.talk(house).await?;
        let line = NewChatLine {
            game: self.id(),
            room,
            at: to_moment(at),
            name: name.to_owned(),
            person: speaker.person(),
            text: text.clone(),
        };
        let number = house
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
        if let Some(bus) = &house.bus {
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

    /// Another node says that somebody has said something. Where nobody has asked yet what was said,
    /// it is read from the store when somebody does.
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

    /// Makes up for lines that other nodes may have told of in vain.
    ///
    /// # Errors
    /// If the store cannot say.
    pub(crate) async fn read_lines(&self, house: &Server) -> Result<(), GameError> {
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
            for line in house
                .store
                .chat_lines(self.id(), room, after, CHAT_PAGE_SIZE)
                .await?
            {
                self.receive_chat(room == ChatRoom::Players, &line);
            }
        }
        Ok(())
    }

    /// Another node says how it stands with playing again. If each of the two has asked for it at another
    /// node, the new game begins.
    ///
    /// # Errors
    /// If it could not be written down.
    pub(crate) async fn receive_rematch(
        self: &Arc<Table>,
        house: &Arc<Server>,
        offer: Option<Color>,
        is_begun: bool,
    ) -> Result<(), GameError> {
        let talk = self.talk(house).await?;
        let before = talk.locked().rematch;
        let now = match (before.game, before.offer, offer) {
            (Some(_), ..) => return Ok(()),
            _ if is_begun => RematchState {
                offer: None,
                game: Some(house.keys.rematch_id(self.id())),
            },
            (None, Some(known), Some(offer)) if known != offer => {
                return self.rematch(house, offer).await.map(drop);
            }
            // It is said again and again.
            (None, known, offer) if known == offer => return Ok(()),
            (None, ..) => RematchState { offer, game: None },
        };
        talk.locked().rematch = now;
        self.broadcast(TableUpdate::other(Audience::All, message("rematch", now)));
        Ok(())
    }

    fn broadcast_rematch(&self, house: &Server, now: RematchState) {
        if let Some(bus) = &house.bus {
            bus.publish(&ClusterMessage::Rematch {
                game: self.id(),
                offer: now.offer,
                is_begun: now.game.is_some(),
            });
        }
    }

    /// Says again that a player who is here wants to play again, should it have been said in vain.
    pub(crate) fn repeat_rematch(&self, house: &Server) {
        let Some(rematch) = self.talk.get().map(|talk| talk.locked().rematch) else {
            return;
        };
        if rematch
            .offer
            .is_some_and(|color| self.local_presence().has(color))
        {
            self.broadcast_rematch(house, rematch);
        }
    }

    /// Whether a rematch of this game counts as a new table.
    pub(crate) async fn is_short(&self) -> bool {
        self.lock().await.game.plies().len() < SHORT_GAME_PLIES
    }

    /// A player wants to play again; if both do, the new game begins.
    ///
    /// # Errors
    /// If it could not be written down.
    pub async fn rematch(
        self: &Arc<Table>,
        house: &Arc<Server>,
        by: Color,
    ) -> Result<Result<(), RefusalMessage>, GameError> {
        let core = self.lock().await;
        if core.game.ending().is_none() {
            let denial = RefusalMessage::new("no_rematch", "the game is not over yet");
            return Ok(Err(denial));
        }
        if Color::ALL
            .iter()
            .any(|&color| core.game.seats()[color].is_open())
        {
            let text = "nobody sat down at the other side: there is nobody to play again with";
            return Ok(Err(RefusalMessage::new("no_rematch", text)));
        }
        let talk = self.talk(house).await?;
        let before = talk.locked().rematch;
        let now = match (before.game, before.offer) {
            (Some(_), _) => before,
            (None, Some(offer)) if offer != by => RematchState {
                offer: None,
                game: Some(self.play_again(house, &core).await?),
            },
            (None, _) => RematchState {
                offer: Some(by),
                game: None,
            },
        };
        talk.locked().rematch = now;
        drop(core);
        self.broadcast_rematch(house, now);
        self.broadcast(TableUpdate::other(Audience::All, message("rematch", now)));
        Ok(Ok(()))
    }

    /// A player does not want to play again.
    ///
    /// # Errors
    /// If the store cannot say how it stands.
    pub async fn decline_rematch(&self, house: &Server) -> Result<(), GameError> {
        let talk = self.talk(house).await?;
        let mut locked = talk.locked();
        if locked.rematch.offer.take().is_some() {
            let now = locked.rematch;
            drop(locked);
            self.broadcast_rematch(house, now);
            self.broadcast(TableUpdate::other(Audience::All, message("rematch", now)));
        }
        Ok(())
    }

    /// Begins the game after this one, with the colours changed.
    async fn play_again(&self, house: &Arc<Server>, core: &LiveGame) -> Result<GameId, GameError> {
        let seated = |color: Color| {
            let holder = core.holders.of(seat(color))?;
            let name = match &core.game.seats()[color] {
                Seat::Taken(name) => name.clone(),
                Seat::Open => return None,
            };
            Some(SeatAssignment { name, holder })
        };
        let mut terms = core.game.terms().clone();
        let numbered = |setup: &Setup| setup.chess960_number().is_some();
        if terms.variant() == Variant::Chess960 && numbered(&terms.start.setup()) {
            terms.start = random_chess960_start().unwrap_or(terms.start);
        }
        let founding = NewGameSpec {
            terms,
            seats: ByColor {
                white: seated(Color::Black),
                black: seated(Color::White),
            },
            is_public: core.is_public,
            source: "rematch",
        };
        let id = house.keys.rematch_id(self.id());
        let game = founding.game(id, house.now());
        let game = game.map_err(|_| GameError::NoGame)?;
        match house.store.create_game(game).await? {
            // Whoever else has made it meant the same.
            CreateResult::Written | CreateResult::Already | CreateResult::IdTaken => Ok(id),
        }
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
