//! The plain mode at a real keyboard or pipe: reads lines, tells the session the time, prints what it
//! says and writes what it saves. It decides nothing.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

use touchmove_game::{Budget, DeadLaw, Game, Timestamp, arbiter};
use touchmove_rules::AnyPosition;

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
    let (sender, heard) = mpsc::sync_channel(1);
    listen(input, sender.clone());
    let mut doubted: Option<AnyPosition> = None;
    loop {
        if style.interactive {
            doubt(session.game(), &mut doubted, &sender);
            write!(output, "{}", session.prompt())?;
        }
        output.flush()?;
        let said = match hear(&heard, &session, now()) {
            Heard::Line(line) => match line?.text() {
                Ok(text) => session.line(now(), text),
                Err(why) => session.unreadable(now(), why),
            },
            Heard::Nothing => unasked(session.tick(now())),
            Heard::Dead(position) => unasked(session.proved_dead(now(), &position)),
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
    Line(io::Result<Line>),
    /// Nothing until the flag fell.
    Nothing,
    /// A proof that this position is dead.
    Dead(AnyPosition),
    End,
}

/// Reads lines on a thread of its own, so that a flag can fall while nobody types.
fn listen(mut input: impl BufRead + Send + 'static, sender: SyncSender<Heard>) {
    thread::spawn(move || {
        while let Some(line) = lines::next(&mut input).transpose() {
            let failed = line.is_err();
            if sender.send(Heard::Line(line)).is_err() || failed {
                return;
            }
        }
        // Nobody hears it if the game is over.
        let _ = sender.send(Heard::End);
    });
}

/// Takes a longer look at each new position than a move at the table may take.
fn doubt(game: &Game, doubted: &mut Option<AnyPosition>, sender: &SyncSender<Heard>) {
    let position = *game.position();
    let exact = game.terms().dead == DeadLaw::Exact && game.ending().is_none();
    if !exact || *doubted == Some(position) {
        return;
    }
    *doubted = Some(position);
    let sender = sender.clone();
    thread::spawn(move || {
        if arbiter::dead_proof(&position, DeadLaw::Exact, Budget::default()).is_some() {
            // Nobody hears it if the game is over.
            let _ = sender.send(Heard::Dead(position));
        }
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
