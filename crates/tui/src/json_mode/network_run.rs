//! JSON mode over the network: passes lines to the table and prints its messages, one per line. The table sends the
//! player's own requests back as events. Decides nothing.

use std::io::{self, BufRead, Write};
use std::sync::mpsc;

use serde::Deserialize;
use serde_json::json;
use touchmove_client::{ConnectOptions, Connection, ServerEvent};

use crate::network_input::{MAX_QUEUED, NetworkGameError, NetworkInput, listen};
use crate::signals::Signal;

/// Connects a program's input and output to a table on the network, until the input has ended and everything is
/// answered, or a signal comes; spectators stay to the end of the game. Returns the signal, if there was one.
///
/// # Errors
/// If the table cannot be reached, the server does not answer, the input cannot be read or the output cannot be
/// written. A closed pipe is no error.
pub fn run_network_game(
    visit: ConnectOptions,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> Result<Option<Signal>, NetworkGameError> {
    match pass(visit, input, output) {
        Err(NetworkGameError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        result => result,
    }
}

fn pass(
    visit: ConnectOptions,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> Result<Option<Signal>, NetworkGameError> {
    let visit = ConnectOptions {
        wants_texts: true,
        ..visit
    };
    let mut watches_on = visit.only_watches;
    let (sender, heard) = mpsc::sync_channel(MAX_QUEUED);
    listen(input, &sender)?;
    let connection = Connection::open(visit, move |told| {
        // Fails only after the session has ended.
        let _ = sender.send(NetworkInput::Told(0, told));
    });
    let mut is_lost = false;
    let mut has_ended = false;
    while let Ok(next) = heard.recv() {
        match next {
            NetworkInput::Line(line) => match line?.text() {
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => connection.send_raw(text.to_owned()),
                Err(why) => {
                    let denied = json!({
                        "v": 1, "type": "answer", "accepted": false,
                        "reason": "unreadable", "text": why,
                    });
                    writeln!(output, "{denied}")?;
                }
            },
            NetworkInput::Told(_, ServerEvent::Text(text)) => {
                is_lost = false;
                watches_on &= !is_over(&text);
                writeln!(output, "{text}")?;
            }
            NetworkInput::Told(_, ServerEvent::Lost(why)) => {
                if !std::mem::replace(&mut is_lost, true) {
                    let lost = json!({ "v": 1, "type": "lost", "text": why });
                    writeln!(output, "{lost}")?;
                }
            }
            NetworkInput::Told(_, ServerEvent::Over(why)) => {
                return Err(NetworkGameError::NoTable(why));
            }
            NetworkInput::Told(_, ServerEvent::Parted { unanswered }) => {
                return NetworkGameError::of_unanswered(unanswered).map(|()| None);
            }
            NetworkInput::Told(..) => {}
            NetworkInput::Signal(signal) => return Ok(Some(signal)),
            NetworkInput::End => has_ended = true,
        }
        output.flush()?;
        if has_ended && !watches_on {
            connection.close();
        }
    }
    Ok(None)
}

/// The fields needed from a message about the state of the game.
#[derive(Deserialize)]
struct Standing {
    state: State,
}

#[derive(Deserialize)]
struct State {
    status: String,
}

/// Whether a message says that the game is over.
fn is_over(text: &str) -> bool {
    let message: Option<Standing> = serde_json::from_str(text).ok();
    message.is_some_and(|message| message.state.status != "ongoing")
}
