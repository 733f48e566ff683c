//! Computers and the coach in plain mode: a computer's moves are printed like anybody's.

use touchmove_game::move_text::sentence;
use touchmove_game::{Budget, Event, Timestamp};
use touchmove_rules::Color;

use crate::opponents;
use crate::opponents::{
    CoachQuestion, ComputerOptions, ComputerReply, ComputerSeats, ComputerTask,
    NO_HELP_ONLINE_TEXT, NO_HELP_TEXT, NextStep, ReplyEffect,
};
use crate::plain::{Output, PlainSession, changes_board, say, text};

impl PlainSession {
    /// Sets the options of computers and hints; `seed` makes the computers' choices differ from game to game.
    #[must_use]
    pub fn with_computer_options(mut self, customs: &ComputerOptions, seed: u64) -> PlainSession {
        self.customs = customs.clone();
        self.luck = seed;
        self.rivals = ComputerSeats::of(&self.game, customs, seed);
        self
    }

    /// Seats the computers of another game, with the configured seed or a new one.
    pub(super) fn reseat_computers(&mut self) {
        let next = self.luck.wrapping_mul(6_364_136_223_846_793_005);
        self.luck = next.wrapping_add(1);
        let seed = self.customs.seed.unwrap_or(self.luck);
        self.rivals = ComputerSeats::of(&self.game, &self.customs, seed);
    }

    /// Carries out what computers do at once, and returns the output together with the next question for a
    /// computer.
    pub fn next_computer_task(&mut self, now: Timestamp) -> (Output, Option<ComputerTask>) {
        let mut output = Output::default();
        if self.place.is_some() {
            return (output, None);
        }
        while let Some(due) = self.rivals.next(&self.game, now) {
            match due {
                NextStep::Ask(task) => return (output, Some(*task)),
                NextStep::Command(who, command) => {
                    let answer = self.game.submit(now, who, command);
                    if answer.events.is_empty() {
                        break;
                    }
                    output.text += &self.describe_events(now, answer.events);
                }
            }
        }
        (output, None)
    }

    /// Applies a computer's answer.
    pub fn on_computer_reply(&mut self, now: Timestamp, reply: &ComputerReply) -> Output {
        let events = match self.rivals.on_reply(&self.game, reply) {
            None => return Output::default(),
            Some(ReplyEffect::Note(text)) => return say(sentence(&text)),
            Some(ReplyEffect::Order(order)) => {
                let events = self.game.order(now, &order).unwrap_or_default();
                self.game.evolve_all(&events);
                events
            }
            Some(ReplyEffect::Command(who, command)) => {
                let answer = self.game.submit(now, who, command);
                if let Some(refusal) = answer.refusal {
                    return say(sentence(&refusal.to_string()));
                }
                answer.events
            }
        };
        Output {
            text: self.describe_events(now, events),
            ..Output::default()
        }
    }

    /// Describes events in words, with the board if it has changed.
    pub(super) fn describe_events(&mut self, now: Timestamp, mut events: Vec<Event>) -> String {
        events.extend(self.game.settle_flag(Budget::default()));
        self.write_down(&events);
        let said = events.iter().map(|event| text::event(&self.game, event));
        let mut text: String = said.collect();
        if events.iter().any(changes_board) {
            text += &self.shown_board();
        }
        if !events.is_empty() {
            text += &self.state_of_play(now);
        }
        text
    }

    /// The player a command is for: as given, or else the one person who plays a computer.
    pub(super) fn person(&self, by: Option<Color>) -> Option<Color> {
        by.or(self.rivals.only_human())
    }

    /// Whether a computer is on move.
    pub(super) fn is_computers_turn(&self) -> bool {
        self.place.is_none() && self.rivals.is_thinking(&self.game)
    }

    /// Asks the coach, where that is allowed.
    pub(super) fn ask_coach(&self, what: CoachQuestion) -> Output {
        if self.place.is_some() {
            return say(NO_HELP_ONLINE_TEXT);
        }
        let is_over = self.game.ending().is_some();
        if !is_over && !self.customs.hints && !self.rivals.are_there() {
            return say(NO_HELP_TEXT);
        }
        match what {
            _ if is_over => say("The game is over: touchmove review says where it turned."),
            _ if self.is_computers_turn() => say("It is the computer's turn."),
            CoachQuestion::Threat => say(format!("Threat: {}", opponents::threat(&self.game).text)),
            CoachQuestion::Hint | CoachQuestion::Review => match opponents::hint(&self.game) {
                Some(hint) => say(format!("Hint: {}", hint.text)),
                None => say("There is no legal move."),
            },
        }
    }
}
