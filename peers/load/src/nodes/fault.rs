//! What fails: which part, how, and for how long. It is all drawn from the seed, so that a run can be
//! repeated.

use std::fmt;
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::sleep;

use super::Nodes;
use super::services::Service;

/// A kind of fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FaultKind {
    /// A node is killed and started again.
    KillNode,
    /// A node stands still for longer than some have on their clocks.
    StopNode,
    /// A node is asked to end, and started again.
    RestartNode,
    /// The database is killed and started again.
    KillPostgres,
    /// The messenger is killed and started again.
    KillNats,
    /// A node is cut from the database.
    CutPostgres,
    /// A node is cut from the messenger.
    CutNats,
    /// The clock of a node's machine is wrong by five seconds.
    Skew,
}

impl FaultKind {
    const ALL: [FaultKind; 8] = [
        FaultKind::KillNode,
        FaultKind::StopNode,
        FaultKind::RestartNode,
        FaultKind::KillPostgres,
        FaultKind::KillNats,
        FaultKind::CutPostgres,
        FaultKind::CutNats,
        FaultKind::Skew,
    ];
}

/// One fault.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Whose, if it is a node's.
    node: usize,
    /// For how long.
    lasts: Duration,
    /// Whether a clock is fast.
    is_fast: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lasts = self.lasts.as_millis();
        match self.kind {
            FaultKind::KillPostgres | FaultKind::KillNats => {
                write!(f, "{:?} for {lasts} ms", self.kind)
            }
            kind => write!(f, "{kind:?} {} for {lasts} ms", self.node),
        }
    }
}

impl Fault {
    /// The next fault.
    pub fn draw(luck: &mut fastrand::Rng, nodes: usize, can_skew: bool) -> Fault {
        let kinds = match can_skew {
            true => &FaultKind::ALL[..],
            false => &FaultKind::ALL[..FaultKind::ALL.len() - 1],
        };
        Fault {
            kind: kinds[luck.usize(..kinds.len())],
            node: luck.usize(..nodes),
            lasts: Duration::from_millis(luck.u64(200..6_000)),
            is_fast: luck.bool(),
        }
    }

    /// Lets it happen, and mends it.
    pub async fn happen(&self, nodes: &mut Nodes) -> anyhow::Result<()> {
        match self.kind {
            FaultKind::KillNode => {
                nodes.end(self.node, true).await?;
                sleep(self.lasts).await;
                nodes.start(self.node).await
            }
            FaultKind::RestartNode => {
                nodes.end(self.node, false).await?;
                nodes.start(self.node).await
            }
            FaultKind::StopNode => {
                nodes.signal(self.node, Signal::STOP)?;
                sleep(self.lasts).await;
                nodes.signal(self.node, Signal::CONT)
            }
            FaultKind::KillPostgres => self.kill(nodes, Service::Postgres).await,
            FaultKind::KillNats => self.kill(nodes, Service::Nats).await,
            FaultKind::CutPostgres => {
                let wire = &nodes.wires[self.node].0;
                wire.set_connected(false);
                sleep(self.lasts).await;
                wire.set_connected(true);
                Ok(())
            }
            FaultKind::CutNats => {
                let wire = &nodes.wires[self.node].1;
                wire.set_connected(false);
                sleep(self.lasts).await;
                wire.set_connected(true);
                Ok(())
            }
            FaultKind::Skew => {
                nodes.skew(self.node, if self.is_fast { "+5s" } else { "-5s" })?;
                sleep(self.lasts).await;
                nodes.skew(self.node, "+0")
            }
        }
    }

    async fn kill(&self, nodes: &Nodes, service: Service) -> anyhow::Result<()> {
        nodes.services.kill(service).await?;
        sleep(self.lasts).await;
        nodes.services.again(service).await
    }
}
