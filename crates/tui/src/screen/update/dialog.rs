//! Answering dialogs, by keys or by the mouse.

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use touchmove_rules::Role;

use crate::screen::game_screen::{Dialog, GameScreen};
use crate::screen::key_bindings::Action;
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::game;
use touchmove_game::{Intent, OfferKind};

/// An answer to the open dialog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DialogAnswer {
    /// Promote the pawn to this.
    Promote(Role),
    /// Yes.
    Yes,
    /// The other player instead of this one.
    Other,
    /// This one of the two offers.
    Offer(OfferKind),
    /// Save the game to a typed path.
    Save,
    /// No, or not now.
    No,
    /// Run this action instead.
    Act(Action),
}

/// The answers that a dialog has on this screen, each with its key and label.
pub(crate) fn answers(
    table: &GameScreen,
    dialog: Dialog,
) -> Vec<(char, &'static str, DialogAnswer)> {
    let mut answers = all_answers(dialog);
    // The other player can be chosen only where both play here.
    let is_one = table.live.is_some() || table.rivals.only_human().is_some();
    answers.retain(|&(_, _, answer)| !is_one || answer != DialogAnswer::Other);
    answers
}

fn all_answers(dialog: Dialog) -> Vec<(char, &'static str, DialogAnswer)> {
    match dialog {
        Dialog::Promotion { .. } => Role::PROMOTIONS
            .into_iter()
            .map(|role| (role.char(), role.name(), DialogAnswer::Promote(role)))
            .collect(),
        Dialog::Resign { .. } => vec![
            ('y', "resign", DialogAnswer::Yes),
            ('o', "the other player", DialogAnswer::Other),
            ('n', "play on", DialogAnswer::No),
        ],
        Dialog::Draw { .. } => vec![
            ('y', "offer a draw", DialogAnswer::Yes),
            ('o', "the other player", DialogAnswer::Other),
            ('n', "play on", DialogAnswer::No),
        ],
        Dialog::Which { .. } => vec![
            ('d', "the draw", DialogAnswer::Offer(OfferKind::Draw)),
            (
                't',
                "the takeback",
                DialogAnswer::Offer(OfferKind::Takeback),
            ),
            ('n', "neither", DialogAnswer::No),
        ],
        Dialog::Claim => vec![
            ('y', "claim the draw", DialogAnswer::Yes),
            ('n', "play on", DialogAnswer::No),
        ],
        Dialog::Quit => vec![
            ('y', "leave", DialogAnswer::Yes),
            ('s', "save it to a file", DialogAnswer::Save),
            ('n', "play on", DialogAnswer::No),
        ],
        Dialog::Leave { .. } => {
            vec![
                ('y', "begin another", DialogAnswer::Yes),
                ('n', "play on", DialogAnswer::No),
            ]
        }
        Dialog::Over { .. } => vec![
            ('r', "rematch", DialogAnswer::Act(Action::Rematch)),
            ('s', "save", DialogAnswer::Act(Action::Save)),
            ('v', "review", DialogAnswer::Act(Action::Review)),
            ('l', "look through", DialogAnswer::No),
            ('n', "new game", DialogAnswer::Act(Action::New)),
            ('q', "quit", DialogAnswer::Act(Action::Quit)),
        ],
    }
}

