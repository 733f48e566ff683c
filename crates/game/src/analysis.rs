//! Analysis questions: is the position dead, and what does a fallen flag mean? Both may need a search, so an
//! [`AnalysisQuestion`] is plain data that any thread can answer; only the game draws the conclusion.

use touchmove_rules::{AnyPosition, Color, UciMove, material, with_position};
use touchmove_winnability::{InterruptibleBudget, Winnability, winnable};

use crate::position_status;
use crate::position_status::{DeadPositionStatus, DeadProof};
use crate::{
    Actor, Budget, Conclusion, DeadLaw, Draw, Ending, Event, EventKind, FlagLaw, Game, Grounds,
    Timestamp, Victory, explain,
};

/// A question about a position that may need a search.
///
/// ```
/// use touchmove_game::{Budget, Command, Game, Players, Terms, Timestamp};
/// use touchmove_rules::{AnyPosition, Color, Variant};
///
/// // White's flag falls against a lone knight and a helpful pawn.
/// let start = AnyPosition::from_fen("7k/8/8/8/8/8/P7/K5n1 w - - 0 1", Variant::Chess).unwrap();
/// let terms = Terms { time: Some("1".parse().unwrap()), ..Terms::from(start) };
/// let mut game = Game::begin(terms, Players::default(), Timestamp(0));
/// game.evolve_all(&game.tick(Timestamp(60_000)));
/// assert!(game.ending().is_none() && game.flag() == Some(Color::White));
///
/// let question = game.pending_analysis().unwrap();              // hand it to another thread
/// let finding = question.answer(Budget::default());
/// game.evolve_all(&game.conclude(Timestamp(60_000), &finding));
/// assert_eq!(game.ending().unwrap().to_string(), "Black wins: White's time ran out");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysisQuestion {
    /// The position.
    pub position: AnyPosition,
    /// The kind of question.
    pub about: AnalysisKind,
}

/// The kinds of questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnalysisKind {
    /// Is the position dead (FIDE 5.2.2)?
    Dead,
    /// Can this player's opponent still win, now that the player's flag has fallen (FIDE 6.9)?
    Flag(Color),
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisResult {
    /// The question.
    pub question: AnalysisQuestion,
    /// The answer.
    pub answer: AnalysisAnswer,
}

/// What a search can find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnalysisAnswer {
    /// Neither side can win; after a flag fall: the opponent cannot win.
    Unwinnable(DeadProof),
    /// Some side can win, after a flag fall the opponent, by these moves.
    Winnable(Vec<UciMove>),
    /// The budget did not suffice.
    Undecided {
        /// Number of positions visited.
        positions: u64,
    },
}

impl AnalysisQuestion {
    /// Searches for the answer until the budget is spent or the search is interrupted.
    #[must_use]
    pub fn answer<'a>(&self, look: impl Into<InterruptibleBudget<'a>>) -> AnalysisResult {
        let look = look.into();
        let answer = match self.about {
            AnalysisKind::Dead => {
                match position_status::deadness(&self.position, DeadLaw::Exact, look) {
                    DeadPositionStatus::Dead(proof) => AnalysisAnswer::Unwinnable(proof),
                    DeadPositionStatus::Alive(line) => {
                        AnalysisAnswer::Winnable(in_uci(self.position, &line.unwrap_or_default()))
                    }
                    DeadPositionStatus::Undecided { positions } => {
                        AnalysisAnswer::Undecided { positions }
                    }
                }
            }
            AnalysisKind::Flag(flagged) => self.answer_flag(!flagged, look),
        };
        AnalysisResult {
            question: *self,
            answer,
        }
    }

    fn answer_flag(&self, winner: Color, look: InterruptibleBudget<'_>) -> AnalysisAnswer {
        if !with_position!(&self.position, p => material::can_win(p, winner)) {
            return AnalysisAnswer::Unwinnable(DeadProof::Material);
        }
        match winnable(&self.position, winner, look) {
            Winnability::Unwinnable(proof) => {
                AnalysisAnswer::Unwinnable(DeadProof::Winnability(proof))
            }
            Winnability::Winnable(line) => AnalysisAnswer::Winnable(in_uci(self.position, &line)),
            Winnability::Undecided { visited, .. } => {
                AnalysisAnswer::Undecided { positions: visited }
            }
        }
    }
}

impl AnalysisResult {
    /// The sentence to show if the game goes on and it was not decided whether the position is dead. For an
    /// undecided question about a flag, see [`Game::conclude`].
    ///
    /// ```
    /// use touchmove_game::{Budget, Game, Players, Terms, Timestamp};
    /// use touchmove_rules::{AnyPosition, Variant};
    ///
    /// let fen = "3k1b2/2p1pBp1/KpP1P1P1/1P6/4B3/8/8/8 w - - 0 1";
    /// let start = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
    /// let game = Game::begin(Terms::from(start), Players::default(), Timestamp(0));
    /// let question = game.pending_analysis().unwrap();
    /// let hasty = question.answer(Budget::of_positions(1)).left_open().unwrap();
    /// assert!(hasty.starts_with("Whether the position is dead was not decided in time"));
    /// ```
    #[must_use]
    pub fn left_open(&self) -> Option<String> {
        match (self.question.about, &self.answer) {
            (AnalysisKind::Dead, AnalysisAnswer::Undecided { .. }) => {
                Some(explain::DEADNESS_UNKNOWN_TEXT.to_owned())
            }
            _ => None,
        }
    }

