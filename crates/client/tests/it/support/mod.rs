//! Helpers of the tests: a server to connect to.

pub mod test_server;
