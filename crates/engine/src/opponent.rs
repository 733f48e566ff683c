//! [`Opponent`]: the built-in player at a board. It chooses moves at its level, takes a draw when that is the
//! best it can hope for, and gives up what is hopeless. Claims and offers are the arbiter's: it is asked, and
//! never claims by itself.

use touchmove_rules::{AnyPosition, Color, Move};

use crate::{Engine, Level, Limits, Score, SearchObserver, TranspositionTable};

/// What somebody on move sees.
#[derive(Clone, Copy, Debug)]
pub struct OpponentView<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// The keys of the positions before it, the oldest first.
    pub past: &'a [u64],
    /// The move that led to it.
    pub last: Option<Move>,
}

/// What the opponent does when it is on move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpponentAction {
    /// It moves.
    Move(Move),
    /// It gives up.
    Resign,
}

/// Positions looked at with open eyes, whatever the level, before a draw is taken or a game given up.
const FULL_STRENGTH_NODES: u64 = 20_000;
/// What is hopeless, in hundredths of a pawn.
const RESIGN_SCORE: i32 = -1000;
/// How many of its moves in a row it must be hopeless before it gives up.
const RESIGN_AFTER_MOVES: u32 = 3;
/// Whoever stands as much worse takes any draw.
const ACCEPT_DRAW_SCORE: i32 = -60;
/// The same in the opening, where White's first move still counts and little is decided.
const ACCEPT_DRAW_SCORE_OPENING: i32 = -200;
/// The move with which the opening is over for this.
const OPENING_MOVES: u32 = 10;
/// Up to here it may be called even.
const EVEN_SCORE: i32 = 25;
/// From this move on, or after so many plies without progress, an even game may end in peace.
const ENDGAME_MOVE: u32 = 35;
const QUIET_HALFMOVES: u32 = 20;

/// The built-in player with its level, its seed and what it remembers of a game.
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
    /// Its moves in a row at which nothing was to be hoped for.
    hopeless: u32,
    megabytes: usize,
    /// What it remembers of its searches, made when it is needed.
    memory: Option<(Engine, TranspositionTable)>,
}

impl Opponent {
    /// A player of this level. The seed is drawn once for a game, and makes it unlike another; memory is
    /// in megabytes.
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

    /// Gives back the memory of its searches. The next move begins without it.
    pub fn forget(&mut self) {
        self.memory = None;
    }

    /// The same under the term that hopeless games are given up, or that they are played to their end.
    #[must_use]
    pub fn resigning(mut self, resigns: bool) -> Opponent {
        self.resigns = resigns;
        self
    }

    /// How strong it plays.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// What it does now; nothing, if there is no legal move. `most` are the positions that the strongest
    /// level looks at.
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

    /// Whether it has been hopeless for long enough. Whoever is about to be mated lets it happen: the
    /// opponent has earned it.
    fn gives_up(&mut self, sight: &OpponentView<'_>, watch: &mut dyn SearchObserver) -> bool {
        let score = self.clear_look(sight, watch);
        let is_hopeless = match score {
            Score::Mate(moves) => moves <= 0,
            Score::Centipawns(value) => value <= RESIGN_SCORE,
        };
        self.hopeless = if is_hopeless { self.hopeless + 1 } else { 0 };
        self.hopeless >= RESIGN_AFTER_MOVES && !matches!(score, Score::Mate(-2..=0))
    }

    /// Whether it takes a draw that is offered, or that it may claim, as the player of this colour.
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

    /// What the position is worth to the side on move, with open eyes.
    fn clear_look(&mut self, sight: &OpponentView<'_>, watch: &mut dyn SearchObserver) -> Score {
        let limits = Limits {
            nodes: Some(FULL_STRENGTH_NODES),
            ..Limits::default()
        };
        // A look of its own: the level's next move shall not know what was seen here.
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

    /// A rook and a queen to nothing, and no mate at once.
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
        // A farther one, so that mate is not at the door.
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
