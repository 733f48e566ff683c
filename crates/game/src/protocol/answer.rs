//! Answers to programs, as plain data. The field names are a stable interface.

use serde::Serialize;
use touchmove_rules::Color;

use crate::protocol::{ClientRequest, RefusalMessage};
use crate::{
    AnalysisResult, Conclusion, Danger, Ending, Event, FORMAT_VERSION, Game, Grounds, Seat,
    Timestamp, explain, pgn_record,
};

/// The answer to a request.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// Whether the request was granted.
    pub accepted: bool,
    /// Why it was refused.
    #[serde(flatten)]
    pub denial: Option<RefusalMessage>,
    /// Warnings that no game can reach the starting position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The new events, in the form of the journal.
    pub events: Vec<Event>,
    /// The state of the game now.
    pub state: State,
    /// The legal moves in UCI, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// The game as PGN, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
}

impl Answer {
    /// The answer to a granted request, with its events.
    #[must_use]
    pub fn granted(game: &Game, now: Timestamp, events: Vec<Event>) -> Answer {
        Answer {
            accepted: true,
            denial: None,
            warnings: warnings(game),
            events,
            state: State::of(game, now),
            moves: None,
            pgn: None,
        }
    }

    /// The answer to a refused request.
    #[must_use]
    pub fn denied(
        game: &Game,
        now: Timestamp,
        events: Vec<Event>,
        denial: RefusalMessage,
    ) -> Answer {
        Answer {
            accepted: false,
            denial: Some(denial),
            ..Answer::granted(game, now, events)
        }
    }

    /// The answer to a request for information.
    #[must_use]
    pub fn query(game: &Game, now: Timestamp, events: Vec<Event>, ask: &ClientRequest) -> Answer {
        Answer {
            moves: matches!(ask, ClientRequest::Moves).then(|| moves(game)),
            pgn: matches!(ask, ClientRequest::Pgn).then(|| pgn_record::document(game).to_string()),
            ..Answer::granted(game, now, events)
        }
    }
}

fn warnings(game: &Game) -> Vec<String> {
    let start = game.terms().start;
    let faults = start.setup().faults(start.variant());
    faults.iter().map(ToString::to_string).collect()
}

/// The legal moves in UCI; empty if the game is over.
fn moves(game: &Game) -> Vec<String> {
    if game.ending().is_some() || game.flag().is_some() {
        return Vec::new();
    }
    let position = game.position();
    let moves = position.legal_moves();
    moves
        .iter()
        .map(|&mv| position.uci(mv).to_string())
        .collect()
}

/// The state of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct State {
    /// The version of this format.
    pub v: u64,
    /// The number of the latest event.
    pub seq: u64,
    /// The moment that the clocks are shown for, on the same time line as `at` of events.
    pub at: Timestamp,
    /// The variant that is played.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The player on move.
    pub turn: Color,
    /// Whether that side is in check.
    pub check: bool,
    /// Plies played so far.
    pub plies: usize,
    /// The last of them in UCI.
    pub last_move: Option<String>,
    /// `ongoing`, or how the game ended.
    pub status: &'static str,
    /// The winner.
    pub winner: Option<Color>,
    /// The result in PGN notation.
    pub result: &'static str,
    /// All of this in a sentence.
    pub explanation: String,
    /// Whether nothing was left undecided; only written if something was.
    #[serde(skip_serializing_if = "Clone::clone")]
    pub proved: bool,
    /// In variants with explosions: threats to the king of the player on move, and kings that touch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub danger: Vec<Danger>,
    /// What the ending rests on beyond what the board shows: a proof, a line, or that it was not decided in
    /// time. The last also if the game goes on because of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grounds: Option<Grounds>,
    /// The players' names; `null` where a seat is open.
    pub players: SeatNames,
    /// The time each player has left in milliseconds; `null` without clocks.
    pub clocks: Option<TimeLeft>,
    /// Whether a clock runs.
    pub running: bool,
    /// The moment the flag of the player on move falls, on the same time line.
    pub deadline: Option<Timestamp>,
    /// The player whose flag has fallen, also while it is not yet known what that means.
    pub flag: Option<Color>,
    /// Why the arbiter holds the clocks, if they are held.
    pub held: Option<String>,
    /// From when on the opponent may claim the game, because the player on move has not come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_show: Option<Timestamp>,
    /// The draws that the player on move may claim.
    pub claims: Vec<&'static str>,
    /// The open offers.
    pub offers: OpenOffers,
}

