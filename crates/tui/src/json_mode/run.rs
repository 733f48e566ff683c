//! JSON mode on standard input and output: reads lines, passes them with the time to the session and prints the
//! answers. Decides nothing.

use std::io::{self, BufRead, Write};

use std::sync::mpsc;
use std::time::Duration;

use touchmove_game::Game;
use touchmove_game::protocol::Answer;

use crate::input;
use crate::json_mode::JsonSession;
use crate::opponents::{ComputerAnswer, ComputerOptions, ENGINE_TIMEOUTS, OpponentThread};
use crate::wall_clock::game_time;

/// Plays a game by the line protocol until the input ends.
///
/// # Errors
/// If the input cannot be read or the output cannot be written. A closed pipe is no error.
pub fn run(
    game: Game,
    customs: &ComputerOptions,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    match play(game, customs, input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn play(
    game: Game,
    customs: &ComputerOptions,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    let now = game_time(game.latest());
    let seed = customs.seed_or_random();
    let mut session = JsonSession::open(game).with_customs(customs, seed);
    let (sender, replies) = mpsc::channel();
    let mut sparring = OpponentThread::begin(Duration::ZERO, ENGINE_TIMEOUTS, move |reply| {
        // Fails only after the session has ended.
        let _ = sender.send(reply);
    });
    let mut attend = |session: &mut JsonSession, output: &mut dyn Write| -> io::Result<()> {
        loop {
            let (answers, task) = session.next_computer_task(now());
            for answer in &answers {
                write(answer, output)?;
            }
            let Some(task) = task else { return Ok(()) };
            sparring.ask(task);
            while let Ok(reply) = replies.recv() {
                if let Some(answer) = session.on_computer_reply(now(), &reply) {
                    write(&answer, output)?;
                }
                if !matches!(reply.said, ComputerAnswer::Note(_)) {
                    break;
                }
            }
        }
    };
    attend(&mut session, output)?;
    while let Some(line) = input::next(input)? {
        let answer = match line.text() {
            Ok(text) => match session.answer_coach_question(text) {
                Some(advice) => {
                    writeln!(output, "{advice}")?;
                    output.flush()?;
                    continue;
                }
                None => session.line(now(), text),
            },
            Err(why) => Some(session.unreadable(now(), why)),
        };
        if let Some(answer) = answer {
            write(&answer, output)?;
        }
        attend(&mut session, output)?;
    }
    Ok(())
}

fn write(answer: &Answer, output: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *output, answer)?;
    output.write_all(b"\n")?;
    output.flush()
}
