//! The integration tests of the UCI client in one binary.

mod misbehaviour;
