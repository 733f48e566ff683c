//! Writing and reading are inverse: a document that is written and read again is the same document, and no
//! text makes the reader panic.

use proptest::prelude::*;
use touchmove_pgn::{Document, GameResult, MAX_GAME_PARTS, MoveId, Nag, Visitor, read};

/// One change to a document under construction.
#[derive(Clone, Debug)]
enum Edit {
    Play(String),
    Vary(String),
    Nag(u8),
    Comment(String),
    Jump(usize),
}

fn san() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-h][1-8]",
        "[KQRBN][a-h]?x?[a-h][1-8][+#]?",
        "[a-h]x[a-h][18]=[QRBN]",
        Just("O-O".to_owned()),
        Just("O-O-O+".to_owned()),
        Just("--".to_owned()),
        "[SL][a-h][1-9]",
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => san().prop_map(Edit::Play),
        2 => san().prop_map(Edit::Vary),
        1 => any::<u8>().prop_map(Edit::Nag),
        2 => "[ -~äß→\n\t%{}\\[\\]\";]{0,120}".prop_map(Edit::Comment),
        1 => any::<usize>().prop_map(Edit::Jump),
    ]
}

fn document() -> impl Strategy<Value = Document> {
    let tags = prop::collection::vec(("[A-Z][A-Za-z0-9_]{0,9}", "\\PC{0,20}"), 0..6);
    let result = prop::sample::select(GameResult::ALL.to_vec());
    (
        tags,
        result,
        prop::collection::vec(edit(), 0..60),
        "[a-z {}]{0,20}",
    )
        .prop_map(build)
}

fn build(
    (tags, result, edits, intro): (Vec<(String, String)>, GameResult, Vec<Edit>, String),
) -> Document {
    let mut document = Document::default();
    document.result = result;
    for (name, value) in tags.iter().filter(|(name, _)| name != "FEN") {
        document
            .tags
            .set(name, value)
            .expect("the name is a tag name");
    }
    document.add_intro(&intro);
    let mut all: Vec<MoveId> = Vec::new();
    let mut last = None;
    for edit in edits {
        match (edit, last) {
            (Edit::Play(san), _) => {
                last = Some(document.play(last, &san).expect("the text is a move"));
                all.extend(last);
            }
            (Edit::Vary(san), Some(id)) => {
                last = Some(
                    document
                        .add_variation(id, &san)
                        .expect("the text is a move"),
                );
                all.extend(last);
            }
            (Edit::Nag(nag), Some(id)) => document.add_nag(id, Nag(nag)),
            (Edit::Comment(text), Some(id)) => document.add_comment(id, &text),
            (Edit::Jump(to), Some(_)) => last = Some(all[to % all.len()]),
            _ => {}
        }
    }
    document
}

#[derive(Default)]
struct Balance {
    games: i64,
    variations: i64,
}

impl Visitor for Balance {
    fn begin_game(&mut self, _: u64) {
        assert_eq!((self.games, self.variations), (0, 0));
        self.games += 1;
    }
    fn begin_variation(&mut self) -> touchmove_pgn::VisitControl {
        self.variations += 1;
        touchmove_pgn::VisitControl::Read
    }
    fn end_variation(&mut self) {
        self.variations -= 1;
    }
    fn end_game(&mut self, _: u64) {
        assert_eq!(self.variations, 0);
        self.games -= 1;
    }
}

/// Random text made of pieces of PGN.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec![
            "1.", "1...", "e4", "Nf3!", "O-O", "0-0", "{", "}", "(", ")", ";", "[", "]", "\"", "\\",
            "\n", "\r\n", "\n\n", "%", "*", "1-0", "1/2-1/2", "½-½", "$1", "$", "$999", "--", "Z0",
            "e.p.", "+-", "♘f3", "[Event \"x\"]\n", "[Event \"", "[Site x]\n", "\u{a0}", "\u{feff}",
            "\0", "tail", "Nf", "1e4", "99999999999.", "e8Q", "e4+-!?", "0000", "o-o-o",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,4}",
        2 => Just(" ".to_owned()),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn a_document_that_is_written_and_read_is_the_same(document in document()) {
        let text = document.to_string();
        prop_assert_eq!(Document::read_all(text.as_bytes()), vec![document], "{}", text);
    }

    #[test]
    fn what_was_read_from_any_text_survives_writing(text in soup()) {
        for document in Document::read_all(text.as_bytes()) {
            let written = document.to_string();
            prop_assert_eq!(Document::read_all(written.as_bytes()), vec![document], "{}", written);
        }
    }

    #[test]
    fn every_game_and_variation_that_begins_also_ends(text in soup()) {
        read(text.as_bytes(), &mut Balance::default());
    }
}

#[test]
fn as_many_nested_variations_as_are_read_are_built_written_compared_and_dropped() {
    let mut document = Document::default();
    let mut last = document.play(None, "e4").expect("e4 is a move");
    // Seven tags are written and one move; each variation is a part, and so is its move.
    for _ in 0..(MAX_GAME_PARTS - 8) / 2 {
        last = document.add_variation(last, "d4").expect("d4 is a move");
    }
    let text = document.to_string();
    let read = Document::read_all(text.as_bytes());
    assert!(read == [document.clone()], "it is read as it was written");
    document.add_variation(last, "d4").expect("d4 is a move");
    let text = document.to_string();
    let read = Document::read_all(text.as_bytes());
    assert!(read.len() == 1 && !read[0].is_whole());
}

#[test]
fn movetext_stays_below_eighty_columns() {
    let mut document = Document::default();
    let mut last = None;
    for ply in 0..400 {
        let id = document.play(last, "Nf3").expect("Nf3 is a move");
        if ply % 7 == 0 {
            document.add_comment(
                id,
                "a comment of some words that goes on and on [%clk 0:01:02] and ends",
            );
            document.add_variation(id, "Nc3").expect("Nc3 is a move");
        }
        last = Some(id);
    }
    for line in document.to_string().lines() {
        assert!(line.chars().count() < 80, "{line}");
    }
}

#[test]
fn odd_bytes_inside_words_survive_writing() {
    let texts: [&[u8]; 4] = [
        b"1. \xff\xa0\xa0\xa03 Nc6ou\xffnd *",
        b"1. e4 a6 2. exd6\x01 b5 *",
        b"[White \"a\x1f\xa0b\"]\n\n1. e4 {\x1f\xa0c\x01} e5 *",
        b"{before}\n[Event \"x\"]\n; between\n[Site \"y\"]\n\n1. e4!!! e8(Q) nf3 *",
    ];
    for text in texts {
        for document in Document::read_all(text) {
            let written = document.to_string();
            assert_eq!(
                Document::read_all(written.as_bytes()),
                [document],
                "{written}"
            );
        }
    }
}
