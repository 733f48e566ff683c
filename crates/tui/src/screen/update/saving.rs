//! What is kept of the game on the screen, and what is said when it is not: to the journal while it is
//! played, to the library when it is over.

use std::path::Path;

use touchmove_game::{Event, journal};
use touchmove_text::display_path;

use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::game;

/// Writes down what has happened; a game that is over goes into the library.
pub(super) fn record(table: &GameScreen, events: &[Event]) -> Vec<Effect> {
    let lines = events.iter().map(journal::line).collect();
    let mut effects = vec![Effect::Record(lines)];
    if table.game.ending().is_some() {
        effects.push(Effect::Shelve(Box::new(table.game.clone())));
    }
    effects.push(Effect::Draw);
    effects
}

/// The game is not kept: that is said, and stays said until it is.
pub(super) fn on_save_failed(model: &mut Model, why: String) -> Vec<Effect> {
    if let ActiveScreen::Table(table) = &model.scene
        && table.saved == Some(table.game.seq())
    {
        // It is in the library, or where the players wanted it.
        return Vec::new();
    }
    if let ActiveScreen::Table(table) = &mut model.scene
        && table.unkept.replace(why.clone()).is_some()
    {
        // It is said already, and stays said.
        return vec![Effect::Draw];
    }
    crate::screen::update::say(model, Tone::Alarm, format!("{why} {NOT_SAVED_HINT}"));
    vec![Effect::Draw]
}

/// What can be done about a game that is not kept.
const NOT_SAVED_HINT: &str =
    "Type save and a path to save it elsewhere; else it is shown when you leave.";

/// The game is kept again.
pub(super) fn on_save_recovered(model: &mut Model) -> Vec<Effect> {
    if let ActiveScreen::Table(table) = &mut model.scene {
        table.unkept = None;
    }
    crate::screen::update::say(model, Tone::Good, "The game is kept again.".to_owned());
    vec![Effect::Draw]
}

/// The game that is over is in the library.
pub(super) fn on_archived(model: &mut Model, path: &Path) -> Vec<Effect> {
    let words = format!("In the library: {}", display_path(path));
    if let ActiveScreen::Table(table) = &mut model.scene {
        table.unkept = None;
        table.saved = Some(table.game.seq());
    }
    crate::screen::update::say(model, Tone::Good, words);
    vec![Effect::Draw]
}

/// The game was saved where the players said.
pub(super) fn saved(model: &mut Model, path: &Path) -> Vec<Effect> {
    crate::screen::update::say(
        model,
        Tone::Good,
        format!("Saved to {}.", display_path(path)),
    );
    if let ActiveScreen::Table(table) = &mut model.scene {
        table.saved = Some(table.game.seq());
    }
    vec![Effect::Draw]
}

/// The game could not be saved where the players said: the path stays to be edited.
pub(super) fn not_saved(model: &mut Model, path: &str, why: String) -> Vec<Effect> {
    crate::screen::update::say(model, Tone::Alarm, why);
    if let ActiveScreen::Table(table) = &mut model.scene {
        table.line.refuse(&format!("save {path}"));
    }
    vec![Effect::Draw]
}

/// The players leave the game on the screen for another: if it is kept nowhere, it is put by to be shown
/// when they leave.
pub(super) fn leave_game(model: &mut Model) {
    if let Some(pgn) = unsaved_pgn(model) {
        model.parting.push(pgn);
    }
}

/// The game on the screen as PGN, if it is kept nowhere.
pub(in crate::screen) fn unsaved_pgn(model: &Model) -> Option<String> {
    let table = model.table()?;
    table.unkept.as_ref()?;
    let is_played_here = table.study.is_none() && table.live.is_none();
    let has_moves = !table.game.plies().is_empty();
    let is_saved = table.saved == Some(table.game.seq());
    (is_played_here && has_moves && !is_saved).then(|| game::pgn(table, &model.today))
}
