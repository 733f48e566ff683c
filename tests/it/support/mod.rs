//! What the tests share: the program run in a pipe or a terminal, and what strangers send it. No test is here.

pub mod hostile_input;
pub mod hostile_server;
#[path = "../../../crates/tui/tests/it/support/image_decoder.rs"]
pub mod image_decoder;
pub mod program;
pub mod pty;
