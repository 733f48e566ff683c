//! [`ComputerSeats`]: who at a table is no person, and what is to be asked of them next. Pure: who thinks, and when
//! the answer comes, is decided outside; what follows from it, by the game.

use touchmove_game::{ArbiterAction, Command, Game, Millis, Timestamp};
use touchmove_rules::{AnyPosition, ByColor, Color, Move, UciMove};

use crate::opponents::{ComputerOptions, ComputerSpec};

/// The computers at a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComputerSeats {
    who: ByColor<Option<ComputerSpec>>,
    seed: u64,
    plays_on: bool,
    /// What was asked last.
    asked: Option<(u64, TaskKind)>,
    /// The number of the event after which a draw was not claimed.
    unclaimed: Option<u64>,
}

/// What a computer is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskKind {
    /// Its move.
    Move,
    /// Whether it takes the draw that is offered.
    Offer,
    /// Whether it claims the draw that it may claim.
    Claim,
}

/// A question for a computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComputerTask {
    /// The last event of the game that it is about.
    pub seq: u64,
    /// What is asked.
    pub matter: TaskKind,
    /// Whose seat it is.
    pub color: Color,
    /// Who sits there.
    pub who: ComputerSpec,
    /// Where the game began.
    pub start: AnyPosition,
    /// The moves since then.
    pub moves: Vec<Move>,
    /// What is left on its clock, if there is one.
    pub left: Option<Millis>,
    /// What makes this game unlike another.
    pub seed: u64,
    /// Whether it plays hopeless games to their end.
    pub plays_on: bool,
}

impl ComputerTask {
    /// A move of the position it is about, as it is written there: in Chess960 castling and a step of the
    /// king may lead to the same square.
    pub(super) fn written(&self, mv: Move) -> UciMove {
        let mut position = self.start;
        for &played in &self.moves {
            position.play(played);
        }
        position.uci(mv)
    }
}

/// What a computer says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComputerReply {
    /// The last event of the game that it was asked about.
    pub seq: u64,
    /// What it was asked.
    pub matter: TaskKind,
    /// Whose seat it is.
    pub color: Color,
    /// What it says.
    pub said: ComputerAnswer,
}

/// What can be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComputerAnswer {
    /// This move.
    Move(UciMove),
    /// It gives up.
    Resign,
    /// Whether it takes the draw.
    Draw(bool),
    /// It cannot play on: why, as a sentence.
    Trouble(String),
    /// Something to tell the people; the answer is still to come.
    Note(String),
}

/// What is to be done now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextStep {
    /// A computer wants this.
    Command(Color, Command),
    /// A computer is to be asked.
    Ask(Box<ComputerTask>),
}

/// What follows from an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplyEffect {
    /// A computer wants this.
    Command(Color, Command),
    /// The house orders this.
    Order(ArbiterAction),
    /// People are told this.
    Note(String),
}

impl ComputerSeats {
    /// The computers that sit at a game by the names of its seats.
    #[must_use]
    pub fn of(game: &Game, customs: &ComputerOptions, seed: u64) -> ComputerSeats {
        let who =
            |color| ComputerSpec::from_seat_name(game.seats()[color].name(), &customs.engines);
        ComputerSeats {
            who: ByColor::with(who),
            seed,
            plays_on: customs.plays_on,
            ..ComputerSeats::default()
        }
    }

    /// Whether a computer has the men of this colour.
    #[must_use]
    pub const fn has(&self, color: Color) -> bool {
        match color {
            Color::White => self.who.white.is_some(),
            Color::Black => self.who.black.is_some(),
        }
    }

    /// Whether there is any.
    #[must_use]
    pub const fn are_there(&self) -> bool {
        self.has(Color::White) || self.has(Color::Black)
    }

