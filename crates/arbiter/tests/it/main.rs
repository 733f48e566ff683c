//! The tests of the arbiter that answers requests, as one program: a module for each subject.

mod budgets;
mod requests;
