//! Integration tests of reading, auditing and writing PGN in one binary: a module for each subject.

mod charts;
mod dead_positions;
mod dirty_files;
mod finding_text;
mod lossless;
mod oddities;
mod round_trip;
mod support;
