//! Whether the clocks in a journal are what the times in it add up to. The first move of a game costs
//! nothing; after it one of the clocks runs, apart from the stretches in which the arbiter held them.

use super::{Clock, Line, TOLERANCE_MILLIS};
use crate::record::Side;

struct Running {
    left: [i64; 2],
    /// Since when the clock of the player on move runs.
    since: Option<i64>,
    is_held: bool,
    turn: Side,
}

/// Everything that is wrong with the clocks.
pub(super) fn check(lines: &[Line], clock: Clock) -> Vec<String> {
    let (base, increment) = (signed(clock.base), signed(clock.increment));
    let mut wrong = Vec::new();
    let mut clocks = Running {
        left: [base; 2],
        since: None,
        is_held: false,
        turn: Side::White,
    };
    for line in lines {
        let at = signed(line.number("at").unwrap_or(0));
        let seq = line.number("seq").unwrap_or(0);
        let on_move = clocks.turn.index();
        let spent = clocks.since.map(|since| at - since);
        match line.word("event").unwrap_or_default() {
            "moved" => {
                let Some(by) = line.by() else { continue };
                let lag = signed(line.number("lag").unwrap_or(0));
                let before = clocks.left[by.index()];
                let expected = spent.map_or(before, |spent| before - spent + lag + increment);
                let shown = line.number("clock").map(signed);
                if shown.is_none_or(|shown| shown.abs_diff(expected) > TOLERANCE_MILLIS) {
                    wrong.push(format!(
                        "after event {seq} the clock of {by} should show {expected} ms, not {shown:?}"
                    ));
                }
                if clocks.is_held {
                    wrong.push(format!("event {seq} is a move while the clocks were held"));
                }
                clocks.left[by.index()] = shown.unwrap_or(expected);
                clocks.since = Some(at);
                clocks.turn = by.other();
            }
            "clocks_held" => {
                clocks.left[on_move] -= spent.unwrap_or(0);
                clocks.is_held = spent.is_some();
                clocks.since = None;
            }
            "clocks_released" if clocks.is_held => {
                clocks.is_held = false;
                clocks.since = Some(at);
            }
            "flag_fell" => {
                let left = clocks.left[on_move] - spent.unwrap_or(0);
                if left.unsigned_abs() > TOLERANCE_MILLIS {
                    let player = clocks.turn;
                    wrong.push(format!("the flag of {player} fell with {left} ms left"));
                }
            }
            _ => {}
        }
    }
    wrong
}

fn signed(milliseconds: u64) -> i64 {
    i64::try_from(milliseconds).unwrap_or(i64::MAX)
}
