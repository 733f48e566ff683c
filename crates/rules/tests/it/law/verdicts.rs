//! `judge` agrees with every statement of the law files, and with the law book's own examples.

use std::collections::BTreeSet;

use touchmove_rules::law::{Ruleset, book};
use touchmove_rules::{AnyPosition, Illegal, MoveKind, Variant};

use super::statements::{Statement, statements};

/// The verdict of `judge`, in the words of the law files.
fn said(statement: &Statement) -> (String, BTreeSet<String>) {
    match statement
        .position
        .judge_after(&statement.past, statement.wish)
    {
        Ok(mv) => (format!("legal {}", mv.kind()), BTreeSet::new()),
        Err(illegal) => (
            illegal.code().to_owned(),
            illegal
                .squares()
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
        ),
    }
}

fn expected(statement: &Statement) -> (String, BTreeSet<String>) {
    if statement.verdict.starts_with("legal ") {
        return (statement.verdict.clone(), BTreeSet::new());
    }
    let mut words = statement.verdict.split_whitespace().map(str::to_owned);
    (words.next().unwrap_or_default(), words.collect())
}

#[test]
fn the_judge_agrees_with_every_statement() {
    let mut differences = Vec::new();
    for statement in statements() {
        let (said, expected) = (said(&statement), expected(&statement));
        if said != expected {
            differences.push(format!("{}: {said:?}, not {expected:?}", statement.place));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_statements_reach_every_reason_and_every_kind_and_name_their_sources() {
    let statements = statements();
    assert!(statements.len() >= 150, "there are {}", statements.len());
    let reached: BTreeSet<String> = statements
        .iter()
        .map(|statement| expected(statement).0)
        .collect();
    for code in Illegal::CODES {
        assert!(reached.contains(code), "no statement about {code}");
    }
    for kind in MoveKind::ALL {
        assert!(
            reached.contains(&format!("legal {kind}")),
            "no statement about {kind}"
        );
    }
    for statement in &statements {
        assert!(
            !statement.source.is_empty(),
            "{} names no source",
            statement.place
        );
    }
}

#[test]
fn an_explanation_gives_the_same_verdict_and_breaks_off_at_nothing() {
    for statement in statements() {
        let Statement {
            position,
            past,
            wish,
            place,
            ..
        } = &statement;
        let explanation = position.explain(past, *wish);
        assert_eq!(
            explanation.verdict(),
            position.judge_after(past, *wish),
            "{place}"
        );
        let first = explanation.broken().next().copied();
        assert_eq!(first, explanation.verdict().err(), "{place}");
        for check in explanation.checklist() {
            assert!(
                !check.source.is_empty(),
                "{place}: {:?} has no source",
                check.condition
            );
        }
    }
}

#[test]
fn every_reason_is_one_sentence_that_names_its_squares() {
    for statement in statements() {
        let Err(illegal) = statement
            .position
            .judge_after(&statement.past, statement.wish)
        else {
            continue;
        };
        let sentence = illegal.to_string();
        assert!(!sentence.ends_with('.'), "{}: {sentence}", statement.place);
        for square in illegal.squares() {
            let named = sentence.contains(&square.to_string());
            assert!(
                named,
                "{}: {square} is not in {sentence:?}",
                statement.place
            );
        }
    }
}

#[test]
fn the_examples_of_the_law_book_are_legal_moves_of_their_kind_in_every_variant() {
    for variant in Variant::ALL {
        for article in &book::ARTICLES {
            let kind = article.kind;
            assert_eq!(book::article(kind).kind, kind);
            if !Ruleset::of(variant).has(kind) {
                continue;
            }
            let example = article.example;
            let position = AnyPosition::from_fen(example.fen, variant).unwrap();
            let mv = position.judge(example.uci.parse::<touchmove_rules::UciMove>().unwrap());
            assert_eq!(mv.map(|mv| mv.kind()), Ok(kind), "{variant}: {example:?}");
        }
    }
}

#[test]
fn every_condition_that_applies_has_a_source() {
    for variant in Variant::ALL {
        let rules = Ruleset::of(variant);
        for kind in MoveKind::ALL {
            for condition in book::conditions(kind, &rules) {
                let source = condition.source(kind, &rules);
                assert!(
                    !source.is_empty() || !rules.has(kind),
                    "{variant} {kind} {condition:?}"
                );
            }
        }
    }
}
