//! The integration tests of the engine in one binary: a module for each subject.

mod levels;
mod mates;
mod play;
