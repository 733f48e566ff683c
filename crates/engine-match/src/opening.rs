//! Openings: a few random plies, after which neither side is much better. Each is played with both colours.

use touchmove_engine::{Engine, Limits, NoObserver, Score, TranspositionTable};
use touchmove_rules::{AnyPosition, Move, Setup, Variant, with_position};

use crate::SplitMix64;

/// The number of positions searched to see whether an opening is even.
const EVEN_CHECK_NODES: u64 = 3000;
/// The maximum score of an opening, in hundredths of a pawn.
const MAX_OPENING_IMBALANCE: i32 = 120;
/// How many openings are tried before one is played regardless of its score.
const MAX_OPENING_TRIES: usize = 200;

/// The start position and the first moves of a pair of games: in Chess960 one of the 960 starts, and in every variant
/// random plies after which neither side is much better.
///
/// ```
/// use touchmove_engine_match::opening;
/// use touchmove_rules::Variant;
///
/// let (start, moves) = opening(Variant::Chess, 4, 11);
/// assert_eq!(moves.len(), 4);
/// assert_eq!((start, moves), opening(Variant::Chess, 4, 11));
/// ```
#[must_use]
pub fn opening(variant: Variant, plies: usize, seed: u64) -> (AnyPosition, Vec<Move>) {
    let mut lots = SplitMix64::new(seed);
    let start = start(variant, &mut lots);
    let (mut engine, table) = (Engine::new(), TranspositionTable::with_megabytes(1));
    let limits = Limits {
        nodes: Some(EVEN_CHECK_NODES),
        ..Limits::default()
    };
    for _ in 0..MAX_OPENING_TRIES {
        let Some((position, moves)) = stroll(&start, plies, &mut lots) else {
            continue;
        };
        table.clear();
        engine.forget();
        let found = engine.search_any(&position, &[], &limits, &table, &mut NoObserver);
        let score = found.lines.first().map(|line| line.score);
        if matches!(score, Some(Score::Centipawns(value)) if value.abs() <= MAX_OPENING_IMBALANCE) {
            return (start, moves);
        }
    }
    (start, Vec::new())
}

fn start(variant: Variant, lots: &mut SplitMix64) -> AnyPosition {
    let usual = AnyPosition::start(variant);
    if variant != Variant::Chess960 {
        return usual;
    }
    let number = u16::try_from(lots.below(960)).unwrap_or_default();
    let drawn = Setup::chess960(number);
    let drawn = drawn.and_then(|setup| AnyPosition::from_setup(&setup, variant).ok());
    drawn.unwrap_or(usual)
}

/// Random plies; `None` if they end the game.
fn stroll(
    start: &AnyPosition,
    plies: usize,
    lots: &mut SplitMix64,
) -> Option<(AnyPosition, Vec<Move>)> {
    let mut position = *start;
    let mut moves = Vec::with_capacity(plies);
    for _ in 0..plies {
        let legal = with_position!(&position, position => position.legal_moves());
        let mv = *legal.get(lots.below(legal.len()))?;
        position.play(mv);
        moves.push(mv);
    }
    let is_open = position.outcome().is_none() && position.legal_move_count() > 0;
    is_open.then_some((position, moves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_legal_even_and_unlike_each_other() {
        for variant in Variant::ALL {
            let all: Vec<_> = (0..8).map(|seed| opening(variant, 6, seed)).collect();
            for (start, moves) in &all {
                let mut position = *start;
                assert_eq!(moves.len(), 6, "{variant}");
                for &mv in moves {
                    assert!(position.is_legal(mv));
                    position.play(mv);
                }
                assert!(position.outcome().is_none());
            }
            assert!(all.iter().any(|one| *one != all[0]), "{variant}");
        }
    }
}
