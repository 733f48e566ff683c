//! Pasted text: a path, a position or a name on the start screen, moves on the game screen.

use touchmove_game::Timestamp;

use crate::screen::game_screen::{GameScreen, Tone};
use crate::screen::message::Effect;
use crate::screen::model::{ActiveScreen, Model};
use crate::screen::update::{game, start};
use touchmove_game::Intent;
use touchmove_game::move_text::sentence;

/// The longest line that is accepted: more than any FEN or sensible path.
const MAX_PASTE_LINE_CHARS: usize = 400;

/// Handles pasted text.
pub(super) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let (now, animation) = (model.now, model.look.animation);
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    let first: String = first
        .unwrap_or_default()
        .chars()
        .take(MAX_PASTE_LINE_CHARS)
        .collect();
    match &mut model.scene {
        ActiveScreen::Start(form) => start::paste(form, &first),
        ActiveScreen::Contents(contents) => contents.look_for(&first),
        ActiveScreen::Table(table) if !table.is_playable() || table.dialog.is_some() => {
            return Vec::new();
        }
        ActiveScreen::Table(table) => {
            if first
                .split(' ')
                .next()
                .unwrap_or_default()
                .matches('/')
                .count()
                == 7
            {
                let words = "That is a position: paste it at the start screen, in a new game.";
                table.set_notice(Tone::Plain, words);
                return vec![Effect::Draw];
            }
            if table.read(text.trim()).is_err() && moves(text).len() > 1 {
                return play(table, now, animation, text);
            }
            for letter in first.chars() {
                table.line.push(letter);
            }
        }
    }
    vec![Effect::Draw]
}

/// The moves of a text, without numbers, results and comments.
fn moves(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let is_inside = depth > 0 || word.starts_with(['{', '(']);
        depth += word.matches(['{', '(']).count();
        depth = depth.saturating_sub(word.matches(['}', ')']).count());
        let bare = match word.rsplit_once('.') {
            Some((number, bare)) if number.bytes().all(|b| b.is_ascii_digit() || b == b'.') => bare,
            _ => word,
        };
        let is_result = matches!(bare, "1-0" | "0-1" | "1/2-1/2" | "*" | "");
        if !is_inside && !is_result && !bare.starts_with('$') {
            moves.push(bare);
        }
    }
    moves
}

/// Plays several moves in order, as far as they are legal.
fn play(table: &mut GameScreen, now: Timestamp, animation: bool, text: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for word in moves(text) {
        match table.read(word) {
            Ok(mv) if table.is_playable() => {
                let meant = table.game.position().uci(mv);
                effects.extend(game::submit(table, now, animation, Intent::Move(meant)));
            }
            Ok(_) => break,
            Err(misread) => {
                table.set_notice(Tone::Alarm, sentence(&misread.to_string()));
                effects.push(Effect::Draw);
                break;
            }
        }
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_found_among_numbers_comments_and_results() {
        for (text, found) in [
            ("e4 e5 Nf3", vec!["e4", "e5", "Nf3"]),
            ("1. e4 e5 2. Nf3 *", vec!["e4", "e5", "Nf3"]),
            ("1.e4 e5 2.Nf3 1-0", vec!["e4", "e5", "Nf3"]),
            ("1...e5 {a comment (with) more} 2. f4", vec!["e5", "f4"]),
            ("e4 (d4 d5) e5 $1", vec!["e4", "e5"]),
            ("", vec![]),
        ] {
            assert_eq!(moves(text), found, "{text}");
        }
    }
}
