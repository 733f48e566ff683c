//! Selecting and moving pieces, by keys or by the mouse.

use touchmove_game::Timestamp;
use touchmove_rules::{Role, Square, UciMove};

use crate::screen::game_screen::{Dialog, GameScreen, Tone};
use crate::screen::message::Effect;
use crate::screen::update::game;
use touchmove_game::Intent;

/// Handles a touched square: selects, deselects or moves a piece.
pub(super) fn touch(
    table: &mut GameScreen,
    now: Timestamp,
    animation: bool,
    square: Square,
) -> Vec<Effect> {
    let position = *table.game.position();
    let is_own = position.board().color_at(square) == Some(position.turn());
    if !table.is_playable() {
        return refuse_touch(table);
    }
    match table.hand {
        Some(hand) if hand == square => {
            table.clear_transient();
            vec![Effect::Draw]
        }
        Some(hand) if !is_own || position.find_uci(UciMove::new(hand, square)).is_some() => {
            attempt(table, now, animation, UciMove::new(hand, square))
        }
        _ if is_own => {
            table.clear_transient();
            table.hand = Some(square);
            table.cursor = square;
            if position.moves_from(square).is_empty() {
                let role = position.board().role_at(square).map_or("man", Role::name);
                table.set_notice(
                    Tone::Plain,
                    format!("The {role} on {square} has no legal move."),
                );
            }
            vec![Effect::Draw]
        }
        _ => {
            table.clear_transient();
            table.cursor = square;
            let turn = position.turn();
            let text = match position.board().piece_at(square) {
                Some(piece) => {
                    format!("The {piece} on {square} is not {turn}'s; {turn} is to move.")
                }
                None => format!("There is no man on {square} to take in hand."),
            };
            table.set_notice(Tone::Plain, text);
            vec![Effect::Draw]
        }
    }
}

/// Says why nothing can be moved now.
fn refuse_touch(table: &mut GameScreen) -> Vec<Effect> {
    if table.study.is_some() {
        table.set_notice(Tone::Plain, game::STUDY_ONLY_TEXT);
    } else if table.shown.is_some() {
        table.set_notice(
            Tone::Plain,
            "The board shows an earlier position; End goes back to the game.",
        );
    } else if table.is_current() && !table.is_played() {
        table.set_notice(Tone::Plain, "You watch this game: only its players move.");
    } else {
        let moving = table
            .live
            .as_ref()
            .and_then(|live| live.sending(&table.game));
        table.set_notice(Tone::Plain, moving.unwrap_or_else(|| table.standing()));
    }
    vec![Effect::Draw]
}

/// Makes a move if it is legal; asks for the promotion of a pawn.
pub(super) fn attempt(
    table: &mut GameScreen,
    now: Timestamp,
    animation: bool,
    attempt: UciMove,
) -> Vec<Effect> {
    let position = table.game.position();
    let lacks_choice = attempt.promotion.is_none()
        && position.find_uci(attempt).is_none()
        && position.find_uci(attempt.promoting(Role::Queen)).is_some();
    if lacks_choice && table.is_playable() {
        table.clear_transient();
        table.line.clear();
        table.dialog = Some(Dialog::Promotion { attempt, choice: 0 });
        return vec![Effect::Draw];
    }
    game::submit(table, now, animation, Intent::Move(attempt))
}

/// Selects the next piece that can move, in reading order.
pub(super) fn cycle(table: &mut GameScreen, forward: bool) -> Vec<Effect> {
    let mut squares: Vec<Square> = table.movable().into_iter().collect();
    if squares.is_empty() {
        return refuse_touch(table);
    }
    if !forward {
        squares.reverse();
    }
    let from = table.hand.unwrap_or(table.cursor);
    let is_after = |square: &&Square| match forward {
        true => **square > from,
        false => **square < from,
    };
    let next = *squares.iter().find(is_after).unwrap_or(&squares[0]);
    table.clear_transient();
    table.cursor = next;
    table.hover = None;
    table.hand = Some(next);
    vec![Effect::Draw]
}
