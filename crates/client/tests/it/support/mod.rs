//! What the tests share: a server to talk to. No test is here.

pub mod test_server;
