//! [`Threat`]: what the opponent would play after a null move, in words with squares.

use touchmove_engine::{
    Engine, Limits, PrincipalVariation, Score, SearchObserver, TranspositionTable,
};
use touchmove_rules::{AnyPosition, Bitboard, Color, Move, Role, Square};

use crate::variation_text::{mate_words, sans, shortened};

/// The size of the transposition table, in megabytes.
const THREAT_TABLE_MEGABYTES: usize = 16;
/// What a free move must win, in hundredths of a pawn, to be called a threat.
const MIN_THREAT_CENTIPAWNS: i32 = 130;
/// The same for a quiet move: a free tempo is always worth something.
const MIN_QUIET_THREAT_CENTIPAWNS: i32 = 250;
/// The value of a queen.
const QUEEN_CENTIPAWNS: i32 = 900;

/// What the opponent threatens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The threat as a sentence.
    pub text: String,
    /// The squares involved.
    pub squares: Bitboard,
    /// The line of the threat; empty if there is none.
    pub line: Vec<Move>,
}

impl Threat {
    /// What threatens the side on move.
    ///
    /// ```
    /// use touchmove_coach::Threat;
    /// use touchmove_engine::NoObserver;
    /// use touchmove_rules::{AnyPosition, Variant};
    ///
    /// let fen = "rnbqkb1r/pppppppp/8/6N1/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1";
    /// let position = AnyPosition::from_fen(fen, Variant::Atomic).unwrap();
    /// let threat = Threat::to(&position, &[], 5000, &mut NoObserver);
    /// assert_eq!(threat.text, "Nxf7# would explode f7 and take your king on e8.");
    /// ```
    #[must_use]
    pub fn to(
        position: &AnyPosition,
        past: &[u64],
        nodes: u64,
        watch: &mut dyn SearchObserver,
    ) -> Threat {
        if position.outcome().is_some() {
            return Threat::none("The game is over.");
        }
        let Some(passed) = position.null_move() else {
            return in_check(position);
        };
        let mut engine = Engine::new();
        let table = TranspositionTable::with_megabytes(THREAT_TABLE_MEGABYTES);
        let limits = Limits {
            nodes: Some(nodes / 2),
            ..Limits::default()
        };
        let now = engine.search_any(position, past, &limits, &table, watch);
        let free = engine.search_any(&passed, &[], &limits, &table, watch);
        let (Some(now), Some(free)) = (now.lines.first(), free.lines.first()) else {
            return Threat::none("Nothing is threatened at once.");
        };
        describe(&passed, now, free)
    }

    fn none(text: &str) -> Threat {
        Threat {
            text: text.to_owned(),
            squares: Bitboard::EMPTY,
            line: Vec::new(),
        }
    }
}

fn in_check(position: &AnyPosition) -> Threat {
    let board = position.board();
    let checkers = position.checkers();
    let king = board.king_of(position.turn());
    let men: Vec<String> = checkers
        .into_iter()
        .filter_map(|square| Some(format!("the {} on {square}", board.role_at(square)?)))
        .collect();
    Threat {
        text: format!("You are in check from {}.", men.join(" and ")),
        squares: checkers | king.map_or(Bitboard::EMPTY, Square::set),
        line: Vec::new(),
    }
}

/// Describes what the opponent's free move does, compared with the score that the side on move has now.
fn describe(passed: &AnyPosition, now: &PrincipalVariation, free: &PrincipalVariation) -> Threat {
    let (them, mv) = (passed.turn(), free.moves[0]);
    let san = passed.san(mv);
    let is_quiet = !mv.is_capture() && mv.promotes_to().is_none();
    let (wins, gain) = match (free.score, now.score) {
        (Score::Mate(moves @ 1..), _) => (Some(moves.unsigned_abs()), i32::MAX),
        (Score::Centipawns(free), Score::Centipawns(now)) => (None, free + now),
        // A side that could win at once and passes loses as much as a queen.
        (Score::Centipawns(free), Score::Mate(1..)) if !is_quiet => (None, free + QUEEN_CENTIPAWNS),
        // A side that is lost anyway has nothing more to fear.
        _ => (None, 0),
    };
    let (took, taken) = losses(passed, mv, !them);
    let shown = sans(passed, shortened(&free.moves, wins));
    let text = match wins {
        _ if passed.board().king_of(!them).is_some() && takes_king(passed, mv) => {
            let king = passed.board().king_of(!them).unwrap_or(mv.to());
            format!(
                "{san} would explode {} and take your king on {king}.",
                mv.to()
            )
        }
        Some(1) => format!("{san} would be checkmate."),
        Some(moves) => {
            format!("{san} would win in {}: {shown}.", mate_words(moves))
        }
        None if gain < MIN_THREAT_CENTIPAWNS
            || (is_quiet && gain < MIN_QUIET_THREAT_CENTIPAWNS) =>
        {
            return Threat::none("Nothing is threatened at once.");
        }
        None if !taken.is_empty() => {
            let blast = passed.exploded_squares(mv);
            let explodes = match blast.is_empty() {
                true => String::new(),
                false => format!("explode {} and ", mv.to()),
            };
            format!("{san} would {explodes}take {}.", listed(&taken))
        }
        None if mv.promotes_to().is_some() => {
            format!(
                "{san} would make a new {}.",
                mv.promotes_to().unwrap_or(Role::Queen)
            )
        }
        None => {
            let pawns = (gain + 50) / 100;
            let many = if pawns == 1 {
                "a pawn"
            } else {
                &format!("{pawns} pawns")
            };
            format!("{san} would be worth about {many} to {them}: {shown}.")
        }
    };
    let king = passed.board().king_of(!them).filter(|_| wins.is_some());
    Threat {
        text,
        squares: took | mv.from().set() | mv.to().set() | king.map_or(Bitboard::EMPTY, Square::set),
        line: free.moves.clone(),
    }
}

