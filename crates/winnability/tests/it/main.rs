//! The tests of verdicts on winnability, as one program: a module for each subject.

mod certificates;
mod known_positions;
mod trust_boundary;
