//! [`Opponent`]: the built-in player in a game. It chooses moves at its level, accepts a draw when that is the best it
//! can hope for, and resigns hopeless positions. It never claims or offers a draw by itself: the caller asks it.

use touchmove_rules::{AnyPosition, Color, Move};

use crate::{Engine, Level, Limits, Score, SearchObserver, TranspositionTable};

/// What the player on move sees.
#[derive(Clone, Copy, Debug)]
pub struct OpponentView<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// The keys of the positions before it, the oldest first.
    pub past: &'a [u64],
    /// The move that led to it.
    pub last: Option<Move>,
}

/// What the opponent does on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpponentAction {
    /// It plays this move.
    Move(Move),
    /// It resigns.
    Resign,
}

/// The positions searched at full strength, whatever the level, before it accepts a draw or resigns.
const FULL_STRENGTH_NODES: u64 = 20_000;
/// A score below this is hopeless, in hundredths of a pawn.
const RESIGN_SCORE: i32 = -1000;
/// How many moves in a row the score must be hopeless before it resigns.
const RESIGN_AFTER_MOVES: u32 = 3;
/// With a score this low it accepts any draw.
const ACCEPT_DRAW_SCORE: i32 = -60;
/// The same in the opening, where White's first move still counts and little is decided.
const ACCEPT_DRAW_SCORE_OPENING: i32 = -200;
/// The move number at which the opening ends for this.
const OPENING_MOVES: u32 = 10;
/// Up to this score a position counts as even.
const EVEN_SCORE: i32 = 25;
/// From this move on, or after this many plies without progress, it may accept a draw in an even game.
const ENDGAME_MOVE: u32 = 35;
const QUIET_HALFMOVES: u32 = 20;

/// The built-in player with its level, its seed and its state for a game.
///
/// ```
/// use touchmove_engine::{OpponentAction, Level, Opponent, OpponentView, NoObserver};
/// use touchmove_rules::{AnyPosition, Color, Variant};
///
/// let mut opponent = Opponent::new(Level::Casual, 7, 1);
/// let position = AnyPosition::start(Variant::Atomic);
/// let sight = OpponentView { position: &position, past: &[], last: None };
/// let Some(OpponentAction::Move(mv)) = opponent.choose(&sight, 1000, &mut NoObserver) else { panic!() };
/// assert!(position.is_legal(mv));
/// assert!(!opponent.takes_draw(&sight, Color::White, &mut NoObserver), "not at the first move");
/// ```
pub struct Opponent {
    level: Level,
    seed: u64,
    resigns: bool,
    /// Its hopeless moves in a row.
    hopeless: u32,
    megabytes: usize,
    /// The engine and its table, allocated when needed.
    memory: Option<(Engine, TranspositionTable)>,
}

impl Opponent {
    /// A player of this level. Draw the seed once for a game, so that games differ; `megabytes` is the size of the
    /// transposition table.
    #[must_use]
    pub fn new(level: Level, seed: u64, megabytes: usize) -> Opponent {
        Opponent {
            level,
            seed,
            resigns: true,
            hopeless: 0,
            megabytes,
            memory: None,
        }
    }

    /// Frees the memory of its searches. The next move starts without it.
    pub fn forget(&mut self) {
        self.memory = None;
    }

    /// Sets whether it resigns hopeless games or plays them to the end.
    #[must_use]
    pub fn resigning(mut self, resigns: bool) -> Opponent {
        self.resigns = resigns;
        self
    }

    /// Its level.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Its action; `None` if there is no legal move. `most` is the number of positions for the strongest level.
    pub fn choose(
        &mut self,
        sight: &OpponentView<'_>,
        most: u64,
        watch: &mut dyn SearchObserver,
    ) -> Option<OpponentAction> {
        let OpponentView { position, past, .. } = *sight;
        let limits = self
            .level
            .limits_after(position, sight.last, self.seed, most);
        let megabytes = self.megabytes;
        let (engine, table) = self
            .memory
            .get_or_insert_with(|| (Engine::new(), TranspositionTable::with_megabytes(megabytes)));
        let found = engine.search_any(position, past, &limits, table, watch);
        let best = found.best()?;
        if self.resigns && self.gives_up(sight, watch) {
            return Some(OpponentAction::Resign);
        }
        Some(OpponentAction::Move(best))
    }

    /// Whether it has been hopeless for long enough. About to be mated, it does not resign: the opponent has earned the
    /// mate.
    fn gives_up(&mut self, sight: &OpponentView<'_>, watch: &mut dyn SearchObserver) -> bool {
        let score = self.clear_look(sight, watch);
        let is_hopeless = match score {
            Score::Mate(moves) => moves <= 0,
            Score::Centipawns(value) => value <= RESIGN_SCORE,
        };
        self.hopeless = if is_hopeless { self.hopeless + 1 } else { 0 };
        self.hopeless >= RESIGN_AFTER_MOVES && !matches!(score, Score::Mate(-2..=0))
    }

