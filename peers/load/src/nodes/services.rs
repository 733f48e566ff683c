//! A PostgreSQL and a NATS of the test's own, which `.ci/services` starts, kills and stops.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::process::Command;

use crate::server::cpu;

/// One of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Service {
    /// The database.
    Postgres,
    /// The messenger.
    Nats,
}

impl Service {
    const fn name(self) -> &'static str {
        match self {
            Service::Postgres => "postgres",
            Service::Nats => "nats",
        }
    }
}

/// Both, until they are stopped.
pub struct Services {
    script: PathBuf,
    folder: PathBuf,
    postgres: String,
    nats: String,
}

impl Services {
    /// Starts both in a new folder.
    pub async fn start(script: &Path, folder: PathBuf) -> anyhow::Result<Services> {
        let mut services = Services {
            script: script.to_owned(),
            folder,
            postgres: String::new(),
            nats: String::new(),
        };
        let said = services.run("start", &[]).await?;
        let value = |name: &str| {
            let mut lines = said.lines();
            let line = lines.find_map(|line| line.strip_prefix(&format!("export {name}=")));
            let value = line.map(|value| value.trim_matches('\'').to_owned());
            value.with_context(|| format!("{} does not say {name}", script.display()))
        };
        (services.postgres, services.nats) = (
            value("TOUCHMOVE_TEST_POSTGRES")?,
            value("TOUCHMOVE_TEST_NATS")?,
        );
        Ok(services)
    }

    async fn run(&self, deed: &str, more: &[&str]) -> anyhow::Result<String> {
        let output = Command::new(&self.script)
            .arg(deed)
            .arg(&self.folder)
            .args(more)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .await
            .with_context(|| format!("{} does not start", self.script.display()))?;
        if !output.status.success() {
            bail!("{} {deed} failed", self.script.display());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Where a service is.
    pub fn place(&self, service: Service) -> anyhow::Result<SocketAddr> {
        let address = self.address(service);
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
        let place = rest.split('/').next().unwrap_or_default();
        place
            .parse()
            .with_context(|| format!("no place: {place:?}"))
    }

    /// The address of a service.
    pub fn address(&self, service: Service) -> &str {
        match service {
            Service::Postgres => &self.postgres,
            Service::Nats => &self.nats,
        }
    }

    /// The address of a service by way of a wire.
    pub fn address_by(&self, service: Service, near: SocketAddr) -> anyhow::Result<String> {
        let far = self.place(service)?.to_string();
        Ok(self.address(service).replace(&far, &near.to_string()))
    }

    /// The CPU time that a service has taken so far, with what it has started and is still there.
    pub fn cpu(&self, service: Service) -> anyhow::Result<Duration> {
        let file = self.folder.join(format!("{}.pid", service.name()));
        let parent = std::fs::read_to_string(&file);
        let parent = parent.with_context(|| format!("no {}", file.display()))?;
        let parent = parent.trim();
        let mut used = cpu(parent)?;
        for process in std::fs::read_dir("/proc")?.flatten() {
            let status = std::fs::read_to_string(process.path().join("status"));
            let is_child = |line: &str| line.strip_prefix("PPid:").map(str::trim) == Some(parent);
            if status.is_ok_and(|status| status.lines().any(is_child)) {
                // One that has ended meanwhile is no matter.
                used += cpu(&process.file_name().to_string_lossy()).unwrap_or_default();
            }
        }
        Ok(used)
    }

    /// Asks or tells the database something.
    pub async fn psql(&self, sql: &str) -> anyhow::Result<String> {
        let output = Command::new("psql")
            .args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-c", sql])
            .arg(self.address(Service::Postgres))
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()
            .await
            .context("psql does not start")?;
        if !output.status.success() {
            bail!("psql failed");
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Kills a service.
    pub async fn kill(&self, service: Service) -> anyhow::Result<()> {
        self.run("kill", &[service.name()]).await.map(drop)
    }

    /// Starts it again.
    pub async fn again(&self, service: Service) -> anyhow::Result<()> {
        self.run("again", &[service.name()]).await.map(drop)
    }

    /// Stops both, and removes what they kept.
    pub async fn stop(&self) -> anyhow::Result<()> {
        self.run("stop", &[]).await.map(drop)
    }
}
