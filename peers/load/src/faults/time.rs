//! Time that stands still for the server, and a clock that is set back.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use rustix::process::Signal;
use tokio::time::sleep;

use super::{Arguments, Report, Trial};
use crate::check::Clock;
use crate::club::Time;
use crate::folder::TempDir;
use crate::play::LONG_TIME_CONTROL;
use crate::record::wall;

/// Less than the server is stopped for.
const SHORT_TIME_CONTROL: Clock = Clock {
    base: 15_000,
    increment: 0,
};

/// Where Debian puts the library that shifts a program's time.
const FAKETIME: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
];

/// The process stands still for longer than anybody has on his clock.
pub(super) async fn stopped(arguments: &Arguments, folder: &TempDir) -> anyhow::Result<Report> {
    let data = folder.path().join("data");
    let mut trial = Trial::begin(arguments, data, SHORT_TIME_CONTROL, Vec::new()).await?;
    sleep(Duration::from_millis(500)).await;
    trial.server.signal(Signal::STOP)?;
    let from = wall();
    sleep(Duration::from_secs(arguments.stop)).await;
    let until = wall();
    trial.server.signal(Signal::CONT)?;
    let begun = Instant::now();
    trial.goes_on().await;
    let after = begun.elapsed().as_millis();
    trial.say(format!(
        "stopped for {} ms with 15 s on every clock; every game goes on after {after} ms",
        until - from
    ));
    trial.end(Time::Ours, &[(from, until)], folder.path()).await
}

/// The clock is set back by an hour under the running server, and is still wrong when it starts again.
pub(super) async fn set_back(arguments: &Arguments, folder: &TempDir) -> anyhow::Result<Report> {
    let library = FAKETIME.into_iter().find(|path| Path::new(path).exists());
    let library = library.context("libfaketime is not there: apt-get install libfaketime")?;
    let shift = folder.path().join("shift");
    std::fs::write(&shift, "+0")?;
    let environment = [
        ("LD_PRELOAD", library.to_owned()),
        (
            "FAKETIME_TIMESTAMP_FILE",
            shift.to_string_lossy().into_owned(),
        ),
        ("FAKETIME_NO_CACHE", "1".to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
    ];
    let environment = environment.map(|(key, value)| (key.to_owned(), value));
    let data = folder.path().join("data");
    let mut trial = Trial::begin(arguments, data, LONG_TIME_CONTROL, environment.to_vec()).await?;
    sleep(Duration::from_secs(2)).await;
    for (line, word, is_restarted) in [
        ("set back by an hour while it runs", "-1h", false),
        ("started again an hour back", "-1h", true),
        ("set right while it runs", "+0", false),
        ("started again at the right time", "+0", true),
    ] {
        std::fs::write(&shift, word)?;
        let before = trial.granted();
        if is_restarted {
            trial = trial.restart().await?;
        }
        trial.goes_on().await;
        sleep(Duration::from_secs(3)).await;
        let granted = trial.granted() - before;
        trial.say(format!("{line}: {granted} moves granted"));
    }
    trial.end(Time::Shifted, &[], folder.path()).await
}
