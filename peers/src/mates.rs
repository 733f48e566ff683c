//! Positions with a win in three moves and none shorter, from games of the engine with itself: the engine
//! suggests them, and trying every move of both sides proves them. One FEN a line.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::Result;
use touchmove_engine::{Engine, Level, Limits, NoObserver, Score, TranspositionTable};
use touchmove_rules::{AnyPosition, Move, Outcome, Position, Rules, Variant, with_position};

#[derive(clap::Args)]
pub struct Arguments {
    #[arg(long, default_value = "chess")]
    variant: Variant,
    /// How many positions
    #[arg(long, default_value_t = 300)]
    count: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Moves of the side that wins.
const MATE_MOVES: u32 = 3;
/// How many positions before the end of a game are looked at.
const LAST_POSITIONS: usize = 16;
/// The most legal moves in a position of the set, so that proofs end.
const MAX_LEGAL_MOVES: u32 = 45;

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    fastrand::seed(arguments.seed);
    let mut found = BTreeSet::new();
    while found.len() < arguments.count {
        for position in game(arguments.variant) {
            let proved = with_position!(&position, position => is_win_in_three(position));
            if proved && found.insert(position.fen().to_string()) {
                println!("{}", position.fen());
                break;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The last positions of a game between two who do not see everything, the last first; none, if nobody has
/// won.
fn game(variant: Variant) -> Vec<AnyPosition> {
    let (mut engine, table) = (Engine::new(), TranspositionTable::with_megabytes(1));
    let mut position = AnyPosition::start(variant);
    let mut positions = Vec::new();
    let mut keys = Vec::new();
    let level = Level::Casual.limits(fastrand::u64(..), 100);
    for ply in 0..160 {
        if position.outcome().is_some() || position.halfmoves() >= 60 {
            break;
        }
        let moves = position.legal_moves();
        let mv = if ply < 6 || fastrand::u32(..8) == 0 {
            Some(moves[fastrand::usize(..moves.len())])
        } else {
            engine
                .search_any(&position, &keys, &level, &table, &mut NoObserver)
                .best()
        };
        let Some(mv) = mv else { break };
        positions.push(position);
        keys.push(position.key());
        position.play(mv);
    }
    positions.reverse();
    positions.truncate(LAST_POSITIONS);
    let winner = position.outcome().and_then(Outcome::winner);
    if winner.is_some() {
        positions
    } else {
        Vec::new()
    }
}

/// Whether the side on move wins in three moves against any defence, and not sooner.
fn is_win_in_three<R: Rules>(position: &Position<R>) -> bool {
    if position.legal_move_count() > MAX_LEGAL_MOVES {
        return false;
    }
    let limits = Limits {
        nodes: Some(1500),
        ..Limits::default()
    };
    let table = TranspositionTable::with_megabytes(1);
    let found = Engine::new().search(position, &[], &limits, &table, &mut NoObserver);
    let Some(line) = found
        .lines
        .first()
        .filter(|line| line.score == Score::Mate(MATE_MOVES as i32))
    else {
        return false;
    };
    let Some(&first) = line.moves.first() else {
        return false;
    };
    !can_win_in(position, MATE_MOVES - 1) && wins_with(position, first, MATE_MOVES)
}

/// Whether the side on move can force the end in so many moves of its own, by trying everything.
fn can_win_in<R: Rules>(position: &Position<R>, moves: u32) -> bool {
    let legal = position.legal_moves();
    legal.into_iter().any(|mv| wins_with(position, mv, moves))
}

/// The same with this move first.
fn wins_with<R: Rules>(position: &Position<R>, mv: Move, moves: u32) -> bool {
    let us = position.turn();
    let after = position.after(mv);
    match after.outcome() {
        Some(outcome) => outcome.winner() == Some(us),
        None if moves == 1 => false,
        None => after.legal_moves().into_iter().all(|reply| {
            let next = after.after(reply);
            match next.outcome() {
                Some(outcome) => outcome.winner() == Some(us),
                None => can_win_in(&next, moves - 1),
            }
        }),
    }
}
