//! What the tests share: the language of stories. No test is here.

pub mod story;
