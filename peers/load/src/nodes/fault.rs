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
pub enum Kind {
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

impl Kind {
    const ALL: [Kind; 8] = [
        Kind::KillNode,
        Kind::StopNode,
        Kind::RestartNode,
        Kind::KillPostgres,
        Kind::KillNats,
        Kind::CutPostgres,
        Kind::CutNats,
        Kind::Skew,
    ];
}

/// One fault.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// What.
    pub kind: Kind,
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
            Kind::KillPostgres | Kind::KillNats => write!(f, "{:?} for {lasts} ms", self.kind),
            kind => write!(f, "{kind:?} {} for {lasts} ms", self.node),
        }
    }
}

impl Fault {
    /// The next fault.
    pub fn draw(luck: &mut fastrand::Rng, nodes: usize, can_skew: bool) -> Fault {
        let kinds = match can_skew {
            true => &Kind::ALL[..],
            false => &Kind::ALL[..Kind::ALL.len() - 1],
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
            Kind::KillNode => {
                nodes.end(self.node, true).await?;
                sleep(self.lasts).await;
                nodes.start(self.node).await
            }
            Kind::RestartNode => {
                nodes.end(self.node, false).await?;
                nodes.start(self.node).await
            }
            Kind::StopNode => {
                nodes.signal(self.node, Signal::STOP)?;
                sleep(self.lasts).await;
                nodes.signal(self.node, Signal::CONT)
            }
            Kind::KillPostgres => self.kill(nodes, Service::Postgres).await,
            Kind::KillNats => self.kill(nodes, Service::Nats).await,
            Kind::CutPostgres => {
                let wire = &nodes.wires[self.node].0;
                wire.is_whole(false);
                sleep(self.lasts).await;
                wire.is_whole(true);
                Ok(())
            }
            Kind::CutNats => {
                let wire = &nodes.wires[self.node].1;
                wire.is_whole(false);
                sleep(self.lasts).await;
                wire.is_whole(true);
                Ok(())
            }
            Kind::Skew => {
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
