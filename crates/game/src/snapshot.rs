//! A whole game as one serialisable value, for those who need its state without its history of events. Only
//! the solver's budget is left out.

use serde::{Deserialize, Serialize};
use touchmove_rules::{Color, UciMove};

use crate::game::{GrantedDrawClaim, PendingOffer};
use crate::{
    Actor, Clocks, CommandId, Conclusion, DrawClaim, FORMAT_VERSION, Game, ImpossibleEvent, Millis,
    OfferLimit, Opening, Ply, ReplayError, Seats, Timestamp, serde_impls,
};

/// The state of a game.
///
/// ```
/// use touchmove_game::{Game, Players, Snapshot, Terms, Timestamp};
/// use touchmove_rules::Variant;
///
/// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// let text = serde_json::to_string(&Snapshot::of(&game)).unwrap();
/// let snapshot: Snapshot = serde_json::from_str(&text).unwrap();
/// assert_eq!(snapshot.restore().unwrap(), game);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    #[serde(deserialize_with = "known_version")]
    v: u64,
    seq: u64,
    at: Timestamp,
    opening: Opening,
    white: crate::Seat,
    black: crate::Seat,
    moves: Vec<PlyRepr>,
    board_seq: u64,
    waits_since: Timestamp,
    clocks: Option<Clocks>,
    held: Option<String>,
    draw_offer: Option<OfferRepr>,
    takeback_offer: Option<OfferRepr>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    taken_back: bool,
    claimed: Option<ClaimRepr>,
    flag: Option<Color>,
    ended: Option<Conclusion>,
    commands: Vec<(Actor, CommandId, u64)>,
    /// How often each player made offers or gifts, by the number of plies played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    offers: Vec<(Color, usize, OfferLimit, u32)>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlyRepr {
    at: Timestamp,
    #[serde(rename = "move", with = "serde_impls::uci")]
    uci: UciMove,
    san: String,
    clocks: Option<Clocks>,
    #[serde(default, skip_serializing_if = "serde_impls::is_zero")]
    lag: Millis,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfferRepr {
    by: Color,
    seq: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimRepr {
    by: Color,
    #[serde(with = "serde_impls::claim")]
    claim: DrawClaim,
    #[serde(default, with = "serde_impls::maybe_uci")]
    announced: Option<UciMove>,
}

fn known_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    use serde::de::Error;
    match u64::deserialize(deserializer)? {
        FORMAT_VERSION => Ok(FORMAT_VERSION),
        version => Err(D::Error::custom(format!(
            "it is written in version {version}, and this program reads version {FORMAT_VERSION}"
        ))),
    }
}

impl From<PendingOffer> for OfferRepr {
    fn from(PendingOffer { by, seq }: PendingOffer) -> OfferRepr {
        OfferRepr { by, seq }
    }
}

impl From<OfferRepr> for PendingOffer {
    fn from(OfferRepr { by, seq }: OfferRepr) -> PendingOffer {
        PendingOffer { by, seq }
    }
}

impl Snapshot {
    /// The snapshot of a game.
    #[must_use]
    pub fn of(game: &Game) -> Snapshot {
        let position = |ply: usize| game.position_after(ply).unwrap_or(game.position());
        let moves = game.plies.iter().enumerate();
        Snapshot {
            v: FORMAT_VERSION,
            seq: game.seq,
            at: game.now,
            opening: game.opening.clone(),
            white: game.seats.white.clone(),
            black: game.seats.black.clone(),
            moves: moves
                .map(|(index, ply)| PlyRepr {
                    at: ply.at,
                    uci: position(index).uci(ply.mv),
                    san: ply.san.clone(),
                    clocks: ply.clocks,
                    lag: ply.lag,
                })
                .collect(),
            board_seq: game.board_seq,
            waits_since: game.waits_since,
            clocks: game.clocks,
            held: game.held.clone(),
            draw_offer: game.draw_offer.map(OfferRepr::from),
            takeback_offer: game.takeback_offer.map(OfferRepr::from),
            taken_back: game.taken_back,
            claimed: game.claimed.map(|claimed| ClaimRepr {
                by: claimed.by,
                claim: claimed.claim,
                announced: claimed.announced.map(|mv| game.position().uci(mv)),
            }),
            flag: game.flag,
            ended: game.conclusion.clone(),
            commands: game.done.listed(),
            offers: game.offers.listed(),
        }
    }

    /// Restores the game.
    ///
    /// # Errors
    /// If a move is illegal in its position, or the clocks do not fit the game.
    pub fn restore(self) -> Result<Game, ImpossibleEvent> {
        let illegal = |attempt| ImpossibleEvent {
            seq: self.seq,
            event: "moved",
            misfit: ReplayError::Illegal(attempt),
        };
        let no_clock = ImpossibleEvent {
            seq: self.seq,
            event: "moved",
            misfit: ReplayError::NoClocks,
        };
        let is_timed = self.opening.terms.time.is_some();
        let fit = |clocks: Option<Clocks>, turn: Color| match clocks {
            Some(clocks) => is_timed && clocks.turn() == turn,
            None => !is_timed,
        };
        let mut plies = Vec::with_capacity(self.moves.len());
        let mut position = self.opening.terms.start;
        for written in self.moves {
            let mv = position
                .find_uci(written.uci)
                .ok_or_else(|| illegal(written.uci))?;
            position.play(mv);
            if !fit(written.clocks, position.turn()) {
                return Err(no_clock);
            }
            plies.push(Ply {
                mv,
                san: written.san,
                position,
                clocks: written.clocks,
                at: written.at,
                lag: written.lag,
            });
        }
        let runs = self.clocks.is_some_and(|clocks| clocks.run());
        if !fit(self.clocks, position.turn()) || (runs && self.held.is_some()) {
            return Err(no_clock);
        }
        let claimed = match self.claimed {
            None => None,
            Some(written) => Some(GrantedDrawClaim {
                by: written.by,
                claim: written.claim,
                announced: match written.announced {
                    None => None,
                    Some(uci) => Some(position.find_uci(uci).ok_or_else(|| illegal(uci))?),
                },
            }),
        };
        Ok(Game {
            seats: Seats {
                white: self.white,
                black: self.black,
            },
            seq: self.seq,
            now: self.at,
            plies,
            board_seq: self.board_seq,
            waits_since: self.waits_since,
            clocks: self.clocks,
            held: self.held,
            draw_offer: self.draw_offer.map(PendingOffer::from),
            takeback_offer: self.takeback_offer.map(PendingOffer::from),
            taken_back: self.taken_back,
            claimed,
            flag: self.flag,
            conclusion: self.ended,
            done: self.commands.into_iter().collect(),
            offers: self.offers.into_iter().collect(),
            ..Game::open(self.opening)
        })
    }
}
