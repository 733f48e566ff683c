//! Support for tests: the parser of stories. No test is here.

pub mod story;