/// Handles a key while a dialog is open.
pub(super) fn on_key(model: &mut Model, dialog: Dialog, key: KeyEvent) -> Vec<Effect> {
    if matches!(dialog, Dialog::Over { deaf_until } if model.now < deaf_until) {
        return Vec::new();
    }
    if let KeyCode::Char(letter) = key.code {
        let letter = letter.to_ascii_lowercase();
        let ActiveScreen::Table(table) = &model.scene else {
            return Vec::new();
        };
        let found = answers(table, dialog)
            .into_iter()
            .find(|&(answer, ..)| answer == letter);
        return match (found, dialog) {
            (Some((_, _, answer)), _) => apply_answer(model, dialog, answer),
            (None, Dialog::Claim) => type_on(model, letter),
            (None, _) => Vec::new(),
        };
    }
    match (key.code, dialog) {
        (KeyCode::Esc, _) => apply_answer(model, dialog, DialogAnswer::No),
        (KeyCode::Enter, Dialog::Promotion { choice, .. }) => apply_answer(
            model,
            dialog,
            DialogAnswer::Promote(Role::PROMOTIONS[choice]),
        ),
        (KeyCode::Enter, Dialog::Over { .. }) => apply_answer(model, dialog, DialogAnswer::No),
        (KeyCode::Enter, Dialog::Claim | Dialog::Draw { .. }) => {
            apply_answer(model, dialog, DialogAnswer::Yes)
        }
        (KeyCode::Left | KeyCode::Up | KeyCode::BackTab, Dialog::Promotion { .. }) => {
            choose(model, dialog, 3)
        }
        (KeyCode::Right | KeyCode::Down | KeyCode::Tab, Dialog::Promotion { .. }) => {
            choose(model, dialog, 1)
        }
        _ => Vec::new(),
    }
}

/// Types the `c` after all: it was no claim but the beginning of a move or a word.
fn type_on(model: &mut Model, letter: char) -> Vec<Effect> {
    if let ActiveScreen::Table(table) = &mut model.scene {
        table.dialog = None;
        table.line.push(letter);
    }
    vec![Effect::Draw]
}

fn choose(model: &mut Model, dialog: Dialog, step: usize) -> Vec<Effect> {
    if let (ActiveScreen::Table(table), Dialog::Promotion { attempt, choice }) =
        (&mut model.scene, dialog)
    {
        let choice = (choice + step) % Role::PROMOTIONS.len();
        table.dialog = Some(Dialog::Promotion { attempt, choice });
    }
    vec![Effect::Draw]
}

/// Applies an answer.
pub(super) fn apply_answer(model: &mut Model, dialog: Dialog, answer: DialogAnswer) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    table.dialog = None;
    if dialog == Dialog::Claim {
        table.line.clear();
    }
    match (answer, dialog) {
        (DialogAnswer::Promote(role), Dialog::Promotion { attempt, .. }) => {
            game::submit(table, now, animation, Intent::Move(attempt.promoting(role)))
        }
        (DialogAnswer::Yes, Dialog::Resign { by }) => {
            game::submit_as(table, now, animation, Intent::Resign, Some(by))
        }
        (DialogAnswer::Yes, Dialog::Draw { by }) => {
            game::submit_as(table, now, animation, Intent::OfferDraw, Some(by))
        }
        (DialogAnswer::Other, Dialog::Resign { by }) => {
            table.dialog = Some(Dialog::Resign { by: !by });
            vec![Effect::Draw]
        }
        (DialogAnswer::Other, Dialog::Draw { by }) => {
            table.dialog = Some(Dialog::Draw { by: !by });
            vec![Effect::Draw]
        }
        (DialogAnswer::Offer(offer), Dialog::Which { accepts }) => {
            game::submit(table, now, animation, game::answer(offer, accepts))
        }
        (DialogAnswer::Yes, Dialog::Claim) => {
            game::submit(table, now, animation, Intent::ClaimDraw(None))
        }
        (DialogAnswer::Yes, Dialog::Quit) => vec![Effect::Quit],
        (DialogAnswer::Yes, Dialog::Leave { rematch: true }) => game::rematch(model),
        (DialogAnswer::Yes, Dialog::Leave { rematch: false }) => {
            crate::screen::update::to_start(model)
        }
        (DialogAnswer::Save, _) => {
            table.line.begin("save ");
            vec![Effect::Draw]
        }
        (DialogAnswer::Act(action), _) => {
            let mut effects = game::run_action(model, action);
            effects.push(Effect::Draw);
            effects
        }
        _ => {
            table.clear_transient();
            vec![Effect::Draw]
        }
    }
}
