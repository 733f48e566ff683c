//! What the line protocol answers, as plain data. Its names are a promise to programs.

use serde::Serialize;
use touchmove_game::journal::{Record, Side};
use touchmove_game::{Ending, Game, Timestamp, explain};
use touchmove_rules::Color;

/// The answer to a request.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    /// Whether the request was granted.
    pub accepted: bool,
    /// Why not, as a stable code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why not, as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What makes the start one that no game can reach, if anything does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What happened, in the form of the journal.
    pub events: Vec<Record>,
    /// How the game stands now.
    pub state: State,
    /// The legal moves in UCI, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// The game as PGN, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
}

/// How a game stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct State {
    /// The position.
    pub fen: String,
    /// Who is on move.
    pub turn: Side,
    /// Whether that side is in check.
    pub check: bool,
    /// Plies played so far.
    pub plies: usize,
    /// `ongoing`, or how the game ended.
    pub status: &'static str,
    /// Who has won.
    pub winner: Option<Side>,
    /// The result as PGN writes it.
    pub result: &'static str,
    /// All that in a sentence.
    pub explanation: String,
    /// What each player has left, in milliseconds; `null` without clocks.
    pub clocks: Option<Clocks>,
    /// The moment the flag of the player on move falls, on the time line of `at`.
    pub deadline: Option<Timestamp>,
    /// The draws that the player on move may claim.
    pub claims: Vec<&'static str>,
    /// Who has offered what.
    pub offers: Offers,
}

/// Milliseconds on the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Clocks {
    pub white: u64,
    pub black: u64,
}

/// Offers that wait for an answer, and who made them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Offers {
    pub draw: Option<Side>,
    pub takeback: Option<Side>,
}

impl Answer {
    /// The answer to a request that was granted.
    pub(super) fn granted(game: &Game, now: Timestamp, events: Vec<Record>) -> Answer {
        Answer {
            accepted: true,
            reason: None,
            text: None,
            warnings: warnings(game),
            events,
            state: State::of(game, now),
            moves: None,
            pgn: None,
        }
    }
}

fn warnings(game: &Game) -> Vec<String> {
    let start = game.terms().start;
    let faults = start.setup().faults(start.variant());
    faults.iter().map(ToString::to_string).collect()
}

impl State {
    /// How a game stands at `now`.
    #[must_use]
    pub fn of(game: &Game, now: Timestamp) -> State {
        let ending = game.ending();
        let left = |player| game.time_left(player, now).map(|time| time.0);
        let clocks = left(Color::White)
            .zip(left(Color::Black))
            .map(|(white, black)| Clocks { white, black });
        State {
            fen: game.position().fen().to_string(),
            turn: game.turn().into(),
            check: game.position().is_check(),
            plies: game.plies().len(),
            status: ending.map_or("ongoing", Ending::status),
            winner: ending.and_then(Ending::winner).map(Side::from),
            result: ending.map_or("*", Ending::result),
            explanation: explain::sentence(game),
            clocks,
            deadline: game.deadline(),
            claims: game
                .claims()
                .into_iter()
                .map(|claim| claim.status())
                .collect(),
            offers: Offers {
                draw: game.draw_offer().map(Side::from),
                takeback: game.takeback_offer().map(Side::from),
            },
        }
    }
}
