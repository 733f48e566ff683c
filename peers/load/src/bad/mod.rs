//! bad
use std::process::ExitCode;
#[derive(clap::Args)]
pub struct Arguments {}
/// x
pub async fn run(_arguments: &Arguments) -> anyhow::Result<ExitCode> { Ok(ExitCode::SUCCESS) }
