//! Intents: commands in a few words, before the player or the offer is known. This module works out both; the
//! game then [decides](crate::Game::decide) the command.

use touchmove_rules::{Color, UciMove};

use crate::{Command, Game, Millis};

/// A command without its player.
///
/// ```
/// use touchmove_game::{Command, Game, Players, Terms, Timestamp, Intent};
/// use touchmove_rules::{Color, Variant};
///
/// let game = Game::begin(Terms::of(Variant::Chess), Players::default(), Timestamp(0));
/// assert_eq!(Intent::Resign.command(&game, None), Ok((Color::White, Command::Resign)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intent {
    /// Play a move.
    Move(UciMove),
    /// Offer a draw.
    OfferDraw,
    /// Claim a draw, for the current position or with this announced move.
    ClaimDraw(Option<UciMove>),
    /// Resign.
    Resign,
    /// Ask for a takeback.
    Takeback,
    /// Abort the game.
    Abort,
    /// Accept this offer, or the open one.
    Accept(Option<OfferKind>),
    /// Decline this offer, or the open one.
    Decline(Option<OfferKind>),
    /// Give the opponent time.
    Give(Millis),
    /// Claim the game because the opponent did not come to the first move.
    ClaimNoShow,
    /// Claim the game, or a draw, because the opponent has left.
    ClaimAbsence {
        /// Claim only a draw.
        draw: bool,
    },
}

/// The kinds of offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// A takeback.
    Takeback,
}

impl OfferKind {
    /// The kind named by a word: `draw` or `takeback`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<OfferKind> {
        match word {
            "draw" => Some(OfferKind::Draw),
            "takeback" => Some(OfferKind::Takeback),
            _ => None,
        }
    }
}

/// Both a draw offer and a takeback are open, and the intent does not say which one it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a draw and a takeback are both offered: say which one is meant, draw or takeback")]
pub struct AmbiguousOfferError;

impl Intent {
    /// The command that this intent means, and its player: the named one, or else the one most likely to say
    /// so.
    ///
    /// # Errors
    /// If two offers are open and the intent does not say which one it means.
    pub fn command(
        self,
        game: &Game,
        by: Option<Color>,
    ) -> Result<(Color, Command), AmbiguousOfferError> {
        let turn = game.turn();
        let on_move = by.unwrap_or(turn);
        Ok(match self {
            Intent::Move(attempt) => (on_move, Command::Move { attempt }),
            Intent::OfferDraw => (on_move, Command::OfferDraw),
            Intent::ClaimDraw(announced) => (on_move, Command::ClaimDraw { announced }),
            Intent::Resign => (on_move, Command::Resign),
            Intent::Abort => (on_move, Command::Abort),
            Intent::Give(time) => (on_move, Command::GiveTime { time }),
            Intent::ClaimNoShow => (by.unwrap_or(!turn), Command::ClaimNoShow),
            Intent::ClaimAbsence { draw } => (by.unwrap_or(!turn), Command::ClaimAbsence { draw }),
            Intent::Takeback => (by.unwrap_or(!turn), Command::OfferTakeback),
            Intent::Accept(offer) => match answer(game, by, offer)? {
                (who, OfferKind::Draw) => (who, Command::AcceptDraw),
                (who, OfferKind::Takeback) => (who, Command::AcceptTakeback),
            },
            Intent::Decline(offer) => match answer(game, by, offer)? {
                (who, OfferKind::Draw) => (who, Command::DeclineDraw),
                (who, OfferKind::Takeback) => (who, Command::DeclineTakeback),
            },
        })
    }
}

/// Who answers which offer: the open one, or else a draw that nobody offered (which is then refused).
fn answer(
    game: &Game,
    by: Option<Color>,
    offer: Option<OfferKind>,
) -> Result<(Color, OfferKind), AmbiguousOfferError> {
    let open = [
        (OfferKind::Draw, game.draw_offer()),
        (OfferKind::Takeback, game.takeback_offer()),
    ];
    let mut open = open.into_iter().filter_map(|(kind, offered_by)| {
        let answers = !offered_by?;
        let meant = by.is_none_or(|by| by == answers) && offer.is_none_or(|offer| offer == kind);
        meant.then_some((answers, kind))
    });
    match (open.next(), open.next()) {
        (Some(_), Some(_)) => Err(AmbiguousOfferError),
        (Some(one), None) => Ok(one),
        (None, _) => Ok((by.unwrap_or(game.turn()), offer.unwrap_or(OfferKind::Draw))),
    }
}
