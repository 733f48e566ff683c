//! The tests of games, as one program: a module for each subject.

mod commands;
mod endings;
mod evolve;
mod journal;
mod stories;
mod support;
