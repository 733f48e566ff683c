//! The task of a connection: sends and receives messages, reconnects, resends commands without an answer, and
//! keeps the game in step with the server's.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::http::header::AUTHORIZATION;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message as Frame};
use touchmove_game::{Event, Game};

use crate::dial::{self, Stream, dial};
use crate::event::JoinedTable;
use crate::foreign::sentence;
use crate::guest_secrets::random;
use crate::message::{AnswerMessage, ServerMessage, StateMessage};
use crate::outgoing_message::{OutgoingMessage, on_one_line, without_ids};
use crate::{ClientCommand, ConnectOptions, Error, ServerEvent, http};

/// The delay before the first reconnect.
const MIN_RECONNECT_DELAY: Duration = Duration::from_millis(200);
/// The longest delay between reconnects; each is twice the one before.
const MAX_RECONNECT_DELAY: Duration = Duration::from_secs(5);
/// The connection is dead if nothing is received for so long. The server pings players every five seconds,
/// spectators every thirty.
const SERVER_TIMEOUT: Duration = Duration::from_secs(20);
const SPECTATOR_SERVER_TIMEOUT: Duration = Duration::from_secs(90);
/// How long closing waits for the next answer.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);
/// The delay before a command is sent again after the server answered `try_again`.
const RESEND_DELAY: Duration = Duration::from_millis(500);
/// How often a command is sent at most.
const MAX_RESENDS: u32 = 20;
/// The largest message that is accepted, in bytes. The state of the longest game, some 18,000 plies with the
/// position after each, needs less than three quarters of it.
const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;
/// The most bytes that are buffered for a server that does not read, including pongs; no message to it is as
/// long.
const MAX_WAITING_BYTES: usize = 64 * 1024;
/// How long the server may take to send its first `state` message.
const GREETING_TIMEOUT: Duration = Duration::from_secs(20);

/// A command of the frontend to the task.
pub(crate) enum TaskCommand {
    Say(ClientCommand, u64),
    Send(String),
    Part,
}

/// A message without an answer yet.
struct PendingCommand {
    /// The id by which its answer refers to it, if it has one.
    id: Option<String>,
    text: String,
    say: Option<ClientCommand>,
    /// Whether its answer is a `state` message.
    asks_for_state: bool,
    attempts: u32,
    /// When to send it again, if the server asked for that.
    again: Option<Instant>,
}

type Socket = WebSocketStream<Box<dyn Stream>>;

/// The task of a connection.
pub(crate) struct ConnectionTask<T> {
    visit: ConnectOptions,
    orders: UnboundedReceiver<TaskCommand>,
    tell: T,
    unanswered: VecDeque<PendingCommand>,
    /// The game in step with the server's; `None` if only texts are delivered.
    game: Option<Game>,
    /// The number of the last event seen.
    seen: Option<u64>,
    /// The prefix of this connection's message ids, which no other program has.
    mark: String,
    count: u64,
    has_sat: bool,
    has_seat: bool,
    /// Whether the server has sent a `state` message on the current connection.
    is_greeted: bool,
    pause: Duration,
    leaves_by: Option<Instant>,
}

impl<T: Fn(ServerEvent)> ConnectionTask<T> {
    pub(crate) fn new(
        visit: ConnectOptions,
        orders: UnboundedReceiver<TaskCommand>,
        tell: T,
    ) -> ConnectionTask<T> {
        ConnectionTask {
            visit,
            orders,
            tell,
            unanswered: VecDeque::new(),
            game: None,
            seen: None,
            mark: format!("{:016x}-", random()),
            count: 0,
            has_sat: false,
            has_seat: false,
            is_greeted: false,
            pause: MIN_RECONNECT_DELAY,
            leaves_by: None,
        }
    }

    /// Runs until the frontend closes the connection, or reconnecting is pointless.
    pub(crate) async fn run(mut self) {
        loop {
            self.is_greeted = false;
            let why = match self.connect_once().await {
                Ok(()) => return self.part(),
                Err(Error::Final(why)) => return (self.tell)(ServerEvent::Over(why)),
                // If the first attempt fails there is no retry.
                Err(Error::Passing(why)) if self.seen.is_none() => {
                    return (self.tell)(ServerEvent::Over(why));
                }
                Err(Error::Passing(why)) => why,
            };
            (self.tell)(ServerEvent::Lost(why));
            if self.wait_or_leave().await {
                return self.part();
            }
        }
    }

