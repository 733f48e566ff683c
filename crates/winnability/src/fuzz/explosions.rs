//! Fuzzes Atomic and simple Atomic. Small random endings: each must be decided, lines must win, and no short series of
//! moves may win what is called unwinnable. Pawn fences with kings and pieces beside them: results are compared with a
//! plain closure.

use std::collections::{HashSet, VecDeque};

use touchmove_rules::{
    Atomic, Bitboard, Color, File, Outcome, Position, Rank, Role, Rules, Setup, SimpleAtomic,
    Square,
};

use crate::fuzz::{TestRng, USUAL_EFFORT, castling, examine, mutate, seeds};
use crate::{Budget, Solver, Winnability};

/// Two kings and up to five other pieces.
fn ending(dice: &mut TestRng) -> Setup {
    const ROLES: [Role; 8] = [
        Role::Pawn,
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Bishop,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ];
    let mut setup = Setup {
        turn: dice.color(),
        ..Setup::empty()
    };
    for _ in 0..=dice.roll(5) {
        let man = ROLES[dice.roll(ROLES.len())].of(dice.color());
        setup.board.set(dice.square(), man);
    }
    for color in Color::ALL {
        setup.board.set(dice.square(), Role::King.of(color));
    }
    setup
}

fn is_won<R: Rules>(position: &Position<R>, side: Color) -> bool {
    position.outcome().and_then(Outcome::winner) == Some(side)
}

/// Whether one of the nearest `limit` positions is a win for `side`.
fn is_soon_won<R: Rules>(root: &Position<R>, side: Color, limit: usize) -> bool {
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([*root]);
    while let Some(position) = waiting.pop_front() {
        if is_won(&position, side) {
            return true;
        }
        if seen.len() > limit {
            return false;
        }
        for &mv in &position.legal_moves() {
            let next = position.after(mv);
            if next.pack().is_none_or(|packed| seen.insert(packed)) {
                waiting.push_back(next);
            }
        }
    }
    false
}

fn check_endings<R: Rules>(count: usize) {
    let mut dice = TestRng(0x0a70_311c);
    let mut solver = Solver::<R>::new();
    let mut asked = 0;
    while asked < count {
        let Ok(position) = Position::<R>::from_setup(&ending(&mut dice)) else {
            continue;
        };
        asked += 1;
        let fen = position.fen();
        for side in Color::ALL {
            match solver.winnable(&position, side, Budget::default()) {
                Winnability::Winnable(line) => {
                    let mut at = position;
                    for mv in line {
                        assert!(at.is_legal(mv), "{fen}: {mv:?}");
                        at.play(mv);
                    }
                    assert!(is_won(&at, side), "{fen}: {side}");
                }
                Winnability::Unwinnable(proof) => {
                    let refuted = is_soon_won(&position, side, 1_000);
                    assert!(!refuted, "{fen}: {side} can win, but {proof}");
                }
                Winnability::Undecided { .. } => {
                    panic!("{fen}: whether {side} can win is undecided")
                }
            }
        }
    }
}

#[test]
fn small_endings_of_atomic_are_decided() {
    check_endings::<Atomic>(400);
}

#[test]
fn small_endings_of_simple_atomic_are_decided() {
    check_endings::<SimpleAtomic>(400);
}

/// Positions far from any win that a heuristic sees: a lone king that must be driven into the right corner; bishops
/// with nothing to capture that wait for a king hemmed in by its own pieces; kings that leave a cage only side by side.
#[test]
fn distant_mates_of_atomic_are_found() {
    for (fen, side) in [
        ("7K/8/2b3bk/8/8/8/7n/8 b - - 0 1", Color::Black),
        ("7k/4b1pB/6P1/7K/5b2/8/8/8 b - - 0 1", Color::White),
        (
            "1k6/2b4B/3bB1B1/8/4B3/p1pB1B2/P1P1B3/1K6 b - - 0 1",
            Color::White,
        ),
        (
            "1k6/2b4B/3bB1B1/8/4B3/p1pB1B2/P1P1B3/1K6 b - - 0 1",
            Color::Black,
        ),
        (
            "k1b5/1b6/b1b5/1b6/1B6/B7/1B1B4/K1B5 b - - 0 1",
            Color::White,
        ),
        (
            "k1b5/1b6/b1b5/1b6/1B6/B7/1B1B4/K1B5 b - - 0 1",
            Color::Black,
        ),
        (
            "7b/2b5/1k1p1p2/3P1P2/3pKp2/3P1P2/8/3B1B2 b - - 0 1",
            Color::Black,
        ),
        (
            "k6B/1b4B1/5B2/4B3/3B4/1pB5/pP1B4/K7 b - - 0 1",
            Color::White,
        ),
    ] {
        let position = Position::<Atomic>::from_fen(fen).expect("a position");
        let verdict = Solver::new().winnable(&position, side, Budget::of_positions(50_000));
        assert!(verdict.is_winnable(), "{fen} for {side}: {verdict:?}");
    }
}

