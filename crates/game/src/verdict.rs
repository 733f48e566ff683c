//! Everything an arbiter can say about a position and the moves that led to it, as plain data for people and
//! programs. Uses [`position_status`](crate::position_status) and adds no law of its own.

use serde::Serialize;
use touchmove_rules::{Color, Setup, SetupFaults, Variant};

use crate::position_status;
use crate::position_status::{DeadPositionStatus, DeadProof, PositionStatus};
use crate::{
    AnalysisKind, AnalysisQuestion, Budget, Conclusion, Danger, Draw, Draws, Ending, Game,
    InterruptibleBudget, NoResult, Opening, Players, Terms, Timestamp, Victory, explain,
};

/// The arbiter's verdict. Serialised, its fields are the keys of `touchmove judge --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    /// The variant's name.
    pub variant: String,
    /// The position after the moves.
    pub fen: String,
    /// Whether the starting position can be played and all moves are legal.
    pub valid: bool,
    /// Every fault of the position, or the first illegal move with its reason.
    pub faults: Vec<String>,
    /// The player on move.
    pub turn: Color,
    /// Whether that side is in check.
    pub check: bool,
    /// The squares of the checking pieces.
    pub checkers: Vec<String>,
    /// How many legal moves there are.
    pub legal_moves: u32,
    /// How often the position has occurred, this time included.
    pub repetitions: usize,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The draws that the player on move may claim.
    pub claims: Vec<&'static str>,
    /// `ongoing`, or how the game ended.
    pub status: &'static str,
    /// The winner.
    pub winner: Option<Color>,
    /// The result in PGN notation.
    pub result: &'static str,
    /// All of this in a sentence.
    pub explanation: String,
    /// Whether nothing was left undecided: who could still win when the flag fell, or whether the position is
    /// dead.
    pub proved: bool,
    /// In variants with explosions: threats to either king, and kings that touch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub danger: Vec<Danger>,
    /// If the game was already over before the last move under these terms: after which ply, and how.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_since: Option<OverSince>,
}

/// Budget to find out at each of many moves whether the game was already over.
const QUICK_ANALYSIS_BUDGET: Budget = Budget::of_positions(64);

/// An ending after which the moves went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OverSince {
    /// How many plies had been played.
    pub ply: usize,
    /// How the game had ended.
    pub status: &'static str,
}

impl Verdict {
    /// Judges the position that the moves lead to, as people or programs type them. All legal moves are
    /// followed, even beyond a draw that ends the game under these terms, because the question is about the
    /// last position; [`over_since`](Verdict::over_since) then says that the game was already over. `flagged`
    /// is a player whose flag falls in that position.
    #[must_use]
    pub fn of(terms: Terms, moves: &[&str], flagged: Option<Color>) -> Verdict {
        Verdict::by(Budget::default(), terms, moves, flagged)
    }

    /// The same with a limited search that can be interrupted. A smaller budget may miss dead positions, so
    /// that the game seems to go on.
    ///
    /// ```
    /// use touchmove_game::{Budget, InterruptibleBudget, Terms, Verdict};
    /// use touchmove_rules::Variant;
    ///
    /// let in_a_hurry = InterruptibleBudget { interrupted: &|| true, ..InterruptibleBudget::from(Budget::default()) };
    /// let moves = ["f3", "e5", "g4", "Qh4"];
    /// let verdict = Verdict::by(in_a_hurry, Terms::of(Variant::Chess), &moves, None);
    /// assert_eq!(verdict.status, "checkmate", "whoever looks sees it");
    /// ```
    #[must_use]
    pub fn by<'a>(
        look: impl Into<InterruptibleBudget<'a>>,
        terms: Terms,
        moves: &[&str],
        flagged: Option<Color>,
    ) -> Verdict {
        let look = look.into();
        let opening = Opening::of(terms, Players::default(), Timestamp::default());
        let mut game = Game::open(opening);
        let mut over_since = None;
        let mut fault = None;
        for (ply, text) in moves.iter().enumerate() {
            match game.read_move(text) {
                Ok(mv) => {
                    over_since = over_since.or_else(|| {
                        glance(&game, look).map(|ending| OverSince {
                            ply,
                            status: ending.status(),
                        })
                    });
                    game.play_on(mv);
                }
                Err(misread) => {
                    fault = Some(format!("ply {}, {}: {misread}", ply + 1, text.trim()));
                    break;
                }
            }
        }
        Verdict::judge(look, &game, flagged, over_since, fault)
    }

    fn judge(
        look: InterruptibleBudget<'_>,
        game: &Game,
        flagged: Option<Color>,
        over_since: Option<OverSince>,
        fault: Option<String>,
    ) -> Verdict {
        let position = game.position();
        let occurrence = game.occurrence();
        let terms = game.terms();
        let (conclusion, not_known_dead) = match flagged {
            None => match occurrence.status(terms, look) {
                PositionStatus::Ended(ending, proof) => {
                    (Some(game.conclusion_of(ending, proof.as_ref())), false)
                }
                PositionStatus::GoesOn => (None, false),
                PositionStatus::Undecided { .. } => (None, true),
            },
            Some(flagged) => (Some(flag(look, game, flagged)), false),
        };
        let proved = !not_known_dead && conclusion.as_ref().is_none_or(Conclusion::is_proved);
        let ending = conclusion.as_ref().map(|conclusion| conclusion.ending);
        let claims = match (ending, terms.draws) {
            (None, Draws::Claim) => occurrence
                .supported_claims()
                .map(|claim| claim.status())
                .collect(),
            _ => Vec::new(),
        };
        let mut explanation = match conclusion {
            Some(conclusion) => conclusion.text,
            None => explain::standing(game),
        };
        if not_known_dead {
            explanation = format!("{explanation} {}", explain::DEADNESS_UNKNOWN_TEXT);
        }
        if let Some(OverSince { ply, status }) = over_since {
            let name = status.replace('_', " ");
            explanation += &format!(
                " Under these terms the game was over before, by {name} after {ply} plies."
            );
        }
        if let Some(fault) = &fault {
            explanation = format!("Illegal at {fault}. Before it: {explanation}");
        }
        Verdict {
            variant: position.variant().to_string(),
            fen: position.fen().to_string(),
            valid: fault.is_none(),
            faults: fault.into_iter().collect(),
            turn: position.turn(),
            check: position.is_check(),
            checkers: position
                .checkers()
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
            legal_moves: if king_is_gone(ending) {
                0
            } else {
                position.legal_move_count()
            },
            repetitions: occurrence.repetitions,
            halfmove_clock: position.halfmoves(),
            claims,
            status: ending.map_or("ongoing", Ending::status),
            winner: ending.and_then(Ending::winner),
            result: ending.map_or("*", Ending::result),
            explanation,
            proved,
            danger: match ending {
                None => Danger::in_all(position),
                Some(_) => Vec::new(),
            },
            over_since,
        }
    }

    /// The verdict on a setup that cannot be played: Game Over before it began [004-1].
    #[must_use]
    pub fn of_illegal(variant: Variant, setup: &Setup, faults: &SetupFaults) -> Verdict {
        let ending = Ending::NoResult(NoResult::IllegalPosition);
        Verdict {
            variant: variant.to_string(),
            fen: touchmove_rules::Fen(*setup).to_string(),
            valid: false,
            faults: faults.into_iter().map(ToString::to_string).collect(),
            turn: setup.turn,
            check: false,
            checkers: Vec::new(),
            legal_moves: 0,
            repetitions: 1,
            halfmove_clock: setup.halfmoves,
            claims: Vec::new(),
            status: ending.status(),
            winner: None,
            result: ending.result(),
            explanation: format!("Game Over: illegal position ({faults})."),
            proved: true,
            danger: Vec::new(),
            over_since: None,
        }
    }
}

