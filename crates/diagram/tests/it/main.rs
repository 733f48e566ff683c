//! The integration tests of diagrams in one binary: a module for each kind of picture.

mod png;
mod svg;
mod text;
