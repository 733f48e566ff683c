//! `touchmove bench`: measures how fast the engine searches a fixed set of positions, and prints a signature of the
//! results, which changes exactly when the engine's play does.

use std::io::Write as _;

use anyhow::Result;
use touchmove_engine::{Engine, Limits, NoObserver, TranspositionTable};
use touchmove_rules::{AnyPosition, Variant};

use crate::cli::AnswerStatus;
use crate::output;

/// Measure the engine on a fixed set of positions of every variant.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  touchmove bench
  touchmove bench --depth 12 --variant chess

The signature stays the same as long as the engine plays the same.")]
pub struct Args {
    /// Plies of the last iteration.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,

    /// Only the positions of this variant.
    #[arg(long)]
    variant: Option<Variant>,
}

/// The size of the transposition table in megabytes: enough for these positions.
const TABLE_MEGABYTES: usize = 4;

/// Openings, middlegames and endgames.
const POSITIONS: &[(Variant, &str)] = &[
    (
        Variant::Chess,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        Variant::Chess,
        "r1bqk2r/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP3PPP/R1BQKB1R w KQkq - 2 8",
    ),
    (
        Variant::Chess,
        "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 w - - 0 12",
    ),
    (
        Variant::Chess,
        "2r3k1/1p1b1pp1/p2qpn1p/3p4/3P4/1PNQP2P/P4PP1/2R2BK1 b - - 1 22",
    ),
    (
        Variant::Chess,
        "8/5pk1/4p1p1/3pP2p/1r1P1P1P/4K1P1/3R4/8 w - - 4 41",
    ),
    (
        Variant::Chess,
        "8/8/1p1k4/p1p1p3/P1P1P1p1/1P1K2P1/8/8 w - - 0 50",
    ),
    (
        Variant::Chess960,
        "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
    ),
    (
        Variant::Atomic,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        Variant::Atomic,
        "rnbqkb1r/pp2pppp/2p2n2/3p4/3P4/4PN2/PPP2PPP/RNBQKB1R w KQkq - 0 4",
    ),
    (
        Variant::Atomic,
        "r3k2r/pp3ppp/2p1p3/3p4/3P4/2P1P3/PP3PPP/R3K2R w KQkq - 0 12",
    ),
    (
        Variant::Atomic,
        "8/1p3k2/2p5/3p1p2/3P1P2/2P3P1/1P3K2/8 w - - 0 30",
    ),
    (
        Variant::SimpleAtomic,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ),
    (
        Variant::SimpleAtomic,
        "rn1qkb1r/pp2pppp/2p2n2/3p1b2/3P4/2N1PN2/PPP2PPP/R1BQKB1R b - - 2 5",
    ),
    (
        Variant::SimpleAtomic,
        "r3k2r/pp3ppp/2p1p3/3p4/3P4/2P1P3/PP3PPP/R3K2R w - - 0 12",
    ),
];

/// Searches each position with a new engine; the answer is always yes.
pub fn run(args: &Args) -> Result<AnswerStatus> {
    let mut out = output::lines();
    let limits = Limits {
        depth: Some(args.depth),
        ..Limits::default()
    };
    let (mut nodes, mut seconds, mut signature) = (0, 0.0, FnvHash::new());
    for &(variant, fen) in POSITIONS {
        if args.variant.is_some_and(|wanted| wanted != variant) {
            continue;
        }
        let position = AnyPosition::from_fen(fen, variant)?;
        let (mut engine, table) = (
            Engine::new(),
            TranspositionTable::with_megabytes(TABLE_MEGABYTES),
        );
        let start = seconds_spent();
        let found = engine.search_any(&position, &[], &limits, &table, &mut NoObserver);
        seconds += seconds_spent() - start;
        nodes += found.nodes;
        let best = found.best().map(|mv| position.uci(mv).to_string());
        let best = best.unwrap_or_default();
        let score = found.lines.first().map(|line| line.score.to_string());
        let score = score.unwrap_or_default();
        signature.add(&format!("{} {best} {score}", found.nodes));
        writeln!(
            out,
            "{variant:<13} {:>9} nodes  {best:<6} {score:<9} {fen}",
            found.nodes
        )?;
    }
    let per_second = (nodes as f64 / seconds.max(1e-9)) as u64;
    writeln!(out, "nodes      {nodes}")?;
    writeln!(out, "per second {per_second} of the processor")?;
    writeln!(out, "signature  {:016x}", signature.0)?;
    Ok(AnswerStatus::Yes)
}

/// The CPU time of this thread: other programs on the machine do not count.
#[cfg(unix)]
fn seconds_spent() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The wall time, where the CPU time is not known.
#[cfg(not(unix))]
fn seconds_spent() -> f64 {
    use std::time::Instant;
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// The FNV hash (Fowler, Noll, Vo) of all results.
struct FnvHash(u64);

impl FnvHash {
    const fn new() -> FnvHash {
        FnvHash(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