impl Verdict {
    /// The verdict as lines of text.
    #[must_use]
    pub fn report(&self) -> String {
        let listed = |words: &[&str]| match words {
            [] => "none".to_owned(),
            words => words.join(", ").replace('_', " "),
        };
        let checkers: Vec<&str> = self.checkers.iter().map(String::as_str).collect();
        let mut lines = vec![
            ("Position", self.fen.clone()),
            ("Turn", self.turn.to_string()),
            ("Check from", listed(&checkers)),
            ("Legal moves", self.legal_moves.to_string()),
            ("Repetitions", self.repetitions.to_string()),
            ("Halfmove clock", self.halfmove_clock.to_string()),
            ("Claims", listed(&self.claims)),
            ("Status", self.status.replace('_', " ")),
            ("Result", self.result.to_owned()),
        ];
        lines.extend(self.faults.iter().map(|fault| ("Fault", fault.clone())));
        let dangers = self.danger.iter();
        lines.extend(dangers.map(|danger| ("Danger", danger.text.clone())));
        let lines = lines
            .iter()
            .map(|(name, value)| format!("{name:<16}{value}\n"));
        lines.chain([format!("{}\n", self.explanation)]).collect()
    }
}

/// Whether the game was already over here; without a search if interrupted.
fn glance(game: &Game, look: InterruptibleBudget<'_>) -> Option<Ending> {
    let (occurrence, terms) = (game.occurrence(), game.terms());
    match (look.interrupted)() {
        false => occurrence
            .status(terms, QUICK_ANALYSIS_BUDGET)
            .ended()
            .map(|(ending, _)| ending),
        true => occurrence.plain_ending(terms.draws),
    }
}

/// What a player's flag fall means in the current position. A mate on the board stands (FIDE 6.9), and so
/// does a draw by the list of material if the terms use that law.
fn flag(look: InterruptibleBudget<'_>, game: &Game, flagged: Color) -> Conclusion {
    let (position, law) = (game.position(), game.terms().dead);
    if let Some(ending) = position_status::decided_on_the_board(position) {
        return game.conclusion_of(ending, None);
    }
    let without_a_search = Budget::of_positions(0);
    if let DeadPositionStatus::Dead(list @ DeadProof::List) =
        position_status::deadness(position, law, without_a_search)
    {
        return game.conclusion_of(Ending::Draw(Draw::DeadPosition), Some(&list));
    }
    game.flag_means_at_once(flagged).unwrap_or_else(|| {
        let question = AnalysisQuestion {
            position: *game.position(),
            about: AnalysisKind::Flag(flagged),
        };
        game.flag_means(flagged, &question.answer(look).answer)
    })
}

/// Whether a king is missing. The generator still finds moves in such a position, but the game is over.
fn king_is_gone(ending: Option<Ending>) -> bool {
    matches!(
        ending,
        Some(Ending::Win {
            by: Victory::KingExploded,
            ..
        })
    )
}
