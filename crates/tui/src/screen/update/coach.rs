//! The coach: what he is asked, what he says, and the page with the review of a game.

use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::opponents::{Advice, Advised, Inquiry};
use crate::screen::coach_state::Reviewing;
use crate::screen::game_screen::{Dialog, Table, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{Model, Scene};
use crate::screen::update::game;

/// Asks the coach.
pub(super) fn ask(table: &mut Table, what: Inquiry) -> Vec<Effect> {
    if what == Inquiry::Review
        && let Some(Reviewing::Done(_, plies)) = &table.coaching.review
        && *plies == table.game.plies().len()
    {
        open(table);
        return vec![Effect::Draw];
    }
    let wanted = match table.inquire(what) {
        Ok(wanted) => wanted,
        Err(why) => {
            table.say(Tone::Plain, why);
            return vec![Effect::Draw];
        }
    };
    table.tidy();
    match what {
        Inquiry::Review => {
            table.coaching.review = Some(Reviewing::Busy(0, 1));
            open(table);
        }
        Inquiry::Hint | Inquiry::Threat => table.say(Tone::Plain, "The coach looks at it ..."),
    }
    vec![Effect::Coach(Box::new(wanted)), Effect::Draw]
}

/// The page lies over the board; the question what next comes again with its key.
fn open(table: &mut Table) {
    table.coaching.is_open = true;
    if matches!(table.dialog, Some(Dialog::Over { .. })) {
        table.dialog = None;
    }
}

/// The coach says something.
pub(super) fn hear(model: &mut Model, said: Advised) -> Vec<Effect> {
    let Scene::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    if said.number != table.coaching.number {
        return Vec::new();
    }
    match said.advice {
        Advice::Words(text, squares) => {
            table.evidence = squares;
            table.say(Tone::Plain, text);
        }
        Advice::Progress(done, all) => {
            if matches!(table.coaching.review, Some(Reviewing::Busy(..))) {
                table.coaching.review = Some(Reviewing::Busy(done, all));
            }
        }
        Advice::Review(review) => {
            // What was broken off is begun anew when it is asked for again.
            let plies = match review.is_complete {
                true => table.game.plies().len(),
                false => usize::MAX,
            };
            table.coaching.review = Some(Reviewing::Done(review, plies));
        }
    }
    vec![Effect::Draw]
}

/// A key while the page with the review lies over the board.
pub(super) fn strike(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let Scene::Table(table) = &mut model.scene else {
        return Vec::new();
    };
    let ply = match (&table.coaching.review, key.code) {
        (Some(Reviewing::Busy(..)), KeyCode::Esc) => return vec![Effect::HushCoach, Effect::Draw],
        (Some(Reviewing::Busy(..)), _) => return Vec::new(),
        (Some(Reviewing::Done(review, _)), KeyCode::Char(digit @ '1'..='3')) => {
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
