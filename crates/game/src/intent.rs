//! What somebody wants, in the few words that people use for it. Who is meant when nobody says so, and
//! which offer, is settled here; what comes of it is for the game to [decide](crate::Game::decide).

use touchmove_rules::{Attempt, Color};

use crate::{Command, Game, Millis};

/// What somebody wants, without saying who.
///
/// ```
/// use touchmove_game::{Command, Game, Players, Terms, Timestamp, Wish};
/// use touchmove_rules::{Color, Variant};
///
/// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// assert_eq!(Wish::Resign.command(&game, None), Ok((Color::White, Command::Resign)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Play this move.
    Move(Attempt),
    /// Offer a draw.
    OfferDraw,
    /// Claim a draw, as the position stands or with this move.
    ClaimDraw(Option<Attempt>),
    /// Give up.
    Resign,
    /// Ask to take back.
    Takeback,
    /// Break off.
    Abort,
    /// Accept this offer, or the one that stands.
    Accept(Option<Offer>),
    /// Decline this offer, or the one that stands.
    Decline(Option<Offer>),
    /// Give the opponent time.
    Give(Millis),
    /// Claim the game because the opponent does not come.
    ClaimNoShow,
    /// Claim the game, or only a draw, because the opponent has left.
    ClaimAbsence {
        /// Whether a draw is enough.
        draw: bool,
    },
}

/// What can be offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// A draw.
    Draw,
    /// To take back.
    Takeback,
}

impl Offer {
    /// The offer that a word names: `draw` or `takeback`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Offer> {
        match word {
            "draw" => Some(Offer::Draw),
            "takeback" => Some(Offer::Takeback),
            _ => None,
        }
    }
}

/// Both a draw and a takeback are on the table, and it was not said which one is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a draw and a takeback are both offered: say which one is meant, draw or takeback")]
pub struct TwoOffers;

impl Wish {
    /// The command that this wish amounts to, and the player whose command it is: the one named, or
    /// else the one who would most likely say so.
    ///
    /// # Errors
    /// If two offers stand and it was not said which one is meant.
    pub fn command(self, game: &Game, by: Option<Color>) -> Result<(Color, Command), TwoOffers> {
        let turn = game.turn();
        let on_move = by.unwrap_or(turn);
        Ok(match self {
            Wish::Move(attempt) => (on_move, Command::Move { attempt }),
            Wish::OfferDraw => (on_move, Command::OfferDraw),
            Wish::ClaimDraw(announced) => (on_move, Command::ClaimDraw { announced }),
            Wish::Resign => (on_move, Command::Resign),
            Wish::Abort => (on_move, Command::Abort),
            Wish::Give(time) => (on_move, Command::GiveTime { time }),
            Wish::ClaimNoShow => (by.unwrap_or(!turn), Command::ClaimNoShow),
            Wish::ClaimAbsence { draw } => (by.unwrap_or(!turn), Command::ClaimAbsence { draw }),
            Wish::Takeback => (by.unwrap_or(!turn), Command::OfferTakeback),
            Wish::Accept(offer) => match answer(game, by, offer)? {
                (who, Offer::Draw) => (who, Command::AcceptDraw),
                (who, Offer::Takeback) => (who, Command::AcceptTakeback),
            },
            Wish::Decline(offer) => match answer(game, by, offer)? {
                (who, Offer::Draw) => (who, Command::DeclineDraw),
                (who, Offer::Takeback) => (who, Command::DeclineTakeback),
            },
        })
    }
}

/// Who answers which offer: the one that stands, or else the draw that nobody offered.
fn answer(
    game: &Game,
    by: Option<Color>,
    offer: Option<Offer>,
) -> Result<(Color, Offer), TwoOffers> {
    let open = [
        (Offer::Draw, game.draw_offer()),
        (Offer::Takeback, game.takeback_offer()),
    ];
    let mut open = open.into_iter().filter_map(|(kind, offered_by)| {
        let answers = !offered_by?;
        let meant = by.is_none_or(|by| by == answers) && offer.is_none_or(|offer| offer == kind);
        meant.then_some((answers, kind))
    });
    match (open.next(), open.next()) {
        (Some(_), Some(_)) => Err(TwoOffers),
        (Some(one), None) => Ok(one),
        (None, _) => Ok((by.unwrap_or(game.turn()), offer.unwrap_or(Offer::Draw))),
    }
}
