//! Writes certificates: proofs as text that an independent program can check, in the format of `docs/CERTIFICATES.md`.
//! Decides nothing: it repeats the argument that found the proof and writes it down.

use std::fmt::Write as _;

use touchmove_rules::{Color, Fen, MoveList, Position, Rules, Setup};

use crate::proof::{outline, structure};
use crate::search::stages::STAGES;
use crate::{InterruptibleBudget, Proof, Solver, Winnability};

impl<R: Rules> Solver<R> {
    /// Whether `side` can still win, and the certificate of it if it cannot.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Color, Position};
    /// use touchmove_winnability::{Budget, Solver};
    ///
    /// let fen = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1";
    /// let wall = Position::<Chess>::from_fen(fen).unwrap();
    /// let (verdict, certificate) = Solver::new().certify(&wall, Color::White, Budget::default());
    /// assert!(verdict.is_unwinnable());
    /// assert!(certificate.unwrap().starts_with("touchmove certificate 1\nvariant chess\n"));
    /// ```
    #[must_use]
    pub fn certify<'a>(
        &mut self,
        position: &Position<R>,
        side: Color,
        look: impl Into<InterruptibleBudget<'a>>,
    ) -> (Winnability, Option<String>) {
        let InterruptibleBudget {
            budget,
            interrupted,
        } = look.into();
        // Normalise to the position that the text will name: an en passant capture that is not legal now never will be.
        let named = Position::from_setup(&position.setup()).unwrap_or(*position);
        let verdict = self.winnable_until(&named, side, budget, interrupted);
        let Winnability::Unwinnable(proof) = &verdict else {
            return (verdict, None);
        };
        let mut text = format!(
            "touchmove certificate 1\nvariant {}\nside {}\nposition {}\n",
            R::VARIANT,
            if side.is_white() { "white" } else { "black" },
            name(&named)
        );
        let is_whole = self.write_proof(&named, side, proof, budget.positions, &mut text);
        let text = is_whole.then_some(text);
        (verdict, text)
    }

    /// Writes the proof of the last question. Returns false if it was not found again.
    fn write_proof(
        &self,
        position: &Position<R>,
        side: Color,
        proof: &Proof,
        positions: u64,
        text: &mut String,
    ) -> bool {
        match proof {
            Proof::Over(_) => text.push_str("over\n"),
            Proof::Material => text.push_str("material\n"),
            Proof::Forced { plies, then } => {
                let mut at = *position;
                let mut moves = MoveList::new();
                text.push_str("forced");
                for _ in 0..*plies {
                    at.list_moves(&mut moves);
                    let &[mv] = moves.as_slice() else {
                        return false;
                    };
                    let _ = write!(text, " {}", at.uci(mv));
                    at.play(mv);
                }
                text.push('\n');
                return self.write_proof(&at, side, then, positions, text);
            }
            Proof::Structure { .. } => return structure::write(position, side, text),
            Proof::Outlines { .. } => {
                let most = STAGES.map(|stage| stage.outlines);
                return most
                    .into_iter()
                    .chain([positions / 16])
                    .any(|most| outline::write(position, side, most, text));
            }
            Proof::Visited { .. } => return self.closure().write(side, text),
        }
        text.push_str("end\n");
        true
    }
}

/// The FEN of a position with its counters reset. The en passant square is written if a pawn stands ready to capture
/// there, legally or not.
pub(crate) fn name<R: Rules>(position: &Position<R>) -> Fen {
    Fen(Setup {
        en_passant: position.passed_square(),
        halfmoves: 0,
        fullmoves: 1,
        ..position.setup()
    })
}
