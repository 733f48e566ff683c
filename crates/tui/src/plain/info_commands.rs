//! Answers about the position in words, without a board: what stands where, what moved, what can move. They change
//! nothing.

use touchmove_game::Game;
use touchmove_rules::{
    AnyPosition, Bitboard, CastlingSide, Color, File, MoveInputError, Rank, Role, Square,
};

use touchmove_game::move_text;

/// The legal moves of one piece or of all.
pub(super) fn moves(game: &Game, square: Option<Square>) -> String {
    if game.ending().is_some() {
        return "The game is over: there are no moves.".to_owned();
    }
    let position = game.position();
    let moves = match square {
        None => position.legal_moves(),
        Some(square) => position.moves_from(square),
    };
    let mut sans: Vec<String> = moves
        .iter()
        .map(|&mv| position.san(mv).to_string())
        .collect();
    sans.sort();
    let whose = match square.map(|square| (square, position.board().piece_at(square))) {
        None => game.turn().to_string(),
        Some((square, None)) => return format!("There is nothing on {square}."),
        Some((square, Some(piece))) if piece.color != game.turn() => {
            return format!(
                "The {piece} on {square} is not on move: {} is.",
                game.turn()
            );
        }
        Some((square, Some(piece))) => format!("The {piece} on {square}"),
    };
    match sans.len() {
        0 => format!("{whose} has no legal move."),
        1 => format!("{whose} has 1 legal move: {}", sans[0]),
        count => format!("{whose} has {count} legal moves: {}", sans.join(" ")),
    }
}

/// Why a move is legal or illegal: the verdict, then every condition that was tested.
pub(super) fn explain(game: &Game, text: &str) -> String {
    let position = game.position();
    let (verdict, wish) = match game.read_move(text) {
        Ok(mv) => (
            format!("{} is legal.", position.san(mv)),
            position.uci(mv).into(),
        ),
        Err(misread) => {
            let verdict = self::misread(game, text, &misread);
            match misread {
                MoveInputError::Illegal { wish, .. } => (verdict, wish),
                _ => return verdict,
            }
        }
    };
    let explanation = position.explain(&game.moves_played(), wish);
    let kind = explanation
        .kind()
        .map(|kind| format!("{kind}:\n"))
        .unwrap_or_default();
    let checks = explanation.checklist().iter().map(|check| {
        let answer = if check.holds() { "yes" } else { "no " };
        format!(
            "  {answer}  {} ({})\n",
            check.condition.text(),
            check.source
        )
    });
    format!("{verdict}\n{kind}{}", checks.collect::<String>())
}

/// Why a text is not a move, and what may have been meant.
pub(super) fn misread(game: &Game, text: &str, misread: &MoveInputError) -> String {
    let words = move_text::move_input_text(game.position(), text, misread);
    match misread {
        MoveInputError::Invalid { .. } => format!("{words} Type help for the commands."),
        _ => words,
    }
}

/// The last move.
pub(super) fn last(game: &Game) -> String {
    let Some((ply, earlier)) = game.plies().split_last() else {
        return "No move has been played.".to_owned();
    };
    let before = game
        .position_after(earlier.len())
        .unwrap_or(game.position());
    let mover = before.turn();
    let role = ply.mv.role();
    let mut text = match ply.mv.castling_side() {
        Some(CastlingSide::King) => {
            format!("{mover} played {}: castling on the king's side", ply.san)
        }
        Some(CastlingSide::Queen) => {
            format!("{mover} played {}: castling on the queen's side", ply.san)
        }
        None => format!(
            "{mover} played {}: the {role} from {} to {}",
            ply.san,
            ply.mv.from(),
            ply.mv.to()
        ),
    };
    let captured = ply
        .mv
        .captured_square()
        .and_then(|square| before.board().role_at(square));
    if let Some(captured) = captured {
        text += &format!(", taking a {captured}");
    }
    if let Some(promoted) = ply.mv.promotes_to() {
        text += &format!(", becoming a {promoted}");
    }
    if game.position().is_check() && game.ending().is_none() {
        text += ", check";
    }
    text.push('.');
    text
}

/// Where the pieces of a kind stand.
pub(super) fn whereabouts(game: &Game, color: Option<Color>, role: Role) -> String {
    let board = game.position().board();
    let lines = Color::ALL
        .into_iter()
        .filter(|&side| color.is_none_or(|color| color == side))
        .map(|side| {
            let squares = board.by_color_and_role(role.of(side));
            let places: Vec<String> = squares
                .into_iter()
                .map(|square| square.to_string())
                .collect();
            match places.len() {
                0 => format!("{side} has no {role}."),
                1 => format!("{side}'s {role} is on {}.", places[0]),
                _ => format!("{side}'s {role}s are on {}.", places.join(", ")),
            }
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// The pieces on a rank.
pub(super) fn rank(game: &Game, rank: Rank) -> String {
    line(game.position(), &format!("Rank {rank}"), rank.into())
}

/// The pieces on a file.
pub(super) fn file(game: &Game, file: File) -> String {
    line(game.position(), &format!("File {file}"), file.into())
}

fn line(position: &AnyPosition, name: &str, squares: Bitboard) -> String {
    let men: Vec<String> = squares
        .into_iter()
        .filter_map(|square| Some(format!("{square} {}", position.board().piece_at(square)?)))
        .collect();
    match men.is_empty() {
        true => format!("{name} is empty."),
        false => format!("{name}: {}.", men.join(", ")),
    }
}
