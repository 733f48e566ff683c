//! The UCI command `go`: parses its limits, and computes the time for one move. Searches nothing.

use std::str::SplitWhitespace;
use std::time::Duration;

use touchmove_engine::Limits;
use touchmove_rules::{AnyPosition, ByColor, Color, Move};

use crate::uci::shorten;

/// A parsed `go` command.
#[derive(Default)]
pub struct Go {
    depth: Option<u32>,
    nodes: Option<u64>,
    mate: Option<u32>,
    move_time: Option<u64>,
    /// The remaining time on the clocks and the increments, in milliseconds.
    time: ByColor<Option<i64>>,
    increment: ByColor<i64>,
    moves_to_go: Option<i64>,
    pub is_infinite: bool,
    pub is_pondering: bool,
    only: Vec<Move>,
}

/// The time for one move: no new iteration after `usual`, and never longer than `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    pub usual: Duration,
    pub most: Duration,
}

impl Go {
    /// Parses the words after `go`; returns errors about faulty ones, which are ignored.
    pub fn read(words: SplitWhitespace<'_>, position: &AnyPosition) -> (Go, Vec<String>) {
        let mut go = Go::default();
        let mut problems = Vec::new();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.is_infinite = true,
                "ponder" => go.is_pondering = true,
                "searchmoves" => {
                    while let Some(text) = words.peek() {
                        let Ok(mv) = position.read_uci(text) else {
                            break;
                        };
                        go.only.push(mv);
                        words.next();
                    }
                }
                "depth" | "nodes" | "mate" | "movetime" | "wtime" | "btime" | "winc" | "binc"
                | "movestogo" => {
                    // A missing number must not consume the next word.
                    let number = words.next_if(|text| text.parse::<f64>().is_ok());
                    match number.and_then(|text| text.parse::<i64>().ok()) {
                        Some(number) => go.set(word, number),
                        None => problems.push(format!("{word} needs a number and is left out")),
                    }
                }
                _ => problems.push(format!(
                    "{:?} is left out: it is no limit, and no legal move here",
                    shorten(word)
                )),
            }
        }
        (go, problems)
    }

    fn set(&mut self, word: &str, number: i64) {
        let count = u64::try_from(number).unwrap_or(0);
        let small = Some(u32::try_from(count).unwrap_or(u32::MAX));
        match word {
            "depth" => self.depth = small,
            "nodes" => self.nodes = Some(count),
            "mate" => self.mate = small,
            "movetime" => self.move_time = Some(count),
            "wtime" => self.time[Color::White] = Some(number),
            "btime" => self.time[Color::Black] = Some(number),
            "winc" => self.increment[Color::White] = number,
            "binc" => self.increment[Color::Black] = number,
            _ => self.moves_to_go = Some(number),
        }
    }

    /// Whether there is a limit other than time.
    pub const fn has_limit(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.mate.is_some()
    }

    /// The limits other than time.
    pub fn limits(&self, lines: usize) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            lines,
            only: self.only.clone(),
            blindness: None,
        }
    }

    /// The time for this move, if there is a clock.
    pub fn budget(&self, us: Color, overhead: u64) -> Option<TimeBudget> {
        if self.is_infinite {
            return None;
        }
        if let Some(time) = self.move_time {
            let time = Duration::from_millis(time.saturating_sub(overhead).max(1));
            return Some(TimeBudget {
                usual: time,
                most: time,
            });
        }
        let left = u64::try_from(self.time[us]?).unwrap_or(0);
        let left = left.saturating_sub(overhead).max(1);
        let increment = u64::try_from(self.increment[us]).unwrap_or(0);
        let moves = u64::try_from(self.moves_to_go.unwrap_or(28))
            .unwrap_or(1)
            .clamp(1, 28);
        // The last move before a time control may use nearly all, any other at most a third.
        let most = if moves == 1 { left * 9 / 10 } else { left / 3 };
        let share = left / moves + increment * 3 / 4;
        Some(TimeBudget {
            usual: Duration::from_millis((share * 6 / 10).min(most).max(1)),
            most: Duration::from_millis((share * 3).min(most).max(1)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_rules::Variant;

    fn read(text: &str) -> (Go, Vec<String>) {
        Go::read(text.split_whitespace(), &AnyPosition::start(Variant::Chess))
    }

    #[test]
    fn a_budget_never_takes_more_than_the_clock_has() {
        for left in [-5, 0, 1, 40, 1000, 60_000, i64::MAX / 8] {
            for rest in ["", "winc 5000", "movestogo 1", "winc -3 movestogo 0"] {
                let (go, problems) = read(&format!("wtime {left} btime 1 {rest}"));
                assert!(problems.is_empty());
                let budget = go.budget(Color::White, 30).unwrap();
                let most = u64::try_from(left.max(1)).unwrap();
                assert!(budget.most <= Duration::from_millis(most), "{left} {rest}");
                assert!(budget.usual <= budget.most);
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_and_the_rest_is_read() {
        let (go, problems) = read("depth nodes 100 junk searchmoves e2e4 d2d4 e2e5");
        assert_eq!((go.depth, go.nodes, go.only.len()), (None, Some(100), 2));
        assert_eq!(problems.len(), 3);
    }

    #[test]
    fn huge_numbers_are_read_as_huge() {
        let (go, _) = read("nodes 9223372036854775807 depth 4000000000000");
        assert_eq!(
            (go.nodes, go.depth),
            (Some(i64::MAX as u64), Some(u32::MAX))
        );
        assert!(go.budget(Color::White, 0).is_none());
    }
}
