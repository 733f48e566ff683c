//! The tests of the law book: statements about chess in data files, and agreement with the generator.

mod agreement;
mod statements;
mod verdicts;
