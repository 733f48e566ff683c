//! Parses a form (`application/x-www-form-urlencoded`) into a JSON object, within the limits of
//! [`bounds`](crate::api::bounds).

use serde_json::map::Entry;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::api::bounds::{LimitError, MAX_FIELDS, MAX_NAME_DOTS, check_json, check_name};

/// Fields whose values are not strings. A form has only strings, so these are parsed by their look.
const TYPED_FIELDS: &[&str] = &[
    "absence",
    "computer",
    "days",
    "draw",
    "gifts",
    "no_show",
    "public",
    "rated",
    "resigns",
    "seconds",
    "seed",
    "seen",
    "start",
    "takebacks",
    "terms",
];

/// Why a form cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormError {
    /// It exceeds a limit.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A repeated field, or one that is both a value and an object.
    #[error("the form says {0:?} twice")]
    Repeated(String),
}

/// Parses a form. A dot in the name of a field opens an object: `terms.time=5+3` is `{"terms":{"time":"5+3"}}`.
///
/// # Errors
/// If it exceeds a limit, or repeats a field.
pub fn read_form(text: &str) -> Result<Map<String, Value>, FormError> {
    let mut form = Map::new();
    let mut pairs = form_urlencoded::parse(text.as_bytes());
    for (name, value) in pairs.by_ref().take(MAX_FIELDS) {
        check_name(&name)?;
        let mut steps: Vec<&str> = name.split('.').collect();
        if steps.len() > MAX_NAME_DOTS + 1 {
            return Err(LimitError::Dots.into());
        }
        let repeated = || FormError::Repeated(name.clone().into_owned());
        let last = steps.pop().unwrap_or_default();
        let mut object = &mut form;
        for step in steps {
            let inner = object
                .entry(step)
                .or_insert_with(|| Value::Object(Map::new()));
            object = inner.as_object_mut().ok_or_else(repeated)?;
        }
        let value = match TYPED_FIELDS.contains(&last) {
            true => {
                check_json(value.as_bytes())?;
                serde_json::from_str(&value).unwrap_or_else(|_| Value::String(value.into_owned()))
            }
            false => Value::String(value.into_owned()),
        };
        match object.entry(last) {
            Entry::Vacant(field) => field.insert(value),
            Entry::Occupied(_) => return Err(repeated()),
        };
    }
    match pairs.next() {
        Some(_) => Err(LimitError::Fields.into()),
        None => Ok(form),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Result<Value, FormError> {
        read_form(text).map(Value::Object)
    }

    #[test]
    fn dots_go_into_objects_and_numbers_are_numbers() {
        assert_eq!(
            read("terms.time=5%2B3&terms.takebacks=false&public=true&name=Ann+a&seed=x").unwrap(),
            json!({
                "terms": { "time": "5+3", "takebacks": false },
                "public": true,
                "name": "Ann a",
                "seed": "x",
            })
        );
        assert_eq!(read("").unwrap(), json!({}));
        assert_eq!(read("=&a").err(), None);
    }

    #[test]
    fn a_form_with_sixty_kilobytes_of_dots_is_refused() {
        let dots = "a.".repeat(30_000) + "x=1";
        assert_eq!(read(&dots), Err(LimitError::Name.into()));
        let bare = ".".repeat(60_000) + "=1";
        assert_eq!(read(&bare), Err(LimitError::Name.into()));
        let escaped = "%2e".repeat(20) + "=1";
        assert_eq!(read(&escaped), Err(LimitError::Dots.into()));
        assert!(read("a.b.c.d=1").is_ok());
        assert_eq!(read("a.b.c.d.e=1"), Err(LimitError::Dots.into()));
    }

    #[test]
    fn a_form_with_too_many_fields_is_refused() {
        let fields = |count: usize| {
            let fields = (0..count).map(|number| format!("f{number}=1"));
            fields.collect::<Vec<_>>().join("&")
        };
        assert!(read(&fields(MAX_FIELDS)).is_ok());
        assert_eq!(
            read(&fields(MAX_FIELDS + 1)),
            Err(LimitError::Fields.into())
        );
        assert_eq!(read(&fields(9_000)), Err(LimitError::Fields.into()));
    }

    #[test]
    fn json_inside_a_form_has_the_limits_of_json() {
        let deep = format!("terms={}", "[".repeat(60_000));
        assert_eq!(read(&deep), Err(LimitError::Depth.into()));
        assert_eq!(
            read("terms=%7B%22time%22:%225%2B3%22%7D").unwrap(),
            json!({ "terms": { "time": "5+3" } })
        );
    }

    #[test]
    fn a_form_that_says_something_twice_is_refused() {
        for text in ["a=1&a=2", "a.b=1&a=2", "a=1&a.b=2", "a.b=1&a.b=1"] {
            assert!(matches!(read(text), Err(FormError::Repeated(_))), "{text}");
        }
    }
}
