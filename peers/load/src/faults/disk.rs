//! A disk that is full, a store that cannot be written.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use tokio::process::Command;
use tokio::time::sleep;

use super::{Arguments, Report, Trial, plain};
use crate::club::Time;
use crate::folder::TempDir;
use crate::record::wall;

/// What is left free on the small disk before the games fill it, in bytes.
const FREE_BYTES: u64 = 600 * 1024;
/// How long nothing can be written.
const DISK_FULL_DURATION: Duration = Duration::from_secs(6);
/// How long it may take until somebody notices.
const MAX_DETECTION_TIME: Duration = Duration::from_secs(60);

/// A small disk in memory.
struct Mount {
    path: PathBuf,
}

impl Mount {
    async fn new(path: PathBuf, size: &str) -> anyhow::Result<Mount> {
        std::fs::create_dir_all(&path)?;
        let options = format!("size={size}");
        let place = path.to_string_lossy().into_owned();
        run("mount", &["-t", "tmpfs", "-o", &options, "tmpfs", &place])
            .await
            .context("only root may mount a small disk")?;
        Ok(Mount { path })
    }

    async fn again(&self, options: &str) -> anyhow::Result<()> {
        let options = format!("remount,{options}");
        run("mount", &["-o", &options, &self.path.to_string_lossy()]).await
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // Lazily, for a server that is just being ended may still have files there.
        let place = self.path.as_os_str();
        let unmounted = std::process::Command::new("umount")
            .arg("-l")
            .arg(place)
            .status();
        if !unmounted.is_ok_and(|status| status.success()) {
            eprintln!("{} is still mounted", self.path.display());
        }
    }
}

async fn run(program: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let done = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .await
        .with_context(|| format!("{program} does not start"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        bail!("{program} {arguments:?}: {}", said.trim());
    }
    Ok(())
}

/// The disk is full until something else is deleted from it.
pub(super) async fn full(arguments: &Arguments, folder: &TempDir) -> anyhow::Result<Report> {
    let disk = Mount::new(folder.path().join("data"), "8m").await?;
    let mut trial = plain(arguments, disk.path.clone()).await?;
    let ballast = disk.path.join("ballast");
    let room = rustix::fs::statvfs(&disk.path)?;
    let room = (room.f_bavail * room.f_frsize).saturating_sub(FREE_BYTES);
    std::fs::write(&ballast, vec![0; usize::try_from(room)?])?;
    let begun = fails(&mut trial).await?;
    std::fs::remove_file(&ballast)?;
    let outage = (begun, wall());
    works(&mut trial, begun).await;
    trial.end(Time::Ours, &[outage], folder.path()).await
}

/// The files of the store cannot be written for a while; later the whole folder cannot when it starts.
pub(super) async fn read_only(arguments: &Arguments, folder: &TempDir) -> anyhow::Result<Report> {
    let data = folder.path().join("data");
    let mut trial = plain(arguments, data.clone()).await?;
    immutable(&data, "+i")
        .await
        .context("only root may do this")?;
    let begun = fails(&mut trial).await;
    immutable(&data, "-i").await?;
    let outage = (begun?, wall());
    works(&mut trial, outage.0).await;
    let mut report = trial.end(Time::Ours, &[outage], folder.path()).await?;
    let disk = Mount::new(folder.path().join("small"), "8m").await?;
    disk.again("ro").await?;
    let program = crate::server::Program::new(&arguments.server, disk.path.clone())?;
    match program.start().await {
        Ok(server) => {
            server.kill().await?;
            let text = "the server opened on a store that it cannot write";
            report.violations.push(text.to_owned());
        }
        Err(error) => report.lines.push(format!("on a read-only disk: {error:#}")),
    }
    disk.again("rw").await?;
    program.start().await?.stop().await?;
    report
        .lines
        .push("the same disk, writable again: the server opens".to_owned());
    Ok(report)
}

/// Sets or takes the mark with which nobody may write the files of the store, not even who has them open.
async fn immutable(data: &Path, mark: &str) -> anyhow::Result<()> {
    for file in ["touchmove.db", "touchmove.db-wal"] {
        run("chattr", &[mark, &data.join(file).to_string_lossy()]).await?;
    }
    Ok(())
}

/// Waits until moves are refused, and some more.
async fn fails(trial: &mut Trial) -> anyhow::Result<u64> {
    let begun = Instant::now();
    while trial.refused("try_again") == 0 {
        if begun.elapsed() > MAX_DETECTION_TIME {
            bail!(
                "no move was refused within {} s",
                MAX_DETECTION_TIME.as_secs()
            );
        }
        sleep(Duration::from_millis(10)).await;
    }
    let at = wall();
    let before = trial.granted();
    sleep(DISK_FULL_DURATION).await;
    let (granted, refused) = (trial.granted() - before, trial.refused("try_again"));
    let alive = if trial.server.poll_alive() {
        "runs"
    } else {
        "is gone"
    };
    trial.say(format!(
        "in {} s without a disk {granted} moves were granted, {refused} refused with try_again; the server {alive}",
        DISK_FULL_DURATION.as_secs()
    ));
    Ok(at)
}

/// Sees how long it takes until games go on.
async fn works(trial: &mut Trial, failed: u64) {
    let begun = Instant::now();
    trial.goes_on().await;
    trial.say(format!(
        "every game goes on {} ms after the disk was there again, {} ms after it was gone",
        begun.elapsed().as_millis(),
        wall() - failed
    ));
    sleep(Duration::from_secs(2)).await;
}
