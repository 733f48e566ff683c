//! How a game ended by the laws, and whether the recorded result agrees. The moves have been replayed
//! elsewhere.

use touchmove_rules::{Color, Draw, Ending, Outcome, Victory};

use crate::diagnostic::{FindingCode, Severity};
use crate::lexer::MoveText;
use crate::result::GameResult;

use crate::audit::header::Termination;
use crate::audit::history::ReplayedPly;
use crate::audit::notation::Mark;
use crate::audit::report::{GameRecord, RecordedEnding};
use crate::audit::{Auditor, State};

/// An automatic draw in words.
const fn how(draw: Draw) -> &'static str {
    match draw {
        Draw::FivefoldRepetition => "the position has occurred five times",
        Draw::SeventyFiveMoves => "75 moves of each side without capture and pawn move",
        _ => "neither side has the material to win",
    }
}

/// The code of a move after an ending on the board; `None` for other endings.
pub(super) const fn move_after(ending: Ending) -> Option<FindingCode> {
    match ending {
        Ending::Win { by, .. } => match by {
            Victory::Checkmate => Some(FindingCode::MoveAfterCheckmate),
            Victory::KingExploded => Some(FindingCode::MoveAfterExplosion),
            _ => None,
        },
        Ending::Draw(draw) => match draw {
            Draw::Stalemate => Some(FindingCode::MoveAfterStalemate),
            Draw::DeadPosition => Some(FindingCode::MoveAfterDeadPosition),
            Draw::FivefoldRepetition => Some(FindingCode::MoveAfterFivefold),
            Draw::SeventyFiveMoves => Some(FindingCode::MoveAfterSeventyFive),
            _ => None,
        },
        Ending::NoResult(_) => None,
    }
}

