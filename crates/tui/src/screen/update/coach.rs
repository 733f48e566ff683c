//! The coach: questions, answers, and the review page.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::opponents::{CoachAnswer, CoachQuestion, CoachReply};
use crate::screen::coach_state::ReviewState;
use crate::screen::game_screen::{Dialog, GameScreen, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::game;

/// Asks the coach.
pub(super) fn ask(table: &mut GameScreen, what: CoachQuestion) -> Vec<Effect> {
    if what == CoachQuestion::Review
        && let Some(ReviewState::Done(_, plies)) = &table.coaching.review
        && *plies == table.game.plies().len()
    {
        open(table);
        return vec![Effect::Draw];
    }
    let wanted = match table.next_coach_request(what) {
        Ok(wanted) => wanted,
        Err(why) => {
            table.set_notice(Tone::Plain, why);
            return vec![Effect::Draw];
        }
    };
    table.clear_transient();
    match what {
        CoachQuestion::Review => {
            table.coaching.review = Some(ReviewState::Busy(0, 1));
            open(table);
        }
        CoachQuestion::Hint | CoachQuestion::Threat => {
            table.set_notice(Tone::Plain, "The coach looks at it ...");
        }
    }
    vec![Effect::Coach(Box::new(wanted)), Effect::Draw]
}

/// Opens the review page over the board; its key brings the game-over dialog back.
fn open(table: &mut GameScreen) {
    table.coaching.is_open = true;
    if matches!(table.dialog, Some(Dialog::Over { .. })) {
        table.dialog = None;
    }
}

/// Handles an answer of the coach.
pub(super) fn on_coach_reply(model: &mut Model, said: CoachReply) -> Vec<Effect> {
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    if said.number != table.coaching.number {
        return Vec::new();
    }
    match said.advice {
        CoachAnswer::Words(text, squares) => {
            table.evidence = squares;
            table.set_notice(Tone::Plain, text);
        }
        CoachAnswer::Progress(done, all) => {
            if matches!(table.coaching.review, Some(ReviewState::Busy(..))) {
                table.coaching.review = Some(ReviewState::Busy(done, all));
            }
        }
        CoachAnswer::Review(review) => {
            // A review that was cut short starts again when it is asked for again.
            let plies = match review.is_complete {
                true => table.game.plies().len(),
                false => usize::MAX,
            };
            table.coaching.review = Some(ReviewState::Done(review, plies));
        }
    }
    vec![Effect::Draw]
}

/// Handles a key while the review page is open.
pub(super) fn on_key(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let ActiveScreen::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let ply = match (&table.coaching.review, key.code) {
        (Some(ReviewState::Busy(..)), KeyCode::Esc) => {
            return vec![Effect::HushCoach, Effect::Draw];
        }
        (Some(ReviewState::Busy(..)), _) => return Vec::new(),
        (Some(ReviewState::Done(review, _)), KeyCode::Char(digit @ '1'..='3')) => {
            let number = usize::from(digit as u8 - b'1');
            review.turnings.get(number).map(|turning| turning.ply)
        }
        _ => None,
    };
    table.coaching.is_open = false;
    if let Some(ply) = ply {
        game::look_at(table, ply);
    }
    vec![Effect::Draw]
}
