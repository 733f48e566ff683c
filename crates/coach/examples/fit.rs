//! Fits the scale of the win chance: levels of the engine play each other, their positions are scored, and the scale
//! that predicts the results best is printed, for each variant.
//!
//! `cargo run --release -p touchmove-coach --example fit [GAMES]`

use touchmove_engine::{Engine, Level, Limits, NoObserver, Score, TranspositionTable};
use touchmove_rules::{AnyPosition, Color, Variant, draw_rules};

/// The number of positions for scoring one position.
const NODES: u64 = 5000;
/// How many random plies a game begins with.
const OPENING: usize = 6;
/// The levels that play: those of club players, each against itself and its neighbours.
const LEVELS: [Level; 3] = [Level::ClubNovice, Level::Club, Level::StrongClub];

#[expect(clippy::disallowed_methods, reason = "an example is a program")]
fn main() {
    let games = std::env::args().nth(1);
    let games: u64 = games.and_then(|text| text.parse().ok()).unwrap_or(300);
    for variant in [Variant::Chess, Variant::Atomic, Variant::SimpleAtomic] {
        let mut seen = Vec::new();
        for seed in 0..games {
            play(variant, seed, &mut seen);
        }
        let (scale, error) = fit(&seen);
        println!(
            "{variant}: {games} games, {} positions, scale {scale}, error {error:.4}",
            seen.len()
        );
    }
}

/// Pseudorandom numbers, the same for the same seed.
fn lot(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Plays a game and adds the scores of its positions with its result, both for White.
fn play(variant: Variant, seed: u64, seen: &mut Vec<(f64, f64)>) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d;
    lot(&mut state);
    let mut position = AnyPosition::start(variant);
    let levels = [LEVELS[lot(&mut state) % 3], LEVELS[lot(&mut state) % 3]];
    let mut keys = Vec::new();
    let mut scores = Vec::new();
    let mut last = None;
    let result = loop {
        if let Some(outcome) = position.outcome() {
            break outcome
                .winner()
                .map_or(0.5, |winner| f64::from(u8::from(winner.is_white())));
        }
        let key = position.key();
        let repeated = keys.iter().filter(|&&past| past == key).count() >= 2;
        if repeated || position.halfmoves() >= draw_rules::FIFTY_MOVES_PLIES || keys.len() > 300 {
            break 0.5;
        }
        let mv = if keys.len() < OPENING {
            let moves = position.legal_moves();
            moves[lot(&mut state) % moves.len()]
        } else {
            if lot(&mut state).is_multiple_of(4) {
                scores.extend(judge(&position, &keys));
            }
            let level = levels[position.turn() as usize];
            let limits = level.limits_after(&position, last, seed, NODES);
            search(&position, &keys, &limits).0
        };
        keys.push(key);
        position.play(mv);
        last = Some(mv);
    };
    seen.extend(scores.into_iter().map(|score| (score, result)));
}

fn search(position: &AnyPosition, keys: &[u64], limits: &Limits) -> (touchmove_rules::Move, Score) {
    let table = TranspositionTable::with_megabytes(1);
    let found = Engine::new().search_any(position, keys, limits, &table, &mut NoObserver);
    let line = found.lines.into_iter().next().expect("the game goes on");
    (line.moves[0], line.score)
}

/// The score of the position for White; `None` if the end is in sight.
fn judge(position: &AnyPosition, keys: &[u64]) -> Option<f64> {
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    match search(position, keys, &limits).1 {
        Score::Centipawns(value) if position.turn() == Color::White => Some(f64::from(value)),
        Score::Centipawns(value) => Some(-f64::from(value)),
        Score::Mate(_) => None,
    }
}

/// The scale with the least mean squared error, and that error.
fn fit(seen: &[(f64, f64)]) -> (u32, f64) {
    let error = |scale: u32| {
        let square = |&(score, result): &(f64, f64)| {
            let chance = 1.0 / (1.0 + (-score / f64::from(scale)).exp());
            (chance - result).powi(2)
        };
        seen.iter().map(square).sum::<f64>() / seen.len() as f64
    };
    let scales = (2..200).map(|step| step * 10);
    let tried = scales.map(|scale| (scale, error(scale)));
    tried
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .expect("there are scales")
}
