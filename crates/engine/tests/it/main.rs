//! The tests of the engine, as one program: a module for each subject.

mod levels;
mod mates;
mod play;
