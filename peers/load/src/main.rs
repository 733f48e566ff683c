//! The command line of the load generator.

use std::process::ExitCode;

fn main() -> ExitCode {
    touchmove_load::main()
}
