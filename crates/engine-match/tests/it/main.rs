//! The integration tests of engine matches in one binary.

mod matches;
