//! Integration tests of games in one binary: a module for each subject.

mod commands;
mod endings;
mod evolve;
mod journal;
mod stories;
mod support;
