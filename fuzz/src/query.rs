//! Laws of queries: whatever is read is within the limits, and reads back the same when it is written again.

use touchmove_server::readers::{MAX_FIELDS, MAX_NAME_BYTES, read_query};

/// The laws, on one input.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let Ok(pairs) = read_query(text) else {
        return;
    };
    assert!(pairs.len() <= MAX_FIELDS);
    assert!(pairs.iter().all(|(name, _)| name.len() <= MAX_NAME_BYTES));
    let mut written = form_urlencoded::Serializer::new(String::new());
    written.extend_pairs(&pairs);
    assert_eq!(read_query(&written.finish()), Ok(pairs));
}
