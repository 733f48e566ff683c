//! Nothing is lost silently: a plain scan of the bytes counts what a game contains before it is read and
//! after it is written again. If the counts differ, there must be a finding.

use std::collections::BTreeMap;

use touchmove_pgn::{AuditReport, Batch, Document, FindingCode, Nag, audit};

/// How often each item occurs in a text.
type Counts = BTreeMap<String, usize>;

/// Counts what must not get lost: marks, glyphs, words of comments, variations, moves by their target square.
/// Independent of the reader.
fn counts(text: &str) -> Counts {
    let mut counts = Counts::new();
    let mut add = |what: String| *counts.entry(what).or_default() += 1;
    let body: String = text
        .lines()
        .filter(|line| !line.starts_with('['))
        .map(|line| format!("{line}\n"))
        .collect();
    let mut moves = String::new();
    let mut letters = body.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '{' => {
                let comment: String = letters
                    .by_ref()
                    .take_while(|&letter| letter != '}')
                    .collect();
                said(&comment).for_each(|word| add(mark(word)));
                moves.push(' ');
            }
            ';' => {
                let comment: String = letters
                    .by_ref()
                    .take_while(|&letter| letter != '\n')
                    .collect();
                said(&comment).for_each(|word| add(mark(word)));
                moves.push(' ');
            }
            letter => moves.push(letter),
        }
    }
    for word in apart(&moves.replace("+-", "$18 ")).split_whitespace() {
        if word.starts_with('$') || word == "N" {
            add(mark(&word.replace('N', "$146")));
            continue;
        }
        let bare = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let glyphs: String = bare
            .chars()
            .filter(|letter| "!?±∓∞□".contains(*letter))
            .collect();
        if !glyphs.is_empty() {
            glyphs.chars().for_each(|glyph| add(glyph.to_string()));
        }
        let digits = bare.rfind(|letter: char| letter.is_ascii_digit());
        if let Some(at) = digits.filter(|&at| at > 0 && bare.starts_with(char::is_alphabetic)) {
            add(format!("to {}", &bare[at - 1..=at]));
        }
    }
    let parentheses = moves.matches('(').count();
    counts.insert("variations".to_owned(), parentheses);
    // Counts each glyph by its letters, so that !!? equals !! and ?.
    let mut single = Counts::new();
    for (what, count) in counts {
        match what.strip_prefix("glyph ") {
            Some(glyph) => glyph.chars().for_each(|letter| {
                *single.entry(letter.to_string()).or_default() += count;
            }),
            None => *single.entry(what).or_default() += count,
        }
    }
    single.retain(|_, count| *count > 0);
    single
}

/// The moves with a space around every mark and asterisk that has none, and without parentheses.
fn apart(moves: &str) -> String {
    let mut text = String::new();
    let mut is_mark = false;
    for letter in moves.replace('*', " * ").chars() {
        if letter == '$' || is_mark && !letter.is_ascii_digit() {
            text.push(' ');
        }
        is_mark = letter == '$' || is_mark && letter.is_ascii_digit();
        text.push(if "()".contains(letter) { ' ' } else { letter });
    }
    text
}

/// The words of a comment. Results are not counted anywhere, because a second one is kept as a comment.
fn said(comment: &str) -> impl Iterator<Item = &str> {
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    let words = comment.split_whitespace();
    words.filter(move |word| !results.contains(word))
}

/// A word of a comment, or a glyph by the letters that stand for it.
fn mark(word: &str) -> String {
    let number = word
        .strip_prefix('$')
        .and_then(|number| number.parse().ok());
    match number.and_then(|number| Nag(number).glyph()) {
        Some(sign) if sign.chars().all(|letter| "!?±∓∞□".contains(letter)) => {
            format!("glyph {sign}")
        }
        _ => word.to_owned(),
    }
}

/// The text after it was read and written again, and the codes that allow a loss.
fn rewritten(text: &str) -> (String, Vec<FindingCode>) {
    let mut report = AuditReport::default().only(FindingCode::LOSSY_CODES.to_vec());
    let batch = Batch {
        text: text.as_bytes().to_vec(),
        offset: 0,
        line: 1,
    };
    audit(&batch, &mut report);
    let games = Document::read_all(text.as_bytes()).into_iter();
    let written = games.map(|mut game| {
        game.normalise();
        game.to_string()
    });
    let named = report.findings.iter().map(|finding| finding.code).collect();
    (written.collect::<Vec<_>>().join("\n"), named)
}

