//! Moves in words: "knight f3", "e2 to e4", "castle queenside", "e takes d5". Words are replaced by
//! the letters and signs of notation, which `move_input.rs` then parses.

use crate::CastlingSide;

/// A text with its words replaced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SpokenMove {
    /// Notation.
    Notation(String),
    /// Castling, to this side or to whichever is possible.
    Castling(Option<CastlingSide>),
}

/// The notation that a word stands for; `None` if it is not a word of chess.
fn letters(word: &str) -> Option<&'static str> {
    Some(match word {
        "pawn" => "P",
        "knight" => "N",
        "bishop" => "B",
        "rook" => "R",
        "queen" => "Q",
        "king" => "K",
        "takes" | "take" | "captures" | "capture" => "x",
        "promotes" | "promote" | "promoting" | "becomes" | "becoming" => "=",
        "to" | "from" | "on" | "the" | "a" | "goes" | "moves" => "",
        _ => return None,
    })
}

/// The side that the words around "castle" name: they may name none, but not both.
fn castling(words: &[String]) -> Option<Option<CastlingSide>> {
    let is_castling = |word: &String| matches!(word.as_str(), "castle" | "castles" | "castling");
    if !words.iter().any(is_castling) {
        return None;
    }
    let mut named = None;
    for word in words.iter().filter(|word| !is_castling(word)) {
        let wing = match word.as_str() {
            "kingside" | "king's" | "king" | "kings" | "king-side" | "short" => CastlingSide::King,
            "queenside" | "queen's" | "queen" | "queens" | "queen-side" | "long" => {
                CastlingSide::Queen
            }
            "side" | "wing" | "to" | "on" | "the" => continue,
            _ => return None,
        };
        if named.is_some_and(|other| other != wing) {
            return None;
        }
        named = Some(wing);
    }
    Some(named)
}

/// Replaces words by the notation that they stand for. A text without such words is returned as it
/// is, except that a comma separates squares as a space does.
pub(crate) fn read(text: &str) -> SpokenMove {
    let parts = || {
        text.split(|letter: char| letter.is_whitespace() || letter == ',')
            .filter(|part| !part.is_empty())
    };
    let words: Vec<String> = parts().map(str::to_ascii_lowercase).collect();
    if let Some(wing) = castling(&words) {
        return SpokenMove::Castling(wing);
    }
    let spelled = parts().map(|part| letters(&part.to_ascii_lowercase()).unwrap_or(part));
    SpokenMove::Notation(spelled.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_the_letters_that_they_stand_for() {
        for (text, notation) in [
            ("knight f3", "N f3"),
            ("Knight takes E5", "N x E5"),
            ("e2 to e4", "e2  e4"),
            ("e2,e4", "e2 e4"),
            ("e8 becomes a queen", "e8 =  Q"),
            ("Nf3", "Nf3"),
            ("hello", "hello"),
            ("", ""),
        ] {
            assert_eq!(
                read(text),
                SpokenMove::Notation(notation.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn castling_is_said_with_its_wing_or_without() {
        for (text, wing) in [
            ("castle", None),
            ("Castle Kingside", Some(CastlingSide::King)),
            ("castles short", Some(CastlingSide::King)),
            ("long castling", Some(CastlingSide::Queen)),
            ("castle on the queen's side", Some(CastlingSide::Queen)),
        ] {
            assert_eq!(read(text), SpokenMove::Castling(wing), "{text}");
        }
        for text in ["castle e4", "castle long short"] {
            assert!(matches!(read(text), SpokenMove::Notation(_)), "{text}");
        }
    }
}
