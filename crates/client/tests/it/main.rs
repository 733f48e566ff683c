//! The tests of the client against a real server, as one program: a module for each subject.

mod support;
mod tables;
