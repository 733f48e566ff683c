//! Certificates against the independent checker: it accepts the certificate of every proof, and refuses a certificate
//! that was tampered with, unless what that one says is true.

#![allow(clippy::disallowed_methods)] // Tests read their data; the library does not.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use touchmove_certificate::verify;
use touchmove_rules::{
    AnyPosition, Atomic, Chess, Chess960, Color, Fen, Position, Rules, SimpleAtomic,
};
use touchmove_winnability::{Budget, Solver, winnable};

/// The positions of a file.
fn positions<R: Rules>(path: &Path, stride: usize) -> Vec<Position<R>> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .step_by(stride)
        .filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let first = words.iter().position(|word| word.contains('/'))?;
            let fen = words[first..first + 4].join(" ");
            let setup = Fen::read_short(&fen).expect("the data holds FENs").0;
            Position::from_setup(&setup).ok()
        })
        .collect()
}

fn made_here(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Certifies every unwinnable result for these positions, has the certificates checked and returns them.
fn certify<R: Rules>(positions: &[Position<R>], budget: Budget) -> Vec<String> {
    let mut solver = Solver::new();
    let mut kinds: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
    let mut certificates = Vec::new();
    for position in positions {
        for side in Color::ALL {
            let (verdict, certificate) = solver.certify(position, side, budget);
            let fen = position.fen();
            if !verdict.is_unwinnable() {
                continue;
            }
            let text = certificate.unwrap_or_else(|| panic!("{fen} for {side}: not written"));
            match verify(&text).as_deref() {
                Ok([claim]) => {
                    assert_eq!((claim.side, claim.variant), (side, R::VARIANT));
                    let (count, size) = kinds.entry(claim.proof).or_default();
                    *count += 1;
                    *size = text.len().max(*size);
                }
                Ok(claims) => panic!("{fen} for {side}: {claims:?}"),
                Err(refusal) => panic!("{fen} for {side}: {refusal}"),
            }
            certificates.push(text);
        }
    }
    println!(
        "{} positions of {}: {} certificates verified; kinds, with the longest text: {kinds:?}",
        positions.len(),
        R::VARIANT,
        certificates.len()
    );
    certificates
}

#[test]
fn proofs_of_every_kind_are_certified_and_verified() {
    const QUICK: Budget = Budget::of_positions(5_000);
    let [chess, walls] = ["made_here_positions.tsv", "made_here_classics.tsv"].map(made_here);
    let mut all = certify::<Chess>(&positions(chess.as_ref(), 8), QUICK);
    all.extend(certify::<Chess960>(&positions(walls.as_ref(), 1), QUICK));
    all.extend(certify::<Atomic>(&positions(chess.as_ref(), 16), QUICK));
    all.extend(certify::<SimpleAtomic>(
        &positions(chess.as_ref(), 16),
        QUICK,
    ));
    for kind in [
        "over",
        "material",
        "forced",
        "structure",
        "outlines",
        "visited",
        "excluded",
    ] {
        let is_there = |text: &String| {
            text.lines()
                .any(|line| line.split(' ').next() == Some(kind))
        };
        assert!(all.iter().any(is_there), "no certificate says {kind}");
    }
}

/// A small random number generator, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    }
}

/// Changes one thing in a certificate: a line is lost, doubled or moved, a word is lost, or a digit or a letter
/// changes.
fn tamper(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = 3 + dice.roll(lines.len() - 3);
    match dice.roll(6) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let other = 3 + dice.roll(lines.len() - 3);
            lines.swap(at, other);
        }
        3 => {
            let mut words: Vec<&str> = lines[at].split(' ').collect();
            words.remove(dice.roll(words.len()));
            lines[at] = words.join(" ");
        }
        _ => {
            let mut bytes = lines[at].clone().into_bytes();
            let index = dice.roll(bytes.len());
            let alphabet = b"0123456789abcdefKQRBNPkqrbnp/ -w";
            bytes[index] = alphabet[dice.roll(alphabet.len())];
            lines[at] = String::from_utf8(bytes).expect("letters");
        }
    }
    lines.join("\n")
}

/// Tampers with certificates until `wanted` were refused. What is accepted must be true.
fn tamper_with(certificates: &[String], wanted: usize, seed: u64) {
    let mut dice = Dice(seed);
    let [mut refused, mut unchanged, mut still_true] = [0; 3];
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    while refused < wanted {
        let text = &certificates[dice.roll(certificates.len())];
        let tampered = tamper(text, &mut dice);
        if tampered.trim() == text.trim() {
            unchanged += 1;
            continue;
        }
        match verify(&tampered) {
            Err(refusal) => {
                assert!(!refusal.what.is_empty());
                let words: Vec<&str> = refusal.what.split(' ').take(3).collect();
                *reasons.entry(words.join(" ")).or_default() += 1;
                refused += 1;
            }
            Ok(claims) => {
                for claim in claims {
                    let position = AnyPosition::from_fen(&claim.position, claim.variant);
                    let position = position.expect("it was read before");
                    let verdict = winnable(&position, claim.side, Budget::default());
                    let is_true = verdict.is_unwinnable();
                    assert!(is_true, "{verdict:?}, and this was accepted:\n{tampered}");
                }
                still_true += 1;
            }
        }
    }
    println!(
        "{refused} refused, {still_true} accepted that prove something true all the same, {unchanged} \
         left as they were; the reasons: {reasons:#?}"
    );
}

#[test]
fn what_was_tampered_with_is_refused_or_true() {
    const QUICK: Budget = Budget::of_positions(2_000);
    let chess = made_here("made_here_positions.tsv");
    let mut all = certify::<Chess>(&positions(chess.as_ref(), 16), QUICK);
    all.extend(certify::<Atomic>(&positions(chess.as_ref(), 16), QUICK));
    all.extend(certify::<SimpleAtomic>(
        &positions(chess.as_ref(), 16),
        QUICK,
    ));
    tamper_with(&all, 1_000, 0x7461_6d70_6572_2121);
}

#[test]
#[ignore = "takes minutes, and needs the public collections in TOUCHMOVE_DATA"]
fn every_unwinnable_verdict_of_every_file_is_certified() {
    let folder = env::var_os("TOUCHMOVE_DATA").expect("TOUCHMOVE_DATA names the folder");
    let mut few = Vec::new();
    for name in [
        "made_here_positions.tsv",
        "made_here_traps.tsv",
        "public_positions.tsv",
        "public_hard.tsv",
        "public_game_ends.txt",
        "public_unwinnable_for_mover_opponent.txt",
        "public_blockades.tsv",
        "public_dead_walls.txt",
    ] {
        println!("{name}");
        let path = Path::new(&folder).join("winnability").join(name);
        let all = certify::<Chess>(&positions(&path, 1), Budget::default());
        few.extend(
            all.into_iter()
                .filter(|text| text.len() < 100_000)
                .step_by(8),
        );
    }
    tamper_with(&few, 10_000, 0x7461_6d70_6572_3232);
}
