//! Offers and games as lists show them.

use serde::Serialize;
use touchmove_game::protocol::{State, TimeLeft};
use touchmove_game::{Game, Timestamp};
use touchmove_rules::{AnyPosition, Color};
use touchmove_store::{GameId, GameRow, Holder, Moment, Offer, PersonId, Phase, Player};

use crate::games::terms_request::Side;
use crate::lobby::Deal;

/// What somebody is shown as who has said no name.
const GUEST: &str = "Guest";

/// Somebody, with the id of his account if he has one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Named {
    name: String,
    id: Option<String>,
}

impl Named {
    pub(crate) fn new(name: &str, person: Option<PersonId>) -> Named {
        let name = if name.is_empty() { GUEST } else { name };
        Named {
            name: name.to_owned(),
            id: person.map(|person| person.to_string()),
        }
    }

    /// A player of a list; nobody for an open seat.
    fn player(player: &Player) -> Option<Named> {
        let name = player.name.as_ref()?;
        Some(Named::new(name, player.person))
    }

    /// What he is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// What is offered, in short.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Short {
    side: Side,
    variant: String,
    time: Option<String>,
    /// The position to begin with, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
}

impl From<&Deal> for Short {
    fn from(deal: &Deal) -> Short {
        let terms = &deal.terms;
        let fen = terms.start.fen();
        let is_usual = fen == AnyPosition::start(terms.variant()).fen();
        Short {
            side: deal.side,
            variant: terms.variant().to_string(),
            time: terms.time.as_ref().map(ToString::to_string),
            start: (!is_usual).then(|| fen.to_string()),
        }
    }
}

/// An open offer to everybody.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct SeekShown {
    id: String,
    by: Named,
    #[serde(flatten)]
    short: Short,
    created: i64,
    expires: Option<i64>,
}

impl SeekShown {
    pub(crate) fn new(offer: &Offer, deal: &Deal) -> SeekShown {
        let person = match offer.by {
            Holder::Person(person) => Some(person),
            Holder::Guest(_) => None,
        };
        SeekShown {
            id: offer.id.to_string(),
            by: Named::new(&offer.name, person),
            short: Short::from(deal),
            created: offer.created.0,
            expires: offer.expires.map(|Moment(at)| at),
        }
    }
}

/// An offer to somebody.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ChallengeShown {
    #[serde(flatten)]
    seek: SeekShown,
    to: Named,
    /// `in` for who is challenged, `out` for who challenges.
    direction: &'static str,
}

impl ChallengeShown {
    pub(crate) fn new(offer: &Offer, deal: &Deal, to: Named, is_out: bool) -> ChallengeShown {
        ChallengeShown {
            seek: SeekShown::new(offer, deal),
            to,
            direction: if is_out { "out" } else { "in" },
        }
    }
}

/// A game in a list.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Row {
    id: String,
    url: String,
    variant: String,
    white: Option<Named>,
    black: Option<Named>,
    phase: &'static str,
    status: String,
    result: Option<String>,
    plies: u32,
    created: i64,
    public: bool,
    source: String,
}

impl Row {
    pub(crate) fn new(row: GameRow, url: String) -> Row {
        let summary = row.summary;
        Row {
            id: row.id.to_string(),
            url,
            white: Named::player(&summary.white),
            black: Named::player(&summary.black),
            phase: match summary.phase {
                Phase::Waiting => "waiting",
                Phase::Running => "running",
                Phase::Finished => "finished",
            },
            variant: summary.variant,
            status: summary.status,
            result: summary.result,
            plies: summary.plies,
            created: row.created.0,
            public: summary.public,
            source: summary.source,
        }
    }
}

/// A game to watch, as a small board shows it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Watched {
    game: String,
    variant: String,
    white: Option<Named>,
    black: Option<Named>,
    fen: String,
    last_move: Option<String>,
    turn: Color,
    plies: usize,
    clocks: Option<TimeLeft>,
    running: bool,
    at: Timestamp,
}

impl Watched {
    pub(super) fn new(id: GameId, row: &GameRow, game: &Game, now: Timestamp) -> Watched {
        let state = State::of(game, now);
        Watched {
            game: id.to_string(),
            variant: state.variant,
            white: Named::player(&row.summary.white),
            black: Named::player(&row.summary.black),
            fen: state.fen,
            last_move: state.last_move,
            turn: state.turn,
            plies: state.plies,
            clocks: state.clocks,
            running: state.running,
            at: state.at,
        }
    }
}
