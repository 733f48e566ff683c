//! The audit: replays every game under the laws and reports what is wrong with it. It reads from memory and
//! returns findings; files, threads and output are handled elsewhere.

mod clock;
mod dead_positions;
mod ending;
mod finding_text;
mod header;
mod history;
mod main_line;
mod notation;
mod parallel;
mod report;

use std::fmt;
use std::mem;

use touchmove_rules::{AnyPosition, Color, Move, Position, Rules, Variant, with_position};

use crate::comment::Comment;
use crate::diagnostic::{FindingCode, Severity};
use crate::encoding::decode;
use crate::lexer::MoveText;
use crate::result::GameResult;
use crate::spelling::{NULL_MOVE, Spelling};
use crate::starting_position::{StartError, starting_position};
use crate::tag::Tag;
use crate::visitor::{VisitControl, Visitor};

use clock::Clocks;
use dead_positions::{Prospects, Solvers};
use header::Header;
use history::{History, ReplayedPly};
use main_line::MainLine;
use notation::{Mark, MoveFault, mark_of};

pub use dead_positions::{DeadPositions, ParseDeadPositionsError};
pub use parallel::audit_stream;
pub use report::{AuditReport, AuditTotals, GameRecord, RecordedEnding, audit};

/// The legal move that a written move means, in SAN or by its squares.
pub(crate) fn read_move(position: &AnyPosition, san: &[u8]) -> Option<Move> {
    let spelling = Spelling::default();
    let text = MoveText {
        san,
        written: san,
        offset: 0,
        spelling,
        parsed: None,
    };
    with_position!(position, position => notation::resolve(position, &text).ok().map(|read| read.mv))
}

/// Variations deeper than this are read but not replayed.
const MAX_VARIATION_DEPTH: usize = 1 << 17;

/// The visitor that replays and judges games.
struct Auditor<'r> {
    report: &'r mut AuditReport,
    /// The offset of the game.
    began: u64,
    header: Header,
    history: History,
    clocks: Clocks,
    /// The current position.
    position: AnyPosition,
    /// In a variation: the position before its last move.
    before: AnyPosition,
    /// The main line.
    line: MainLine,
    plies: u32,
    /// The number of plies before the starting position, by its move number.
    first_ply: u64,
    /// Plies in the file, replayed or not.
    written_plies: u32,
    state: State,
    /// The outer lines of the variation that is being replayed.
    outer: Vec<SuspendedLine>,
    /// Codes of style that were already reported in this game.
    reported: u128,
    result: Option<(GameResult, u64)>,
    last_mark: Mark,
    solvers: Solvers,
    prospects: Prospects,
}

/// Whether the current line can be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// No movetext yet.
    Tags,
    /// Yes.
    Playing,
    /// No longer: a move could not be played.
    Broken,
    /// No: the variant or the starting position is unknown.
    Unknown,
}

/// A line to come back to.
struct SuspendedLine {
    position: AnyPosition,
    before: AnyPosition,
    state: State,
}

