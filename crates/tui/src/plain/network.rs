//! Plain mode at a table on the network: sends commands to the server and prints its events. The server decides;
//! only moves that the law book calls illegal are refused at once.

use touchmove_client::{
    ClientCommand, JoinedTable, PresenceSummary, RematchState, ServerEvent, TableLink,
};
use touchmove_game::move_text;
use touchmove_game::move_text::sentence;
use touchmove_game::{Event, Intent, Submission, Timestamp};
use touchmove_rules::Color;

use crate::plain::{Output, PlainSession, PlainStyle, changes_board, said, say, text};

/// The seat or view at a table on the network.
#[derive(Clone, Debug)]
pub(super) struct NetworkSeat {
    link: TableLink,
    you: Option<Color>,
    attendance: PresenceSummary,
    rematch: RematchState,
    is_lost: bool,
}

/// The additional commands at a table on the network.
const NETWORK_HELP_TEXT: &str = "\
say WORDS                say something to the opponent
gone                     claim the game of an opponent who is away
";

impl PlainSession {
    /// Opens a session at a table on the network.
    #[must_use]
    pub fn at_table(arrival: JoinedTable, style: PlainStyle) -> (PlainSession, Output) {
        let JoinedTable {
            link,
            game,
            you,
            attendance,
            rematch,
            remarks,
            ..
        } = arrival;
        let (mut session, mut output) = PlainSession::open(game, style);
        session.flipped = you == Some(Color::Black);
        output.text = text::opening(&session.game);
        output.text += &match you {
            Some(you) => format!("You play {you} at {link}\n\n"),
            None => format!("You watch {link}\n\n"),
        };
        for remark in remarks {
            output.text += &format!("{}: {}\n", remark.name, remark.text);
        }
        output.text += &session.shown_board();
        output.text += &session.state_of_play(arrival.at);
        output.text += &text::offers(&session.game);
        session.place = Some(NetworkSeat {
            link,
            you,
            attendance,
            rematch,
            is_lost: false,
        });
        (session, output)
    }

    /// Whether the user has a seat and is no spectator.
    pub(super) fn has_seat(&self) -> bool {
        self.place.as_ref().is_none_or(|place| place.you.is_some())
    }

    /// The player a question is about when none is named.
    pub(super) fn asked(&self) -> Color {
        let you = self.place.as_ref().and_then(|place| place.you);
        self.person(you).unwrap_or(self.game.turn())
    }

    pub(super) fn place_prompt(&self) -> String {
        match self.has_seat() {
            true => format!("{}> ", self.asked()),
            false => "watching> ".to_owned(),
        }
    }

