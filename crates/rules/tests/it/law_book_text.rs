//! The text of the law book, variant by variant: nothing is missing, and nothing is said about moves that a
//! variant does not have. Whether the laws are obeyed is tested with `judge`.

use touchmove_rules::law::{Condition, Ruleset, book, chapters};
use touchmove_rules::{MoveKind, Variant};

/// Every sentence about a variant, with its source.
fn sentences(variant: Variant) -> Vec<(String, &'static str)> {
    let rules = Ruleset::of(variant);
    let mut sentences = Vec::new();
    for chapter in chapters::BEFORE_MOVES.iter().chain(&chapters::AFTER_MOVES) {
        for law in chapter.laws(&rules) {
            sentences.push((law.text.to_owned(), law.source));
        }
    }
    for kind in MoveKind::ALL.into_iter().filter(|&kind| rules.has(kind)) {
        sentences.push((book::article(kind).movement(&rules).to_owned(), kind.name()));
        for condition in book::conditions(kind, &rules) {
            sentences.push((condition.text().to_owned(), condition.source(kind, &rules)));
        }
    }
    sentences
}

fn has(variant: Variant, source: &str, words: &str) -> bool {
    sentences(variant)
        .iter()
        .any(|(text, from)| *from == source && text.contains(words))
}

/// [003-19, 003-21]
#[test]
fn fivefold_repetition_and_seventy_five_moves_are_draws_without_a_claim() {
    for variant in Variant::ALL {
        assert!(has(
            variant,
            "FIDE 9.6.1",
            "for the fifth time is a draw without any claim"
        ));
        assert!(has(
            variant,
            "FIDE 9.6.2",
            "seventy-five moves by each side"
        ));
    }
}

/// [001-7]
#[test]
fn a_white_piece_and_a_black_piece_are_among_the_terms() {
    for variant in Variant::ALL {
        assert!(has(variant, "001-7", "White piece:") && has(variant, "001-7", "Black piece:"));
    }
}

/// [004-6]
#[test]
fn a_missing_king_is_written_down_for_every_variant() {
    for variant in Variant::ALL {
        assert!(has(variant, "004-6", "one king of each colour"));
        let judged = sentences(variant)
            .iter()
            .any(|(text, _)| text.contains("judged but not begun with"));
        assert_eq!(judged, Ruleset::of(variant).blast, "{variant}");
    }
}

/// [002-15, A2]
#[test]
fn where_captures_explode_no_condition_speaks_of_a_king_that_takes() {
    for variant in Variant::ALL {
        let rules = Ruleset::of(variant);
        let kind = MoveKind::KingRegular;
        let conditions: Vec<Condition> = book::conditions(kind, &rules).collect();
        let speaks = book::article(kind).movement(&rules).contains("taking")
            || conditions
                .iter()
                .any(|condition| condition.text().contains("opponent's piece"));
        assert_eq!(speaks, !rules.blast, "{variant}");
        assert_eq!(
            conditions.contains(&Condition::KingTakesNothing),
            rules.blast
        );
    }
}

/// [002-4 to 002-7]
#[test]
fn the_book_of_simple_atomic_speaks_only_of_moves_that_exist_there() {
    // Only the rules that say so name what does not exist; 002-7 applies to those who type a promotion.
    let exceptions = [
        "Simple Atomic 002-4",
        "Simple Atomic 002-5 to 002-7",
        "Simple Atomic 002-7",
    ];
    for (text, source) in sentences(Variant::SimpleAtomic) {
        if exceptions.contains(&source) {
            continue;
        }
        let text = text.to_lowercase();
        let absent = [
            "castl",
            "o-o",
            "en passant",
            "promoted on",
            "check",
            "pinned",
        ];
        for absent in absent {
            assert!(!text.contains(absent), "{source}: {text}");
        }
    }
    assert!(has(
        Variant::SimpleAtomic,
        "FIDE 5.2.1",
        "has no legal move"
    ));
}

#[test]
fn the_starts_of_chess960_are_numbered_in_its_book_only() {
    for variant in Variant::ALL {
        let numbered = has(variant, "Scharnagl's numbers", "518");
        assert_eq!(numbered, variant == Variant::Chess960, "{variant}");
    }
}
