//! The tests of diagrams, as one program: a module for each kind of picture.

mod png;
mod svg;
mod text;
