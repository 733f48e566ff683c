//! Limits on the depth, the count and the size of what a request contains, checked before anything parses it.
//!
//! A parser that recurses once per level of its input needs a bound on the depth, or a small request overflows the
//! stack. A parser that copies a key once per entry needs a bound on keys and entries, or a small request takes all
//! memory. Both bounds are far above what any route needs.

use thiserror::Error;

/// The most fields of a form or a query, including unknown ones.
pub const MAX_FIELDS: usize = 100;
/// The longest name of a field, in bytes.
pub const MAX_NAME_BYTES: usize = 64;
/// The most dots in the name of a form field: each one opens an object (`terms.time`).
pub const MAX_NAME_DOTS: usize = 3;
/// The deepest nesting of a JSON body.
pub const MAX_JSON_DEPTH: usize = 16;
/// The most values of a JSON body.
pub const MAX_JSON_VALUES: usize = 1_000;
/// The longest request target (path and query), in bytes.
pub const MAX_TARGET_BYTES: usize = 8 * 1024;

/// The limit that a request exceeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum LimitError {
    /// Too many fields.
    #[error("there are more than {MAX_FIELDS} fields")]
    Fields,
    /// A name that is too long.
    #[error("the name of a field has more than {MAX_NAME_BYTES} bytes")]
    Name,
    /// A name with too many dots.
    #[error("the name of a field has more than {MAX_NAME_DOTS} dots")]
    Dots,
    /// JSON that is nested too deep.
    #[error("the JSON is nested deeper than {MAX_JSON_DEPTH} levels")]
    Depth,
    /// JSON with too many values.
    #[error("the JSON has more than {MAX_JSON_VALUES} values")]
    Values,
}

/// Checks the depth of a JSON text and the number of its values. Whether it is valid JSON is left to the parser.
///
/// # Errors
/// If it is too deep, or there are too many values.
pub fn check_json(text: &[u8]) -> Result<(), LimitError> {
    let (mut depth, mut values) = (0_usize, 1_usize);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                while let Some(byte) = bytes.next()
                    && *byte != b'"'
                {
                    if *byte == b'\\' {
                        bytes.next();
                    }
                }
            }
            b'{' | b'[' => {
                depth += 1;
                values += 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        if depth > MAX_JSON_DEPTH {
            return Err(LimitError::Depth);
        }
        if values > MAX_JSON_VALUES {
            return Err(LimitError::Values);
        }
    }
    Ok(())
}

/// Checks the number and names of a query's fields.
///
/// # Errors
/// If there are too many, or a name is too long.
pub fn check_query(query: &str) -> Result<(), LimitError> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    for (name, _) in pairs.by_ref().take(MAX_FIELDS) {
        check_name(&name)?;
    }
    match pairs.next() {
        Some(_) => Err(LimitError::Fields),
        None => Ok(()),
    }
}

/// Checks the name of a field.
///
/// # Errors
/// If it is too long.
pub const fn check_name(name: &str) -> Result<(), LimitError> {
    match name.len() {
        0..=MAX_NAME_BYTES => Ok(()),
        _ => Err(LimitError::Name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_counted_without_being_parsed() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(check_json(nested(MAX_JSON_DEPTH).as_bytes()), Ok(()));
        for levels in [MAX_JSON_DEPTH + 1, 1_000_000] {
            let checked = check_json(nested(levels).as_bytes());
            assert_eq!(checked, Err(LimitError::Depth));
        }
        let wide = format!("[{}0]", "0,".repeat(2_000));
        assert_eq!(check_json(wide.as_bytes()), Err(LimitError::Values));
    }

    #[test]
    fn brackets_inside_a_text_are_not_levels() {
        let text = format!(
            r#"{{"name":"{}\"{}","open":"[["#,
            "[".repeat(500),
            "{,".repeat(500)
        );
        assert_eq!(check_json(text.as_bytes()), Ok(()));
    }

    #[test]
    fn a_query_with_too_many_or_too_long_names_is_refused() {
        assert_eq!(check_query(&"a=1&".repeat(MAX_FIELDS)), Ok(()));
        let many = "a&".repeat(MAX_FIELDS + 1);
        assert_eq!(check_query(&many), Err(LimitError::Fields));
        let long = "n".repeat(MAX_NAME_BYTES + 1);
        assert_eq!(check_query(&long), Err(LimitError::Name));
        assert_eq!(check_query("&&&&"), Ok(()));
        assert_eq!(check_query("%ff%fe=%00&%=%zz"), Ok(()));
    }
}
