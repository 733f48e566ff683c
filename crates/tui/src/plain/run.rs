//! The plain mode at a real keyboard or pipe: reads lines, tells the session the time, prints what it
//! says and writes what it saves. It decides nothing.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use touchmove_game::{Finding, Game, Timestamp};

use super::{Output, Session, Style};
use crate::input::{self, Line};
use crate::longer_look::LongerLook;
use crate::signals::{self, Signal};
use crate::sparring::{Customs, PATIENCE, Reply, Said, Sparring};
use crate::wall_clock::game_time;

/// Plays a game in the plain mode until the input ends, somebody quits or a signal comes; the record
/// is printed in any case. Returns the signal, if it was one.
///
/// # Errors
/// If the input cannot be read or the output not written. A reader that has gone away is no error.
pub fn run(
    game: Game,
    customs: &Customs,
    style: Style,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> io::Result<Option<Signal>> {
    match play(game, customs, style, input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        result => result,
    }
}

fn play(
    game: Game,
    customs: &Customs,
    style: Style,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> io::Result<Option<Signal>> {
    let now = game_time(game.latest());
    let (session, opening) = Session::open(game, style);
    let mut session = session.with_customs(customs, customs.seed.unwrap_or_default());
    print(&opening, output)?;
    // Declared before the channel, so that nobody listens any more when its thread is waited for.
    let mut sparring;
    let (sender, heard) = mpsc::sync_channel(1);
    listen(input, sender.clone());
    let to_loop = sender.clone();
    signals::listen(move |signal| {
        // Nobody hears it if the session is over.
        let _ = to_loop.send(Heard::Signal(signal));
    })?;
    // Whoever writes into a pipe does not see when it is his turn: his lines wait for it.
    let (answer, answers) = mpsc::channel();
    let to_loop = sender.clone();
    sparring = Sparring::begin(Duration::ZERO, PATIENCE, move |reply| {
        // Nobody hears it if the session is over.
        let _ = match style.interactive {
            true => to_loop.send(Heard::Answered(reply)).is_ok(),
            false => answer.send(reply).is_ok(),
        };
    });
    let longer_look = LongerLook::begin(move |finding| {
        // Nobody hears it if the session is over.
        let _ = sender.send(Heard::Found(finding));
    });
    let mut signal = None;
    let mut doubted = None;
    let mut is_thinking = false;
    loop {
        let (due, task) = session.attend_computers(now());
        print(&due, output)?;
        if let Some(task) = task {
            is_thinking = true;
            sparring.ask(task);
        }
        if style.interactive {
            let question = session.game().question();
            if let Some(question) = question.filter(|_| question != doubted) {
                longer_look.look(question);
            }
            doubted = question;
            write!(output, "{}", session.prompt())?;
        }
        output.flush()?;
        let next = match is_thinking && !style.interactive {
            true => answers.recv().map_or(Heard::End, Heard::Answered),
            false => hear(&heard, &session, now()),
        };
        let said = match next {
            Heard::Line(line) => match line?.text() {
                Ok(text) => session.line(now(), text),
                Err(why) => session.unreadable(now(), why),
            },
            Heard::Answered(reply) => {
                is_thinking = matches!(reply.said, Said::Note(_));
                let said = session.answered(now(), &reply);
                match style.interactive && !said.text.is_empty() {
                    true => unasked(Some(said.text)),
                    false => said,
                }
            }
            Heard::Nothing => unasked(session.tick(now())),
            Heard::Found(finding) => unasked(session.looked_into(now(), &finding)),
            Heard::End => session.end(now()),
            Heard::Signal(heard) => {
                signal = Some(heard);
                let said = session.end(now());
                Output {
                    text: format!("\n{}", said.text),
                    ..said
                }
            }
        };
        print(&said, output)?;
        if said.quit {
            output.flush()?;
            return Ok(signal);
        }
    }
}

/// What came first.
enum Heard {
    Line(io::Result<Line>),
    /// Nothing until the flag fell.
    Nothing,
    /// A longer look has found this.
    Found(Finding),
    /// A computer has answered.
    Answered(Reply),
    /// A signal to leave.
    Signal(Signal),
    End,
}

/// Reads lines on a thread of its own, so that a flag can fall while nobody types.
fn listen(mut input: impl BufRead + Send + 'static, sender: SyncSender<Heard>) {
    thread::spawn(move || {
        while let Some(line) = input::next(&mut input).transpose() {
            let failed = line.is_err();
            if sender.send(Heard::Line(line)).is_err() || failed {
                return;
            }
        }
        // Nobody hears it if the game is over.
        let _ = sender.send(Heard::End);
    });
}

fn hear(heard: &Receiver<Heard>, session: &Session, now: Timestamp) -> Heard {
    let received = match session.deadline() {
        None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(deadline) => heard.recv_timeout(Duration::from_millis(deadline.since(now).0)),
    };
    received.unwrap_or_else(|error| match error {
        RecvTimeoutError::Timeout => Heard::Nothing,
        RecvTimeoutError::Disconnected => Heard::End,
    })
}

/// What is said although nobody has typed anything begins on a line of its own.
fn unasked(text: Option<String>) -> Output {
    Output {
        text: text.map(|text| format!("\n{text}")).unwrap_or_default(),
        ..Output::default()
    }
}

pub(super) fn print(said: &Output, output: &mut impl Write) -> io::Result<()> {
    output.write_all(said.text.as_bytes())?;
    let Some(save) = &said.save else {
        return Ok(());
    };
    match std::fs::write(&save.path, &save.contents) {
        Ok(()) => writeln!(output, "Saved to {}.", save.path),
        Err(error) => writeln!(output, "Could not save to {}: {error}.", save.path),
    }
}
