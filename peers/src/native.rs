//! Runs this program again, built for the machine at hand. The default build stays untouched: the
//! native one has a target folder of its own.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Context;

/// Whether this is the native build.
pub const IS_NATIVE: bool = cfg!(feature = "native");

/// Builds with `-C target-cpu=native` and the peers' features for it, and runs that build with the
/// arguments of this run, except `--native`.
pub fn run_again() -> anyhow::Result<ExitCode> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments = std::env::args_os()
        .skip(1)
        .filter(|argument| argument != "--native");
    let status = Command::new("cargo")
        .args([
            "run",
            "--release",
            "--quiet",
            "--features",
            "native",
            "--manifest-path",
        ])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.join("target/native"))
        .arg("--")
        .args(arguments)
        .env("RUSTFLAGS", "-C target-cpu=native")
        .status()
        .context("cannot run cargo for the native build")?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
