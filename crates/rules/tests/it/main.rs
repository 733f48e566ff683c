//! The integration tests of the rules as one binary, with a module for each subject.

mod castling;
mod chess960;
mod display;
mod documents;
mod law;
mod law_book_text;
mod malformed;
mod move_input;
mod packed;
mod perft;
mod polyglot_keys;
mod round_trips;
#[cfg(feature = "serde")]
mod serde;
mod setup_faults;
mod simple_atomic;
mod support;
