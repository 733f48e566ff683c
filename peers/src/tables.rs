//! Every speed table there is, one after the other: for `docs/PERFORMANCE.md`. What is measured and
//! how is decided in `perft` and `micro`.

use std::process::ExitCode;

use crate::native;
use crate::{micro, perft};

/// How long to measure.
#[derive(clap::Args)]
pub struct Arguments {
    /// Shallower trees and fewer rounds: a first impression in a minute
    #[arg(long)]
    quick: bool,
    /// Times each tree is counted by each program; the median is shown [default: 5, quick: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Only this build, not also the one for this machine
    #[arg(long)]
    this_build: bool,
}

/// Measures and prints, first with this build, then with one for this machine. The exit code is 1
/// if any count is wrong.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let trees = perft::Arguments::new(arguments.quick, arguments.rounds);
    let mut all_right = perft::run(&trees)? == ExitCode::SUCCESS;
    all_right &= perft::run(&trees.clone().with_every_leaf())? == ExitCode::SUCCESS;
    if !native::IS_NATIVE {
        all_right &= perft::run(&trees.without_bmi2())? == ExitCode::SUCCESS;
    }
    touchmove_rules::Processor::choose(touchmove_rules::Processor::Pext);
    micro::run(&micro::Arguments::default())?;
    if !native::IS_NATIVE && !arguments.this_build {
        all_right &= native::run_again()? == ExitCode::SUCCESS;
    }
    Ok(if all_right {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