/// Where nothing can be captured, and a king that leaves the other one allows no mate.
#[test]
fn checks_that_stand_for_good_mate_nobody() {
    for (fen, side) in [
        (
            "8/8/3b3p/2b2p1P/5p1K/2b2Pp1/6P1/5kb1 w - - 0 1",
            Color::White,
        ),
        (
            "BbK1kb2/b1p1p1pB/1pP1P1P1/1P6/8/8/8/4b2B b - - 0 1",
            Color::Black,
        ),
    ] {
        let position = Position::<Atomic>::from_fen(fen).expect("a position");
        let verdict = Solver::new().winnable(&position, side, Budget::of_positions(1_000));
        assert!(verdict.is_unwinnable(), "{fen} for {side}: {verdict:?}");
    }
}

/// Counts mates, around `wanted` fences and endings, in which every check is a new one. There is no other kind unless
/// somebody has castled.
fn new_checks(wanted: usize, seed: u64) -> u64 {
    let mut dice = TestRng(seed);
    let seeds = seeds();
    let mut mates = 0;
    for _ in 0..wanted {
        let setup = match dice.roll(2) {
            0 => ending(&mut dice),
            _ => propose::<Atomic>(&seeds, &mut dice),
        };
        let root = Position::<Atomic>::from_setup(&setup).ok();
        let Some(packed) = root.and_then(|root| root.pack()) else {
            continue;
        };
        let mut seen = HashSet::from([packed]);
        let mut waiting = vec![packed];
        while let Some(packed) = waiting.pop() {
            let position = packed.unpack();
            for &mv in &position.legal_moves() {
                let next = position.after(mv);
                let Some(packed) = next.pack() else {
                    continue;
                };
                if next.is_checkmate() && !mv.kind().is_castling() {
                    let loser = next.turn();
                    let king = next.board().king_of(loser).expect("he is mated");
                    let [before, after] = [position.board(), next.board()]
                        .map(|board| board.attackers(king, !loser, board.occupied()));
                    let is_new = (before & after).is_empty();
                    assert!(is_new, "{} after {mv:?}", position.fen());
                    mates += 1;
                }
                if seen.len() < 1_000 && seen.insert(packed) {
                    waiting.push(packed);
                }
            }
        }
    }
    mates
}

#[test]
fn mates_of_atomic_are_given_by_new_checks() {
    assert!(new_checks(200, 0x6e65_7763_6865_636b) > 100);
}

/// Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_mates_of_atomic_are_given_by_new_checks() {
    let mates = new_checks(50_000, 0x2026_1117_6368_6563);
    println!("{mates} mates, each by a new check");
}

