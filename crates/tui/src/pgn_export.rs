//! Exports a game as PGN for files and the clipboard, with the date; names the file. The game crate writes the
//! record itself.

use touchmove_game::{Game, move_text, pgn_record};
use touchmove_rules::Color;

/// The game as PGN with its date and ending.
#[must_use]
pub fn pgn_text(game: &Game, date: &str) -> String {
    let mut document = pgn_record::document(game);
    // Cannot fail: these are valid tag names.
    let _ = document.tags.set("Date", date);
    if let Some(ending) = game.ending() {
        let words = ending.status().replace('_', " ");
        let _ = document.tags.set("Ending", &words);
    }
    document.to_string()
}

/// A name for the file of a game, without extension: `2026-11-15-Anna-Ben`.
#[must_use]
pub fn file_name(game: &Game, date: &str) -> String {
    let [white, black] = Color::ALL.map(|color| move_text::name(game, color));
    [date, &white, &black]
        .map(|part| {
            let plain = part
                .chars()
                .map(|c| if c.is_alphanumeric() { c } else { '-' });
            plain.take(40).collect::<String>()
        })
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_game::{Players, Terms, Timestamp};
    use touchmove_rules::Variant;

    #[test]
    fn a_file_is_named_after_date_and_players_whatever_they_are_called() {
        let players = Players {
            white: "../Ä B".to_owned(),
            black: "x".repeat(100),
        };
        let game = Game::begin(Terms::of(Variant::Chess), players, Timestamp(0));
        let name = file_name(&game, "2026.11.15");
        assert!(name.starts_with("2026-11-15----Ä-B-xxx"));
        assert!(name.len() < 100);
    }
}
