//! How open questions are answered, by keys or by the mouse.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use touchmove_rules::Role;

use crate::screen::action::Action;
use crate::screen::game_screen::{Dialog, Table};
use crate::screen::message::Effect;
use crate::screen::model::{Model, Scene};
use crate::screen::update::game;
use touchmove_game::{Offer, Wish};

/// An answer to the open question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    /// The pawn becomes this.
    Promote(Role),
    /// Yes.
    Yes,
    /// Not this player, the other one.
    Other,
    /// This of the two offers.
    Offer(Offer),
    /// Save the game where it is typed.
    Save,
    /// No, or not now.
    No,
    /// Do this instead.
    Act(Action),
}

/// The answers that a question at this table has, with the key and the words of each.
pub(crate) fn answers(table: &Table, dialog: Dialog) -> Vec<(char, &'static str, Answer)> {
    let mut answers = all_answers(dialog);
    // Only where both sit here there is another to ask.
    let is_one = table.live.is_some() || table.rivals.you().is_some();
    answers.retain(|&(_, _, answer)| !is_one || answer != Answer::Other);
    answers
}

fn all_answers(dialog: Dialog) -> Vec<(char, &'static str, Answer)> {
    match dialog {
        Dialog::Promotion { .. } => Role::PROMOTIONS
            .into_iter()
            .map(|role| (role.char(), role.name(), Answer::Promote(role)))
            .collect(),
        Dialog::Resign { .. } => vec![
            ('y', "resign", Answer::Yes),
            ('o', "the other player", Answer::Other),
            ('n', "play on", Answer::No),
        ],
        Dialog::Draw { .. } => vec![
            ('y', "offer a draw", Answer::Yes),
            ('o', "the other player", Answer::Other),
            ('n', "play on", Answer::No),
        ],
        Dialog::Which { .. } => vec![
            ('d', "the draw", Answer::Offer(Offer::Draw)),
            ('t', "the takeback", Answer::Offer(Offer::Takeback)),
            ('n', "neither", Answer::No),
        ],
        Dialog::Claim => vec![
            ('y', "claim the draw", Answer::Yes),
            ('n', "play on", Answer::No),
        ],
        Dialog::Quit => vec![
            ('y', "leave", Answer::Yes),
            ('s', "save it to a file", Answer::Save),
            ('n', "play on", Answer::No),
        ],
        Dialog::Leave { .. } => {
            vec![
                ('y', "begin another", Answer::Yes),
                ('n', "play on", Answer::No),
            ]
        }
        Dialog::Over { .. } => vec![
            ('r', "rematch", Answer::Act(Action::Rematch)),
            ('s', "save", Answer::Act(Action::Save)),
            ('v', "review", Answer::Act(Action::Review)),
            ('l', "look through", Answer::No),
            ('n', "new game", Answer::Act(Action::New)),
            ('q', "quit", Answer::Act(Action::Quit)),
        ],
    }
}

/// A key while a question is open.
pub(super) fn strike(model: &mut Model, dialog: Dialog, key: KeyEvent) -> Vec<Effect> {
    if matches!(dialog, Dialog::Over { deaf_until } if model.now < deaf_until) {
        return Vec::new();
    }
    if let KeyCode::Char(letter) = key.code {
        let letter = letter.to_ascii_lowercase();
        let Scene::Table(table) = &model.scene else {
            return Vec::new();
        };
        let found = answers(table, dialog)
            .into_iter()
            .find(|&(answer, ..)| answer == letter);
        return match (found, dialog) {
            (Some((_, _, answer)), _) => give(model, dialog, answer),
            (None, Dialog::Claim) => type_on(model, letter),
            (None, _) => Vec::new(),
        };
    }
    match (key.code, dialog) {
        (KeyCode::Esc, _) => give(model, dialog, Answer::No),
        (KeyCode::Enter, Dialog::Promotion { choice, .. }) => {
            give(model, dialog, Answer::Promote(Role::PROMOTIONS[choice]))
        }
        (KeyCode::Enter, Dialog::Over { .. }) => give(model, dialog, Answer::No),
        (KeyCode::Enter, Dialog::Claim | Dialog::Draw { .. }) => give(model, dialog, Answer::Yes),
        (KeyCode::Left | KeyCode::Up | KeyCode::BackTab, Dialog::Promotion { .. }) => {
            choose(model, dialog, 3)
        }
        (KeyCode::Right | KeyCode::Down | KeyCode::Tab, Dialog::Promotion { .. }) => {
            choose(model, dialog, 1)
        }
        _ => Vec::new(),
    }
}

/// The `c` was no claim but the beginning of a move or a word.
fn type_on(model: &mut Model, letter: char) -> Vec<Effect> {
    if let Scene::Table(table) = &mut model.scene {
        table.dialog = None;
        table.line.push(letter);
    }
    vec![Effect::Draw]
}

fn choose(model: &mut Model, dialog: Dialog, step: usize) -> Vec<Effect> {
    if let (Scene::Table(table), Dialog::Promotion { attempt, choice }) = (&mut model.scene, dialog)
    {
        let choice = (choice + step) % Role::PROMOTIONS.len();
        table.dialog = Some(Dialog::Promotion { attempt, choice });
    }
    vec![Effect::Draw]
}

/// Gives an answer.
pub(super) fn give(model: &mut Model, dialog: Dialog, answer: Answer) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let Scene::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    table.dialog = None;
    if dialog == Dialog::Claim {
        table.line.clear();
    }
    match (answer, dialog) {
        (Answer::Promote(role), Dialog::Promotion { attempt, .. }) => {
            game::ask(table, now, animation, Wish::Move(attempt.promoting(role)))
        }
        (Answer::Yes, Dialog::Resign { by }) => {
            game::ask_as(table, now, animation, Wish::Resign, Some(by))
        }
        (Answer::Yes, Dialog::Draw { by }) => {
            game::ask_as(table, now, animation, Wish::OfferDraw, Some(by))
        }
        (Answer::Other, Dialog::Resign { by }) => {
            table.dialog = Some(Dialog::Resign { by: !by });
            vec![Effect::Draw]
        }
        (Answer::Other, Dialog::Draw { by }) => {
            table.dialog = Some(Dialog::Draw { by: !by });
            vec![Effect::Draw]
        }
        (Answer::Offer(offer), Dialog::Which { accepts }) => {
            game::ask(table, now, animation, game::answer(offer, accepts))
        }
        (Answer::Yes, Dialog::Claim) => game::ask(table, now, animation, Wish::ClaimDraw(None)),
        (Answer::Yes, Dialog::Quit) => vec![Effect::Quit],
        (Answer::Yes, Dialog::Leave { rematch: true }) => game::rematch(model),
        (Answer::Yes, Dialog::Leave { rematch: false }) => crate::screen::update::to_start(model),
        (Answer::Save, _) => {
            table.line.begin("save ");
            vec![Effect::Draw]
        }
        (Answer::Act(action), _) => {
            let mut effects = game::act(model, action);
            effects.push(Effect::Draw);
            effects
        }
        _ => {
            table.tidy();
            vec![Effect::Draw]
        }
    }
}
