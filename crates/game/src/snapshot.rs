//! A whole game as one value that can be written down and taken up again, for whoever wants the state
//! without its history of events. It is the same game: nothing is left out but the solver's budget.

use serde::{Deserialize, Serialize};
use touchmove_rules::{Attempt, Color};

use crate::game::{Claimed, Offered};
use crate::{
    By, Claim, Clocks, CommandId, Conclusion, Game, Impossible, Millis, Misfit, OfferLimit,
    Opening, Ply, Seats, Timestamp, VERSION, serde_impls,
};

/// A game as it stands.
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
    moves: Vec<WrittenPly>,
    board_seq: u64,
    waits_since: Timestamp,
    clocks: Option<Clocks>,
    held: Option<String>,
    draw_offer: Option<WrittenOffer>,
    takeback_offer: Option<WrittenOffer>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    taken_back: bool,
    claimed: Option<WrittenClaim>,
    flag: Option<Color>,
    ended: Option<Conclusion>,
    commands: Vec<(By, CommandId, u64)>,
    /// How often each player offered or gave something, by the number of plies played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    offers: Vec<(Color, usize, OfferLimit, u32)>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPly {
    at: Timestamp,
    #[serde(rename = "move", with = "serde_impls::uci")]
    uci: Attempt,
    san: String,
    clocks: Option<Clocks>,
    #[serde(default, skip_serializing_if = "serde_impls::is_zero")]
    lag: Millis,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenOffer {
    by: Color,
    seq: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClaim {
    by: Color,
    #[serde(with = "serde_impls::claim")]
    claim: Claim,
    #[serde(default, with = "serde_impls::maybe_uci")]
    announced: Option<Attempt>,
}

fn known_version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    use serde::de::Error;
    match u64::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        version => Err(D::Error::custom(format!(
            "it is written in version {version}, and this program reads version {VERSION}"
        ))),
    }
}

impl From<Offered> for WrittenOffer {
    fn from(Offered { by, seq }: Offered) -> WrittenOffer {
        WrittenOffer { by, seq }
    }
}

impl From<WrittenOffer> for Offered {
    fn from(WrittenOffer { by, seq }: WrittenOffer) -> Offered {
        Offered { by, seq }
    }
}

impl Snapshot {
    /// The game as it stands.
    #[must_use]
    pub fn of(game: &Game) -> Snapshot {
        let position = |ply: usize| game.position_after(ply).unwrap_or(game.position());
        let moves = game.plies.iter().enumerate();
        Snapshot {
            v: VERSION,
            seq: game.seq,
            at: game.now,
            opening: game.opening.clone(),
            white: game.seats.white.clone(),
            black: game.seats.black.clone(),
            moves: moves
                .map(|(index, ply)| WrittenPly {
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
            draw_offer: game.draw_offer.map(WrittenOffer::from),
            takeback_offer: game.takeback_offer.map(WrittenOffer::from),
            taken_back: game.taken_back,
            claimed: game.claimed.map(|claimed| WrittenClaim {
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

    /// The game that it shows.
    ///
    /// # Errors
    /// If a move in it is not legal where it was played, or its clocks are not those of the game.
    pub fn restore(self) -> Result<Game, Impossible> {
        let illegal = |attempt| Impossible {
            seq: self.seq,
            event: "moved",
            misfit: Misfit::Illegal(attempt),
        };
        let no_clock = Impossible {
            seq: self.seq,
            event: "moved",
            misfit: Misfit::NoClocks,
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
                .find(written.uci)
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
            Some(written) => Some(Claimed {
                by: written.by,
                claim: written.claim,
                announced: match written.announced {
                    None => None,
                    Some(uci) => Some(position.find(uci).ok_or_else(|| illegal(uci))?),
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
            draw_offer: self.draw_offer.map(Offered::from),
            takeback_offer: self.takeback_offer.map(Offered::from),
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
