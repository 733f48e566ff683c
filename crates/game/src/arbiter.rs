//! The arbiter's eye on a position: whether the game ends with it, which draws may be claimed, and
//! what a fallen flag means. It knows positions and terms, but neither clocks nor players' wishes.

use touchmove_rules::{AnyPosition, Color, counted, material, with_position};
use touchmove_winnability::{Budget, Look, Proof, Verdict};

use crate::{Claim, DeadLaw, Draw, Draws, Ending, Grounds, Terms};

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
    pub fn grounds(&self) -> impl Iterator<Item = Claim> {
        counted::claims(self.repetitions, self.quiet_plies())
    }

    /// The ending that this position brings about by itself under these terms, with the proof where
    /// it is a dead position. The look bounds the search for that.
    ///
    /// What decides the game on the board stands before any draw that is counted: a mate on the
    /// hundredth quiet ply is a mate (FIDE 9.6.2).
    #[must_use]
    pub fn ending<'a>(
        &self,
        terms: &Terms,
        look: impl Into<Look<'a>>,
    ) -> Option<(Ending, Option<DeadProof>)> {
        let on_the_board = decided_on_the_board(self.position).map(|ending| (ending, None));
        on_the_board
            .or_else(|| {
                let proof = dead_proof(self.position, terms.dead, look)?;
                Some((Ending::Draw(Draw::DeadPosition), Some(proof)))
            })
            .or_else(|| Some((Ending::Draw(self.counted_draw(terms.draws)?), None)))
    }

    /// The ending that this position brings about for everybody to see: by a mate or stalemate, or
    /// by counting. Whether it is dead is not asked.
    #[must_use]
    pub fn plain_ending(&self, draws: Draws) -> Option<Ending> {
        decided_on_the_board(self.position).or_else(|| self.counted_draw(draws).map(Ending::Draw))
    }

    /// The draw by repetition or quiet moves that comes by itself.
    fn counted_draw(&self, draws: Draws) -> Option<Draw> {
        counted::automatic(self.repetitions, self.quiet_plies()).or_else(|| match draws {
            Draws::Auto => self.grounds().next().map(Claim::draw),
            Draws::Claim => None,
        })
    }
}

/// A king that is gone, checkmate or stalemate.
#[must_use]
pub fn decided_on_the_board(position: &AnyPosition) -> Option<Ending> {
    position.outcome().map(Ending::from)
}

/// How long a move at the table may take to be found final: some milliseconds. Harder positions are
/// for a longer look in the background; see [`Game::question`](crate::Game::question).
pub const AT_THE_TABLE: Budget = Budget::of_positions(1024);

/// Why a position is dead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeadProof {
    /// Neither army can win (REQUIREMENTS 004-20; in the Atomics also by the rules of the variant).
    Material,
    /// It was proved for both sides; this is the proof that took more work.
    Winnability(Proof),
}

impl From<&DeadProof> for Grounds {
    fn from(proof: &DeadProof) -> Grounds {
        match proof {
            DeadProof::Material => Grounds::from(&Proof::Material),
            DeadProof::Winnability(proof) => Grounds::from(proof),
        }
    }
}

/// Why a position is dead by this law, as far as the look lets one see.
///
/// The list of material counts for [`DeadLaw::Exact`] too: in Atomic it is a rule of the variant,
/// and calls some positions drawn in which a player could mate himself with the opponent's help.
#[must_use]
pub fn dead_proof<'a>(
    position: &AnyPosition,
    law: DeadLaw,
    look: impl Into<Look<'a>>,
) -> Option<DeadProof> {
    if law == DeadLaw::Off {
        return None;
    }
    if with_position!(position, p => material::is_dead(p)) {
        return Some(DeadProof::Material);
    }
    if law == DeadLaw::Material {
        return None;
    }
    let look = look.into();
    // Whoever may look at no position at all sees the material, and leaves the rest to a longer look.
    if look.budget.positions == 0 {
        return None;
    }
    let mut proofs = Vec::new();
    for side in Color::ALL {
        match touchmove_winnability::winnable(position, side, look) {
            Verdict::Unwinnable(proof) => proofs.push(proof),
            Verdict::Winnable(_) | Verdict::Undecided { .. } => return None,
        }
    }
    proofs
        .into_iter()
        .max_by_key(Proof::visited)
        .map(DeadProof::Winnability)
}
