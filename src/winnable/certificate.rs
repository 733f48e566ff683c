//! `touchmove winnable --certificate` and `--verify`: writes proofs to a file, and checks them with nothing but the
//! rules.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use touchmove_arbiter::{PositionVerdicts, TimedVerdict};
use touchmove_certificate::{CertificateError, Statement};
use touchmove_rules::Rules;
use touchmove_text::display_path;
use touchmove_tui::bounded_file::{self, MAX_FILE_BYTES};
use touchmove_winnability::{Budget, Solver, Winnability};

use crate::cli::AnswerStatus;
use crate::output;

/// Proofs as files.
#[derive(clap::Args)]
pub struct CertificateArgs {
    /// Write the proof of each unwinnable verdict to this file, as docs/CERTIFICATES.md describes it.
    #[arg(long, value_name = "FILE", conflicts_with = "verify")]
    certificate: Option<PathBuf>,

    /// Check the certificates in this file instead; exit code 1 if one does not hold.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "fen", "start", "file"])]
    pub verify: Option<PathBuf>,
}

impl CertificateArgs {
    /// The certificate file, if one was asked for.
    pub fn open<R: Rules>(&self) -> Result<Option<Certificates<R>>> {
        let Some(path) = &self.certificate else {
            return Ok(None);
        };
        let file = fs::File::create(path).with_context(|| display_path(path).to_string())?;
        Ok(Some(Certificates {
            out: BufWriter::new(file),
            path: path.clone(),
            solver: Solver::new(),
            written: 0,
        }))
    }
}

/// A certificate file that is being written.
pub struct Certificates<R: Rules> {
    out: BufWriter<fs::File>,
    path: PathBuf,
    solver: Solver<R>,
    written: u64,
}

impl<R: Rules> Certificates<R> {
    /// Writes the proofs of all unwinnable verdicts on a position; searches for them again.
    pub fn add(&mut self, chances: &PositionVerdicts<R>, budget: Budget) -> Result<()> {
        for TimedVerdict { side, verdict, .. } in &chances.verdicts {
            if !matches!(verdict, Winnability::Unwinnable(_)) {
                continue;
            }
            let (_, text) = self.solver.certify(&chances.position, *side, budget);
            let Some(text) = text else {
                bail!(
                    "the proof that {side} cannot win {} was not found once more; no certificate was \
                     written",
                    chances.position.fen()
                );
            };
            let written = self.out.write_all(text.as_bytes());
            written.with_context(|| display_path(&self.path).to_string())?;
            self.written += 1;
        }
        Ok(())
    }

    /// Finishes the file and reports what was written.
    pub fn finish(mut self) -> Result<()> {
        let path = display_path(&self.path);
        self.out.flush().with_context(|| path.to_string())?;
        let certificates = match self.written {
            1 => "1 certificate".into(),
            count => format!("{count} certificates"),
        };
        writeln!(
            output::errors(),
            "{certificates} in {}",
            display_path(&self.path)
        )?;
        Ok(())
    }
}

/// Checks the certificates of a file. The answer is no if one does not hold.
pub fn verify(path: &Path, is_json: bool) -> Result<AnswerStatus> {
    let text = bounded_file::read_text(path, MAX_FILE_BYTES)
        .with_context(|| display_path(path).to_string())?;
    let checked = touchmove_certificate::verify(text.strip_prefix('\u{feff}').unwrap_or(&text));
    let mut out = output::answer(is_json);
    if is_json {
        writeln!(out, "{}", written(checked.as_ref()))?;
        return Ok(match checked {
            Ok(_) => AnswerStatus::Yes,
            Err(_) => AnswerStatus::No,
        });
    }
    match checked {
        Ok(claims) => {
            for claim in &claims {
                writeln!(
                    out,
                    "{} cannot win: {}, {}, by {}",
                    claim.side, claim.variant, claim.position, claim.proof
                )?;
            }
            writeln!(out, "{} verified", claims.len())?;
            Ok(AnswerStatus::Yes)
        }
        Err(refusal) => {
            writeln!(out, "refused: {}: {refusal}", display_path(path))?;
            Ok(AnswerStatus::No)
        }
    }
}

/// The result of a check, as JSON.
fn written(checked: Result<&Vec<Statement>, &CertificateError>) -> Value {
    match checked {
        Ok(claims) => {
            let claim = |claim: &Statement| {
                json!({
                    "side": claim.side.to_string(),
                    "variant": claim.variant.to_string(),
                    "fen": claim.position,
                    "proof": claim.proof,
                })
            };
            json!({ "verified": true, "claims": claims.iter().map(claim).collect::<Vec<_>>() })
        }
        Err(refusal) => json!({ "verified": false, "error": refusal.to_string() }),
    }
}
