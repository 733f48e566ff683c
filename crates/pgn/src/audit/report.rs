//! [`AuditReport`]: findings, totals and a record of each game, and how the reports on the parts of a file
//! are merged. It judges nothing.

use std::fmt;

use touchmove_rules::{Ending, Move, Variant};

use crate::batches::Batch;
use crate::bytes::count_line_ends;
use crate::diagnostic::{Finding, FindingCode, Severity};
use crate::long_game::Excess;
use crate::reader::{UTF16_TEXT, read_part};
use crate::result::GameResult;

use crate::audit::{Auditor, DeadPositions};

/// The record of one game for statistics.
///
/// ```
/// use touchmove_pgn::{Batch, GameResult, AuditReport, audit};
///
/// let text = b"1. e4 e5 2. Nf3 1-0\n".to_vec();
/// let mut report = AuditReport::with_records();
/// audit(&Batch { text, offset: 0, line: 1 }, &mut report);
/// let record = report.records[0];
/// assert_eq!((record.plies, record.result), (3, GameResult::WhiteWins));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Number of replayed plies.
    pub plies: u32,
    /// The result.
    pub result: GameResult,
    /// How it ended.
    pub conclusion: RecordedEnding,
    /// The variant, if the moves could be replayed.
    pub variant: Option<Variant>,
    /// The first move of each side, in games from the usual starting position.
    pub opening: [Option<Move>; 2],
}

/// How a game ended, as far as its PGN tells.
///
/// ```
/// use touchmove_pgn::RecordedEnding;
/// use touchmove_rules::{Draw, Ending};
///
/// let ended = RecordedEnding::Ended(Ending::Draw(Draw::FivefoldRepetition));
/// assert_eq!(ended.status(), "fivefold_repetition");
/// assert_eq!(RecordedEnding::Unfinished.status(), "unfinished");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordedEnding {
    /// By this ending. If the position does not decide it, the most likely one: resignation for a win without
    /// a stated reason, agreement for such a draw.
    Ended(Ending),
    /// There is no result.
    Unfinished,
    /// The moves could not be replayed to the end.
    Unclear,
}

impl RecordedEnding {
    /// Its name for programs: that of the ending, `unfinished` or `unclear`.
    #[must_use]
    pub const fn status(self) -> &'static str {
        match self {
            RecordedEnding::Ended(ending) => ending.status(),
            RecordedEnding::Unfinished => "unfinished",
            RecordedEnding::Unclear => "unclear",
        }
    }
}

/// Counts over many games.
///
/// ```
/// use touchmove_pgn::{Batch, FindingCode, AuditReport, Severity, audit};
///
/// let text = b"1. e4 e5 2. Ke3 *\n".to_vec();
/// let mut report = AuditReport::default();
/// audit(&Batch { text, offset: 0, line: 1 }, &mut report);
/// assert_eq!(report.totals.count(Severity::Error), 1);
/// assert!(report.totals.codes().iter().any(|&(code, _)| code == FindingCode::IllegalMove));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditTotals {
    /// Games.
    pub games: u64,
    /// Number of replayed plies.
    pub plies: u64,
    /// Findings by severity: infos, warnings, errors.
    pub by_severity: [u64; 3],
    /// Findings by code, in the order of [`FindingCode::ALL`].
    pub by_code: Vec<u64>,
}

impl Default for AuditTotals {
    fn default() -> AuditTotals {
        AuditTotals {
            games: 0,
            plies: 0,
            by_severity: [0; 3],
            by_code: vec![0; FindingCode::ALL.len()],
        }
    }
}

