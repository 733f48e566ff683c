//! Sentences about moves and pieces that all frontends share: typing mistakes, suggestions, explosions,
//! losses. The law book says why a move is illegal; [`explain`](crate::explain) says how a game stands.

use touchmove_rules::{
    AnyPosition, Board, ByColor, Color, Illegal, Move, MoveInputError, Role, Square,
};

use crate::Game;

/// Capitalises a message and adds a full stop unless it ends with a punctuation mark.
///
/// ```
/// use touchmove_game::move_text::sentence;
/// assert_eq!(sentence("the king is in check"), "The king is in check.");
/// assert_eq!(sentence("Really?"), "Really?");
/// ```
#[must_use]
pub fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(char::to_uppercase);
    let end = if message.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    first
        .into_iter()
        .flatten()
        .chain(letters)
        .chain(end.chars())
        .collect()
}

/// Whether the text may be a typing mistake. A player who moves a pinned piece has meant to.
const fn is_slip(misread: &MoveInputError) -> bool {
    match misread {
        MoveInputError::Invalid { .. }
        | MoveInputError::NoSuchMan { .. }
        | MoveInputError::NoneGoesThere { .. }
        | MoveInputError::NoSuchCapture { .. } => true,
        MoveInputError::Ambiguous { .. } | MoveInputError::PromotionMissing { .. } => false,
        MoveInputError::Illegal { reason, .. } => matches!(
            reason,
            Illegal::NoPiece { .. } | Illegal::NotYourPiece { .. } | Illegal::WrongWay { .. }
        ),
    }
}

/// Moves in SAN that are similar to a text that is not a move.
///
/// ```
/// use touchmove_game::move_text::similar_moves;
/// use touchmove_rules::{AnyPosition, Variant};
///
/// let start = AnyPosition::start(Variant::Chess);
/// let misread = start.read_input_after(&[], "Nf4").unwrap_err();
/// assert!(similar_moves(&start, "Nf4", &misread).contains(&"Nf3".to_owned()));
/// ```
#[must_use]
pub fn similar_moves(position: &AnyPosition, text: &str, misread: &MoveInputError) -> Vec<String> {
    let near = match is_slip(misread) {
        true => position.did_you_mean(text),
        false => Vec::new(),
    };
    near.iter()
        .map(|&mv| position.san(mv).to_string())
        .collect()
}

/// Why a typed text is not a legal move, with suggestions.
#[must_use]
pub fn move_input_text(position: &AnyPosition, text: &str, misread: &MoveInputError) -> String {
    let why = sentence(&misread.to_string());
    match similar_moves(position, text, misread) {
        near if near.is_empty() => why,
        near => format!("{why} Did you mean {}?", near.join(" or ")),
    }
}

/// The player's name, or the colour if there is no name.
#[must_use]
pub fn name(game: &Game, color: Color) -> String {
    match game.seats()[color].name() {
        "" => color.to_string(),
        name => name.to_owned(),
    }
}

/// The pieces that a capture explodes, in words; `None` if nothing explodes.
#[must_use]
pub fn exploded_text(position: &AnyPosition, mv: Move) -> Option<String> {
    let board = position.board();
    let dead: Vec<String> = position
        .exploded_squares(mv)
        .into_iter()
        .filter_map(|square| Some(format!("{} {square}", board.role_at(square)?)))
        .collect();
    let (last, others) = dead.split_last()?;
    Some(match others {
        [] => last.clone(),
        others => format!("{} and {last}", others.join(", ")),
    })
}

/// A sentence about what this ply, counted from 1, exploded.
#[must_use]
pub fn explosion_losses(game: &Game, ply: usize) -> Option<String> {
    let played = game.plies().get(ply.checked_sub(1)?)?;
    let before = game.position_after(ply - 1)?;
    Some(format!(
        "{} blew up {}.",
        played.san,
        exploded_text(before, played.mv)?
    ))
}

/// The pieces that each side has lost in the first `plies` plies, captured or exploded.
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
        for square in before.exploded_squares(ply.mv) | taken {
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

/// Material balance in pawns: by how much White's pieces are worth more than Black's.
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
            .by_color(color)
            .into_iter()
            .filter_map(|square| board.role_at(square));
        men.map(worth).sum()
    };
    army(Color::White) - army(Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_becomes_a_sentence_once() {
        for (message, said) in [
            ("the king is in check", "The king is in check."),
            ("Done.", "Done."),
            ("really?", "Really?"),
            ("", "."),
        ] {
            assert_eq!(sentence(message), said);
        }
    }
}