    /// The positions visited, if the search did not suffice.
    pub(crate) const fn undecided(&self) -> Option<Grounds> {
        match self.answer {
            AnalysisAnswer::Undecided { positions } => Some(Grounds::Undecided { positions }),
            _ => None,
        }
    }
}

/// Converts a line of moves to UCI.
fn in_uci(mut position: AnyPosition, line: &[touchmove_rules::Move]) -> Vec<UciMove> {
    let mut written = Vec::with_capacity(line.len());
    for &mv in line {
        written.push(position.uci(mv));
        position.play(mv);
    }
    written
}

impl Game {
    /// The pending question whose answer could end the game now: what a fallen flag means, or whether the
    /// position is dead.
    #[must_use]
    pub fn pending_analysis(&self) -> Option<AnalysisQuestion> {
        let about = match (self.conclusion(), self.flag()) {
            (Some(_), _) => return None,
            (None, Some(flagged)) => AnalysisKind::Flag(flagged),
            (None, None) if self.terms().dead == DeadLaw::Exact => AnalysisKind::Dead,
            (None, None) => return None,
        };
        Some(AnalysisQuestion {
            position: *self.position(),
            about,
        })
    }

    /// The events that follow from a result at `now`: the end of the game; or none if the result changes
    /// nothing or the game has gone on since.
    #[must_use]
    pub fn conclude(&self, now: Timestamp, finding: &AnalysisResult) -> Vec<Event> {
        let conclusion = match self.pending_analysis() {
            Some(question) if question == finding.question => match question.about {
                AnalysisKind::Flag(flagged) => Some(self.flag_means(flagged, &finding.answer)),
                AnalysisKind::Dead => self.proved_dead(now, &finding.answer),
            },
            _ => None,
        };
        // A fallen flag ended the game when it fell, however long the search took.
        let at = match self.flag() {
            Some(_) => self.latest(),
            None => now.max(self.latest()),
        };
        let ended = conclusion
            .map(|conclusion| self.event(1, at, Actor::Arbiter, EventKind::Ended(conclusion)));
        ended.into_iter().collect()
    }

    /// Decides at once what a fallen flag means, if there is one, and applies the events. Blocks until the
    /// budget is spent, so it is for callers that may keep everybody waiting.
    pub fn settle_flag(&mut self, budget: Budget) -> Vec<Event> {
        let fallen = self.pending_analysis().filter(|_| self.flag().is_some());
        let events = fallen.map(|question| self.conclude(self.latest(), &question.answer(budget)));
        let events = events.unwrap_or_default();
        self.evolve_all(&events);
        events
    }

    fn proved_dead(&self, now: Timestamp, answer: &AnalysisAnswer) -> Option<Conclusion> {
        let at = now.max(self.latest());
        let in_time = self.deadline().is_none_or(|deadline| at < deadline);
        match answer {
            AnalysisAnswer::Unwinnable(proof) if in_time => Some(Conclusion {
                ending: Ending::Draw(Draw::DeadPosition),
                text: explain::dead(self.position(), proof),
                grounds: Some(Grounds::from(proof)),
            }),
            _ => None,
        }
    }

    /// What this player's fallen flag means (FIDE 6.9), as far as the answer decides it.
    pub(crate) fn flag_means(&self, flagged: Color, answer: &AnalysisAnswer) -> Conclusion {
        let ending = match answer {
            AnalysisAnswer::Unwinnable(_) => Ending::Draw(Draw::FlagFall { flagged }),
            AnalysisAnswer::Winnable(_) | AnalysisAnswer::Undecided { .. } => Ending::Win {
                winner: !flagged,
                by: Victory::FlagFall,
            },
        };
        let grounds = match answer {
            AnalysisAnswer::Unwinnable(proof) => Grounds::from(proof),
            AnalysisAnswer::Winnable(line) => Grounds::Line(line.clone()),
            AnalysisAnswer::Undecided { positions } => Grounds::Undecided {
                positions: *positions,
            },
        };
        Conclusion {
            ending,
            text: explain::flag(self.position(), flagged, answer),
            grounds: Some(grounds),
        }
    }

    /// What this player's fallen flag means, if that needs no search.
    pub(crate) fn flag_means_at_once(&self, flagged: Color) -> Option<Conclusion> {
        let winner = !flagged;
        match self.terms().flag {
            FlagLaw::Loses => {
                let ending = Ending::Win {
                    winner,
                    by: Victory::FlagFall,
                };
                Some(explain::ended(self, ending))
            }
            FlagLaw::Fide => {
                let can_win = with_position!(self.position(), p => material::can_win(p, winner));
                let proof = AnalysisAnswer::Unwinnable(DeadProof::Material);
                (!can_win).then(|| self.flag_means(flagged, &proof))
            }
        }
    }
}
