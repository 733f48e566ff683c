//! How a game ended by the laws, and whether the recorded result agrees. The moves have been replayed
//! elsewhere.

use std::fmt;

use touchmove_rules::{Color, Outcome, material, with_position};

use crate::diagnostic::{Code, Severity};
use crate::lexer::MoveText;
use crate::result::GameResult;

use super::history::Over;
use super::notation::Mark;
use super::report::GameRecord;
use super::{Auditor, State};

/// The true reason for which a game ended, as far as the record tells.
///
/// ```
/// use touchmove_pgn::{Batch, Ending, Report, audit};
///
/// let text = b"1. f3 e5 2. g4 Qh4# 0-1\n".to_vec();
/// let mut report = Report::with_records();
/// audit(&Batch { text, offset: 0, line: 1 }, &mut report);
/// assert_eq!(report.records[0].ending, Ending::Checkmate);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// By checkmate.
    Checkmate,
    /// A king was blown up.
    Explosion,
    /// By stalemate.
    Stalemate,
    /// Neither side had the material to win.
    DeadPosition,
    /// The position occurred five times.
    Fivefold,
    /// Seventy-five moves of each side without capture and pawn move.
    SeventyFive,
    /// A draw where threefold repetition could be claimed.
    Threefold,
    /// A draw where the fifty-move rule could be claimed.
    Fifty,
    /// A draw for another reason, most likely by agreement.
    Agreement,
    /// A win on time.
    Time,
    /// A win for another reason, most likely by resignation.
    Resignation,
    /// No result.
    Unfinished,
    /// The moves could not be replayed to the end.
    Unclear,
}

impl Ending {
    /// All endings.
    pub const ALL: [Ending; 13] = [
        Ending::Checkmate,
        Ending::Explosion,
        Ending::Resignation,
        Ending::Time,
        Ending::Agreement,
        Ending::Threefold,
        Ending::Fifty,
        Ending::Stalemate,
        Ending::DeadPosition,
        Ending::Fivefold,
        Ending::SeventyFive,
        Ending::Unfinished,
        Ending::Unclear,
    ];