/// Pairs of blocked pawns on files that are mostly apart, so that there are few captures; kings anywhere or in a corner
/// of their own; sometimes a piece, or a mutation of all of it.
fn fence(dice: &mut TestRng) -> Setup {
    let mut setup = Setup {
        turn: dice.color(),
        ..Setup::empty()
    };
    let mut file = dice.roll(2);
    while file < 8 {
        let lower = 1 + dice.roll(5);
        let upper = match dice.roll(3) {
            0 => lower + 1 + dice.roll(6 - lower),
            _ => lower + 1,
        };
        let [white, black] =
            [lower, upper].map(|rank| Square::at(File::ALL[file], Rank::ALL[rank]));
        setup.board.set(white, Role::Pawn.of(Color::White));
        setup.board.set(black, Role::Pawn.of(Color::Black));
        file += if dice.chance(8) { 1 } else { 2 };
    }
    for _ in 0..dice.roll(3) {
        let role = [Role::Bishop, Role::Bishop, Role::Knight, Role::Pawn][dice.roll(4)];
        let at = dice.square();
        if role != Role::Pawn || !Bitboard::BACK_RANKS.contains(at) {
            setup.board.set(at, role.of(dice.color()));
        }
    }
    for color in Color::ALL {
        let near = |square: Square| {
            let rank = Rank::ALL[usize::from(square.rank().index()) % 3];
            Square::at(square.file(), rank.of(color))
        };
        let at = dice.square();
        let at = if dice.chance(3) { at } else { near(at) };
        setup.board.set(at, Role::King.of(color));
    }
    if dice.chance(4) {
        mutate(&mut setup, dice);
    }
    setup
}

/// Pawns on their last rank, where those of simple Atomic stay, and some pieces that could capture them or be captured
/// by others.
fn arrived(dice: &mut TestRng) -> Setup {
    let mut setup = Setup {
        turn: dice.color(),
        ..Setup::empty()
    };
    for _ in 0..=dice.roll(5) {
        let color = dice.color();
        let at = Square::at(File::ALL[dice.roll(8)], Rank::Eighth.of(color));
        setup.board.set(at, Role::Pawn.of(color));
    }
    for _ in 0..dice.roll(3) {
        let role = [Role::Bishop, Role::Bishop, Role::Knight, Role::Pawn][dice.roll(4)];
        let at = dice.square();
        if role != Role::Pawn || !Bitboard::BACK_RANKS.contains(at) {
            setup.board.set(at, role.of(dice.color()));
        }
    }
    for color in Color::ALL {
        let corner = Square::at(File::ALL[7 * dice.roll(2)], Rank::First.of(color));
        let is_home = dice.chance(2);
        let at = if is_home { corner } else { dice.square() };
        setup.board.set(at, Role::King.of(color));
        for _ in 0..dice.roll(4) {
            let beside = at.offset(dice.roll(3) as i8 - 1, dice.roll(3) as i8 - 1);
            let beside = beside.filter(|&at| setup.board.role_at(at).is_none());
            if let Some(beside) = beside.filter(|at| !Bitboard::BACK_RANKS.contains(*at)) {
                setup.board.set(beside, Role::Pawn.of(dice.color()));
            }
        }
    }
    setup
}

/// Fences, walled-in kings, pawns on the last rank, and mutated positions of chess.
pub(super) fn propose<R: Rules>(seeds: &[Setup], dice: &mut TestRng) -> Setup {
    match dice.roll(8) {
        0 | 1 => {
            let mut setup = seeds[dice.roll(seeds.len())];
            mutate(&mut setup, dice);
            setup
        }
        2 if R::HAS_CHECK => castling::castle::<R>(&fence(dice), dice),
        3..=6 if !R::HAS_PROMOTION => arrived(dice),
        _ => fence(dice),
    }
}

/// Returns how many unwinnable results were confirmed.
fn check_fences<R: Rules>(wanted: u64, seed: u64) -> u64 {
    let seeds = seeds();
    examine::<R>(wanted, seed, USUAL_EFFORT, |dice| {
        propose::<R>(&seeds, dice)
    })
    .confirmed
}

#[test]
fn fences_of_atomic_agree_with_the_plain_closure() {
    assert!(check_fences::<Atomic>(600, 0x6665_6e63_6573_2121) > 20);
}

#[test]
fn fences_of_simple_atomic_agree_with_the_plain_closure() {
    assert!(check_fences::<SimpleAtomic>(600, 0x7369_6d70_6c65_2121) > 20);
}

/// Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_fences_of_atomic_agree_with_the_plain_closure() {
    assert!(check_fences::<Atomic>(80_000, 0x2026_1117_dead_beef) >= 20_000);
}

/// Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes ten minutes"]
fn many_fences_of_simple_atomic_agree_with_the_plain_closure() {
    assert!(check_fences::<SimpleAtomic>(150_000, 0x2026_1118_dead_beef) >= 20_000);
}
