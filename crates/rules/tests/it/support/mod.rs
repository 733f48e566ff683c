//! Shared by the tests: a second move generator. No test is here.

pub mod mailbox;
