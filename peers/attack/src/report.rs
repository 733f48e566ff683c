//! What was tried, what fell, and how to see it again.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{Kind, Plan};

/// How many failures of a kind are told in full.
const MAX_TOLD: usize = 20;
/// How many bytes of a request are printed.
const MAX_PRINTED: usize = 400;

/// Everything that was found.
#[derive(Default)]
pub struct Report {
    rows: Vec<Row>,
}

/// What was found of one kind.
struct Row {
    kind: Kind,
    tried: usize,
    fallen: usize,
    peak_memory: u64,
    took: Duration,
    failures: Vec<(String, String)>,
    notes: Vec<String>,
}

impl Report {
    /// Begins a kind of attack.
    pub fn begin(&mut self, kind: Kind) {
        eprintln!("== {kind:?}");
        self.rows.push(Row {
            kind,
            tried: 0,
            fallen: 0,
            peak_memory: 0,
            took: Duration::ZERO,
            failures: Vec::new(),
            notes: Vec::new(),
        });
    }

    fn row(&mut self) -> &mut Row {
        self.rows.last_mut().expect("a kind has begun")
    }

    /// Ends it.
    pub fn end(&mut self, took: Duration) {
        self.row().took = took;
    }

    /// Counts what was tried.
    pub fn count(&mut self, tried: usize) {
        self.row().tried += tried;
    }

    /// A program has died.
    pub fn fall(&mut self, what: &str, request: &[u8]) {
        self.row().fallen += 1;
        self.fail(what, request);
    }

    /// How many programs have died in this kind of attack.
    pub fn fallen(&self) -> usize {
        self.rows.last().map_or(0, |row| row.fallen)
    }

    /// Something is not as it must be; the bytes show it again.
    pub fn fail(&mut self, what: &str, request: &[u8]) {
        let bytes = printed(request);
        let row = self.row();
        row.failures.push((what.to_owned(), bytes.clone()));
        if row.failures.len() <= MAX_TOLD {
            eprintln!("   FAILED: {what}");
            if !bytes.is_empty() {
                eprintln!("     by: {bytes}");
            }
        }
    }

    /// Counts one thing that must be so.
    pub fn must(&mut self, is_so: bool, otherwise: impl FnOnce() -> String) {
        self.count(1);
        if !is_so {
            self.fail(&otherwise(), b"");
        }
    }

    /// Something that was measured.
    pub fn note(&mut self, note: String) {
        eprintln!("   {note}");
        self.row().notes.push(note);
    }

    /// The most memory that a server had.
    pub fn peak_memory(&mut self, bytes: u64) {
        let row = self.row();
        row.peak_memory = row.peak_memory.max(bytes);
    }

    /// Whether nothing failed.
    pub fn is_clean(&self) -> bool {
        self.rows.iter().all(|row| row.failures.is_empty())
    }

    /// The report for people.
    pub fn print(&self, plan: &Plan) {
        println!("kind          tried  fallen  failed  peak MB  seconds");
        for row in &self.rows {
            println!(
                "{:<12} {:>6}  {:>6}  {:>6}  {:>7}  {:>7.1}",
                format!("{:?}", row.kind),
                row.tried,
                row.fallen,
                row.failures.len(),
                row.peak_memory >> 20,
                row.took.as_secs_f64()
            );
        }
        for row in &self.rows {
            for note in &row.notes {
                println!("{:?}: {note}", row.kind);
            }
        }
        let failures: usize = self.rows.iter().map(|row| row.failures.len()).sum();
        for row in &self.rows {
            for (what, bytes) in row.failures.iter().take(MAX_TOLD) {
                println!("FAILED {:?}: {what}", row.kind);
                if !bytes.is_empty() {
                    println!("  by: {bytes}");
                }
            }
        }
        let tried: usize = self.rows.iter().map(|row| row.tried).sum();
        let fallen: usize = self.rows.iter().map(|row| row.fallen).sum();
        println!(
            "{tried} tried, {fallen} fallen, {failures} failed; seed {}",
            plan.seed
        );
    }

    /// The report for programs.
    pub fn json(&self, plan: &Plan) -> Value {
        let row = |row: &Row| {
            json!({
                "kind": format!("{:?}", row.kind),
                "tried": row.tried,
                "fallen": row.fallen,
                "peak_memory_bytes": row.peak_memory,
                "seconds": row.took.as_secs_f64(),
                "notes": row.notes,
                "failures": row.failures.iter().map(|(what, bytes)| json!({"what": what, "request": bytes})).collect::<Vec<_>>(),
            })
        };
        json!({
            "seed": plan.seed,
            "cores": plan.cores,
            "is_clean": self.is_clean(),
            "kinds": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

/// Bytes as a shell's `printf` takes them, shortened in the middle where they repeat themselves for long.
fn printed(bytes: &[u8]) -> String {
    let escape = |bytes: &[u8]| bytes.escape_ascii().to_string();
    if bytes.len() <= MAX_PRINTED {
        return escape(bytes);
    }
    let half = MAX_PRINTED / 2;
    format!(
        "{} … ({} bytes) … {}",
        escape(&bytes[..half]),
        bytes.len(),
        escape(&bytes[bytes.len() - half..])
    )
}
