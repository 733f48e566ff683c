//! What the tests share: a second generator of moves. No test is here.

pub mod mailbox;
