//! The plain mode at a table on the network, at a real keyboard or pipe: reads lines, says what is to be
//! said, prints what is told. It decides nothing.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, SyncSender};
use std::time::Instant;

use touchmove_client::{Connection, Told, Visit};
use touchmove_game::Timestamp;
use touchmove_text::sanitize_block;

use crate::game_saver::Keeper;
use crate::network_input::{FollowPace, Heard, MAX_QUEUED, VisitError, listen};
use crate::plain::network::ANOTHER_GAME;
use crate::plain::run::{print, save};
use crate::plain::{Output, Session, Style, say};
use crate::signals::Signal;
use crate::wall_clock::{game_time, today};

/// Plays or watches at a table on the network until the input ends, somebody quits or a signal comes; who
/// watches stays to the end of the game. Returns the signal, if it was one.
///
/// # Errors
/// If there is no way to the table, the server does not answer, the input cannot be read or the output not
/// written. A reader that has gone away is no error.
pub fn visit(
    visit: Visit,
    style: Style,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> Result<Option<Signal>, VisitError> {
    match stay(visit, style, input, output) {
        Err(VisitError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        result => result,
    }
}

fn stay(
    visit: Visit,
    style: Style,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> Result<Option<Signal>, VisitError> {
    let (sender, heard) = mpsc::sync_channel(MAX_QUEUED);
    listen(input, &sender)?;
    let (guest, name, only_watches) = (visit.guest.clone(), visit.name.clone(), visit.only_watches);
    let mut number = 1;
    let (begun, mut pace) = (Instant::now(), FollowPace::default());
    let mut connection = come(visit, number, &sender);
    let mut session: Option<Session> = None;
    let mut keeper = Keeper::new(None);
    let mut has_ended = false;
    let mut signal = None;
    let mut unanswered = 0;
    let mut now: Box<dyn Fn() -> Timestamp> = Box::new(|| Timestamp(0));
    // Names and remarks come from elsewhere: nothing in them may steer the terminal.
    let style = Style {
        color: false,
        ..style
    };
    // Lines that were typed before somebody has come.
    let mut early = VecDeque::new();
    loop {
        let next = match session.as_ref().and_then(|_| early.pop_front()) {
            Some(line) => line,
            None => match heard.recv() {
                Ok(next) => next,
                Err(_) => return Ok(signal),
            },
        };
        let is_told = matches!(next, Heard::Told(..));
        let mut said = match (next, &mut session) {
            (Heard::Told(at, _), _) if at != number => continue,
            (Heard::Told(_, Told::Over(why)), None) => return Err(VisitError::NoTable(why)),
            (Heard::Told(_, Told::Arrived(arrival)), None) => {
                now = Box::new(game_time(arrival.at));
                let (opened, said) = Session::at_table(*arrival, style);
                session = Some(opened.dated(&today()));
                said
            }
            (Heard::Told(_, told), Some(session)) => {
                match &told {
                    Told::Decided { at, .. } => now = Box::new(game_time(*at)),
                    Told::Parted { unanswered: open } => unanswered = *open,
                    _ => {}
                }
                session.hear(now(), told)
            }
            (Heard::Line(line), Some(session)) => match line?.text() {
                Ok(text) => session.line(now(), text),
                Err(why) => session.unreadable(now(), why),
            },
            (Heard::End, _) => {
                has_ended = true;
                Output::default()
            }
            (Heard::Signal(heard), _) => {
                signal = Some(heard);
                let said = session.as_mut().map(|session| session.end(now()));
                Output {
                    quit: true,
                    ..said.unwrap_or_default()
                }
            }
            (line @ Heard::Line(_), None) => {
                early.push_back(line);
                continue;
            }
            (Heard::Told(..), None) => continue,
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
            return VisitError::of_unanswered(unanswered).map(|()| signal);
        }
        if let Some(link) = shown.join {
            number += 1;
            session = None;
            let visit = Visit {
                name: name.clone(),
                only_watches,
                ..Visit::of(link, guest.clone())
            };
            connection = come(visit, number, &sender);
        }
        let Some(session) = &session else {
            continue;
        };
        if let Some(say) = shown.say {
            connection.say(say, session.game().seq());
        }
        let watches_on = !session.has_seat() && session.game().ending().is_none();
        if has_ended && !watches_on && early.is_empty() {
            connection.part();
        }
        if style.interactive {
            write!(output, "{}", session.prompt())?;
        }
        output.flush()?;
    }
}

fn come(visit: Visit, number: u64, sender: &SyncSender<Heard>) -> Connection {
    let sender = sender.clone();
    Connection::open(visit, move |told| {
        // Nobody hears it if the visit is over.
        let _ = sender.send(Heard::Told(number, told));
    })
}
