//! Unfinished games in plain mode: the list, and the question which of them to resume.

use touchmove_game::move_text;
use touchmove_rules::Color;

use crate::autosave::UnfinishedGame;

/// A game in a line: "Anna - Ben, Chess, move 14, begun 2026.11.17".
pub(super) fn title(waiting: &UnfinishedGame) -> String {
    let game = &waiting.game;
    let [white, black] = Color::ALL.map(|color| move_text::name(game, color));
    let variant = game.terms().variant().title();
    let number = game.position().fullmoves();
    let date = &waiting.date;
    format!("{white} - {black}, {variant}, move {number}, begun {date}")
}

/// The question which game to resume.
pub(super) fn question(waiting: &[UnfinishedGame]) -> String {
    match waiting {
        [one] => format!(
            "A game is unfinished: {}.\nGo on with it? yes, or Enter for a new game\n",
            title(one)
        ),
        several => {
            let lines = several.iter().zip(1..);
            let lines = lines.map(|(waiting, number)| format!("{number}  {}\n", title(waiting)));
            format!(
                "{} games are unfinished:\n{}Go on with which? Its number, or Enter for a new game\n",
                several.len(),
                lines.collect::<String>()
            )
        }
    }
}

/// The game that an answer names; `None` is a new game, an error is no answer.
pub(super) fn answer(line: &str, count: usize) -> Result<Option<usize>, String> {
    match line.trim().to_ascii_lowercase().as_str() {
        "" | "n" | "no" | "new" => Ok(None),
        "y" | "yes" if count == 1 => Ok(Some(0)),
        word => match word.parse::<usize>() {
            Ok(number) if (1..=count).contains(&number) => Ok(Some(number - 1)),
            _ if count == 1 => Err("Say yes, or nothing for a new game.".to_owned()),
            _ => Err(format!(
                "Say a number from 1 to {count}, or nothing for a new game."
            )),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_names_a_game_or_none() {
        assert_eq!(answer("", 3), Ok(None));
        assert_eq!(answer(" 3 ", 3), Ok(Some(2)));
        assert_eq!(answer("YES", 1), Ok(Some(0)));
        assert_eq!(answer("1", 1), Ok(Some(0)));
        for (line, count) in [("yes", 2), ("4", 3), ("0", 3), ("e4", 1)] {
            assert!(answer(line, count).is_err(), "{line} {count}");
        }
    }
}