impl<'r> Auditor<'r> {
    fn new(report: &'r mut AuditReport) -> Auditor<'r> {
        let line = MainLine::default();
        Auditor {
            report,
            began: 0,
            header: Header::default(),
            history: History::default(),
            clocks: Clocks::default(),
            position: line.start,
            before: line.start,
            line,
            plies: 0,
            first_ply: 0,
            written_plies: 0,
            state: State::Tags,
            outer: Vec::new(),
            reported: 0,
            result: None,
            last_mark: Mark::None,
            solvers: Solvers::default(),
            prospects: Prospects::default(),
        }
    }

    fn report_at(
        &mut self,
        code: FindingCode,
        severity: Severity,
        offset: u64,
        ply: Option<u32>,
        message: fmt::Arguments<'_>,
    ) {
        self.report.add(code, severity, offset, ply, message);
    }

    fn find(
        &mut self,
        code: FindingCode,
        offset: u64,
        ply: Option<u32>,
        message: fmt::Arguments<'_>,
    ) {
        self.report_at(code, code.severity(), offset, ply, message);
    }

    /// Whether a code of style is new in this game; only the first finding of each is reported.
    fn mark_seen(&mut self, code: FindingCode) -> bool {
        let bit = 1_u128 << (code as u32);
        let is_new = self.reported & bit == 0;
        self.reported |= bit;
        is_new
    }

    /// The number of plies before the current move by the move numbers, including those before a FEN. Cheaper
    /// than asking the position, and the same in the main line except for overflowing numbers.
    #[inline(always)]
    fn ply_of_game(&self) -> u64 {
        self.first_ply + u64::from(self.plies)
    }

    /// "12... Nf6": the move with its correct number in the position before it.
    fn label(position: &AnyPosition, text: &MoveText<'_>) -> String {
        let dots = if position.turn().is_white() {
            "."
        } else {
            "..."
        };
        format!("{}{dots} {}", position.fullmoves(), decode(text.written))
    }

    fn begin(&mut self, offset: u64) -> Result<(), StartError> {
        let variant = self
            .header
            .variant
            .as_ref()
            .map(|(value, _)| value.as_str());
        let fen = self.header.fen.as_ref().map(|(value, _)| value.as_str());
        let start = starting_position(variant, fen)?;
        let fen_offset = self.header.fen.as_ref().map_or(offset, |(_, at)| *at);
        self.position = start.position;
        self.line.begin(start.position, offset);
        let variant = start.position.variant();
        if start.is_short {
            let message = format_args!(
                "the FEN lacks its last fields; they are read as \"w - - 0 1\" has them"
            );
            self.find(FindingCode::ShortFen, fen_offset, None, message);
        }
        if start.is_chess960_after_all {
            let message = format_args!(
                "the castling rights are those of Chess960, but the Variant tag is not"
            );
            self.find(FindingCode::VariantMismatch, fen_offset, None, message);
        }
        if variant == Variant::Chess960 && self.header.fen.is_none() {
            let message =
                format_args!("a game of Chess960 without a FEN is replayed from the usual array");
            self.find(FindingCode::VariantMismatch, offset, None, message);
        }
        if let Some((code, at, message)) = self.header.contradictions(variant == Variant::Chess960)
        {
            self.find(code, at, None, format_args!("{message}"));
        }
        let first_move = start.position.fullmoves();
        let is_black = !start.position.turn().is_white();
        self.first_ply = 2 * u64::from(first_move.saturating_sub(1)) + u64::from(is_black);
        self.clocks.begin(self.header.control.take(), first_move);
        let dead_positions = self.report.dead_positions;
        with_position!(&start.position, position => self.history.begin(position, dead_positions));
        Ok(())
    }

    /// Replays a move of the main line.
    #[inline(never)]
    fn main_ply(&mut self, text: &MoveText<'_>) {
        let mark = mark_of(text.san);
        let Auditor {
            position, history, ..
        } = self;
        let was_over = history.over.is_some();
        let moment = ReplayedPly {
            ply: self.plies + 1,
            offset: text.offset,
        };
        let step = with_position!(position, position => play(position, text, mark).inspect(|played| {
            history.push(position, played.mv, moment);
        }));
        match step {
            Ok(ReplayedMove { mv, oddities }) => {
                if was_over {
                    self.move_after_end(text);
                }
                if oddities != [None; 2] {
                    self.report_oddities(oddities, text);
                }
                self.plies += 1;
                self.last_mark = mark;
                self.line.moves.push((mv, text.offset));
            }
            Err(fault) => {
                self.state = State::Broken;
                self.report_fault(&fault, text);
            }
        }
    }

    /// Replays a move of a variation: only its legality matters.
    fn variation_ply(&mut self, text: &MoveText<'_>) {
        let before = self.position;
        let step = with_position!(&mut self.position, position => {
            if text.san == NULL_MOVE.as_bytes() {
                Ok(position.null_move().map(|passed| *position = passed).is_some())
            } else {
                notation::resolve(position, text).map(|written| {
                    position.play(written.mv);
                    true
                })
            }
        });
        match step {
            Ok(true) => self.before = before,
            Ok(false) => self.state = State::Broken,
            Err(fault) => {
                self.state = State::Broken;
                self.report_fault(&fault, text);
            }
        }
    }
}

/// A replayed move of the game, and how its spelling is odd.
struct ReplayedMove {
    mv: Move,
    oddities: [Option<FindingCode>; 2],
}

/// Plays a written move. If it cannot be played, the position stays as it is.
#[inline(always)]
fn play<R: Rules>(
    position: &mut Position<R>,
    text: &MoveText<'_>,
    mark: Mark,
) -> Result<ReplayedMove, Box<MoveFault>> {
    let (mv, spelling) = match notation::play_export_san(position, text) {
        Some(played) => played,
        None => notation::play_any_notation(position, text)?,
    };
    let check_mark = match (position.is_check(), mark) {
        (false, Mark::None) | (true, Mark::Check) => None,
        (true, Mark::None) => Some(FindingCode::MissingCheckMark),
        (false, Mark::Check) => Some(FindingCode::WrongCheckMark),
        (_, Mark::Mate) => match position.outcome() {
            Some(outcome) if outcome.winner().is_some() => None,
            _ => Some(FindingCode::WrongCheckMark),
        },
    };
    Ok(ReplayedMove {
        mv,
        oddities: [spelling, check_mark],
    })
}

impl Visitor for Auditor<'_> {
    fn begin_game(&mut self, offset: u64) {
        self.report.totals.games += 1;
        self.began = offset;
        self.header = Header::default();
        self.plies = 0;
        self.written_plies = 0;
        self.state = State::Tags;
        self.outer.clear();
        self.reported = 0;
        self.result = None;
        self.last_mark = Mark::None;
        self.line.moves.clear();
        self.prospects = Prospects::default();
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        if self.header.take(tag).is_some() {
            let message = format_args!("the tag {} stands here again", tag.name());
            self.find(FindingCode::DuplicateTag, tag.offset, None, message);
        }
    }

