//! The tests of matches between engines, as one program.

mod matches;
