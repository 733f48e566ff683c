//! Statistics of games and their charts, compared letter by letter. The command line's tests cover where they
//! are printed.

use touchmove_pgn::{AuditReport, Batch, Chart, Stats, audit, charts_as_svg};

#[test]
fn bars_stand_below_each_other_as_long_as_their_counts() {
    let charts = [
        Chart {
            title: "Results",
            bars: vec![("1-0".to_owned(), 3), ("0-1".to_owned(), 1)],
        },
        Chart {
            title: "Openings",
            bars: vec![("<&>\"".to_owned(), 4)],
        },
    ];
    let bar = |name: &str, y: usize, length: &str, after: &str, count: &str| {
        let top = y - 13;
        format!(
            "<text x=\"182\" y=\"{y}\" text-anchor=\"end\">{name}</text>\
             <rect x=\"190\" y=\"{top}\" width=\"{length}\" height=\"16\" rx=\"2\" fill=\"#769656\"/>\
             <text x=\"{after}\" y=\"{y}\" fill=\"#555555\">{count}</text>\n"
        )
    };
    let title = |y: usize, name: &str| {
        format!("<text x=\"24\" y=\"{y}\" font-weight=\"bold\">{name}</text>\n")
    };
    let expected = [
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"214\" \
         viewBox=\"0 0 760 214\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"24\" y=\"36\" font-size=\"20\" font-weight=\"bold\">a &amp; b</text>\n"
            .to_owned(),
        title(82, "Results"),
        bar("1-0", 104, "420.0", "618.0", "3 (75.0%)"),
        bar("0-1", 126, "140.0", "338.0", "1 (25.0%)"),
        title(170, "Openings"),
        bar("&lt;&amp;&gt;&quot;", 192, "420.0", "618.0", "4 (100.0%)"),
        "</svg>\n".to_owned(),
    ]
    .concat();
    assert_eq!(charts_as_svg("a & b", &charts), expected);
}

const DRAWN: &str = "\
Results
\x20 1-0      1   25.0%  ██
\x20 0-1      2   50.0%  ████
\x20 1/2-1/2  0    0.0%
\x20 *        1   25.0%  ██
Endings
\x20 resignation  2   50.0%  ████
\x20 checkmate    1   25.0%  ██
\x20 unfinished   1   25.0%  ██
Lengths in moves
\x20 0-9  4  100.0%  ████
First moves
\x20 e4  3   75.0%  ████
\x20 f3  1   25.0%  █▍
Openings
\x20 1. e4 e5  2   50.0%  ████
\x20 1. e4 c5  1   25.0%  ██
\x20 1. f3 e5  1   25.0%  ██
";

#[test]
fn games_are_counted_by_result_ending_length_and_opening() {
    let text = "1. e4 c5 2. Nf3 1-0\n\n1. e4 e5 0-1\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 *\n";
    let batch = Batch {
        text: text.as_bytes().to_vec(),
        offset: 0,
        line: 1,
    };
    let mut report = AuditReport::with_records();
    audit(&batch, &mut report);
    let mut stats = Stats::default();
    report.records.iter().for_each(|record| stats.take(record));
    assert_eq!((stats.games, stats.plies, stats.longest), (4, 11, 4));
    let drawn: Vec<String> = stats.charts().iter().map(|chart| chart.text(4)).collect();
    assert_eq!(drawn.concat(), DRAWN);
}
