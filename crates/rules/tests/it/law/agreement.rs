//! `judge`, the generator and the SAN look-up agree: for every from × to × promotion, `judge` says legal
//! exactly when the generator lists the move, and for every SAN, the look-up finds a move exactly when just
//! one on the list fits. The part that always runs takes seconds; the long run is ignored and takes minutes.
//! It proves nothing about positions outside its corpus.

use std::collections::{BTreeMap, BTreeSet};

use touchmove_rules::{
    AnyPosition, Bitboard, CastlingSide, File, Illegal, Move, MoveKind, Position, Rank, Role,
    Rules, San, SanError, Setup, Square, UciMove, Variant, with_position,
};

use super::statements;

/// Every promotion that can be asked for, sensible or not.
const PROMOTIONS: [Option<Role>; 7] = [
    None,
    Some(Role::Queen),
    Some(Role::Rook),
    Some(Role::Bishop),
    Some(Role::Knight),
    Some(Role::King),
    Some(Role::Pawn),
];

/// A seeded random number generator, so that every run plays the same games.
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
    /// How many spellings fit no legal move, just one, and several.
    spellings: [u64; 3],
}

impl Tally {
    /// Compares every UCI move and every SAN in a position with the generator's list.
    fn examine(&mut self, position: &AnyPosition, past: &[Move]) {
        self.positions += 1;
        with_position!(position, position => self.look_up(position));
        let listed: BTreeSet<Move> = position.legal_moves().into_iter().collect();
        let mut minted = BTreeSet::new();
        for from in Square::all() {
            for to in Square::all() {
                for promotion in PROMOTIONS {
                    let attempt = UciMove {
                        from,
                        to,
                        promotion,
                    };
                    let verdict = position.judge_after(past, attempt);
                    assert_eq!(
                        verdict.ok(),
                        position.find_uci(attempt),
                        "{attempt} in {} ({}): {verdict:?}",
                        position.fen(),
                        position.variant(),
                    );
                    self.count(verdict);
                    minted.extend(verdict.ok());
                }
            }
        }
        for wing in CastlingSide::ALL {
            let verdict = position.judge_after(past, wing);
            let castling = listed.iter().find(|mv| mv.castling_side() == Some(wing));
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

    /// Compares every SAN in a position with the generator's list.
    fn look_up<R: Rules>(&mut self, position: &Position<R>) {
        let listed = position.legal_moves();
        assert_eq!(position.is_check(), position.checkers().any());
        for &mv in &listed {
            let text = position.san(mv).to_string();
            assert_eq!(
                position.read_san(&text),
                Ok(mv),
                "{text} in {} ({})",
                position.fen(),
                position.variant()
            );
        }
        for wing in CastlingSide::ALL {
            let castling = listed.iter().filter(|mv| mv.castling_side() == Some(wing));
            self.spell(
                position,
                San::Castle(wing),
                &castling.copied().collect::<Vec<_>>(),
            );
        }
        for role in Role::ALL {
            let origins = origins(position.board().by_role(role));
            for to in Square::all() {
                for promotion in PROMOTIONS {
                    let meant = |mv: &&Move| {
                        mv.castling_side().is_none()
                            && (mv.role(), mv.to(), mv.promotes_to()) == (role, to, promotion)
                    };
                    let meant: Vec<Move> = listed.iter().filter(meant).copied().collect();
                    for &(file, rank) in &origins {
                        // A pawn's SAN without file and rank is a step straight ahead.
                        let is_step = role == Role::Pawn && file.is_none() && rank.is_none();
                        let comes_from = |mv: &&Move| {
                            let from = mv.from();
                            file.is_none_or(|file| from.file() == file)
                                && rank.is_none_or(|rank| from.rank() == rank)
                                && (!is_step || from.file() == to.file())
                        };
                        let fitting: Vec<Move> = meant.iter().filter(comes_from).copied().collect();
                        let san = San::Man {
                            role,
                            file,
                            rank,
                            capture: position.board().occupied().contains(to),
                            to,
                            promotion,
                        };
                        self.spell(position, san, &fitting);
                    }
                }
            }
        }
    }

    /// Compares one SAN with the legal moves that fit it.
    fn spell<R: Rules>(&mut self, position: &Position<R>, san: San, fitting: &[Move]) {
        self.spellings[fitting.len().min(2)] += 1;
        let found = position.resolve_san(san);
        let is_right = match (&found, fitting) {
            (Ok(mv), [only]) => mv == only,
            (Err(SanError::Illegal(said)), []) => *said == san,
            (
                Err(SanError::Ambiguous {
                    san: said,
                    candidates: [one, other],
                }),
                [_, _, ..],
            ) => {
                let texts: Vec<String> = fitting
                    .iter()
                    .map(|&mv| position.san(mv).to_string())
                    .collect();
                *said == san && one != other && texts.contains(one) && texts.contains(other)
            }
            _ => false,
        };
        assert!(
            is_right,
            "{san} in {} ({}): {found:?}, but these fit: {fitting:?}",
            position.fen(),
            position.variant()
        );
        let mut played = *position;
        assert_eq!(played.play_san(san), found, "{san} in {}", position.fen());
        let expected = match &found {
            Ok(mv) => position.after(*mv),
            Err(_) => *position,
        };
        assert!(played == expected, "{san} in {}", position.fen());
        if !fitting.is_empty() {
            assert_eq!(san.to_string().parse(), Ok(san));
        }
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

    /// Plays a random game, and examines every `stride`-th position of it.
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
        assert!(
            self.spellings.iter().all(|&count| count > 0),
            "some answer of the look-up was never given"
        );
    }

    fn report(&self) {
        println!(
            "{} positions, {} attempts, {} legal, 0 differences",
            self.positions, self.attempts, self.legal
        );
        let [none, one, several] = self.spellings;
        println!("{none} spellings fit no legal move, {one} just one, {several} several");
        for (kind, count) in &self.kinds {
            println!("{count:>12}  {kind}");
        }
        for (reason, count) in &self.reasons {
            println!("{count:>12}  {reason}");
        }
    }
}

/// What a SAN can say about where a piece comes from: nothing, a file, a rank or both, for pieces that stand
/// there and for one that stands elsewhere.
fn origins(men: Bitboard) -> Vec<(Option<File>, Option<Rank>)> {
    let stands = |line: Bitboard| (men & line).any();
    let (taken, free): (Vec<File>, Vec<File>) =
        File::ALL.into_iter().partition(|&file| stands(file.into()));
    let files = taken.into_iter().chain(free.first().copied());
    let (taken, free): (Vec<Rank>, Vec<Rank>) =
        Rank::ALL.into_iter().partition(|&rank| stands(rank.into()));
    let ranks: Vec<Rank> = taken.into_iter().chain(free.first().copied()).collect();
    [None]
        .into_iter()
        .chain(files.map(Some))
        .flat_map(|file| {
            let said = ranks.iter().map(move |&rank| (file, Some(rank)));
            said.chain([(file, None)])
        })
        .collect()
}

/// The positions of the perft files of a variant.
fn corpus(variant: Variant) -> Vec<AnyPosition> {
    let files: &[&str] = match variant {
        Variant::Chess => &[
            include_str!("../../data/chess_classic.perft"),
            include_str!("../../data/chess_random.perft"),
        ],
        Variant::Chess960 => &[include_str!("../../data/chess960.perft")],
        Variant::Atomic => &[
            include_str!("../../data/atomic.perft"),
            include_str!("../../data/atomic_random.perft"),
        ],
        Variant::SimpleAtomic => &[include_str!("../../data/simple_atomic.perft")],
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
fn judge_generator_and_look_up_agree_on_a_slice_of_the_corpus() {
    let tally = run(12, 1, 120, 9);
    tally.report();
    tally.assert_complete();
}

#[test]
#[ignore = "takes minutes: run with --release -- --ignored --nocapture"]
fn judge_generator_and_look_up_agree_on_everything() {
    let tally = run(1, 60, 300, 6);
    tally.report();
    tally.assert_complete();
    assert!(tally.attempts >= 20_000_000);
}
