//! JSON objects with a limit on the number of their values. A parsed value takes about a hundred times the
//! memory of its text (`[0],`), so readers of untrusted input (journals, messages to a server) must stop in
//! time.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Maximum number of values in one object. The largest real ones have some hundred: the line of moves in the
/// proof of an ending.
const MAX_VALUES: usize = 10_000;

/// Deserialises an object.
///
/// # Errors
/// If it is not an object or has too many values.
pub(crate) fn object<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Map<String, Value>, D::Error> {
    let mut left = MAX_VALUES;
    match deserializer.deserialize_map(Bounded { left: &mut left })? {
        Value::Object(object) => Ok(object),
        _ => Err(D::Error::custom("this is not an object")),
    }
}

/// Deserialises a value and counts down the values that may still come.
struct Bounded<'a> {
    left: &'a mut usize,
}

impl Bounded<'_> {
    fn count<E: Error>(&mut self) -> Result<Bounded<'_>, E> {
        *self.left = self
            .left
            .checked_sub(1)
            .ok_or_else(|| E::custom(format!("there are more than {MAX_VALUES} values")))?;
        Ok(Bounded { left: self.left })
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self.count()?)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key()? {
            object.insert(key, entries.next_value_seed(self.count()?)?);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Map<String, Value>, serde_json::Error> {
        object(&mut serde_json::Deserializer::from_str(text))
    }

    #[test]
    fn an_object_is_read_as_serde_reads_it() {
        let text =
            r#"{"b":[1,-2,0.5,true,null,"x\u00e9",{"a":{}}],"a":18446744073709551615,"a":7}"#;
        assert_eq!(
            read(text).unwrap(),
            serde_json::from_str::<Map<_, _>>(text).unwrap()
        );
        for text in ["[]", "7", "null", "\"x\"", ""] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn one_with_too_many_values_is_refused_however_they_are_nested() {
        let fits = "0,".repeat(MAX_VALUES - 10);
        assert!(read(&format!("{{\"x\":[{fits}0]}}")).is_ok());
        for item in ["0,", "[0],", "{\"\":0},", "[[],[[]]],"] {
            let items = item.repeat(MAX_VALUES);
            let refused = read(&format!("{{\"x\":[{items}0]}}")).unwrap_err();
            assert!(refused.to_string().contains("more than 10000"), "{refused}");
        }
        let wide: String = (0..=MAX_VALUES).map(|n| format!("\"{n}\":0,")).collect();
        assert!(read(&format!("{{{wide}\"x\":0}}")).is_err());
    }
}