impl AuditTotals {
    /// The number of findings with this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.by_severity[severity as usize]
    }

    /// The codes that were found with their counts, the most frequent first.
    #[must_use]
    pub fn codes(&self) -> Vec<(FindingCode, u64)> {
        let all = FindingCode::ALL
            .iter()
            .copied()
            .zip(self.by_code.iter().copied());
        let mut found: Vec<_> = all.filter(|&(_, count)| count > 0).collect();
        found.sort_by_key(|&(code, count)| (std::cmp::Reverse(count), code));
        found
    }

    /// Adds the totals of another part.
    pub fn merge(&mut self, other: &AuditTotals) {
        self.games += other.games;
        self.plies += other.plies;
        for (sum, count) in self.by_severity.iter_mut().zip(other.by_severity) {
            *sum += count;
        }
        for (sum, count) in self.by_code.iter_mut().zip(&other.by_code) {
            *sum += count;
        }
    }
}

/// The findings in a file or a part of it.
///
/// ```
/// use touchmove_pgn::{Batch, FindingCode, AuditReport, audit};
///
/// let text = b"1. e4 e5 2. Ke3 *\n".to_vec();
/// let mut report = AuditReport::default().only(vec![FindingCode::IllegalMove]).at_most(10);
/// audit(&Batch { text, offset: 0, line: 1 }, &mut report);
/// assert_eq!(report.findings.len(), 1);
/// assert_eq!(report.findings[0].ply, Some(3));
/// ```
#[derive(Clone, Debug, Default)]
pub struct AuditReport {
    /// The findings in the order of the file.
    pub findings: Vec<Finding>,
    /// The totals. They include findings that were not kept.
    pub totals: AuditTotals,
    /// One record for each game, if records are kept.
    pub records: Vec<GameRecord>,
    pub(super) keeps_records: bool,
    pub(super) dead_positions: DeadPositions,
    only: Option<Vec<FindingCode>>,
    most: Option<usize>,
    /// The last game with a finding, and how many of its findings were kept.
    kept: (u64, usize),
}

/// Maximum number of findings that are kept for one game. Ordinary games have a few.
const MAX_GAME_FINDINGS: usize = 10_000;

impl AuditReport {
    /// A report that keeps a record of each game.
    #[must_use]
    pub fn with_records() -> AuditReport {
        AuditReport {
            keeps_records: true,
            ..AuditReport::default()
        }
    }

    /// Counts and keeps findings of these codes only.
    #[must_use]
    pub fn only(mut self, codes: Vec<FindingCode>) -> AuditReport {
        self.only = Some(codes);
        self
    }

    /// Keeps at most this many findings; the others are only counted.
    #[must_use]
    pub fn at_most(mut self, findings: usize) -> AuditReport {
        self.most = Some(findings);
        self
    }

    /// Sets how thoroughly dead positions are checked.
    #[must_use]
    pub fn dead_positions(mut self, depth: DeadPositions) -> AuditReport {
        self.dead_positions = depth;
        self
    }

    /// An empty report with the same settings.
    #[must_use]
    pub fn fresh(&self) -> AuditReport {
        AuditReport {
            keeps_records: self.keeps_records,
            dead_positions: self.dead_positions,
            only: self.only.clone(),
            most: self.most,
            ..AuditReport::default()
        }
    }

    pub(super) fn add(
        &mut self,
        code: FindingCode,
        severity: Severity,
        offset: u64,
        ply: Option<u32>,
        message: fmt::Arguments<'_>,
    ) {
        let is_wanted = match &self.only {
            Some(codes) => codes.contains(&code),
            // Escaped lines are not a fault, so they are only reported on request.
            None => code != FindingCode::EscapedLine,
        };
        if !is_wanted {
            return;
        }
        self.totals.by_severity[severity as usize] += 1;
        self.totals.by_code[code as usize] += 1;
        if self.most.is_none_or(|most| self.findings.len() < most) {
            let game = self.totals.games.max(1);
            let mut message = message.to_string();
            let kept = self.count_kept(game);
            if kept > MAX_GAME_FINDINGS {
                return;
            }
            if kept == MAX_GAME_FINDINGS {
                message += "; what else is found in this game is only counted";
            }
            self.findings.push(Finding {
                code,
                severity,
                game,
                offset,
                line: 0,
                ply,
                message,
            });
        }
    }

