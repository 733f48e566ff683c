//! The integration tests of winnability in one binary: a module for each subject.

mod certificates;
mod known_positions;
mod trust_boundary;
