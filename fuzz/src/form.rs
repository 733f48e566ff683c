//! Laws of forms: whatever is read is within the limits, and is JSON that reads back the same.

use serde_json::Value;
use touchmove_server::readers::{
    MAX_FIELDS, MAX_JSON_DEPTH, MAX_NAME_BYTES, MAX_NAME_DOTS, read_form,
};

/// The laws, on one input.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(form) = read_form(text) else {
        return;
    };
    let Value::Object(fields) = &form else {
        panic!("a form is an object");
    };
    assert!(fields.len() <= MAX_FIELDS);
    assert!(fields.keys().all(|name| name.len() <= MAX_NAME_BYTES));
    assert!(depth(&form) <= 1 + MAX_NAME_DOTS + MAX_JSON_DEPTH);
    let written = form.to_string();
    let again: Value = serde_json::from_str(&written).expect("what is written is JSON");
    assert_eq!(again, form);
}

/// How deep a value is nested.
fn depth(value: &Value) -> usize {
    match value {
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        Value::Array(values) => 1 + values.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
