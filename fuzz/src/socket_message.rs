//! Laws of the messages at a table: no text stops the reader, what is part of the game is what the game's own reader
//! understands, and what is nested too deep is refused.

use touchmove_game::protocol::ClientMessage;
use touchmove_server::readers::{MAX_JSON_DEPTH, read_socket_message};

/// The laws, on one input.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let read = read_socket_message(text);
    assert_eq!(read == Ok(true), ClientMessage::read(text).is_ok());
    let nested = format!("{{\"x\":{}{text}", "[".repeat(1_000 * MAX_JSON_DEPTH));
    assert!(read_socket_message(&nested).is_err());
}
