//! The line protocol at a real pipe: reads lines, tells the session the time and prints its answers.
//! It decides nothing.

use std::io::{self, BufRead, Write};

use touchmove_game::Game;

use super::Session;
use crate::input;
use crate::wall_clock::game_time;

/// Plays a game by the line protocol until the input ends.
///
/// # Errors
/// If the input cannot be read or the output not written. A reader that has gone away is no error.
pub fn run(game: Game, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    match play(game, input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn play(game: Game, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let now = game_time(game.latest());
    let mut session = Session::open(game);
    while let Some(line) = input::next(input)? {
        let answer = match line.text() {
            Ok(text) => session.line(now(), text),
            Err(why) => Some(session.unreadable(now(), why)),
        };
        if let Some(answer) = answer {
            serde_json::to_writer(&mut *output, &answer)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
    }
    Ok(())
}