/// Whether all items are in the text after it was written again; if not, a code must allow it.
fn assert_kept(text: &str) -> bool {
    let (written, named) = rewritten(text);
    if named.is_empty() {
        assert_eq!(counts(text), counts(&written), "{text}\n\n{written}");
    }
    named.is_empty()
}

const GAME: &str = "[Event \"a\"]\n[Result \"1-0\"]\n\n{before the game} 1. e4! {best by test} e5 \
    2. Nf3 (2. f4!? exf4 {the gambit} 3. Nf3 (3. Bc4 $14) 3... g5) 2... Nc6 $1 3. Bb5 a6 ;Morphy\n\
    4. Ba4 Nf6 5. O-O Be7 6. Re1 b5?? 7. Bb3 d6 1-0\n";

/// What may be between the words of a game.
const MARKS: [&str; 27] = [
    "$1",
    "$5",
    "$14",
    "$200",
    "!",
    "?",
    "!!?",
    "?!?",
    "!?!?",
    "±",
    "+-",
    "{x y}",
    "{}",
    ";to the end\n",
    "(",
    ")",
    "*",
    "1-0",
    "e.p.",
    "$",
    "$300",
    "%x\n",
    "∞",
    "□",
    "?!",
    "0-1",
    "{a}(",
];

#[test]
fn marks_before_a_move_and_odd_ones_are_kept() {
    for text in [
        "$5 1. e4 e5 *\n",
        "1. e4 ($1 1. d4 d5) e5 *\n",
        "1. e4 ($1 {why} $2 1. d4) e5 *\n",
        "1. e4!!? e5?!? *\n",
        "1. e4 !!? e5 ?!? *\n",
        "1. e4 (1. d4 *) e5 *\n",
        "1. e4 (1. d4 d5 1-0 {or} 0-1) e5 *\n",
        "!? *\n",
        "1. e4 e5 1-0!\n",
        "1. e4 e5 1-0±\n",
        "1. e4 e5 0-1+-\n",
    ] {
        assert!(assert_kept(text), "{text}: {:?}", rewritten(text));
    }
    let (_, named) = rewritten("1. e4 (1. $14) e5 *\n");
    assert_eq!(named, [FindingCode::EmptyVariation]);
    let (written, _) = rewritten("1. e4!!? e5 *\n");
    assert!(written.ends_with("1. e4 $3 $2 e5 *\n"), "{written}");
    let (written, _) = rewritten("1. e4 (1. d4 d5 1-0) e5 *\n");
    assert!(
        written.ends_with("1. e4 (1. d4 d5 1-0) 1... e5 *\n"),
        "{written}"
    );
    let (written, _) = rewritten("$5 1. e4 ( $1 1. d4) *\n");
    assert!(
        written.ends_with("{$5} 1. e4 ({$1} 1. d4) *\n"),
        "{written}"
    );
}

#[test]
fn nothing_is_lost_without_a_word_however_a_file_was_changed() {
    assert!(assert_kept(GAME), "{:?}", rewritten(GAME));
    let body = GAME.find("{before").expect("it is there");
    let mut unnamed = 0;
    let mut changed = 0;
    for at in body..GAME.len() {
        if !GAME.is_char_boundary(at) {
            continue;
        }
        for mark in MARKS {
            for apart in [true, false] {
                let space = if apart { " " } else { "" };
                let text = format!("{}{space}{mark}{space}{}", &GAME[..at], &GAME[at..]);
                changed += 1;
                unnamed += usize::from(assert_kept(&text));
            }
        }
        // Also with a piece cut out.
        for length in [1, 2, 5] {
            if GAME.is_char_boundary(at + length) && at + length < GAME.len() {
                let text = format!("{}{}", &GAME[..at], &GAME[at + length..]);
                changed += 1;
                unnamed += usize::from(assert_kept(&text));
            }
        }
    }
    assert!(
        changed > 10_000 && unnamed > 2_000,
        "{unnamed} of {changed}"
    );
}

