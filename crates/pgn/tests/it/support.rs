//! Audits a text that is read in batches of a given size. The tests check the findings.

use touchmove_pgn::{AuditReport, Batch, Batches, audit};

/// Audits a text in batches of about this many bytes.
pub fn examine(text: &[u8], size: usize) -> AuditReport {
    let mut batches = Batches::with_size(text, size);
    let mut batch = Batch::default();
    let mut report = AuditReport::with_records();
    while batches.next(&mut batch).expect("memory can be read") {
        let mut part = report.fresh();
        audit(&batch, &mut part);
        report.append(part);
    }
    report
}
