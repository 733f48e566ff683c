//! Fixed workloads whose instructions `.ci/instructions` counts under valgrind. It measures no time, and
//! prints only a checksum, so that nothing is optimised away.
//!
//! `instructions WORKLOAD PROCESSOR`, for example `instructions perft plain`. The exit code is 3 if this
//! machine cannot run that kind of machine code.

#![allow(clippy::disallowed_methods)] // The work is named on the command line; the library reads none.

use std::process::ExitCode;

use touchmove_rules::{
    Atomic, Chess, MoveList, Position, Processor, Rules, perft, perft_making_every_leaf,
};

/// The positions of chess that the workloads use.
const CHESS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
];

/// The positions of Atomic that the workloads use.
const ATOMIC: [&str; 2] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1",
];

/// How often the small operations are repeated.
const TIMES: usize = 200;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(work), Some(name)) = (arguments.next(), arguments.next()) else {
        eprintln!("say which work to do, and on which kind of processor");
        return ExitCode::from(2);
    };
    let Some(wanted) = Processor::ALL.into_iter().find(|it| it.name() == name) else {
        eprintln!("{name:?} is no kind of processor");
        return ExitCode::from(2);
    };
    if Processor::choose(wanted) != wanted {
        return ExitCode::from(3);
    }
    let checksum = match work.as_str() {
        "nothing" => 0,
        "perft" => sum::<Chess>(&CHESS, |position| perft(position, 4)),
        "perft-leaves-made" => {
            sum::<Chess>(&CHESS, |position| perft_making_every_leaf(position, 3))
        }
        "perft-atomic" => sum::<Atomic>(&ATOMIC, |position| perft(position, 4)),
        "list" => often(|position, moves| {
            position.list_moves(moves);
            moves.len() as u64
        }),
        "read-fen" => {
            let read = |fen| Position::<Chess>::from_fen(fen).map_or(0, |it| it.turn() as u64);
            (0..TIMES)
                .map(|_| CHESS.into_iter().map(read).sum::<u64>())
                .sum()
        }
        "write-fen" => often(|position, _| position.fen().to_string().len() as u64),
        "write-san" => often(|position, moves| {
            position.list_moves(moves);
            let san = |&mv| position.san(mv).to_string().len() as u64;
            moves.iter().take(5).map(san).sum()
        }),
        _ => {
            eprintln!("{work:?} is no work");
            return ExitCode::from(2);
        }
    };
    println!("{checksum}");
    ExitCode::SUCCESS
}

fn positions<R: Rules>(fens: &[&str]) -> impl Iterator<Item = Position<R>> {
    fens.iter().filter_map(|fen| Position::from_fen(fen).ok())
}

fn sum<R: Rules>(fens: &[&str], count: impl Fn(&Position<R>) -> u64) -> u64 {
    positions::<R>(fens).map(|position| count(&position)).sum()
}

/// Repeats a small operation in every position.
fn often(work: impl Fn(&Position<Chess>, &mut MoveList) -> u64) -> u64 {
    let mut moves = MoveList::new();
    positions::<Chess>(&CHESS)
        .map(|position| (0..TIMES).map(|_| work(&position, &mut moves)).sum::<u64>())
        .sum()
}
