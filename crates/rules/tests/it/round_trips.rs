//! Properties of every position of every variant, tested on random games.

use proptest::prelude::*;
use touchmove_rules::{AnyPosition, Fen, Move, Setup, Variant};

/// The positions of a random game that prefers captures, promotions and castling.
fn random_game(variant: Variant, array: u16, choices: &[u16]) -> Vec<AnyPosition> {
    let setup = match variant {
        Variant::Chess960 | Variant::Atomic => Setup::chess960(array % 960).unwrap(),
        _ => Setup::start(),
    };
    let mut position = AnyPosition::from_setup(&setup, variant).unwrap();
    let mut positions = vec![position];
    for &choice in choices {
        let moves = position.legal_moves();
        let special: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| mv.is_capture() || mv.kind().is_promotion() || mv.kind().is_castling())
            .collect();
        let pool = if choice % 4 == 0 && !special.is_empty() {
            &special[..]
        } else {
            &moves[..]
        };
        if pool.is_empty() {
            break;
        }
        position.play(pool[usize::from(choice / 4) % pool.len()]);
        positions.push(position);
    }
    positions
}

fn check(position: &AnyPosition) -> Result<(), TestCaseError> {
    let variant = position.variant();
    let moves = position.legal_moves();
    prop_assert_eq!(
        position.legal_move_count() as usize,
        moves.len(),
        "{}",
        position.fen()
    );
    let mut visited = Vec::new();
    position.for_each_legal_move(|mv| visited.push(mv));
    prop_assert_eq!(&visited[..], &moves[..]);
    let captures: Vec<_> = moves.iter().copied().filter(|mv| mv.is_capture()).collect();
    let mut listed = position.captures().to_vec();
    let mut expected = captures;
    listed.sort();
    expected.sort();
    prop_assert_eq!(listed, expected);

    // A position without a king is the end of a game, and cannot start one.
    if position
        .outcome()
        .is_some_and(|outcome| matches!(outcome, touchmove_rules::Outcome::KingExploded { .. }))
    {
        prop_assert!(moves.is_empty());
        return Ok(());
    }
    let fen = position.fen();
    for text in [fen.to_string(), format!("{fen:#}")] {
        let read = AnyPosition::from_fen(&text, variant)
            .map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert_eq!(&read, position);
        prop_assert_eq!(read.key(), position.key());
        prop_assert_eq!(read.fen(), position.fen());
        prop_assert_eq!(text.parse::<Fen>().unwrap(), fen);
    }
    for &mv in &moves {
        prop_assert!(position.is_legal(mv));
        let uci = position.uci(mv).to_string();
        prop_assert_eq!(position.read_uci(&uci).unwrap(), mv, "{} in {}", uci, fen);
        let san = position.san(mv).to_string();
        prop_assert_eq!(position.read_san(&san).unwrap(), mv, "{} in {}", san, fen);
        let shorter = san.replace(['x', '+', '#', '='], "");
        prop_assert_eq!(
            position.read_san(&shorter).unwrap(),
            mv,
            "{} in {}",
            shorter,
            fen
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_and_lists_agree_in_random_games(
        variant in prop::sample::select(&Variant::ALL[..]),
        array: u16,
        choices in prop::collection::vec(any::<u16>(), 0..160),
    ) {
        for position in random_game(variant, array, &choices) {
            check(&position)?;
        }
    }
}

#[test]
fn every_chess960_array_reads_back() {
    for number in 0..960 {
        let setup = Setup::chess960(number).unwrap();
        let position = AnyPosition::from_setup(&setup, Variant::Chess960).unwrap();
        check(&position).unwrap();
        assert_eq!(setup.castling.len(), 4);
    }
}
