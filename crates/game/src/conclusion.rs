//! A [`Conclusion`]: how a game ended, the sentence that says so, and the proof or line behind it, so that no
//! search has to be repeated. Nothing is decided here.

use serde::{Deserialize, Serialize};
use touchmove_rules::{Color, UciMove};
use touchmove_winnability::Proof;

use crate::{Draw, Ending, NoResult, Victory, serde_impls};

/// The ending of a game, with the reason.
///
/// ```
/// use touchmove_game::{Conclusion, Ending, Victory};
/// use touchmove_rules::Color;
///
/// let ending = Ending::Win { winner: Color::White, by: Victory::Resignation };
/// let conclusion = Conclusion::new(ending, "Black has resigned; White wins.");
/// assert!(conclusion.is_proved());
/// let written = serde_json::to_string(&conclusion).unwrap();
/// assert_eq!(serde_json::from_str::<Conclusion>(&written).unwrap(), conclusion);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "ConclusionRepr", into = "ConclusionRepr")]
pub struct Conclusion {
    /// How it ended.
    pub ending: Ending,
    /// Why, in a sentence.
    pub text: String,
    /// What the sentence rests on, if the board alone does not show it.
    pub grounds: Option<Grounds>,
}

/// What a conclusion about who can still win rests on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Grounds {
    /// A proof that neither side can win, or not the side that would have won.
    Proof {
        /// The kind of argument, as [`kind_of`] names it.
        #[serde(deserialize_with = "serde_impls::line")]
        kind: String,
        /// The argument in words.
        #[serde(deserialize_with = "serde_impls::line")]
        text: String,
    },
    /// A line of legal moves by which the winner could still have won.
    #[serde(with = "serde_impls::line")]
    Line(Vec<UciMove>),
    /// The search found neither in its budget.
    Undecided {
        /// Number of positions visited.
        positions: u64,
    },
}

impl Conclusion {
    /// A conclusion that the board alone shows.
    #[must_use]
    pub fn new(ending: Ending, text: impl Into<String>) -> Conclusion {
        Conclusion {
            ending,
            text: text.into(),
            grounds: None,
        }
    }

    /// Whether nothing was left undecided.
    #[must_use]
    pub const fn is_proved(&self) -> bool {
        !matches!(self.grounds, Some(Grounds::Undecided { .. }))
    }
}

impl From<&Proof> for Grounds {
    fn from(proof: &Proof) -> Grounds {
        Grounds::Proof {
            kind: kind_of(proof).to_owned(),
            text: proof.to_string(),
        }
    }
}

/// The name of a kind of proof, for programs: `over`, `material`, `forced`, `structure`, `outlines` or
/// `visited`. If only the list of material ends the game, it is `list`.
#[must_use]
pub const fn kind_of(proof: &Proof) -> &'static str {
    match proof {
        Proof::Over(_) => "over",
        Proof::Material => "material",
        Proof::Forced { .. } => "forced",
        Proof::Structure { .. } => "structure",
        Proof::Outlines { .. } => "outlines",
        Proof::Visited { .. } => "visited",
    }
}

/// The serialised form of a conclusion.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConclusionRepr {
    status: String,
    winner: Option<Color>,
    result: String,
    /// The player whose flag fell or who left, if the game was drawn nevertheless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<Color>,
    #[serde(deserialize_with = "serde_impls::line")]
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grounds: Option<Grounds>,
}

impl From<Conclusion> for ConclusionRepr {
    fn from(conclusion: Conclusion) -> ConclusionRepr {
        let ending = conclusion.ending;
        ConclusionRepr {
            status: ending.status().to_owned(),
            winner: ending.winner(),
            result: ending.result().to_owned(),
            player: match ending {
                Ending::Draw(Draw::FlagFall { flagged: player })
                | Ending::Draw(Draw::Abandonment { gone: player }) => Some(player),
                _ => None,
            },
            text: conclusion.text,
            grounds: conclusion.grounds,
        }
    }
}

impl TryFrom<ConclusionRepr> for Conclusion {
    type Error = String;

    fn try_from(written: ConclusionRepr) -> Result<Conclusion, String> {
        let ConclusionRepr {
            status,
            winner,
            result,
            player,
            text,
            grounds,
        } = written;
        let ending = ending_of(&status, winner, player)
            .ok_or_else(|| format!("no game ends by {status:?} with such a winner"))?;
        if ending.result() != result {
            return Err(format!(
                "{status} leads to {}, not to {result}",
                ending.result()
            ));
        }
        Ok(Conclusion {
            ending,
            text,
            grounds,
        })
    }
}

/// The ending with this status, winner and, for some draws, player concerned.
pub(crate) fn ending_of(
    status: &str,
    winner: Option<Color>,
    player: Option<Color>,
) -> Option<Ending> {
    let wins = winner.into_iter().flat_map(|winner| {
        Victory::ALL
            .into_iter()
            .map(move |by| Ending::Win { winner, by })
    });
    let of_player = player.into_iter().flat_map(|player| {
        [
            Draw::FlagFall { flagged: player },
            Draw::Abandonment { gone: player },
        ]
    });
    let plain = [
        Draw::Stalemate,
        Draw::DeadPosition,
        Draw::Agreement,
        Draw::ThreefoldRepetition,
        Draw::FivefoldRepetition,
        Draw::FiftyMoves,
        Draw::SeventyFiveMoves,
    ];
    let draws = match player {
        None => plain.into_iter().collect::<Vec<_>>(),
        Some(_) => of_player.collect(),
    };
    let voids = [NoResult::Aborted, NoResult::IllegalPosition].map(Ending::NoResult);
    let drawn = draws
        .into_iter()
        .map(Ending::Draw)
        .chain(voids)
        .filter(|_| winner.is_none());
    wins.chain(drawn).find(|ending| ending.status() == status)
}
