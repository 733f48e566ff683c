//! Laws of writing PGN: a document that is written and read again is the same document, before and
//! after its moves are put into normal spelling.

use touchmove_pgn::Document;

fn assert_survives(document: &Document) {
    let written = document.to_string();
    let again = Document::read_all(written.as_bytes());
    assert_eq!(again.len(), 1, "{written}");
    assert_eq!(&again[0], document, "{written}");
}

/// The laws, on one input.
pub fn check(text: &[u8]) {
    for mut document in Document::read_all(text) {
        assert_survives(&document);
        document.normalise();
        assert_survives(&document);
    }
}
