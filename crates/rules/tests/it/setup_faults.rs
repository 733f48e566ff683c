//! Validation finds every fault at once; each line of the data says what is wrong with a setup. How the
//! program reports faults is tested with the program.

use touchmove_rules::{
    AnyPosition, Color, FaultSeverity, Fen, Role, Setup, SetupFault, Square, Variant,
};

/// The lines of the data: variant, setup, faults, reason.
fn lines() -> impl Iterator<Item = (Variant, Setup, &'static str, &'static str)> {
    let lines = include_str!("../data/faults.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let [variant, fen, codes, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not four columns: {line:?}");
        };
        let Fen(setup) = fen.parse().unwrap();
        (variant.parse().unwrap(), setup, codes, why)
    })
}

/// The code of a fault as the data has it.
fn code(fault: &SetupFault) -> String {
    match fault.weight() {
        FaultSeverity::Impossible => fault.code().to_owned(),
        FaultSeverity::Unreachable => format!("~{}", fault.code()),
    }
}

#[test]
fn every_setup_has_just_the_faults_that_its_line_names() {
    let mut codes_seen = std::collections::BTreeSet::new();
    for (variant, setup, codes, why) in lines() {
        let faults = setup.faults(variant);
        for fault in &faults {
            codes_seen.insert(fault.code());
            let sentence = fault.to_string();
            assert!(
                sentence.len() > 10 && !sentence.contains('\n'),
                "{sentence}"
            );
            let named = |at: Square| sentence.contains(&at.to_string());
            assert!(fault.squares().into_iter().all(named), "{sentence}");
        }
        let found = match faults.is_empty() {
            true => "-".to_owned(),
            false => faults.iter().map(code).collect::<Vec<_>>().join(" "),
        };
        assert_eq!(found, codes, "{variant} {}: {why}", Fen(setup));
    }
    assert_eq!(
        codes_seen.len(),
        21,
        "every fault is in the data: {codes_seen:?}"
    );
}

#[test]
fn what_is_impossible_is_refused_and_what_is_unreachable_only_by_the_strict() {
    for (variant, setup, codes, why) in lines() {
        let is_impossible = codes.split(' ').any(|code| !code.starts_with(['~', '-']));
        let lenient = AnyPosition::from_setup(&setup, variant);
        let strict = AnyPosition::from_setup_strictly(&setup, variant);
        assert_eq!(lenient.is_err(), is_impossible, "{variant} {codes}: {why}");
        assert_eq!(strict.is_err(), codes != "-", "{variant} {codes}: {why}");
        for faults in [lenient.err(), strict.err()].into_iter().flatten() {
            assert_eq!(faults, setup.faults(variant), "all faults are told at once");
        }
    }
}

/// [004-6]
#[test]
fn no_game_begins_without_both_kings_in_any_variant() {
    for variant in Variant::ALL {
        for (missing, square) in [(Color::White, Square::E1), (Color::Black, Square::E8)] {
            for turn in Color::ALL {
                let mut setup = Setup {
                    turn,
                    ..Setup::start()
                };
                setup.castling = touchmove_rules::Bitboard::EMPTY;
                assert!(setup.faults_at_start(variant).is_empty());
                setup.board.remove(square);
                let faults = setup.faults_at_start(variant);
                assert_eq!(
                    faults.as_slice(),
                    [SetupFault::MissingKing { color: missing }],
                    "{variant}, {turn} to move"
                );
            }
        }
    }
}

/// [004-6, A2] Where an explosion may have removed the king, the game is over, and only the side on move can
/// have lost it.
#[test]
fn a_king_that_is_gone_ends_a_game_of_atomic_only_for_the_side_on_move() {
    let mut setup = Setup::empty();
    setup.board.set(Square::D5, Role::King.of(Color::Black));
    let over = AnyPosition::from_setup(&setup, Variant::Atomic).unwrap();
    let winner = over.outcome().and_then(|outcome| outcome.winner());
    assert_eq!(winner, Some(Color::Black));
    setup.turn = Color::Black;
    let faults = AnyPosition::from_setup(&setup, Variant::Atomic).unwrap_err();
    assert_eq!(
        faults.to_string(),
        "White has no king and cannot have lost it: White has just moved, and no capture may blow up \
         the mover's own king"
    );
}
