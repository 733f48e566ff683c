//! Helpers of the tests: the program in a pipe or a terminal, and hostile input. Contains no tests.

pub mod hostile_input;
pub mod hostile_server;
#[path = "../../../crates/tui/tests/it/support/image_decoder.rs"]
pub mod image_decoder;
pub mod program;
pub mod pty;
