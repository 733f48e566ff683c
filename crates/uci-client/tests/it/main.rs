//! The tests of talking to UCI engines, as one program.

mod misbehaviour;
