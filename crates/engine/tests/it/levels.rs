//! The nine levels as players: the same on every machine, different from game to game, never absurd. Their relative
//! strength is measured elsewhere.

use touchmove_engine::{Engine, Level, NoObserver, TranspositionTable};
use touchmove_rules::{AnyPosition, Move, Role, Variant};

/// Pseudorandom numbers, the same every time.
struct Lots(u64);

impl Lots {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

fn choose(level: Level, position: &AnyPosition, last: Option<Move>, seed: u64) -> Option<Move> {
    let limits = level.limits_after(position, last, seed, 2000);
    let table = TranspositionTable::with_megabytes(1);
    let found = Engine::new().search_any(position, &[], &limits, &table, &mut NoObserver);
    found.best()
}

/// The weak levels, which overlook things.
const BLIND: [Level; 4] = [
    Level::FirstSteps,
    Level::Beginner,
    Level::Casual,
    Level::ClubNovice,
];

/// Visits positions of games that a weak level plays with itself, with the move that led there.
fn games(
    variant: Variant,
    seed: u64,
    count: usize,
    mut visit: impl FnMut(&AnyPosition, Option<Move>),
) {
    let mut lots = Lots(seed);
    for _ in 0..count {
        let mut position = AnyPosition::start(variant);
        let mut last = None;
        for _ in 0..80 {
            if position.outcome().is_some() {
                break;
            }
            visit(&position, last);
            let moves = position.legal_moves();
            // Random moves, biased towards captures, so that there is something to recapture.
            let captures = position.captures();
            let mv = match captures.is_empty() || lots.below(3) == 0 {
                true => moves[lots.below(moves.len())],
                false => captures[lots.below(captures.len())],
            };
            position.play(mv);
            last = Some(mv);
        }
    }
}

/// The first moves of a game that a level plays with itself.
fn beginning(level: Level, variant: Variant, seed: u64) -> Vec<Move> {
    let mut position = AnyPosition::start(variant);
    let mut moves = Vec::new();
    for _ in 0..6 {
        let Some(mv) = choose(level, &position, moves.last().copied(), seed) else {
            break;
        };
        position.play(mv);
        moves.push(mv);
    }
    moves
}

#[test]
fn a_level_plays_the_same_for_the_same_seed_and_not_always_the_same() {
    for variant in Variant::ALL {
        for level in [Level::FirstSteps, Level::Casual, Level::StrongClub] {
            let games: Vec<_> = (0..6).map(|seed| beginning(level, variant, seed)).collect();
            assert_eq!(beginning(level, variant, 3), games[3]);
            assert!(
                games.iter().any(|game| *game != games[0]),
                "{variant} {level}"
            );
        }
    }
}

#[test]
fn a_weak_level_takes_back_what_was_just_taken() {
    let mut count = 0;
    games(Variant::Chess, 5, 12, |position, last| {
        let Some(last) = last.filter(|last| last.is_capture()) else {
            return;
        };
        let board = position.board();
        let Some(taker) = board
            .role_at(last.to())
            .filter(|role| *role >= Role::Knight)
        else {
            return;
        };
        let legal = position.legal_moves();
        // A pawn that recaptures a piece loses nothing, whatever the reply.
        let by_pawn =
            |mv: &Move| mv.role() == Role::Pawn && mv.to() == last.to() && mv.is_capture();
        if !legal.iter().any(by_pawn) {
            return;
        }
        for level in BLIND {
            let mv = choose(level, position, Some(last), 3).unwrap();
            let takes_back = mv.to() == last.to() && mv.is_capture();
            let captive = mv
                .captured_square()
                .and_then(|square| board.role_at(square));
            let takes_more = captive.is_some_and(|role| role >= taker);
            let mates = position.after(mv).is_checkmate();
            count += 1;
            assert!(
                takes_back || takes_more || mates,
                "{level} {mv:?} in {}",
                position.fen()
            );
        }
    });
    assert!(count > 20, "{count}");
}

/// Whether the side on move wins material by capturing the queen.
fn loses_queen(position: &AnyPosition) -> bool {
    position.captures().into_iter().any(|mv| {
        let captive = mv
            .captured_square()
            .and_then(|square| position.board().role_at(square));
        captive == Some(Role::Queen) && mv.role() < Role::Queen
    })
}

#[test]
fn a_weak_level_does_not_leave_its_queen_to_a_lesser_man() {
    let mut count = 0;
    games(Variant::Chess, 9, 6, |position, last| {
        let us = position.turn();
        let queens = position.board().by_color_and_role(Role::Queen.of(us));
        if queens.len() != 1 || position.is_check() {
            return;
        }
        // Only where a move saves her without giving up anything else: any quiet one.
        let keeps = |mv: &Move| !mv.is_capture() && !loses_queen(&position.after(*mv));
        let safe = position.legal_moves().into_iter().filter(keeps).count();
        if safe < 5 {
            return;
        }
        for level in [Level::FirstSteps, Level::Beginner] {
            let mv = choose(level, position, last, 1).unwrap();
            let after = position.after(mv);
            let is_traded = mv.is_capture() || after.outcome().is_some() || after.is_check();
            count += 1;
            assert!(
                is_traded || !loses_queen(&after),
                "{level} {mv:?} in {}",
                position.fen()
            );
        }
    });
    assert!(count > 100, "{count}");
}

#[test]
fn from_the_third_level_on_a_mate_in_one_is_never_missed() {
    let mut count = 0;
    for variant in Variant::ALL {
        games(variant, 21, 8, |position, last| {
            let us = position.turn();
            let ends = |mv: &Move| {
                let outcome = position.after(*mv).outcome();
                outcome.and_then(touchmove_rules::Outcome::winner) == Some(us)
            };
            if !position.legal_moves().iter().any(ends) {
                return;
            }
            for level in [Level::Casual, Level::Club] {
                let mv = choose(level, position, last, 2).unwrap();
                count += 1;
                assert!(ends(&mv), "{level} {mv:?} in {}", position.fen());
            }
        });
    }
    assert!(count > 20, "{count}");
}

#[test]
fn the_first_level_beats_whoever_moves_at_random() {
    for (variant, games) in [(Variant::Chess, 6), (Variant::Atomic, 12)] {
        let mut lots = Lots(77);
        let mut lost = 0;
        for game in 0..games {
            let mut position = AnyPosition::start(variant);
            let mut last = None;
            let is_white = game % 2 == 0;
            for _ in 0..200 {
                if position.outcome().is_some() {
                    break;
                }
                let mv = if position.turn().is_white() == is_white {
                    choose(Level::FirstSteps, &position, last, game as u64).unwrap()
                } else {
                    let moves = position.legal_moves();
                    moves[lots.below(moves.len())]
                };
                position.play(mv);
                last = Some(mv);
            }
            let winner = position
                .outcome()
                .and_then(touchmove_rules::Outcome::winner);
            lost += usize::from(winner.is_some_and(|winner| winner.is_white() != is_white));
        }
        assert_eq!(lost, 0, "{variant}");
    }
}
