//! A longer look at positions than a move at the table may take, on a thread of its own: is this one
//! dead? What follows from that is the game's business.

use std::sync::mpsc::{self, Sender};
use std::thread;

use touchmove_game::arbiter::{self, DeadProof};
use touchmove_game::{Budget, DeadLaw, Game};
use touchmove_rules::AnyPosition;

/// Somebody who looks at positions while the players think.
pub(crate) struct LongerLook {
    positions: Sender<AnyPosition>,
}

impl LongerLook {
    /// Begins to look; `tell` hears of every position that is proved dead.
    pub(crate) fn begin(tell: impl Fn(AnyPosition, DeadProof) + Send + 'static) -> LongerLook {
        let (positions, asked) = mpsc::channel();
        thread::spawn(move || {
            while let Ok(first) = asked.recv() {
                // Positions that the game has gone on from are of no interest any more.
                let position = asked.try_iter().last().unwrap_or(first);
                let proof = arbiter::dead_proof(&position, DeadLaw::Exact, Budget::default());
                if let Some(proof) = proof {
                    tell(position, proof);
                }
            }
        });
        LongerLook { positions }
    }

    /// Looks at this position next.
    pub(crate) fn at(&self, position: AnyPosition) {
        // The thread lives as long as this does.
        let _ = self.positions.send(position);
    }
}

/// The position on the board, if a proof that it is dead would end the game.
pub(crate) fn doubtful(game: &Game) -> Option<AnyPosition> {
    let ends = game.terms().dead == DeadLaw::Exact && game.ending().is_none();
    ends.then(|| *game.position())
}
