//! The limits of a search (`go`), and its result.

use std::fmt;

use touchmove_rules::Move;

/// The limits for one move. Engines that limit their strength by Elo should get nodes or time and no depth: some never
/// answer otherwise.
///
/// ```
/// use touchmove_uci_client::GoLimits;
///
/// assert_eq!(GoLimits::nodes(5000).to_string(), "nodes 5000");
/// assert_eq!(GoLimits { depth: Some(4), ..GoLimits::millis(50) }.to_string(), "depth 4 movetime 50");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoLimits {
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The time for this move in milliseconds.
    pub millis: Option<u64>,
}

impl GoLimits {
    /// A limit of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> GoLimits {
        GoLimits {
            nodes: Some(nodes),
            ..GoLimits::default()
        }
    }

    /// A limit of milliseconds.
    #[must_use]
    pub fn millis(millis: u64) -> GoLimits {
        GoLimits {
            millis: Some(millis),
            ..GoLimits::default()
        }
    }
}

impl fmt::Display for GoLimits {
    /// The arguments of `go`; `infinite` if there is no limit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let nodes = self.nodes.map(|nodes| format!("nodes {nodes}"));
        let millis = self.millis.map(|millis| format!("movetime {millis}"));
        let parts: Vec<String> = [depth, nodes, millis].into_iter().flatten().collect();
        match parts.is_empty() {
            true => f.write_str("infinite"),
            false => f.write_str(&parts.join(" ")),
        }
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UciBestMove {
    /// Its move, which is legal.
    pub best: Move,
    /// The score for the side on move, if the engine has sent one.
    pub judgement: Option<UciScore>,
    /// How many nodes the engine says it has searched.
    pub nodes: Option<u64>,
}

/// An engine's score of a position, for the side on move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UciScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves of the side on move, or if negative of the opponent.
    Mate(i32),
}

/// Reads score and nodes from an `info` line about the first line of play.
pub(crate) fn read_info(line: &str, judgement: &mut Option<UciScore>, nodes: &mut Option<u64>) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |key: &str| {
        let index = words.iter().position(|&word| word == key)?;
        words.get(index + 1..)
    };
    let first = |key| after(key).and_then(|rest: &[&str]| rest.first().copied());
    if words.first() != Some(&"info") || words.get(1) == Some(&"string") {
        return;
    }
    if first("multipv").is_some_and(|number| number != "1") {
        return;
    }
    if let Some(count) = first("nodes").and_then(|word| word.parse().ok()) {
        *nodes = Some(count);
    }
    if let Some([unit, value, ..]) = after("score")
        && let Ok(value) = value.parse()
    {
        match *unit {
            "cp" => *judgement = Some(UciScore::Centipawns(value)),
            "mate" => *judgement = Some(UciScore::Mate(value)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_play_is_what_counts() {
        let (mut judgement, mut nodes) = (None, None);
        for line in [
            "info depth 3 score cp -12 lowerbound nodes 77 pv e2e4",
            "info depth 3 multipv 2 score cp 900 nodes 99",
            "info string score cp 5 nodes 1",
            "info score mate",
            "bestmove e2e4",
        ] {
            read_info(line, &mut judgement, &mut nodes);
        }
        assert_eq!(
            (judgement, nodes),
            (Some(UciScore::Centipawns(-12)), Some(77))
        );
        read_info("info score mate -3", &mut judgement, &mut nodes);
        assert_eq!(judgement, Some(UciScore::Mate(-3)));
    }
}