impl Auditor<'_> {
    /// The result that counts: the movetext's, or else the tag's.
    fn final_result(&self) -> GameResult {
        let from_tag = self.header.result.as_ref().and_then(|(result, _)| *result);
        self.result
            .map(|(result, _)| result)
            .or(from_tag)
            .unwrap_or_default()
    }

    /// The severity of what is forbidden only by the laws since July 2014.
    fn severity_of(&self, draw: Draw) -> Severity {
        match draw {
            Draw::FivefoldRepetition | Draw::SeventyFiveMoves
                if self.header.is_before_automatic_draws =>
            {
                Severity::Info
            }
            _ => Severity::Error,
        }
    }

    /// Reports that the last move was the first one after a draw.
    #[cold]
    pub(super) fn move_after_end(&mut self, text: &MoveText<'_>) {
        let Some((draw, end)) = self.history.over else {
            return;
        };
        let Some(code) = move_after(Ending::Draw(draw)).filter(|_| end.ply == self.plies) else {
            return;
        };
        let position = self.line.position_after(self.plies as usize);
        let (label, how) = (Self::label(&position, text), how(draw));
        let message = format_args!("{label} is played after the game has ended: {how}");
        self.report_at(
            code,
            self.severity_of(draw),
            text.offset,
            Some(self.plies + 1),
            message,
        );
    }

    /// Reports missing and wrong tags.
    pub(super) fn judge_header(&mut self) {
        if self.header.has_roster() {
            let missing: Vec<_> = self.header.missing().collect();
            if !missing.is_empty() {
                let names = missing.join(", ");
                let message = format_args!("the game lacks the tags {names}");
                self.find(FindingCode::MissingRosterTag, self.began, None, message);
            }
        }
        match (&self.header.result, self.result) {
            (Some((None, at)), _) => {
                let at = *at;
                let message = format_args!("the Result tag holds no result");
                self.find(FindingCode::BadResultTag, at, None, message);
            }
            (Some((Some(tag), _)), Some((text, at))) if *tag != text => {
                let tag = *tag;
                let message = format_args!("the Result tag says {tag}, the movetext {text}");
                self.find(FindingCode::ResultMismatch, at, Some(self.plies), message);
            }
            _ => {}
        }
        if let Some((count, at)) = self.header.ply_count
            && self.state != State::Unknown
            && count != Some(self.written_plies)
        {
            let plies = self.written_plies;
            let message = format_args!("the game has {plies} plies, PlyCount says otherwise");
            self.find(FindingCode::PlyCount, at, None, message);
        }
    }

    /// Whether the game was drawn on the board although the side on move had legal moves, and how.
    fn drawn(&self) -> Option<(Draw, &'static str)> {
        match (self.history.over, self.prospects.dead_after) {
            (Some((draw, at)), dead) if dead.is_none_or(|dead| at.ply < dead) => {
                Some((draw, how(draw)))
            }
            (_, Some(_)) => Some((Draw::DeadPosition, "neither side could win any more")),
            _ => None,
        }
    }

    /// Reports a result that the moves contradict.
    pub(super) fn judge_result(&mut self, offset: u64) {
        let result = self.final_result();
        let is_replayed = matches!(self.state, State::Playing | State::Broken);
        let outcome = is_replayed.then(|| self.position.outcome()).flatten();
        if is_replayed && self.plies > 0 {
            self.prospects = self.prospects(result, outcome);
        }
        if let Some(dead_after) = self.prospects.dead_after {
            self.mention_dead(dead_after);
        }
        if self.state != State::Playing {
            return;
        }
        let at = self.result.map_or(offset, |(_, at)| at);
        match (outcome, self.drawn()) {
            (Some(outcome), _) => self.judge_outcome(outcome, result, at),
            (None, Some((draw, how))) if result != GameResult::Draw => {
                let message = format_args!("the result is {result}, but the game was drawn: {how}");
                let code = FindingCode::ResultContradictsPosition;
                self.report_at(code, self.severity_of(draw), at, Some(self.plies), message);
            }
            (None, None) => self.judge_winner(result, at),
            _ => {}
        }
        self.mention_claims(result);
    }

    fn judge_outcome(&mut self, outcome: Outcome, result: GameResult, at: u64) {
        let due = GameResult::from(Ending::from(outcome));
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
            self.find(
                FindingCode::MissingMateMark,
                self.line.last_offset(),
                ply,
                message,
            );
        }
        if result != due {
            let message = format_args!("{how}, so the result is {due}, not {result}");
            self.find(FindingCode::ResultContradictsPosition, at, ply, message);
        }
    }

    fn judge_winner(&mut self, result: GameResult, at: u64) {
        if let (Some(winner), Some(why)) = (result.winner(), self.prospects.hopeless) {
            let message = format_args!("{winner} {why}");
            self.find(
                FindingCode::WinWithoutMaterial,
                at,
                Some(self.plies),
                message,
            );
        }
    }

    /// Reports draws that could have been claimed, unless the game ended with them.
    fn mention_claims(&mut self, result: GameResult) {
        let plies = self.plies;
        let dead_after = self.prospects.dead_after;
        let is_missed = |ply: u32| {
            let was_over = dead_after.is_some_and(|dead| dead < ply);
            !was_over && (plies > ply || result != GameResult::Draw)
        };
        if let Some(moment) = self.history.threefold
            && is_missed(moment.ply)
        {
            let message =
                format_args!("the position occurs for the third time: a draw could be claimed");
            self.find(
                FindingCode::ThreefoldMissed,
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
            self.find(
                FindingCode::FiftyMissed,
                moment.offset,
                Some(moment.ply),
                message,
            );
        }
        if let Some(moment) = self.history.look_alike
            && self.history.threefold.is_none()
        {
            let message = format_args!(
                "the men stand like this for the third time, but the first time a pawn could be taken \
                 en passant, so no draw can be claimed"
            );
            self.find(
                FindingCode::RepetitionLookAlike,
                moment.offset,
                Some(moment.ply),
                message,
            );
        }
    }

    /// The record of the game for statistics.
    pub(super) fn record(&self) -> GameRecord {
        let is_replayed = self.state == State::Playing;
        let result = self.final_result();
        let start_variant = is_replayed.then(|| self.position.variant());
        GameRecord {
            plies: self.plies,
            result,
            conclusion: self.conclusion(result),
            variant: start_variant,
            opening: if self.header.fen.is_none() {
                self.line.opening()
            } else {
                [None; 2]
            },
        }
    }

    fn conclusion(&self, result: GameResult) -> RecordedEnding {
        if self.state != State::Playing {
            let is_empty = self.state == State::Tags || self.plies == 0;
            return if is_empty {
                RecordedEnding::Unfinished
            } else {
                RecordedEnding::Unclear
            };
        }
        if let Some(outcome) = self.position.outcome() {
            return RecordedEnding::Ended(outcome.into());
        }
        if let Some((draw, _)) = self.drawn() {
            return RecordedEnding::Ended(Ending::Draw(draw));
        }
        match (result, result.winner()) {
            (_, Some(winner)) => {
                let by = self.victory();
                RecordedEnding::Ended(Ending::Win { winner, by })
            }
            (GameResult::Draw, _) => RecordedEnding::Ended(Ending::Draw(self.draw())),
            _ => RecordedEnding::Unfinished,
        }
    }

    /// How a win that the position did not decide most likely came about.
    fn victory(&self) -> Victory {
        match self.header.termination {
            Termination::Time => Victory::FlagFall,
            Termination::Abandoned if self.plies > 0 => Victory::Abandonment,
            Termination::Infraction => Victory::Forfeit,
            _ if self.plies == 0 => Victory::NoShow,
            _ => Victory::Resignation,
        }
    }

    /// How a draw that the position did not decide most likely came about. If a clock ran out, it was that of
    /// the player on move.
    fn draw(&self) -> Draw {
        let ended_at =
            |claimed: Option<ReplayedPly>| claimed.is_some_and(|at| at.ply + 1 >= self.plies);
        if self.header.termination == Termination::Time {
            let flagged = self.position.turn();
            Draw::FlagFall { flagged }
        } else if ended_at(self.history.threefold) {
            Draw::ThreefoldRepetition
        } else if ended_at(self.history.fifty) {
            Draw::FiftyMoves
        } else {
            Draw::Agreement
        }
    }
}