    /// The one person at the table, if there is one and a computer.
    #[must_use]
    pub const fn only_human(&self) -> Option<Color> {
        match (self.has(Color::White), self.has(Color::Black)) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        }
    }

    /// Why nobody here may act for this player in a game that goes on, if it is a computer.
    #[must_use]
    pub fn check_allowed(&self, game: &Game, by: Color) -> Option<String> {
        let is_forbidden = game.ending().is_none() && self.has(by);
        is_forbidden.then(|| match self.only_human() {
            Some(you) => format!("you play {you}, not {by}"),
            None => "you watch this game: only its players move".to_owned(),
        })
    }

    /// Whether a computer is on move in a game that goes on.
    #[must_use]
    pub fn is_thinking(&self, game: &Game) -> bool {
        game.ending().is_none() && self.has(game.turn())
    }

    /// What is to be done now and was not asked for yet.
    pub fn next(&mut self, game: &Game, now: Timestamp) -> Option<NextStep> {
        let stands_still = game.flag().is_some() || game.held().is_some();
        if game.ending().is_some() || stands_still || !self.are_there() {
            self.asked = None;
            return None;
        }
        if let Some(by) = game.takeback_offer().filter(|&by| self.has(!by)) {
            return Some(NextStep::Command(!by, Command::AcceptTakeback));
        }
        let (seq, turn) = (game.seq(), game.turn());
        let offered = game.draw_offer().filter(|&by| self.has(!by));
        let (color, matter) = match offered {
            Some(by) => (!by, TaskKind::Offer),
            None if !self.has(turn) => {
                self.asked = None;
                return None;
            }
            None if self.unclaimed != Some(seq) && !game.claims().is_empty() => {
                (turn, TaskKind::Claim)
            }
            None => (turn, TaskKind::Move),
        };
        if self.asked.replace((seq, matter)) == Some((seq, matter)) {
            return None;
        }
        Some(NextStep::Ask(Box::new(ComputerTask {
            seq,
            matter,
            color,
            who: self.who[color].clone()?,
            start: game.terms().start,
            moves: game.plies().iter().map(|ply| ply.mv).collect(),
            left: game.time_left(color, now),
            seed: self.seed,
            plays_on: self.plays_on,
        })))
    }

    /// What follows from an answer; nothing, if the game has gone on without it.
    pub fn on_reply(&mut self, game: &Game, reply: &ComputerReply) -> Option<ReplyEffect> {
        if self.asked != Some((reply.seq, reply.matter)) || game.seq() != reply.seq {
            return None;
        }
        let command = match (&reply.said, reply.matter) {
            (ComputerAnswer::Note(text), _) => return Some(ReplyEffect::Note(text.clone())),
            (ComputerAnswer::Trouble(reason), _) => {
                return Some(ReplyEffect::Order(ArbiterAction::Forfeit {
                    player: reply.color,
                    reason: reason.clone(),
                }));
            }
            (ComputerAnswer::Move(attempt), _) => Command::Move { attempt: *attempt },
            (ComputerAnswer::Resign, _) => Command::Resign,
            (ComputerAnswer::Draw(true), TaskKind::Claim) => {
                // Whatever comes of it, the next question is about the move.
                self.unclaimed = Some(reply.seq);
                Command::ClaimDraw { announced: None }
            }
            (ComputerAnswer::Draw(false), TaskKind::Claim) => {
                self.unclaimed = Some(reply.seq);
                return None;
            }
            (ComputerAnswer::Draw(true), _) => Command::AcceptDraw,
            (ComputerAnswer::Draw(false), _) => Command::DeclineDraw,
        };
        Some(ReplyEffect::Command(reply.color, command))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_game::{Players, Terms};
    use touchmove_rules::Variant;

    fn game(white: &str, black: &str) -> Game {
        let players = Players {
            white: white.to_owned(),
            black: black.to_owned(),
        };
        Game::begin(Terms::of(Variant::Chess), players, Timestamp(0))
    }

    fn ask(game: &mut Game, who: Color, command: Command) {
        assert!(game.submit(Timestamp(0), who, command).accepted());
    }

    fn play(game: &mut Game, san: &str) {
        let (mv, turn) = (game.read_move(san).unwrap(), game.turn());
        ask(game, turn, Command::from(mv.to_uci()));
    }

    fn task(rivals: &mut ComputerSeats, game: &Game) -> Option<ComputerTask> {
        match rivals.next(game, Timestamp(0))? {
            NextStep::Ask(task) => Some(*task),
            NextStep::Command(..) => None,
        }
    }

    #[test]
    fn a_computer_is_asked_once_for_each_of_its_moves() {
        let mut game = game("Anna", "Computer (Casual)");
        let mut rivals = ComputerSeats::of(&game, &ComputerOptions::default(), 7);
        assert_eq!(rivals.only_human(), Some(Color::White));
        assert_eq!(rivals.next(&game, Timestamp(0)), None);
        play(&mut game, "e4");
        let asked = task(&mut rivals, &game).unwrap();
        assert_eq!((asked.color, asked.matter), (Color::Black, TaskKind::Move));
        assert_eq!(rivals.next(&game, Timestamp(0)), None);
        let reply = ComputerReply {
            seq: asked.seq,
            matter: asked.matter,
            color: asked.color,
            said: ComputerAnswer::Resign,
        };
        let resigns = ReplyEffect::Command(Color::Black, Command::Resign);
        assert_eq!(rivals.on_reply(&game, &reply), Some(resigns));
    }

    #[test]
    fn what_comes_too_late_is_not_heard() {
        let mut game = game("Anna", "Computer (Casual)");
        let mut rivals = ComputerSeats::of(&game, &ComputerOptions::default(), 7);
        play(&mut game, "e4");
        let asked = task(&mut rivals, &game).unwrap();
        ask(&mut game, Color::White, Command::OfferTakeback);
        let due = rivals.next(&game, Timestamp(0));
        let agrees = NextStep::Command(Color::Black, Command::AcceptTakeback);
        assert_eq!(due, Some(agrees));
        ask(&mut game, Color::Black, Command::AcceptTakeback);
        assert!(game.plies().is_empty());
        let late = ComputerReply {
            seq: asked.seq,
            matter: asked.matter,
            color: asked.color,
            said: ComputerAnswer::Resign,
        };
        assert_eq!(rivals.on_reply(&game, &late), None);
    }

    #[test]
    fn a_takeback_takes_both_plies() {
        let mut game = game("Anna", "Computer (Club)");
        for san in ["e4", "e5"] {
            play(&mut game, san);
        }
        ask(&mut game, Color::White, Command::OfferTakeback);
        ask(&mut game, Color::Black, Command::AcceptTakeback);
        assert!(game.plies().is_empty());
    }

    #[test]
    fn an_offer_is_answered_before_the_move() {
        let mut game = game("Computer (Club)", "Ben");
        for san in ["e4", "e5"] {
            play(&mut game, san);
        }
        let mut rivals = ComputerSeats::of(&game, &ComputerOptions::default(), 1);
        ask(&mut game, Color::Black, Command::OfferDraw);
        let asked = task(&mut rivals, &game).unwrap();
        assert_eq!((asked.matter, asked.color), (TaskKind::Offer, Color::White));
        let reply = |said| ComputerReply {
            seq: asked.seq,
            matter: TaskKind::Offer,
            color: Color::White,
            said,
        };
        let declines = ReplyEffect::Command(Color::White, Command::DeclineDraw);
        let no = reply(ComputerAnswer::Draw(false));
        assert_eq!(rivals.on_reply(&game, &no), Some(declines));
        let trouble = reply(ComputerAnswer::Trouble("it has left".to_owned()));
        let forfeits = rivals.on_reply(&game, &trouble);
        assert!(matches!(forfeits, Some(ReplyEffect::Order(_))));
    }

    #[test]
    fn nobody_acts_for_a_computer() {
        let mut one = game("Anna", "Computer (Casual)");
        let rivals = ComputerSeats::of(&one, &ComputerOptions::default(), 1);
        assert_eq!(rivals.check_allowed(&one, Color::White), None);
        let words = rivals.check_allowed(&one, Color::Black);
        assert_eq!(words.as_deref(), Some("you play White, not Black"));
        ask(&mut one, Color::White, Command::Resign);
        assert_eq!(rivals.check_allowed(&one, Color::Black), None, "it is over");
        let two = game("Computer (Club)", "Computer (Casual)");
        let rivals = ComputerSeats::of(&two, &ComputerOptions::default(), 1);
        for color in Color::ALL {
            let words = rivals.check_allowed(&two, color).unwrap_or_default();
            assert_eq!(words, "you watch this game: only its players move");
        }
    }

    #[test]
    fn people_are_never_asked() {
        let game = game("Anna", "Ben");
        let mut rivals = ComputerSeats::of(&game, &ComputerOptions::default(), 1);
        assert!(!rivals.are_there() && rivals.only_human().is_none());
        assert_eq!(rivals.next(&game, Timestamp(0)), None);
    }
}
