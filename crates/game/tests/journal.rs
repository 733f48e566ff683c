//! Journals that tell of what cannot have happened are refused, with the line and the reason; what was
//! told before it is kept.

use touchmove_game::journal::{self, Torn};

const OPENING: &str = concat!(
    r#"{"event":"started","at":0,"variant":"chess","#,
    r#""start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","#,
    r#""white":"Anna","black":"Ben","draws":"auto","flag":"fide","dead":"exact","#,
    r#""time":"0:10","takebacks":true}"#,
);

fn replay(lines: &[&str]) -> Result<touchmove_game::Game, Torn> {
    journal::replay(&[&[OPENING], lines].concat().join("\n"))
}

#[test]
fn a_line_that_cannot_have_happened_is_named() {
    let e4 = r#"{"event":"moved","at":1000,"by":"white","move":"e2e4","san":"e4"}"#;
    let e5 = r#"{"event":"moved","at":2000,"by":"black","move":"e7e5","san":"e5"}"#;
    for (lines, says) in [
        (
            vec![e4, e4],
            "line 3 of the journal tells of something that the laws refuse: it is not White's turn",
        ),
        (
            vec![e4, "{\"event\":\"mo"],
            "line 3 of the journal cannot be read: EOF",
        ),
        (
            vec![e4, "junk"],
            "line 3 of the journal cannot be read: expected value",
        ),
        (
            vec![OPENING],
            "line 2 of the journal begins the game a second time",
        ),
        (
            vec![r#"{"event":"moved","at":1,"by":"white","move":"e2e5","san":"e5"}"#],
            "line 2 of the journal tells of something that the laws refuse: the pawn on e2",
        ),
        (
            vec![r#"{"event":"moved","at":1,"by":"white","move":"e2e4","san":"d4"}"#],
            "line 2 of the journal tells of something that did not follow",
        ),
        (
            vec![
                e4,
                r#"{"event":"moved","at":999,"by":"black","move":"e7e5","san":"e5"}"#,
            ],
            "line 3 of the journal goes back in time",
        ),
        (
            vec![r#"{"event":"moved","at":10000,"by":"white","move":"e2e4","san":"e4"}"#],
            "the laws refuse: too late: White's flag fell",
        ),
        (
            vec![
                e4,
                r#"{"event":"ended","at":1000,"status":"checkmate","winner":"white","result":"1-0"}"#,
            ],
            "did not follow: the game did not end by checkmate",
        ),
        (
            vec![
                e4,
                r#"{"event":"ended","at":9000,"status":"flag_fall","winner":"white","result":"1-0"}"#,
            ],
            "did not follow",
        ),
        (
            vec![
                e4,
                e5,
                r#"{"event":"ended","at":2000,"status":"agreement","winner":null,"result":"1/2-1/2"}"#,
            ],
            "the laws refuse: Black has not offered a draw",
        ),
        (
            vec![r#"{"event":"taken_back","at":0,"plies":1}"#],
            "has not asked to take back",
        ),
        (
            vec![r#"{"event":"takeback_withdrawn","at":0,"by":"white"}"#],
            "did not follow",
        ),
    ] {
        let torn = replay(&lines).expect_err(says);
        let said = torn.to_string();
        assert!(said.contains(says), "{said}");
        let game = torn.game.expect("the game had begun");
        assert_eq!(game.plies().len(), torn.line - 2, "{said}");
    }
}

#[test]
fn a_journal_without_an_opening_tells_no_game() {
    for text in [
        "",
        "\n\n",
        r#"{"event":"draw_offered","at":0,"by":"white"}"#,
    ] {
        let torn = journal::replay(text).unwrap_err();
        assert_eq!(
            torn.to_string(),
            "line 1 of the journal should tell how the game began"
        );
        assert_eq!(torn.game, None);
    }
    let terms = OPENING.replace("\"0:10\"", "\"soon\"");
    let said = journal::replay(&terms).unwrap_err().to_string();
    assert!(
        said.contains("gives terms that do not hold: \"soon\" is not a time control"),
        "{said}"
    );
}

#[test]
fn a_journal_cut_after_the_mating_move_still_ends_its_game() {
    let moves = [
        ("f2f3", "f3"),
        ("e7e5", "e5"),
        ("g2g4", "g4"),
        ("d8h4", "Qh4#"),
    ];
    let lines: Vec<String> = moves
        .iter()
        .zip(["white", "black", "white", "black"])
        .map(|((uci, san), by)| {
            format!(r#"{{"event":"moved","at":0,"by":"{by}","move":"{uci}","san":"{san}"}}"#)
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let game = replay(&lines).unwrap();
    assert_eq!(
        game.ending().map(|ending| ending.status()),
        Some("checkmate")
    );
}
