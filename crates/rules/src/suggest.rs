//! "Did you mean …?": the legal moves closest to what somebody typed, by edit distance. Parsing is elsewhere.

use crate::variant::Rules;
use crate::{Move, Position};

/// More suggestions would not help.
const MAX_SUGGESTIONS: usize = 3;

impl<R: Rules> Position<R> {
    /// The legal moves closest to a typed text, best first; empty if none is near.
    ///
    /// ```
    /// use touchmove_rules::{Chess, Position};
    ///
    /// let start = Position::<Chess>::start();
    /// let moves = start.did_you_mean("Ng3");
    /// let sans: Vec<_> = moves.iter().map(|&mv| start.san(mv).to_string()).collect();
    /// assert_eq!(sans, ["Nf3", "Nh3"]);
    /// assert!(start.did_you_mean("castle").is_empty());
    /// ```
    #[must_use]
    pub fn did_you_mean(&self, text: &str) -> Vec<Move> {
        let typed = letters(text);
        let tolerance = match typed.len() {
            0..=1 => return Vec::new(),
            2..=3 => EDIT_COST,
            4..=8 => 2 * EDIT_COST,
            _ => return Vec::new(),
        };
        let mut near: Vec<(usize, String, Move)> = Vec::new();
        self.for_each_legal_move(|mv| {
            let san = self.san_without_suffix(mv).to_string();
            let forms = [letters(&san), letters(&self.uci(mv).to_string())];
            let distance = forms.iter().map(|form| distance(&typed, form)).min();
            if let Some(distance) = distance.filter(|&distance| distance <= tolerance) {
                near.push((distance, san, mv));
            }
        });
        near.sort();
        let best = near.first().map_or(0, |&(distance, ..)| distance);
        let is_best = |(distance, ..): &(usize, String, Move)| *distance == best;
        let best = near.into_iter().filter(is_best).take(MAX_SUGGESTIONS);
        best.map(|(_, _, mv)| mv).collect()
    }
}

/// What is compared: letters and digits, in lower case, zeros as in castling.
fn letters(text: &str) -> Vec<u8> {
    let plain = text.bytes().filter(u8::is_ascii_alphanumeric);
    plain
        .map(|byte| match byte.to_ascii_lowercase() {
            b'0' => b'o',
            other => other,
        })
        .filter(|&byte| byte != b'x')
        .take(16)
        .collect()
}

/// A letter changed, added, left out or swapped with the next.
const EDIT_COST: usize = 2;
/// A file or rank changed to the one beside it.
const NEIGHBOUR_COST: usize = 1;

/// The weighted edit distance of two texts.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let width = other.len() + 1;
    let mut rows = vec![0; (one.len() + 1) * width];
    for row in 0..=one.len() {
        for column in 0..width {
            rows[row * width + column] = if row == 0 || column == 0 {
                (row + column) * EDIT_COST
            } else {
                let at = |up: usize, left: usize| rows[(row - up) * width + column - left];
                let (a, b) = (one[row - 1], other[column - 1]);
                let changed = match a.abs_diff(b) {
                    0 => 0,
                    1 => NEIGHBOUR_COST,
                    _ => EDIT_COST,
                };
                let mut best = (at(1, 0) + EDIT_COST)
                    .min(at(0, 1) + EDIT_COST)
                    .min(at(1, 1) + changed);
                let swapped = row > 1 && column > 1 && a == other[column - 2] && b == one[row - 2];
                if swapped {
                    best = best.min(at(2, 2) + EDIT_COST);
                }
                best
            };
        }
    }
    rows[one.len() * width + other.len()]
}
