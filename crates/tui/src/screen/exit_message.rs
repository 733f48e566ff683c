//! The text printed after the full screen is closed: the state of the game, whether it is saved, and the PGN of
//! games that are not.

use crate::game_saver::GameSaver;
use crate::quit_prompt::{NOTHING_PLAYED_TEXT, is_unplayed};
use crate::screen::model::Model;
use crate::screen::update::unsaved_pgn;
use touchmove_text::display_path;

/// The text to print after the full screen is closed. A game counts as saved if its journal was read back and is
/// complete; the PGN of others is printed.
pub(super) fn exit_message(model: &Model, keeper: &GameSaver) -> Option<String> {
    let mut shown = model.parting.clone();
    shown.extend(unsaved_pgn(model));
    let mut words: Vec<String> = farewell(model, keeper).into_iter().collect();
    words.extend(shown);
    (!words.is_empty()).then(|| words.join("\n\n"))
}

fn farewell(model: &Model, keeper: &GameSaver) -> Option<String> {
    let table = model.table().filter(|table| table.study.is_none())?;
    Some(match (table.game.ending(), &table.live) {
        (Some(ending), _) => format!("{} {}", table.standing(), ending.result()),
        (None, None) if table.unkept.is_some() => {
            let why = table.unkept.clone().unwrap_or_default();
            match table.saved == Some(table.game.seq()) {
                true => "The game is where you saved it: touchmove play --load goes on.".to_owned(),
                false => why,
            }
        }
        (None, None) if is_unplayed(&table.game) => NOTHING_PLAYED_TEXT.to_owned(),
        (None, None) if !keeper.can_resume(&table.game) => format!(
            "This game is not kept: {} does not tell it.",
            display_path(&keeper.journal_path().unwrap_or_default())
        ),
        (None, Some(live)) if live.hosts => format!(
            "The server is closed, and the game is kept: touchmove host --resume {}",
            live.link.game()
        ),
        (None, Some(live)) => format!("The table is still there: touchmove join {}", live.link),
        (None, None) => {
            "The game is kept: touchmove or touchmove play --resume goes on with it.".to_owned()
        }
    })
}
