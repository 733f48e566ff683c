//! The arbiter's eye on a position: whether the game ends with it, which draws may be claimed, and
//! what a fallen flag means. It knows positions and terms, but neither clocks nor players' wishes.

use touchmove_rules::{AnyPosition, Color, counted, material, with_position};
use touchmove_winnability::{Budget, Proof, Verdict};

use crate::{Claim, DeadLaw, Draw, Draws, Ending, FlagLaw, Terms, Victory};

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

    /// The ending that this position brings about by itself under these terms. The budget bounds
    /// the search for a proof that it is dead.
    ///
    /// What decides the game on the board stands before any draw that is counted: a mate on the
    /// hundredth quiet ply is a mate (FIDE 9.6.2).
    #[must_use]
    pub fn ending(&self, terms: &Terms, budget: Budget) -> Option<Ending> {
        let dead = || {
            dead_proof(self.position, terms.dead, budget).map(|_| Ending::Draw(Draw::DeadPosition))
        };
        decided_on_the_board(self.position)
            .or_else(dead)
            .or_else(|| self.counted_draw(terms.draws).map(Ending::Draw))
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
/// for a longer look in the background; see [`Game::proved_dead`](crate::Game::proved_dead).
pub const AT_THE_TABLE: Budget = Budget::of_positions(4096);

/// Why a position is dead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeadProof {
    /// Neither army can win (REQUIREMENTS 004-20; in the Atomics also by the rules of the variant).
    Material,
    /// It was proved for both sides; this is the proof that took more work.
    Winnability(Proof),
}

/// Why a position is dead by this law, as far as the budget lets one see.
///
/// The list of material counts for [`DeadLaw::Exact`] too: in Atomic it is a rule of the variant,
/// and calls some positions drawn in which a player could mate himself with the opponent's help.
#[must_use]
pub fn dead_proof(position: &AnyPosition, law: DeadLaw, budget: Budget) -> Option<DeadProof> {
    if law == DeadLaw::Off {
        return None;
    }
    if with_position!(position, p => material::is_dead(p)) {
        return Some(DeadProof::Material);
    }
    if law == DeadLaw::Material {
        return None;
    }
    let mut proofs = Vec::new();
    for side in Color::ALL {
        match touchmove_winnability::winnable(position, side, budget) {
            Verdict::Unwinnable(proof) => proofs.push(proof),
            Verdict::Winnable(_) | Verdict::Undecided { .. } => return None,
        }
    }
    proofs
        .into_iter()
        .max_by_key(Proof::visited)
        .map(DeadProof::Winnability)
}

/// What it means that this player's flag has fallen in this position (FIDE 6.9).
#[must_use]
pub fn flag_fall(position: &AnyPosition, flagged: Color, law: FlagLaw) -> Ending {
    let winner = !flagged;
    match law {
        FlagLaw::Fide if unwinnable(position, winner).is_some() => {
            Ending::Draw(Draw::FlagFall { flagged })
        }
        FlagLaw::Fide | FlagLaw::Loses => Ending::Win {
            winner,
            by: Victory::FlagFall,
        },
    }
}

/// Why `side` cannot win by any series of legal moves, if that is so and a second suffices to see it.
#[must_use]
pub fn unwinnable(position: &AnyPosition, side: Color) -> Option<DeadProof> {
    if !with_position!(position, p => material::can_win(p, side)) {
        return Some(DeadProof::Material);
    }
    match touchmove_winnability::winnable(position, side, Budget::default()) {
        Verdict::Unwinnable(proof) => Some(DeadProof::Winnability(proof)),
        Verdict::Winnable(_) | Verdict::Undecided { .. } => None,
    }
}
