//! Normalises documents to the export format: every move that can be replayed is rewritten in standard SAN.
//! Other moves stay as they are.

use touchmove_rules::AnyPosition;

use crate::document::{Document, MoveId, WalkStep};
use crate::result::GameResult;
use crate::spelling::NULL_MOVE;
use crate::starting_position::{tag_of_variant, variant_of_tag};

impl Document {
    /// Rewrites every move in export SAN, adds `SetUp` to a FEN, gives the variant its usual name, and sets
    /// the `Result` tag. Returns the first move of each line that could not be replayed; it and the moves
    /// after it keep their text.
    ///
    /// ```
    /// use touchmove_pgn::Document;
    /// let mut game = Document::read_all(b"1. e2e4 e5 2. Ng1f3 (2. Bc4 Nc6 3. o-o)").remove(0);
    /// let stuck = game.normalise();
    /// assert!(game.to_string().ends_with("1. e4 e5 2. Nf3 (2. Bc4 Nc6 3. O-O) *\n"));
    /// assert_eq!(game.node(stuck[0]).san(), "O-O");
    /// ```
    pub fn normalise(&mut self) -> Vec<MoveId> {
        self.normalise_tags();
        let Ok(start) = self.start() else {
            return self.first().into_iter().collect();
        };
        let mut stuck = Vec::new();
        let mut respelt = Vec::new();
        let mut line = LineState {
            now: Some(start),
            before: None,
        };
        let mut outer = Vec::new();
        for step in self.walk() {
            match step {
                WalkStep::Open => {
                    outer.push(line);
                    line = LineState {
                        now: line.before,
                        before: None,
                    };
                }
                WalkStep::Close => line = outer.pop().unwrap_or(line),
                WalkStep::Move(id) => {
                    let Some(now) = line.now else { continue };
                    line.before = Some(now);
                    line.now = match play(&now, self.node(id).san()) {
                        Some((san, next)) => {
                            respelt.push((id, san));
                            Some(next)
                        }
                        None => {
                            stuck.push(id);
                            None
                        }
                    };
                }
            }
        }
        for (id, san) in respelt {
            // The text is export SAN or `--`, which always reads as one move.
            let _ = self.set_san(id, &san);
        }
        stuck
    }

    fn normalise_tags(&mut self) {
        let variant = self.tags.get("Variant").and_then(variant_of_tag);
        if let Some(name) = variant.and_then(tag_of_variant) {
            set(self, "Variant", name);
        }
        if self
            .tags
            .get("FEN")
            .is_some_and(|fen| !fen.trim().is_empty())
        {
            set(self, "SetUp", "1");
        }
        let tag = self.tags.get("Result").and_then(GameResult::from_lenient);
        if tag.is_none_or(|tag| tag == GameResult::Unknown) {
            let result = self.result;
            set(self, "Result", result.as_str());
        }
    }
}

/// Sets a tag whose name is known to be valid.
fn set(document: &mut Document, name: &str, value: &str) {
    let _ = document.tags.set(name, value);
}

/// The position of a line; `None` once a move could not be replayed.
#[derive(Clone, Copy)]
struct LineState {
    now: Option<AnyPosition>,
    before: Option<AnyPosition>,
}

/// The move in export SAN and the position after it.
fn play(position: &AnyPosition, text: &str) -> Option<(String, AnyPosition)> {
    if text == NULL_MOVE {
        return Some((NULL_MOVE.to_owned(), position.null_move()?));
    }
    let mv = crate::audit::read_move(position, text.as_bytes())?;
    Some((position.san(mv).to_string(), position.after(mv)))
}
