//! Sanitizes text that comes from a server while it is parsed.

use serde::{Deserialize, Deserializer};
use touchmove_text::{sanitize_line, sanitize_line_to};

use crate::link::is_game;

/// The longest sentence of a server that is shown, in characters.
const MAX_SENTENCE_CHARS: usize = 300;
/// The most squares or moves that a refusal may name.
const MAX_WORDS: usize = 64;

/// Sanitizes a sentence of a server or of the system to one line.
pub(crate) fn sentence(text: &str) -> String {
    sanitize_line_to(text, MAX_SENTENCE_CHARS).into_owned()
}

/// Deserializes a text as one sanitized line.
pub(crate) fn line<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(sanitize_line(&text).into_owned())
}

/// Deserializes the id of a game; `None` if it cannot be one.
pub(crate) fn game<'de, D: Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
    let game = Option::<String>::deserialize(d)?;
    Ok(game.filter(|game| is_game(game)))
}

/// Deserializes a list of words, each as one sanitized line.
pub(crate) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    Ok(words
        .iter()
        .take(MAX_WORDS)
        .map(|word| sentence(word))
        .collect())
}
