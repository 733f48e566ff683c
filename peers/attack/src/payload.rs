//! Bodies, queries and texts that are deep, wide, long or otherwise hard to read.

/// The largest body that the server reads, less a little.
const MAX_BODY_BYTES: usize = 60 * 1024;
/// The largest target of a request that is tried.
const MAX_QUERY_BYTES: usize = 7 * 1024;

/// A body and its type.
pub struct Payload {
    /// What it is.
    pub name: &'static str,
    /// The type.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// A piece again and again, up to so many bytes.
fn fill(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len())
}

/// Deep and wide bodies.
pub fn bodies() -> Vec<Payload> {
    let most = MAX_BODY_BYTES;
    let form = |name, body: String| Payload {
        name,
        content_type: FORM,
        body: body.into_bytes(),
    };
    let json = |name, body: String| Payload {
        name,
        content_type: JSON,
        body: body.into_bytes(),
    };
    let nested = |open: &str, close: &str, piece: usize| {
        let depth = most / piece;
        open.repeat(depth) + "1" + &close.repeat(depth)
    };
    let wide =
        |pair: &dyn Fn(usize) -> String| (0..most / 16).map(pair).collect::<Vec<_>>().join(",");
    vec![
        form("dots in a key", fill("a.", most) + "x=1"),
        form("seventeen thousand dots", "a.".repeat(17_000) + "x=1"),
        form("encoded dots in a key", fill("a%2e", most) + "x=1"),
        form("only dots", fill(".", most) + "=1"),
        form(
            "brackets in a key",
            "a".to_owned() + &fill("[b]", most) + "=1",
        ),
        form("open brackets", "a".to_owned() + &fill("[", most) + "=1"),
        form("many pairs", fill("a=1&", most)),
        form("many deep pairs", fill("terms.a.b.c.d.e.f=1&", most)),
        form("many empty pairs", fill("&", most)),
        form("one key of arrays", fill("a[]=1&", most)),
        form("indexed arrays", fill("a[99999999]=1&", most)),
        form("a long key", fill("k", most) + "=1"),
        form("a long value", "name=".to_owned() + &fill("v", most)),
        form(
            "a value of percent signs",
            "name=".to_owned() + &fill("%", most),
        ),
        form(
            "a value that is no UTF-8",
            "name=".to_owned() + &fill("%ff", most),
        ),
        form(
            "a key that is its own parent",
            "terms=1&terms.time=5&terms.time.a=1&terms=2".to_owned(),
        ),
        json("arrays in arrays", nested("[", "]", 2)),
        json("arrays that never end", fill("[", most)),
        json("objects in objects", nested("{\"a\":", "}", 6)),
        json("objects that never end", fill("{\"a\":", most)),
        json(
            "depth under a known key",
            format!("{{\"terms\":{}}}", nested("[", "]", 3)),
        ),
        json(
            "depth under an unknown key",
            format!("{{\"x\":{}}}", nested("{\"a\":", "}", 7)),
        ),
        json(
            "many keys",
            format!("{{{}}}", wide(&|n| format!("\"k{n}\":{n}"))),
        ),
        json(
            "one key again and again",
            format!("{{{}}}", wide(&|_| "\"name\":\"a\"".to_owned())),
        ),
        json("many numbers", format!("[{}]", wide(&|n| n.to_string()))),
        json("a huge number", format!("{{\"name\":{}}}", fill("9", most))),
        json(
            "a huge exponent",
            "{\"name\":1e999999999,\"seen\":-1e-999999999}".to_owned(),
        ),
        json(
            "a long key in an object",
            format!("{{\"{}\":1}}", fill("k", most)),
        ),
        json(
            "a long text",
            format!("{{\"name\":\"{}\"}}", fill("v", most)),
        ),
        json(
            "lone surrogates",
            format!("{{\"name\":\"{}\"}}", fill("\\ud800", most)),
        ),
        json(
            "stacked accents",
            format!("{{\"name\":\"a{}\"}}", fill("\u{301}", most)),
        ),
        json(
            "escapes",
            "{\"name\":\"\\u001b]0;ATTACK\\u0007\\u009b31m\\u202e\"}".to_owned(),
        ),
        Payload {
            name: "bytes",
            content_type: JSON,
            body: (0..=255).cycle().take(most).collect(),
        },
        Payload {
            name: "more than is read",
            content_type: JSON,
            body: vec![b' '; 200 * 1024],
        },
        Payload {
            name: "parts",
            content_type: "multipart/form-data; boundary=a",
            body: fill(
                "--a\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n",
                most,
            )
            .into(),
        },
        Payload {
            name: "depth as plain text",
            content_type: "text/plain",
            body: fill("[", most).into(),
        },
    ]
}

/// Deep and wide queries.
pub fn queries() -> Vec<String> {
    let most = MAX_QUERY_BYTES;
    vec![
        fill("a.", most) + "x=1",
        "a".to_owned() + &fill("[b]", most) + "=1",
        fill("a=1&", most),
        "fen=".to_owned() + &fill("8/", most),
        "fen=".to_owned() + &fill("%ff", most),
        "moves=".to_owned() + &fill("e4%20", most),
        "limit=99999999999999999999999&max=-1&side_px=4294967295&size=1e99".to_owned(),
        "seen=18446744073709551615&after=%00&before=%0d%0aX:%20y&phase=%1b%5b31m".to_owned(),
        "ids=".to_owned() + &fill("a,", most),
        fill("%", most),
    ]
}

/// Texts for the places in paths.
pub fn path_parts() -> Vec<String> {
    vec![
        "a.".repeat(2_000),
        "%00".to_owned(),
        "%ff%fe".to_owned(),
        "..%2f..%2f..%2fetc%2fpasswd".to_owned(),
        "%2e%2e".to_owned(),
        "%0d%0aX-Evil:%20yes".to_owned(),
        "%1b%5d0;ATTACK%07".to_owned(),
        "A".repeat(5_000),
        "%F0%9F%98%80".to_owned(),
        "99999999999999999999999999".to_owned(),
        "-1".to_owned(),
        "{id}".to_owned(),
    ]
}

/// Cookies and tokens that are no such thing.
pub fn cookies() -> Vec<String> {
    vec![
        fill("touchmove=a; ", 6_000),
        format!("touchmove={}", "g".repeat(6_000)),
        format!("touchmove=guest_{}", "%".repeat(2_000)),
        fill("a.b[c]=d; ", 6_000),
        fill(";", 6_000),
        "touchmove=\"guest_\\\"\\\"\"; touchmove=; =; touchmove".to_owned(),
    ]
}
