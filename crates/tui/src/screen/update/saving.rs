//! Saving the game on the screen, and messages when that fails: to the journal while it is played, to the library
//! when it is over.

use std::path::Path;

use touchmove_game::{Event, journal};
use touchmove_text::display_path;

use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::game;

/// Appends events to the journal; a game that is over moves to the library.
pub(super) fn record(table: &GameScreen, events: &[Event]) -> Vec<Effect> {
    let lines = events.iter().map(journal::line).collect();
    let mut effects = vec![Effect::Record(lines)];
    if table.game.ending().is_some() {
        effects.push(Effect::Shelve(Box::new(table.game.clone())));
    }
    effects.push(Effect::Draw);
    effects
}

/// Handles a failure to save: it is reported, and stays visible until saving works.
pub(super) fn on_save_failed(model: &mut Model, why: String) -> Vec<Effect> {
    if let ActiveScreen::Table(table) = &model.scene
        && table.saved == Some(table.game.seq())
    {
        // The game is in the library, or at the path that the players chose.
        return Vec::new();
    }
    if let ActiveScreen::Table(table) = &mut model.scene
        && table.unkept.replace(why.clone()).is_some()
    {
        // It is reported already, and stays visible.
        return vec![Effect::Draw];
    }
    crate::screen::update::say(model, Tone::Alarm, format!("{why} {NOT_SAVED_HINT}"));
    vec![Effect::Draw]
}

/// What can be done about a game that is not saved.
const NOT_SAVED_HINT: &str =
    "Type save and a path to save it elsewhere; else it is shown when you leave.";

/// Handles that saving works again.
pub(super) fn on_save_recovered(model: &mut Model) -> Vec<Effect> {
    if let ActiveScreen::Table(table) = &mut model.scene {
        table.unkept = None;
    }
    crate::screen::update::say(model, Tone::Good, "The game is kept again.".to_owned());
    vec![Effect::Draw]
}

/// Handles that the finished game is in the library.
pub(super) fn on_archived(model: &mut Model, path: &Path) -> Vec<Effect> {
    let words = format!("In the library: {}", display_path(path));
    if let ActiveScreen::Table(table) = &mut model.scene {
        table.unkept = None;
        table.saved = Some(table.game.seq());
    }
    crate::screen::update::say(model, Tone::Good, words);
    vec![Effect::Draw]
}

/// Handles that the game was saved to the typed path.
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

/// Handles that the game could not be saved to the typed path, which can be edited.
pub(super) fn not_saved(model: &mut Model, path: &str, why: String) -> Vec<Effect> {
    crate::screen::update::say(model, Tone::Alarm, why);
    if let ActiveScreen::Table(table) = &mut model.scene {
        table.line.refuse(&format!("save {path}"));
    }
    vec![Effect::Draw]
}

/// Called when the players leave the game for another. If it is saved nowhere, its PGN is kept to be printed on
/// quitting.
pub(super) fn leave_game(model: &mut Model) {
    if let Some(pgn) = unsaved_pgn(model) {
        model.parting.push(pgn);
    }
}

/// The PGN of the game on the screen, if it is saved nowhere.
pub(in crate::screen) fn unsaved_pgn(model: &Model) -> Option<String> {
    let table = model.table()?;
    table.unkept.as_ref()?;
    let is_played_here = table.study.is_none() && table.live.is_none();
    let has_moves = !table.game.plies().is_empty();
    let is_saved = table.saved == Some(table.game.seq());
    (is_played_here && has_moves && !is_saved).then(|| game::pgn(table, &model.today))
}
