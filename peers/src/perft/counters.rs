//! How each program counts a move tree, in the way its own authors would. The clocks and the
//! tables are not here.

use std::hint::black_box;

use anyhow::{Context, anyhow};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, FromSetup};
use touchmove_rules::Rules;

use super::Leaves;

/// A tree read by one program, ready to be counted.
pub type Prepared = Box<dyn FnMut() -> u64>;

pub fn touchmove<R: Rules>(fen: &str, depth: u32, leaves: Leaves) -> anyhow::Result<Prepared> {
    let position = touchmove_rules::Position::<R>::from_fen(fen)?;
    Ok(match leaves {
        Leaves::Counted => Box::new(move || touchmove_rules::perft(&position, depth)),
        Leaves::Made => {
            Box::new(move || touchmove_rules::perft_making_every_leaf(&position, depth))
        }
    })
}

/// touchmove as a user's own loop: moves listed and made one by one, leaves counted position by
/// position.
pub fn touchmove_by_hand(fen: &str, depth: u32, leaves: Leaves) -> anyhow::Result<Prepared> {
    fn walk(position: &touchmove_rules::Position<touchmove_rules::Chess>, depth: u32) -> u64 {
        if depth == 1 {
            return u64::from(position.legal_move_count());
        }
        let moves = position.legal_moves();
        moves
            .iter()
            .map(|&mv| walk(&position.after(mv), depth - 1))
            .sum()
    }
    match leaves {
        Leaves::Counted => {
            let position = touchmove_rules::Position::from_fen(fen)?;
            Ok(Box::new(move || walk(&position, depth)))
        }
        Leaves::Made => touchmove::<touchmove_rules::Chess>(fen, depth, leaves),
    }
}

pub fn shakmaty<P>(fen: &str, depth: u32, leaves: Leaves) -> anyhow::Result<Prepared>
where
    P: shakmaty::Position + FromSetup + Clone + 'static,
{
    let position: P = fen
        .parse::<Fen>()?
        .into_position(CastlingMode::Standard)
        .map_err(|error| anyhow!("{error}"))?;
    Ok(match leaves {
        Leaves::Counted => Box::new(move || shakmaty::perft(&position, depth)),
        Leaves::Made => Box::new(move || shakmaty_made(&position, depth)),
    })
}

fn shakmaty_made<P: shakmaty::Position + Clone>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position);
        return 1;
    }
    let mut leaves = 0;
    for &m in &position.legal_moves() {
        let mut child = position.clone();
        child.play_unchecked(m);
        leaves += shakmaty_made(&child, depth - 1);
    }
    leaves
}

pub fn cozy_chess(fen: &str, depth: u32, leaves: Leaves) -> anyhow::Result<Prepared> {
    let board = cozy_chess::Board::from_fen(fen, false).map_err(|error| anyhow!("{error}"))?;
    Ok(match leaves {
        Leaves::Counted => Box::new(move || cozy_chess_walk::<1>(&board, depth)),
        Leaves::Made => Box::new(move || cozy_chess_walk::<0>(&board, depth)),
    })
}

/// Counts moves instead of making them where `COUNTED` plies are left (0: makes all).
fn cozy_chess_walk<const COUNTED: u32>(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        black_box(board);
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == COUNTED {
            leaves += moves.len() as u64;
        } else {
            for m in moves {
                let mut child = board.clone();
                child.play_unchecked(m);
                leaves += cozy_chess_walk::<COUNTED>(&child, depth - 1);
            }
        }
        false
    });
    leaves
}

pub fn chess(fen: &str, depth: u32, leaves: Leaves) -> anyhow::Result<Prepared> {
    let board: chess::Board = fen.parse().map_err(|error| anyhow!("{error}"))?;
    Ok(match leaves {
        Leaves::Counted => {
            Box::new(move || chess::MoveGen::movegen_perft_test(&board, depth as usize) as u64)
        }
        Leaves::Made => Box::new(move || chess_made(&board, depth)),
    })
}

fn chess_made(board: &chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        black_box(board);
        return 1;
    }
    chess::MoveGen::new_legal(board)
        .map(|m| chess_made(&board.make_move_new(m), depth - 1))
        .sum()
}

pub fn laura_core(fen: &str, depth: u32, leaves: Leaves) -> anyhow::Result<Prepared> {
    let board: laura_core::Board = fen.parse().map_err(|error| anyhow!("{error:?}"))?;
    Ok(match leaves {
        Leaves::Counted => Box::new(move || laura_core_walk::<1>(&board, depth)),
        Leaves::Made => Box::new(move || laura_core_walk::<0>(&board, depth)),
    })
}

/// Counts moves instead of making them where `COUNTED` plies are left (0: makes all).
fn laura_core_walk<const COUNTED: u32>(board: &laura_core::Board, depth: u32) -> u64 {
    if depth == 0 {
        black_box(board);
        return 1;
    }
    let mut leaves = 0;
    laura_core::enumerate_legal_moves::<laura_core::AllMoves, _>(board, |m| {
        leaves += if depth == COUNTED {
            1
        } else {
            laura_core_walk::<COUNTED>(&board.make_move(m), depth - 1)
        };
        true
    });
    leaves
}

pub fn atomic_movegen(fen: &str, depth: u32, leaves: Leaves) -> anyhow::Result<Prepared> {
    let mut board = atomic_movegen::Board::from_fen(fen)
        .ok()
        .context("atomic-movegen refuses")?;
    Ok(match leaves {
        Leaves::Counted => Box::new(move || atomic_movegen::perft(&mut board, depth)),
        Leaves::Made => Box::new(move || atomic_movegen_made(&mut board, depth)),
    })
}

fn atomic_movegen_made(board: &mut atomic_movegen::Board, depth: u32) -> u64 {
    if depth == 0 {
        black_box(board);
        return 1;
    }
    let mut moves = atomic_movegen::MoveList::new();
    atomic_movegen::movegen::generate_legal(board, &mut moves);
    let mut state = atomic_movegen::board::StateInfo::new();
    let mut leaves = 0;
    for &m in moves.as_slice() {
        board.do_move(m, &mut state);
        leaves += atomic_movegen_made(board, depth - 1);
        board.undo_move(m, &state);
    }
    leaves
}