fn takes_king(position: &AnyPosition, mv: Move) -> bool {
    let king = position.board().king_of(!position.turn());
    king.is_some_and(|king| position.exploded_squares(mv).contains(king))
}

/// The pieces of a side that a move removes, as squares and in words.
fn losses(position: &AnyPosition, mv: Move, side: Color) -> (Bitboard, Vec<String>) {
    let board = position.board();
    let captive = mv.captured_square().map_or(Bitboard::EMPTY, Square::set);
    let dead = (position.exploded_squares(mv) | captive) & board.by_color(side);
    let mut men: Vec<(Role, Square)> = dead
        .into_iter()
        .filter_map(|square| Some((board.role_at(square)?, square)))
        .collect();
    // Most valuable first.
    men.sort_by_key(|&(role, square)| (std::cmp::Reverse(role as u8), square));
    let words = men
        .into_iter()
        .map(|(role, square)| format!("your {role} on {square}"));
    (dead, words.collect())
}

fn listed(men: &[String]) -> String {
    match men {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_engine::NoObserver;
    use touchmove_rules::Variant;

    fn threat(fen: &str, variant: Variant) -> Threat {
        let position = AnyPosition::from_fen(fen, variant).unwrap();
        Threat::to(&position, &[], 20_000, &mut NoObserver)
    }

    #[test]
    fn a_man_that_stands_to_be_taken_is_named_with_its_square() {
        let found = threat(
            "4k3/pp3ppp/8/3q4/8/4N3/PP3PPP/4K3 b - - 0 1",
            Variant::Chess,
        );
        assert_eq!(found.text, "Nxd5 would take your queen on d5.");
        assert!(found.squares.contains(Square::D5) && found.squares.contains(Square::E3));
    }

    #[test]
    fn nothing_is_made_up() {
        for variant in [Variant::Chess, Variant::SimpleAtomic] {
            let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
            let found = threat(start, variant);
            assert_eq!(found.text, "Nothing is threatened at once.");
            assert!(found.line.is_empty() && found.squares.is_empty());
        }
    }

    #[test]
    fn a_check_and_the_end_are_said_as_they_are() {
        let check = threat("4k3/8/8/8/1b6/8/4r3/4K3 w - - 0 1", Variant::Chess);
        assert_eq!(
            check.text,
            "You are in check from the rook on e2 and the bishop on b4."
        );
        let over = threat("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1", Variant::Chess);
        assert_eq!(over.text, "The game is over.");
    }

    #[test]
    fn a_blast_names_all_that_it_takes_the_dearest_first() {
        let fen = "r2qk2r/pbp2ppp/1p6/4N3/8/8/PPPP1PPP/R1BQK2R b KQkq - 0 1";
        let found = threat(fen, Variant::Atomic);
        assert!(
            found.text.contains("explode f7 and take your king on e8"),
            "{}",
            found.text
        );
        let fen = "rq5k/1n4pp/8/8/8/6P1/1R5P/7K b - - 0 1";
        let found = threat(fen, Variant::Atomic);
        assert_eq!(
            found.text,
            "Rxb7 would explode b7 and take your queen on b8, your rook on a8 and your knight on b7."
        );
    }

    #[test]
    fn a_longer_win_comes_with_its_line() {
        let fen = "6k1/5ppp/8/8/8/8/rr3PPP/4R1K1 b - - 0 1";
        let found = threat(fen, Variant::Chess);
        assert_eq!(found.text, "Re8# would be checkmate.");
    }
}
