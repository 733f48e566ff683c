//! A review as lines of text: the accuracy of both players, a graph of the win chances, and the turning points.

use touchmove_coach::Review;
use touchmove_rules::{ByColor, Color};

/// All of a review, line by line. The graph is `columns` wide.
#[must_use]
pub fn review_text(
    review: &Review,
    names: &ByColor<String>,
    columns: usize,
    ascii: bool,
) -> Vec<String> {
    let mut lines = Vec::new();
    if !review.is_complete {
        let plies = review.plies.len();
        let plural = if plies == 1 { "ply" } else { "plies" };
        lines.push(format!("The review was broken off after {plies} {plural}."));
    }
    let width = names.white.chars().count().max(names.black.chars().count());
    for side in Color::ALL {
        lines.extend(summary(review, side, &names[side], width));
    }
    if review.judged.len() > 1 {
        lines.push(String::new());
        lines.extend(graph(review, columns, ascii));
    }
    lines.push(String::new());
    match &review.turnings[..] {
        [] if review.is_complete => lines.push("The game never turned at one move.".to_owned()),
        [] => {}
        turnings => {
            for (number, turning) in (1..).zip(turnings) {
                lines.push(format!("{number}) {}", turning.text));
            }
        }
    }
    lines
}

/// A player's accuracy; `None` if they have not moved.
fn summary(review: &Review, side: Color, name: &str, width: usize) -> Option<String> {
    let accuracy = review.accuracy[side]?;
    let [inaccuracies, mistakes, blunders] = review.slips(side);
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    Some(format!(
        "{name:<width$}  accuracy {accuracy:.0} %  {}, {}, {}",
        counted(inaccuracies, "inaccuracy", "inaccuracies"),
        counted(mistakes, "mistake", "mistakes"),
        counted(blunders, "blunder", "blunders"),
    ))
}

/// The rows of the graph.
const GRAPH_ROWS: usize = 5;

/// White's win chance over the game, as rows of blocks filled from below.
#[must_use]
pub fn graph(review: &Review, columns: usize, ascii: bool) -> Vec<String> {
    let blocks: &[char] = match ascii {
        true => &[' ', '.', ':', '#'],
        false => &[' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    };
    let steps = blocks.len() - 1;
    let count = review.judged.len();
    let room = columns.saturating_sub(6).max(1);
    let shown = count.min(room);
    let heights: Vec<usize> = (0..shown)
        .map(|column| {
            let from = column * count / shown;
            let to = ((column + 1) * count / shown).max(from + 1);
            let part = &review.judged[from..to];
            let mean = part.iter().map(|it| it.chance).sum::<f64>() / part.len() as f64;
            (mean * (GRAPH_ROWS * steps) as f64).round() as usize
        })
        .collect();
    (0..GRAPH_ROWS)
        .rev()
        .map(|row| {
            let label = match row {
                _ if row + 1 == GRAPH_ROWS => "White ",
                0 => "Black ",
                _ => "      ",
            };
            let cell = |height: &usize| blocks[height.saturating_sub(row * steps).min(steps)];
            let line: String = heights.iter().map(cell).collect();
            format!("{label}{line}").trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchmove_coach::{PositionScore, review};
    use touchmove_engine::{NoObserver, Score};
    use touchmove_rules::{AnyPosition, Variant};

    fn judged(chances: &[f64]) -> Review {
        let judged = chances.iter().map(|&chance| PositionScore {
            score: Score::Centipawns(0),
            chance,
        });
        Review {
            judged: judged.collect(),
            ..Review::default()
        }
    }

    #[test]
    fn the_graph_fills_as_whites_chances_rise() {
        let lines = graph(&judged(&[0.0, 0.5, 1.0]), 40, true);
        assert_eq!(lines.len(), GRAPH_ROWS);
        assert_eq!(lines[0], "White   #");
        assert_eq!(lines[4], "Black  ##");
        let long = judged(&vec![0.5; 500]);
        assert!(
            graph(&long, 60, false)
                .iter()
                .all(|line| line.chars().count() <= 60)
        );
    }

    #[test]
    fn the_story_names_players_and_what_was_better() {
        let start = AnyPosition::start(Variant::Chess);
        let mut position = start;
        let read = |san: &str| {
            let mv = position.read_san(san).unwrap();
            position.play(mv);
            mv
        };
        let moves: Vec<_> = ["f3", "e5", "g4", "Qh4#"].into_iter().map(read).collect();
        let found = review(&start, &moves, 1000, &mut NoObserver, &mut |_, _| {});
        let names = ByColor {
            white: "Anna".to_owned(),
            black: "Benjamin".to_owned(),
        };
        let lines = review_text(&found, &names, 60, false).join("\n");
        assert!(lines.contains("Anna      accuracy "), "{lines}");
        assert!(lines.contains("Benjamin  accuracy "), "{lines}");
        assert!(lines.contains("2. g4: White "), "{lines}");
    }
}
