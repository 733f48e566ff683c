//! Benchmarks of the everyday operations: listing, counting, making and finding moves, FEN and SAN, and move
//! trees. Run with `cargo bench -p touchmove-rules --bench moves`; comparisons with other programs are in `peers/`.

use divan::{Bencher, black_box, counter::ItemsCount};
use touchmove_rules::{
    Atomic, Chess, Move, MoveList, Position, UciMove, perft, perft_making_every_leaf,
};

fn main() {
    divan::main();
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const ALL: [&str; 3] = [START, MIDDLEGAME, ENDGAME];

fn position(fen: &str) -> Position<Chess> {
    Position::from_fen(fen).expect("the position is legal")
}

fn moves_of(position: &Position<Chess>) -> Vec<Move> {
    position.legal_moves().into_iter().collect()
}

#[divan::bench(args = ALL)]
fn legal_moves(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    bencher.bench(|| black_box(&position).legal_moves());
}

#[divan::bench(args = ALL)]
fn legal_moves_into_a_list(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    let mut moves = MoveList::new();
    bencher.bench_local(|| {
        black_box(&position).list_moves(&mut moves);
        moves.len()
    });
}

#[divan::bench(args = ALL)]
fn count(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    bencher.bench(|| black_box(&position).legal_move_count());
}

/// All legal moves; divan shows the time of one.
#[divan::bench(args = ALL)]
fn is_legal(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    let moves = moves_of(&position);
    bencher
        .counter(ItemsCount::new(moves.len()))
        .bench(|| moves.iter().all(|&mv| position.is_legal(mv)));
}

#[divan::bench(args = ALL)]
fn judge(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    let attempts: Vec<UciMove> = moves_of(&position)
        .into_iter()
        .map(|mv| mv.to_uci())
        .collect();
    bencher.counter(ItemsCount::new(attempts.len())).bench(|| {
        attempts
            .iter()
            .all(|&attempt| position.judge(attempt).is_ok())
    });
}

#[divan::bench(args = ALL)]
fn play(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    let moves = moves_of(&position);
    bencher.counter(ItemsCount::new(moves.len())).bench(|| {
        for &mv in &moves {
            black_box(position.after(mv));
        }
    });
}

#[divan::bench(args = ALL)]
fn read_fen(fen: &str) -> Position<Chess> {
    position(black_box(fen))
}

#[divan::bench(args = ALL)]
fn write_fen(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    bencher.bench(|| black_box(&position).fen().to_string());
}

#[divan::bench(args = ALL)]
fn read_san(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    let texts: Vec<String> = moves_of(&position)
        .into_iter()
        .map(|mv| position.san(mv).to_string())
        .collect();
    bencher
        .counter(ItemsCount::new(texts.len()))
        .bench(|| texts.iter().all(|text| position.read_san(text).is_ok()));
}

#[divan::bench(args = ALL)]
fn write_san(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    let moves = moves_of(&position);
    bencher.counter(ItemsCount::new(moves.len())).bench(|| {
        for &mv in &moves {
            black_box(position.san(mv).to_string());
        }
    });
}

#[divan::bench(args = ALL)]
fn perft_of_four(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    bencher
        .counter(ItemsCount::new(perft(&position, 4)))
        .bench(|| perft(black_box(&position), 4));
}

#[divan::bench(args = ALL)]
fn perft_of_four_with_every_leaf_made(bencher: Bencher<'_, '_>, fen: &str) {
    let position = position(fen);
    bencher
        .counter(ItemsCount::new(perft(&position, 4)))
        .bench(|| perft_making_every_leaf(black_box(&position), 4));
}

#[divan::bench]
fn perft_of_four_in_atomic(bencher: Bencher<'_, '_>) {
    let position = Position::<Atomic>::start();
    bencher
        .counter(ItemsCount::new(perft(&position, 4)))
        .bench(|| perft(black_box(&position), 4));
}