#[test]
fn what_is_written_apart_is_read_with_a_warning() {
    let promotion = "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. ";
    for (text, code, ends) in [
        (
            format!("{promotion}a8 =Q+ *\n"),
            FindingCode::LoosePromotion,
            "1. a8=Q+ *\n",
        ),
        (
            format!("{promotion}a8\n=Q+ *\n"),
            FindingCode::LoosePromotion,
            "1. a8=Q+ *\n",
        ),
        (
            format!("{promotion}a8/=Q+ *\n"),
            FindingCode::LoosePromotion,
            "1. a8=Q+ *\n",
        ),
        (
            format!("{promotion}a8 =R+! *\n"),
            FindingCode::LoosePromotion,
            "1. a8=R+ $1 *\n",
        ),
        (
            "1. e4 e5 1 - 0\n".to_owned(),
            FindingCode::LooseResult,
            "1. e4 e5 1-0\n",
        ),
        (
            "1. e4 e5 0 -1\n".to_owned(),
            FindingCode::LooseResult,
            "1. e4 e5 0-1\n",
        ),
        (
            "1. e4 e5 1/2 - 1/2\n".to_owned(),
            FindingCode::LooseResult,
            "1. e4 e5 1/2-1/2\n",
        ),
    ] {
        let mut report = AuditReport::default();
        let batch = Batch {
            text: text.clone().into_bytes(),
            offset: 0,
            line: 1,
        };
        audit(&batch, &mut report);
        let codes: Vec<FindingCode> = report.findings.iter().map(|finding| finding.code).collect();
        assert!(codes.contains(&code), "{text}: {codes:?}");
        let (written, named) = rewritten(&text);
        assert!(named.is_empty(), "{text}: {named:?}");
        assert!(written.ends_with(ends), "{text}: {written}");
    }
    // What only looks similar is left alone.
    for text in ["1. e4 e5 2. a3 - 0 *\n", "1. e4 1 - 2 *\n"] {
        let (_, named) = rewritten(text);
        assert!(!named.is_empty(), "{text}");
    }
}

#[test]
fn a_score_that_goes_on_is_no_result() {
    let text = "1. e4 e5 1 - 0x *\n";
    let mut report = AuditReport::default().only(vec![FindingCode::LooseResult]);
    let batch = Batch {
        text: text.as_bytes().to_vec(),
        offset: 0,
        line: 1,
    };
    audit(&batch, &mut report);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
fn a_move_by_its_squares_is_written_as_san() {
    for (text, ends) in [
        ("1. e4 e5 2. g1f3 Nc6 *\n", "1. e4 e5 2. Nf3 Nc6 *\n"),
        ("1. e4 -- 2. g1f3 Nc6 *\n", "1. e4 -- 2. Nf3 Nc6 *\n"),
    ] {
        let (written, _) = rewritten(text);
        assert!(written.ends_with(ends), "{written}");
    }
}

#[test]
fn games_that_differ_in_one_thing_are_not_the_same() {
    let game = "[Event \"a\"]\n\n{b} 1. e4 $1 {c} ({d} 1. d4 1-0) 1... e5 *\n";
    let read = |text: &str| Document::read_all(text.as_bytes()).remove(0);
    assert_eq!(read(game), read(game));
    for (part, other) in [
        ("\"a\"", "\"x\""),
        ("e5 *", "e5 1-0"),
        ("{b}", "{x}"),
        ("{b}", ""),
        ("e5 *", "e5 2. Nf3 *"),
        (" 1... e5", ""),
        ("e4", "e3"),
        ("$1", "$2"),
        ("{c}", "{x}"),
        ("{d}", "{x}"),
        ("1. d4 1-0", "1. d4 0-1"),
        ("1. d4 1-0", "1. d4"),
        ("1. d4 1-0) 1... e5", "1. d4 e5 1-0)"),
    ] {
        let changed = game.replace(part, other);
        assert_ne!(changed, game);
        assert_ne!(read(&changed), read(game), "{changed}");
    }
}

#[test]
fn a_missing_tag_is_named_where_its_game_begins() {
    let text =
        "[Event \"a\"]\n[White \"x\"]\n\n1. e4 *\n\n[Event \"b\"]\n[White \"y\"]\n\n1. d4\n*\n";
    let mut report = AuditReport::default().only(vec![FindingCode::MissingRosterTag]);
    let batch = Batch {
        text: text.as_bytes().to_vec(),
        offset: 0,
        line: 1,
    };
    audit(&batch, &mut report);
    let lines: Vec<u64> = report.findings.iter().map(|finding| finding.line).collect();
    assert_eq!(lines, [1, 6]);
}
