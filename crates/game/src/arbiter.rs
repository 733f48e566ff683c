//! The arbiter's eye on a position: whether the game ends with it, which draws may be claimed, and
//! what a fallen flag means. It knows positions and terms, but neither clocks nor players' wishes.

use touchmove_rules::{AnyPosition, Color, Outcome, material, with_position};

use crate::{DeadLaw, Draw, Draws, Ending, FlagLaw, Terms, Victory};

/// Occurrences of a position that allow a claim (FIDE 9.2).
const THREEFOLD: usize = 3;
/// Occurrences of a position that end the game (FIDE 9.6.1).
const FIVEFOLD: usize = 5;
/// Fifty moves by each side, in plies (FIDE 9.3).
const FIFTY_MOVES: u32 = 100;
/// Seventy-five moves by each side, in plies (FIDE 9.6.2).
const SEVENTY_FIVE_MOVES: u32 = 150;

/// A draw that the player on move may claim under [`Draws::Claim`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Claim {
    /// The position has come three times (FIDE 9.2).
    ThreefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn's move (FIDE 9.3).
    FiftyMoves,
}

impl Claim {
    /// Both claims.
    pub const ALL: [Claim; 2] = [Claim::ThreefoldRepetition, Claim::FiftyMoves];

    /// The draw that the claim leads to.
    #[must_use]
    pub const fn draw(self) -> Draw {
        match self {
            Claim::ThreefoldRepetition => Draw::ThreefoldRepetition,
            Claim::FiftyMoves => Draw::FiftyMoves,
        }
    }

    /// The name that programs know the claim by.
    #[must_use]
    pub const fn status(self) -> &'static str {
        self.draw().status()
    }

    /// Whether a position that has come so often, after so many quiet plies, allows this claim.
    fn holds(self, position: &Occurrence<'_>) -> bool {
        match self {
            Claim::ThreefoldRepetition => position.repetitions >= THREEFOLD,
            Claim::FiftyMoves => position.quiet_plies() >= FIFTY_MOVES,
        }
    }
}

/// A position as it came about in a game.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// How often it has come so far, this time included.
    pub repetitions: usize,
}

impl Occurrence<'_> {
    /// Plies since the last capture or pawn's move.
    #[must_use]
    pub fn quiet_plies(&self) -> u32 {
        self.position.halfmoves()
    }

    /// The claims that the position supports, whatever the terms say about claiming.
    pub fn grounds(&self) -> impl Iterator<Item = Claim> + '_ {
        Claim::ALL.into_iter().filter(|claim| claim.holds(self))
    }

    /// The ending that this position brings about by itself under these terms.
    ///
    /// What decides the game on the board stands before any draw that is counted: a mate on the
    /// hundredth quiet ply is a mate (FIDE 9.6.2).
    #[must_use]
    pub fn ending(&self, terms: &Terms) -> Option<Ending> {
        decided_on_the_board(self.position)
            .or_else(|| {
                is_dead(self.position, terms.dead).then_some(Ending::Draw(Draw::DeadPosition))
            })
            .or_else(|| self.counted_draw(terms.draws).map(Ending::Draw))
    }

    /// The draw by repetition or quiet moves that comes by itself.
    fn counted_draw(&self, draws: Draws) -> Option<Draw> {
        if self.repetitions >= FIVEFOLD {
            Some(Draw::FivefoldRepetition)
        } else if self.quiet_plies() >= SEVENTY_FIVE_MOVES {
            Some(Draw::SeventyFiveMoves)
        } else {
            match draws {
                Draws::Auto => self.grounds().next().map(Claim::draw),
                Draws::Claim => None,
            }
        }
    }
}

/// A king that is gone, checkmate or stalemate.
#[must_use]
pub fn decided_on_the_board(position: &AnyPosition) -> Option<Ending> {
    position.outcome().map(|outcome| match outcome {
        Outcome::Checkmate { winner } => Ending::Win {
            winner,
            by: Victory::Checkmate,
        },
        Outcome::KingExploded { winner } => Ending::Win {
            winner,
            by: Victory::KingExploded,
        },
        Outcome::Stalemate => Ending::Draw(Draw::Stalemate),
    })
}

/// Whether a position is dead by this law.
#[must_use]
pub fn is_dead(position: &AnyPosition, law: DeadLaw) -> bool {
    match law {
        DeadLaw::Exact | DeadLaw::Material => with_position!(position, p => material::is_dead(p)),
        DeadLaw::Off => false,
    }
}

/// What it means that this player's flag has fallen in this position (FIDE 6.9).
#[must_use]
pub fn flag_fall(position: &AnyPosition, flagged: Color, law: FlagLaw) -> Ending {
    let winner = !flagged;
    match law {
        FlagLaw::Fide if !with_position!(position, p => material::can_win(p, winner)) => {
            Ending::Draw(Draw::FlagFall { flagged })
        }
        FlagLaw::Fide | FlagLaw::Loses => Ending::Win {
            winner,
            by: Victory::FlagFall,
        },
    }
}
