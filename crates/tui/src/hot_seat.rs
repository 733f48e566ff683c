//! Two players at one keyboard: who is meant when nobody says so. What comes of their wishes is the
//! game's business.

use touchmove_game::{Command, Game};
use touchmove_rules::{Attempt, Color};

/// What somebody at the keyboard wants, without saying who.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    Move(Attempt),
    OfferDraw,
    ClaimDraw(Option<Attempt>),
    Resign,
    Takeback,
    Abort,
    Accept(Option<Offer>),
    Decline(Option<Offer>),
}

/// What can be offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Offer {
    Draw,
    Takeback,
}

impl Offer {
    pub(crate) fn from_word(word: &str) -> Option<Offer> {
        match word {
            "draw" => Some(Offer::Draw),
            "takeback" => Some(Offer::Takeback),
            _ => None,
        }
    }
}

/// Both a draw and a takeback are on the table, and it was not said which one is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TwoOffers;

impl Wish {
    /// The command that this wish amounts to, and the player whose command it is: the one named, or
    /// else the one who would most likely say so.
    pub(crate) fn command(
        self,
        game: &Game,
        by: Option<Color>,
    ) -> Result<(Color, Command), TwoOffers> {
        let turn = game.turn();
        let on_move = by.unwrap_or(turn);
        Ok(match self {
            Wish::Move(attempt) => (on_move, Command::Move(attempt)),
            Wish::OfferDraw => (on_move, Command::OfferDraw),
            Wish::ClaimDraw(announced) => (on_move, Command::ClaimDraw { announced }),
            Wish::Resign => (on_move, Command::Resign),
            Wish::Abort => (on_move, Command::Abort),
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
