//! Benchmarks of `judge`, `explain` and reading typed moves. Run with `cargo bench -p touchmove-rules --bench law`.

use divan::{Bencher, black_box};
use touchmove_rules::{Chess, Position, Square, UciMove};

fn main() {
    divan::main();
}

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const PINNED: &str = "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b2P3/2NP1N2/PPP2PPP/R1BQKB1R w KQkq - 0 6";

fn position(fen: &str) -> Position<Chess> {
    Position::from_fen(fen).expect("the position is legal")
}

/// All 64 × 64 UCI moves without promotion; divan shows the time of one.
fn attempts() -> impl Iterator<Item = UciMove> {
    Square::all().flat_map(|from| Square::all().map(move |to| UciMove::new(from, to)))
}

#[divan::bench]
fn judge_every_attempt_of_a_middlegame(bencher: Bencher<'_, '_>) {
    let position = position(MIDDLEGAME);
    bencher
        .counter(divan::counter::ItemsCount::new(4096u32))
        .bench(|| {
            attempts()
                .filter(|&attempt| position.judge(attempt).is_ok())
                .count()
        });
}

#[divan::bench(args = ["e1g1", "c3d5", "e5f7", "d5e6", "a1a3", "e1e3"])]
fn judge(bencher: Bencher<'_, '_>, uci: &str) {
    let position = position(MIDDLEGAME);
    let attempt: UciMove = uci.parse().expect("the attempt is well written");
    bencher.bench(|| black_box(&position).judge(black_box(attempt)));
}

#[divan::bench(args = ["e1g1", "c3d5", "c3e2", "e4d5", "a1a3"])]
fn explain(bencher: Bencher<'_, '_>, uci: &str) {
    let position = position(PINNED);
    let attempt: UciMove = uci.parse().expect("the attempt is well written");
    bencher.bench(|| black_box(&position).explain(&[], black_box(attempt)));
}

#[divan::bench]
fn the_sentence_of_a_pin(bencher: Bencher<'_, '_>) {
    let position = position(PINNED);
    let attempt = UciMove::new(Square::C3, Square::D5);
    bencher.bench(|| {
        black_box(&position)
            .judge(attempt)
            .map_err(|illegal| illegal.to_string())
    });
}

#[divan::bench(args = ["exd5", "e4d5", "Nxd5", "O-O", "NF3"])]
fn read_typed(bencher: Bencher<'_, '_>, text: &str) {
    let position = position(PINNED);
    bencher.bench(|| black_box(&position).read_input(black_box(text)));
}

#[divan::bench]
fn did_you_mean(bencher: Bencher<'_, '_>) {
    let position = position(PINNED);
    bencher.bench(|| black_box(&position).did_you_mean(black_box("Ng3")));
}
