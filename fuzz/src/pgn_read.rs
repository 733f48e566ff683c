//! Laws of reading PGN: no text stops the reader or the audit, calls are balanced, and cutting the
//! text into batches changes nothing.

use touchmove_pgn::{AuditReport, Batch, Batches, VisitControl, Visitor, audit, read};

#[derive(Default)]
struct Balance {
    games: i64,
    variations: i64,
}

impl Visitor for Balance {
    fn begin_game(&mut self, _: u64) {
        assert_eq!((self.games, self.variations), (0, 0));
        self.games += 1;
    }
    fn begin_variation(&mut self) -> VisitControl {
        self.variations += 1;
        VisitControl::Read
    }
    fn end_variation(&mut self) {
        self.variations -= 1;
    }
    fn end_game(&mut self, _: u64) {
        assert_eq!(self.variations, 0);
        self.games -= 1;
    }
}

fn examine(text: &[u8], size: usize) -> AuditReport {
    let mut batches = Batches::with_size(text, size);
    let mut batch = Batch::default();
    let mut report = AuditReport::default();
    while batches.next(&mut batch).expect("memory can be read") {
        let mut part = report.fresh();
        audit(&batch, &mut part);
        report.append(part);
    }
    report
}

/// The laws, on one input.
pub fn check(text: &[u8]) {
    let mut balance = Balance::default();
    read(text, &mut balance);
    assert_eq!(balance.games, 0);
    let (whole, parts) = (examine(text, text.len() + 1), examine(text, 16));
    assert_eq!(whole.totals.games, parts.totals.games);
    assert_eq!(whole.totals.plies, parts.totals.plies);
}