    /// Whether it accepts a draw that is offered, or that it may claim, as the player of this colour.
    pub fn takes_draw(
        &mut self,
        sight: &OpponentView<'_>,
        us: Color,
        watch: &mut dyn SearchObserver,
    ) -> bool {
        let OpponentView { position, .. } = *sight;
        let score = match (self.clear_look(sight, watch), position.turn() == us) {
            (score, true) => score,
            (Score::Centipawns(value), false) => Score::Centipawns(-value),
            (Score::Mate(moves), false) => Score::Mate(-moves),
        };
        let is_late =
            position.fullmoves() >= ENDGAME_MOVE || position.halfmoves() >= QUIET_HALFMOVES;
        let worse = match position.fullmoves() < OPENING_MOVES {
            true => ACCEPT_DRAW_SCORE_OPENING,
            false => ACCEPT_DRAW_SCORE,
        };
        match score {
            Score::Mate(moves) => moves < 0 || (moves == 0 && position.turn() == us),
            Score::Centipawns(value) => value <= worse || (is_late && value <= EVEN_SCORE),
        }
    }

    /// The score of the position at full strength, for the side on move.
    fn clear_look(&mut self, sight: &OpponentView<'_>, watch: &mut dyn SearchObserver) -> Score {
        let limits = Limits {
            nodes: Some(FULL_STRENGTH_NODES),
            ..Limits::default()
        };
        // A separate table: the level's next move must not profit from this search.
        let table = TranspositionTable::with_megabytes(1);
        let found = Engine::new().search_any(sight.position, sight.past, &limits, &table, watch);
        let line = found.lines.first();
        line.map_or(Score::Centipawns(0), |line| line.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoObserver;
    use touchmove_rules::Variant;

    fn position(fen: &str) -> AnyPosition {
        AnyPosition::from_fen(fen, Variant::Chess).unwrap()
    }

    fn choose(opponent: &mut Opponent, fen: &str) -> OpponentAction {
        let position = position(fen);
        let sight = OpponentView {
            position: &position,
            past: &[],
            last: None,
        };
        opponent.choose(&sight, 2000, &mut NoObserver).unwrap()
    }

    /// Bare king against a queen and a rook, without a mate in one.
    const LOST: &str = "4k3/8/8/8/8/8/1QR5/4K3 b - - 0 40";

    #[test]
    fn a_hopeless_game_is_given_up_after_a_while_where_that_is_a_term() {
        let mut opponent = Opponent::new(Level::Club, 1, 1);
        let deeds: Vec<OpponentAction> = (0..3).map(|_| choose(&mut opponent, LOST)).collect();
        assert!(matches!(
            deeds[..2],
            [OpponentAction::Move(_), OpponentAction::Move(_)]
        ));
        let mut stubborn = Opponent::new(Level::Club, 1, 1).resigning(false);
        for _ in 0..5 {
            assert!(matches!(
                choose(&mut stubborn, LOST),
                OpponentAction::Move(_)
            ));
        }
        // One where mate is farther away.
        let far = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1";
        let mut beaten = Opponent::new(Level::Casual, 1, 1);
        let deeds: Vec<OpponentAction> = (0..3).map(|_| choose(&mut beaten, far)).collect();
        assert_eq!(deeds[2], OpponentAction::Resign, "{deeds:?}");
    }

    #[test]
    fn hope_in_between_begins_the_count_anew() {
        let far = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - 0 1";
        let even = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        let mut opponent = Opponent::new(Level::Casual, 1, 1);
        for fen in [far, far, even, far, far] {
            assert!(
                matches!(choose(&mut opponent, fen), OpponentAction::Move(_)),
                "{fen}"
            );
        }
        assert_eq!(choose(&mut opponent, far), OpponentAction::Resign);
    }

    fn takes_draw(fen: &str, us: Color) -> bool {
        let position = position(fen);
        let sight = OpponentView {
            position: &position,
            past: &[],
            last: None,
        };
        let mut opponent = Opponent::new(Level::Beginner, 3, 1);
        opponent.takes_draw(&sight, us, &mut NoObserver)
    }

    #[test]
    fn a_draw_is_taken_by_the_worse_side_and_late_by_both() {
        assert!(takes_draw(LOST, Color::Black));
        assert!(!takes_draw(LOST, Color::White));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(Color::ALL.into_iter().all(|us| !takes_draw(start, us)));
        let peace = "4k3/p6p/8/8/8/8/P6P/4K3 w - - 30 50";
        assert!(Color::ALL.into_iter().all(|us| takes_draw(peace, us)));
    }
}
