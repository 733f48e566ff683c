//! Games replayed and audited by touchmove, through the public interface that everybody has.

use touchmove_pgn::{
    AuditReport, Batch, Batches, DeadPositions, MoveText, Tag, VisitControl, Visitor, audit, read,
    starting_position, tag_of_variant,
};
use touchmove_rules::{AnyPosition, San, Variant, with_position};

use super::Tally;

/// Replays the main lines, every move read from its SAN and legal.
pub fn replay(text: &[u8], variant: Variant) -> Tally {
    let mut replay = Replay::from(AnyPosition::start(variant));
    read(text, &mut replay);
    replay.tally
}

/// Replays one game after the other.
pub struct Replay {
    start: AnyPosition,
    pub position: AnyPosition,
    is_stuck: bool,
    pub tally: Tally,
}

impl From<AnyPosition> for Replay {
    /// Games that have no FEN begin with this position.
    fn from(start: AnyPosition) -> Replay {
        Replay {
            start,
            position: start,
            is_stuck: false,
            tally: Tally::default(),
        }
    }
}

impl Visitor for Replay {
    fn begin_game(&mut self, _: u64) {
        self.tally.games += 1;
        self.position = self.start;
        self.is_stuck = false;
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        if tag.name == b"FEN" {
            let variant = tag_of_variant(self.start.variant());
            match starting_position(variant, Some(&tag.value())) {
                Ok(start) => self.position = start.position,
                Err(_) => self.is_stuck = true,
            }
        }
    }

    #[inline(always)]
    fn ply(&mut self, text: &MoveText<'_>) {
        if self.is_stuck {
            return;
        }
        let san = match text.parsed {
            Some(san) => Some(san),
            None => San::from_bytes(text.san).ok(),
        };
        let is_played = san.is_some_and(
            |san| with_position!(&mut self.position, position => position.play_san(san).is_ok()),
        );
        if is_played {
            self.tally.plies += 1;
        } else {
            self.is_stuck = true;
            self.tally.findings += 1;
        }
    }

    fn begin_variation(&mut self) -> VisitControl {
        VisitControl::Skip
    }
}

/// The whole audit, on this thread.
pub fn audit_all(text: &[u8], dead: DeadPositions) -> Tally {
    let mut batches = Batches::new(text);
    let mut batch = Batch::default();
    let mut report = AuditReport::default().dead_positions(dead);
    while batches.next(&mut batch).is_ok_and(|is_more| is_more) {
        let mut part = report.fresh();
        audit(&batch, &mut part);
        report.append(part);
    }
    let totals = &report.totals;
    Tally {
        games: totals.games,
        plies: totals.plies,
        findings: totals.by_severity.iter().sum(),
    }
}
