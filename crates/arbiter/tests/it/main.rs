//! Integration tests of the arbiter in one binary: a module for each subject.

mod budgets;
mod requests;
