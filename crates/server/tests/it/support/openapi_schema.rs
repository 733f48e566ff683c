//! As much of OpenAPI and JSON Schema as our own description uses, to validate real responses. An unknown keyword is
//! a failure, so that nothing goes unchecked.

use serde_json::Value;

/// The OpenAPI description.
pub struct Description(Value);

impl Description {
    /// The one that is served.
    pub fn read() -> Description {
        Description(serde_json::from_str(include_str!("../../../openapi.json")).unwrap())
    }

    /// Every method and path.
    pub fn operations(&self) -> Vec<(String, String)> {
        let paths = self.0["paths"].as_object().unwrap().iter();
        let each = |(path, methods): (&String, &Value)| {
            let methods: Vec<String> = methods.as_object().unwrap().keys().cloned().collect();
            let path = path.clone();
            methods
                .into_iter()
                .map(move |method| (method.to_uppercase(), path.clone()))
        };
        paths.flat_map(each).collect()
    }

    /// Resolves a reference; other values are returned as they are.
    fn follow<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value.get("$ref").and_then(Value::as_str) {
            Some(path) => {
                let pointer = path.strip_prefix('#').unwrap();
                let found = self.0.pointer(pointer);
                self.follow(found.unwrap_or_else(|| panic!("{path} leads nowhere")))
            }
            None => value,
        }
    }

    /// Resolves every reference in the description.
    pub fn check_references(&self) {
        let mut left = vec![&self.0];
        while let Some(value) = left.pop() {
            self.follow(value);
            match value {
                Value::Object(fields) => left.extend(fields.values()),
                Value::Array(items) => left.extend(items),
                _ => {}
            }
        }
    }

    /// Validates every example against the schema beside it; returns how many there are.
    pub fn check_examples(&self) -> usize {
        let (mut left, mut count) = (vec![&self.0], 0);
        while let Some(value) = left.pop() {
            if let (Some(schema), Some(example)) = (value.get("schema"), value.get("example")) {
                let fits = self.fits(schema, example, "example");
                fits.unwrap_or_else(|problem| panic!("{problem}: {example}"));
                count += 1;
            }
            match value {
                Value::Object(fields) => left.extend(fields.values()),
                Value::Array(items) => left.extend(items),
                _ => {}
            }
        }
        count
    }

    /// Validates a response; returns the operation that it belongs to.
    pub fn check(
        &self,
        method: &str,
        path: &str,
        status: u16,
        head: &str,
        body: &str,
    ) -> (String, String) {
        let plain = path.split('?').next().unwrap();
        let steps: Vec<_> = plain.split('/').collect();
        let is_it = |pattern: &str| {
            let pattern: Vec<_> = pattern.split('/').collect();
            let same = |(step, word): (&&str, &&str)| step == word || word.starts_with('{');
            steps.len() == pattern.len() && steps.iter().zip(&pattern).all(same)
        };
        let ways = self.operations().into_iter();
        // A literal path comes before one with a parameter.
        let mut ways: Vec<_> = ways
            .filter(|(known, way)| known == method && is_it(way))
            .collect();
        ways.sort_by_key(|(_, way)| way.matches('{').count());
        let way = ways
            .into_iter()
            .next()
            .unwrap_or_else(|| panic!("{method} {path} is not described"));
        let operation = &self.0["paths"][&way.1][method.to_lowercase()];
        let response = operation["responses"].get(status.to_string());
        let response = response.unwrap_or_else(|| panic!("{method} {path}: {status} {body}"));
        let Some(content) = self.follow(response).get("content") else {
            assert_eq!(body, "", "{method} {path}: {status}");
            return way;
        };
        let (kind, media) = content.as_object().unwrap().iter().next().unwrap();
        let told = head
            .lines()
            .find_map(|line| line.strip_prefix("content-type: "));
        assert!(
            told.is_some_and(|told| told.starts_with(kind)),
            "{method} {path}: {told:?}"
        );
        let value = match kind.as_str() {
            "application/json" => serde_json::from_str(body).unwrap(),
            _ => Value::from(body),
        };
        let fits = self.fits(&media["schema"], &value, "");
        fits.unwrap_or_else(|problem| panic!("{method} {path}: {status}: {problem}: {body}"));
        way
    }

    /// Validates a value against a schema.
    fn fits(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let schema = self.follow(schema);
        for (word, rule) in schema.as_object().unwrap() {
            let fits = match word.as_str() {
                "description" | "examples" | "default" | "required" | "additionalProperties" => {
                    true
                }
                "type" => match rule {
                    Value::Array(kinds) => kinds.iter().any(|kind| is_of(kind, value)),
                    kind => is_of(kind, value),
                },
                "enum" => rule.as_array().unwrap().contains(value),
                "const" => rule == value,
                "anyOf" => {
                    let mut schemas = rule.as_array().unwrap().iter();
                    schemas.any(|schema| self.fits(schema, value, at).is_ok())
                }
                "properties" => {
                    self.has_fields(schema, value, at)?;
                    true
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.fits(rule, item, &format!("{at}/{index}"))?;
                    }
                    true
                }
                "minimum" => value
                    .as_f64()
                    .is_none_or(|number| number >= rule.as_f64().unwrap()),
                "maximum" => value
                    .as_f64()
                    .is_none_or(|number| number <= rule.as_f64().unwrap()),
                "minLength" | "maxLength" => value.as_str().is_none_or(|text| {
                    let (length, bound) = (text.chars().count() as u64, rule.as_u64().unwrap());
                    if word == "minLength" {
                        length >= bound
                    } else {
                        length <= bound
                    }
                }),
                "pattern" => value
                    .as_str()
                    .is_none_or(|text| is_like(text, rule.as_str().unwrap())),
                _ => return Err(format!("{at}: the word {word:?} is not known here")),
            };
            if !fits {
                return Err(format!("{at} is not as {word} {rule} says: {value}"));
            }
        }
        Ok(())
    }

    fn has_fields(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let Some(fields) = value.as_object() else {
            return Ok(());
        };
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().unwrap()) {
                return Err(format!("{at} has no {name}"));
            }
        }
        for (name, value) in fields {
            match schema["properties"].get(name) {
                Some(schema) => self.fits(schema, value, &format!("{at}/{name}"))?,
                None if schema["additionalProperties"] == false => {
                    return Err(format!("{at} has {name:?}, which is not described"));
                }
                None => {}
            }
        }
        Ok(())
    }
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        kind => panic!("the type {kind:?} is not known here"),
    }
}

/// Whether a text matches one of the few patterns in use: letters and digits of a certain number.
fn is_like(text: &str, pattern: &str) -> bool {
    let (length, may_be): (usize, fn(u8) -> bool) = match pattern {
        "^[0-9A-Za-z]{8}$" => (8, |byte| byte.is_ascii_alphanumeric()),
        "^[0-9a-f]{10}$" => (10, |byte| byte.is_ascii_hexdigit()),
        _ => panic!("the pattern {pattern:?} is not known here"),
    };
    text.len() == length && text.bytes().all(may_be)
}
