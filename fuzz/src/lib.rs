//! The laws of the fuzz targets, as functions of an input: libFuzzer looks for inputs that break them,
//! and `tests/corpus.rs` runs them over the committed inputs on any compiler. No input is made here.

pub mod fen;
pub mod form;
pub mod journal;
pub mod pgn_read;
pub mod pgn_round_trip;
pub mod query;
pub mod san;
pub mod server_settings;
pub mod settings;
pub mod socket_message;
pub mod uci;

/// What a target does with an input.
pub type FuzzTarget = fn(&[u8]);

/// Every target by its name, which is also that of its folder in `corpus`.
pub const TARGETS: [(&str, FuzzTarget); 11] = [
    ("fen", fen::check),
    ("form", form::check),
    ("journal", journal::check),
    ("pgn_read", pgn_read::check),
    ("pgn_round_trip", pgn_round_trip::check),
    ("query", query::check),
    ("san", san::check),
    ("server_settings", server_settings::check),
    ("settings", settings::check),
    ("socket_message", socket_message::check),
    ("uci", uci::check),
];
