//! A server under attack: started on a folder of its own, watched, and started again when it has fallen.

use std::time::Duration;

use anyhow::Context as _;
use touchmove_load::net::NodeAddress;
use touchmove_load::server::{Program, Server};

use crate::Plan;
use crate::report::Report;
use crate::wire::{Outcome, Request};

/// After so many falls a kind of attack is given up.
const MAX_FALLS: usize = 25;

/// A running server.
pub struct Target {
    /// How it is started.
    pub program: Program,
    server: Option<Server>,
    max_memory: u64,
}

impl Target {
    /// Starts a server with these arguments.
    pub async fn start(plan: &Plan, name: &str, arguments: &[&str]) -> anyhow::Result<Target> {
        let mut program = Program::new(&plan.program, plan.folder.join(name))?;
        program.arguments = arguments
            .iter()
            .map(|&argument| argument.to_owned())
            .collect();
        program.cores = plan.cores;
        let server = program.start().await?;
        Ok(Target {
            program,
            server: Some(server),
            max_memory: plan.max_memory,
        })
    }

    /// The way of somebody with this number, who has an address of his own.
    pub fn way(&self, number: usize) -> NodeAddress {
        NodeAddress::new(self.program.listen, number)
    }

    /// The way of the proxy that the server trusts.
    pub fn proxy(&self) -> NodeAddress {
        NodeAddress::from_loopback(self.program.listen)
    }

    /// The process.
    pub fn server(&self) -> anyhow::Result<&Server> {
        self.server.as_ref().context("the server is gone")
    }

    /// Whether it still runs. One that answers is not asked twice; one that does not may be about to end.
    pub async fn is_alive(&mut self, answers: bool) -> bool {
        let pauses = if answers { 0 } else { 10 };
        for _ in 0..pauses {
            if !self.server.as_mut().is_some_and(Server::poll_alive) {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.server.as_mut().is_some_and(Server::poll_alive)
    }

    /// Notes a fall and starts the server again. Says whether it was alive.
    pub async fn check(
        &mut self,
        report: &mut Report,
        answers: bool,
        request: &[u8],
    ) -> anyhow::Result<bool> {
        if self.is_alive(answers).await {
            return Ok(true);
        }
        let log = std::fs::read_to_string(self.program.log()).unwrap_or_default();
        let last = log.lines().rev().find(|line| !line.trim().is_empty());
        report.fall(
            &format!("the server died: {}", last.unwrap_or_default()),
            request,
        );
        anyhow::ensure!(report.fallen() < MAX_FALLS, "it fell too often");
        self.server = Some(self.program.start().await?);
        Ok(false)
    }

    /// Checks that it lives, is ready, has not panicked and kept within its memory, and stops it.
    pub async fn finish(mut self, report: &mut Report) -> anyhow::Result<()> {
        if self.check(report, false, b"").await? {
            let ready = Request::new("GET", "/readyz").send(&self.way(60_000)).await;
            report.must(ready.status() == Some(200), || {
                format!("it is not ready afterwards: {ready:?}")
            });
        }
        for panic in self.program.panics() {
            report.fail(&format!("a panic in the log: {panic}"), b"");
        }
        let peak = self.server()?.peak_memory()?;
        report.peak_memory(peak);
        if peak > self.max_memory {
            let peak = peak >> 20;
            report.fail(&format!("the server had {peak} MB of memory"), b"");
        }
        match self.server.take() {
            Some(server) => server.stop().await,
            None => Ok(()),
        }
    }

    /// Judges the answer to one hostile request: it may be refused in any way but one.
    pub fn judge(report: &mut Report, outcome: &Outcome, request: &[u8], may_be_silent: bool) {
        match outcome {
            Outcome::Answer(answer) if answer.status >= 500 && answer.status != 503 => {
                report.fail(&format!("answered with {}", answer.status), request);
            }
            Outcome::Silent if !may_be_silent => report.fail("never answered", request),
            Outcome::Unreachable(error) => {
                report.fail(&format!("cannot be reached: {error}"), request);
            }
            _ => {}
        }
    }
}

/// How long a server may take to do what must happen at once.
pub const AT_ONCE: Duration = Duration::from_millis(1_500);
