//! The plain mode at a real keyboard or pipe: reads lines, tells the session the time, prints what it
//! says and writes what it saves. It decides nothing.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use touchmove_game::{Game, Timestamp};

use super::{Output, Session, Style};
use crate::lines::{self, Line};
use crate::wall_clock::game_time;

/// Plays a game in the plain mode until the input ends or somebody quits.
///
/// # Errors
/// If the input cannot be read or the output not written. A reader that has gone away is no error.
pub fn run(
    game: Game,
    style: Style,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> io::Result<()> {
    match play(game, style, input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn play(
    game: Game,
    style: Style,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> io::Result<()> {
    let now = game_time(game.latest());
    let (mut session, opening) = Session::open(game, style);
    print(&opening, output)?;
    let lines = listen(input);
    loop {
        if style.interactive {
            write!(output, "{}", session.prompt())?;
        }
        output.flush()?;
        let said = match hear(&lines, &session, now())? {
            Heard::Line(line) => match line.text() {
                Ok(text) => session.line(now(), text),
                Err(why) => session.unreadable(now(), why),
            },
            Heard::FlagFall => Output {
                text: session
                    .tick(now())
                    .map(|text| format!("\n{text}"))
                    .unwrap_or_default(),
                ..Output::default()
            },
            Heard::End => session.end(now()),
        };
        print(&said, output)?;
        if said.quit {
            return output.flush();
        }
    }
}

/// What came first.
enum Heard {
    Line(Line),
    FlagFall,
    End,
}

/// Reads lines on a thread of its own, so that a flag can fall while nobody types.
fn listen(mut input: impl BufRead + Send + 'static) -> Receiver<io::Result<Line>> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        while let Some(line) = lines::next(&mut input).transpose() {
            let failed = line.is_err();
            if sender.send(line).is_err() || failed {
                break;
            }
        }
    });
    receiver
}

fn hear(
    lines: &Receiver<io::Result<Line>>,
    session: &Session,
    now: Timestamp,
) -> io::Result<Heard> {
    let received = match session.deadline() {
        None => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(deadline) => lines.recv_timeout(Duration::from_millis(deadline.since(now).0)),
    };
    match received {
        Ok(line) => line.map(Heard::Line),
        Err(RecvTimeoutError::Timeout) => Ok(Heard::FlagFall),
        Err(RecvTimeoutError::Disconnected) => Ok(Heard::End),
    }
}

fn print(said: &Output, output: &mut impl Write) -> io::Result<()> {
    output.write_all(said.text.as_bytes())?;
    let Some(save) = &said.save else {
        return Ok(());
    };
    match std::fs::write(&save.path, &save.contents) {
        Ok(()) => writeln!(output, "Saved to {}.", save.path),
        Err(error) => writeln!(output, "Could not save to {}: {error}.", save.path),
    }
}