    pub(super) const fn more_help(&self) -> &'static str {
        match self.place {
            Some(_) => NETWORK_HELP_TEXT,
            None => "",
        }
    }

    pub(super) fn is_asked_for_rematch(&self) -> bool {
        let offer = self.place.as_ref().and_then(|place| place.rematch.offer);
        offer.is_some_and(|by| self.game.ending().is_some() && by != self.asked())
    }

    /// Sends an intent to the server, unless the law book refuses it.
    pub(super) fn send_intent(&mut self, wish: Intent) -> Output {
        let you = self.place.as_ref().and_then(|place| place.you);
        let Some(you) = you else {
            return say("You watch this game: only its players move.");
        };
        if let Intent::Move(attempt) = wish {
            let request = Submission::new(self.game.latest(), you, attempt.into());
            if let Err(refusal) = self.game.decide(&request) {
                return say(sentence(&refusal.to_string()));
            }
        }
        said(ClientCommand::Wish(wish))
    }

    pub(super) fn send_chat(&self, text: String) -> Output {
        match self.place {
            Some(_) => said(ClientCommand::Remark(text)),
            None => say(NO_CHAT_TEXT),
        }
    }

    pub(super) fn rematch(&self) -> Output {
        match &self.place {
            None => say(NO_CHAT_TEXT),
            Some(place) => match &place.rematch.game {
                Some(game) => Output {
                    join: place.link.with_game(game).ok(),
                    ..Output::default()
                },
                None => said(ClientCommand::Rematch),
            },
        }
    }

    pub(super) fn claim_absence(&mut self) -> Output {
        let Some(place) = &self.place else {
            return say(NO_CHAT_TEXT);
        };
        let is_away = place
            .you
            .is_some_and(|you| place.attendance.away(!you).is_some());
        match is_away && !self.game.plies().is_empty() {
            true => self.send_intent(Intent::ClaimAbsence { draw: false }),
            false => self.send_intent(Intent::ClaimNoShow),
        }
    }

    /// Describes a server event received at `now`.
    pub fn on_server_event(&mut self, now: Timestamp, told: ServerEvent) -> Output {
        match told {
            ServerEvent::Arrived(arrival) => self.arrive(now, *arrival),
            ServerEvent::Decided { events, .. } => self.decided(now, &events),
            ServerEvent::LeftOpen(text) => say(text),
            ServerEvent::Answered { denied: None, .. } | ServerEvent::Text(_) => Output::default(),
            ServerEvent::Answered {
                denied: Some(denied),
                ..
            } => say(sentence(&denied.text)),
            ServerEvent::Presence(attendance) => self.on_presence(attendance),
            ServerEvent::Chat(remark) => say(format!("{}: {}", remark.name, remark.text)),
            ServerEvent::Rematch(rematch) => self.play_again(rematch),
            ServerEvent::Lost(why) => match self.place.as_mut() {
                Some(place) if !place.is_lost => {
                    place.is_lost = true;
                    say(format!("The line is lost, and tried again: {why}."))
                }
                _ => Output::default(),
            },
            ServerEvent::Over(why) => Output {
                quit: true,
                ..say(sentence(&why))
            },
            ServerEvent::Parted { .. } => self.end(now),
        }
    }

    /// Applies the state of the table after the connection is back.
    fn arrive(&mut self, now: Timestamp, arrival: JoinedTable) -> Output {
        let mut text = String::new();
        if let Some(place) = &mut self.place {
            place.you = arrival.you;
            place.attendance = arrival.attendance;
            place.rematch = arrival.rematch;
            if std::mem::take(&mut place.is_lost) {
                text += "The line is back.\n";
            }
        }
        if self.game.seq() != arrival.game.seq() {
            self.game = arrival.game;
            self.pending = None;
            text += &self.shown_board();
            text += &self.state_of_play(now);
        }
        Output {
            text,
            ..Output::default()
        }
    }

    fn decided(&mut self, now: Timestamp, events: &[Event]) -> Output {
        let mut text = String::new();
        let mut happened = Vec::new();
        for event in events {
            // An event that does not fit is skipped: the server sends the whole state again.
            if self.game.evolve(event).is_ok() {
                text += &text::event(&self.game, event);
                happened.push(event.clone());
            }
        }
        if happened.iter().any(changes_board) {
            self.pending = None;
            text += &self.shown_board();
        }
        if !happened.is_empty() {
            text += &self.state_of_play(now);
        }
        Output {
            text,
            ..Output::default()
        }
    }

    fn on_presence(&mut self, attendance: PresenceSummary) -> Output {
        let Some(place) = &mut self.place else {
            return Output::default();
        };
        let before = std::mem::replace(&mut place.attendance, attendance);
        let you = place.you;
        let mut text = String::new();
        for player in Color::ALL.into_iter().filter(|&player| Some(player) != you) {
            let name = move_text::name(&self.game, player);
            match (before.away(player), attendance.away(player)) {
                (None, Some(_)) => text += &format!("{name} is away.\n"),
                (Some(_), None) => text += &format!("{name} is there.\n"),
                _ => {}
            }
        }
        Output {
            text,
            ..Output::default()
        }
    }

    fn play_again(&mut self, rematch: RematchState) -> Output {
        let (offer, has_begun) = (rematch.offer, rematch.game.is_some());
        if let Some(place) = &mut self.place {
            place.rematch = rematch;
        }
        match offer {
            _ if has_begun && self.has_seat() && self.game.ending().is_some() => self.rematch(),
            _ if has_begun => say(ANOTHER_GAME),
            Some(by) => say(format!(
                "{} wants to play again: rematch accepts, decline says no.",
                move_text::name(&self.game, by)
            )),
            None => Output::default(),
        }
    }
}

/// The message when another game has begun and the user is not taken along.
pub(super) const ANOTHER_GAME: &str = "Another game has begun: rematch leads there.";
/// The refusal of a chat message where there is nobody to read it.
const NO_CHAT_TEXT: &str = "This game is played at one keyboard.";
