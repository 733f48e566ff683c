//! Tests the argument of the parent module step by step: any legal move from a position that an outline covers leads to
//! one that a following outline covers, and a mate to one suspected of it. Whole proofs are tested elsewhere.

use touchmove_rules::{
    Bitboard, Chess, Chess960, Color, Move, MoveList, Piece, Position, Role, Rules, Square,
};

use crate::fuzz::caged_kings::{choice, position};
use crate::fuzz::{TestRng, seeds};
use crate::proof::outline::Outlines;
use crate::proof::outline::abstract_position::Outline;

/// The outlines of a position along a series of moves.
struct Trial {
    outlines: Outlines,
    /// The sides with pawns that were treated as changelings.
    roaming: [bool; 2],
}

/// Counts of what was seen.
#[derive(Debug, Default)]
struct Count {
    moves: u64,
    in_passing: u64,
    castled: u64,
    mates: u64,
    proofs: u64,
}

impl Trial {
    /// Starts from a position. Reaches may be made too large, promotions assumed, and empty squares taken as known: the
    /// argument holds all the same.
    fn begin<R: Rules>(
        start: &Position<R>,
        winner: Color,
        ghosts: Bitboard,
        dice: &mut TestRng,
    ) -> Trial {
        let board = start.board();
        let pawns = board.by_role(Role::Pawn) & ghosts;
        let mut outlines = Outlines::of(start, winner, ghosts);
        let mut first = outlines.waiting.pop().expect("the first outline");
        if dice.chance(2) {
            for ghost in &mut outlines.ghosts {
                ghost.reach |= (0..dice.roll(4)).map(|_| dice.square()).collect();
            }
        }
        for color in Color::ALL {
            if dice.chance(16) {
                first.changed[color as usize] = true;
                outlines.changelings[color as usize].insert(dice.square());
            }
        }
        if dice.chance(2) {
            first.bare = dice.some_of(!board.occupied());
        }
        outlines.waiting.push(first);
        Trial {
            outlines,
            roaming: Color::ALL.map(|color| (pawns & board.by_color(color)).any()),
        }
    }

    /// Follows the waiting outline until no reach grows any more.
    fn follow(&mut self) {
        let Some(outline) = self.outlines.waiting.pop() else {
            return;
        };
        loop {
            self.outlines.seen.clear();
            self.outlines.waiting.clear();
            self.outlines.suspects.clear();
            self.outlines.grow(&outline);
            self.outlines.follow(&outline);
            if !std::mem::take(&mut self.outlines.grown) {
                return;
            }
        }
    }

    fn covers<R: Rules>(&self, outline: &Outline, position: &Position<R>) -> bool {
        let (solid, board) = (&outline.board, position.board());
        let stands = |(at, man)| board.piece_at(at) == Some(man);
        let knows_passed = position.passed_square().is_none_or(|passed| {
            let passer = passed.set().forward(!position.turn());
            outline.passed == Some(passed) || (passer & solid.occupied()).is_empty()
        });
        let mut bodies = vec![None; self.outlines.ghosts.len()];
        outline.turn == position.turn()
            && (outline.bare & board.occupied()).is_empty()
            && position.castling_rights().is_subset(outline.castling)
            && solid.iter().all(stands)
            && knows_passed
            && board.iter().all(|(at, man)| {
                solid.occupied().contains(at)
                    || self.may_be_changeling(outline, man, at)
                    || self.embody((at, man), &mut { outline.alive }, &mut bodies)
            })
    }

    /// Checks a move from a position that the last followed outline covers; the error says what is wrong.
    fn judge<R: Rules>(&self, at: &Position<R>, mv: Move, count: &mut Count) -> Result<(), String> {
        let Outlines {
            winner,
            seen,
            suspects,
            ..
        } = &self.outlines;
        let next = at.after(mv);
        let is_alone = !next.board().by_color(*winner).more_than_one();
        let is_mate = next.is_checkmate() && next.turn() != *winner;
        count.moves += 1;
        count.in_passing += u64::from(mv.kind().is_en_passant());
        count.castled += u64::from(mv.kind().is_castling());
        count.mates += u64::from(is_mate);
        if !is_alone && !seen.iter().any(|outline| self.covers(outline, &next)) {
            return Err(format!("{}: {mv:?} for {winner} is not covered", at.fen()));
        }
        if is_mate && !suspects.iter().any(|outline| self.covers(outline, &next)) {
            return Err(format!("{}: {mv:?} is a mate", at.fen()));
        }
        Ok(())
    }

