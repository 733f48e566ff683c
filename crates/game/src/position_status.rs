//! What a position means for the game: whether the game ends with it, which draws may be claimed, and whether
//! it is dead. Knows positions and terms, but neither clocks nor commands.

use touchmove_rules::{AnyPosition, Color, Move, draw_rules, material, with_position};
use touchmove_winnability::{Budget, InterruptibleBudget, Proof, Winnability};

use crate::{DeadLaw, Draw, DrawClaim, Draws, Ending, Grounds, Terms};

/// A position of a game with its repetitions.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a> {
    /// The position.
    pub position: &'a AnyPosition,
    /// How often it has occurred, this time included.
    pub repetitions: usize,
}

impl Occurrence<'_> {
    /// Plies since the last capture or pawn move.
    #[must_use]
    pub fn quiet_plies(&self) -> u32 {
        self.position.halfmoves()
    }

    /// The draw claims that the position supports, whatever the terms say about claiming.
    pub fn supported_claims(&self) -> impl Iterator<Item = DrawClaim> {
        draw_rules::claims(self.repetitions, self.quiet_plies())
    }

    /// The ending that this position brings about by itself under these terms, with the proof if it is a dead
    /// position. `look` limits the search for that proof.
    ///
    /// What decides the game on the board comes before any draw by counting: a mate on the hundredth quiet
    /// ply is a mate (FIDE 9.6.2).
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

    /// The ending that the board and the counters alone show: mate, stalemate or a counted draw. Does not
    /// check for a dead position.
    #[must_use]
    pub fn plain_ending(&self, draws: Draws) -> Option<Ending> {
        decided_on_the_board(self.position).or_else(|| self.counted_draw(draws).map(Ending::Draw))
    }

    /// The draw by repetition or by quiet moves that happens by itself.
    fn counted_draw(&self, draws: Draws) -> Option<Draw> {
        draw_rules::automatic_draw(self.repetitions, self.quiet_plies()).or_else(|| match draws {
            Draws::Auto => self.supported_claims().next().map(DrawClaim::draw),
            Draws::Claim => None,
        })
    }
}

/// The effect of a position on the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionStatus {
    /// The game is over; the proof is given if the position is dead.
    Ended(Ending, Option<DeadProof>),
    /// The game goes on.
    GoesOn,
    /// The game goes on, because it was not decided whether the position is dead.
    Undecided {
        /// Number of positions visited.
        positions: u64,
    },
}

impl PositionStatus {
    /// The ending, if the game is over.
    #[must_use]
    pub fn ended(self) -> Option<(Ending, Option<DeadProof>)> {
        match self {
            PositionStatus::Ended(ending, proof) => Some((ending, proof)),
            PositionStatus::GoesOn | PositionStatus::Undecided { .. } => None,
        }
    }
}

/// A missing king, checkmate or stalemate.
#[must_use]
pub fn decided_on_the_board(position: &AnyPosition) -> Option<Ending> {
    position.outcome().map(Ending::from)
}

/// Budget for the dead-position check within a move: for each side less than five milliseconds of an
/// otherwise idle processor. Harder positions are left to a search in the background; see
/// [`Game::pending_analysis`](crate::Game::pending_analysis).
pub const MOVE_ANALYSIS_BUDGET: Budget = Budget::of_positions(4096);

/// Why a position is dead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeadProof {
    /// Neither side has the material to win.
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

/// Whether a position is dead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeadPositionStatus {
    /// It is dead.
    Dead(DeadProof),
    /// It is not, or the terms do not ask. If a search was made: the moves by which a side wins.
    Alive(Option<Vec<Move>>),
    /// The budget did not suffice.
    Undecided {
        /// Number of positions visited.
        positions: u64,
    },
}

/// Whether a position is dead under this law, within the budget.
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

/// Whether it is proved that neither side can win.
fn proved(position: &AnyPosition, look: InterruptibleBudget<'_>) -> DeadPositionStatus {
    // With a budget of zero only the material is checked; the rest is left to a later search.
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
