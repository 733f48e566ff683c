//! The `touchmove` program.

fn main() {}
