//! The judge and the generator agree: for every from × to × promotion, the one says legal exactly
//! when the other lists the move. The slice here takes seconds; the long run is ignored and takes
//! minutes. It proves nothing about positions outside its corpus.

use std::collections::{BTreeMap, BTreeSet};

use crate::statements;
use touchmove_rules::{
    AnyPosition, Attempt, Illegal, Move, MoveKind, Role, Setup, Square, Variant, Wing,
};

/// What a promotion can be asked to be, sense or nonsense.
const PROMOTIONS: [Option<Role>; 7] = [
    None,
    Some(Role::Queen),
    Some(Role::Rook),
    Some(Role::Bishop),
    Some(Role::Knight),
    Some(Role::King),
    Some(Role::Pawn),
];

/// Fixed dice, so that every run sees the same games.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }
}

#[derive(Default)]
struct Tally {
    positions: u64,
    attempts: u64,
    legal: u64,
    kinds: BTreeMap<MoveKind, u64>,
    reasons: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Every attempt in a position, against the generator's list.
    fn examine(&mut self, position: &AnyPosition, past: &[Move]) {
        self.positions += 1;
        let listed: BTreeSet<Move> = position.legal_moves().into_iter().collect();
        let mut minted = BTreeSet::new();
        for from in Square::all() {
            for to in Square::all() {
                for promotion in PROMOTIONS {
                    let attempt = Attempt {
                        from,
                        to,
                        promotion,
                    };
                    let verdict = position.judge_after(past, attempt);
                    assert_eq!(
                        verdict.ok(),
                        position.find(attempt),
                        "{attempt} in {} ({}): {verdict:?}",
                        position.fen(),
                        position.variant(),
                    );
                    self.count(verdict);
                    minted.extend(verdict.ok());
                }
            }
        }
        for wing in Wing::ALL {
            let verdict = position.judge_after(past, wing);
            let castling = listed.iter().find(|mv| mv.wing() == Some(wing));
            assert_eq!(
                verdict.ok(),
                castling.copied(),
                "{} in {} ({}): {verdict:?}",
                wing.notation(),
                position.fen(),
                position.variant(),
            );
            self.count(verdict);
            minted.extend(verdict.ok());
        }
        assert_eq!(
            minted,
            listed,
            "in {} ({})",
            position.fen(),
            position.variant()
        );
    }

    fn count(&mut self, verdict: Result<Move, Illegal>) {
        self.attempts += 1;
        match verdict {
            Ok(mv) => {
                self.legal += 1;
                *self.kinds.entry(mv.kind()).or_default() += 1;
            }
            Err(illegal) => *self.reasons.entry(illegal.code()).or_default() += 1,
        }
    }

    /// A game of random moves, every `stride`-th position of it examined.
    fn walk(&mut self, start: AnyPosition, plies: usize, stride: usize, dice: &mut Dice) {
        let (mut position, mut past) = (start, Vec::new());
        for ply in 0..plies {
            if ply % stride == 0 {
                self.examine(&position, &past);
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                self.examine(&position, &past);
                return;
            }
            let mv = moves[dice.below(moves.len())];
            position.play(mv);
            past.push(mv);
        }
    }

    fn assert_complete(&self) {
        let kinds: BTreeSet<_> = self.kinds.keys().copied().collect();
        assert_eq!(
            kinds,
            MoveKind::ALL.into(),
            "some kind of move was never legal"
        );
        let reasons: BTreeSet<_> = self.reasons.keys().copied().collect();
        assert_eq!(
            reasons,
            Illegal::CODES.into(),
            "some reason was never given"
        );
    }

    fn report(&self) {
        println!(
            "{} positions, {} attempts, {} legal, 0 differences",
            self.positions, self.attempts, self.legal
        );
        for (kind, count) in &self.kinds {
            println!("{count:>12}  {kind}");
        }
        for (reason, count) in &self.reasons {
            println!("{count:>12}  {reason}");
        }
    }
}

/// The positions of the perft files of a variant.
fn corpus(variant: Variant) -> Vec<AnyPosition> {
    let files: &[&str] = match variant {
        Variant::Chess => &[
            include_str!("../data/chess_classic.perft"),
            include_str!("../data/chess_random.perft"),
        ],
        Variant::Chess960 => &[include_str!("../data/chess960.perft")],
        Variant::Atomic => &[
            include_str!("../data/atomic.perft"),
            include_str!("../data/atomic_random.perft"),
        ],
        Variant::SimpleAtomic => &[include_str!("../data/simple_atomic.perft")],
    };
    let fens = files
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split(';').next());
    fens.filter_map(|fen| AnyPosition::from_fen(fen.trim(), variant).ok())
        .collect()
}

/// The positions of the law files, the corpus of all variants thinned out, and random games.
fn run(thinning: usize, games: u64, plies: usize, stride: usize) -> Tally {
    let mut tally = Tally::default();
    let mut seen = BTreeSet::new();
    for statement in statements::statements() {
        let position = statement.position;
        if seen.insert((position.variant(), position.fen().to_string())) {
            tally.examine(&position, &statement.past);
        }
    }
    for variant in Variant::ALL {
        for position in corpus(variant).iter().step_by(thinning) {
            tally.examine(position, &[]);
        }
        for game in 0..games {
            let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (game << 8) ^ variant as u64);
            let start = match variant {
                Variant::Chess960 => {
                    let number = dice.below(960) as u16;
                    let setup = Setup::chess960(number).expect("the number is below 960");
                    AnyPosition::from_setup(&setup, variant).expect("the start is legal")
                }
                _ => AnyPosition::start(variant),
            };
            tally.walk(start, plies, stride, &mut dice);
        }
    }
    tally
}

#[test]
fn judge_and_generator_agree_on_a_slice_of_the_corpus() {
    let tally = run(12, 1, 120, 9);
    tally.report();
    tally.assert_complete();
}

#[test]
#[ignore = "takes minutes: run with --release -- --ignored --nocapture"]
fn judge_and_generator_agree_on_everything() {
    let tally = run(1, 60, 300, 6);
    tally.report();
    tally.assert_complete();
    assert!(tally.attempts >= 20_000_000);
}
