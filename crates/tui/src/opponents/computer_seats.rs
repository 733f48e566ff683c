//! [`ComputerSeats`]: which seats computers hold, and what to ask them next. Pure: it starts no thread and reads no
//! clock; the game decides what follows from an answer.

use touchmove_game::{ArbiterAction, Command, Game, Millis, Timestamp};
use touchmove_rules::{AnyPosition, ByColor, Color, Move, UciMove};

use crate::opponents::{ComputerOptions, ComputerSpec};

/// The computers in a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComputerSeats {
    who: ByColor<Option<ComputerSpec>>,
    seed: u64,
    plays_on: bool,
    /// The last question that was asked.
    asked: Option<(u64, TaskKind)>,
    /// The number of the event after which a computer declined to claim a draw.
    unclaimed: Option<u64>,
}

/// The kind of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskKind {
    /// Its move.
    Move,
    /// Whether it accepts the draw offer.
    Offer,
    /// Whether it claims the draw that it may claim.
    Claim,
}

/// A question for a computer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComputerTask {
    /// The number of the last event in the game it is about.
    pub seq: u64,
    /// The kind of question.
    pub matter: TaskKind,
    /// The computer's colour.
    pub color: Color,
    /// The computer.
    pub who: ComputerSpec,
    /// The start position of the game.
    pub start: AnyPosition,
    /// The moves since then.
    pub moves: Vec<Move>,
    /// The computer's remaining time, if there is a clock.
    pub left: Option<Millis>,
    /// The random seed of this game.
    pub seed: u64,
    /// Whether the computer plays on in hopeless positions instead of resigning.
    pub plays_on: bool,
}

impl ComputerTask {
    /// The UCI form of a move in the current position. It depends on the position: in Chess960, castling and a step
    /// of the king may lead to the same square.
    pub(super) fn written(&self, mv: Move) -> UciMove {
        let mut position = self.start;
        for &played in &self.moves {
            position.play(played);
        }
        position.uci(mv)
    }
}

/// A computer's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComputerReply {
    /// The number of the last event in the game it was asked about.
    pub seq: u64,
    /// The kind of question.
    pub matter: TaskKind,
    /// The computer's colour.
    pub color: Color,
    /// The answer.
    pub said: ComputerAnswer,
}

/// What a computer can answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ComputerAnswer {
    /// A move.
    Move(UciMove),
    /// The computer resigns.
    Resign,
    /// Whether it accepts or claims the draw.
    Draw(bool),
    /// It cannot play on; the sentence says why.
    Trouble(String),
    /// A message for the players; the answer is still to come.
    Note(String),
}

/// The next step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextStep {
    /// Submit this command of a computer.
    Command(Color, Command),
    /// Ask a computer.
    Ask(Box<ComputerTask>),
}

/// What follows from an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplyEffect {
    /// Submit this command of a computer.
    Command(Color, Command),
    /// Apply this action of the arbiter.
    Order(ArbiterAction),
    /// Show this message to the players.
    Note(String),
}

impl ComputerSeats {
    /// The computers in a game, recognised by the names of the seats.
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

    /// Whether a computer plays this colour.
    #[must_use]
    pub const fn has(&self, color: Color) -> bool {
        match color {
            Color::White => self.who.white.is_some(),
            Color::Black => self.who.black.is_some(),
        }
    }

    /// Whether a computer plays at all.
    #[must_use]
    pub const fn are_there(&self) -> bool {
        self.has(Color::White) || self.has(Color::Black)
    }

    /// The colour of the person who plays against a computer; `None` if there are two people or two computers.
    #[must_use]
    pub const fn only_human(&self) -> Option<Color> {
        match (self.has(Color::White), self.has(Color::Black)) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        }
    }

    /// Why commands from this player are refused: a computer has the seat and the game goes on.
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

    /// The next step that was not taken yet.
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

    /// What follows from an answer; `None` if the game has gone on since the question.
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
                // Whatever follows, the next question is about the move.
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
