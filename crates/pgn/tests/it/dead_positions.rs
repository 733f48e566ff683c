//! Games in which a side cannot win any more: the findings of each level of checking, and that one question
//! about the last position finds the same as a question after every move.

use touchmove_pgn::{AuditReport, Batch, DeadPositions, Document, RecordedEnding, Severity, audit};
use touchmove_rules::{AnyPosition, Draw, Ending};
use touchmove_winnability::{Budget, dead};

const DEAD: &str = include_str!("../data/dead.tsv");

struct Line<'a> {
    name: &'a str,
    /// The codes expected from each of [`DeadPositions::ALL`].
    codes: [&'a str; 3],
    dead_after: Option<u32>,
    text: String,
}

fn lines() -> impl Iterator<Item = Line<'static>> {
    let lines = DEAD.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, off, material, exact, ply, variant, fen, moves, result] = fields[..] else {
            panic!("nine fields: {line}")
        };
        let text = format!(
            "[Event \"x\"]\n[Site \"?\"]\n[Date \"2026.11.16\"]\n[Round \"1\"]\n[White \"W\"]\n\
             [Black \"B\"]\n[Result \"{result}\"]\n[Variant \"{variant}\"]\n[SetUp \"1\"]\n\
             [FEN \"{fen}\"]\n\n{moves} {result}\n"
        );
        Line {
            name,
            codes: [off, material, exact],
            dead_after: ply.parse().ok(),
            text,
        }
    })
}

fn found(text: &str, depth: DeadPositions) -> String {
    let batch = Batch {
        text: text.as_bytes().to_vec(),
        offset: 0,
        line: 1,
    };
    let mut report = AuditReport::default().dead_positions(depth);
    audit(&batch, &mut report);
    let codes = report.findings.iter().map(|finding| {
        let mark = match finding.severity {
            Severity::Info => "?",
            _ => "",
        };
        format!("{}{mark}", finding.code)
    });
    let codes: Vec<String> = codes.collect();
    if codes.is_empty() {
        "-".to_owned()
    } else {
        codes.join(",")
    }
}

#[test]
fn each_way_of_looking_finds_what_it_should() {
    let mut failures = String::new();
    for line in lines() {
        for (depth, expected) in DeadPositions::ALL.into_iter().zip(line.codes) {
            let found = found(&line.text, depth);
            if found != expected {
                let (name, depth) = (line.name, depth.as_str());
                failures += &format!("{name}, {depth}: {found}, not {expected}\n");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn the_first_dead_position_is_the_one_that_asking_after_every_move_finds() {
    for line in lines() {
        let game = &Document::read_all(line.text.as_bytes())[0];
        let mut position = game.start().expect("a start");
        let mut first = None;
        let is_dead = |position: &AnyPosition| dead(position, Budget::default()) == Some(true);
        let was_dead = is_dead(&position);
        for (ply, id) in (1..).zip(game.main_line()) {
            let mv = position
                .read_san(game.node(id).san())
                .expect("a legal move");
            position.play(mv);
            if is_dead(&position) && !was_dead {
                first = first.or(Some(ply));
            }
        }
        assert_eq!(first, line.dead_after, "{}", line.name);
    }
}

#[test]
fn a_position_that_is_dead_when_the_count_is_full_ends_the_game_as_a_dead_one() {
    let text = "[FEN \"7k/8/8/8/8/8/6Q1/4K3 w - - 149 100\"]\n\n100. Qg7+ 1/2-1/2\n";
    for (depth, draw) in [
        (DeadPositions::Off, Draw::SeventyFiveMoves),
        (DeadPositions::Exact, Draw::DeadPosition),
    ] {
        let batch = Batch {
            text: text.as_bytes().to_vec(),
            offset: 0,
            line: 1,
        };
        let mut report = AuditReport::with_records().dead_positions(depth);
        audit(&batch, &mut report);
        let expected = RecordedEnding::Ended(Ending::Draw(draw));
        assert_eq!(report.records[0].conclusion, expected);
    }
}

#[test]
fn what_the_budget_does_not_decide_is_held_against_nobody() {
    let text = "[FEN \"k7/3p1p1p/8/1p6/1P6/KP6/PP1P1P1P/8 b - - 0 1\"]\n\n1... Kb7 1/2-1/2\n";
    let found = found(text, DeadPositions::Exact);
    assert!(!found.contains("dead_position"), "{found}");
}
