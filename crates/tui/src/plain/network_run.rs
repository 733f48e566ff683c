//! Plain mode on the network, on standard input and output: reads lines, sends commands, prints events. Decides
//! nothing.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, SyncSender};
use std::time::Instant;

use touchmove_client::{ConnectOptions, Connection, ServerEvent};
use touchmove_game::Timestamp;
use touchmove_text::sanitize_block;

use crate::game_saver::GameSaver;
use crate::network_input::{FollowPace, MAX_QUEUED, NetworkGameError, NetworkInput, listen};
use crate::plain::network::ANOTHER_GAME;
use crate::plain::run::{print, save};
use crate::plain::{Output, PlainSession, PlainStyle, say};
use crate::signals::Signal;
use crate::wall_clock::{game_time, today};

/// Plays or watches at a table on the network until the input ends, somebody quits or a signal comes; spectators
/// stay to the end of the game. Returns the signal, if there was one.
///
/// # Errors
/// If the table cannot be reached, the server does not answer, the input cannot be read or the output cannot be
/// written. A closed pipe is no error.
pub fn run_network_game(
    visit: ConnectOptions,
    style: PlainStyle,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> Result<Option<Signal>, NetworkGameError> {
    match run(visit, style, input, output) {
        Err(NetworkGameError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        result => result,
    }
}

fn run(
    visit: ConnectOptions,
    style: PlainStyle,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> Result<Option<Signal>, NetworkGameError> {
    let (sender, heard) = mpsc::sync_channel(MAX_QUEUED);
    listen(input, &sender)?;
    let (guest, name, only_watches) = (visit.guest.clone(), visit.name.clone(), visit.only_watches);
    let mut number = 1;
    let (begun, mut pace) = (Instant::now(), FollowPace::default());
    let mut connection = connect(visit, number, &sender);
    let mut session: Option<PlainSession> = None;
    let mut keeper = GameSaver::new(None);
    let mut has_ended = false;
    let mut signal = None;
    let mut unanswered = 0;
    let mut now: Box<dyn Fn() -> Timestamp> = Box::new(|| Timestamp(0));
    // Names and chat come from strangers: they must not contain escape sequences.
    let style = PlainStyle {
        color: false,
        ..style
    };
    // Lines typed before the opponent arrived.
    let mut early = VecDeque::new();
    loop {
        let next = match session.as_ref().and_then(|_| early.pop_front()) {
            Some(line) => line,
            None => match heard.recv() {
                Ok(next) => next,
                Err(_) => return Ok(signal),
            },
        };
        let is_told = matches!(next, NetworkInput::Told(..));
        let mut said = match (next, &mut session) {
            (NetworkInput::Told(at, _), _) if at != number => continue,
            (NetworkInput::Told(_, ServerEvent::Over(why)), None) => {
                return Err(NetworkGameError::NoTable(why));
            }
            (NetworkInput::Told(_, ServerEvent::Arrived(arrival)), None) => {
                now = Box::new(game_time(arrival.at));
                let (opened, said) = PlainSession::at_table(*arrival, style);
                session = Some(opened.dated(&today()));
                said
            }
            (NetworkInput::Told(_, told), Some(session)) => {
                match &told {
                    ServerEvent::Decided { at, .. } => now = Box::new(game_time(*at)),
                    ServerEvent::Parted { unanswered: open } => unanswered = *open,
                    _ => {}
                }
                session.on_server_event(now(), told)
            }
            (NetworkInput::Line(line), Some(session)) => match line?.text() {
                Ok(text) => session.line(now(), text),
                Err(why) => session.unreadable(now(), why),
            },
            (NetworkInput::End, _) => {
                has_ended = true;
                Output::default()
            }
            (NetworkInput::Signal(heard), _) => {
                signal = Some(heard);
                let said = session.as_mut().map(|session| session.end(now()));
                Output {
                    quit: true,
                    ..said.unwrap_or_default()
                }
            }
            (line @ NetworkInput::Line(_), None) => {
                early.push_back(line);
                continue;
            }
            (NetworkInput::Told(..), None) => continue,
        };
        if is_told && said.join.is_some() && !pace.may_follow(begun.elapsed()) {
            said = say(ANOTHER_GAME);
        }
        let shown = Output {
            text: sanitize_block(&said.text).into_owned(),
            ..said
        };
        print(&shown, output)?;
        save(&mut keeper, &shown, output)?;
        if shown.quit {
            output.flush()?;
            return NetworkGameError::of_unanswered(unanswered).map(|()| signal);
        }
        if let Some(link) = shown.join {
            number += 1;
            session = None;
            let visit = ConnectOptions {
                name: name.clone(),
                only_watches,
                ..ConnectOptions::of(link, guest.clone())
            };
            connection = connect(visit, number, &sender);
        }
        let Some(session) = &session else {
            continue;
        };
        if let Some(say) = shown.say {
            connection.send_command(say, session.game().seq());
        }
        let watches_on = !session.has_seat() && session.game().ending().is_none();
        if has_ended && !watches_on && early.is_empty() {
            connection.close();
        }
        if style.interactive {
            write!(output, "{}", session.prompt())?;
        }
        output.flush()?;
    }
}

fn connect(visit: ConnectOptions, number: u64, sender: &SyncSender<NetworkInput>) -> Connection {
    let sender = sender.clone();
    Connection::open(visit, move |told| {
        // Fails only after the session has ended.
        let _ = sender.send(NetworkInput::Told(number, told));
    })
}
