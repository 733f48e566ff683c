//! Sentences about a move that is misspelt or cannot be played. Finding the fault is done elsewhere.

use touchmove_rules::Outcome;

use crate::diagnostic::Code;
use crate::encoding::decode;
use crate::lexer::MoveText;

use super::history::Moment;
use super::notation::{ForeignHint, MoveFault};
use super::{Auditor, read_move};

impl Auditor<'_> {
    #[cold]
    pub(super) fn report_oddities(
        &mut self,
        oddities: [Option<Code>; 2],
        text: &MoveText<'_>,
        moment: Moment,
    ) {
        for code in oddities.into_iter().flatten() {
            if !self.is_first(code) {
                continue;
            }
            let label = self.label(text);
            let position = self.position();
            let export = read_move(&position, text.san).map(|mv| position.san(mv));
            let ply = Some(moment.ply);
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
        let label = self.label(text);
        let ply = Some(self.plies + 1);
        let written = decode(text.written);
        let ended = self.position().outcome();
        if !self.outer.is_empty() {
            let message = format_args!("{label}, in a variation, cannot be played");
            self.find(Code::BadVariationMove, text.offset, ply, message);
            return;
        }
        match (ended, fault) {
            (Some(outcome), _) => {
                let (code, how) = match outcome {
                    Outcome::Checkmate { .. } => (Code::MoveAfterCheckmate, "checkmate"),
                    Outcome::Stalemate => (Code::MoveAfterStalemate, "stalemate"),
                    Outcome::KingExploded { .. } => {
                        (Code::MoveAfterExplosion, "a king was blown up")
                    }
                };
                let message = format_args!("{label} is played after the game has ended: {how}");
                self.find(code, text.offset, ply, message);
            }
            (None, MoveFault::Unreadable(error)) => {
                let hint = ForeignHint(&written);
                let what = error.what;
                let message = format_args!("{label} cannot be read as a move: {what}{hint}");
                self.find(Code::UnreadableMove, text.offset, ply, message);
            }
            (None, MoveFault::Illegal) => {
                let position = self.position();
                let reason = match position.read_typed(&decode(text.san)) {
                    Ok(mv) => format!("it is not SAN; {} is", position.san(mv)),
                    Err(reason) => reason.to_string(),
                };
                let message = format_args!("{label} is illegal: {reason}");
                self.find(Code::IllegalMove, text.offset, ply, message);
            }
            (None, MoveFault::Ambiguous(error)) => {
                let message = format_args!("{label} is ambiguous: {error}");
                self.find(Code::AmbiguousMove, text.offset, ply, message);
            }
        }
    }
}
