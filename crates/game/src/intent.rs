//! What somebody wants, in the few words that people use for it. Who is meant when nobody says so, and
//! which offer, is settled here; what comes of it is for the game to [decide](crate::Game::decide).

use touchmove_rules::{Color, UciMove};

use crate::{Command, Game, Millis};

/// What somebody wants, without saying who.
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
    /// Play this move.
    Move(UciMove),
    /// Offer a draw.
    OfferDraw,
    /// Claim a draw, as the position stands or with this move.
    ClaimDraw(Option<UciMove>),
    /// Give up.
    Resign,
    /// Ask to take back.
    Takeback,
    /// Break off.
    Abort,
    /// Accept this offer, or the one that stands.
    Accept(Option<OfferKind>),
    /// Decline this offer, or the one that stands.
    Decline(Option<OfferKind>),
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
pub enum OfferKind {
    /// A draw.
    Draw,
    /// To take back.
    Takeback,
}

impl OfferKind {
    /// The offer that a word names: `draw` or `takeback`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<OfferKind> {
        match word {
            "draw" => Some(OfferKind::Draw),
            "takeback" => Some(OfferKind::Takeback),
            _ => None,
        }
    }
}

/// Both a draw and a takeback are on the table, and it was not said which one is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a draw and a takeback are both offered: say which one is meant, draw or takeback")]
pub struct AmbiguousOfferError;

impl Intent {
    /// The command that this wish amounts to, and the player whose command it is: the one named, or
    /// else the one who would most likely say so.
    ///
    /// # Errors
    /// If two offers stand and it was not said which one is meant.
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

/// Who answers which offer: the one that stands, or else the draw that nobody offered.
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
