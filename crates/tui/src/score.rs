//! What is written down about a game: PGN for files and the clipboard, file names, and the dead of a
//! blast in words. The score sheet itself is the game's.

use touchmove_game::{Game, scoresheet};
use touchmove_rules::{AnyPosition, Board, ByColor, Color, Move, Role, Square};

/// The game as PGN, with its date and the last words about it.
#[must_use]
pub fn pgn(game: &Game, last_words: Option<&str>, date: &str) -> String {
    let mut document = scoresheet::document_with(game, last_words);
    // "Date" is a tag name.
    let _ = document.tags.set("Date", date);
    document.to_string()
}

/// The player's name, or else the colour.
#[must_use]
pub fn name(game: &Game, color: Color) -> String {
    match game.players()[color].as_str() {
        "" => color.to_string(),
        name => name.to_owned(),
    }
}

/// A name for the file of a game, without extension: `2026-11-15-Anna-Ben`.
#[must_use]
pub fn file_name(game: &Game, date: &str) -> String {
    let [white, black] = Color::ALL.map(|color| name(game, color));
    [date, &white, &black]
        .map(|part| {
            let plain = part
                .chars()
                .map(|c| if c.is_alphanumeric() { c } else { '-' });
            plain.take(40).collect::<String>()
        })
        .join("-")
}

/// The men that a capture blows up, in words; `None` if nothing explodes.
#[must_use]
pub fn casualties(position: &AnyPosition, mv: Move) -> Option<String> {
    let board = position.board();
    let dead: Vec<String> = position
        .casualties(mv)
        .into_iter()
        .filter_map(|square| Some(format!("{} {square}", board.role_at(square)?)))
        .collect();
    let (last, others) = dead.split_last()?;
    Some(match others {
        [] => last.clone(),
        others => format!("{} and {last}", others.join(", ")),
    })
}

/// What the ply with this number, counted from 1, blew up, in a sentence.
#[must_use]
pub fn toll(game: &Game, ply: usize) -> Option<String> {
    let played = game.plies().get(ply.checked_sub(1)?)?;
    let before = game.position_after(ply - 1)?;
    Some(format!(
        "{} blew up {}.",
        played.san,
        casualties(before, played.mv)?
    ))
}

/// The men that each side has lost in the first `plies` plies, captured or blown up.
#[must_use]
pub fn losses(game: &Game, plies: usize) -> ByColor<Vec<Role>> {
    let mut losses: ByColor<Vec<Role>> = ByColor::default();
    for (at, ply) in game.plies().iter().take(plies).enumerate() {
        let Some(before) = game.position_after(at) else {
            continue;
        };
        let taken = ply
            .mv
            .captured_square()
            .map(Square::set)
            .unwrap_or_default();
        for square in before.casualties(ply.mv) | taken {
            if let Some(piece) = before.board().piece_at(square) {
                losses[piece.color].push(piece.role);
            }
        }
    }
    losses.map(|mut roles| {
        roles.sort_by(|a, b| b.cmp(a));
        roles
    })
}

/// By how many pawns White's men on the board are worth more than Black's, as players count.
#[must_use]
pub fn balance(board: &Board) -> i32 {
    let worth = |role: Role| match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    };
    let army = |color: Color| -> i32 {
        let men = board
            .of(color)
            .into_iter()
            .filter_map(|square| board.role_at(square));
        men.map(worth).sum()
    };
    army(Color::White) - army(Color::Black)
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