    /// Whether a piece of the position may be a changeling.
    fn may_be_changeling(&self, outline: &Outline, man: Piece, at: Square) -> bool {
        let side = man.color as usize;
        man.role != Role::King
            && outline.changed[side]
            && self.outlines.changelings[side].contains(at)
            && (man.role != Role::Pawn || self.roaming[side])
    }

    /// Finds an untried ghost for a piece; moves other pieces to other ghosts where needed.
    fn embody(
        &self,
        (at, man): (Square, Piece),
        unasked: &mut u32,
        bodies: &mut [Option<(Square, Piece)>],
    ) -> bool {
        for (number, ghost) in self.outlines.ghosts.iter().enumerate() {
            let is_own = self.outlines.of[man.color as usize] & *unasked & 1 << number != 0;
            if is_own && ghost.role == man.role && ghost.reach.contains(at) {
                *unasked &= !(1 << number);
                if bodies[number].is_none_or(|other| self.embody(other, unasked, bodies)) {
                    bodies[number] = Some((at, man));
                    return true;
                }
            }
        }
        false
    }
}

/// Plays some moves, and checks all legal moves on the way.
fn play<R: Rules>(start: &Position<R>, dice: &mut TestRng, count: &mut Count) {
    const PLIES: usize = 10;
    let winner = dice.color();
    let ghosts = choice(start, dice);
    let mut trial = Trial::begin(start, winner, ghosts, dice);
    let mut at = *start;
    let mut moves = MoveList::new();
    for _ in 0..PLIES {
        trial.follow();
        at.list_moves(&mut moves);
        for &mv in &moves {
            if let Err(fault) = trial.judge(&at, mv, count) {
                panic!("{fault}; from {} with ghosts on {ghosts:?}", start.fen());
            }
        }
        if moves.is_empty() {
            return;
        }
        // Prefer rare moves: pawns that pass and are captured, and castling.
        let mut tries = [0; 6].map(|_| moves[dice.roll(moves.len())]).into_iter();
        let passing = tries.clone().find(|&mv| {
            let kind = mv.kind();
            let passes = at.after(mv).passed_square().is_some();
            passes || kind.is_en_passant() || kind.is_castling()
        });
        let Some(mv) = passing.or_else(|| tries.next()) else {
            return;
        };
        at.play(mv);
        let covering = trial.outlines.seen.iter().filter(|o| trial.covers(o, &at));
        let covering: Vec<Outline> = covering.copied().collect();
        if covering.is_empty() {
            return;
        }
        let next = covering[dice.roll(covering.len())];
        trial.outlines.waiting = vec![next];
    }
}

/// Follows every outline of a proof once more: nothing new may result.
fn follow_again<R: Rules>(start: &Position<R>, dice: &mut TestRng, count: &mut Count) {
    const MOST: u64 = 100;
    let mut outlines = Outlines::of(start, dice.color(), choice(start, dice));
    if outlines.close(MOST, &|| false).proof.is_none() {
        return;
    }
    count.proofs += 1;
    let all: Vec<Outline> = outlines.seen.iter().copied().collect();
    for outline in &all {
        outlines.grow(outline);
        outlines.follow(outline);
    }
    let is_closed =
        outlines.seen.len() == all.len() && outlines.suspects.is_empty() && !outlines.grown;
    assert!(is_closed, "{}", start.fen());
}