    /// The number of findings of this game, the last so far, that would be kept with one more.
    fn count_kept(&mut self, game: u64) -> usize {
        if self.kept.0 != game {
            self.kept = (game, 0);
        }
        self.kept.1 += 1;
        self.kept.1
    }

    /// Adds the finding that [batches](crate::Batches) were UTF-16. Call it before the first batch is
    /// audited.
    ///
    /// ```
    /// use touchmove_pgn::{FindingCode, AuditReport};
    ///
    /// let mut report = AuditReport::default();
    /// report.note_utf16();
    /// assert_eq!((report.findings[0].code, report.findings[0].line), (FindingCode::Utf16, 1));
    /// ```
    pub fn note_utf16(&mut self) {
        let code = FindingCode::Utf16;
        self.add(code, code.severity(), 0, None, format_args!("{UTF16_TEXT}"));
        if let Some(finding) = self.findings.last_mut() {
            finding.line = finding.line.max(1);
        }
    }

    /// Adds the finding that the last game of a batch was cut off. Call it after the batch was
    /// [audited](audit).
    ///
    /// ```
    /// use touchmove_pgn::{FindingCode, Excess, AuditReport};
    ///
    /// let mut report = AuditReport::default();
    /// report.note_excess(Excess { offset: 16_777_216, line: 7, bytes: 12 });
    /// assert_eq!((report.findings[0].code, report.findings[0].line), (FindingCode::GameTooLong, 7));
    /// ```
    pub fn note_excess(&mut self, excess: Excess) {
        let (code, before) = (FindingCode::GameTooLong, self.findings.len());
        // Kept even if the game has too many findings.
        self.kept.1 = 0;
        let message = format_args!("{excess}");
        self.add(code, code.severity(), excess.offset, None, message);
        if let Some(finding) = self.findings.get_mut(before) {
            finding.line = excess.line;
        }
    }

    /// Sorts the findings from `since` on, and sets their lines within the part of the file.
    fn place(&mut self, since: usize, batch: &Batch) {
        let found = &mut self.findings[since..];
        found.sort_by_key(|finding| finding.offset);
        let (mut line, mut at) = (batch.line, 0);
        for finding in found {
            let offset = ((finding.offset - batch.offset) as usize).min(batch.text.len());
            line += count_line_ends(&batch.text[at..offset]);
            finding.line = line;
            at = offset;
        }
    }

    /// Adds `before` to the game number of every finding.
    pub(super) fn count_games_from(&mut self, before: u64) {
        for finding in &mut self.findings {
            finding.game += before;
        }
    }

    /// Adds the report on the next part of the same file.
    pub fn append(&mut self, mut next: AuditReport) {
        next.count_games_from(self.totals.games);
        let room = self
            .most
            .map_or(usize::MAX, |most| most.saturating_sub(self.findings.len()));
        self.findings.extend(next.findings.into_iter().take(room));
        self.records.append(&mut next.records);
        self.totals.merge(&next.totals);
    }
}

/// Audits the games of a part of a file. Games are counted on from those in the report.
///
/// ```
/// use touchmove_pgn::{Batch, FindingCode, AuditReport, audit};
/// let text = b"[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n".to_vec();
/// let mut report = AuditReport::default();
/// audit(&Batch { text, offset: 0, line: 1 }, &mut report);
/// let illegal = report.findings.iter().find(|finding| finding.code == FindingCode::IllegalMove).unwrap();
/// assert_eq!((illegal.game, illegal.line, illegal.ply), (1, 3, Some(3)));
/// ```
pub fn audit(batch: &Batch, report: &mut AuditReport) {
    let since = report.findings.len();
    read_part(&batch.text, batch.offset, &mut Auditor::new(report));
    report.place(since, batch);
}
