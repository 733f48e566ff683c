//! Runs the real program once, with arguments and an input.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// The result of a run.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs the program. A program that does not read its input closes it early, which is no failure.
pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    run_with(arguments, input, &[])
}

/// The same with these environment variables.
pub fn run_with(arguments: &[&str], input: impl AsRef<[u8]>, variables: &[(&str, &str)]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchmove"))
        .args(arguments)
        .env_remove("TOUCHMOVE_CPU")
        // Games played in tests are saved in a folder of the tests.
        .env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR"))
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    // Written on a thread of its own: long output must not block long input.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}