    /// The name for programs, in snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::Explosion => "explosion",
            Ending::Stalemate => "stalemate",
            Ending::DeadPosition => "dead_position",
            Ending::Fivefold => "fivefold",
            Ending::SeventyFive => "seventy_five",
            Ending::Threefold => "threefold",
            Ending::Fifty => "fifty",
            Ending::Agreement => "agreement",
            Ending::Time => "time",
            Ending::Resignation => "resignation",
            Ending::Unfinished => "unfinished",
            Ending::Unclear => "unclear",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The result that a win of this side is.
const fn win_of(color: Color) -> GameResult {
    match color {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

const fn over_name(over: Over) -> &'static str {
    match over {
        Over::Fivefold => "the position has occurred five times",
        Over::SeventyFive => "75 moves of each side without capture and pawn move",
        Over::Dead => "neither side has the material to win",
    }
}

impl Auditor<'_> {
    /// The result as it counts: the movetext's, or else the tag's.
    fn final_result(&self) -> GameResult {
        let from_tag = self.header.result.as_ref().and_then(|(result, _)| *result);
        self.result
            .map(|(result, _)| result)
            .or(from_tag)
            .unwrap_or_default()
    }

    /// The severity of what only the laws since July 2014 forbid.
    fn severity_of(&self, over: Over) -> Severity {
        match over {
            Over::Fivefold | Over::SeventyFive if self.header.is_before_automatic_draws => {
                Severity::Info
            }
            _ => Severity::Error,
        }
    }

    #[cold]
    pub(super) fn move_after_end(&mut self, over: Over, text: &MoveText<'_>) {
        let code = match over {
            Over::Fivefold => Code::MoveAfterFivefold,
            Over::SeventyFive => Code::MoveAfterSeventyFive,
            Over::Dead => Code::MoveAfterDeadPosition,
        };
        let (label, how) = (self.label(text), over_name(over));
        let message = format_args!("{label} is played after the game has ended: {how}");
        self.report_at(
            code,
            self.severity_of(over),
            text.offset,
            Some(self.plies + 1),
            message,
        );
    }

    /// What the tags leave out or say wrongly.
    pub(super) fn judge_header(&mut self, offset: u64) {
        if self.header.has_roster() {
            let missing: Vec<_> = self.header.missing().collect();
            if !missing.is_empty() {
                let names = missing.join(", ");
                let message = format_args!("the game lacks the tags {names}");
                self.find(Code::MissingRosterTag, offset, None, message);
            }
        }
        match (&self.header.result, self.result) {
            (Some((None, at)), _) => {
                let at = *at;
                let message = format_args!("the Result tag holds no result");
                self.find(Code::BadResultTag, at, None, message);
            }
            (Some((Some(tag), _)), Some((text, at))) if *tag != text => {
                let tag = *tag;
                let message = format_args!("the Result tag says {tag}, the movetext {text}");
                self.find(Code::ResultMismatch, at, Some(self.plies), message);
            }
            _ => {}
        }
        if let Some((count, at)) = self.header.ply_count
            && self.state != State::Unknown
            && count != Some(self.written_plies)
        {
            let plies = self.written_plies;
            let message = format_args!("the game has {plies} plies, PlyCount says otherwise");
            self.find(Code::PlyCount, at, None, message);
        }
    }

    /// Whether the result is the one that the moves brought about.
    pub(super) fn judge_result(&mut self, offset: u64) {
        if self.state != State::Playing {
            return;
        }
        let result = self.final_result();
        let at = self.result.map_or(offset, |(_, at)| at);
        match (self.position().outcome(), self.history.over) {
            (Some(outcome), _) => self.judge_outcome(outcome, result, at),
            (None, Some((over, _))) if result != GameResult::Draw => {
                let how = over_name(over);
                let message = format_args!("the result is {result}, but the game was drawn: {how}");
                let code = Code::ResultContradictsPosition;
                self.report_at(code, self.severity_of(over), at, Some(self.plies), message);
            }
            (None, None) => self.judge_winner(result, at),
            _ => {}
        }
        self.mention_claims(result);
    }

    fn judge_outcome(&mut self, outcome: Outcome, result: GameResult, at: u64) {
        let due = outcome.winner().map_or(GameResult::Draw, win_of);
        let how = match outcome {
            Outcome::Checkmate {
                winner: Color::White,
            } => "White has checkmated",
            Outcome::Checkmate {
                winner: Color::Black,
            } => "Black has checkmated",
            Outcome::Stalemate => "it is stalemate",
            Outcome::KingExploded {
                winner: Color::White,
            } => "the black king was blown up",
            Outcome::KingExploded {
                winner: Color::Black,
            } => "the white king was blown up",
        };
        let ply = Some(self.plies);
        if outcome.winner().is_some() && self.last_mark != Mark::Mate && self.plies > 0 {
            let message = format_args!("the last move should end in #: {how}");
            self.find(Code::MissingMateMark, self.last_offset, ply, message);
        }
        if result != due {
            let message = format_args!("{how}, so the result is {due}, not {result}");
            self.find(Code::ResultContradictsPosition, at, ply, message);
        }
    }

    fn judge_winner(&mut self, result: GameResult, at: u64) {
        let winner = match result {
            GameResult::WhiteWins => Color::White,
            GameResult::BlackWins => Color::Black,
            _ => return,
        };
        let can_win =
            with_position!(&self.position(), position => material::can_win(position, winner));
        if self.plies > 0 && !can_win {
            let message = format_args!("{winner:?} does not have the material to win");
            self.find(Code::WinWithoutMaterial, at, Some(self.plies), message);
        }
    }

    /// Draws that could have been claimed, unless the game ended with them.
    fn mention_claims(&mut self, result: GameResult) {
        let plies = self.plies;
        let is_missed = |ply: u32| plies > ply || result != GameResult::Draw;
        if let Some(moment) = self.history.threefold
            && is_missed(moment.ply)
        {
            let message =
                format_args!("the position occurs for the third time: a draw could be claimed");
            self.find(
                Code::ThreefoldMissed,
                moment.offset,
                Some(moment.ply),
                message,
            );
        }
        if let Some(moment) = self.history.fifty
            && is_missed(moment.ply)
        {
            let message = format_args!(
                "50 moves of each side without capture and pawn move: a draw could be claimed"
            );
            self.find(Code::FiftyMissed, moment.offset, Some(moment.ply), message);
        }
        if let Some(moment) = self.history.look_alike
            && self.history.threefold.is_none()
        {
            let message = format_args!(
                "the men stand like this for the third time, but the first time a pawn could be taken \
                 en passant, so no draw can be claimed"
            );
            self.find(
                Code::RepetitionLookAlike,
                moment.offset,
                Some(moment.ply),
                message,
            );
        }
    }

    /// What statistics want to know about the game.
    pub(super) fn record(&self) -> GameRecord {
        let is_replayed = self.state == State::Playing;
        let result = self.final_result();
        let start_variant = is_replayed.then(|| self.position().variant());
        GameRecord {
            plies: self.plies,
            result,
            ending: self.ending(result),
            variant: start_variant,
            opening: if self.header.fen.is_none() {
                self.opening
            } else {
                [None; 2]
            },
        }
    }

    fn ending(&self, result: GameResult) -> Ending {
        if self.state != State::Playing {
            let is_empty = self.state == State::Tags || self.plies == 0;
            return if is_empty {
                Ending::Unfinished
            } else {
                Ending::Unclear
            };
        }
        match self.position().outcome() {
            Some(Outcome::Checkmate { .. }) => return Ending::Checkmate,
            Some(Outcome::Stalemate) => return Ending::Stalemate,
            Some(Outcome::KingExploded { .. }) => return Ending::Explosion,
            None => {}
        }
        match (self.history.over, result) {
            (Some((Over::Fivefold, _)), _) => Ending::Fivefold,
            (Some((Over::SeventyFive, _)), _) => Ending::SeventyFive,
            (Some((Over::Dead, _)), _) => Ending::DeadPosition,
            (None, GameResult::Unknown) => Ending::Unfinished,
            (None, GameResult::Draw) if self.ended_at(self.history.threefold) => Ending::Threefold,
            (None, GameResult::Draw) if self.ended_at(self.history.fifty) => Ending::Fifty,
            (None, GameResult::Draw) => Ending::Agreement,
            (None, _) if self.header.is_lost_on_time => Ending::Time,
            (None, _) => Ending::Resignation,
        }
    }

    fn ended_at(&self, moment: Option<super::history::Moment>) -> bool {
        moment.is_some_and(|moment| moment.ply + 1 >= self.plies)
    }
}