    fn begin_movetext(&mut self, offset: u64) -> VisitControl {
        match self.begin(offset) {
            Ok(()) => {
                self.state = State::Playing;
                VisitControl::Read
            }
            Err(error) => {
                self.state = State::Unknown;
                let (code, at) = match &error {
                    StartError::UnknownVariant(_) => {
                        (FindingCode::UnknownVariant, &self.header.variant)
                    }
                    _ => (FindingCode::BadFen, &self.header.fen),
                };
                let at = at.as_ref().map_or(offset, |(_, at)| *at);
                let message = format_args!("{error}; the moves are not judged");
                self.find(code, at, None, message);
                VisitControl::Skip
            }
        }
    }

    #[inline(always)]
    fn number(&mut self, number: Option<u32>, _: u32, offset: u64) {
        let is_right = number.is_some_and(|number| u64::from(number) == 1 + self.ply_of_game() / 2);
        if !is_right && self.state == State::Playing && self.outer.is_empty() {
            self.report_number(number, offset);
        }
    }

    #[inline(always)]
    fn ply(&mut self, text: &MoveText<'_>) {
        let is_main = self.outer.is_empty();
        self.written_plies += u32::from(is_main);
        if self.state != State::Playing {
            return;
        }
        if !is_main {
            self.variation_ply(text);
        } else if text.san == NULL_MOVE.as_bytes() {
            let label = Self::label(&self.position, text);
            let message = format_args!(
                "{label}: nobody may pass in a game; the moves behind it are not judged"
            );
            self.find(
                FindingCode::NullMove,
                text.offset,
                Some(self.plies + 1),
                message,
            );
            self.state = State::Broken;
        } else {
            self.main_ply(text);
        }
    }

    #[inline(always)]
    fn comment(&mut self, comment: &Comment<'_>) {
        if self.state != State::Playing || !self.outer.is_empty() || self.plies == 0 {
            return;
        }
        let mover = match self.ply_of_game() % 2 {
            0 => Color::Black,
            _ => Color::White,
        };
        let moves = self.plies.div_ceil(2);
        if let Some(anomaly) = self.clocks.read(comment, mover, moves) {
            self.report_clock(&anomaly, comment.offset);
        }
    }

    fn begin_variation(&mut self) -> VisitControl {
        if self.outer.len() >= MAX_VARIATION_DEPTH {
            if self.mark_seen(FindingCode::DeepVariation) {
                let message =
                    format_args!("variations deeper than {MAX_VARIATION_DEPTH} are not replayed");
                self.find(
                    FindingCode::DeepVariation,
                    self.line.last_offset(),
                    Some(self.plies),
                    message,
                );
            }
            return VisitControl::Skip;
        }
        let before = if self.outer.is_empty() {
            let plies = self.line.moves.len();
            self.line.position_after(plies.saturating_sub(1))
        } else {
            self.before
        };
        self.outer.push(SuspendedLine {
            position: self.position,
            before,
            state: self.state,
        });
        self.before = mem::replace(&mut self.position, before);
        VisitControl::Read
    }

    fn end_variation(&mut self) {
        if let Some(line) = self.outer.pop() {
            self.position = line.position;
            self.before = line.before;
            self.state = line.state;
        }
    }

    fn result(&mut self, result: GameResult, offset: u64) {
        if self.outer.is_empty() {
            self.result = Some((result, offset));
        }
    }

    fn end_game(&mut self, offset: u64) {
        self.judge_header();
        self.judge_result(offset);
        self.report.totals.plies += u64::from(self.plies);
        if self.report.keeps_records {
            let record = self.record();
            self.report.records.push(record);
        }
    }

    fn diagnose(&mut self, code: FindingCode, offset: u64, message: fmt::Arguments<'_>) {
        let ply = (self.state == State::Playing).then_some(self.plies);
        self.find(code, offset, ply, message);
    }
}
