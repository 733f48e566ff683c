//! Bar charts of counts: text for the terminal, SVG for files. The counting is done elsewhere.

use std::fmt::Write;

use crate::result::GameResult;
use crate::stats::Stats;

/// One chart: a title and named counts.
///
/// ```
/// use touchmove_pgn::{Chart, charts_as_svg};
///
/// let chart = Chart { title: "Results", bars: vec![("1-0".to_owned(), 3), ("0-1".to_owned(), 1)] };
/// assert!(charts_as_svg("my games", &[chart]).contains("Results"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chart {
    /// What is counted.
    pub title: &'static str,
    /// The name and count of each bar.
    pub bars: Vec<(String, u64)>,
}

impl Stats {
    /// The charts of these statistics, for the terminal and for files.
    #[must_use]
    pub fn charts(&self) -> Vec<Chart> {
        let results = GameResult::ALL.iter().zip(self.results);
        let results = results
            .map(|(result, count)| (result.to_string(), count))
            .collect();
        let charts = [
            Chart {
                title: "Results",
                bars: results,
            },
            Chart {
                title: "Endings",
                bars: self.most_ended(),
            },
            Chart {
                title: "Lengths in moves",
                bars: self.length_bars(),
            },
            Chart {
                title: "First moves",
                bars: self.most_played(8),
            },
            Chart {
                title: "Openings",
                bars: self.most_answered(10),
            },
        ];
        charts
            .into_iter()
            .filter(|chart| !chart.bars.is_empty())
            .collect()
    }
}

impl Chart {
    fn total(&self) -> u64 {
        self.bars.iter().map(|(_, count)| count).sum::<u64>().max(1)
    }

    fn largest(&self) -> u64 {
        self.bars
            .iter()
            .map(|&(_, count)| count)
            .max()
            .unwrap_or(0)
            .max(1)
    }

    /// The chart in lines of text, with bars of at most `width` columns.
    ///
    /// ```
    /// use touchmove_pgn::Chart;
    /// let chart = Chart { title: "Results", bars: vec![("1-0".into(), 3), ("0-1".into(), 1)] };
    /// assert_eq!(chart.text(6), "Results\n  1-0  3   75.0%  ██████\n  0-1  1   25.0%  ██\n");
    /// ```
    #[must_use]
    pub fn text(&self, width: usize) -> String {
        const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        let names = self
            .bars
            .iter()
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or(0);
        let digits = self.largest().to_string().len();
        let mut text = format!("{}\n", self.title);
        for (name, count) in &self.bars {
            let eighths =
                (*count as f64 / self.largest() as f64 * width as f64 * 8.0).round() as usize;
            let bar = "█".repeat(eighths / 8) + EIGHTHS[eighths % 8];
            let share = *count as f64 / self.total() as f64 * 100.0;
            let line = format!("  {name:names$}  {count:>digits$}  {share:>5.1}%  {bar}");
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

const ROW_HEIGHT: usize = 22;
const NAME_COLUMN_WIDTH: usize = 190;
const BAR_COLUMN_WIDTH: usize = 420;
const CHART_WIDTH: usize = 760;

/// The charts as one SVG document.
///
/// ```
/// use touchmove_pgn::{Chart, charts_as_svg};
/// let chart = Chart { title: "Results", bars: vec![("1-0".into(), 3)] };
/// let svg = charts_as_svg("my games", &[chart]);
/// assert!(svg.starts_with("<svg") && svg.contains("my games") && svg.ends_with("</svg>\n"));
/// ```
#[must_use]
pub fn charts_as_svg(heading: &str, charts: &[Chart]) -> String {
    let rows: usize = charts.iter().map(|chart| chart.bars.len() + 2).sum();
    let height = 60 + rows * ROW_HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{CHART_WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {CHART_WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"24\" y=\"36\" font-size=\"20\" font-weight=\"bold\">{}</text>\n",
        escape(heading)
    );
    let mut y = 60;
    for chart in charts {
        y += ROW_HEIGHT;
        put(
            &mut svg,
            format_args!(
                "<text x=\"24\" y=\"{y}\" font-weight=\"bold\">{}</text>\n",
                chart.title
            ),
        );
        for (name, count) in &chart.bars {
            y += ROW_HEIGHT;
            draw_bar(&mut svg, chart, name, *count, y);
        }
        y += ROW_HEIGHT;
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_bar(svg: &mut String, chart: &Chart, name: &str, count: u64, y: usize) {
    let length = count as f64 / chart.largest() as f64 * BAR_COLUMN_WIDTH as f64;
    let share = count as f64 / chart.total() as f64 * 100.0;
    let (top, after) = (y - 13, NAME_COLUMN_WIDTH as f64 + length + 8.0);
    put(
        svg,
        format_args!(
            "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{}</text>\
         <rect x=\"{NAME_COLUMN_WIDTH}\" y=\"{top}\" width=\"{length:.1}\" height=\"16\" rx=\"2\" fill=\"#769656\"/>\
         <text x=\"{after:.1}\" y=\"{y}\" fill=\"#555555\">{count} ({share:.1}%)</text>\n",
            NAME_COLUMN_WIDTH - 8,
            escape(name)
        ),
    );
}

/// Appends text; a string takes everything.
fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = svg.write_fmt(text);
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
