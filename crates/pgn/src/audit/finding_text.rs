//! Sentences about misspelt and unplayable moves, move numbers and clocks. The faults are found elsewhere.

use touchmove_rules::Outcome;

use crate::diagnostic::FindingCode;
use crate::encoding::decode;
use crate::lexer::MoveText;

use crate::audit::clock::Anomaly;
use crate::audit::ending::move_after;
use crate::audit::notation::{ForeignHint, MoveFault};
use crate::audit::{Auditor, read_move};

impl Auditor<'_> {
    #[cold]
    pub(super) fn report_number(&mut self, number: Option<u32>, offset: u64) {
        let right = self.position.fullmoves();
        if number == Some(right) || !self.mark_seen(FindingCode::WrongMoveNumber) {
            return;
        }
        let message = match number {
            Some(number) => format!("the move number is {right}, not {number}"),
            None => format!("the move number is {right}, not one beyond all measure"),
        };
        let ply = Some(self.plies + 1);
        let message = format_args!("{message}");
        self.find(FindingCode::WrongMoveNumber, offset, ply, message);
    }

    #[cold]
    pub(super) fn report_clock(&mut self, anomaly: &Anomaly<'_>, offset: u64) {
        if self.mark_seen(anomaly.code()) {
            let message = format_args!("{anomaly}");
            self.find(anomaly.code(), offset, Some(self.plies), message);
        }
    }

    /// Reports how the last move should have been written.
    #[cold]
    pub(super) fn report_oddities(
        &mut self,
        oddities: [Option<FindingCode>; 2],
        text: &MoveText<'_>,
    ) {
        for code in oddities.into_iter().flatten() {
            if !self.mark_seen(code) {
                continue;
            }
            let position = self.line.position_after(self.plies as usize);
            let label = Self::label(&position, text);
            let export = read_move(&position, text.san).map(|mv| position.san(mv));
            let ply = Some(self.plies + 1);
            match export {
                Some(export) => {
                    let message = format_args!("{label} should be written {export}");
                    self.find(code, text.offset, ply, message);
                }
                None => {
                    let message = format_args!("{label} is not written in SAN");
                    self.find(code, text.offset, ply, message);
                }
            }
        }
    }

    #[cold]
    pub(super) fn report_fault(&mut self, fault: &MoveFault, text: &MoveText<'_>) {
        let label = Self::label(&self.position, text);
        let ply = Some(self.plies + 1);
        let written = decode(text.written);
        let ended = self.position.outcome();
        if !self.outer.is_empty() {
            let message = format_args!("{label}, in a variation, cannot be played");
            self.find(FindingCode::BadVariationMove, text.offset, ply, message);
            return;
        }
        match (ended, fault) {
            (Some(outcome), _) => {
                let how = match outcome {
                    Outcome::Checkmate { .. } => "checkmate",
                    Outcome::Stalemate => "stalemate",
                    Outcome::KingExploded { .. } => "a king was blown up",
                };
                let code = move_after(outcome.into()).unwrap_or(FindingCode::IllegalMove);
                let message = format_args!("{label} is played after the game has ended: {how}");
                self.find(code, text.offset, ply, message);
            }
            (None, MoveFault::Unreadable(error)) => {
                let hint = ForeignHint(&written);
                let what = error.what;
                let message = format_args!("{label} cannot be read as a move: {what}{hint}");
                self.find(FindingCode::UnreadableMove, text.offset, ply, message);
            }
            (None, MoveFault::Illegal) => {
                let position = self.position;
                let reason = match position.read_input(&decode(text.san)) {
                    Ok(mv) => format!("it is not SAN; {} is", position.san(mv)),
                    Err(reason) => reason.to_string(),
                };
                let message = format_args!("{label} is illegal: {reason}");
                self.find(FindingCode::IllegalMove, text.offset, ply, message);
            }
            (None, MoveFault::Ambiguous(error)) => {
                let message = format_args!("{label} is ambiguous: {error}");
                self.find(FindingCode::AmbiguousMove, text.offset, ply, message);
            }
        }
    }
}
