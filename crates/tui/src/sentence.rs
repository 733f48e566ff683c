//! Messages of the libraries as sentences of their own: a capital first, a full stop at the end.

/// A message with a capital, and with a full stop unless it ends otherwise.
pub(crate) fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(char::to_uppercase);
    let end = if message.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    first
        .into_iter()
        .flatten()
        .chain(letters)
        .chain(end.chars())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_becomes_a_sentence_once() {
        for (message, said) in [
            ("the king is in check", "The king is in check."),
            ("Done.", "Done."),
            ("really?", "Really?"),
            ("", "."),
        ] {
            assert_eq!(sentence(message), said);
        }
    }
}
