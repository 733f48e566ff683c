//! The arbiter's eye on a position: whether the game ends with it, which draws may be claimed, and
//! what a fallen flag means. It knows positions and terms, but neither clocks nor players' wishes.

use touchmove_rules::{AnyPosition, Color, Move, draw_rules, material, with_position};
use touchmove_winnability::{Budget, InterruptibleBudget, Proof, Winnability};

use crate::{DeadLaw, Draw, DrawClaim, Draws, Ending, Grounds, Terms};

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
    pub fn supported_claims(&self) -> impl Iterator<Item = DrawClaim> {
        draw_rules::claims(self.repetitions, self.quiet_plies())
    }

    /// What this position brings about by itself under these terms: an end of the game, with the proof
    /// where it is a dead position, or none. The look bounds the search for that.
    ///
    /// What decides the game on the board stands before any draw that is counted: a mate on the
    /// hundredth quiet ply is a mate (FIDE 9.6.2).
    #[must_use]
    pub fn status<'a>(
        &self,
        terms: &Terms,
        look: impl Into<InterruptibleBudget<'a>>,
    ) -> PositionStatus {
        if let Some(ending) = decided_on_the_board(self.position) {
            return PositionStatus::Ended(ending, None);
        }
        let deadness = deadness(self.position, terms.dead, look);
        if let DeadPositionStatus::Dead(proof) = deadness {
            return PositionStatus::Ended(Ending::Draw(Draw::DeadPosition), Some(proof));
        }
        match (self.counted_draw(terms.draws), deadness) {
            (Some(draw), _) => PositionStatus::Ended(Ending::Draw(draw), None),
            (None, DeadPositionStatus::Undecided { positions }) => {
                PositionStatus::Undecided { positions }
            }
            (None, _) => PositionStatus::GoesOn,
        }
    }

    /// The ending that this position brings about for everybody to see: by a mate or stalemate, or
    /// by counting. Whether it is dead is not asked.
    #[must_use]
    pub fn plain_ending(&self, draws: Draws) -> Option<Ending> {
        decided_on_the_board(self.position).or_else(|| self.counted_draw(draws).map(Ending::Draw))
    }

    /// The draw by repetition or quiet moves that comes by itself.
    fn counted_draw(&self, draws: Draws) -> Option<Draw> {
        draw_rules::automatic_draw(self.repetitions, self.quiet_plies()).or_else(|| match draws {
            Draws::Auto => self.supported_claims().next().map(DrawClaim::draw),
            Draws::Claim => None,
        })
    }
}

/// What a position brings about by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionStatus {
    /// The game is over, by this proof where the position is dead.
    Ended(Ending, Option<DeadProof>),
    /// The game goes on.
    GoesOn,
    /// The game goes on, for whether the position is dead was not decided.
    Undecided {
        /// How many positions were looked at.
        positions: u64,
    },
}

impl PositionStatus {
    /// The end, if it is one.
    #[must_use]
    pub fn ended(self) -> Option<(Ending, Option<DeadProof>)> {
        match self {
            PositionStatus::Ended(ending, proof) => Some((ending, proof)),
            PositionStatus::GoesOn | PositionStatus::Undecided { .. } => None,
        }
    }
}

/// A king that is gone, checkmate or stalemate.
#[must_use]
pub fn decided_on_the_board(position: &AnyPosition) -> Option<Ending> {
    position.outcome().map(Ending::from)
}

/// How long a move at the table may take to be found final: for each side less than five milliseconds of a
/// processor that has little else to do. Harder positions are for a longer look in the background; see
/// [`Game::pending_analysis`](crate::Game::question).
pub const MOVE_ANALYSIS_BUDGET: Budget = Budget::of_positions(4096);

/// Why a position is dead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeadProof {
    /// Neither army can win.
    Material,
    /// The list of material says so ([`DeadLaw::Material`]), which in Atomic is no proof.
    List,
    /// It was proved for both sides; this is the proof that took more work.
    Winnability(Proof),
}

impl From<&DeadProof> for Grounds {
    fn from(proof: &DeadProof) -> Grounds {
        match proof {
            DeadProof::Material => Grounds::from(&Proof::Material),
            DeadProof::List => Grounds::Proof {
                kind: "list".to_owned(),
                text: "the list of material calls it drawn".to_owned(),
            },
            DeadProof::Winnability(proof) => Grounds::from(proof),
        }
    }
}

/// What is known about whether a position is dead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeadPositionStatus {
    /// It is.
    Dead(DeadProof),
    /// It is not, or the law does not ask: by these moves somebody wins, if it was looked for them.
    Alive(Option<Vec<Move>>),
    /// That was not found out.
    Undecided {
        /// How many positions were looked at.
        positions: u64,
    },
}

/// Whether a position is dead by this law, as far as the look lets one see.
#[must_use]
pub fn deadness<'a>(
    position: &AnyPosition,
    law: DeadLaw,
    look: impl Into<InterruptibleBudget<'a>>,
) -> DeadPositionStatus {
    let is_dead = || with_position!(position, p => material::is_dead(p));
    match law {
        DeadLaw::Off => DeadPositionStatus::Alive(None),
        DeadLaw::Material | DeadLaw::Exact if is_dead() => {
            DeadPositionStatus::Dead(DeadProof::Material)
        }
        DeadLaw::Material => match with_position!(position, p => material::is_insufficient(p)) {
            true => DeadPositionStatus::Dead(DeadProof::List),
            false => DeadPositionStatus::Alive(None),
        },
        DeadLaw::Exact => proved(position, look.into()),
    }
}

/// Whether nobody can win, by proof.
fn proved(position: &AnyPosition, look: InterruptibleBudget<'_>) -> DeadPositionStatus {
    // Whoever may look at no position at all sees the material, and leaves the rest to a longer look.
    if look.budget.positions == 0 {
        return DeadPositionStatus::Undecided { positions: 0 };
    }
    let mut proofs = Vec::new();
    let mut doubt = None;
    for side in Color::ALL {
        match touchmove_winnability::winnable(position, side, look) {
            Winnability::Winnable(line) => return DeadPositionStatus::Alive(Some(line)),
            Winnability::Unwinnable(proof) => proofs.push(proof),
            Winnability::Undecided { visited, .. } => {
                doubt = Some(doubt.unwrap_or(0) + visited);
            }
        }
    }
    let harder = proofs.into_iter().max_by_key(Proof::visited);
    match (doubt, harder) {
        (None, Some(proof)) => DeadPositionStatus::Dead(DeadProof::Winnability(proof)),
        (doubt, _) => DeadPositionStatus::Undecided {
            positions: doubt.unwrap_or(0),
        },
    }
}