/// The players' names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct SeatNames {
    pub white: Seat,
    pub black: Seat,
}

/// Milliseconds on the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct TimeLeft {
    pub white: u64,
    pub black: u64,
}

/// Open offers, and who made them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct OpenOffers {
    pub draw: Option<Color>,
    pub takeback: Option<Color>,
}

fn last_move(game: &Game) -> Option<String> {
    let before = game.plies().len().checked_sub(1)?;
    let position = game.position_after(before)?;
    Some(position.uci(game.plies()[before].mv).to_string())
}

impl State {
    /// The state of a game at `now`.
    ///
    /// ```
    /// use touchmove_game::protocol::State;
    /// use touchmove_game::{Game, Players, Terms, Timestamp};
    /// use touchmove_rules::Variant;
    ///
    /// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
    /// assert_eq!(State::of(&game, Timestamp(0)).status, "ongoing");
    /// ```
    #[must_use]
    pub fn of(game: &Game, now: Timestamp) -> State {
        let ending = game.ending();
        let left = |player| game.time_left(player, now).map(|time| time.0);
        let clocks = left(Color::White)
            .zip(left(Color::Black))
            .map(|(white, black)| TimeLeft { white, black });
        let seats = game.seats();
        State {
            v: FORMAT_VERSION,
            seq: game.seq(),
            at: now.max(game.latest()),
            variant: game.terms().variant().to_string(),
            fen: game.position().fen().to_string(),
            turn: game.turn(),
            check: game.position().is_check(),
            plies: game.plies().len(),
            last_move: last_move(game),
            status: ending.map_or("ongoing", Ending::status),
            winner: ending.and_then(Ending::winner),
            result: ending.map_or("*", Ending::result),
            explanation: explain::sentence(game),
            proved: game.conclusion().is_none_or(Conclusion::is_proved),
            danger: match ending {
                None => Danger::to(game.position(), game.turn()),
                Some(_) => Vec::new(),
            },
            grounds: game
                .conclusion()
                .and_then(|conclusion| conclusion.grounds.clone()),
            players: SeatNames {
                white: seats.white.clone(),
                black: seats.black.clone(),
            },
            clocks,
            running: game.deadline().is_some(),
            deadline: game.deadline(),
            flag: game.flag(),
            held: game.held().map(str::to_owned),
            no_show: game.no_show_due(),
            claims: game
                .claims()
                .into_iter()
                .map(|claim| claim.status())
                .collect(),
            offers: OpenOffers {
                draw: game.draw_offer(),
                takeback: game.takeback_offer(),
            },
        }
    }

    /// The same, with the result of a search in the current position. If the search did not decide whether
    /// the position is dead, the state says so.
    ///
    /// ```
    /// use touchmove_game::protocol::State;
    /// use touchmove_game::{Budget, Game, Players, Terms, Timestamp};
    /// use touchmove_rules::{AnyPosition, Variant};
    ///
    /// let fen = "3k1b2/2p1pBp1/KpP1P1P1/1P6/4B3/8/8/8 w - - 0 1";
    /// let start = AnyPosition::from_fen(fen, Variant::Chess).unwrap();
    /// let game = Game::begin(Terms::from(start), Players::default(), Timestamp(0));
    /// let finding = game.pending_analysis().unwrap().answer(Budget::of_positions(1));
    /// let state = State::of(&game, Timestamp(0)).with_analysis(&game, Some(&finding));
    /// assert!(!state.proved && state.explanation.contains("dead was not decided in time"));
    /// ```
    #[must_use]
    pub fn with_analysis(self, game: &Game, finding: Option<&AnalysisResult>) -> State {
        let finding = finding.filter(|finding| game.pending_analysis() == Some(finding.question));
        let left_open = finding.and_then(|finding| Some((finding, finding.left_open()?)));
        match left_open {
            Some((finding, text)) => State {
                explanation: format!("{} {text}", self.explanation),
                proved: false,
                grounds: finding.undecided(),
                ..self
            },
            None => self,
        }
    }
}
