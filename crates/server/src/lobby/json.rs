//! Offers and games as JSON for lists.

use serde::Serialize;
use touchmove_game::protocol::{State, TimeLeft};
use touchmove_game::{Game, Timestamp};
use touchmove_rules::{AnyPosition, Color};
use touchmove_store::{GameId, GamePhase, GameRow, Holder, Moment, Offer, PersonId, PlayerSummary};

use crate::games::terms_request::SideRequest;
use crate::lobby::OfferTerms;

/// The display name of a guest without a name.
const GUEST_DISPLAY_NAME: &str = "Guest";

/// A player, with the id of their account if they have one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct PersonJson {
    name: String,
    id: Option<String>,
}

impl PersonJson {
    pub(crate) fn new(name: &str, person: Option<PersonId>) -> PersonJson {
        let name = if name.is_empty() {
            GUEST_DISPLAY_NAME
        } else {
            name
        };
        PersonJson {
            name: name.to_owned(),
            id: person.map(|person| person.to_string()),
        }
    }

    /// A player of a listed game; `None` for an open seat.
    fn player(player: &PlayerSummary) -> Option<PersonJson> {
        let name = player.name.as_ref()?;
        Some(PersonJson::new(name, player.person))
    }

    /// The player's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// The terms of an offer, in short.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct OfferSummary {
    side: SideRequest,
    variant: String,
    time: Option<String>,
    /// The start position, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
}

impl From<&OfferTerms> for OfferSummary {
    fn from(deal: &OfferTerms) -> OfferSummary {
        let terms = &deal.terms;
        let fen = terms.start.fen();
        let is_usual = fen == AnyPosition::start(terms.variant()).fen();
        OfferSummary {
            side: deal.side,
            variant: terms.variant().to_string(),
            time: terms.time.as_ref().map(ToString::to_string),
            start: (!is_usual).then(|| fen.to_string()),
        }
    }
}

/// An open seek.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct SeekJson {
    id: String,
    by: PersonJson,
    #[serde(flatten)]
    short: OfferSummary,
    created: i64,
    expires: Option<i64>,
}

impl SeekJson {
    pub(crate) fn new(offer: &Offer, deal: &OfferTerms) -> SeekJson {
        let person = match offer.by {
            Holder::Person(person) => Some(person),
            Holder::Guest(_) => None,
        };
        SeekJson {
            id: offer.id.to_string(),
            by: PersonJson::new(&offer.name, person),
            short: OfferSummary::from(deal),
            created: offer.created.0,
            expires: offer.expires.map(|Moment(at)| at),
        }
    }
}

/// A challenge.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ChallengeJson {
    #[serde(flatten)]
    seek: SeekJson,
    to: PersonJson,
    /// `in` for the challenged player, `out` for the challenger.
    direction: &'static str,
}

impl ChallengeJson {
    pub(crate) fn new(
        offer: &Offer,
        deal: &OfferTerms,
        to: PersonJson,
        is_out: bool,
    ) -> ChallengeJson {
        ChallengeJson {
            seek: SeekJson::new(offer, deal),
            to,
            direction: if is_out { "out" } else { "in" },
        }
    }
}

/// A game in a list.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct GameRowJson {
    id: String,
    url: String,
    variant: String,
    white: Option<PersonJson>,
    black: Option<PersonJson>,
    phase: &'static str,
    status: String,
    result: Option<String>,
    plies: u32,
    created: i64,
    public: bool,
    source: String,
}

impl GameRowJson {
    pub(crate) fn new(row: GameRow, url: String) -> GameRowJson {
        let summary = row.summary;
        GameRowJson {
            id: row.id.to_string(),
            url,
            white: PersonJson::player(&summary.white),
            black: PersonJson::player(&summary.black),
            phase: match summary.phase {
                GamePhase::Waiting => "waiting",
                GamePhase::Running => "running",
                GamePhase::Finished => "finished",
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

/// A game to watch, with what a small board needs.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct WatchedGameJson {
    game: String,
    variant: String,
    white: Option<PersonJson>,
    black: Option<PersonJson>,
    fen: String,
    last_move: Option<String>,
    turn: Color,
    plies: usize,
    clocks: Option<TimeLeft>,
    running: bool,
    at: Timestamp,
}

impl WatchedGameJson {
    pub(super) fn new(id: GameId, row: &GameRow, game: &Game, now: Timestamp) -> WatchedGameJson {
        let state = State::of(game, now);
        WatchedGameJson {
            game: id.to_string(),
            variant: state.variant,
            white: PersonJson::player(&row.summary.white),
            black: PersonJson::player(&row.summary.black),
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
