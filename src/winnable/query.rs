//! [`Query`]: one line of a file of positions, with its label if there is one. The position is not validated yet.

use anyhow::{Result, bail};
use touchmove_rules::Color;

/// A position to solve, and its label.
pub struct Query {
    /// A FEN of four or six fields.
    pub fen: String,
    white: Option<bool>,
    black: Option<bool>,
}

impl Query {
    /// A position without a label.
    pub fn unlabelled(fen: &str) -> Query {
        Query {
            fen: fen.into(),
            white: None,
            black: None,
        }
    }

    /// Parses a line: a label or none, a FEN of four or six fields, and anything after it. `None` for an empty line
    /// or a comment.
    pub fn read(line: &str) -> Option<Result<Query>> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(Query::of_words(&words))
    }

    fn of_words(words: &[&str]) -> Result<Query> {
        let Some(first) = words.iter().position(|word| word.contains('/')) else {
            bail!("there is no FEN");
        };
        let is_number = |word: Option<&&str>| word.is_some_and(|word| word.parse::<u32>().is_ok());
        let has_counters = is_number(words.get(first + 4)) && is_number(words.get(first + 5));
        let fields = if has_counters { 6 } else { 4 };
        let mut query = Query::unlabelled(&words[first..words.len().min(first + fields)].join(" "));
        match words[..first] {
            [] => {}
            ["winnable", side] => query.set(side.parse()?, true),
            ["unwinnable", side] | [side @ ("white" | "black")] => query.set(side.parse()?, false),
            [label] => match label.as_bytes() {
                [white @ (b'W' | b'-' | b'?'), black @ (b'B' | b'-' | b'?')] => {
                    query.white = (*white != b'?').then_some(*white == b'W');
                    query.black = (*black != b'?').then_some(*black == b'B');
                }
                _ => bail!(
                    "{label:?} is not a label: it is W, - or ? and then B, - or ?, or the side that cannot win"
                ),
            },
            _ => bail!("there is more than a label before the FEN"),
        }
        Ok(query)
    }

    fn set(&mut self, side: Color, winnable: bool) {
        match side {
            Color::White => self.white = Some(winnable),
            Color::Black => self.black = Some(winnable),
        }
    }

    /// Whether this side can win, if the label says so.
    pub fn expected(&self, side: Color) -> Option<bool> {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}