    fn part(&self) {
        let unanswered = self.unanswered.len();
        (self.tell)(ServerEvent::Parted { unanswered });
    }

    /// Waits before the next reconnect; returns whether the frontend closed the connection meanwhile.
    async fn wait_or_leave(&mut self) -> bool {
        let until = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(MAX_RECONNECT_DELAY);
        loop {
            tokio::select! {
                order = self.orders.recv(), if self.leaves_by.is_none() => {
                    self.take(order);
                }
                () = sleep_until(until) => return false,
                () = at(self.leaves_by) => return true,
            }
            if self.leaves_by.is_some() && self.unanswered.is_empty() {
                return true;
            }
        }
    }

    /// Connects once, and runs until the frontend closes the connection or it is lost.
    async fn connect_once(&mut self) -> Result<(), Error> {
        let ConnectOptions { link, guest, .. } = &self.visit;
        if !self.has_sat && !self.visit.only_watches {
            http::take_seat(link, guest.secret(), &self.visit.name).await?;
        }
        self.has_sat = true;
        let mut socket = self.connect().await?;
        let mut heard = Instant::now();
        let greeted_by = heard + GREETING_TIMEOUT;
        loop {
            let silence = if self.has_seat {
                SERVER_TIMEOUT
            } else {
                SPECTATOR_SERVER_TIMEOUT
            };
            let again = self.unanswered.iter().filter_map(|said| said.again).min();
            tokio::select! {
                frame = socket.next() => {
                    heard = Instant::now();
                    self.on_message(frame, &mut socket).await?;
                }
                order = self.orders.recv(), if self.leaves_by.is_none() => {
                    if let Some(text) = self.take(order).filter(|_| self.is_greeted) {
                        send(&mut socket, text).await?;
                    }
                }
                () = at(again) => self.send_again(&mut socket).await?,
                () = sleep_until(heard + silence) => {
                    return Err(Error::Passing("nothing is heard from the server".to_owned()));
                }
                // A server may send other messages for ever.
                () = sleep_until(greeted_by), if !self.is_greeted => {
                    let why = "the server does not say how the game stands";
                    return Err(Error::Passing(why.to_owned()));
                }
                // Without any event the connection never worked, so this is an error.
                () = at(self.leaves_by) => return match self.seen {
                    Some(_) => Ok(()),
                    None => Err(Error::Passing("the server does not answer".to_owned())),
                },
            }
            if self.leaves_by.is_some() && self.is_greeted && self.unanswered.is_empty() {
                let _ = timeout(CLOSE_TIMEOUT, socket.close(None)).await;
                return Ok(());
            }
        }
    }