fn try_out<R: Rules>(wanted: u64, seed: u64) -> Count {
    let seeds = seeds();
    let mut dice = TestRng(seed);
    let mut count = Count::default();
    let mut looked = 0;
    while looked < wanted {
        if let Some(start) = position::<R>(&seeds, &mut dice) {
            looked += 1;
            if looked % 50_000 == 0 {
                println!("{looked} positions so far: {count:?}");
            }
            play(&start, &mut dice, &mut count);
            follow_again(&start, &mut dice, &mut count);
        }
    }
    println!(
        "{looked} positions of {}, seed {seed:#x}: {count:?}",
        R::VARIANT
    );
    count
}

#[test]
fn legal_moves_lead_from_outlines_to_outlines_and_mates_are_suspected() {
    try_out::<Chess>(300, 0x6f75_746c_696e_6573);
    let count = try_out::<Chess960>(300, 0x6f75_746c_696e_3936);
    assert!(count.castled > 0);
}

/// Some minutes in a release build. Run it with `--ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn many_legal_moves_lead_from_outlines_to_outlines_and_mates_are_suspected() {
    try_out::<Chess>(300_000, 0x7374_6570_7321_2121);
    try_out::<Chess960>(100_000, 0x7374_6570_7321_3936);
}

/// Runs a trial with these ghosts, and checks each second move after the first is played.
fn judged(fen: &str, ghosts: &[&str], reach: &[(&str, &str)], moves: &[(&str, &str)]) -> Count {
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let mut at = Position::<Chess>::from_fen(fen).expect("a position");
    let last_mover = [at.turn(), !at.turn()][(moves.len() + 1) % 2];
    let men = ghosts.iter().map(|at| square(at)).collect();
    let mut trial = Trial {
        outlines: Outlines::of(&at, last_mover, men),
        roaming: [true; 2],
    };
    for ghost in &mut trial.outlines.ghosts {
        for (from, to) in reach {
            if ghost.reach.contains(square(from)) {
                ghost.reach.insert(square(to));
            }
        }
    }
    let mut count = Count::default();
    for (from, to) in moves {
        let legal = at.legal_moves();
        let mut wanted = legal
            .iter()
            .filter(|mv| mv.from() == square(from) && mv.to() == square(to));
        let mv = *wanted.next().expect("a legal move");
        trial.follow();
        trial
            .judge(&at, mv, &mut count)
            .expect("the argument holds");
        at.play(mv);
        let covering = trial.outlines.seen.iter().find(|o| trial.covers(o, &at));
        trial.outlines.waiting = covering.copied().into_iter().collect();
    }
    count
}

#[test]
fn a_man_beside_the_king_makes_room_for_one_who_can_stand_nowhere_else() {
    let smothered = "kn6/bp6/8/3N4/8/8/8/K7 w - - 0 1";
    let count = judged(smothered, &["a7", "b8"], &[("a7", "b8")], &[("d5", "c7")]);
    assert_eq!(count.mates, 1);
}

#[test]
fn a_roaming_pawn_taken_in_passing_uncovers_a_check() {
    let interposed = "R7/8/4p3/1b2P3/1p4r1/1P6/2P2pNk/Q2n1K2 w - - 0 1";
    let count = judged(
        interposed,
        &["b5", "c2"],
        &[],
        &[("c2", "c4"), ("b4", "c3")],
    );
    assert_eq!((count.in_passing, count.mates), (1, 1));
}

#[test]
fn two_ghosts_mate_together() {
    let ladder = "7k/R7/8/8/8/8/1R6/K7 w - - 0 1";
    let count = judged(ladder, &["a7", "b2"], &[("b2", "b8")], &[("b2", "b8")]);
    assert_eq!(count.mates, 1);
}

#[test]
fn nobody_castles_over_a_solid_man() {
    for (home, may_castle) in [
        ("R3K3", true),
        ("RN2K3", false),
        ("R1B1K3", false),
        ("R2QK3", false),
    ] {
        let fen = format!("4k3/8/8/8/8/8/8/{home} w Q - 0 1");
        let at = Position::<Chess>::from_fen(&fen).expect("a position");
        let outlines = Outlines::of(&at, Color::White, Bitboard::EMPTY);
        let first = outlines.waiting.last().expect("the first outline");
        assert_eq!(first.castled(Square::A1).is_some(), may_castle, "{fen}");
    }
}