    async fn connect(&self) -> Result<Socket, Error> {
        let link = &self.visit.link;
        let lost = |why: String| Error::Passing(format!("{}: {why}", link.authority()));
        let query = self
            .seen
            .map(|seen| format!("?seen={seen}"))
            .unwrap_or_default();
        let path = link.table("/live");
        let mut request = format!("ws://{}{path}{query}", link.authority())
            .into_client_request()
            .map_err(|error| Error::Final(error.to_string()))?;
        let bearer = HeaderValue::try_from(format!("Bearer {}", self.visit.guest.secret()));
        let bearer =
            bearer.map_err(|_| Error::Final("the token is not one that can be sent".into()))?;
        request.headers_mut().insert(AUTHORIZATION, bearer);
        let stream = dial(link).await?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_MESSAGE_BYTES))
            .max_frame_size(Some(MAX_MESSAGE_BYTES))
            .write_buffer_size(0)
            .max_write_buffer_size(MAX_WAITING_BYTES);
        let shaking = tokio_tungstenite::client_async_with_config(request, stream, Some(config));
        match timeout(dial::CONNECT_TIMEOUT, shaking).await {
            Err(_) => Err(lost("the server does not answer".to_owned())),
            Ok(Ok((socket, _))) => Ok(socket),
            Ok(Err(tungstenite::Error::Http(answer))) => {
                let said = answer.body().as_deref().and_then(http::error_text);
                Err(Error::of_status(answer.status().as_u16(), said))
            }
            Ok(Err(error)) => Err(lost(sentence(&error.to_string()))),
        }
    }

    /// Takes a command from the frontend; returns the message to send.
    fn take(&mut self, order: Option<TaskCommand>) -> Option<String> {
        self.count += 1;
        let id = format!("{}{}", self.mark, self.count);
        let (written, say) = match order {
            Some(TaskCommand::Say(say, seen)) => {
                let written = OutgoingMessage {
                    text: say.message(&id, seen),
                    id: Some(id),
                    asks_for_state: false,
                };
                (written, Some(say))
            }
            Some(TaskCommand::Send(text)) => (OutgoingMessage::new(text, id), None),
            Some(TaskCommand::Part) | None => {
                self.leaves_by = Some(Instant::now() + CLOSE_TIMEOUT);
                return None;
            }
        };
        self.unanswered.push_back(PendingCommand {
            id: written.id,
            text: written.text.clone(),
            say,
            asks_for_state: written.asks_for_state,
            attempts: 1,
            again: None,
        });
        Some(written.text)
    }

    async fn send_again(&mut self, socket: &mut Socket) -> Result<(), Error> {
        let now = Instant::now();
        for said in &mut self.unanswered {
            if said.again.is_some_and(|again| again <= now) {
                said.again = None;
                said.attempts += 1;
                send(socket, said.text.clone()).await?;
            }
        }
        Ok(())
    }

    async fn on_message(
        &mut self,
        frame: Option<Result<Frame, tungstenite::Error>>,
        socket: &mut Socket,
    ) -> Result<(), Error> {
        let text = match frame {
            Some(Ok(Frame::Text(text))) => text,
            Some(Ok(Frame::Close(frame))) => {
                let why = frame.map(|frame| sentence(&frame.reason));
                let why = why.filter(|why| !why.is_empty());
                let why = why.unwrap_or_else(|| "the server has closed the line".to_owned());
                return Err(Error::Passing(why));
            }
            // The WebSocket library answers pings.
            Some(Ok(_)) => return Ok(()),
            Some(Err(error)) => {
                let why = sentence(&error.to_string());
                return Err(Error::Passing(format!("the line broke: {why}")));
            }
            None => return Err(Error::Passing("the line broke".to_owned())),
        };
        let message = ServerMessage::read(&text)?;
        let is_state = matches!(message, ServerMessage::State(_));
        if self.visit.wants_texts {
            if self.note(&message) {
                (self.tell)(ServerEvent::Text(on_one_line(without_ids(
                    &text, &self.mark,
                ))));
            }
        } else {
            self.follow(message).await?;
        }
        if is_state && !self.is_greeted {
            self.is_greeted = true;
            self.pause = MIN_RECONNECT_DELAY;
            for said in &mut self.unanswered {
                said.again = None;
                send(socket, said.text.clone()).await?;
            }
        }
        Ok(())
    }

    /// For programs: updates what reconnecting and closing need, and returns whether to deliver the message.
    fn note(&mut self, message: &ServerMessage) -> bool {
        match message {
            ServerMessage::State(standing) => {
                self.has_seat = standing.you.is_some();
                self.seen = Some(standing.state.seq);
                // The first `state` message of a connection answers no command.
                if self.is_greeted {
                    self.mark_answered(|said| said.asks_for_state);
                }
            }
            ServerMessage::Decided(decided) => self.seen = Some(decided.state.seq),
            ServerMessage::Answer(answer) => {
                let id = answer.id.as_ref();
                let is_own = id.is_some_and(|id| id.starts_with(&self.mark));
                // A program that gave the command no id cannot repeat it, so only the final answer is
                // delivered.
                return self.answered(answer).is_some() || !is_own;
            }
            ServerMessage::Pong(pong) => self.mark_answered(|said| said.id == pong.id),
            _ => {}
        }
        true
    }

    /// Removes the first pending command that matches: it is answered.
    fn mark_answered(&mut self, is_like: impl Fn(&PendingCommand) -> bool) {
        if let Some(at) = self.unanswered.iter().position(is_like) {
            self.goes_on_waiting();
            self.unanswered.remove(at);
        }
    }

    /// Restarts the closing timeout, because answers still arrive.
    fn goes_on_waiting(&mut self) {
        self.leaves_by = self.leaves_by.map(|_| Instant::now() + CLOSE_TIMEOUT);
    }

    async fn follow(&mut self, message: ServerMessage) -> Result<(), Error> {
        match message {
            ServerMessage::State(standing) => self.arrive(*standing).await?,
            ServerMessage::Decided(decided) => {
                let at = decided.state.at;
                // No event: the server analysed whether the position is dead, without a result.
                if decided.events.is_empty() && !decided.state.proved {
                    (self.tell)(ServerEvent::LeftOpen(decided.state.explanation));
                    return Ok(());
                }
                match self.evolve(decided.events) {
                    Some(events) if events.is_empty() => {}
                    Some(events) => (self.tell)(ServerEvent::Decided { events, at }),
                    // An event is missing: reconnect and load the whole game.
                    None => {
                        self.game = None;
                        return Err(Error::Passing("a step of the game is missing".to_owned()));
                    }
                }
            }
            ServerMessage::Answer(answer) => {
                if let Some(told) = self.answered(&answer) {
                    (self.tell)(told);
                }
            }
            ServerMessage::Attendance(attendance) => (self.tell)(ServerEvent::Presence(attendance)),
            ServerMessage::Remark(remark) => (self.tell)(ServerEvent::Chat(remark)),
            ServerMessage::Rematch(rematch) => (self.tell)(ServerEvent::Rematch(rematch)),
            ServerMessage::Pong(_) | ServerMessage::Other => {}
        }
        Ok(())
    }

    /// Handles a `state` message: brings the game in step with it.
    async fn arrive(&mut self, standing: StateMessage) -> Result<(), Error> {
        let at = standing.state.at;
        self.has_seat = standing.you.is_some();
        if let Some(events) = standing.events.filter(|_| self.game.is_some())
            && let Some(events) = self.evolve(events)
            && !events.is_empty()
        {
            (self.tell)(ServerEvent::Decided { events, at });
        }
        let game = match self.game.take() {
            Some(game) if game.seq() >= standing.state.seq => game,
            _ => http::game(&self.visit.link, self.visit.guest.secret()).await?,
        };
        self.seen = Some(game.seq());
        (self.tell)(ServerEvent::Arrived(Box::new(JoinedTable {
            link: self.visit.link.clone(),
            game: game.clone(),
            you: standing.you,
            at,
            attendance: standing.presence,
            remarks: standing.chat,
            rematch: standing.rematch.unwrap_or_default(),
        })));
        self.game = Some(game);
        Ok(())
    }

    /// Applies events to the game and returns the new ones; `None` if they do not follow.
    fn evolve(&mut self, mut events: Vec<Event>) -> Option<Vec<Event>> {
        let game = self.game.as_mut()?;
        let known = game.seq();
        events.retain(|event| event.seq > known);
        for event in &events {
            // A game of any length would fill the memory.
            if event.seq > http::MAX_GAME_EVENTS as u64 {
                return None;
            }
            game.evolve(event).ok()?;
        }
        self.seen = Some(game.seq());
        Some(events)
    }

    /// Handles an answer; returns the event to deliver, if the answer is final.
    fn answered(&mut self, answer: &AnswerMessage) -> Option<ServerEvent> {
        // Answers come in the order of the commands: one without an id belongs to the first command without an
        // id.
        let mut said = self.unanswered.iter();
        let at = match said.position(|said| said.id == answer.id) {
            None if answer.id.is_some() => return None,
            at => at.unwrap_or(0),
        };
        self.goes_on_waiting();
        let said = self.unanswered.get_mut(at);
        let denied = (!answer.accepted).then(|| answer.denied.clone());
        if let (Some(said), Some(denied)) = (said, &denied)
            && denied.reason == "try_again"
            && said.attempts < MAX_RESENDS
        {
            said.again = Some(Instant::now() + RESEND_DELAY);
            return None;
        }
        let said = self.unanswered.remove(at).and_then(|said| said.say);
        Some(ServerEvent::Answered { said, denied })
    }
}

/// Waits until a moment, or for ever if there is none.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

async fn send(socket: &mut Socket, text: String) -> Result<(), Error> {
    let sent = timeout(SERVER_TIMEOUT, socket.send(Frame::text(text))).await;
    match sent {
        Ok(Ok(())) => Ok(()),
        Err(_) | Ok(Err(tungstenite::Error::WriteBufferFull(_))) => {
            Err(Error::Passing("the server does not listen".to_owned()))
        }
        Ok(Err(error)) => Err(Error::Passing(format!("the line broke: {error}"))),
    }
}
